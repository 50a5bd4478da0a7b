// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/documents.h"

#include "core/base/json_optional.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/comparison/break_even.h"
#include "core/model/interval_json.h"
#include "core/model/json_codec.h"
#include "core/model/variant.h"
#include "core/report/recommendation.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/stats/detect.h"
#include "core/stats/energy.h"
#include "core/stats/summarize.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::report {

using base::Json;

namespace {

/// Returns a value in a metric's unit; null when there is none.
Json numberJson(metrics::Unit unit, const std::optional<double>& value)
{
    if (!value)
        return nullptr;
    return metrics::isWhole(unit) ? Json(static_cast<std::int64_t>(*value)) : Json(*value);
}

/// Returns the members of a trial's document that the table of metrics defines. An object without any number is null.
Json metricsJson(const model::Trial& trial)
{
    const bool measured = trial.state == model::TrialState::ok;
    // The members come from the table of metrics, so that a new metric is in the document.
    Json document = Json::object();
    for (const metrics::Metric& metric : metrics::all()) {
        if (metric.json.empty())
            continue;
        // "latency_ms/p99" is a member of an object.
        const auto slash = metric.json.find('/');
        Json& member = document[std::string(metric.json.substr(0, slash))];
        // A trial without a measurement has all members, as null.
        if (!measured)
            continue;
        const metrics::Reading reading = metric.read(trial.measurement, model::typeOfDevice(trial.device));
        if (slash == std::string_view::npos)
            member = numberJson(metric.unit, reading.value);
        else if (reading.interval)
            member.update(model::intervalJson(std::string(metric.json.substr(slash + 1)).c_str(), *reading.interval));
        else
            member[std::string(metric.json.substr(slash + 1))] = numberJson(metric.unit, reading.value);
    }
    // An object of nulls alone says no more than null.
    for (Json& member : document)
        if (member.is_object() && std::all_of(member.begin(), member.end(), [](const Json& v) { return v.is_null(); }))
            member = nullptr;
    return document;
}

Json modesJson(const model::Measurement& m)
{
    if (std::find(m.flags.begin(), m.flags.end(), model::TrialFlag::bimodal) == m.flags.end())
        return nullptr;
    const stats::Modes two = stats::modesOf(m);
    return {{"low_ms", two.low * base::kMsPerNs}, {"high_ms", two.high * base::kMsPerNs}, {"low_share", two.lowShare}};
}

Json goalJson(const model::Goal& goal)
{
    Json percentiles = Json::object();
    for (const auto& [percent, most] : goal.maxPercentiles)
        percentiles["p" + std::to_string(percent)] = most.milliseconds();
    return {{"objective", model::toString(goal.objective)},
            {"also", model::alsoNames(goal)},
            {"max_latency_ms", goal.maxLatency ? Json(goal.maxLatency->milliseconds()) : Json(nullptr)},
            {"max_percentiles_ms", std::move(percentiles)},
            {"max_memory_bytes", goal.maxMemory ? Json(goal.maxMemory->count) : Json(nullptr)},
            {"min_quality", goal.minQuality},
            {"max_rel_error", base::orNull(goal.maxRelError)},
            {"max_abs_error", base::orNull(goal.maxAbsError)},
            {"max_energy_mj", goal.maxEnergy ? Json(*goal.maxEnergy * text::kMillijoulesPerJoule) : Json(nullptr)},
            {"max_first_ms", goal.maxFirst ? Json(goal.maxFirst->milliseconds()) : Json(nullptr)}};
}

/// Returns a ratio; null when the samples do not support one.
Json ratioJson(const model::Interval& ratio)
{
    Json json = model::intervalJson("value", ratio);
    if (!(ratio.confidence > 0))
        json["value"] = nullptr;
    return json;
}

/// Returns the gain of a trial; null when it has nothing to refer to.
Json speedupJson(const model::Recommendation& recommended)
{
    if (!recommended.against)
        return nullptr;
    Json speedup = ratioJson(recommended.speedup);
    speedup["against"] = text::toText(recommended.against);
    speedup["verdict"] = stats::toString(recommended.verdict);
    return speedup;
}

/// Returns the candidates of a study without a recommendation; null where there are none.
Json shortlistJson(const model::StudySnapshot& snapshot)
{
    if (snapshot.shortlist.empty())
        return nullptr;
    Json candidates = Json::array();
    for (const model::Recommendation& candidate : snapshot.shortlist)
        candidates.push_back({{"trial", text::toText(candidate.trial)}, {"speedup", speedupJson(candidate)}});
    const std::string command = confirmCommand(snapshot);
    return {{"candidates", std::move(candidates)},
            {"note", sentences::sentence(noRecommendationMessage(snapshot))},
            {"command", command.empty() ? Json(nullptr) : Json(command)}};
}

Json recommendedJson(const model::StudySnapshot& snapshot, const std::optional<model::Recommendation>& recommended)
{
    if (!recommended)
        return nullptr;
    Json runnerUp = nullptr;
    if (const auto& next = recommended->runnerUp)
        runnerUp = {{"trial", text::toText(next->over)},
                    {"ratio", ratioJson(next->ratio)},
                    {"verdict", stats::toString(next->verdict)}};
    const base::Message unconfirmed = unconfirmedMessage(snapshot, *recommended);
    const std::string note =
        // At most one note is given, and being unconfirmed is the more important one.
        sentences::sentence(unconfirmed.empty() ? underLoadMessage(snapshot, *recommended) : unconfirmed);
    return {{"trial", text::toText(recommended->trial)},
            {"speedup", speedupJson(*recommended)},
            {"runner_up", runnerUp},
            {"confirmed", isConfirmed(snapshot, *recommended)},
            {"note", note.empty() ? Json(nullptr) : Json(note)}};
}

/// The source of the model that a variant is compared with; null for other models.
Json baseJson(const model::ModelRef& model)
{
    const auto variant = model::variantSource(model.source);
    return variant ? Json(variant->base) : Json(nullptr);
}

Json alsoBestJson(const model::StudySnapshot& snapshot)
{
    Json all = Json::object();
    for (const model::FurtherBest& further : snapshot.also)
        all[std::string(model::toString(further.objective))] = recommendedJson(snapshot, further.recommended);
    return all;
}

/// Returns the number of a goal, with its unit and certainty.
std::string objectiveText(const model::StudySnapshot& snapshot, const model::Trial& trial, model::Objective objective)
{
    const model::Measurement& m = trial.measurement;
    switch (objective) {
    case model::Objective::latency:
        return text::formatGrouped(m.latencyNs.value * base::kMsPerNs,
                                   text::decimalsFor(m.latencyNs.value * base::kMsPerNs, 0)) +
               " ms " + text::formatCertainty(m.latencyNs, m.blocks.size());
    case model::Objective::memory:
        // Some devices report no peak.
        if (const auto peak = metrics::memoryPeak(m.memory, text::deviceType(snapshot, trial)))
            return base::formatBytes(*peak) + " peak";
        break;
    case model::Objective::energy:
        // Energy may not have been measured.
        if (const auto energy = stats::energyOfSample(m.conditions)) {
            const double millijoules = energy->value * text::kMillijoulesPerJoule;
            return text::formatGrouped(millijoules, text::decimalsFor(millijoules, 0)) + " mJ a sample " +
                   text::formatCertainty(*energy, m.conditions.energy->stretches.size());
        }
        break;
    case model::Objective::throughput:
        break;
    }
    return text::formatGrouped(m.throughput.value, text::decimalsFor(m.throughput.value, 0)) + " " +
           std::string(base::toString(snapshot.study.model.rateUnit())) + " " +
           text::formatCertainty(m.throughput, m.blocks.size());
}

bool isNamed(stats::Verdict verdict)
{
    return verdict == stats::Verdict::faster || verdict == stats::Verdict::slower;
}

/// Returns a sentence for the best trial of each further objective, each with a blank before it.
std::string furtherSentences(const model::StudySnapshot& snapshot, const text::ConfigurationNames& names)
{
    std::string text;
    for (const model::FurtherBest& further : snapshot.also) {
        const model::Trial* trial = further.recommended ? snapshot.find(further.recommended->trial) : nullptr;
        if (!trial)
            continue;
        text += further.objective == model::Objective::throughput ? " Highest throughput: "
                : further.objective == model::Objective::latency  ? " Lowest latency: "
                : further.objective == model::Objective::energy   ? " Lowest energy: "
                                                                  : " Smallest memory: ";
        if (trial->id == snapshot.recommended->trial) {
            text += "the same.";
            continue;
        }
        // Memory and energy are not measured in turns, so they need no confirmation.
        const bool surely =
            !model::isTime(further.objective) || unconfirmedMessage(snapshot, *further.recommended).empty();
        text += names.longName(*trial) + " (" + text::toText(trial->id) + "), " +
                objectiveText(snapshot, *trial, further.objective) + (surely ? "." : ", unconfirmed.");
    }
    return text;
}

/// Returns ", 10.1× [9.8, 10.3] as fast as O0 fp32 batch 8" or "; O0 fp32 batch 8 needs 2.00× [1.98, 2.02] as much
/// memory", by the objective.
std::string comparedText(const model::Interval& gain, model::Objective objective, const std::string& other)
{
    switch (objective) {
    case model::Objective::memory:
        return "; " + other + " needs " + text::formatRatio(gain) + " as much memory";
    case model::Objective::energy:
        return "; " + other + " needs " + text::formatRatio(gain) + " as much energy";
    case model::Objective::throughput:
    case model::Objective::latency:
        break;
    }
    return ", " + text::formatRatio(gain) + " as fast as " + other;
}

/// Returns comparedText() with what the verdict adds to it.
std::string comparisonText(const model::StudySnapshot& snapshot, const model::Recommendation& recommended,
                           const std::string& other)
{
    const model::Interval& gain = recommended.speedup;
    const std::string compared = comparedText(gain, snapshot.study.goal.objective, other);
    if (!isConfirmed(snapshot, recommended) || isNamed(recommended.verdict))
        return compared;
    // A verdict is also withheld where other programs took processor time, and there the ratio alone misleads.
    return gain.lo > 1 || gain.hi < 1 ? compared + ", but not for certain"
                                      : ". No difference found from " + other + ": " + text::formatRatio(gain);
}

/// Returns where the energy of a measurement comes from and what it covers; null where it is unknown.
Json energyJson(const std::optional<model::Energy>& energy)
{
    if (!energy)
        return nullptr;
    const model::EnergyStretch total = energy->total();
    return {{"source", model::toString(energy->source)},
            {"passes", total.passes},
            {"s", total.time.seconds()},
            {"idle_w", energy->idleWatts > 0 ? Json(energy->idleWatts) : Json(nullptr)}};
}

/// Returns what the driver reported of the GPU; null when it reported nothing.
Json gpuJson(const model::Conditions& conditions)
{
    const std::optional<model::GpuConditions>& gpu = conditions.gpu;
    if (!gpu)
        return nullptr;
    // 0 stands for a value that the driver does not report.
    const auto known = [](auto value) { return value > 0 ? Json(value) : Json(nullptr); };
    const std::optional<model::Energy>& energy = conditions.energy;
    const model::EnergyStretch total = energy ? energy->total() : model::EnergyStretch{};
    const bool counted = energy && energy->source == model::EnergySource::gpuCounter;
    return {{"clock_low_mhz", known(gpu->clockLow)},
            {"clock_high_mhz", known(gpu->clockHigh)},
            {"power_cap_w", known(static_cast<double>(gpu->powerCap) * base::kMilli)},
            {"energy_j", total.passes > 0 ? Json(total.joules / static_cast<double>(total.passes)) : Json(nullptr)},
            {"energy_passes", energy ? Json(total.passes) : Json(nullptr)},
            {"energy_s", energy ? Json(total.time.seconds()) : Json(nullptr)},
            {"energy_source", energy ? Json(counted ? "counter" : "power") : Json(nullptr)},
            {"capped_s", gpu->cappedTime.seconds()},
            {"heat_s", gpu->heatTime.seconds()},
            {"other_processes", gpu->otherProcesses},
            {"other_memory_bytes", gpu->otherMemory.count},
            {"other_load", gpu->otherLoad}};
}

/// Returns the shares of disturbances of the machine during the measurement; null when nothing was watched.
Json conditionsJson(const model::Measurement& m)
{
    const model::Conditions& c = m.conditions;
    // Older measurements have no conditions.
    if (c.processors == 0)
        return nullptr;
    // A share of no time is 0.
    const auto share = [](std::int64_t part, double all) { return all > 0 ? static_cast<double>(part) / all : 0; };
    const auto span = static_cast<double>(c.span.count);
    Json driftReading = nullptr;
    if (c.driftReading)
        driftReading = {{"latency_ms", c.driftReading->latencyNs * base::kMsPerNs}, {"change", c.driftReading->change}};
    return {{"wall_s", c.wall.seconds()},
            {"waited", share(c.waited.count, static_cast<double>(c.wall.count))},
            {"others", share(c.others.count, span)},
            {"stolen", share(c.steal.count, span * c.processors)},
            {"pressure", share(c.pressure.count, span)},
            {"clock", c.clockHigh > 0 ? Json(c.clockLow / c.clockHigh) : Json(nullptr)},
            {"contended_blocks", c.contended},
            {"throttled_blocks", c.throttled},
            {"discarded_blocks", c.discarded},
            {"energy", energyJson(c.energy)},
            {"gpu", gpuJson(c)},
            {"sentinel", driftReading},
            {"sandbox", base::orNull(c.sandbox)}};
}

Json noiseJson(const model::StudySnapshot& snapshot)
{
    Json list = Json::array();
    for (const model::NoiseCertificate& n : snapshot.noise)
        list.push_back(noiseDocument(n));
    return list;
}

Json interferenceJson(const std::optional<model::Interference>& interference)
{
    if (!interference)
        return nullptr;
    Json document = model::toJson(*interference);
    document["text"] = sentences::sentence(interference->text);
    return document;
}

} // namespace

