// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/csrc/jit/api/module.h>

namespace apertune::libtorch {

/// Replaces aten::_convolution in all methods of the module by the operators that programs call: aten::conv2d and its
/// kin. A trace keeps cuDNN's settings of its moment (benchmark, TF32) as arguments of aten::_convolution, so the
/// settings of this process would have no effect on it.
///
/// A convolution whose dimensions or direction are not in the graph is not changed.
///
/// REQUIRES: no method of the module has run yet.
/// REQUIRES: torch::jit::FoldConvBatchNorm() comes before, if at all. It looks for aten::_convolution, and folds a
/// convolution without bias wrongly where it finds another operator.
void followProcessSettings(const torch::jit::Module& module);

} // namespace apertune::libtorch
