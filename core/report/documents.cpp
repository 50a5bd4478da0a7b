// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/documents.h"

#include "core/base/text.h"
#include "core/model/json_codec.h"
#include "core/report/break_even.h"
#include "core/report/format.h"
#include "core/stats/block_stats.h"
#include "core/stats/detect.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::report {

using base::Json;

namespace {

template <typename T>
Json orNull(const std::optional<T>& value, double scale = 1)
{
    return value ? Json(static_cast<double>(*value) * scale) : Json(nullptr);
}

/// {`first`, lo, hi} in the document's unit; without an interval its ends do not apply.
Json intervalJson(const char* first, const model::Interval& interval, double scale = 1)
{
    const bool known = interval.confidence > 0;
    return {{first, interval.value * scale},
            {"lo", known ? Json(interval.lo * scale) : Json(nullptr)},
            {"hi", known ? Json(interval.hi * scale) : Json(nullptr)}};
}

Json latencyJson(const model::Measurement& m)
{
    std::int64_t iterations = 0;
    for (const model::Block& block : m.blocks)
        iterations += block.iterations;
    Json json = intervalJson("median", m.latencyNs, kMsPerNs);
    json.update({{"confidence", m.latencyNs.confidence},
                 {"blocks", m.blocks.size()},
                 {"iterations", iterations},
                 {"p50", orNull(m.p50Ns, kMsPerNs)},
                 {"p90", orNull(m.p90Ns, kMsPerNs)},
                 {"p95", orNull(m.p95Ns, kMsPerNs)},
                 {"p99", orNull(m.p99Ns, kMsPerNs)},
                 {"first", m.first.count > 0 ? Json(m.first.milliseconds()) : Json(nullptr)}});
    return json;
}

Json qualityJson(const std::optional<model::Quality>& quality)
{
    if (!quality)
        return nullptr;
    return {{"cosine", quality->cosine},
            {"max_abs", quality->maxAbs},
            {"max_rel", quality->maxRel},
            {"nan_count", quality->nanCount},
            {"top1_agreement", orNull(quality->top1Agreement)}};
}

Json modesJson(const model::Measurement& m)
{
    if (std::find(m.flags.begin(), m.flags.end(), "bimodal") == m.flags.end())
        return nullptr;
    const stats::Modes two = stats::modesOf(m);
    return {{"low_ms", two.low * kMsPerNs}, {"high_ms", two.high * kMsPerNs}, {"low_share", two.lowShare}};
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
            {"min_quality", goal.minQuality}};
}

Json recommendedJson(const std::optional<model::Recommendation>& recommended)
{
    if (!recommended)
        return nullptr;
    Json speedup = nullptr;
    if (recommended->against) {
        speedup = intervalJson("value", recommended->speedup);
        speedup["against"] = toText(recommended->against);
        speedup["verdict"] = stats::toString(recommended->verdict);
    }
    Json runnerUp = nullptr;
    if (const auto& next = recommended->runnerUp)
        runnerUp = {{"trial", toText(next->over)},
                    {"ratio", intervalJson("value", next->ratio)},
                    {"verdict", stats::toString(next->verdict)}};
    return {{"trial", toText(recommended->trial)}, {"speedup", speedup}, {"runner_up", runnerUp}};
}

Json alsoBestJson(const model::StudySnapshot& snapshot)
{
    Json all = Json::object();
    for (const model::FurtherBest& further : snapshot.also)
        all[std::string(model::toString(further.objective))] = recommendedJson(further.recommended);
    return all;
}

/// The number that the goal asks for, with its unit and certainty.
std::string objectiveText(const model::StudySnapshot& snapshot, const model::Trial& trial, model::Objective objective)
{
    const model::Measurement& m = trial.measurement;
    switch (objective) {
    case model::Objective::latency:
        return formatGrouped(m.latencyNs.value * kMsPerNs, decimalsFor(m.latencyNs.value * kMsPerNs, 0)) + " ms " +
               formatCertainty(m.latencyNs, m.blocks.size());
    case model::Objective::memory:
        if (const auto peak = memoryPeak(m, deviceKind(snapshot, trial)))
            return base::formatBytes(*peak) + " peak";
        break;
    case model::Objective::throughput:
        break;
    }
    return formatGrouped(m.throughput.value, decimalsFor(m.throughput.value, 0)) + " img/s " +
           formatCertainty(m.throughput, m.blocks.size());
}

bool isNamed(stats::Verdict verdict)
{
    return verdict == stats::Verdict::faster || verdict == stats::Verdict::slower;
}

