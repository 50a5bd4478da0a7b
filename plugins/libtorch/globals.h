// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/request.h"
#include "plugins/support/report.h"

#include <vector>

namespace apertune::libtorch {

using plugins::Report;

/// The switches that are LibTorch's own settings of the process.
const std::vector<KnownSwitch>& globalSwitches();

/// Sets every process-wide switch that a configuration decides, also those that are off: LibTorch's own
/// defaults (TF32 in convolutions) are not those of a level. REQUIRES: before the model is loaded, on the
/// measuring thread; part of the settings belong to the thread.
void applyGlobalSwitches(const Request& request);

/// Reads tf32, cudnn_benchmark and the number of threads back.
void reportGlobalSwitches(const Request& request, Report& report);

} // namespace apertune::libtorch
