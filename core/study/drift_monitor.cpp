// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/drift_monitor.h"

#include "core/base/clock.h"
#include "core/base/hash.h"
#include "core/model/ceilings.h"
#include "core/stats/block_stats.h"
#include "core/study/reasons.h"
#include "core/study/schedule.h"

#include <algorithm>
#include <cmath>

namespace apertune::study {

using base::Nanoseconds;
using worker::WorkerError;

namespace {

constexpr int kBlocks = 8; ///< blocks of a reading; an interval of the median needs six
constexpr model::TrialFlag kFlag = model::TrialFlag::machineDrift;

} // namespace

std::string driftIdentity(const model::Study& study, const model::Device& device, const model::Config& config)
{
    std::string text = model::machineKey(study.environment, device) + '\n' + study.environment.kernel + '\n' +
                       study.environment.apertune + '\n' + device.driver + '\n' + study.model.contentHash + '\n' +
                       model::configHash(config, device.id);
    for (const auto& [name, version] : study.environment.engines)
        text += '\n' + name + ' ' + version;
    for (const auto& [name, value] : study.environment.settings)
        text += '\n' + name + '=' + value;
    return base::sha256(text).substr(0, 16);
}

void DriftMonitor::trialDone(const model::Trial& trial)
{
    ++m_since;
    const int every = m_context.run.limits.driftReadingEvery;
    // A study with few trials left would spend more on readings than they are worth.
    if (m_config || m_failed || every <= 0 || trial.state != model::TrialState::ok ||
        !isReferenceConfiguration(trial.config) || m_context.tracker.open(m_device.id) < every)
        return;
    m_config = trial.config;
    m_since = every; // The first reading comes before the next trial.
}

void DriftMonitor::refresh()
{
    if (!m_config || m_failed || m_context.stop.stop_requested())
        return;
    const Nanoseconds begin = base::monotonicNow();
    if (m_since < m_context.run.limits.driftReadingEvery && begin - m_at < m_context.run.limits.driftReadingTime)
        return;
    const auto status = read();
    m_at = base::monotonicNow();
    m_since = 0;
    m_context.tracker.spend(m_device.id, m_at - begin, {});
    if (status)
        return;
    m_failed = true;
    m_loaded = {};
    if (!status.error().cancelled)
        m_context.tracker.message(base::message<reasons::kDriftStopped>(status.error().reason.message));
}

worker::WorkerStatus DriftMonitor::read()
{
    if (!m_loaded.worker || !m_loaded.worker->alive()) {
        auto opened =
            openConfiguration(m_context.run.launcher,
                              {m_context.study.model.artifact, m_context.study.model.taskType, *m_config, m_device, {}},
                              m_context.run.limits, m_context.stop);
        if (!opened)
            return opened.error();
        m_loaded = std::move(*opened);
    }
    m_loaded.taken = {};
    for (int i = 0; i < kBlocks; ++i)
        if (auto status = measureOneBlock(m_loaded, m_context.run.limits, m_context.stop); !status)
            return status;
    // On a GPU an open session would take memory from the trials that follow.
    if (m_device.type.hasOwnMemory())
        m_loaded.worker.reset();
    const model::Interval latency = stats::medianInterval(m_loaded.nsPerPass());
    if (m_first <= 0)
        m_first = latency.value;
    m_reading = model::DriftReading{driftIdentity(m_context.study, m_device, *m_config), latency.value,
                                    latency.relativeHalfWidth(), latency.value / m_first};
    return {};
}

void DriftMonitor::note(model::Measurement& measurement) const
{
    if (!m_reading)
        return;
    measurement.conditions.driftReading = m_reading;
    const double least = std::max({0.01, m_context.noiseFloor, m_reading->uncertainty});
    if (std::abs(m_reading->change - 1) > least)
        measurement.flags.push_back(kFlag);
}

} // namespace apertune::study
