// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/backend.h"
#include "plugins/tensorrt/request.h"

namespace apertune::tensorrt {

/// Opens a model that TensorRT built for one configuration on one GPU, with its input sets in device memory and one
/// stream. The switch `cuda_graph` captures a pass over each input set after the warm-up. A recording runs passes in a
/// second execution context with a profiler, so that the measured one never pays for it. Throws Fault and CudaError.
plugins::Opened openSession(const Request& request);

} // namespace apertune::tensorrt
