// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/devices.h"

#include <openvino/runtime/core.hpp>
#include <openvino/runtime/intel_gpu/properties.hpp>
#include <openvino/runtime/properties.hpp>

#include <algorithm>
#include <cstdlib>
#include <exception>

namespace apertune::openvino {

using plugins::Precision;

namespace {

std::string capabilityOf(Precision precision)
{
    switch (precision) {
    case Precision::bf16:
        return "BF16";
    case Precision::fp16:
        return "FP16";
    case Precision::int8:
        return "INT8";
    case Precision::fp32:
    case Precision::tf32:
    case Precision::fp8:
        break;
    }
    return {};
}

/// The memory of a GPU in bytes; 0 where its plugin does not say.
std::int64_t memoryOf(const std::string& target)
{
    try {
        return static_cast<std::int64_t>(core().get_property(target, ov::intel_gpu::device_total_mem_size));
    } catch (const std::exception&) {
        return 0;
    }
}

} // namespace

ov::Core& core()
{
    static ov::Core s_core = [] {
        const char* plugins = std::getenv("APERTUNE_OPENVINO_PLUGINS");
        return ov::Core(std::string(plugins ? plugins : ""));
    }();
    return s_core;
}

std::vector<Accelerator> accelerators()
{
    std::vector<Accelerator> found;
    int gpus = 0;
    int others = 0;
    for (const std::string& target : core().get_available_devices()) {
        if (target == kCpu)
            continue;
        Accelerator device;
        const bool gpu = target.starts_with("GPU");
        device.id = gpu ? "xpu:" + std::to_string(gpus++) : "npu:" + std::to_string(others++);
        device.target = target;
        device.name = core().get_property(target, ov::device::full_name);
        if (gpu)
            device.memoryBytes = memoryOf(target);
        found.push_back(std::move(device));
    }
    return found;
}

bool computesIn(const std::string& device, Precision precision)
{
    const std::string wanted = capabilityOf(precision);
    if (wanted.empty())
        return true;
    const auto can = core().get_property(device, ov::device::capabilities);
    return std::find(can.begin(), can.end(), wanted) != can.end();
}

} // namespace apertune::openvino
