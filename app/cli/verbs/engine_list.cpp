// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_sheet.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/text/text_table.h"
#include "core/worker/installation.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::cli {

using base::Json;

namespace {

int listEngines(Session& session)
{
    const auto engines = worker::engineStates(worker::Installation::locate());
    Json list = Json::array();
    text::TextTable table(
        {{"Engine"}, {"Version"}, {"Added"}, {"Where it is, or what to do", text::TextTable::Align::left, true}});
    for (const worker::EngineState& engine : engines) {
        list.push_back(engineJson(engine));
        const std::string place = engine.missing ? sentences::sentence(engine.missing->message) + " " +
                                                       sentences::sentence(engine.missing->hint)
                                  : engine.folder.empty() ? "found by the system's loader, if it is installed"
                                                          : engine.folder.string();
        table.addRow({engine.backend, engine.version.empty() ? "–" : engine.version,
                      engine.added ? base::formatBytes(engine.size) : "–", place});
    }
    session.terminal.document({{"schema", "apertune.engines/1"}, {"engines", list}});
    const bool none = std::none_of(engines.begin(), engines.end(),
                                   [](const worker::EngineState& engine) { return !engine.folder.empty(); });
    session.terminal.text(table.render(session.terminal.width()) +
                          (none ? "\nThere is no engine yet. One is enough: apertune engine add NAME\n" : ""));
    return kDone;
}

Action declareEngineList(CLI::App&)
{
    return listEngines;
}

} // namespace

Verb engineListVerb()
{
    return {.path = {"engine", "list"},
            .group = Group::manage,
            .summary = "List inference engines, and where each one is",
            .examples = R"(  apertune engine list
  apertune engine list --json)",
            .takes = Takes::json,
            .documents = {{"apertune.engines/1",
                           "`engines` (`name`, `title`, `available`, `version` of its package, `folder` that has it, "
                           "`added` by `apertune engine add`, `bytes` of what was added, `requirements` as pip names "
                           "them, `reason` and `remedy` when it is not available)"}},
            .declare = declareEngineList};
}

} // namespace apertune::cli
