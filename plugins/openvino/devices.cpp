// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/devices.h"

#include <openvino/runtime/core.hpp>
#include <openvino/runtime/properties.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>

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

} // namespace

ov::Core& core()
{
    static ov::Core s_core = [] {
        const char* plugins = std::getenv("APERTUNE_OPENVINO_PLUGINS");
        return ov::Core(std::string(plugins ? plugins : ""));
    }();
    return s_core;
}

std::string switchOf(std::string_view device)
{
    std::string name = "on_";
    for (const char c : device)
        name += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '_';
    return name;
}

std::vector<OtherDevice> otherDevices()
{
    std::vector<OtherDevice> found;
    for (const std::string& device : core().get_available_devices())
        if (device != kCpu)
            found.push_back({device, core().get_property(device, ov::device::full_name), switchOf(device)});
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
