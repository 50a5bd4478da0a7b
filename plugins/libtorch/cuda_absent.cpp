// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces cuda_runtime.cpp in a backend for a LibTorch without CUDA, or with a CUDA of another major version.
#include "plugins/libtorch/device_runtime.h"
#include "plugins/libtorch/fault.h"

namespace apertune::libtorch {

std::unique_ptr<DeviceRuntime> makeCudaRuntime(int)
{
    throw Fault(APERTUNE_UNSUPPORTED, "This backend was built without CUDA.",
                "Install the torch that `apertune engine add libtorch` installs.");
}

void hookDeviceAllocator()
{
}

void describeCuda(plugins::Description& info)
{
    info.notes.emplace_back(
        "GPUs are unavailable: LibTorch has no CUDA, or another than any backend of this installation");
}

} // namespace apertune::libtorch
