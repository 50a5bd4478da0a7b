// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/configuration_run.h"

#include "core/base/text.h"
#include "core/model/json_codec.h"
#include "core/stats/block_stats.h"
#include "core/study/reasons.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::study {

using base::Json;
using base::Nanoseconds;
using worker::WorkerError;

namespace {

constexpr base::Nanoseconds kTellsSteadiness = base::fromSeconds(1);

/// A time of a pass or a phase; 0 when it is not told. Throws for what is none.
Nanoseconds nanoseconds(const Json& json, const char* name)
{
    constexpr Nanoseconds kLongest = base::fromSeconds(1e6);
    const Nanoseconds time{json.value(name, std::int64_t{0})};
    if (time.count < 0 || time > kLongest)
        throw std::runtime_error(std::string(name) + " is no time");
    return time;
}

/// An answer without what it must have is the worker's fault, not ours.
WorkerError unreadable(const std::string& why)
{
    return {model::reason(model::ReasonKind::internal, base::message<reasons::kUnreadableAnswer>(why),
                          "Install both from the same version."),
            false, false};
}

/// Calls, and turns the answer into a value by `read`, whose exceptions mean an unreadable answer.
template <typename Read>
auto callAndRead(worker::WorkerProcess& worker, Json command, Nanoseconds limit, std::stop_token stop, Read read,
                 const std::function<void(const Json&)>& progress = {},
                 const worker::WorkerProcess::PhaseLimits& phases = {})
    -> WorkerReply<std::invoke_result_t<Read, const Json&>>
{
    auto reply = worker.call(std::move(command), limit, std::move(stop), progress, phases);
    if (!reply)
        return reply.error();
    try {
        return read(*reply);
    } catch (const std::exception& e) {
        return unreadable(e.what());
    }
}

/// Worker phases as people know them.
std::string phaseName(const std::string& phase)
{
    return phase == "first" || phase == "finalize" ? "warm-up" : phase;
}

std::string measureText(const Json& message)
{
    if (!message.contains("median_ns"))
        return {};
    std::string text = base::formatSignificant(message["median_ns"].get<double>() * 1e-6) + " ms";
    if (message.contains("half_width") && message["half_width"].is_number())
        text += " ± " + base::formatSignificant(message["half_width"].get<double>() * 100, 2) + " %";
    return text;
}

std::function<void(const Json&)> forward(const PhaseSink& phase)
{
    if (!phase)
        return {};
    return [&phase](const Json& message) { phase(phaseName(message.value("phase", "")), measureText(message)); };
}

template <typename T>
T unwrap(base::Result<T> result)
{
    if (!result)
        throw std::runtime_error(result.error().message);
    return std::move(result).value();
}

Nanoseconds twice(Nanoseconds t)
{
    return t + t;
}

} // namespace

WorkerReply<Prepared> prepareConfiguration(worker::WorkerProcess& worker, const ConfigurationRequest& request,
                                           const worker::RunLimits& limits, Nanoseconds measuring, std::stop_token stop,
                                           const PhaseSink& phase)
{
    const Nanoseconds warmUp =
        std::max(limits.warmUpLeast, std::min(limits.warmUpMost, Nanoseconds{measuring.count / 4}));
    const Json command{
        {"t", "prepare"},
        {"session", kSession},
        {"request",
         {{"artifact", request.artifact.string()},
          {"device", worker::workerDeviceId(request.device)},
          {"config", model::toJson(request.config)},
          {"package", request.package.empty() ? Json(nullptr) : Json(request.package.string())},
          {"inputs", limits.inputSets}}},
        {"warmup_min_ns", limits.warmUpLeast.count},
        {"warmup_max_ns", warmUp.count},
        {"give_up_ns", request.giveUp.count},
        {"clock", request.clock},
    };
    const worker::WorkerProcess::PhaseLimits phases{{"load", limits.load},
                                                    {"first", limits.first},
                                                    {"warm-up", twice(warmUp) + limits.first},
                                                    {"finalize", twice(warmUp) + limits.first}};
    return callAndRead(
        worker, command, limits.load, std::move(stop),
        [](const Json& answer) {
            Prepared prepared;
            prepared.load = nanoseconds(answer, "load_ns");
            prepared.first = nanoseconds(answer, "first_ns");
            prepared.warmup = nanoseconds(answer, "warmup_ns");
            prepared.warmupIterations = answer.value("warmup_iterations", 0);
            prepared.steady = answer.at("steady").get<bool>();
            prepared.gaveUp = answer.value("gave_up", false);
            prepared.iteration = nanoseconds(answer, "iteration_ns");
            return prepared;
        },
        forward(phase), phases);
}

WorkerReply<Blocks> measureConfiguration(worker::WorkerProcess& worker, const BlockRequest& request,
                                         const worker::RunLimits& limits, std::stop_token stop, const PhaseSink& phase)
{
    const Json command{{"t", "measure"},
                       {"session", kSession},
                       {"min_block_ns", limits.minBlock.count},
                       {"min_blocks", request.minBlocks},
                       {"least_blocks", request.leastBlocks},
                       {"blocks", request.maxBlocks},
                       {"min_ns", request.minTime.count},
                       {"max_ns", request.maxTime.count},
                       {"target", request.target},
                       {"settle", request.settle}};
    return callAndRead(
        worker, command, twice(std::max(request.maxTime, limits.trialMost)) + limits.first, std::move(stop),
        [](const Json& answer) {
            Blocks result;
            for (const Json& block : answer.at("blocks"))
                result.blocks.push_back(unwrap(model::blockFromJson(block)));
            for (const Json& pass : answer.at("iterations_ns"))
                result.iterations.push_back({pass.get<std::int64_t>()});
            if (answer.contains("conditions"))
                result.conditions = unwrap(model::conditionsFromJson(answer["conditions"]));
            if (result.blocks.empty())
                throw std::runtime_error("it has no blocks");
            return result;
        },
        forward(phase));
}

