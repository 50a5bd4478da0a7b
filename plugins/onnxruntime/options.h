// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/library.h"
#include "plugins/onnxruntime/request.h"

#include <filesystem>
#include <optional>
#include <string>

namespace apertune::ort {

inline constexpr const char* kSpinningKey = "session.intra_op.allow_spinning";
inline constexpr const char* kArmBf16Key = "mlas.enable_gemm_fastmath_arm64_bfloat16";

/// Session options for a request. With `profile` the session writes what it does to a file of that prefix, which
/// endProfiling() names.
Handle<Options> makeOptions(const Library& engine, const Request& request,
                            const std::optional<std::filesystem::path>& profile);

/// An entry of the options as ONNX Runtime has it; "" when there is none.
std::string configEntry(const Library& engine, const Options* options, const char* key);

/// The provider that the request's device stands for: what does not run there runs on the CPU.
const char* providerOf(const Request& request);

} // namespace apertune::ort
