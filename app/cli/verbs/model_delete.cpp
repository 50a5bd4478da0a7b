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
    bool artifacts = false;
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
    case Kept::recent: // an answer about folders alone
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
    // The model goes first: its files are removed only if nothing refers to them any more.
    if (const auto deleted = store->deleteModel(options.name); !deleted)
        return session.terminal.fail(deleted.error());
    const auto removal = models::removeUnusedArtifact(*store, *model);
    if (!removal)
        return session.terminal.fail(removal.error());
    std::string text = "Deleted " + options.name + ". " + removalText(*removal, *model);
    base::Bytes made{};
    // Made files belong to the content, so they go only with the last copy of it.
    if (options.artifacts && removal->kept == models::ArtifactRemoval::Kept::no) {
        made = models::removeMadeFiles(model->contentHash);
        text += made.count > 0
                    ? " Its compiled packages and converted files are removed, too: " + base::formatBytes(made) +
                          " are free again."
                    : " There were no compiled packages or converted files of it.";
    } else if (options.artifacts) {
        text += "\nIts compiled packages and converted files stay, too.";
    }
    session.terminal.document({{"schema", "apertune.deleted/1"},
                               {"kind", "model"},
                               {"ids", Json::array({options.name})},
                               {"freed_bytes", removal->freed.count + made.count}});
    session.terminal.text(text);
    return kDone;
}

Action declareModelDelete(CLI::App& app)
{
    auto options = std::make_shared<ModelDelete>();
    addArgument(app, "NAME", options->name, "Name in the workspace");
    app.add_flag("--artifacts", options->artifacts,
                 "Also remove the compiled packages and converted files of the model");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb modelDeleteVerb()
{
    return {.path = {"model", "delete"},
            .group = Group::manage,
            .summary = "Delete a model and, once no study needs them, its files",
            .examples = R"(  apertune model delete resnet50
  apertune model delete resnet50 --artifacts)",
            .takes = Takes::workspace,
            .documents = {{"apertune.deleted/1", ""}},
            .declare = declareModelDelete};
}

} // namespace apertune::cli
