// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/configuration_run.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/model/json_codec.h"
#include "core/sentences/sentences.h"
#include "core/stats/summarize.h"
#include "core/study/reasons.h"
#include "core/worker/protocol.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace apertune::study {

using base::Json;
using base::Nanoseconds;
using worker::WorkerError;

namespace {

constexpr base::Nanoseconds kLeastSteadyWarmUp = base::fromSeconds(1); ///< least warm-up that can show steady passes

/// A time of a pass or a phase; 0 when the answer has none. Throws for a value that is no time.
Nanoseconds nanoseconds(const Json& json, const char* name)
{
    constexpr Nanoseconds kLongest = base::fromSeconds(1e6);
    const Nanoseconds time{json.value(name, std::int64_t{0})};
    if (time.count < 0 || time > kLongest)
        throw std::runtime_error(std::string(name) + " is no time");
    return time;
}

/// The failure for an answer that lacks a member: worker and supervisor are of different versions.
WorkerError unreadable(const std::string& why)
{
    return {model::Reason{model::ReasonKind::internal, base::message<reasons::kUnreadableAnswer>(why)}, false, false};
}

/// Sends a command and turns the answer into a value by `read`. An exception of `read` means an unreadable answer.
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

base::Message measureFigure(const Json& message)
{
    if (!message.contains("median_ns"))
        return {};
    std::string text = base::formatSignificant(message["median_ns"].get<double>() * 1e-6) + " ms";
    if (message.contains("half_width") && message["half_width"].is_number())
        text += " ± " + base::formatSignificant(message["half_width"].get<double>() * 100, 2) + " %";
    return base::foreignText(std::move(text)); // numbers and units alone
}

std::function<void(const Json&)> forward(const PhaseSink& phase)
{
    if (!phase)
        return {};
    return [&phase](const Json& message) {
        if (const auto known = phaseFromString(message.value("phase", "")))
            phase(*known, measureFigure(message));
    };
}

template <typename T>
T unwrap(base::Result<T> result)
{
    if (!result)
        // An error inside a reader of values becomes the exception that callAndRead() turns into an unreadable answer.
        throw std::runtime_error(sentences::sentence(result.error().message));
    return std::move(result).value();
}

Nanoseconds twice(Nanoseconds t)
{
    return t + t;
}

} // namespace

worker::LaunchRequest launchRequest(const ConfigurationRequest& configuration)
{
    return {.backend = configuration.config.backend,
            .device = configuration.device,
            .threads = configuration.config.threads,
            .reads = {configuration.artifact, configuration.package},
            .writes = {},
            .unpacks = configuration.config.isCompiled(),
            .passiveWaits = configuration.passiveWaits};
}

ConfigurationRequest requestFor(const model::Study& study, const model::Config& config, const model::Device& device)
{
    ConfigurationRequest request{study.model.artifact, study.model.taskType, config, device, {}};
    request.passiveWaits = model::waitsPassively(study.environment);
    return request;
}

WorkerReply<Prepared> prepareConfiguration(worker::WorkerProcess& worker, const ConfigurationRequest& request,
                                           const worker::RunLimits& limits, Nanoseconds measuring, std::stop_token stop,
                                           const PhaseSink& phase)
{
    const Nanoseconds warmUp =
        // A warm-up of a quarter of the measuring time keeps its share bounded for models with long passes.
        std::max(limits.warmUpLeast, std::min(limits.warmUpMost, Nanoseconds{measuring.count / 4}));
    const Json command{
        {"t", "prepare"},
        {"session", kSession},
        {"request",
         {{"artifact", request.artifact.string()},
          {"device", worker::workerDeviceId(request.device)},
          {"config", model::toJson(request.config)},
          // Absent and null differ: null says that the configuration needs no package.
          {"package", request.package.empty() ? Json(nullptr) : Json(request.package.string())},
          {"inputs", limits.inputSets}}},
        {"warmup_min_ns", limits.warmUpLeast.count},
        {"warmup_max_ns", warmUp.count},
        {"give_up_ns", request.giveUp.count},
        {"clock", request.clock},
        {"cold", request.cold},
    };
    // Each phase has its own limit. A warm-up may exceed its plan by one pass of any length.
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
            prepared.cold = answer.value("cold", false);
            prepared.iteration = nanoseconds(answer, "iteration_ns");
            return prepared;
        },
        forward(phase), phases);
}

