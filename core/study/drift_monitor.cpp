// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/drift_monitor.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/model/ceilings.h"
#include "core/models/package_source.h"
#include "core/stats/block_stats.h"
#include "core/stats/undisturbed_time.h"
#include "core/study/reasons.h"
#include "core/study/schedule.h"

#include <algorithm>
#include <cmath>
#include <semaphore>

namespace apertune::study {

using base::Nanoseconds;
using worker::WorkerError;

namespace {

constexpr int kBlocks = 8;                         ///< blocks of a reading; an interval of the median needs six
constexpr double kUncertaintyOfFewReadings = 0.05; ///< uncertainty of fewer readings than have an interval
constexpr model::TrialFlag kMachineDrift = model::TrialFlag::machineDrift;

double uncertaintyOf(const model::Interval& latency)
{
    return latency.confidence > 0 ? latency.relativeHalfWidth() : kUncertaintyOfFewReadings;
}

} // namespace

std::string driftIdentity(const model::Study& study, const model::Device& device, const model::Config& config)
{
    // Everything that changes the reference's speed for other reasons than drift is part of the identity; readings of
    // different identities are not compared.
    std::string text = model::machineKey(study.environment, device) + '\n' + study.environment.kernel + '\n' +
                       study.environment.apertune + '\n' + device.driver + '\n' + study.model.contentHash + '\n' +
                       model::configHash(config, device.id);
    for (const auto& [name, version] : study.environment.engines)
        text += '\n' + name + ' ' + version;
    for (const auto& [name, value] : study.environment.settings)
        text += '\n' + name + '=' + value;
    // Sixteen digits are enough to tell apart the machines of a workspace, and short enough to read.
    return base::sha256(text).substr(0, 16);
}

std::optional<model::Config> firstReference(const std::vector<model::Trial>& trials, const std::string& device)
{
    std::optional<model::Config> found;
    for (const model::Trial& trial : trials)
        if (trial.device == device && trial.state != model::TrialState::pruned && trial.config.isReference() &&
            // The smallest batch makes the cheapest reference turn.
            (!found || (trial.config.backend == found->backend && trial.config.batch < found->batch)))
            found = trial.config;
    return found;
}

DriftMonitor::DriftMonitor(const SweepContext& context, const model::Device& device)
    : m_context(context), m_device(device)
{
    const int every = context.run.limits.driftReadingEvery;
    if (isInterleaved() || every <= 0)
        return;
    // Without turns, a given reference is read before the first trial.
    m_config = givenReference();
    m_since = every;
}

std::optional<model::Config> DriftMonitor::givenReference() const
{
    if (!m_context.driftReferences)
        return std::nullopt;
    const auto given = m_context.driftReferences->find(m_device.id);
    return given == m_context.driftReferences->end() ? std::nullopt : std::optional(given->second);
}

bool DriftMonitor::isInterleaved() const
{
    // A reference that stays resident would take memory that the trials of such a device need.
    return m_context.run.limits.driftReadingEvery > 0 && !m_device.type.hasOwnMemory();
}

void DriftMonitor::chooseReference()
{
    m_config = givenReference();
    if (!m_config)
        m_config = m_context.tracker.read(
            [&](const std::vector<model::Trial>& trials) { return firstReference(trials, m_device.id); });
    if (m_config && m_device.type.isCpu())
        // With one thread, its time does not depend on how the scheduler shares out the processors.
        m_config->threads = 1;
}

ConfigurationRequest DriftMonitor::request() const
{
    return requestFor(m_context.study, *m_config, m_device);
}

void DriftMonitor::openAhead()
{
    constexpr Nanoseconds kShort = base::fromSeconds(60);
    const auto budget = m_context.tracker.budget();
    if (!isInterleaved() || m_opener.joinable() || m_loaded.worker || !budget || *budget > kShort ||
        m_context.tracker.budgetKind() != model::BudgetKind::wall)
        return;
    if (!m_config)
        chooseReference();
    models::PackageSource* const packages = m_context.run.packages;
    if (!m_config || (packages && packages->needed(m_context.study.model, *m_config)))
        return;
    std::promise<worker::WorkerReply<LoadedConfiguration>> opened;
    m_opening = opened.get_future();
    m_opener = std::jthread([&run = m_context.run, request = request(), stop = m_context.stop,
                             opened = std::move(opened)](const std::stop_token& end) mutable {
        // Opening ends with the study, and when the monitor ends before it.
        std::stop_source either;
        const auto endOpening = [&either] { either.request_stop(); };
        const std::stop_callback onStop(stop, endOpening);
        const std::stop_callback onEnd(end, endOpening);
        opened.set_value(openConfiguration(run.launcher, request, run.limits, either.get_token()));
        // The kernel kills the worker when the thread that started it ends.
        std::binary_semaphore over(0);
        const std::stop_callback wake(end, [&over] { over.release(); });
        over.acquire();
    });
}

worker::WorkerStatus DriftMonitor::open()
{
    // A worker that died is started again.
    if (m_loaded.worker && m_loaded.worker->alive())
        return {};
    if (m_opening.valid()) {
        auto opened = m_opening.get();
        if (!opened)
            return opened.error();
        m_loaded = std::move(*opened);
        return {};
    }
    ConfigurationRequest request = this->request();
    models::PackageSource* const packages = m_context.run.packages;
    if (packages && packages->needed(m_context.study.model, *m_config)) {
        auto package = packages->get(m_context.study.model, *m_config, m_device, {}, m_context.stop);
        if (!package)
            return WorkerError{model::Reason{model::ReasonKind::compileFailed, package.error().message}};
        request.package = package->path;
    }
    auto opened = openConfiguration(m_context.run.launcher, request, m_context.run.limits, m_context.stop);
    if (!opened)
        return opened.error();
    m_loaded = std::move(*opened);
    return {};
}

void DriftMonitor::giveUp(const WorkerError& failure)
{
    // Without a reference the study goes on, only without knowing its drift.
    m_failed = true;
    m_loaded = {};
    if (!failure.cancelled)
        m_context.tracker.message(base::message<reasons::kDriftStopped>(failure.reason.message));
}

std::optional<double> DriftMonitor::measureReference()
{
    if (!isInterleaved() || m_failed || m_context.stop.stop_requested())
        return std::nullopt;
    if (!m_config)
        chooseReference();
    if (!m_config) {
        m_failed = true; // a study without O0 fp32 has no reference, and nothing went wrong
        return std::nullopt;
    }
    auto status = open();
    // Blocks of earlier reference turns are not needed any more.
    m_loaded.taken = {};
    if (status)
        status = measureOneBlock(m_loaded, m_context.run.limits, m_context.stop);
    if (!status) {
        giveUp(status.error());
        return std::nullopt;
    }
    const double pass =
        stats::undisturbedNs(m_loaded.taken.blocks.back(), m_device.type.isCpu() ? m_config->threads : 0);
    // All later speeds are compared with the first one.
    if (m_first <= 0)
        m_first = pass;
    if (m_beginning.size() < kBlocks)
        m_beginning.push_back(pass);
    return pass;
}

void DriftMonitor::trialDone(const model::Trial& trial)
{
    ++m_since;
    const int every = m_context.run.limits.driftReadingEvery;
    // A device without reference turns takes its reference from the sweep, and only where enough trials follow to make
    // readings worth their time.
    if (isInterleaved() || m_config || m_failed || every <= 0 || trial.state != model::TrialState::ok ||
        !trial.config.isReference() || m_context.tracker.open(m_device.id) < every)
        return;
    m_config = trial.config;
    m_since = every; // its first reading comes before the next trial
}

void DriftMonitor::refresh()
{
    if (isInterleaved() || !m_config || m_failed || m_context.stop.stop_requested())
        return;
    const Nanoseconds begin = base::monotonicNow();
    if (m_since < m_context.run.limits.driftReadingEvery && begin - m_at < m_context.run.limits.driftReadingTime)
        return;
    const auto status = readSeveral();
    m_at = base::monotonicNow();
    m_since = 0;
    // Readings are paid from the device's budget.
    m_context.tracker.spend(m_device.id, m_at - begin, {});
    if (!status)
        giveUp(status.error());
}

worker::WorkerStatus DriftMonitor::readSeveral()
{
    if (auto status = open(); !status)
        return status;
    m_loaded.taken = {};
    for (int i = 0; i < kBlocks; ++i)
        if (auto status = measureOneBlock(m_loaded, m_context.run.limits, m_context.stop); !status)
            return status;
    // The worker is closed so that its memory is free for the next trial.
    m_loaded.worker.reset();
    const std::vector<double> passes = m_loaded.nsPerPass();
    const model::Interval latency = stats::medianInterval(passes);
    if (m_first <= 0) {
        m_first = latency.value;
        m_beginning = passes;
    }
    m_reading = reading(passes);
    return {};
}

model::DriftReading DriftMonitor::reading(const std::vector<double>& passNs) const
{
    const model::Interval latency = stats::medianInterval(passNs);
    return {driftIdentity(m_context.study, m_device, *m_config), latency.value, uncertaintyOf(latency),
            latency.value / stats::medianInterval(m_beginning).value};
}

void DriftMonitor::note(model::Measurement& measurement) const
{
    std::optional<model::DriftReading> reading = m_reading;
    std::vector<double> times;
    for (const model::Block& block : measurement.blocks)
        if (block.referenceNs > 0)
            times.push_back(block.referenceNs);
    // Turns beside the trial say more about it than a reading some trials ago.
    if (!times.empty() && m_config && !m_beginning.empty())
        reading = this->reading(times);
    if (!reading)
        return;
    measurement.conditions.driftReading = reading;
    // A change must exceed what two readings differ by anyway, and one per cent in any case.
    const double least =
        std::max({0.01, m_context.noiseFloor,
                  std::hypot(reading->uncertainty, uncertaintyOf(stats::medianInterval(m_beginning)))});
    // A trial that is measured again may have lost its reason for the flag.
    std::erase(measurement.flags, kMachineDrift);
    if (std::abs(reading->change - 1) > least)
        measurement.flags.push_back(kMachineDrift);
}

} // namespace apertune::study
