// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rank_comparison.h"

#include "app/cli/lookup.h"
#include "core/analysis/device_use.h"
#include "core/analysis/iterations.h"

#include <map>
#include <memory>

namespace apertune::cli {

namespace {

/// A trace with what its comparison needs. It stays where it is, because the index refers to the trace.
struct Loaded
{
    explicit Loaded(trace::TracePtr of) : trace(std::move(of)), index(*trace), forest(index) {}

    analysis::Interval step() const
    {
        const analysis::Iterations iterations = analysis::findIterations(index, forest);
        if (iterations.marked())
            return iterations.window();
        analysis::Interval span{INT64_MAX, INT64_MIN};
        for (const analysis::Work& w : index.work) {
            span.start = std::min(span.start, w.time.start);
            span.end = std::max(span.end, w.time.end);
        }
        return span.end > span.start ? span : analysis::Interval{};
    }

    trace::TracePtr trace;
    analysis::TraceIndex index;
    analysis::OperatorForest forest;
};

} // namespace

base::Result<std::vector<store::TraceSummary>> ranksOfNewestJob(const store::Store& store)
{
    const auto traces = store.traces();
    if (!traces)
        return traces.error();
    std::map<std::int64_t, store::TraceSummary> newest; // by rank; the list begins with the newest
    std::int64_t world = 0;
    for (const store::TraceSummary& trace : *traces) {
        if (trace.rank < 0 || (world > 0 && trace.worldSize != world))
            continue;
        world = trace.worldSize;
        newest.emplace(trace.rank, trace);
    }
    if (newest.empty())
        return base::plainError(
            base::ErrorCode::notFound, "No trace of the workspace is of a rank of a distributed job.", {},
            "Import the folder with the job's traces: apertune trace import FOLDER. Ranks are known "
            "of traces that torch.profiler recorded in a process group.");
    std::vector<store::TraceSummary> chosen;
    for (auto& [rank, trace] : newest)
        chosen.push_back(std::move(trace));
    return chosen;
}

base::Result<ComparedRanks> compareRanks(const store::Store& store, const std::vector<store::TraceSummary>& traces)
{
    std::vector<std::unique_ptr<Loaded>> loaded;
    std::vector<analysis::RankTrace> ranks;
    std::map<std::int64_t, std::string> names;
    for (const store::TraceSummary& summary : traces) {
        auto trace = store.trace(summary.id);
        if (!trace)
            return trace.error();
        loaded.push_back(std::make_unique<Loaded>(std::move(*trace)));
        const auto position = static_cast<std::int64_t>(ranks.size());
        ranks.push_back({summary.rank >= 0 ? summary.rank : position, &loaded.back()->index, loaded.back()->step()});
        names.emplace(ranks.back().rank, toText(summary.id));
    }
    auto comparison = analysis::compareRanks(std::move(ranks));
    if (!comparison)
        return comparison.error();
    ComparedRanks result{std::move(*comparison), {}};
    for (const auto& [rank, name] : names)
        result.traces.push_back(name);
    return result;
}

} // namespace apertune::cli
