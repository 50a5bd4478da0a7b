// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/known_switch.h"
#include "plugins/libtorch/request.h"
#include "plugins/support/report.h"

#include <vector>

namespace apertune::libtorch {

using plugins::Report;

/// The switches that are settings of the whole LibTorch process.
const std::vector<KnownSwitch>& globalSwitches();

/// Sets every process-wide switch, also those that are off, because LibTorch's defaults (TF32 in convolutions) are not
/// those of a level.
///
/// REQUIRES: the model is not loaded yet.
/// REQUIRES: the caller is the measuring thread, because some of the settings belong to the thread.
void applyGlobalSwitches(const Request& request);

/// Reads back the switches of globalSwitches() and the number of threads.
///
/// REQUIRES: the caller is the thread that called applyGlobalSwitches().
void reportGlobalSwitches(const Request& request, Report& report);

} // namespace apertune::libtorch
