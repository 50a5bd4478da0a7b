// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/request.h"

#include <string>
#include <vector>

namespace apertune::openvino {

using plugins::Precision;

/// What open() is asked for, checked for sense but not against the model.
/// The package, which is there, is the .xml or .onnx file; tf32 never comes.
struct Request : plugins::OpenRequest
{
    std::string target = "CPU"; ///< the device of the runtime that the model runs on
};

using plugins::Switch;

/// streams      a pass is cut into parts that run side by side, one stream each (throughput hint); otherwise all
///              threads work on the whole batch (latency hint)
/// cpu_pinning  threads stay on their cores
/// model_cache  the compiled model is kept on the disk, for the next load
const std::vector<Switch>& knownSwitches();

/// Reads a request (see apertune_plugin.h). Throws Fault: BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// what this backend does not have, or a device that the runtime does not list.
Request parseRequest(const char* json);

} // namespace apertune::openvino
