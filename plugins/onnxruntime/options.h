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

/// Makes the session options for a request. With `profile` the session writes its profile to a file with that prefix;
/// endProfiling() returns the name of the file.
Handle<Options> makeOptions(const Library& engine, const Request& request,
                            const std::optional<std::filesystem::path>& profile);

/// Returns the value of an entry in the options, read back from ONNX Runtime; "" when there is none.
std::string configEntry(const Library& engine, const Options* options, const char* key);

/// Returns the execution provider of the request's device. Operators that it cannot run fall back to the CPU provider.
const char* providerOf(const Request& request);

} // namespace apertune::ort
