// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_ref.h"

namespace apertune::exports {

/// Recognizes models that return boxes with a score for each. The ranks of boxes change with the last digit of a score,
/// so a comparison value by value says nothing. Exported programs then verify only the time and that no value is NaN.
bool givesDetections(const model::ModelRef& model);

} // namespace apertune::exports
