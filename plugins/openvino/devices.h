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

/// OpenVINO's name of the processor.
inline constexpr const char* kCpu = "CPU";

/// Returns the only ov::Core of the process. APERTUNE_OPENVINO_PLUGINS names a plugins.xml of OpenVINO with further
/// devices.
ov::Core& core();

/// A device that the runtime lists besides the processor.
struct Accelerator
{
    std::string id;               ///< id in Apertune: "xpu:0" for a GPU, "npu:0" for an NPU or any other device
    std::string target;           ///< name in OpenVINO: "GPU", "GPU.1", "NPU"
    std::string name;             ///< "Intel(R) Arc(TM) A770 Graphics (dGPU)"
    std::int64_t memoryBytes = 0; ///< device memory; 0: unknown
};

/// Returns the devices of all plugins of the runtime. It takes some tenths of a second on a machine with drivers.
std::vector<Accelerator> accelerators();

/// Returns whether a device reports that it computes in this precision. For fp32 it is not asked, because every device
/// that runs other models computes in fp32.
bool computesIn(const std::string& device, plugins::Precision precision);

} // namespace apertune::openvino
