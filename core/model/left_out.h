// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"

namespace apertune::model {

/// Whether a trial was pruned because the budget did not reach to it, or not to its conversion or compilation. With
/// more time it can be measured.
bool isLeftOutForTime(const Trial& trial);

} // namespace apertune::model