Json noiseDocument(const model::NoiseCertificate& n)
{
    return {{"machine", n.machine},
            {"protocol", n.protocol},
            {"effect", n.effect},
            {"comparisons", n.comparisons},
            {"measured", n.measuredUtc}};
}

std::string noiseSentence(const model::NoiseCertificate& n)
{
    return "Differences below " + base::formatSignificant(n.effect * 100, 2) +
           " % cannot be detected on this machine (" + std::to_string(n.comparisons) +
           (n.comparisons == 1 ? " comparison" : " comparisons") + " of a configuration with itself, protocol " +
           n.protocol + ", " + n.measuredUtc + ").";
}

std::vector<std::string> losses(const model::StudySnapshot& snapshot)
{
    std::vector<std::string> damaged;
    std::vector<std::string> partial;
    for (const model::Trial& trial : snapshot.trials)
        if (trial.reason.kind == model::ReasonKind::damaged)
            damaged.push_back(text::toText(trial.id));
        else if (std::any_of(trial.measurement.flags.begin(), trial.measurement.flags.end(), model::isUnreadable))
            partial.push_back(text::toText(trial.id));
    std::vector<std::string> sentences;
    const auto add = [&](const std::vector<std::string>& ids, const std::string& what) {
        // A long list of ids would hide the sentence.
        constexpr std::size_t kNamed = 10;
        if (ids.empty())
            return;
        const bool more = ids.size() > kNamed;
        const std::vector<std::string> named(ids.begin(), more ? ids.begin() + kNamed : ids.end());
        sentences.push_back("The workspace is damaged: " + what + " " + std::to_string(ids.size()) + " of " +
                            std::to_string(snapshot.trials.size()) + " trials cannot be read (" + base::join(named) +
                            (more ? ", …" : "") + ").");
    };
    add(damaged, "what was measured in");
    add(partial, "details of");
    return sentences;
}

