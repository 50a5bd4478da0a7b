// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/errors.h"
#include "core/pipeline/summary.h"

#include <nlohmann/json.hpp>

namespace apertune::pipeline {

using base::Json;

namespace {

constexpr double kMs = 1e-6;

Json interval(const model::Interval& i, double scale)
{
    return {{"value", i.value * scale}, {"lo", i.lo * scale}, {"hi", i.hi * scale}, {"confidence", i.confidence}};
}

model::Interval intervalFrom(const Json& json, double scale)
{
    return {json.at("value").get<double>() / scale, json.at("lo").get<double>() / scale,
            json.at("hi").get<double>() / scale, json.at("confidence").get<double>()};
}

Json optional(const std::optional<double>& value)
{
    return value ? Json(*value * kMs) : Json(nullptr);
}

std::optional<double> optionalFrom(const Json& json)
{
    return json.is_number() ? std::optional(json.get<double>() / kMs) : std::nullopt;
}

} // namespace

Json toJson(const Summary& s)
{
    Json stages = Json::array();
    for (const Stage stage : kStages)
        stages.push_back({{"stage", toString(stage)},
                          {"per_image_ms", interval(s[stage].perImageNs, kMs)},
                          {"mean_ms", s[stage].meanNs * kMs},
                          {"busy", s[stage].busy}});
    Json busy = Json::object();
    for (std::size_t i = 0; i < kServerCount; ++i)
        busy[std::string(toString(static_cast<Server>(i)))] = s.busy[i];
    return {{"images", s.images},
            {"passes", s.passes},
            {"filling", s.filling},
            {"span_s", s.span.seconds()},
            {"images_per_s", interval(s.perSecond, 1)},
            {"mean_batch", s.meanBatch},
            {"latency_ms", interval(s.latencyNs, kMs)},
            {"mean_latency_ms", s.meanLatencyNs * kMs},
            {"p90_ms", optional(s.p90Ns)},
            {"p99_ms", optional(s.p99Ns)},
            {"stages", std::move(stages)},
            {"waits_ms",
             {{"begin", s.waits.beginNs * kMs}, {"batch", s.waits.batchNs * kMs}, {"answer", s.waits.answerNs * kMs}}},
            {"unaccounted_ms", s.unaccountedNs * kMs},
            {"most_unaccounted", s.mostUnaccounted},
            {"busy", std::move(busy)},
            {"bound", toString(s.bound)},
            {"starved", s.starved}};
}

base::Result<Summary> summaryFromJson(const Json& json)
{
    try {
        Summary s;
        s.images = json.at("images").get<std::int64_t>();
        s.passes = json.at("passes").get<std::int64_t>();
        s.filling = json.at("filling").get<std::int64_t>();
        s.span = base::fromSeconds(json.at("span_s").get<double>());
        s.perSecond = intervalFrom(json.at("images_per_s"), 1);
        s.meanBatch = json.at("mean_batch").get<double>();
        s.latencyNs = intervalFrom(json.at("latency_ms"), kMs);
        s.meanLatencyNs = json.at("mean_latency_ms").get<double>() / kMs;
        s.p90Ns = optionalFrom(json.at("p90_ms"));
        s.p99Ns = optionalFrom(json.at("p99_ms"));
        for (const Json& stage : json.at("stages"))
            if (const auto which = stageFromString(stage.at("stage").get<std::string>()))
                s.stages[static_cast<std::size_t>(*which)] = {intervalFrom(stage.at("per_image_ms"), kMs),
                                                              stage.at("mean_ms").get<double>() / kMs,
                                                              stage.at("busy").get<double>()};
        const Json& waits = json.at("waits_ms");
        s.waits = {waits.at("begin").get<double>() / kMs, waits.at("batch").get<double>() / kMs,
                   waits.at("answer").get<double>() / kMs};
        s.unaccountedNs = json.at("unaccounted_ms").get<double>() / kMs;
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
        return base::Error{base::ErrorCode::corrupt, base::message<errors::kUnreadableSummary>(), e.what(),
                           base::message<errors::kRunPipelineAgain>()};
    }
}

} // namespace apertune::pipeline
