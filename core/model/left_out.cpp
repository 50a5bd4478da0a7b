// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/left_out.h"

namespace apertune::model {

bool isLeftOutForTime(const Trial& trial)
{
    return trial.state == TrialState::pruned &&
           (trial.reason.kind == ReasonKind::budget || trial.reason.kind == ReasonKind::compileCost);
}

} // namespace apertune::model
