// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/request.h"

#include <vector>

namespace apertune::tensorrt {

using plugins::Precision;

/// What open() is asked for, checked for sense but not against the model. The package, which is there, is the ONNX
/// file; the device is a GPU.
struct Request : plugins::OpenRequest
{
    /// TensorRT's own, 0 … 5: the highest of the switches builder_optimization_level_N that is on, without one 0.
    int builderLevel() const;
};

using plugins::Switch;

/// What the switches stand for in TensorRT's own words:
/// builder_optimization_level_2, _3, _5  how long the builder looks for fast kernels; without one of them 0, the
///                                       first that work. TensorRT's own default is 3
/// cuda_graph        a pass is captured once for each input set and replayed
/// dynamic_batch     the optimization profile begins at batch 1; otherwise the plan takes this batch alone
/// no_aux_streams    setMaxAuxStreams(0)
/// workspace_256mib  MemoryPoolType::kWORKSPACE is limited; otherwise it is the device's memory
/// timing_cache      ITimingCache kept on the disk, for the next build on this device
/// no_plan_cache     the plan is built anew even where one was kept
/// Levels: O0 none of them, O1 builder_optimization_level_2, O2 builder_optimization_level_3, O3
/// builder_optimization_level_5 and cuda_graph. TF32 is the precision tf32 and no switch.
const std::vector<Switch>& knownSwitches();

/// Those that are on at each level.
std::vector<std::pair<std::string, std::vector<std::string>>> levels();

/// Reads a request (see apertune_plugin.h). Throws Fault: BAD_INPUT when it is malformed, UNSUPPORTED when it names
/// what this backend does not have.
Request parseRequest(const char* json);

inline constexpr std::size_t kSmallWorkspace = std::size_t{256} << 20;

} // namespace apertune::tensorrt
