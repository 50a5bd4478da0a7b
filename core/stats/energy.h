// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"

#include <optional>

namespace apertune::stats {

/// Which part of a device's energy a figure holds.
enum class EnergyPart {
    whole,    ///< everything that the device took while the configuration ran
    aboveIdle ///< `whole` without what the device took before the model was loaded, over the same time
};

/// Returns the energy of a sample in joules; nullopt where it is unknown, covers less than model::leastEnergyTime(), or
/// would be negative, and for `aboveIdle` where the idle power is unknown.
///
///  - The value is the ratio estimator ΣE / ΣN over the stretches, with N samples each: the energy of all samples over
///    their number.
///  - The interval is Student's t with K − 1 degrees of freedom on the residuals Eₖ − r·Nₖ (Cochran, Sampling
///    Techniques, 3rd ed., 1977, 6.4), which takes stretches as batch means (Law, Simulation Modeling and Analysis,
///    9.5.3). The delay of a counter is an error with opposite signs in neighbours, so it makes the interval wider
///    than needed, never narrower.
///  - Below kEnergyStretches stretches there is no interval (confidence 0). The idle power counts as exact.
std::optional<model::Interval> energyOfSample(const model::Conditions& conditions, EnergyPart part = EnergyPart::whole);

inline constexpr std::size_t kEnergyStretches = 3; ///< fewest stretches that allow an interval

} // namespace apertune::stats
