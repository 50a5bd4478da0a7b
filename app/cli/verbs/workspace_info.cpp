// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/text.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace apertune::cli {

namespace {

int showWorkspace(Session& session)
{
    return withStore(session, [&session](const store::Store& store) -> int {
        const auto models = store.models();
        const auto studies = store.studies();
        const auto traces = store.traces();
        for (const base::Error* failure : {models ? nullptr : &models.error(), studies ? nullptr : &studies.error(),
                                           traces ? nullptr : &traces.error()})
            if (failure)
                return session.terminal.fail(*failure);
        std::int64_t trials = 0;
        for (const store::StudySummary& study : *studies)
            trials += study.trials;
        std::int64_t traceBytes = 0;
        for (const store::TraceSummary& trace : *traces)
            traceBytes += trace.stored.count;
        std::error_code ignored;
        const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(store.file(), ignored));
        session.terminal.document({{"schema", "apertune.workspace/1"},
                                   {"workspace", store.file().string()},
                                   {"bytes", bytes},
                                   {"models", models->size()},
                                   {"studies", studies->size()},
                                   {"trials", trials},
                                   {"traces", traces->size()},
                                   {"trace_bytes", traceBytes}});
        text::TextTable table({{""}, {"", text::Align::right}});
        table.addRow({"Models", std::to_string(models->size())});
        table.addRow({"Studies", std::to_string(studies->size())});
        table.addRow({"Trials", std::to_string(trials)});
        table.addRow({"Traces", std::to_string(traces->size()) + ", " + base::formatBytes({traceBytes})});
        table.addRow({"File", base::formatBytes({bytes})});
        session.terminal.text(store.file().string() + "\n\n" + table.render(session.terminal.width()));
        return kDone;
    });
}

Action declareWorkspaceInfo(CLI::App&)
{
    return showWorkspace;
}

} // namespace

Verb workspaceInfoVerb()
{
    return {.path = {"workspace", "info"},
            .group = Group::manage,
            .summary = "Show the size and content of the workspace",
            .examples = R"(  apertune workspace info
  apertune workspace info --store lab.apertune --json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.workspace/1",
                           "`workspace`, `bytes`, `models`, `studies`, `trials`, `traces`, `trace_bytes`"}},
            .declare = declareWorkspaceInfo};
}

} // namespace apertune::cli