Json trialDocument(const model::Trial& trial)
{
    const bool measured = trial.state == model::TrialState::ok;
    const model::Measurement& m = trial.measurement;
    Json applied = Json::array();
    Json flags = Json::array();
    if (measured) {
        for (const model::Applied& a : m.applied)
            applied.push_back(model::toJson(a));
        flags = model::toStrings(m.flags);
    }
    const std::string reason = text::reasonText(trial);
    // The schema has no state for a trial that still waits, so it is written as cancelled: neither measured nor failed.
    const auto state = model::isFinal(trial.state) ? trial.state : model::TrialState::cancelled;
    Json document{{"id", text::toText(trial.id)},
                  {"state", model::toString(state)},
                  {"reason", measured || reason.empty() ? Json(nullptr) : Json(reason)},
                  {"reason_message", trial.reason.message.empty() ? Json(nullptr) : base::toJson(trial.reason.message)},
                  {"config", model::toJson(trial.config)},
                  {"device", trial.device}};
    document.update(metricsJson(trial));
    document.update({{"applied", applied},
                     {"flags", flags},
                     {"modes", measured ? modesJson(m) : Json(nullptr)},
                     {"conditions", measured ? conditionsJson(m) : Json(nullptr)}});
    if (!m.conditions.machine.empty())
        document["machine"] = m.conditions.machine;
    return document;
}

