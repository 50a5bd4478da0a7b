// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/evaluation.h"

#include "core/model/errors.h"

#include <nlohmann/json.hpp>

namespace apertune::model {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

Json shareToJson(const Interval& share)
{
    // A share without an interval has no bounds in the document, so that none can be mistaken for one.
    if (share.confidence <= 0)
        return {{"value", share.value}};
    return {{"value", share.value}, {"lo", share.lo}, {"hi", share.hi}};
}

Interval shareFromJson(const Json& json)
{
    const double value = json.at("value").get<double>();
    if (!json.contains("lo"))
        return {value, value, value, 0};
    // The document does not state the confidence, because all intervals of evaluations have this one.
    return {value, json.at("lo").get<double>(), json.at("hi").get<double>(), 0.95};
}

Error unreadable(const std::exception& error)
{
    return {ErrorCode::corrupt, base::message<errors::kUnreadableEvaluation>(), error.what(),
            base::message<errors::kEvaluateAgain>()};
}

} // namespace

std::string_view toString(EvaluationKind kind)
{
    switch (kind) {
    case EvaluationKind::accuracy:
        return "accuracy";
    case EvaluationKind::sensitivity:
        return "sensitivity";
    case EvaluationKind::robustness:
        break;
    }
    return "robustness";
}

Json toJson(const Accuracy& accuracy)
{
    Json metrics = Json::array();
    for (const Accuracy::Metric& metric : accuracy.metrics)
        metrics.push_back({{"name", metric.name},
                           {"measured", shareToJson(metric.measured)},
                           {"imported", shareToJson(metric.imported)},
                           {"change", shareToJson(metric.change)}});
    return {{"pictures", accuracy.images},
            {"samples", accuracy.samples},
            {"skipped", accuracy.skipped},
            {"metrics", metrics}};
}

base::Result<Accuracy> accuracyFromJson(const Json& json)
{
    try {
        Accuracy accuracy{json.at("pictures").get<std::string>(),
                          json.at("samples").get<std::int64_t>(),
                          json.at("skipped").get<std::int64_t>(),
                          {}};
        for (const Json& metric : json.at("metrics"))
            accuracy.metrics.push_back({metric.at("name").get<std::string>(), shareFromJson(metric.at("measured")),
                                        shareFromJson(metric.at("imported")), shareFromJson(metric.at("change"))});
        return accuracy;
    } catch (const Json::exception& error) {
        return unreadable(error);
    }
}

Json toJson(const Sensitivity& sensitivity)
{
    Json layers = Json::array();
    for (const Sensitivity::Layer& layer : sensitivity.layers)
        layers.push_back(
            {{"name", layer.name}, {"kind", layer.kind}, {"only", layer.only}, {"without", layer.without}});
    return {{"calibration", sensitivity.calibration},
            {"samples", sensitivity.samples},
            {"all", sensitivity.all},
            {"layers", layers}};
}

base::Result<Sensitivity> sensitivityFromJson(const Json& json)
{
    try {
        Sensitivity sensitivity{json.at("calibration").get<std::string>(),
                                json.at("samples").get<std::int64_t>(),
                                json.at("all").get<double>(),
                                {}};
        for (const Json& layer : json.at("layers"))
            sensitivity.layers.push_back({layer.at("name").get<std::string>(), layer.at("kind").get<std::string>(),
                                          layer.at("only").get<double>(), layer.at("without").get<double>()});
        return sensitivity;
    } catch (const Json::exception& error) {
        return unreadable(error);
    }
}

} // namespace apertune::model
