// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/base/text.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

int listTraces(Session& session)
{
    return withStore(session, [&session](const store::Store& store) -> int {
        const auto traces = store.traces();
        if (!traces)
            return session.terminal.fail(traces.error());
        Json list = Json::array();
        text::TextTable table({{"Trace"},
                               {"Name", text::Align::left, true},
                               {"Rank", text::Align::right, false, 5},
                               {"Trial"},
                               {"Source", text::Align::left, false, 3},
                               {"Events", text::Align::right},
                               {"Length", text::Align::right, false, 1},
                               {"Size", text::Align::right, false, 4},
                               {"Losses", text::Align::right},
                               {"Created", text::Align::left, false, 2}});
        for (const store::TraceSummary& t : *traces) {
            list.push_back({{"trace", toText(t.id)},
                            {"trial", t.trial ? Json(text::toText(*t.trial)) : Json(nullptr)},
                            {"name", t.name},
                            {"source", t.source},
                            {"recorder", t.recorderVersion},
                            {"created", t.createdUtc},
                            {"events", t.events},
                            {"duration_ms", (t.end - t.begin).milliseconds()},
                            {"bytes", t.stored.count},
                            {"losses", t.losses},
                            {"rank", t.rank >= 0 ? Json(t.rank) : Json(nullptr)},
                            {"world_size", t.worldSize > 0 ? Json(t.worldSize) : Json(nullptr)},
                            {"complete", t.complete}});
            table.addRow({toText(t.id), t.name, t.rank >= 0 ? std::to_string(t.rank) : "–",
                          t.trial ? text::toText(*t.trial) : "–", t.source, std::to_string(t.events),
                          base::formatDuration(t.end - t.begin), base::formatBytes(t.stored),
                          t.losses > 0 ? std::to_string(t.losses) : "–", t.createdUtc});
        }
        session.terminal.document(
            {{"schema", "apertune.traces/1"}, {"workspace", store.file().string()}, {"traces", list}});
        session.terminal.text(traces->empty() ? "No traces yet. Record one: apertune trace record best"
                                              : table.render(session.terminal.width()));
        return kDone;
    });
}

Action declareTraceList(CLI::App&)
{
    return listTraces;
}

} // namespace

Verb traceListVerb()
{
    return {.path = {"trace", "list"},
            .group = Group::explain,
            .summary = "List the traces of the workspace",
            .examples = R"(  apertune trace list
  apertune trace list --json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.traces/1",
                           "`workspace`, `traces` (`trace`, `trial` or null, `name`, `source`, `recorder`, "
                           "`created`, `events`, `duration_ms`, `bytes`, `losses`, `rank` and `world_size` of a "
                           "distributed job or null, `complete`)"}},
            .declare = declareTraceList};
}

} // namespace apertune::cli
