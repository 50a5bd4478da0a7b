// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/names.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace apertune::analysis {

/// The format of the numbers that a kernel or an operator computes with: of the narrowest operand where they differ.
enum class NumberFormat : std::uint8_t { unknown, fp64, fp32, tf32, fp16, bf16, fp8, fp4, int8 };

/// "unknown", "fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp4", "int8".
std::string_view toString(NumberFormat format);

/// 16 bits or fewer; false for unknown.
bool isNarrow(NumberFormat format);

/// Told by the name of a kernel: the words of cuBLAS, cuDNN, CUTLASS, Triton, Tensile, MIOpen, Composable Kernel and of
/// C++ templates. Unknown where the name does not tell.
NumberFormat formatOfKernel(std::string_view name);

/// Told by the recorded input types of an operator, ["c10::Half", "c10::Half", ""]: the narrowest floating-point type,
/// quantised integers before them. Unknown without any.
NumberFormat formatOfInputs(std::string_view types);

/// Does a kernel multiply in tensor (matrix) cores? Told by the tokens of the vendors' tactics (imma, hmma, xmma, i88,
/// 884, 1688, 16816, tensorop, wgmma, gmma; mfma on AMD) and by formats that nothing else multiplies; false for classes
/// that multiply no matrices and for the classic kernels of 32 and 64 bits. Nothing where the name does not tell.
std::optional<bool> usesTensorCores(std::string_view name);

} // namespace apertune::analysis
