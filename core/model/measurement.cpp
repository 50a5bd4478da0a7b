// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/measurement.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace apertune::model {

const Applied* precisionReadBack(const std::vector<Applied>& applied)
{
    const auto found =
        std::find_if(applied.begin(), applied.end(), [](const Applied& a) { return a.name == Applied::kPrecision; });
    return found == applied.end() ? nullptr : &*found;
}

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
    // Written so that an interval around zero, or with a bound that is no number, is wide.
    return !(std::max(hi - value, value - lo) <= kWide * std::abs(value));
}

void Measurement::addPasses(const std::vector<base::Nanoseconds>& passes)
{
    // Single passes are kept up to a limit, because a fast model makes millions of them.
    const std::size_t room = kMostPasses - std::min(kMostPasses, iterations.size());
    iterations.insert(iterations.end(), passes.begin(),
                      passes.begin() + static_cast<std::ptrdiff_t>(std::min(room, passes.size())));
}

void GpuConditions::add(const GpuConditions& later)
{
    // 0 stands for a clock that was not read and must not become the lowest one.
    if (later.clockLow > 0)
        clockLow = clockLow > 0 ? std::min(clockLow, later.clockLow) : later.clockLow;
    clockHigh = std::max(clockHigh, later.clockHigh);
    powerCap = later.powerCap > 0 ? later.powerCap : powerCap;
    cappedTime += later.cappedTime;
    heatTime += later.heatTime;
    otherProcesses = std::max(otherProcesses, later.otherProcesses);
    otherMemory = std::max(otherMemory, later.otherMemory);
    otherLoad = std::max(otherLoad, later.otherLoad);
}

void Conditions::add(const Conditions& later)
{
    if (!sandbox)
        sandbox = later.sandbox;
    else if (later.sandbox)
        // A layer holds for the whole trial only where it held in every part of it.
        std::erase_if(*sandbox, [&](const std::string& layer) {
            return std::find(later.sandbox->begin(), later.sandbox->end(), layer) == later.sandbox->end();
        });
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
    if (later.energy && energy)
        energy->add(*later.energy);
    else if (later.energy)
        energy = later.energy;
    starts.insert(starts.end(), later.starts.begin(), later.starts.end());
}

void Conditions::keepFrom(const Conditions& earlier)
{
    driftReading = earlier.driftReading;
    if (!energy)
        energy = earlier.energy;
    starts.insert(starts.begin(), earlier.starts.begin(), earlier.starts.end());
}

} // namespace apertune::model