WorkerReply<std::int64_t> keepReference(worker::WorkerProcess& worker, const std::filesystem::path& file,
                                        const worker::RunLimits& limits, Nanoseconds time, std::stop_token stop)
{
    const Json command{{"t", "reference"},
                       {"session", kSession},
                       {"out", file.string()},
                       {"sets", limits.inputSets},
                       {"max_ns", time.count}};
    return callAndRead(worker, command, limits.quality, std::move(stop),
                       [](const Json& answer) { return answer.value("samples", std::int64_t{0}); });
}

namespace {

struct Assessed
{
    std::optional<model::Quality> quality;
    std::int64_t nanCount = 0;
    std::vector<std::string> notes;
};

WorkerReply<Assessed> assessConfiguration(worker::WorkerProcess& worker, const ConfigurationRequest& request,
                                          const std::filesystem::path& reference, const worker::RunLimits& limits,
                                          Nanoseconds time, std::stop_token stop)
{
    const Json command{{"t", "assess"},
                       {"session", kSession},
                       {"reference", reference.empty() ? Json(nullptr) : Json(reference.string())},
                       {"sets", limits.inputSets},
                       {"max_ns", time.count},
                       {"family", request.taskType}};
    return callAndRead(worker, command, limits.quality, std::move(stop), [](const Json& answer) {
        Assessed assessed;
        if (answer.at("quality").is_object())
            assessed.quality = unwrap(model::qualityFromJson(answer["quality"]));
        assessed.nanCount = answer.value("nan_count", std::int64_t{0});
        assessed.notes = answer.value("notes", std::vector<std::string>{});
        return assessed;
    });
}

struct Reported
{
    std::vector<model::Applied> applied;
    model::MemoryUse memory;
    std::vector<std::string> notes;
};

WorkerReply<Reported> reportConfiguration(worker::WorkerProcess& worker, const worker::RunLimits& limits,
                                          std::stop_token stop)
{
    return callAndRead(worker, {{"t", "report"}, {"session", kSession}}, limits.first, std::move(stop),
                       [](const Json& answer) {
                           Reported reported;
                           for (const Json& entry : answer.at("applied"))
                               reported.applied.push_back(unwrap(model::appliedFromJson(entry)));
                           reported.memory = unwrap(model::memoryFromJson(answer.at("memory")));
                           reported.notes = answer.value("notes", std::vector<std::string>{});
                           return reported;
                       });
}

} // namespace

WorkerReply<ConfigurationResult> runConfiguration(worker::WorkerProcess& worker, const ConfigurationRequest& request,
                                                  const QualityRequest& quality, const worker::RunLimits& limits,
                                                  const MeasuringTime& time, double target, std::stop_token stop,
                                                  const PhaseSink& phase)
{
    const Nanoseconds measuring = time.most;
    ConfigurationResult result;
    model::Measurement& m = result.measurement;

    auto prepared = prepareConfiguration(worker, request, limits, measuring, stop, phase);
    if (!prepared)
        return prepared.error();
    const auto& ready = *prepared;
    if (ready.gaveUp) {
        result.gaveUpAt = ready.iteration;
        return result;
    }
    m.load = ready.load;
    m.first = ready.first;
    m.warmup = ready.warmup;
    m.warmupIterations = ready.warmupIterations;
    // A first look warms up for a moment only, which tells nothing about steadiness.
    if (!ready.steady && ready.warmup >= kTellsSteadiness)
        m.flags.push_back(model::TrialFlag::neverSteady);

    phase("measure", {});
    const bool affordable = ready.iteration.count * time.leastBlocks <= limits.trialMost.count;
    const BlockRequest blocks{limits.minBlocks,
                              limits.maxBlocks,
                              std::min(limits.minTime, measuring),
                              measuring,
                              target,
                              0,
                              affordable ? time.leastBlocks : 1};
    auto measured = measureConfiguration(worker, blocks, limits, stop, phase);
    if (!measured)
        return measured.error();
    m.blocks = std::move(measured->blocks);
    m.iterations = std::move(measured->iterations);
    m.conditions = measured->conditions;
    stats::summarize(m, request.config.batch, target);

    // Before outputs() runs: its copies to the host are not part of running the model.
    auto reported = reportConfiguration(worker, limits, stop);
    if (!reported)
        return reported.error();
    auto& told = *reported;
    m.applied = std::move(told.applied);
    if (std::any_of(m.applied.begin(), m.applied.end(), [](const model::Applied& a) {
            return a.name == "precision" && a.state == model::AppliedState::requestedNotInEffect;
        }))
        m.flags.push_back(model::TrialFlag::precisionNotInEffect);
    m.memory = told.memory;
    result.notes = std::move(told.notes);

    phase("quality", {});
    if (quality.make) {
        auto kept = keepReference(worker, quality.reference, limits, measuring, stop);
        if (!kept)
            return kept.error();
    }
    auto assessed = assessConfiguration(worker, request, quality.reference, limits, measuring, stop);
    if (!assessed)
        return assessed.error();
    auto& verdict = *assessed;
    m.quality = verdict.quality;
    result.nanCount = verdict.nanCount;
    result.notes.insert(result.notes.end(), verdict.notes.begin(), verdict.notes.end());
    if (!m.quality)
        m.flags.push_back(model::TrialFlag::qualityUnavailable);

    auto released = worker.call({{"t", "release"}, {"session", kSession}}, limits.first, stop);
    if (!released && released.error().cancelled)
        return released.error();
    return result;
}

} // namespace apertune::study
