// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces cuda_runtime.cpp where LibTorch was built without CUDA.
#include "plugins/libtorch/device_runtime.h"
#include "plugins/libtorch/fault.h"

namespace apertune::libtorch {

std::unique_ptr<DeviceRuntime> makeCudaRuntime(int)
{
    throw Fault(APERTUNE_UNSUPPORTED, "This LibTorch was built without CUDA.", "Install the CUDA build of torch.");
}

void hookDeviceAllocator()
{
}

void describeCuda(plugins::Description& info)
{
    info.notes.emplace_back("CUDA is unavailable: LibTorch was built without it");
}

} // namespace apertune::libtorch
