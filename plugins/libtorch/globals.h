// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/request.h"
#include "plugins/support/report.h"

namespace apertune::libtorch {

using plugins::Report;

/// Sets every process-wide switch that a configuration decides, also those that are off: LibTorch's own
/// defaults (TF32 in convolutions) are not those of a level. REQUIRES: before the model is loaded, on the
/// measuring thread; part of the settings belong to the thread.
void applyGlobalSwitches(const Request& request);

/// Reads tf32, cudnn_benchmark and the number of threads back.
void reportGlobalSwitches(const Request& request, Report& report);

} // namespace apertune::libtorch
