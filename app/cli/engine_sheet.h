// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/worker/engine_packages.h"

#include <string>

namespace apertune::cli {

/// Returns the engine with the name of a backend or a title, in any case.
/// Failures: invalidArgument (there is none; the hint has the names).
base::Result<worker::EngineState> findEngine(const std::vector<worker::EngineState>& engines, const std::string& name);

/// One engine of "apertune.engines/1".
base::Json engineJson(const worker::EngineState& engine);

/// The title and, where it is known, the version of its package: "LibTorch 2.11.0"
std::string titleWithVersion(const worker::EngineState& engine);

} // namespace apertune::cli
