// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/summary.h"

#include "core/stats/block_stats.h"

#include <algorithm>
#include <cmath>

namespace apertune::pipeline {

using base::Nanoseconds;

namespace {

bool ofBatch(Stage stage)
{
    return serverOf(stage) == Server::device;
}

double count(Nanoseconds time)
{
    return static_cast<double>(time.count);
}

/// The images that count: those of passes that began after the pipeline was full. At least about three quarters are
/// kept.
std::span<const Trip> steady(const Plan& plan, std::span<const Trip> trips)
{
    const std::size_t batch = static_cast<std::size_t>(std::max(1, trips.front().inPass));
    std::size_t skip = static_cast<std::size_t>(plan.slots(static_cast<int>(batch))) + batch;
    skip = std::min(skip, trips.size() / 4);
    while (skip > 0 && skip < trips.size() && trips[skip].pass == trips[skip - 1].pass)
        ++skip; // a pass counts as a whole or not at all
    return trips.subspan(skip < trips.size() ? skip : 0);
}

/// Images per second with an interval from groups of neighbouring images, because queues make neighbours alike.
model::Interval rate(std::span<const Trip> trips, Nanoseconds begin)
{
    constexpr std::size_t kGroups = 20;
    std::vector<double> rates;
    const std::size_t groups = std::min(kGroups, trips.size());
    Nanoseconds from = begin;
    for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t first = trips.size() * g / groups;
        const std::size_t last = trips.size() * (g + 1) / groups;
        const Nanoseconds to = trips[last - 1].end();
        if (to > from)
            rates.push_back(static_cast<double>(last - first) / (to - from).seconds());
        from = to;
    }
    if (rates.empty())
        return {};
    model::Interval interval = stats::medianInterval(rates);
    const double all = static_cast<double>(trips.size()) / (trips.back().end() - begin).seconds();
    interval.value = all;
    interval.lo = std::min(interval.lo, all);
    interval.hi = std::max(interval.hi, all);
    return interval;
}

} // namespace

double Summary::workNs() const
{
    double sum = 0;
    for (const StageFigure& stage : stages)
        sum += stage.perImageNs.value;
    return sum;
}

Summary summarize(const Plan& plan, std::span<const Trip> all)
{
    const std::span<const Trip> trips = steady(plan, all);
    const auto n = static_cast<double>(trips.size());
    Summary summary;
    summary.images = static_cast<std::int64_t>(trips.size());
    summary.filling = static_cast<std::int64_t>(all.size() - trips.size());
    // Rates count from the last answer that was left out; without one, from the due time of the first image.
    const bool filled = summary.filling > 0;
    Nanoseconds begin = filled ? all[all.size() - trips.size() - 1].end() : trips.front().due;
    const Nanoseconds end = trips.back().end();
    if (end <= begin)
        begin = trips.front().due;
    summary.span = end - begin;
    summary.perSecond = rate(trips, begin);

    std::vector<double> latencies;
    for (const Trip& trip : trips) {
        latencies.push_back(count(trip.latency()));
        summary.meanLatencyNs += count(trip.latency()) / n;
        summary.waits.beginNs += count(trip.waitedToBegin()) / n;
        summary.waits.batchNs += count(trip.waitedForBatch()) / n;
        summary.waits.answerNs += count(trip.waitedToAnswer()) / n;
        summary.unaccountedNs += count(trip.unaccounted()) / n;
        if (trip.latency().count > 0)
            summary.mostUnaccounted =
                std::max(summary.mostUnaccounted, std::abs(count(trip.unaccounted())) / count(trip.latency()));
    }
    summary.latencyNs = stats::medianInterval(latencies);
    summary.p90Ns = stats::percentile(latencies, 0.9);
    summary.p99Ns = stats::percentile(latencies, 0.99);

    std::array<double, kStageCount> stageWork{};
    std::int64_t pass = -1;
    for (const Stage stage : kStages) {
        std::vector<double> times;
        double sum = 0;
        pass = -1;
        for (const Trip& trip : trips) {
            const double length = count(trip[stage].length());
            sum += length / n;
            if (!ofBatch(stage)) {
                times.push_back(length);
                stageWork[static_cast<std::size_t>(stage)] += length;
                // The images of a pass share the stages of their batch, so each pass counts once.
            } else if (trip.pass != pass) {
                times.push_back(length / trip.inPass);
                stageWork[static_cast<std::size_t>(stage)] += length;
                summary.passes += stage == Stage::infer ? 1 : 0;
            }
            pass = trip.pass;
        }
        StageFigure& figure = summary.stages[static_cast<std::size_t>(stage)];
        figure.perImageNs = stats::medianInterval(times);
        figure.meanNs = sum;
        const auto server = static_cast<std::size_t>(serverOf(stage));
        const double threads = serverOf(stage) == Server::host ? plan.decodeThreads : 1;
        figure.busy = stageWork[static_cast<std::size_t>(stage)] / threads / count(summary.span);
        summary.busy[server] += figure.busy;
    }
    summary.meanBatch = n / static_cast<double>(std::max<std::int64_t>(1, summary.passes));
    const auto busiest =
        static_cast<Server>(std::max_element(summary.busy.begin(), summary.busy.end()) - summary.busy.begin());
    double longest = -1;
    for (const Stage stage : kStages)
        if (serverOf(stage) == busiest && stageWork[static_cast<std::size_t>(stage)] > longest) {
            longest = stageWork[static_cast<std::size_t>(stage)];
            summary.bound = stage;
        }
    summary.starved = summary.busy[static_cast<std::size_t>(busiest)] < kBusy;
    return summary;
}

} // namespace apertune::pipeline
