// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/request.h"
#include "plugins/support/backend.h"

namespace apertune::libtorch {

using plugins::CeilingSamples;
using plugins::MeasuredCeilings;

/// Measures what the device reaches, for about `request.most`. It takes longer where six blocks of a single call do.
///
/// REQUIRES: no session is open.
MeasuredCeilings measureCeilings(const CeilingRequest& request);

} // namespace apertune::libtorch
