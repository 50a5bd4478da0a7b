// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <string>

namespace apertune::report {

/// Returns the page about one trial for people: configuration, timing with percentiles, memory, quality, and the
/// settings that took effect.
/// REQUIRES: `trial` belongs to `snapshot`.
std::string trialSheet(const model::StudySnapshot& snapshot, const model::Trial& trial, int width = 0);

} // namespace apertune::report
