// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/backend.h"
#include "plugins/support/report.h"

#include <c10/core/Device.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace apertune::libtorch {

using plugins::MemoryFigures;

/// The services of a device that a session uses: ordered work, a clock, memory figures and graphs. It is made, used and
/// destroyed on the measuring thread. As long as it lives, work of that thread goes to the runtime's own stream.
class DeviceRuntime
{
public:
    virtual ~DeviceRuntime() = default;

    virtual c10::Device device() const = 0;
    virtual void synchronize() = 0;
    virtual void startTimer() = 0;
    virtual std::uint64_t stopTimer() = 0; ///< waits; returns nanoseconds, 0 for a device without a clock of its own
    virtual void resetPeaks() = 0;
    virtual MemoryFigures memory() = 0;
    virtual std::uint64_t allocationFailures() const = 0;

    /// Records the work that `forward` starts as one graph. Returns "" or the reason why capture failed. After a failed
    /// capture the device is usable again; if it is not, this throws.
    ///
    /// REQUIRES: `forward` ran a few times before.
    virtual std::string capture(const std::function<void()>& forward) = 0;
    /// REQUIRES: capture() succeeded.
    virtual void replay() = 0;
    virtual std::size_t graphNodes() = 0; ///< nodes of the captured graph, 0 without one
};

std::unique_ptr<DeviceRuntime> makeCpuRuntime();

/// Creates the CUDA context, which can take seconds and does not count as loading a model. Throws Fault UNSUPPORTED
/// when there is no such device.
std::unique_ptr<DeviceRuntime> makeCudaRuntime(int deviceIndex);

/// Sends the events of the device allocator to recording::noteAllocation() from now on. It cannot be undone, so it is
/// called when a recording with memory begins. It does nothing without a CUDA device in use, or when called again.
void hookDeviceAllocator();

/// Adds the CUDA devices, or a note with the reason why there are none. Never throws.
void describeCuda(plugins::Description& info);

} // namespace apertune::libtorch
