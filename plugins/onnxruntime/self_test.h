// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/onnxruntime/library.h"

#include <string>

namespace apertune::ort {

/// Fills the engine's env, allocator and providers, and runs a tiny model (y = w·x + x, two nodes, any batch) built in
/// memory through the functions that this backend uses, comparing every number. A table whose slots are not what
/// export/onnxruntime_api.h says is found out here: by a wrong answer, or by a crash that costs the process that asked.
/// Returns "" or what was wrong: "SessionGetInputCount says 7 inputs instead of 2".
std::string selfTest(Library& engine);

/// The bytes of the tiny model.
std::string tinyModel();

} // namespace apertune::ort