/// What is best in the further objectives, each with a blank before it.
std::string furtherSentences(const model::StudySnapshot& snapshot, const CellNames& names)
{
    std::string text;
    for (const model::FurtherBest& further : snapshot.also) {
        const model::Trial* trial = further.recommended ? snapshot.find(further.recommended->trial) : nullptr;
        if (!trial)
            continue;
        text += further.objective == model::Objective::throughput ? " Highest throughput: "
                : further.objective == model::Objective::latency  ? " Lowest latency: "
                                                                  : " Smallest memory: ";
        text += trial->id == snapshot.recommended->trial ? "the same."
                                                         : names.longName(*trial) + " (" + toText(trial->id) + "), " +
                                                               objectiveText(snapshot, *trial, further.objective) + ".";
    }
    return text;
}

/// With a blank before it; "" where there is none, or it is the baseline, which was named already.
std::string runnerUpSentence(const model::StudySnapshot& snapshot, const CellNames& names)
{
    const auto& runnerUp = snapshot.recommended->runnerUp;
    const model::Trial* next = runnerUp ? snapshot.find(runnerUp->over) : nullptr;
    if (!next || next->id == snapshot.recommended->against)
        return {};
    const std::string name = names.longName(*next) + " (" + toText(next->id) + ")";
    if (isNamed(runnerUp->verdict))
        return " Runner-up: " + name + "; it is " + formatRatio(runnerUp->ratio) + " that.";
    return " It cannot be told from the runner-up " + name + ": " + formatRatio(runnerUp->ratio) + ".";
}

/// Why cells other than `chosen` may not be recommended whatever their speed: "" when there is no such cause.
std::string barredText(const model::StudySnapshot& snapshot, const model::Trial* chosen)
{
    std::size_t notNumbers = 0;
    std::size_t notCompared = 0;
    for (const model::Trial& trial : snapshot.trials) {
        const bool measured = trial.state == model::TrialState::ok && &trial != chosen;
        const auto& quality = trial.measurement.quality;
        notNumbers += trial.reason.kind == "nan" || (measured && quality && quality->nanCount > 0);
        notCompared += measured && !quality;
    }
    std::string text;
    if (notNumbers > 0)
        text += "; " + std::to_string(notNumbers) + (notNumbers == 1 ? " gives" : " give") + " NaN or infinite values";
    if (notCompared > 0)
        text += "; the outputs of " + std::to_string(notCompared) +
                (notCompared == 1 ? " other could" : " others could") + " not be compared with those of O0 fp32";
    return text;
}

/// Device time of a pass; null where the device has no clock of its own.
Json deviceJson(const model::Measurement& m)
{
    std::vector<double> perPass;
    for (const model::Block& block : m.blocks)
        if (block.device.count > 0 && block.iterations > 0)
            perPass.push_back(static_cast<double>(block.device.count) / static_cast<double>(block.iterations));
    if (perPass.empty())
        return nullptr;
    const model::Interval ns = stats::medianInterval(perPass);
    Json json = intervalJson("median", ns, kMsPerNs);
    json.update({{"confidence", ns.confidence}, {"blocks", perPass.size()}});
    return json;
}

/// Shares of what the machine did meanwhile; null where nothing was watched.
Json conditionsJson(const model::Measurement& m)
{
    const model::Conditions& c = m.conditions;
    if (c.processors == 0)
        return nullptr;
    const auto share = [](std::int64_t part, double all) { return all > 0 ? static_cast<double>(part) / all : 0; };
    const auto span = static_cast<double>(c.span.count);
    Json sentinel = nullptr;
    if (c.sentinel)
        sentinel = {{"latency_ms", c.sentinel->latencyNs * kMsPerNs}, {"change", c.sentinel->change}};
    return {{"waited", share(c.waited.count, static_cast<double>(c.wall.count))},
            {"others", share(c.others.count, span)},
            {"stolen", share(c.stolen.count, span * c.processors)},
            {"pressure", share(c.pressed.count, span)},
            {"clock", c.clockHigh > 0 ? Json(c.clockLow / c.clockHigh) : Json(nullptr)},
            {"contended_blocks", c.contended},
            {"throttled_blocks", c.throttled},
            {"discarded_blocks", c.discarded},
            {"sentinel", sentinel}};
}

