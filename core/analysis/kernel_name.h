// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace apertune::analysis {

/// Returns the short name of a kernel: the last part of its name, and in angle brackets the template argument that
/// identifies its operation. Examples: "vectorized_elementwise_kernel<AddFunctor<float>>", "cutlass_80_tensorop_…" for
/// a class named Kernel.
///
/// - Wrappers (gpu_kernel_impl, BinaryFunctor, ReduceOp, lambdas) are replaced by their argument.
/// - When all arguments are built-in types and numbers, they are kept: "bn_fw_tr_1C11_singleread<float, 512, true>".
/// - Scopes, parameters and return type are dropped.
/// - Mangled names are shortened in the same way: "kentry<FmhaFwdKernel>".
/// - A text that is no C++ name is returned unchanged.
///
/// Linear in the first 4 KiB of the name; the rest is not read.
std::string kernelName(std::string_view full);

} // namespace apertune::analysis
