// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <string>

namespace apertune::report {

/// Returns one row per trial with raw values. The header has the units.
std::string studyCsv(const model::StudySnapshot& snapshot);

} // namespace apertune::report
