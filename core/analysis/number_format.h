// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/names.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace apertune::analysis {

/// The format of the numbers in which a kernel or an operator computes. When operands differ, it is the narrowest one.
enum class NumberFormat : std::uint8_t { unknown, fp64, fp32, tf32, fp16, bf16, fp8, fp4, int8 };

/// "unknown", "fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp4", "int8".
std::string_view toString(NumberFormat format);

/// True for 16 bits or fewer; false for unknown.
bool isNarrow(NumberFormat format);

/// Returns the format that a kernel's name shows: the words of cuBLAS, cuDNN, CUTLASS, Triton, Tensile, MIOpen,
/// Composable Kernel and C++ templates. Unknown when the name shows none.
NumberFormat formatOfKernel(std::string_view name);

/// Returns the narrowest format among the recorded input types of an operator, ["c10::Half", "c10::Half", ""].
/// Quantised integers come before floating-point types. Unknown without any type.
NumberFormat formatOfInputs(std::string_view types);

/// Returns whether a kernel multiplies in tensor (matrix) cores; nullopt when the name does not show it.
/// - True for tokens of the vendors' tactics (imma, hmma, xmma, i88, 884, 1688, 16816, tensorop, wgmma, gmma; mfma on
///   AMD) and for formats that only tensor cores multiply.
/// - False for classes that multiply no matrices, and for the classic kernels of 32 and 64 bits.
std::optional<bool> usesTensorCores(std::string_view name);

} // namespace apertune::analysis