int settlingPasses(base::Nanoseconds pass)
{
    constexpr base::Nanoseconds kLong = base::fromMilliseconds(300);
    // Refilling the caches takes milliseconds, a small part of a pass of this length.
    return pass < kLong ? 1 : 0;
}

WorkerReply<Blocks> measureConfiguration(worker::WorkerProcess& worker, const BlockRequest& request,
                                         const worker::RunLimits& limits, std::stop_token stop, const PhaseSink& phase)
{
    Json command{{"t", "measure"},
                 {"session", kSession},
                 {"min_block_ns", limits.minBlock.count},
                 {"min_blocks", request.minBlocks},
                 {"least_blocks", request.leastBlocks},
                 {"blocks", request.maxBlocks},
                 {"min_ns", request.minTime.count},
                 {"max_ns", request.maxTime.count},
                 {"target", request.target},
                 {"settle", request.settle}};
    // A worker drops blocks that look disturbed. A caller that pairs blocks by their position needs every one.
    if (request.keepAll)
        command["discards"] = 0;
    return callAndRead(
        // The time limit is twice the plan plus one first pass: blocks may end late, but a hang is found.
        worker, command, twice(std::max(request.maxTime, limits.trialMost)) + limits.first, std::move(stop),
        [&worker](const Json& answer) {
            Blocks result;
            for (const Json& block : answer.at("blocks"))
                result.blocks.push_back(unwrap(model::blockFromJson(block)));
            for (const Json& pass : answer.at("iterations_ns"))
                result.iterations.push_back({pass.get<std::int64_t>()});
            if (answer.contains("conditions"))
                result.conditions = unwrap(model::conditionsFromJson(answer["conditions"]));
            result.conditions.sandbox = worker.sandbox(); // The worker itself is not asked: it might be hostile.
            if (result.blocks.empty())
                throw std::runtime_error("it has no blocks");
            return result;
        },
        forward(phase));
}

namespace {

/// A slice is long enough for several blocks of a fast model, and short against the changes of a machine's speed.
constexpr Nanoseconds kSlice = base::fromMilliseconds(250);

/// Other programs kept the threads of most blocks waiting, also of those that were discarded for it.
bool isDisturbed(const Blocks& blocks)
{
    const auto taken = static_cast<std::int64_t>(blocks.blocks.size()) + blocks.conditions.discarded;
    // Twice the contended blocks against all: more than half is a machine that others use, and not a stray process.
    return 2 * blocks.conditions.contended > taken;
}

bool haveConverged(const std::vector<model::Block>& blocks, double target)
{
    std::vector<double> values;
    for (const model::Block& block : blocks)
        // Blocks are divided by the reference that ran beside them, so the spread that counts is without the machine's
        // drift.
        values.push_back(block.nsPerIteration() / (block.referenceNs > 0 ? block.referenceNs : 1));
    const model::Interval median = stats::medianInterval(values);
    return median.confidence > 0 && median.relativeHalfWidth() <= target;
}

} // namespace

