// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/libtorch/session.h"
#include "plugins/support/report.h"

#include <c10/core/Device.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace apertune::libtorch {

using plugins::MemoryFigures;

/// What a session needs of its device: its own order of work, its clock, its memory, its graphs.
/// Made, used and destroyed on the measuring thread. Work that the thread starts while one exists goes to
/// the runtime's own stream.
class DeviceRuntime
{
public:
    virtual ~DeviceRuntime() = default;

    virtual c10::Device device() const = 0;
    virtual void synchronize() = 0;
    virtual void startTimer() = 0;
    virtual std::uint64_t stopTimer() = 0; ///< waits; nanoseconds, 0 where the device has no clock of its own
    virtual void resetPeaks() = 0;
    virtual MemoryFigures memory() = 0;
    virtual std::uint64_t allocationFailures() const = 0;

    /// Records what `forward` starts as one graph. Returns "" or why it did not succeed; the device is usable
    /// again afterwards, else this throws. REQUIRES: `forward` ran a few times before.
    virtual std::string capture(const std::function<void()>& forward) = 0;
    virtual void replay() = 0;            ///< REQUIRES: capture() succeeded
    virtual std::size_t graphNodes() = 0; ///< of the captured graph, 0 without one
};

std::unique_ptr<DeviceRuntime> makeCpuRuntime();

/// Creates the CUDA context, which takes up to seconds and is not part of loading a model. Throws Fault
/// UNSUPPORTED when there is no such device.
std::unique_ptr<DeviceRuntime> makeCudaRuntime(int deviceIndex);

/// From now on the device allocator's events go to recording::noteAllocation(). Cannot be undone, so it is called when
/// a recording with memory begins. Does nothing without a CUDA device in use, and when called again.
void hookDeviceAllocator();

/// Adds the CUDA devices, or a note why there are none. Never throws.
void describeCuda(plugins::Description& info);

} // namespace apertune::libtorch
