// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/backend.h"
#include "plugins/tensorrt/request.h"

namespace apertune::tensorrt {

/// A model that TensorRT built for one configuration on one GPU, with its input sets in the device's memory and one
/// stream. The switch `cuda_graph` captures a pass over each input set after the warm-up. While it records, passes run
/// in a second execution context that has a profiler, so that what is measured never pays for it. Throws Fault,
/// CudaError.
plugins::Opened openSession(const Request& request);

} // namespace apertune::tensorrt
