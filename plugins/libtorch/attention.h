// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/known_switch.h"
#include "plugins/libtorch/package_info.h"
#include "plugins/libtorch/request.h"
#include "plugins/support/report.h"

#include <functional>
#include <string>
#include <vector>

namespace apertune::libtorch {

/// The switches that choose the kernel of scaled dot-product attention. When none is on, LibTorch chooses. An attention
/// call that the chosen kernel cannot compute runs as plain matrix products.
const std::vector<KnownSwitch>& attentionSwitches();

/// Allows LibTorch only the kernels that the request names. The choice holds for the whole process.
void applyAttentionSwitches(const Request& request);

/// Reports which attention kernels the model calls. `pass` runs one forward pass on this thread, which is observed.
/// An empty `pass` means that the model has no attention.
void reportAttention(const Request& request, const std::function<void()>& pass, plugins::Report& report);

/// Reports the attention kernels of a compiled package, which are the kernels that its code calls.
void reportAttention(const Request& request, const PackageInfo& info, plugins::Report& report);

} // namespace apertune::libtorch
