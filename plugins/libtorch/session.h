// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/known_switch.h"
#include "plugins/support/backend.h"

#include <vector>

namespace apertune::libtorch {

struct Request;

/// Sets the process-wide switches, loads the model, applies the configuration and makes the input sets. No LibTorch
/// type appears here, so the C glue compiles without LibTorch's headers.
plugins::Opened openSession(const Request& request);

plugins::Description describeBackend();

/// All switches of this backend: the lists of the files that apply them, together.
const std::vector<KnownSwitch>& knownSwitches();

} // namespace apertune::libtorch
