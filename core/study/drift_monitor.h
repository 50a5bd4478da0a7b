// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"
#include "core/study/loaded_configuration.h"
#include "core/study/sweep_context.h"

#include <optional>
#include <string>

namespace apertune::study {

/// Follows the speed of a device during a sweep: one configuration (the first O0 fp32 that was measured) is measured
/// again every RunLimits::driftReadingEvery trials or driftReadingTime. One thread.
class DriftMonitor
{
public:
    /// `context` and `device` must outlive this object.
    DriftMonitor(const SweepContext& context, const model::Device& device) : m_context(context), m_device(device) {}

    /// Call after a trial. The trial is counted, and may become the configuration of the readings.
    void trialDone(const model::Trial& trial);
    /// Call before a trial. Takes a reading when one is due; its time counts against the budget. After a failed reading
    /// there are no more, and a message says so.
    void refresh();
    /// Stores the latest reading in a measurement. Sets the flag "machine_drift" when the change since the study's
    /// first reading exceeds the reading's uncertainty, 1 % and the noise floor.
    void note(model::Measurement& measurement) const;

private:
    worker::WorkerStatus read();

    const SweepContext& m_context;
    const model::Device& m_device;
    std::optional<model::Config> m_config;
    LoadedConfiguration m_loaded; ///< stays open between readings, unless the device has memory of its own
    std::optional<model::DriftReading> m_reading;
    double m_first = 0;       ///< latency of the first reading, nanoseconds a pass
    int m_since = 0;          ///< trials since the last reading
    base::Nanoseconds m_at{}; ///< time of the last reading
    bool m_failed = false;
};

/// Key by which drift readings of different studies are comparable: a hash of machine, kernel, driver, Apertune,
/// model, configuration, versions of the engines and settings.
std::string driftIdentity(const model::Study& study, const model::Device& device, const model::Config& config);

} // namespace apertune::study