Json trialDocument(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    // The identity comes first, so that a document can be read without its study.
    Json document = {{"schema", "apertune.trial/1"},
                     {"study", text::toText(snapshot.study.id)},
                     {"model", snapshot.study.model.name}};
    document.update(trialDocument(trial));
    const auto breakEvenPoint = comparison::breakEven(snapshot, trial);
    document["break_even"] =
        breakEvenPoint ? Json{{"against", text::toText(breakEvenPoint->against)},
                              {"passes", breakEvenPoint->passes > 0 ? Json(breakEvenPoint->passes) : Json(nullptr)},
                              {"lo", breakEvenPoint->lo > 0 ? Json(breakEvenPoint->lo) : Json(nullptr)},
                              {"hi", base::orNull(breakEvenPoint->hi)}}
                       : Json(nullptr);
    return document;
}

Json studyDocument(const model::StudySnapshot& snapshot)
{
    Json trials = Json::array();
    for (const model::Trial& trial : snapshot.trials)
        trials.push_back(trialDocument(trial));
    return {{"schema", "apertune.study/1"},
            {"id", text::toText(snapshot.study.id)},
            {"model", snapshot.study.model.name},
            {"base", baseJson(snapshot.study.model)},
            {"goal", goalJson(snapshot.study.goal)},
            {"environment", model::toJson(snapshot.study.environment)},
            {"trials", trials},
            {"recommended", recommendedJson(snapshot, snapshot.recommended)},
            {"shortlist", shortlistJson(snapshot)},
            {"also_best", alsoBestJson(snapshot)},
            {"noise_floors", noiseJson(snapshot)},
            {"interference", interferenceJson(snapshot.study.interference)},
            {"losses", losses(snapshot)}};
}

