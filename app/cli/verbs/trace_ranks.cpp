// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/rank_comparison.h"
#include "app/cli/verb.h"
#include "app/cli/with_store.h"
#include "core/report/rank_sections.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

namespace {

struct TraceRanks
{
    std::vector<std::string> traces;
};

int run(const TraceRanks& options, Session& session)
{
    return withStore(session, [&](const store::Store& store) -> int {
        std::vector<store::TraceSummary> chosen;
        for (const std::string& text : options.traces) {
            const auto summary = findTrace(store, text);
            if (!summary)
                return session.terminal.fail(summary.error());
            chosen.push_back(*summary);
        }
        if (chosen.empty()) {
            const auto newest = ranksOfNewestJob(store);
            if (!newest)
                return session.terminal.fail(newest.error());
            chosen = *newest;
        }
        const auto compared = compareRanks(store, chosen);
        if (!compared)
            return session.terminal.fail(compared.error());
        if (compared->numbered)
            session.terminal.note("The traces do not say their ranks: they are numbered from 0 in the order named.");
        session.terminal.document(report::ranksDocument(compared->comparison, compared->traces));
        session.terminal.text(report::ranksText(compared->comparison, compared->traces, session.terminal.width()));
        return kDone;
    });
}

Action declareTraceRanks(CLI::App& app)
{
    auto options = std::make_shared<TraceRanks>();
    app.add_option("TRACE", options->traces,
                   "Traces of the ranks (default: the newest of each rank of the newest job)");
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb traceRanksVerb()
{
    return {.path = {"trace", "ranks"},
            .group = Group::explain,
            .summary = "Compare the ranks of a distributed job: who waits for whom",
            .examples = R"(  apertune trace import run/                   a folder with one trace of each rank
  apertune trace ranks                         the newest job
  apertune trace ranks tr3 tr4 --json)",
            .takes = Takes::workspace,
            .documents = {{"apertune.ranks/1",
                           "`ranks` (`rank`, `trace`, `clock_offset_ms` against the first rank's clock, `step_ms`, "
                           "`late_start_ms`, "
                           "`computing_ms`, `waiting_ms`: in collectives, for ranks that arrived later, "
                           "`transferring_ms` (both unions of the rank's collectives), `last_at`: number of "
                           "collectives at which it arrived last, "
                           "`delaying_ms`: the sum of the others' waiting for it), `collectives` (`kind`, `start_ms` "
                           "on the first rank's clock, `last_rank`, "
                           "`waiting_ms` and `transferring_ms` of each rank), `clock_error_ms`, `ends_agree`, "
                           "`missing_ranks`, `waiting_ms` (of all ranks), `late_starts_ms` (the part of it for steps "
                           "that began late), `straggler` (a rank) or null"}},
            .declare = declareTraceRanks};
}

} // namespace apertune::cli
