// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/package.h"
#include "plugins/support/report.h"

#include <string>

namespace apertune::libtorch {

/// Reports under "precision" whether a quantized package really computes its layers in int8. The evidence is the calls
/// in its generated code; a call counts only if the loaded `library` imports its kernel.
void reportInt8(const PackageInfo& info, const std::string& library, plugins::Report& report);

} // namespace apertune::libtorch
