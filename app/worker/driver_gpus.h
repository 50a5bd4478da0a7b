// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"

#include <vector>

namespace apertune::worker {

/// The GPUs that CUDA's driver shows this process, in its order, as "cuda:0", "cuda:1", … Empty where there is no
/// driver or it does not start. It loads and starts the driver, which takes up to seconds and cannot be undone: the
/// worker does it for `apertune-worker --gpus`, by which a supervisor sees GPUs where NVML is missing.
std::vector<model::Device> driverGpus();

} // namespace apertune::worker
