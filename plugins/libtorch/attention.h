// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/package.h"
#include "plugins/libtorch/request.h"
#include "plugins/support/report.h"

#include <functional>
#include <string>
#include <vector>

namespace apertune::libtorch {

/// The switches that name the kernel of scaled dot-product attention. Without any LibTorch chooses; with one, what it
/// is not possible for is computed by plain products all the same.
const std::vector<KnownSwitch>& attentionSwitches();

/// Leaves LibTorch the kernels that the request names. The choice belongs to the process.
void applyAttentionSwitches(const Request& request);

/// Says which kernels compute attention: those that `pass`, one forward pass on this thread, calls. Without a pass the
/// model has no attention.
void reportAttention(const Request& request, const std::function<void()>& pass, plugins::Report& report);

/// The same of a compiled package, by the kernels that its code calls.
void reportAttention(const Request& request, const PackageInfo& info, plugins::Report& report);

} // namespace apertune::libtorch
