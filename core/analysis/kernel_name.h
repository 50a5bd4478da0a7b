// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace apertune::analysis {

/// Returns the short name of a kernel: the last part of its name, and in angle brackets the one template argument that
/// says what it does. Examples: "vectorized_elementwise_kernel<AddFunctor<float>>", "cutlass_80_tensorop_…" for a
/// Kernel.
/// - Wrappers (gpu_kernel_impl, BinaryFunctor, ReduceOp, lambdas) are replaced by what they wrap.
/// - When all arguments are built-in types and numbers, they are kept: "bn_fw_tr_1C11_singleread<float, 512, true>".
/// - Scopes, parameters and return type are dropped.
/// - Of a mangled name the same parts are read: "kentry<FmhaFwdKernel>".
/// - A text that is no C++ name is returned unchanged.
///
/// Linear in the first 4 KiB of the name; the rest is not read.
std::string kernelName(std::string_view full);

} // namespace apertune::analysis
