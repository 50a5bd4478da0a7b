// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/break_even.h"

#include "core/comparison/reasons.h"
#include "core/text/format.h"

#include <algorithm>
#include <cmath>

namespace apertune::comparison {

namespace {

/// Rounds up to two digits: 12 345 gives 13 000. More digits would claim a precision that the intervals do not have.
double roundedUp(double passes)
{
    const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(std::max(1.0, passes))) - 1));
    return std::ceil(passes / unit) * unit;
}

std::string rounded(double passes)
{
    return text::formatGrouped(roundedUp(passes), 0);
}

} // namespace

std::optional<double> BreakEven::shownPasses() const
{
    return passes > 0 && hi ? std::optional(roundedUp(passes)) : std::nullopt;
}

std::optional<BreakEven> breakEven(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    const auto isMeasured = [](const model::Trial& t) { return t.state == model::TrialState::ok; };
    if (!isMeasured(trial) || !trial.measurement.compile || trial.measurement.compile->count <= 0)
        return std::nullopt;
    const model::Trial* best = nullptr;
    for (const model::Trial& other : snapshot.trials)
        if (isMeasured(other) && !other.measurement.compile && other.device == trial.device &&
            other.measurement.conditions.machine == trial.measurement.conditions.machine &&
            // Only an uncompiled trial of the same batch on the same device is what a user would run instead.
            other.config.batch == trial.config.batch &&
            (!best || other.measurement.latencyNs.value < best->measurement.latencyNs.value))
            best = &other;
    if (!best)
        return std::nullopt;
    const auto compile = static_cast<double>(trial.measurement.compile->count);
    const model::Interval& trialTime = trial.measurement.latencyNs;
    const model::Interval& otherTime = best->measurement.latencyNs;
    BreakEven found;
    found.against = best->id;
    // A compiled trial that is not faster never earns its time back.
    if (otherTime.value > trialTime.value)
        found.passes = compile / (otherTime.value - trialTime.value);
    // The ends of the interval come from the far ends of the two times.
    if (otherTime.hi > trialTime.lo)
        found.lo = compile / (otherTime.hi - trialTime.lo);
    if (otherTime.lo > trialTime.hi)
        found.hi = compile / (otherTime.lo - trialTime.hi);
    return found;
}

base::Message breakEvenMessage(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    const auto found = breakEven(snapshot, trial);
    if (!found)
        return {};
    const std::string other = text::ConfigurationNames(snapshot).shortName(*snapshot.find(found->against));
    if (found->neverPays())
        return base::message<reasons::kNeverPaysOff>(other);
    if (!found->shownPasses())
        return base::message<reasons::kMayNeverPayOff>(other);
    return base::message<reasons::kPaysOffAfter>(rounded(found->passes), rounded(found->lo), rounded(*found->hi),
                                                 other);
}

} // namespace apertune::comparison
