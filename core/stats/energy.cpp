// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/energy.h"

#include "core/stats/processes.h"

#include <algorithm>
#include <cmath>

namespace apertune::stats {

std::optional<model::Interval> energyOfSample(const model::Conditions& conditions, EnergyPart part)
{
    if (!conditions.energy || conditions.energy->batch <= 0)
        return std::nullopt;
    const model::Energy& energy = *conditions.energy;
    const double idle = part == EnergyPart::aboveIdle ? energy.idleWatts : 0;
    const model::EnergyStretch total = energy.total();
    if (total.passes <= 0 || total.time < model::leastEnergyTime(energy.source) ||
        (part == EnergyPart::aboveIdle && !(idle > 0)))
        return std::nullopt;
    const auto joulesOf = [idle](const model::EnergyStretch& stretch) {
        return stretch.joules - idle * stretch.time.seconds();
    };
    const double samples = static_cast<double>(total.passes) * energy.batch;
    const double ratio = joulesOf(total) / samples;
    if (!(ratio > 0) || !std::isfinite(ratio))
        return std::nullopt;
    const std::size_t count = energy.stretches.size();
    if (count < kEnergyStretches)
        return model::Interval{ratio, ratio, ratio, 0};
    double squares = 0;
    for (const model::EnergyStretch& stretch : energy.stretches) {
        const double residual = joulesOf(stretch) - ratio * static_cast<double>(stretch.passes) * energy.batch;
        squares += residual * residual;
    }
    const auto k = static_cast<double>(count);
    constexpr double kTail = 0.025;
    const double half = studentQuantile(kTail, count - 1) * std::sqrt(squares / (k * (k - 1))) / (samples / k);
    return model::Interval{ratio, std::max(0.0, ratio - half), ratio + half, 1 - 2 * kTail};
}

} // namespace apertune::stats
