// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/package.h"
#include "plugins/support/report.h"

#include <string>

namespace apertune::libtorch {

/// Says under "precision" whether a quantized package really computes its layers in int8: by the calls in its generated
/// code, of which only those count whose kernels the loaded `library` imports.
void reportInt8(const PackageInfo& info, const std::string& library, plugins::Report& report);

} // namespace apertune::libtorch
