// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/serving.h"

#include "core/base/text.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace apertune::exports {

using base::Json;

namespace {

constexpr int kQueuedBatches = 8; ///< full batches that may wait
constexpr int kLeastQueue = 32;

std::optional<ServedLoad> servedLoad(const store::Scenario& run)
{
    const Json document = Json::parse(run.document, nullptr, false);
    if (!document.is_object())
        return std::nullopt;
    auto scenario = workload::scenarioFromJson(document.value("scenario", Json()));
    if (!scenario || scenario->kind != workload::ScenarioKind::server)
        return std::nullopt;
    try {
        const Json& summary = document.at("summary");
        // A load without a bound has none to break.
        if (const Json& kept = summary.at("bound_kept"); kept.is_string() && kept != "yes")
            return std::nullopt;
        ServedLoad load{std::move(*scenario), summary.at("samples_per_s").at("value").get<double>(),
                        summary.at("latency_ms").at("value").get<double>(), run.createdUtc};
        return load.perSecond > 0 && load.latencyMs > 0 ? std::optional(std::move(load)) : std::nullopt;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

std::string milliseconds(base::Nanoseconds time)
{
    return base::formatSignificant(time.milliseconds()) + " ms";
}

} // namespace

std::optional<ServedLoad> bestServedLoad(const std::vector<store::Scenario>& runs)
{
    std::optional<ServedLoad> best;
    for (const store::Scenario& run : runs)
        if (auto load = servedLoad(run); load && (!best || load->perSecond > best->perSecond))
            best = std::move(load);
    return best;
}

base::Result<std::optional<ServedLoad>> bestServedLoad(const store::Store& store, model::TrialId trial)
{
    const auto runs = store.scenarios(trial);
    if (!runs)
        return runs.error();
    return bestServedLoad(*runs);
}

std::string loadSentence(const ServedLoad& load)
{
    return "The load of " + load.when + " answered " + base::formatSignificant(load.perSecond) + " samples/s with a " +
           text::percentileName(load.scenario.percentile) + " of " + base::formatSignificant(load.latencyMs) + " ms";
}

ServingSettings servingSettings(const ServingChoice& choice, int batch, base::Nanoseconds pass)
{
    ServingSettings settings{{}, {}, std::max(kLeastQueue, kQueuedBatches * batch), choice.load};
    if (choice.batchWait) {
        settings.batchWait = *choice.batchWait;
        settings.origin = "It was given with --batch-wait.";
    } else if (batch == 1) {
        settings.origin = "The batch is 1, so that no request waits for another.";
    } else if (choice.load) {
        settings.batchWait = choice.load->scenario.maxWait;
        settings.origin = loadSentence(*choice.load) + " and this wait.";
    } else {
        settings.batchWait = base::Nanoseconds{pass.count / 2};
        settings.origin = "It is half of the measured pass of " + milliseconds(pass) +
                          ", because no load of the trial is stored: `apertune load` measures one.";
    }
    return settings;
}

} // namespace apertune::exports
