// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/energy.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace apertune::worker {

/// A reading of the energy of a device.
struct EnergyReading
{
    base::Nanoseconds at{};
    std::optional<double> joules{}; ///< a growing counter
    double watts = 0;               ///< power of this moment; 0: unknown
};

/// Sums up the readings of a measurement, which come in pairs around blocks, into stretches of at least
/// model::kLeastEnergyStretch. A pure function of its readings.
///
/// A stretch ends at a reading in which the counter has been renewed, so that it lacks at most the last block of it.
/// The time between blocks counts: a counter that lags shows the work of a block after it.
class EnergySum
{
public:
    /// `counter` is the source of readings that have a counter.
    explicit EnergySum(model::EnergySource counter) : m_counter(counter) {}

    /// Adds the readings right before and after a block of `passes` passes, those under the device's clock included.
    void add(const EnergyReading& before, const EnergyReading& after, std::int64_t passes);

    /// Returns what was measured; nullopt where nothing was reported, or for less than model::leastEnergyTime(). What
    /// is shorter than a stretch at the end belongs to the last one.
    std::optional<model::Energy> result() const;

private:
    model::EnergySource m_counter;
    bool m_integrated = false;
    bool m_broken = false; ///< a reading is missing, so the sum is none
    std::optional<EnergyReading> m_last;
    model::EnergyStretch m_open; ///< the stretch that has not ended
    std::vector<model::EnergyStretch> m_stretches;
};

/// Returns the mean power between two readings in watts; 0 where it is unknown.
double powerBetween(const EnergyReading& before, const EnergyReading& after);

} // namespace apertune::worker
