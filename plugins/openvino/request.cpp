// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/request.h"

#include "plugins/openvino/devices.h"

#include <algorithm>

namespace apertune::openvino {

namespace {

const plugins::BackendTraits kBackend{"openvino",
                                      {Precision::fp32, Precision::bf16, Precision::fp16, Precision::int8},
                                      "Choose fp32, bf16, fp16 or int8.",
                                      false,
                                      "OpenVINO"};

/// The device whose switch is on. The devices are asked for only when there is such a switch.
std::string targetOf(const plugins::OpenRequest& request)
{
    std::string target = kCpu;
    std::vector<OtherDevice> devices;
    for (const auto& [name, on] : request.switches) {
        if (!on || !name.starts_with("on_"))
            continue;
        if (devices.empty())
            devices = otherDevices();
        const auto device = std::find_if(devices.begin(), devices.end(),
                                         [&wanted = name](const auto& d) { return d.switchName == wanted; });
        if (device == devices.end())
            plugins::unsupported(
                "OpenVINO lists no device here that " + name + " stands for.",
                "Leave it off; `apertune device list` has the switches of the devices that are there.");
        if (target != kCpu)
            plugins::unsupported("The model cannot run on " + target + " and on " + device->id + " at once.",
                                 "Turn on one of " + switchOf(target) + " and " + name + ".");
        target = device->id;
    }
    if (!computesIn(target, request.precision))
        plugins::unsupported("OpenVINO's device " + target + " does not compute in " +
                                 std::string(toString(request.precision)) + " here.",
                             "Use fp32, or another device.");
    return target;
}

} // namespace

const std::vector<Switch>& knownSwitches()
{
    static const std::vector<Switch> kSwitches{
        {"streams", "A pass is cut into parts that run side by side, each on threads of its own"},
        {"cpu_pinning", "Threads stay on their cores"},
        {"model_cache", "The compiled model is kept on the disk, which makes the next load faster"},
    };
    return kSwitches;
}

Request parseRequest(const char* json)
{
    Request request{plugins::readRequest(json, kBackend)};
    plugins::requireFile(request, kBackend);
    plugins::OpenRequest common = request;
    std::erase_if(common.switches, [](const auto& one) { return one.first.starts_with("on_"); });
    plugins::requireKnown(common, knownSwitches(), kBackend);
    request.target = targetOf(request);
    return request;
}

} // namespace apertune::openvino
