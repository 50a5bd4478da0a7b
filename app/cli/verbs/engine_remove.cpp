// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_sheet.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/worker/installation.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

int run(const std::string& name, Session& session)
{
    const auto engine = findEngine(worker::engineStates(worker::Installation::locate()), name);
    if (!engine)
        return session.terminal.fail(engine.error());
    const auto removed = worker::removeEngine(engine->backend);
    if (!removed)
        return session.terminal.fail(removed.error());
    session.terminal.document(
        {{"schema", "apertune.engine_removed/1"}, {"name", engine->backend}, {"bytes", removed->count}});
    session.terminal.text(engine->title + " was removed: " + base::formatBytes(*removed) + " are free again.");
    return kDone;
}

Action declareEngineRemove(CLI::App& app)
{
    auto name = std::make_shared<std::string>();
    addArgument(app, "NAME", *name, "Engine that `apertune engine add` installed");
    return [name](Session& session) { return run(*name, session); };
}

} // namespace

Verb engineRemoveVerb()
{
    return {.path = {"engine", "remove"},
            .group = Group::manage,
            .summary = "Remove an engine that `apertune engine add` installed",
            .examples = "  apertune engine remove libtorch",
            .takes = Takes::json,
            .documents = {{"apertune.engine_removed/1", "`name`, `bytes` that are free again"}},
            .declare = declareEngineRemove};
}

} // namespace apertune::cli
