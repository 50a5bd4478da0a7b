// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/trial.h"

#include <algorithm>

namespace apertune::model {

std::string_view toString(TrialState state)
{
    switch (state) {
    case TrialState::queued:
        return "queued";
    case TrialState::leased:
        return "leased";
    case TrialState::running:
        return "running";
    case TrialState::ok:
        return "ok";
    case TrialState::failed:
        return "failed";
    case TrialState::pruned:
        return "pruned";
    case TrialState::cancelled:
        return "cancelled";
    }
    return "failed";
}

bool isFinal(TrialState state)
{
    return state >= TrialState::ok;
}

const Trial* findTrial(const std::vector<Trial>& trials, TrialId id)
{
    const auto at = std::find_if(trials.begin(), trials.end(), [id](const Trial& trial) { return trial.id == id; });
    return at == trials.end() ? nullptr : &*at;
}

} // namespace apertune::model
