// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/request.h"

#include <vector>

namespace apertune::openvino {

using plugins::Precision;

/// What open() is asked for, checked for sense but not against the model.
/// The package, which is there, is the .xml or .onnx file; tf32 never comes.
using Request = plugins::OpenRequest;

using plugins::Switch;

/// streams      a pass is cut into parts that run side by side, one stream each (throughput hint); otherwise all
///              threads work on the whole batch (latency hint)
/// cpu_pinning  threads stay on their cores
/// model_cache  the compiled model is kept on the disk, for the next load
const std::vector<Switch>& knownSwitches();

/// Reads a request (see apertune_plugin.h). Throws Fault: BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// what this backend does not have.
Request parseRequest(const char* json);

} // namespace apertune::openvino
