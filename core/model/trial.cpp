// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/trial.h"

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

std::optional<TrialState> trialStateFromString(std::string_view text)
{
    for (int i = 0; i <= static_cast<int>(TrialState::cancelled); ++i)
        if (toString(static_cast<TrialState>(i)) == text)
            return static_cast<TrialState>(i);
    return std::nullopt;
}

bool isFinal(TrialState state)
{
    return state >= TrialState::ok;
}

} // namespace apertune::model
