// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace apertune::model {

/// Arithmetic of the model's floating-point tensors. tf32 is fp32 storage with TensorFloat-32 products
/// (CUDA, compute capability 8.0 and later); fp8 is weights in float8_e4m3fn beside bf16 arithmetic (CUDA, compute
/// capability 8.9 and later). Stored by value: never renumber.
enum class Precision { fp32 = 0, tf32 = 1, bf16 = 2, fp16 = 3, int8 = 4, fp8 = 5 };

/// Documented starting points, see switches.h. Stored by value: never renumber.
enum class OptLevel { o0 = 0, o1 = 1, o2 = 2, o3 = 3 };

inline constexpr std::array kAllPrecisions{Precision::fp32, Precision::tf32, Precision::bf16,
                                           Precision::fp16, Precision::int8, Precision::fp8};
inline constexpr std::array kAllLevels{OptLevel::o0, OptLevel::o1, OptLevel::o2, OptLevel::o3};

std::string_view toString(Precision precision); ///< "fp32", …
std::string_view toString(OptLevel level);      ///< "O0", …

/// Exact names only; nullopt for anything else.
std::optional<Precision> precisionFromString(std::string_view text);
std::optional<OptLevel> levelFromString(std::string_view text);

} // namespace apertune::model
