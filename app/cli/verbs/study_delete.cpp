// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/confirm.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/text.h"
#include "core/models/artifact_users.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::cli {

using base::Json;

namespace {

struct StudyDelete
{
    std::vector<std::string> studies;
    bool yes = false;
};

int run(const StudyDelete& options, Session& session)
{
    auto store = store::Store::open(session.common.store, store::OpenMode::readWrite);
    if (!store)
        return session.terminal.fail(store.error());
    // All names are looked up before anything is deleted, so that a typing error in the second name costs nothing.
    std::vector<model::StudyId> ids;
    for (const std::string& text : options.studies) {
        const auto id = findStudy(*store, text);
        if (!id)
            return session.terminal.fail(id.error());
        ids.push_back(*id);
    }
    Json deleted = Json::array();
    std::vector<std::string> names;
    std::vector<model::ModelRef> models; // models whose files may be unused afterwards
    for (const model::StudyId id : ids) {
        const auto study = store->study(id);
        if (!study)
            return session.terminal.fail(study.error());
        if (std::none_of(models.begin(), models.end(),
                         [&](const model::ModelRef& m) { return m.artifact == study->model.artifact; }))
            models.push_back(study->model);
        names.push_back(text::toText(id));
        deleted.push_back(names.back());
    }
    const auto go =
        confirmed("Delete " + text::wrapPieces(names, ", ", 0, 0) + " with all trials?", options.yes, session);
    if (!go)
        return session.terminal.fail(go.error());
    if (!*go)
        return kDone;
    for (const model::StudyId id : ids)
        if (const auto done = store->deleteStudy(id); !done)
            return session.terminal.fail(done.error());
    base::Bytes freed{};
    std::string text = "Deleted " + text::wrapPieces(names, ", ", 0, 0) + ".";
    for (const model::ModelRef& model : models) {
        const auto removal = models::removeUnusedArtifact(*store, model);
        if (!removal)
            return session.terminal.fail(removal.error());
        freed.count += removal->freed.count;
        if (removal->freed.count > 0) // usually 0, because the list of models or another study still uses the files
            text += " The files of " + model.name +
                    ", a deleted model, are removed: " + base::formatBytes(removal->freed) + " are free again.";
    }
    session.terminal.document(
        {{"schema", "apertune.deleted/1"}, {"kind", "study"}, {"ids", deleted}, {"freed_bytes", freed.count}});
    session.terminal.text(text);
    return kDone;
}

Action declareStudyDelete(CLI::App& app)
{
    auto options = std::make_shared<StudyDelete>();
    addArgument(app, "STUDY", options->studies, kStudyHelp);
    app.add_flag("--yes,-y", options->yes, "Delete without asking for confirmation");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb studyDeleteVerb()
{
    return {.path = {"study", "delete"},
            .group = Group::manage,
            .summary = "Delete studies with all their trials",
            .examples = R"(  apertune study delete s3 s4
  apertune study delete last --yes)",
            .takes = Takes::workspace,
            .documents = {{"apertune.deleted/1",
                           "`kind` (`study`, `model`, `trace`), `ids`, `freed_bytes` (except of traces: of the "
                           "files of models that nothing refers to any more)"}},
            .declare = declareStudyDelete};
}

} // namespace apertune::cli
