// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/op_class.h"

#include <optional>
#include <string_view>

namespace apertune::analysis {

/// Returns the class of a kernel that TorchInductor generated, or nullopt for any other kernel. Inductor's names
/// contain the kind of kernel and all operators that it was fused from, sorted: "triton_poi_fused_addmm_gelu_view_26".
/// They include operators whose result the kernel only reads. So "addmm" or "attention" in the name of a pointwise
/// kernel (poi) or a reduction (red, per) means no matrix product; only a template (tem) multiplies. `lowerName` is the
/// name in lower case.
std::optional<OpClass> classifyInductorKernel(std::string_view lowerName);

} // namespace apertune::analysis