WorkerReply<Blocks> measureBesideReference(worker::WorkerProcess& worker, const BlockRequest& request, Nanoseconds pass,
                                           const BetweenBlocks& between, const worker::RunLimits& limits,
                                           std::stop_token stop, const PhaseSink& phase)
{
    const auto waitForQuiet = [&] {
        if (between.waitForQuiet)
            between.waitForQuiet();
    };
    const auto measureReference = [&] { return between.measureReference ? between.measureReference() : std::nullopt; };
    waitForQuiet();
    auto before = measureReference();
    if (!before)
        return measureConfiguration(worker, request, limits, std::move(stop), phase);
    // The first block may have opened the reference, so its own time says nothing about the next ones.
    const Nanoseconds referenceTime = std::max(limits.minBlock, Nanoseconds{static_cast<std::int64_t>(*before)});

    Blocks all;
    Nanoseconds own{};
    while (true) {
        const auto taken = static_cast<int>(all.blocks.size());
        // Only the time of this configuration counts towards its limit. The blocks of the reference are overhead.
        const Nanoseconds left{std::max<std::int64_t>(0, request.maxTime.count - own.count)};
        // A slice is at least three times as long as a block of the reference, so the reference takes a quarter of the
        // time at most.
        const Nanoseconds slice = std::min(left, std::max(kSlice, Nanoseconds{3 * referenceTime.count}));
        // Each slice begins with uncounted passes, because the reference has replaced this model's data in the caches.
        const BlockRequest part{1, std::max(1, request.maxBlocks - taken), slice, slice, 0, settlingPasses(pass), 1};
        const Nanoseconds started = base::monotonicNow();
        auto measured = measureConfiguration(worker, part, limits, stop, phase);
        if (!measured)
            return measured.error();
        const Nanoseconds lasted = base::monotonicNow() - started;
        // Repeating a slice is bounded by mayRepeat(), so a machine that is never quiet cannot hold up a study.
        if (isDisturbed(*measured) && between.mayRepeat && between.mayRepeat(lasted)) {
            model::Conditions discarded = measured->conditions;
            discarded.discarded += static_cast<std::int64_t>(measured->blocks.size());
            all.conditions.add(discarded);
            waitForQuiet();
            // The speed from before the disturbance says nothing about the next slice.
            before = measureReference();
            continue;
        }
        own += lasted;
        const auto after = measureReference();
        for (model::Block& block : measured->blocks) {
            // The geometric mean of the reference before and after is the speed in the middle, when speed changes by a
            // factor.
            block.referenceNs = before && after ? std::sqrt(*before * *after) : 0;
            all.blocks.push_back(block);
        }
        all.conditions.add(measured->conditions);
        all.iterations.insert(all.iterations.end(), measured->iterations.begin(), measured->iterations.end());
        before = after;

        const auto blocks = static_cast<int>(all.blocks.size());
        if (blocks >= request.maxBlocks || (own >= request.maxTime && blocks >= request.leastBlocks))
            return all;
        if (blocks >= request.minBlocks && own >= request.minTime && haveConverged(all.blocks, request.target))
            return all;
        // Only a disturbed slice is followed by a wait: on a quiet machine each look would cost time for nothing.
        if (measured->conditions.contended > 0)
            waitForQuiet();
    }
}

WorkerReply<std::int64_t> writeReference(worker::WorkerProcess& worker, const std::filesystem::path& file,
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
    std::vector<base::Message> notes;
};

WorkerReply<Assessed> assessConfiguration(worker::WorkerProcess& worker, const ConfigurationRequest& request,
                                          const std::filesystem::path& reference, const worker::RunLimits& limits,
                                          Nanoseconds time, std::stop_token stop)
{
    const Json command{{"t", "assess"},
                       {"session", kSession},
                       // Without a reference the worker only searches the outputs for NaN and Inf.
                       {"reference", reference.empty() ? Json(nullptr) : Json(reference.string())},
                       {"sets", limits.inputSets},
                       {"max_ns", time.count},
                       {"family", toString(request.taskType)}};
    return callAndRead(worker, command, limits.quality, std::move(stop), [](const Json& answer) {
        Assessed assessed;
        if (answer.at("quality").is_object())
            assessed.quality = unwrap(model::qualityFromJson(answer["quality"]));
        assessed.nanCount = answer.value("nan_count", std::int64_t{0});
        assessed.notes = worker::readNotes(answer);
        return assessed;
    });
}

struct Reported
{
    std::vector<model::Applied> applied;
    model::MemoryUse memory;
    std::vector<base::Message> notes;
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
                           reported.notes = worker::readNotes(answer);
                           return reported;
                       });
}

} // namespace