Json noiseJson(const model::StudySnapshot& snapshot)
{
    Json list = Json::array();
    for (const model::NoiseCertificate& n : snapshot.noise)
        list.push_back(noiseDocument(n));
    return list;
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
    return "Differences below " + base::formatSignificant(n.effect * 100, 2) + " % cannot be told on this machine (" +
           std::to_string(n.comparisons) + (n.comparisons == 1 ? " comparison" : " comparisons") +
           " of a cell with itself, protocol " + n.protocol + ", " + n.measuredUtc + ").";
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
        flags = m.flags;
    }
    const std::string reason = reasonText(trial);
    // A trial that waits has no state of its own in the contract: nothing was measured and nothing failed.
    const auto state = model::isFinal(trial.state) ? trial.state : model::TrialState::cancelled;
    return {{"id", toText(trial.id)},
            {"state", model::toString(state)},
            {"reason", measured || reason.empty() ? Json(nullptr) : Json(reason)},
            {"config", model::toJson(trial.config)},
            {"device", trial.device},
            {"latency_ms", measured ? latencyJson(m) : Json(nullptr)},
            {"throughput_per_s", measured ? intervalJson("value", m.throughput) : Json(nullptr)},
            {"memory_bytes", measured ? model::toJson(m.memory) : Json(nullptr)},
            {"quality", measured ? qualityJson(m.quality) : Json(nullptr)},
            {"applied", applied},
            {"flags", flags},
            {"modes", measured ? modesJson(m) : Json(nullptr)},
            {"device_ms", measured ? deviceJson(m) : Json(nullptr)},
            {"load_ms", measured ? Json(m.load.milliseconds()) : Json(nullptr)},
            {"compile_ms", measured && m.compile ? Json(m.compile->milliseconds()) : Json(nullptr)},
            {"conditions", measured ? conditionsJson(m) : Json(nullptr)}};
}

Json trialDocument(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    Json document = {
        {"schema", "apertune.trial/1"}, {"study", toText(snapshot.study.id)}, {"model", snapshot.study.model.name}};
    document.update(trialDocument(trial));
    const auto won = breakEven(snapshot, trial);
    document["break_even"] = won ? Json{{"against", toText(won->against)},
                                        {"passes", won->passes > 0 ? Json(won->passes) : Json(nullptr)},
                                        {"lo", won->lo > 0 ? Json(won->lo) : Json(nullptr)},
                                        {"hi", won->hi ? Json(*won->hi) : Json(nullptr)}}
                                 : Json(nullptr);
    return document;
}

Json studyDocument(const model::StudySnapshot& snapshot)
{
    Json trials = Json::array();
    for (const model::Trial& trial : snapshot.trials)
        trials.push_back(trialDocument(trial));
    return {{"schema", "apertune.study/1"},
            {"id", toText(snapshot.study.id)},
            {"model", snapshot.study.model.name},
            {"goal", goalJson(snapshot.study.goal)},
            {"environment", model::toJson(snapshot.study.environment)},
            {"trials", trials},
            {"recommended", recommendedJson(snapshot.recommended)},
            {"also_best", alsoBestJson(snapshot)},
            {"noise_floors", noiseJson(snapshot)}};
}

std::string recommendationSentence(const model::StudySnapshot& snapshot)
{
    const CellNames names(snapshot);
    const model::Trial* trial = snapshot.recommended ? snapshot.find(snapshot.recommended->trial) : nullptr;
    if (!trial) {
        std::size_t measured = 0;
        for (const model::Trial& t : snapshot.trials)
            measured += t.state == model::TrialState::ok ? 1u : 0u;
        const std::string cells = std::to_string(snapshot.trials.size());
        if (measured == 0)
            return "No recommendation: none of the " + cells + " cells could be measured" +
                   barredText(snapshot, nullptr) + ".";
        return "No recommendation: none of the " + std::to_string(measured) + " measured cells keeps to the goal (" +
               boundsText(snapshot.study.goal) + ")" + barredText(snapshot, nullptr) + ".";
    }
    std::string text = objectiveText(snapshot, *trial, snapshot.study.goal.objective) + ": " + names.longName(*trial);
    const model::Trial* against = snapshot.find(snapshot.recommended->against);
    const bool isBaseline =
        trial->config.level == model::OptLevel::o0 && trial->config.precision == model::Precision::fp32;
    if (against && against != trial) {
        text += ", " + formatRatio(snapshot.recommended->speedup) + " " + names.longName(*against);
        if (snapshot.recommended->speedup.confidence <= 0)
            text += ", too noisy to tell how surely";
        else if (!isNamed(snapshot.recommended->verdict))
            text += ", from which it cannot be told";
    } else if (isBaseline) {
        const std::string barred = barredText(snapshot, trial);
        text += ", the model as loaded" + (barred.empty() ? ": nothing measured is surely better" : barred);
    } else {
        text += ", with no O0 fp32 to compare with";
    }
    return text + "." + runnerUpSentence(snapshot, names) + furtherSentences(snapshot, names);
}

} // namespace apertune::report
