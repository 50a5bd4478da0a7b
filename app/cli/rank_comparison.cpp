// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/rank_comparison.h"

#include "app/cli/lookup.h"
#include "core/analysis/indexed_trace.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

namespace apertune::cli {

namespace {

/// A trace with what its comparison needs.
struct Loaded
{
    explicit Loaded(trace::TracePtr of) : trace(std::move(of)), indexed(*trace) {}

    trace::TracePtr trace;
    analysis::IndexedTrace indexed;
};

/// The part of each trace to compare. An iteration that is warm-up at one rank is left out at all of them, because
/// ranks of different steps cannot be joined.
std::vector<trace::TimeRange> stepsOf(const std::vector<std::unique_ptr<Loaded>>& traces)
{
    std::size_t warmUp = 0;
    bool marked = true;
    for (const auto& trace : traces) {
        warmUp = std::max(warmUp, trace->indexed.iterations.steady);
        marked = marked && trace->indexed.iterations.marked() &&
                 trace->indexed.iterations.all.size() == traces.front()->indexed.iterations.all.size();
    }
    std::vector<trace::TimeRange> steps;
    for (const auto& trace : traces)
        steps.push_back(marked ? trace::TimeRange{trace->indexed.iterations.all[warmUp].start,
                                                  trace->indexed.iterations.all.back().end}
                               : trace->indexed.index.workSpan());
    return steps;
}

/// True when two recordings may be of one job: those of its ranks begin within minutes, whatever their clocks.
bool mayBeOfOneJob(const store::TraceSummary& a, const store::TraceSummary& b)
{
    constexpr std::int64_t kApart = 300'000'000'000;
    return a.worldSize == b.worldSize && std::abs(a.originEpoch - b.originEpoch) <= kApart;
}

} // namespace

base::Result<std::vector<store::TraceSummary>> ranksOfNewestJob(const store::Store& store)
{
    const auto traces = store.traces();
    if (!traces)
        return traces.error();
    // The list begins with the newest. The first job with two ranks or more is taken.
    for (auto first = traces->begin(); first != traces->end(); ++first) {
        if (first->rank < 0)
            continue;
        std::map<std::int64_t, store::TraceSummary> ranks;
        for (auto trace = first; trace != traces->end(); ++trace)
            if (trace->rank >= 0 && mayBeOfOneJob(*first, *trace))
                ranks.emplace(trace->rank, *trace);
        if (ranks.size() < 2)
            continue;
        std::vector<store::TraceSummary> chosen;
        for (auto& [rank, trace] : ranks)
            chosen.push_back(std::move(trace));
        return chosen;
    }
    return base::plainError(base::ErrorCode::notFound,
                            "The workspace has no traces of two ranks of one distributed job.", {},
                            "Import the folder with the job's traces: apertune trace import FOLDER. Ranks are known "
                            "of traces that torch.profiler recorded in a process group.");
}

base::Result<ComparedRanks> compareRanks(const store::Store& store, const std::vector<store::TraceSummary>& traces)
{
    const auto unknown = std::count_if(traces.begin(), traces.end(), [](const auto& t) { return t.rank < 0; });
    if (const auto first = std::find_if(traces.begin(), traces.end(), [](const auto& t) { return t.rank < 0; });
        unknown > 0 && unknown < std::ssize(traces))
        return base::plainError(base::ErrorCode::invalidArgument, toText(first->id) + " does not say its rank.", {},
                                "Leave it out.");
    std::vector<std::unique_ptr<Loaded>> loaded;
    for (const store::TraceSummary& summary : traces) {
        auto trace = store.trace(summary.id);
        if (!trace)
            return trace.error();
        loaded.push_back(std::make_unique<Loaded>(std::move(*trace)));
    }
    const std::vector<trace::TimeRange> steps = stepsOf(loaded);
    std::vector<analysis::RankTrace> ranks;
    std::map<std::int64_t, std::string> names;
    for (std::size_t i = 0; i < traces.size(); ++i) {
        const std::int64_t rank = unknown > 0 ? static_cast<std::int64_t>(i) : traces[i].rank;
        ranks.push_back({rank, &loaded[i]->indexed.index, steps[i], traces[i].worldSize});
        names.emplace(rank, toText(traces[i].id));
    }
    auto comparison = analysis::compareRanks(std::move(ranks));
    if (!comparison)
        return comparison.error();
    ComparedRanks result{std::move(*comparison), {}, unknown > 0};
    for (const auto& [rank, name] : names)
        result.traces.push_back(name);
    return result;
}

} // namespace apertune::cli
