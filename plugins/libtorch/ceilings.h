// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/request.h"
#include "plugins/support/backend.h"

namespace apertune::libtorch {

using plugins::CeilingSamples;
using plugins::MeasuredCeilings;

/// Measures the peak rates of the device, for about `request.most`. It takes longer when six blocks of a single call
/// do.
///
/// REQUIRES: no session is open.
MeasuredCeilings measureCeilings(const CeilingRequest& request);

} // namespace apertune::libtorch
