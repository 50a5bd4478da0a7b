// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/robustness.h"
#include "core/model/study.h"

#include <optional>
#include <string>

namespace apertune::report {

/// Returns a table of the configurations alone and beside the competing program, and a sentence that says which of them
/// is fastest beside it, for a terminal with `width` columns; no limit when it is 0. `snapshot` is the study of the
/// trials.
std::string robustnessText(const model::Robustness& robustness, const model::StudySnapshot& snapshot, int width = 0);

/// The same for resources/report/robustness.mustache; null when nothing was measured.
base::Json robustnessValues(const std::optional<model::Robustness>& robustness, const model::StudySnapshot& snapshot);

} // namespace apertune::report
