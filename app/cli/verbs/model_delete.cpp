// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_sheet.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/models/artifact_users.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

struct ModelDelete
{
    std::string name;
};

/// One or two sentences about the files of a deleted model.
std::string removalText(const models::ArtifactRemoval& removal, const model::ModelRef& model)
{
    using Kept = models::ArtifactRemoval::Kept;
    const std::string where = model.artifact.string();
    const std::string stays = "Its files stay in " + where;
    const std::string users = base::join(removal.users);
    switch (removal.kept) {
    case Kept::no:
        return removal.freed.count > 0
                   ? "Its files are removed: " + base::formatBytes(removal.freed) + " are free again."
                   : "Its files were gone already.";
    case Kept::foreign:
        return stays + ", where they were imported from.";
    case Kept::models:
        return stays + ", for the model " + users + " uses them, too.";
    case Kept::studies:
        return stays + ", for " + users +
               " use them (export, verify, trace). They go with the last of these: apertune study delete " +
               base::join(removal.users, " ");
    case Kept::otherWorkspaces:
        return stays + ", for other workspaces use them: " + users + ".";
    case Kept::unknownUsers:
        return stays +
               ": they are older than the list of the workspaces that use them. When no other workspace does, "
               "remove the folder: rm -r " +
               where;
    case Kept::error:
        break;
    }
    return stays + ", for they cannot be removed: " + users + ".";
}

int run(const ModelDelete& options, Session& session)
{
    auto store = store::Store::open(session.common.store, store::OpenMode::readWrite);
    if (!store)
        return session.terminal.fail(store.error());
    const auto model = findModel(*store, options.name);
    if (!model)
        return session.terminal.fail(model.error());
    if (const auto deleted = store->deleteModel(options.name); !deleted)
        return session.terminal.fail(deleted.error());
    const auto removal = models::removeUnusedArtifact(*store, *model);
    if (!removal)
        return session.terminal.fail(removal.error());
    session.terminal.document({{"schema", "apertune.deleted/1"},
                               {"kind", "model"},
                               {"ids", Json::array({options.name})},
                               {"freed_bytes", removal->freed.count}});
    session.terminal.text("Deleted " + options.name + ". " + removalText(*removal, *model));
    return kDone;
}

Action declareModelDelete(CLI::App& app)
{
    auto options = std::make_shared<ModelDelete>();
    addArgument(app, "NAME", options->name, "Name in the workspace");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb modelDeleteVerb()
{
    return {.path = {"model", "delete"},
            .group = Group::manage,
            .summary = "Delete a model and, once no study needs them, its files",
            .examples = R"(  apertune model delete resnet50)",
            .takes = Takes::workspace,
            .documents = {{"apertune.deleted/1", ""}},
            .declare = declareModelDelete};
}

} // namespace apertune::cli
