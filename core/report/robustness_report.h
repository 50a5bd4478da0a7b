// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/robustness.h"

#include <string>

namespace apertune::report {

/// Returns a table of the configurations alone and beside the neighbour, and a sentence that says which of them is
/// fastest beside it, for a terminal with `width` columns; no limit when it is 0. `device` is that of the trials.
std::string robustnessText(const model::Robustness& robustness, const model::DeviceType& device, int width = 0);

} // namespace apertune::report
