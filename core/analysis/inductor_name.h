// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/names.h"

#include <optional>
#include <string_view>

namespace apertune::analysis {

/// Returns the class of a kernel that TorchInductor wrote, or nothing for any other kernel.
/// Inductor's names hold the kind of kernel and all operators that it was made from, sorted:
/// "triton_poi_fused_addmm_gelu_view_26". An operator whose result the kernel only reads is among them, so "addmm" or
/// "attention" in the name of a pointwise kernel (poi) or a reduction (red, per) is no product: only a template (tem)
/// multiplies.
/// `lowerName`: the name in lower case.
std::optional<OpClass> classifyInductorKernel(std::string_view lowerName);

} // namespace apertune::analysis
