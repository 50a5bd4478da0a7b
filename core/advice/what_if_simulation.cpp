// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/what_if_simulation.h"

#include "core/analysis/occupancy.h"
#include "core/analysis/time_ranges.h"
#include "core/stats/block_stats.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace apertune::advice {

using analysis::kNone;
using analysis::TimeScale;
using trace::TimeRange;

analysis::Replayed Simulator::simulate(const Plan& plan) const
{
    std::vector<TimeScale::Part> host = plan.host;
    if (plan.whole != 1 && !m_facts.onDevice)
        host.push_back({m_facts.window, plan.whole});
    TimeScale scale(host);
    if (!m_facts.onDevice) {
        analysis::Replayed replayed;
        replayed.length = scale.length(m_facts.window);
        replayed.host = {{m_facts.window.start, m_facts.window.start}};
        replayed.scale = std::move(scale);
        return replayed;
    }
    analysis::ReplayChange change;
    change.work = [&plan](std::int32_t number) {
        const auto found = plan.work.find(number);
        return found == plan.work.end() ? analysis::WorkChange{} : found->second;
    };
    change.host = std::move(scale);
    change.streams = plan.streams;
    if (plan.streams > 1)
        change.fill = [this](std::int32_t number) {
            const analysis::Work& work = m_facts.index.work[static_cast<std::size_t>(number)];
            if (!work.isKernel())
                return 0.0;
            // Waves of blocks over the multiprocessors: less than one leaves room for work of another stream.
            const double waves =
                analysis::estimateOccupancy(m_facts.index.launch(work), m_facts.trace.device(m_facts.device)).waves;
            return waves > 0 ? std::min(1.0, waves) : 1.0;
        };
    return m_facts.replay->simulate(change);
}

/// Returns when each replayed iteration is done: the later of the next one's first call and the end of its work on the
/// device. A faster host launches iterations before the device has reached them, so calls alone do not show it.
std::vector<std::int64_t> Simulator::endsOfIterations(const analysis::Replayed& replayed) const
{
    const auto iterations = m_facts.replay->iterations();
    std::vector<std::int64_t> ends;
    for (std::size_t i = 0; i < iterations.size(); ++i)
        ends.push_back(i + 1 < iterations.size() ? replayed(iterations[i + 1].start) : span().start + replayed.length);
    for (const auto& [number, time] : replayed.work) {
        const std::int32_t call = m_facts.index.work[static_cast<std::size_t>(number)].call;
        if (call == kNone)
            continue;
        const std::int64_t launched = m_facts.index.calls[static_cast<std::size_t>(call)].time.start;
        const auto after = std::upper_bound(iterations.begin(), iterations.end(), launched,
                                            [](std::int64_t t, const TimeRange& i) { return t < i.start; });
        if (after == iterations.begin())
            continue;
        std::int64_t& end = ends[static_cast<std::size_t>(after - iterations.begin()) - 1];
        end = std::max(end, time.end);
    }
    for (std::size_t i = 1; i < ends.size(); ++i)
        ends[i] = std::max(ends[i], ends[i - 1]);
    return ends;
}

std::vector<double> Simulator::deviceRatios(const analysis::Replayed& changed) const
{
    const std::vector<std::int64_t> ends = endsOfIterations(changed), recorded = endsOfIterations(m_unchanged);
    const auto iterations = m_facts.replay->iterations();
    std::vector<double> all;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto before =
            static_cast<double>(recorded[i] - (i > 0 ? recorded[i - 1] : m_unchanged(iterations[0].start)));
        const auto after = static_cast<double>(ends[i] - (i > 0 ? ends[i - 1] : changed(iterations[0].start)));
        if (before > 0)
            all.push_back(after / before);
    }
    return all;
}

/// Returns the changed over the recorded time if the device worked without a pause: no change of the host goes below.
double Simulator::leastRatio(const analysis::Replayed& changed) const
{
    std::vector<TimeRange> busy;
    for (const auto& [number, time] : changed.work)
        busy.push_back(time);
    return static_cast<double>(analysis::totalLength(analysis::unite(std::move(busy)))) /
           static_cast<double>(std::max<std::int64_t>(1, m_unchanged.length));
}

std::vector<double> Simulator::ratios(const Plan& plan, const analysis::Replayed& changed) const
{
    if (m_facts.onDevice)
        return deviceRatios(changed);
    std::vector<double> all;
    for (const TimeRange& iteration : m_facts.steady) {
        double before = static_cast<double>(iteration.length());
        double after = static_cast<double>(changed.scale.length(iteration));
        if (m_planner.recording() > 0) {
            // Operators that go take their recording with them, which `before` must not count as a gain.
            double recorded = 0, left = 0;
            const auto [first, end] = m_facts.forest.busiestThread();
            for (std::int32_t i = first; i < end; ++i) {
                const TimeRange& time = m_facts.forest.nodes[static_cast<std::size_t>(i)].time;
                if (!iteration.contains(time.start))
                    continue;
                recorded += 1;
                // An operator that was removed is not recorded either.
                left += time.length() > 0 && changed.scale.length(time) == 0 ? 0 : 1;
            }
            before -= m_planner.recording() * recorded;
            after -= m_planner.recording() * left * plan.whole;
        }
        if (before > 0)
            all.push_back(std::max(0.0, after / before));
    }
    return all;
}

void Simulator::predict(const Plan& plan, ChangeEffect& effect) const
{
    const analysis::Replayed changed = simulate(plan);
    const std::vector<double> all = ratios(plan, changed);
    if (all.empty())
        return;
    model::Interval ratio = stats::medianInterval(all);
    // Fewer iterations than an interval needs say nothing about how much they vary.
    effect.bandKnown = ratio.confidence > 0;
    double value = ratio.value;
    if (m_facts.onDevice) {
        // The ends of iterations shift against each other on a device; their sum does not.
        const auto unchanged = static_cast<double>(m_unchanged.length);
        value = plan.whole * static_cast<double>(changed.length) / std::max(1.0, unchanged);
        const double least = leastRatio(changed);
        ratio.lo = plan.wholeLeast * std::max(ratio.lo, least);
        ratio.hi = plan.wholeMost * std::max(ratio.hi, least);
        double removed = 0;
        for (const auto& [number, time] : changed.work) {
            const analysis::Work& work = m_facts.index.work[static_cast<std::size_t>(number)];
            removed += static_cast<double>(work.time.length() - time.length());
        }
        // The removed time is only known where nothing else was changed.
        if (removed > 0 && plan.host.empty() && plan.streams == 1)
            effect.onCriticalPath = std::clamp((unchanged - static_cast<double>(changed.length)) / removed, 0.0, 1.0);
    } else {
        ratio.lo *= plan.wholeLeast / plan.whole;
        ratio.hi *= plan.wholeMost / plan.whole;
    }
    effect.saved = 1 - value;
    // Nothing saved has no error: the replay is compared with itself.
    const double error = std::abs(effect.saved) > 0 ? replayError() : 0;
    effect.band = {std::min(effect.saved, 1 - ratio.hi) - error, std::max(effect.saved, 1 - ratio.lo) + error};
    // What makes nothing slower costs nothing, and what makes nothing faster gains nothing.
    if (plan.isOnlyFaster())
        effect.band.lo = std::max(effect.band.lo, std::min(0.0, effect.saved));
    if (plan.isOnlySlower())
        effect.band.hi = std::min(effect.band.hi, std::max(0.0, effect.saved));
    effect.band.hi = std::min(effect.band.hi, 1.0);
}

} // namespace apertune::advice
