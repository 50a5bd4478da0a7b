// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/trial_flags.h"

#include <algorithm>

namespace apertune::comparison {

using model::TrialFlag;

bool hasFlag(const model::Trial& trial, TrialFlag flag)
{
    const std::vector<TrialFlag>& flags = trial.measurement.flags;
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

bool wasDisturbed(const model::Trial& trial)
{
    return hasFlag(trial, TrialFlag::contended) || hasFlag(trial, TrialFlag::sharedGpu);
}

} // namespace apertune::comparison
