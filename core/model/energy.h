// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace apertune::model {

/// Where the energy of a measurement was read.
enum class EnergySource {
    gpuCounter, ///< the GPU's own counter of energy (NVML): the whole card with its memory
    gpuPower,   ///< the GPU's readings of power, integrated by the trapezoidal rule: it has no counter
    packages    ///< the counters of all processor packages (RAPL), without the host's memory
};
std::string_view toString(EnergySource source); ///< "gpu_counter", "gpu_power", "packages"
std::optional<EnergySource> energySourceFromString(std::string_view text);

/// The energy of a stretch of a measurement: blocks in a row, with the time between them.
struct EnergyStretch
{
    double joules = 0;
    std::int64_t passes = 0;
    base::Nanoseconds time{};
};

/// The energy that a device took while a configuration was measured, all blocks included. It is everything that the
/// device took: its idle power, and the work of other programs on it.
struct Energy
{
    EnergySource source = EnergySource::packages;
    int batch = 0; ///< samples of a pass; 0: not recorded
    std::vector<EnergyStretch> stretches{};
    double idleWatts = 0; ///< power right before the model was loaded; 0: unknown

    /// Appends the stretches of a later measurement of the same configuration.
    void add(const Energy& later);
    /// The sum of all stretches.
    EnergyStretch total() const;
};

/// A stretch lasts at least so long. Counters are renewed every millisecond (packages) to every 0.1 s (GPUs).
inline constexpr base::Nanoseconds kLeastEnergyStretch{100'000'000};

/// The least time of a measurement whose energy means anything: a GPU's readings lag by up to 0.1 s and belong to what
/// ran before.
base::Nanoseconds leastEnergyTime(EnergySource source);

} // namespace apertune::model