WorkerReply<ConfigurationResult> runConfiguration(worker::WorkerProcess& worker, const ConfigurationRequest& request,
                                                  const QualityRequest& quality, const worker::RunLimits& limits,
                                                  const MeasuringTime& time, double target, std::stop_token stop,
                                                  const PhaseSink& phase, const BetweenBlocks& between)
{
    const Nanoseconds measuring = time.most;
    ConfigurationResult result;
    model::Measurement& m = result.measurement;

    auto prepared = prepareConfiguration(worker, request, limits, measuring, stop, phase);
    if (!prepared)
        return prepared.error();
    const auto& ready = *prepared;
    // All passes were longer than giveUp. That is a result, and not a failure of the worker.
    if (ready.gaveUp) {
        result.gaveUpAt = ready.iteration;
        return result;
    }
    m.load = ready.load;
    m.first = ready.first;
    m.warmup = ready.warmup;
    m.warmupIterations = ready.warmupIterations;
    // A probe warms up too briefly to say whether passes became steady.
    if (!ready.steady && ready.warmup >= kLeastSteadyWarmUp)
        m.flags.push_back(model::TrialFlag::neverSteady);

    phase(Phase::measure, {});
    // With the fewest blocks of an interval, a model with long passes would exceed the trial's limit. It then gets one
    // block, and no interval.
    const bool affordable = ready.iteration.count * time.leastBlocks <= limits.trialMost.count;
    // A GPU has a least time of its own; see RunLimits::minTimeOnGpu.
    const Nanoseconds leastTime = request.device.type.isNvidiaGpu() ? limits.minTimeOnGpu : limits.minTime;
    const BlockRequest blocks{limits.minBlocks,
                              limits.maxBlocks,
                              std::min(leastTime, measuring),
                              measuring,
                              target,
                              0,
                              affordable ? time.leastBlocks : 1};
    auto measured = measureBesideReference(worker, blocks, ready.iteration, between, limits, stop, phase);
    if (!measured)
        return measured.error();
    m.blocks = std::move(measured->blocks);
    m.iterations = std::move(measured->iterations);
    m.conditions = measured->conditions;
    stats::summarize(m, request.config.batch, target);

    // The report comes before the outputs are computed, because their copies to the host would count as memory use.
    auto reported = reportConfiguration(worker, limits, stop);
    if (!reported)
        return reported.error();
    auto& backendReport = *reported;
    m.applied = std::move(backendReport.applied);
    // A backend may run a layer in another precision without an error, and its times would then be taken for those of
    // the precision that was asked for.
    if (const model::Applied* const precision = model::precisionReadBack(m.applied);
        precision && precision->state == model::AppliedState::requestedNotInEffect)
        m.flags.push_back(model::TrialFlag::precisionNotInEffect);
    m.memory = backendReport.memory;
    result.notes = std::move(backendReport.notes);

    phase(Phase::quality, {});
    // The reference writes the file that all others are compared with, and is then compared with itself.
    if (quality.make) {
        auto kept = writeReference(worker, quality.reference, limits, measuring, stop);
        if (!kept)
            return kept.error();
    }
    auto assessed = assessConfiguration(worker, request, quality.reference, limits, measuring, stop);
    if (!assessed)
        return assessed.error();
    auto& assessment = *assessed;
    m.quality = assessment.quality;
    result.nanCount = assessment.nanCount;
    result.notes.insert(result.notes.end(), assessment.notes.begin(), assessment.notes.end());
    if (!m.quality)
        m.flags.push_back(model::TrialFlag::qualityUnavailable);

    // A worker that fails to release is replaced before the next trial; this one has its result.
    auto released = worker.call({{"t", "release"}, {"session", kSession}}, limits.first, stop);
    // The result stands even when the release failed. Only a stop by the user ends the trial without one.
    if (!released && released.error().cancelled)
        return released.error();
    return result;
}

} // namespace apertune::study
