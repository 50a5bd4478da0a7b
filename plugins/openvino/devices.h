// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/request.h"

#include <string>
#include <string_view>
#include <vector>

namespace ov {
class Core;
}

namespace apertune::openvino {

/// The processor, as OpenVINO calls it.
inline constexpr const char* kCpu = "CPU";

/// The one runtime of the process. APERTUNE_OPENVINO_PLUGINS names a plugins.xml of OpenVINO with further devices.
ov::Core& core();

/// A device that the runtime lists besides the processor. The worker is one of the CPU all the same: a switch sends the
/// model there.
struct OtherDevice
{
    std::string id;         ///< "GPU", "GPU.1", "NPU"
    std::string name;       ///< "Intel(R) Arc(TM) A770 Graphics (dGPU)"
    std::string switchName; ///< "on_gpu", "on_gpu_1", "on_npu"
};

/// Asks every plugin of the runtime, which takes some tenths of a second where there are drivers.
std::vector<OtherDevice> otherDevices();

/// "on_gpu_1" for "GPU.1".
std::string switchOf(std::string_view device);

/// Whether a device computes in it, by its own account: fp32 is not asked for, as all that take other models do.
bool computesIn(const std::string& device, plugins::Precision precision);

} // namespace apertune::openvino
