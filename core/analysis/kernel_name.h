// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace apertune::analysis {

/// A kernel as people tell it from others: the last part of its name and, in angle brackets, the one template argument
/// that says what it does: "vectorized_elementwise_kernel<AddFunctor<float>>", "cutlass_80_tensorop_…" of a Kernel.
/// Wrappers (gpu_kernel_impl, BinaryFunctor, ReduceOp, lambdas) give way to what they wrap; where all arguments are
/// types of the language and numbers, those are kept: "bn_fw_tr_1C11_singleread<float, 512, true>". No scopes,
/// parameters and return type. What is no C++ name comes back as it is. Linear in its first 4 KiB; the rest of a longer
/// one is not read.
std::string kernelName(std::string_view full);

} // namespace apertune::analysis
