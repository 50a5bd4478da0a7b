// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/library.h"

#include <string>

namespace apertune::ort {

/// Fills the engine's env, allocator and providers. Then runs a tiny model (y = w·x + x, two nodes, any batch), built
/// in memory, through the functions that this backend uses, and compares every number. A table whose slots differ from
/// export/onnxruntime_api.h causes a wrong answer, or a crash of the calling process. Returns "" or the problem:
/// "SessionGetInputCount says 7 inputs instead of 2".
std::string selfTest(Library& engine);

/// Returns the bytes of the tiny model.
std::string tinyModel();

} // namespace apertune::ort
