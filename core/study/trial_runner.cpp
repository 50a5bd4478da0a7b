// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/trial_runner.h"

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/model/base_model.h"
#include "core/model/model_manifest.h"
#include "core/models/errors.h"
#include "core/models/package_source.h"
#include "core/search/grid.h"
#include "core/search/reasons.h"
#include "core/sentences/sentences.h"
#include "core/study/confirmation.h"
#include "core/study/deadline.h"
#include "core/study/errors.h"
#include "core/study/reasons.h"

#include <algorithm>
#include <array>
#include <utility>

namespace apertune::study {

using base::Nanoseconds;
using model::Config;
using model::Reason;
using model::TrialState;
using worker::WorkerError;

namespace {

Nanoseconds measuredTime(const model::Measurement& measurement)
{
    Nanoseconds sum{};
    for (const model::Block& block : measurement.blocks)
        sum += block.wall;
    return sum;
}

Reason compileReason(const base::Error& error)
{
    // The first line is the remedy; what the compiler wrote comes below it.
    std::string detail = sentences::sentence(error.hint);
    if (!error.context.empty())
        detail += (detail.empty() ? "" : "\n") + error.context;
    return model::Reason{model::ReasonKind::compileFailed, error.message, detail};
}

/// Time a sample, relative to O0 fp32, above which measuring a configuration wastes the budget. Noise and the fixed
/// costs of small batches stay well below.
constexpr int kTooSlowRatio = 4;

/// Expected time to convert a model to a format, measured over five models of torchvision on two cores.
struct ConversionTime
{
    std::string_view format;
    Nanoseconds typical;
    double ofParameter; ///< ns more for each parameter
};
constexpr std::array kConversions{ConversionTime{"onnx", base::fromMilliseconds(2500), 200},
                                  ConversionTime{"openvino_ir", base::fromSeconds(3), 50}};

Reason tooSlow(Nanoseconds pass, Nanoseconds limit)
{
    const double ratio = static_cast<double>(pass.count) / static_cast<double>(limit.count) * kTooSlowRatio;
    return model::Reason{model::ReasonKind::tooSlow,
                         base::message<reasons::kTooSlow>(pass, base::formatSignificant(ratio, 2))};
}

/// The engines of the device's open trials that no trial was measured with yet.
std::set<std::string> enginesNotSeen(const SweepContext& context, const std::string& device)
{
    return context.tracker.read([&](const auto& trials) {
        std::set<std::string> seen;
        std::set<std::string> open;
        for (const model::Trial& trial : trials)
            if (trial.device == device && trial.state != TrialState::pruned)
                (model::isFinal(trial.state) ? seen : open).insert(trial.config.backend);
        for (const std::string& engine : seen)
            open.erase(engine);
        return open;
    });
}

/// The rest of a budget beyond the first probes of the engines, which must not wait: the whole of a short budget
/// goes into them on a machine that stays busy.
std::optional<Nanoseconds> beyondFirstProbes(std::optional<Nanoseconds> budget)
{
    constexpr Nanoseconds kFirstProbes = base::fromSeconds(20);
    return budget ? std::optional(std::max(Nanoseconds{}, *budget - kFirstProbes)) : std::nullopt;
}

/// The limits of the first trial. In a budget of wall time it gets as much as each engine that will be seen, and a
/// quarter at most, for the blocks that an interval needs: with longer passes it has fewer blocks.
worker::RunLimits limitsOfFirst(const SweepContext& context, const std::string& device)
{
    worker::RunLimits limits = context.run.limits;
    const auto left = context.tracker.budgetLeft(device);
    if (!limits.everyTrial && left && context.tracker.budgetKind() == model::BudgetKind::wall) {
        // Half of the time is for loading.
        const auto engines = static_cast<std::int64_t>(enginesNotSeen(context, device).size());
        limits.trialMost = std::clamp(Nanoseconds{left->count / (2 * std::max<std::int64_t>(2, engines))},
                                      limits.trialLeast, std::max(limits.trialLeast, limits.trialMost));
    }
    return limits;
}

} // namespace

TrialRunner::TrialRunner(const SweepContext& context, model::Device device, DriftMonitor& driftMonitor)
    : m_context(context), m_device(std::move(device)),
      m_referenceDevice(search::referenceDevice(m_device, m_context.run.devices, m_context.backends)),
      m_driftMonitor(driftMonitor),
      m_quiet(quietAllowance(beyondFirstProbes(context.tracker.budgetLeft(m_device.id)), context.run.limits))
{
}

std::optional<Nanoseconds> TrialRunner::timeLeft() const
{
    return m_context.run.limits.everyTrial ? std::nullopt : m_context.tracker.graceLeft();
}

std::optional<Nanoseconds> TrialRunner::timeOfAttempt() const
{
    const auto left = timeLeft();
    // A study without any trial says nothing, so the first one may take longer than a very short budget.
    return left && m_overheadCount == 0 ? std::max(*left, m_context.run.limits.firstTrial) : left;
}

bool TrialRunner::outOfBudget() const
{
    if (const auto grace = timeLeft(); grace && grace->count <= 0)
        return true;
    // A trial is not started when loading and warm-up would use up the rest. The second one starts in any case, because
    // a single trial has nothing to be compared with.
    const auto left = m_context.tracker.budgetLeft(m_device.id);
    if (m_overheadCount < 2 && m_context.tracker.budgetKind() == model::BudgetKind::wall)
        return false;
    return left && *left <= Nanoseconds{m_overheadCount > 1 ? m_overhead.count / m_overheadCount : 0};
}

void TrialRunner::reserveConfirmation()
{
    const auto budget = m_context.tracker.budget();
    if (!budget || m_context.run.limits.confirmMost.count <= 0)
        return;
    // The confirmation opens every trial several times, so models that load slowly need a larger part of the budget.
    const Nanoseconds opening{m_overhead.count / m_overheadCount};
    const auto share = [&](double part) {
        return Nanoseconds{static_cast<std::int64_t>(part * static_cast<double>(budget->count))};
    };
    const Nanoseconds shortest = confirmationTime(m_context, m_device.id, 2, 2, opening);
    Nanoseconds reserve = std::max({confirmationReserve(*budget, m_context.run.limits),
                                    std::min(share(0.35), confirmationTime(m_context, m_device.id, 3, 3, opening)),
                                    std::min(share(0.5), shortest)});
    // Time that is too short for any confirmation is worth more to the search.
    if (const auto left = m_context.tracker.wholeBudgetLeft();
        left && shortest > *left && m_context.tracker.budgetKind() == model::BudgetKind::wall)
        reserve = {};
    // Which engine is best is what a short budget has to find, so the first probe of the next one goes before the
    // confirmation, where there is time for it.
    constexpr double kSlack = 1.5; // conversions may take longer than expected
    // The first trial opens the reference, too, so its time says too much.
    if (const auto probe = nextFirstProbe(std::min(opening, base::fromSeconds(2)))) {
        const Nanoseconds needed = base::fromSeconds(kSlack * probe->seconds());
        if (const auto left = m_context.tracker.wholeBudgetLeft(); left && *probe < *left)
            reserve = std::min(reserve, std::max(Nanoseconds{}, *left - needed));
    }
    m_context.tracker.reserve(m_device.id, reserve);
}

void TrialRunner::run(std::size_t i, std::optional<MeasuringTime> planned)
{
    m_hasRun = true;
    m_driftMonitor.openAhead();
    m_driftMonitor.refresh(); // A reading costs budget, so it comes before the share is computed.
    Nanoseconds overhead{m_overheadCount > 0 ? m_overhead.count / m_overheadCount : 0};
    const auto left = m_context.tracker.budgetLeft(m_device.id);
    // The time of loading is not known before the first trial; in wall time it counts, so half of the share is for it.
    if (m_overheadCount == 0 && left && m_context.tracker.budgetKind() == model::BudgetKind::wall)
        overhead.count = left->count / (2 * std::max(1, m_context.tracker.open(m_device.id)));
    const Nanoseconds share = measuringTime(left, m_context.tracker.open(m_device.id), overhead,
                                            m_context.run.limits.trialLeast, m_context.run.limits.trialMost);
    m_measuring = planned.value_or(MeasuringTime{share});
    m_measuring.most = std::min(m_measuring.most, share);
    const Config config = m_context.tracker.trial(i).config;
    const Nanoseconds conversion = toConvert(config);
    const bool compiles = toCompile(config).count > 0;
    const Nanoseconds begin = base::monotonicNow();
    Attempt result = attempt(i, false);
    // A crash may have had a cause outside of the configuration, so it is retried once in a fresh worker.
    if (result.end == Attempt::End::crashed) {
        const Nanoseconds compile = result.compile;
        result = m_context.tracker.requeue(i) ? attempt(i, true) : Attempt{Attempt::End::stopped};
        result.compile += compile;
    }
    if (result.end == Attempt::End::stopped)
        return;
    m_makingFiles = result.compile;
    m_conversions.note(conversion, result.compile);
    if (compiles)
        m_compilations.note(m_context.earlier.compile, result.compile);
    // Compiling is counted apart: its result stays in the cache and serves later studies.
    const Nanoseconds spent = base::monotonicNow() - begin - result.compile;
    m_context.tracker.spend(m_device.id, spent, result.compile);
    m_driftMonitor.trialDone(m_context.tracker.trial(i));
    if (m_context.tracker.read([i](const auto& trials) { return trials[i].state == TrialState::ok; })) {
        m_overhead += spent - m_context.tracker.read([i](const auto& t) { return measuredTime(t[i].measurement); });
        ++m_overheadCount;
        reserveConfirmation();
    }
}

TrialRunner::Attempt TrialRunner::attempt(std::size_t i, bool last)
{
    TrialTracker& tracker = m_context.tracker;
    const Config config = tracker.read([i](const auto& trials) { return trials[i].config; });
    Attempt result;
    if (!tracker.lease(i) || !tracker.start(i)) {
        result.end = Attempt::End::stopped;
        return result;
    }
    std::optional<Deadline> deadline(std::in_place, m_context.stop, timeOfAttempt());
    const auto stopped = [&] {
        m_worker.reset();
        static_cast<void>(tracker.requeue(i)); // The attempt ends even when the store refuses.
        result.end = Attempt::End::stopped;
        return result;
    };
    const auto failed = [&](const WorkerError& failure) {
        m_worker.reset(); // State that a failed configuration left behind must not affect the next one.
        if (failure.cancelled && deadline->expired() && !m_context.stop.stop_requested()) {
            tracker.prune(i, model::Reason{model::ReasonKind::budget,
                                           base::message<reasons::kBudgetSpent>(m_context.study.budget)});
            return result;
        }
        if (failure.cancelled || m_context.stop.stop_requested())
            return stopped();
        if (failure.reason.kind == model::ReasonKind::crash && !last) {
            result.end = Attempt::End::crashed;
            return result;
        }
        tracker.finish(i, TrialState::failed, failure.reason, {});
        if (failure.reason.kind == model::ReasonKind::outOfMemory)
            pruneLargerBatches(i);
        return result;
    };

    model::Measurement compiled;
    ConfigurationRequest configuration = request(config);
    configuration.giveUp = giveUp(config);
    if (needsFile(config)) {
        auto file = package(i, m_context.study.model, config, m_device, result, compiled);
        if (!file) {
            if (file.error().code == base::ErrorCode::cancelled || m_context.stop.stop_requested())
                return stopped();
            if (file.error().code == base::ErrorCode::timeout)
                tracker.prune(i, model::Reason{model::ReasonKind::budget, file.error().message,
                                               sentences::sentence(file.error().hint)});
            else
                tracker.finish(i, TrialState::failed, compileReason(file.error()), {});
            return result;
        }
        configuration.package = *file;
        // The first conversion may take longer than the budget. The trial it was made for gets its time all the same.
        deadline.emplace(m_context.stop, timeOfAttempt());
    }

    // The O0 fp32 trial writes the reference itself, unless another device or the model's base has to compute it.
    const References::Key key = referenceKey(config);
    QualityRequest quality;
    const bool ownReference = model::baseArtifact(m_context.study.model).empty();
    quality.make =
        ownReference && !m_referenceDevice && config == reference(config) && m_context.references.known(key) != true;
    if (!quality.make && !m_context.references.known(key))
        ensureReference(i, config, deadline->token());
    if (quality.make || m_context.references.known(key) == true)
        quality.reference = m_context.references.file(key);

    const HostGate::Permit permit(m_context.hostGate, HostGate::Work::measure, m_context.stop);
    if (auto status = ensureWorker(config, deadline->token()); !status)
        return failed(status.error());
    auto reply = runConfiguration(
        *m_worker, configuration, quality,
        m_overheadCount == 0 ? limitsOfFirst(m_context, m_device.id) : m_context.run.limits, m_measuring,
        m_context.target, deadline->token(),
        [&](Phase phase, const base::Message& figure) { tracker.phase(i, phase, figure); }, betweenBlocks());
    if (!reply)
        return failed(reply.error());
    if (quality.make && !reply->gaveUpAt) // A configuration that gave up wrote no outputs.
        m_context.references.set(key, true);

    auto& done = *reply;
    if (done.gaveUpAt) {
        tracker.prune(i, tooSlow(*done.gaveUpAt, configuration.giveUp));
        return result;
    }
    done.measurement.compile = compiled.compile;
    done.measurement.applied.insert(done.measurement.applied.end(), compiled.applied.begin(), compiled.applied.end());
    if (const auto& agreement = done.measurement.quality;
        agreement && !model::keepsQuality(m_context.study.goal, *agreement))
        done.measurement.flags.push_back(model::TrialFlag::belowQualityBound);
    m_driftMonitor.note(done.measurement);
    reportNotes(i, done.notes);
    Reason reason;
    if (done.nanCount > 0)
        reason = model::Reason{model::ReasonKind::notANumber, base::message<reasons::kNotANumber>(done.nanCount)};
    tracker.finish(i, done.nanCount > 0 ? TrialState::failed : TrialState::ok, reason, std::move(done.measurement));
    return result;
}

base::Result<std::filesystem::path> TrialRunner::package(std::size_t i, const model::ModelRef& model,
                                                         const Config& config, const model::Device& device,
                                                         Attempt& attempt, model::Measurement& measurement)
{
    if (!m_context.run.packages)
        return base::Error{base::ErrorCode::unsupported,
                           base::message<reasons::kNothingCompiles>(),
                           {},
                           base::message<models::errors::kNameTorch>()};
    m_context.tracker.phase(i, Phase::compile);
    const Nanoseconds begin = base::monotonicNow();
    const auto observer = [&](const models::ExporterProgress& progress) {
        if (!progress.isLog)
            m_context.tracker.phase(i, Phase::compile, base::foreignText(progress.text));
    };
    // Without any trial a study says nothing, so the first one gets its file however long it takes. Where it fails, the
    // others do not get that time again.
    const bool bounded =
        (m_overheadCount > 0 || m_hasConverted) && m_context.tracker.budgetKind() == model::BudgetKind::wall;
    m_hasConverted = true;
    const auto left = bounded ? m_context.tracker.budgetLeft(m_device.id) : std::nullopt;
    if (auto error = left ? whyNotBegun(config, *left) : std::nullopt)
        return std::move(*error);
    const Deadline deadline(m_context.stop, left);
    std::optional<HostGate::Permit> permit;
    if (!m_context.run.packages->contains(model, config, device))
        permit.emplace(m_context.hostGate, HostGate::Work::compile, deadline.token());
    auto compiled = m_context.run.packages->get(model, config, device, observer, deadline.token());
    permit.reset();
    attempt.compile = base::monotonicNow() - begin;
    if (!compiled && deadline.expired() && !m_context.stop.stop_requested())
        return base::Error{base::ErrorCode::timeout,
                           base::message<reasons::kNotConvertedInTime>(attempt.compile),
                           {},
                           base::message<errors::kGiveMoreBudget>()};
    if (!compiled)
        return compiled.error();
    measurement.compile = compiled->compile;
    if (!compiled->calibration.empty())
        measurement.applied.push_back(
            {std::string(model::Applied::kCalibration), model::AppliedState::on, compiled->calibration});
    return compiled->path;
}

base::Result<std::filesystem::path> TrialRunner::fileOf(std::size_t i, const Config& config)
{
    Attempt ignored;
    model::Measurement compiled;
    return package(i, m_context.study.model, config, m_device, ignored, compiled);
}

worker::WorkerStatus TrialRunner::ensureWorker(const Config& config, const std::stop_token& stop)
{
    if (m_worker && m_worker->alive())
        return {};
    m_worker.reset();
    worker::LaunchRequest launch = launchRequest(request(config));
    launch.writes = {m_context.references.folder()}; // It writes the outputs when the configuration is the reference.
    auto started = worker::WorkerProcess::start(m_context.run.launcher, launch, stop, m_context.run.limits.worker);
    if (!started)
        return started.error();
    m_worker = std::move(*started);
    if (const base::Message problem = m_worker->timerProblem();
        !problem.empty() && m_reportedNotes.insert(sentences::sentence(problem)).second)
        m_context.tracker.message(base::message<reasons::kBadTimers>(problem));
    return {};
}

void TrialRunner::ensureReference(std::size_t i, const Config& config, const std::stop_token& stop)
{
    const References::Key key = referenceKey(config);
    const Config plain = reference(config);
    const model::ModelRef& own = m_context.study.model;
    const model::Device& device = m_referenceDevice ? *m_referenceDevice : m_device;
    ConfigurationRequest configuration = request(plain);
    configuration.device = device;
    std::optional<model::ModelRef> base;
    if (const std::filesystem::path folder = model::baseArtifact(own); !folder.empty()) {
        configuration.artifact = folder;
        if (auto read = model::readManifest(folder))
            base = std::move(*read);
    }
    // Only outputs matter here, so nothing is warmed up.
    worker::RunLimits limits = m_context.run.limits;
    limits.warmUpLeast = {};
    limits.warmUpMost = {};

    m_context.tracker.phase(i, Phase::quality);
    // The reference gets a worker of its own, because the worker of the group serves another configuration.
    std::optional<WorkerError> failure;
    if (needsFile(plain)) {
        Attempt ignored;
        model::Measurement converted;
        if (auto file = package(i, base ? *base : own, plain, device, ignored, converted))
            configuration.package = *file;
        // When the file cannot be made, the worker refuses the configuration and says why.
    }
    worker::LaunchRequest launch = launchRequest(configuration);
    launch.writes = {m_context.references.folder()};
    auto started = worker::WorkerProcess::start(m_context.run.launcher, launch, stop, limits.worker);
    if (!started) {
        failure = started.error();
    } else {
        auto& worker = **started;
        auto prepared = prepareConfiguration(worker, configuration, limits, {}, stop, {});
        if (!prepared) {
            failure = prepared.error();
        } else {
            auto kept = writeReference(worker, m_context.references.file(key), limits, m_measuring.most, stop);
            if (!kept)
                failure = kept.error();
        }
    }
    if (failure && failure->cancelled)
        return;
    m_context.references.set(key, !failure);
    if (failure)
        m_context.tracker.message(
            base::message<reasons::kNoReference>(config.batch, m_device.id, failure->reason.message));
}

void TrialRunner::pruneLargerBatches(std::size_t i)
{
    const auto larger = m_context.tracker.read([&](const std::vector<model::Trial>& trials) {
        std::vector<std::size_t> found;
        const std::string group = model::groupKey(trials[i].config, m_device.id);
        for (std::size_t k = 0; k < trials.size(); ++k)
            if (trials[k].device == m_device.id && trials[k].state == TrialState::queued &&
                trials[k].config.batch > trials[i].config.batch &&
                model::groupKey(trials[k].config, m_device.id) == group)
                found.push_back(k);
        return found;
    });
    const int edge = m_context.tracker.read([i](const auto& trials) { return trials[i].config.batch; });
    for (const std::size_t k : larger)
        m_context.tracker.prune(
            k, model::Reason{model::ReasonKind::batchEdge, base::message<reasons::kBatchOutOfMemory>(edge)});
}

ConfigurationRequest TrialRunner::request(const Config& config) const
{
    return requestFor(m_context.study, config, m_device);
}

BetweenBlocks TrialRunner::betweenBlocks()
{
    BetweenBlocks between;
    between.measureReference = [this] { return m_driftMonitor.measureReference(); };
    if (!m_device.type.isCpu()) // a busy host says little about another device
        return between;
    between.waitForQuiet = [this] {
        m_quiet.wait(m_context.stop,
                     [this] { m_context.tracker.message(base::message<reasons::kWaitingForQuiet>(m_quiet.left())); });
    };
    between.mayRepeat = [this](Nanoseconds time) { return m_quiet.spend(time); };
    return between;
}

Nanoseconds TrialRunner::toConvert(const Config& config) const
{
    const models::PackageSource* packages = m_context.run.packages;
    if (config.isCompiled() || !needsFile(config) || packages->contains(m_context.study.model, config, m_device))
        return {};
    const auto backend = std::find_if(m_context.backends.begin(), m_context.backends.end(),
                                      [&](const search::BackendInfo& info) { return info.name == config.backend; });
    const ConversionTime* time = &kConversions.front();
    if (backend != m_context.backends.end() && !backend->formats.empty())
        for (const ConversionTime& each : kConversions)
            if (each.format == backend->formats.front())
                time = &each;
    const double parameters = static_cast<double>(m_context.study.model.parameters);
    return time->typical + Nanoseconds{static_cast<std::int64_t>(parameters * time->ofParameter)};
}

Nanoseconds TrialRunner::expectedConversion(const Config& config) const
{
    return m_conversions.of(toConvert(config));
}

Nanoseconds TrialRunner::toCompile(const Config& config) const
{
    const models::PackageSource* packages = m_context.run.packages;
    if (!config.isCompiled() || !packages || packages->contains(m_context.study.model, config, m_device))
        return {};
    return m_compilations.of(m_context.earlier.compile);
}

std::optional<base::Error> TrialRunner::whyNotBegun(const Config& config, Nanoseconds left) const
{
    const Nanoseconds compile = toCompile(config);
    const Nanoseconds needed = std::max(compile, expectedConversion(config));
    // Nothing has to be made where it takes no time.
    if (needed.count <= 0 || needed <= left)
        return std::nullopt;
    left = std::max(left, Nanoseconds{});
    return base::Error{base::ErrorCode::timeout,
                       compile.count > 0 ? base::message<search::reasons::kCompileTime>(needed, left)
                                         : base::message<search::reasons::kConvertTime>(needed, left),
                       {},
                       base::message<errors::kGiveMoreBudget>()};
}

void TrialRunner::goOn()
{
    m_hasRun = true;
    m_hasConverted = true;
    m_context.tracker.read([&](const std::vector<model::Trial>& trials) {
        for (const model::Trial& trial : trials)
            if (trial.device == m_device.id && trial.state == TrialState::ok) {
                constexpr Nanoseconds kWorkerStart = base::fromSeconds(1);
                const model::Measurement& m = trial.measurement;
                m_overhead += kWorkerStart + m.load + m.first + m.warmup;
                ++m_overheadCount;
            }
        return 0;
    });
}

bool TrialRunner::hasTimeFor(const Config& config) const
{
    const auto left = m_context.tracker.budgetLeft(m_device.id);
    const Nanoseconds opening{m_overhead.count / std::max(1, m_overheadCount)};
    return !left || (opening < *left && !whyNotBegun(config, *left - opening));
}

std::optional<Nanoseconds> TrialRunner::nextFirstProbe(Nanoseconds opening) const
{
    const std::set<std::string> engines = enginesNotSeen(m_context, m_device.id);
    const std::vector<Config> configs = m_context.tracker.read([&](const auto& trials) {
        std::vector<Config> found;
        for (const model::Trial& trial : trials)
            if (trial.device == m_device.id && engines.contains(trial.config.backend))
                found.push_back(trial.config);
        return found;
    });
    // The cache is asked outside of the tracker, whose lock observers wait for.
    std::optional<Nanoseconds> shortest;
    for (const Config& config : configs) {
        const Nanoseconds probe = expectedConversion(config) + opening;
        shortest = std::min(shortest.value_or(probe), probe);
    }
    return shortest;
}

// Without a budget there is nothing to save. For memory and energy as objectives, a slow configuration may still be the
// best.
Nanoseconds TrialRunner::giveUp(const Config& config) const
{
    if (m_context.run.limits.everyTrial || !m_context.tracker.budgetLeft(m_device.id) ||
        model::asksFor(m_context.study.goal, model::Objective::memory) ||
        model::asksFor(m_context.study.goal, model::Objective::energy))
        return {};
    const double perSample = m_context.tracker.read([&](const std::vector<model::Trial>& trials) {
        // The slowest batch of O0 fp32 is the yardstick, so that no batch is given up for being small.
        double slowest = 0;
        for (const model::Trial& trial : trials)
            if (trial.device == m_device.id && trial.state == TrialState::ok && trial.config.isReference())
                slowest = std::max(slowest, trial.measurement.latencyNs.value / trial.config.batch);
        return slowest;
    });
    return {static_cast<std::int64_t>(kTooSlowRatio * perSample * config.batch)};
}

// Configuration groups share most remarks, so a repeated one is dropped.
void TrialRunner::reportNotes(std::size_t i, const std::vector<base::Message>& notes)
{
    for (const base::Message& note : notes)
        if (m_reportedNotes.insert(sentences::sentence(note)).second)
            m_context.tracker.message(
                base::message<reasons::kNote>(m_context.tracker.names().of(m_context.tracker.trial(i)), note));
}

References::Key TrialRunner::referenceKey(const Config& config) const
{
    return {reference(config).backend, m_device.id, config.batch};
}

Config TrialRunner::reference(const Config& config) const
{
    return search::referenceConfig(config, m_referenceDevice ? *m_referenceDevice : m_device, m_context.backends,
                                   m_context.study.model);
}

bool TrialRunner::needsFile(const Config& config) const
{
    return config.isCompiled() ||
           (m_context.run.packages && m_context.run.packages->needed(m_context.study.model, config));
}

} // namespace apertune::study
