// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/request.h"

#include <string>
#include <vector>

namespace apertune::openvino {

using plugins::Precision;

/// A request of open(). It is well-formed, but was not checked against the model. Its package is always set and names
/// the .xml or .onnx file. Its precision is never tf32.
struct Request : plugins::OpenRequest
{
    std::string target = "CPU"; ///< OpenVINO's name of the device
};

using plugins::Switch;

/// The switches of this backend:
///
/// * streams: a pass is cut into parts that run side by side, one stream each (throughput hint). Otherwise all threads
///   work on the whole batch (latency hint).
/// * cpu_pinning: threads stay on their cores.
/// * model_cache: the compiled model is kept on the disk for the next load.
const std::vector<Switch>& knownSwitches();

/// Reads a request (see apertune_plugin.h). Throws Fault BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// something that this backend does not have, or a device that the runtime does not list.
Request parseRequest(const char* json);

} // namespace apertune::openvino
