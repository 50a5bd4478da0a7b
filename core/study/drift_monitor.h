// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"
#include "core/study/loaded_configuration.h"
#include "core/study/sweep_context.h"

#include <optional>
#include <string>

namespace apertune::study {

/// The configuration of a device that is measured now and then to tell the machine's speed. One thread.
class DriftMonitor
{
public:
    DriftMonitor(const SweepContext& context, const model::Device& device) : m_context(context), m_device(device) {}

    /// After a trial: may become the drift reading, and counts.
    void trialDone(const model::Trial& trial);
    /// Before a trial: measures when it is time to. A drift reading that fails is given up, with a message.
    void refresh();
    /// Notes the latest reading in a finished trial's measurement, with the flag "machine_drift" when the change since
    /// the study's first is beyond its uncertainty, 1 % and the noise floor.
    void note(model::Measurement& measurement) const;

private:
    worker::WorkerStatus read();

    const SweepContext& m_context;
    const model::Device& m_device;
    std::optional<model::Config> m_config;
    LoadedConfiguration m_live; ///< closed after each reading where the device has memory of its own
    std::optional<model::DriftReading> m_reading;
    double m_first = 0;
    int m_since = 0;
    base::Nanoseconds m_at{};
    bool m_failed = false;
};

/// What drift readings of equal configurations on equal machines have in common.
std::string driftIdentity(const model::Study& study, const model::Device& device, const model::Config& config);

} // namespace apertune::study
