// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/request.h"
#include "plugins/support/backend.h"

namespace apertune::libtorch {

using plugins::CeilingSamples;
using plugins::MeasuredCeilings;

/// Takes about `request.most`, longer only where six blocks of a single call each do. REQUIRES: no session is open.
MeasuredCeilings measureCeilings(const CeilingRequest& request);

} // namespace apertune::libtorch
