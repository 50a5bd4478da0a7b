// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plugins/support/request.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ov {
class Core;
}

namespace apertune::openvino {

/// The processor, as OpenVINO calls it.
inline constexpr const char* kCpu = "CPU";

/// The one runtime of the process. APERTUNE_OPENVINO_PLUGINS names a plugins.xml of OpenVINO with further devices.
ov::Core& core();

/// A device that the runtime lists besides the processor.
struct Accelerator
{
    std::string id;               ///< Apertune's: "xpu:0" for a GPU, "npu:0" for an NPU and for whatever else there is
    std::string target;           ///< the runtime's: "GPU", "GPU.1", "NPU"
    std::string name;             ///< "Intel(R) Arc(TM) A770 Graphics (dGPU)"
    std::int64_t memoryBytes = 0; ///< of its own; 0: not said
};

/// Asks every plugin of the runtime, which takes some tenths of a second where there are drivers.
std::vector<Accelerator> accelerators();

/// Whether a device computes in it, by its own account: fp32 is not asked for, as all that take other models do.
bool computesIn(const std::string& device, plugins::Precision precision);

} // namespace apertune::openvino
