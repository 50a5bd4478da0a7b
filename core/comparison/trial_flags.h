// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"

namespace apertune::comparison {

/// Questions about the flags of a measured trial. Private to this folder. Pure.

bool hasFlag(const model::Trial& trial, model::TrialFlag flag);

/// Whether other programs disturbed the measurement.
bool wasDisturbed(const model::Trial& trial);

} // namespace apertune::comparison
