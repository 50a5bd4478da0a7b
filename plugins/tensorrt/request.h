// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/request.h"

#include <vector>

namespace apertune::tensorrt {

using plugins::Precision;

/// A request of open(). It is well-formed, but was not checked against the model. Its package is always set and names
/// the ONNX file. Its device is a GPU.
struct Request : plugins::OpenRequest
{
    /// Returns TensorRT's builder optimization level, 0 … 5: N of the highest switch builder_optimization_level_N that
    /// is on, otherwise 0.
    int builderLevel() const;
};

using plugins::Switch;

/// The switches of this backend:
///
/// * builder_optimization_level_2, _3, _5: the effort of the builder to find fast kernels. Without one of them the
///   level is 0, which takes the first kernels that work. TensorRT's own default is 3.
/// * cuda_graph: a pass is captured once for each input set and replayed.
/// * dynamic_batch: the optimization profile begins at batch 1. Otherwise the plan supports this batch alone.
/// * no_aux_streams: setMaxAuxStreams(0).
/// * workspace_256mib: MemoryPoolType::kWORKSPACE is limited. Otherwise it is the device's memory.
/// * timing_cache: ITimingCache is kept on the disk for the next build on this device.
/// * no_plan_cache: the plan is built anew even if one is cached.
///
/// O0 turns on none, O1 builder_optimization_level_2, O2 builder_optimization_level_3, and O3
/// builder_optimization_level_5 and cuda_graph. TF32 is the precision tf32 and no switch.
const std::vector<Switch>& knownSwitches();

/// Returns the switches that are on at each level.
std::vector<std::pair<std::string, std::vector<std::string>>> levels();

/// Reads a request (see apertune_plugin.h). Throws Fault BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// something that this backend does not have.
Request parseRequest(const char* json);

inline constexpr std::size_t kSmallWorkspace = std::size_t{256} << 20;

} // namespace apertune::tensorrt
