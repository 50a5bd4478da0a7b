// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/percentiles.h"

#include "core/base/text.h"
#include "core/models/package_source.h"
#include "core/search/reasons.h"
#include "core/search/recommend.h"
#include "core/stats/block_stats.h"
#include "core/stats/summarize.h"
#include "core/study/confirmation.h"
#include "core/study/deadline.h"
#include "core/study/loaded_configuration.h"
#include "core/study/reasons.h"
#include "core/study/trial_request.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace apertune::study {

using model::Trial;

namespace {

/// Position of the best trial when unknown percentiles are ignored; nullopt when the best one's are known. A trial in
/// `timed` that is still unknown takes no part.
std::optional<std::size_t> nextToTime(const SweepContext& context, const std::set<std::size_t>& timed)
{
    // The question is which trial would win if all percentiles held: only that one is worth the time.
    model::Goal known = context.study.goal;
    known.maxLatency = model::medianBound(known);
    known.maxPercentiles.clear();
    return context.tracker.read([&](const std::vector<Trial>& trials) -> std::optional<std::size_t> {
        std::vector<Trial> left;
        std::vector<std::size_t> indices;
        for (std::size_t i = 0; i < trials.size(); ++i) {
            const auto keeps = search::keepsPercentiles(trials[i].measurement, context.study.goal);
            // A trial whose percentiles are known and too long is out. One that is unknown counts as good, unless it
            // was timed already.
            if (keeps.value_or(!timed.contains(i))) {
                left.push_back(trials[i]);
                indices.push_back(i);
            }
        }
        const auto best = search::recommend(left, known, context.noiseFloor, search::Candidates::measured);
        if (!best)
            return std::nullopt;
        const auto at = std::find_if(left.begin(), left.end(), [&](const Trial& t) { return t.id == best->trial; });
        if (search::keepsPercentiles(at->measurement, context.study.goal))
            return std::nullopt;
        return indices[static_cast<std::size_t>(at - left.begin())];
    });
}

/// Measures the trial until it has `needed` timed passes. Returns the reason when it has too few.
std::optional<base::Message> timePasses(const SweepContext& context, std::size_t index, std::size_t needed)
{
    const Trial trial = context.tracker.trial(index);
    const auto phase = [&](Phase step, const base::Message& figure) { context.tracker.phase(index, step, figure); };
    const auto configuration = requestOf(context.run, context.study, trial, phase, context.stop);
    if (!configuration)
        return configuration.error().message;
    auto opened = openConfiguration(context.run.launcher, *configuration, context.run.limits, context.stop, phase);
    if (!opened)
        return opened.error().reason.message;
    model::Measurement m = trial.measurement;
    // A pass of 0 ns would divide by zero.
    const double pass = std::max(1.0, m.latencyNs.value);
    const double inBlock = std::max(1.0, static_cast<double>(context.run.limits.minBlock.count) / pass);
    // One block more than computed, because a block may hold fewer passes than its time suggests.
    const auto blocks = static_cast<int>(std::ceil(static_cast<double>(needed) / inBlock)) + 1;
    phase(Phase::measure, {});
    auto measured = measureConfiguration(*opened->worker, {blocks, blocks, {}, kPercentileTime, 0, 1},
                                         context.run.limits, context.stop, phase);
    if (!measured)
        return measured.error().reason.message;
    Blocks& taken = *measured;
    const std::size_t known = taken.iterations.size();
    // A measurement with fewer passes than the stored one would lose percentiles that are known.
    if (known >= m.iterations.size()) {
        // Median and percentiles of a trial have to be from the same measurement.
        taken.conditions.keepFrom(m.conditions);
        m.blocks = std::move(taken.blocks);
        m.conditions = taken.conditions;
        m.iterations.clear();
        m.addPasses(taken.iterations);
        stats::summarize(m, trial.config.batch, context.target);
        context.tracker.replaceMeasurement(index, std::move(m));
    }
    // The trial keeps what it has, so the percentile stays unknown.
    if (known < needed)
        return base::message<reasons::kFewPasses>(known, needed);
    return std::nullopt;
}

/// The time for all percentiles together; nullopt: as long as it takes.
std::optional<base::Nanoseconds> timeForPercentiles(const SweepContext& context)
{
    const auto left = context.tracker.wholeBudgetLeft();
    const auto budget = context.tracker.budget();
    if (!left || !budget)
        return std::nullopt;
    // The sweep leaves little more than the time of the confirmation. Without its percentiles a trial cannot be
    // recommended, so they may exceed the budget by a tenth.
    constexpr int kShare = 10;
    return std::max(base::Nanoseconds{left->count - confirmationReserve(*budget, context.run.limits).count},
                    base::Nanoseconds{budget->count / kShare});
}

} // namespace

void settlePercentiles(const SweepContext& context)
{
    const auto& bounds = context.study.goal.maxPercentiles;
    if (bounds.empty())
        return;
    const int highest = bounds.rbegin()->first;
    const std::size_t needed = stats::samplesForPercentile(highest / 100.0);
    std::set<std::size_t> timed;
    const Deadline deadline(context.stop, timeForPercentiles(context));
    SweepContext bounded = context;
    bounded.stop = deadline.token();
    while (!bounded.stop.stop_requested() && timed.size() < static_cast<std::size_t>(kMostTimed)) {
        const auto index = nextToTime(context, timed);
        if (!index)
            return;
        // Each trial is timed once, or a model with long passes would be tried for ever.
        timed.insert(*index);
        const Trial trial = context.tracker.trial(*index);
        const std::string name = context.tracker.names().of(trial);
        context.tracker.message(base::message<reasons::kTimingPasses>(needed, name, highest));
        const auto why = timePasses(bounded, *index, needed);
        if (why && !context.stop.stop_requested())
            context.tracker.message(base::message<reasons::kPercentileUnknown>(
                name, deadline.expired() ? base::message<search::reasons::kBudgetSpent>() : *why));
    }
}

} // namespace apertune::study
