// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/stages/pipeline_summary.h"

#include "core/base/units.h"
#include "core/model/interval_json.h"
#include "core/stats/block_stats.h"
#include "core/workload/stages/errors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apertune::workload {

using base::Json;
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
std::span<const PipelineItem> steady(const PipelinePlan& plan, std::span<const PipelineItem> items)
{
    const std::size_t batch = static_cast<std::size_t>(std::max(1, items.front().inPass));
    std::size_t skip = static_cast<std::size_t>(plan.slots(static_cast<int>(batch))) + batch;
    skip = std::min(skip, items.size() / 4);
    while (skip > 0 && skip < items.size() && items[skip].pass == items[skip - 1].pass)
        ++skip; // a pass counts as a whole or not at all
    return items.subspan(skip < items.size() ? skip : 0);
}

/// Images per second with an interval from groups of neighbouring images, because queues make neighbours alike.
model::Interval rate(std::span<const PipelineItem> items, Nanoseconds begin)
{
    constexpr std::size_t kGroups = 20;
    std::vector<double> rates;
    const std::size_t groups = std::min(kGroups, items.size());
    Nanoseconds from = begin;
    for (std::size_t g = 0; g < groups; ++g) {
        // Integer division spreads the remainder over the groups, so their sizes differ by one image at most.
        const std::size_t first = items.size() * g / groups;
        const std::size_t last = items.size() * (g + 1) / groups;
        const Nanoseconds to = items[last - 1].end();
        // Several images answered in one pass may end at the same time.
        if (to > from)
            rates.push_back(static_cast<double>(last - first) / (to - from).seconds());
        from = to;
    }
    if (rates.empty())
        return {};
    model::Interval interval = stats::medianInterval(rates);
    const double all = static_cast<double>(items.size()) / (items.back().end() - begin).seconds();
    // The median of the groups would hide pauses. The rate over the whole run is what a user gets.
    interval.value = all;
    // The interval of the median need not contain the overall rate, so it is widened to it.
    interval.lo = std::min(interval.lo, all);
    interval.hi = std::max(interval.hi, all);
    return interval;
}

model::Interval intervalFrom(const Json& json, double scale)
{
    return {json.at("value").get<double>() / scale, json.at("lo").get<double>() / scale,
            json.at("hi").get<double>() / scale, json.at("confidence").get<double>()};
}

std::optional<double> optionalFrom(const Json& json)
{
    return json.is_number() ? std::optional(json.get<double>() / base::kMsPerNs) : std::nullopt;
}

} // namespace

double PipelineSummary::workNs() const
{
    double sum = 0;
    for (const StageFigure& stage : stages)
        sum += stage.perImageNs.value;
    return sum;
}

