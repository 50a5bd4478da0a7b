// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace apertune::model {

std::string_view toString(AppliedState state)
{
    switch (state) {
    case AppliedState::on:
        return "on";
    case AppliedState::off:
        return "off";
    case AppliedState::requestedNotInEffect:
        return "requested_not_in_effect";
    case AppliedState::notApplicable:
        return "not_applicable";
    }
    return "off";
}

std::optional<AppliedState> appliedStateFromString(std::string_view text)
{
    for (AppliedState s :
         {AppliedState::on, AppliedState::off, AppliedState::requestedNotInEffect, AppliedState::notApplicable})
        if (toString(s) == text)
            return s;
    return std::nullopt;
}

bool Interval::isWide() const
{
    constexpr double kWide = 0.2;
    return !(std::max(hi - value, value - lo) <= kWide * std::abs(value));
}

void Measurement::addPasses(const std::vector<base::Nanoseconds>& passes)
{
    const std::size_t room = kMostPasses - std::min(kMostPasses, iterations.size());
    iterations.insert(iterations.end(), passes.begin(),
                      passes.begin() + static_cast<std::ptrdiff_t>(std::min(room, passes.size())));
}

void GpuConditions::add(const GpuConditions& later)
{
    if (later.clockLow > 0)
        clockLow = clockLow > 0 ? std::min(clockLow, later.clockLow) : later.clockLow;
    clockHigh = std::max(clockHigh, later.clockHigh);
    powerCap = later.powerCap > 0 ? later.powerCap : powerCap;
    cappedTime += later.cappedTime;
    heatTime += later.heatTime;
    energy += later.energy;
    energyPasses += later.energyPasses;
    energyTime += later.energyTime;
    energyIntegrated = energyIntegrated || later.energyIntegrated;
    otherProcesses = std::max(otherProcesses, later.otherProcesses);
    otherMemory = std::max(otherMemory, later.otherMemory);
    otherLoad = std::max(otherLoad, later.otherLoad);
}

std::optional<double> GpuConditions::energyPerPass() const
{
    if (energyPasses <= 0 || !(energy > 0) || energyTime < kLeastEnergyTime)
        return std::nullopt;
    return energy / static_cast<double>(energyPasses);
}

void Conditions::add(const Conditions& later)
{
    wall += later.wall;
    waited += later.waited;
    span += later.span;
    others += later.others;
    steal += later.steal;
    pressure += later.pressure;
    processors = std::max(processors, later.processors);
    contended += later.contended;
    throttled += later.throttled;
    discarded += later.discarded;
    if (later.clockLow > 0)
        clockLow = clockLow > 0 ? std::min(clockLow, later.clockLow) : later.clockLow;
    clockHigh = std::max(clockHigh, later.clockHigh);
    if (later.driftReading)
        driftReading = later.driftReading;
    if (later.gpu && gpu)
        gpu->add(*later.gpu);
    else if (later.gpu)
        gpu = later.gpu;
}

void Conditions::keepFrom(const Conditions& earlier)
{
    driftReading = earlier.driftReading;
    if (!gpu || !earlier.gpu || gpu->energyPasses > 0)
        return;
    gpu->energy = earlier.gpu->energy;
    gpu->energyPasses = earlier.gpu->energyPasses;
    gpu->energyTime = earlier.gpu->energyTime;
    gpu->energyIntegrated = earlier.gpu->energyIntegrated;
}

} // namespace apertune::model
