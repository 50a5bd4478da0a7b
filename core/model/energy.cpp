// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/energy.h"

namespace apertune::model {

std::string_view toString(EnergySource source)
{
    switch (source) {
    case EnergySource::gpuCounter:
        return "gpu_counter";
    case EnergySource::gpuPower:
        return "gpu_power";
    case EnergySource::packages:
        break;
    }
    return "packages";
}

std::optional<EnergySource> energySourceFromString(std::string_view text)
{
    for (const EnergySource source : {EnergySource::gpuCounter, EnergySource::gpuPower, EnergySource::packages})
        if (toString(source) == text)
            return source;
    return std::nullopt;
}

void Energy::add(const Energy& later)
{
    // Readings of power are the weaker source, so what holds some of them is named by them.
    if (later.source == EnergySource::gpuPower)
        source = later.source;
    stretches.insert(stretches.end(), later.stretches.begin(), later.stretches.end());
    if (idleWatts <= 0)
        idleWatts = later.idleWatts;
}

EnergyStretch Energy::total() const
{
    EnergyStretch sum;
    for (const EnergyStretch& stretch : stretches) {
        sum.joules += stretch.joules;
        sum.passes += stretch.passes;
        sum.time += stretch.time;
    }
    return sum;
}

base::Nanoseconds leastEnergyTime(EnergySource source)
{
    // With a second, the lag of the readings is at most a tenth of the time.
    return source == EnergySource::packages ? kLeastEnergyStretch : base::Nanoseconds{1'000'000'000};
}

} // namespace apertune::model