PipelineSummary summarize(const PipelinePlan& plan, std::span<const PipelineItem> all)
{
    const std::span<const PipelineItem> items = steady(plan, all);
    const auto n = static_cast<double>(items.size());
    PipelineSummary summary;
    summary.images = static_cast<std::int64_t>(items.size());
    summary.filling = static_cast<std::int64_t>(all.size() - items.size());
    // Rates count from the last answer that was left out; without one, from the due time of the first image.
    const bool filled = summary.filling > 0;
    Nanoseconds begin = filled ? all[all.size() - items.size() - 1].end() : items.front().due;
    const Nanoseconds end = items.back().end();
    // All images may have been answered in one pass, which leaves no span between the first and the last answer.
    if (end <= begin)
        begin = items.front().due;
    summary.span = end - begin;
    summary.perSecond = rate(items, begin);

    std::vector<double> latencies;
    for (const PipelineItem& item : items) {
        latencies.push_back(count(item.latency()));
        summary.meanLatencyNs += count(item.latency()) / n;
        summary.waits.beginNs += count(item.waitedToBegin()) / n;
        summary.waits.batchNs += count(item.waitedForBatch()) / n;
        summary.waits.answerNs += count(item.waitedToAnswer()) / n;
        summary.unaccountedNs += count(item.unaccounted()) / n;
        if (item.latency().count > 0)
            summary.mostUnaccounted =
                std::max(summary.mostUnaccounted, std::abs(count(item.unaccounted())) / count(item.latency()));
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
        for (const PipelineItem& item : items) {
            const double length = count(item[stage].length());
            sum += length / n;
            if (!ofBatch(stage)) {
                times.push_back(length);
                stageWork[static_cast<std::size_t>(stage)] += length;
                // The images of a pass share the stages of their batch, so each pass counts once.
            } else if (item.pass != pass) {
                times.push_back(length / item.inPass);
                stageWork[static_cast<std::size_t>(stage)] += length;
                summary.passes += stage == Stage::infer ? 1 : 0;
            }
            pass = item.pass;
        }
        StageFigure& figure = summary.stages[static_cast<std::size_t>(stage)];
        figure.perImageNs = stats::medianInterval(times);
        figure.meanNs = sum;
        // Divided by the batch size, so that figures of different batches can be compared for one image.
        const auto server = static_cast<std::size_t>(serverOf(stage));
        // Threads of the host work side by side, so each second has that many seconds of work.
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
    summary.starved = summary.busy[static_cast<std::size_t>(busiest)] < kBusyShare;
    return summary;
}

Json toJson(const PipelineSummary& s)
{
    Json stages = Json::array();
    for (const Stage stage : kStages)
        stages.push_back({{"stage", toString(stage)},
                          {"per_image_ms", model::fullIntervalJson(s[stage].perImageNs, base::kMsPerNs)},
                          {"mean_ms", s[stage].meanNs * base::kMsPerNs},
                          {"busy", s[stage].busy}});
    Json busy = Json::object();
    for (std::size_t i = 0; i < kServerCount; ++i)
        busy[std::string(toString(static_cast<Server>(i)))] = s.busy[i];
    return {{"images", s.images},
            {"passes", s.passes},
            {"filling", s.filling},
            {"span_s", s.span.seconds()},
            {"images_per_s", model::fullIntervalJson(s.perSecond, 1)},
            {"mean_batch", s.meanBatch},
            {"latency_ms", model::fullIntervalJson(s.latencyNs, base::kMsPerNs)},
            {"mean_latency_ms", s.meanLatencyNs * base::kMsPerNs},
            {"p90_ms", model::millisecondsJson(s.p90Ns)},
            {"p99_ms", model::millisecondsJson(s.p99Ns)},
            {"stages", std::move(stages)},
            {"waits_ms",
             {{"begin", s.waits.beginNs * base::kMsPerNs},
              {"batch", s.waits.batchNs * base::kMsPerNs},
              {"answer", s.waits.answerNs * base::kMsPerNs}}},
            {"unaccounted_ms", s.unaccountedNs * base::kMsPerNs},
            {"most_unaccounted", s.mostUnaccounted},
            {"busy", std::move(busy)},
            {"bound", toString(s.bound)},
            {"starved", s.starved}};
}

base::Result<PipelineSummary> pipelineSummaryFromJson(const Json& json)
{
    try {
        PipelineSummary s;
        s.images = json.at("images").get<std::int64_t>();
        s.passes = json.at("passes").get<std::int64_t>();
        s.filling = json.at("filling").get<std::int64_t>();
        s.span = base::fromSeconds(json.at("span_s").get<double>());
        s.perSecond = intervalFrom(json.at("images_per_s"), 1);
        s.meanBatch = json.at("mean_batch").get<double>();
        s.latencyNs = intervalFrom(json.at("latency_ms"), base::kMsPerNs);
        s.meanLatencyNs = json.at("mean_latency_ms").get<double>() / base::kMsPerNs;
        s.p90Ns = optionalFrom(json.at("p90_ms"));
        s.p99Ns = optionalFrom(json.at("p99_ms"));
        for (const Json& stage : json.at("stages"))
            if (const auto which = stageFromString(stage.at("stage").get<std::string>()))
                s.stages[static_cast<std::size_t>(*which)] = {intervalFrom(stage.at("per_image_ms"), base::kMsPerNs),
                                                              stage.at("mean_ms").get<double>() / base::kMsPerNs,
                                                              stage.at("busy").get<double>()};
        const Json& waits = json.at("waits_ms");
        s.waits = {waits.at("begin").get<double>() / base::kMsPerNs, waits.at("batch").get<double>() / base::kMsPerNs,
                   waits.at("answer").get<double>() / base::kMsPerNs};
        s.unaccountedNs = json.at("unaccounted_ms").get<double>() / base::kMsPerNs;
        s.mostUnaccounted = json.at("most_unaccounted").get<double>();
        for (std::size_t i = 0; i < kServerCount; ++i)
            s.busy[i] = json.at("busy").at(std::string(toString(static_cast<Server>(i)))).get<double>();
        const auto bound = stageFromString(json.at("bound").get<std::string>());
        if (!bound)
            throw std::runtime_error("bound is no stage");
        s.bound = *bound;
        s.starved = json.at("starved").get<bool>();
        return s;
    } catch (const std::exception& e) {
        return base::Error{base::ErrorCode::corrupt, base::message<stage_errors::kUnreadableSummary>(), e.what(),
                           base::message<stage_errors::kRunPipelineAgain>()};
    }
}

} // namespace apertune::workload
