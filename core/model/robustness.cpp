// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/robustness.h"

#include "core/model/errors.h"
#include "core/model/interval_json.h"
#include "core/model/json_codec.h"

#include <nlohmann/json.hpp>

namespace apertune::model {

using base::Json;

namespace {

Interval intervalOf(const Json& json)
{
    const double value = json.at("value").get<double>();
    if (json.at("lo").is_null())
        return {value, value, value, 0};
    return {value, json.at("lo").get<double>(), json.at("hi").get<double>(), 0.95};
}

} // namespace

Json toJson(const Robustness& robustness)
{
    Json rows = Json::array();
    for (const Robustness::Row& row : robustness.rows)
        rows.push_back({{"config", toJson(row.config)},
                        {"trial", row.trial ? Json(row.trial.value) : Json(nullptr)},
                        {"alone_ns", intervalJson("value", row.alone)},
                        {"beside_ns", intervalJson("value", row.beside)},
                        {"slowdown", intervalJson("value", row.slowdown)},
                        {"gain", intervalJson("value", row.gain)}});
    return {{"neighbour_threads", robustness.competingThreads}, {"rows", std::move(rows)}};
}

base::Result<Robustness> robustnessFromJson(const Json& json)
{
    try {
        Robustness robustness{json.at("neighbour_threads").get<int>(), {}};
        for (const Json& entry : json.at("rows")) {
            auto config = configFromJson(entry.at("config"));
            if (!config)
                return config.error();
            const TrialId trial{entry.at("trial").is_null() ? 0 : entry.at("trial").get<std::int64_t>()};
            robustness.rows.push_back({std::move(*config), trial, intervalOf(entry.at("alone_ns")),
                                       intervalOf(entry.at("beside_ns")), intervalOf(entry.at("slowdown")),
                                       intervalOf(entry.at("gain"))});
        }
        return robustness;
    } catch (const Json::exception& error) {
        return base::Error{base::ErrorCode::corrupt, base::message<errors::kUnreadableEvaluation>(), error.what(),
                           base::message<errors::kEvaluateAgain>()};
    }
}

} // namespace apertune::model