std::string recommendationSentence(const model::StudySnapshot& snapshot)
{
    const text::ConfigurationNames names(snapshot);
    const Answer answer = answerOf(snapshot);
    // The answer decides the form of the sentence.
    if (answer == Answer::nothing || answer == Answer::shortlist)
        return sentences::sentence(noRecommendationMessage(snapshot));
    const model::Recommendation& recommended = *snapshot.recommended;
    const model::Trial& trial = *snapshot.find(recommended.trial);
    std::string text = objectiveText(snapshot, trial, snapshot.study.goal.objective) + ": " + names.longName(trial);
    const model::Trial* against = snapshot.find(recommended.against);
    if (answer == Answer::asLoaded)
        text += ", " + sentences::sentence(asLoadedMessage(snapshot));
    else if (!against)
        text += ", with no O0 fp32 to compare with";
    else if (unknownGainMessage(snapshot, recommended).empty())
        text += comparisonText(snapshot, recommended, names.longName(*against));
    text += ".";
    for (const base::Message& message :
         {unknownGainMessage(snapshot, recommended), runnerUpMessage(snapshot),
          unconfirmedMessage(snapshot, recommended), underLoadMessage(snapshot, recommended)})
        if (!message.empty())
            text += " " + sentences::sentence(message);
    return text + furtherSentences(snapshot, names);
}

std::vector<std::string> shortlistLines(const model::StudySnapshot& snapshot)
{
    const std::vector<base::Message> messages = shortlistMessages(snapshot);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < messages.size(); ++i)
        lines.push_back(text::toText(snapshot.shortlist[i].trial) + "  " + sentences::sentence(messages[i]));
    return lines;
}

} // namespace apertune::report
