// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/request.h"

#include "plugins/openvino/devices.h"

#include <algorithm>

namespace apertune::openvino {

namespace {

const plugins::BackendTraits kBackend{"openvino",
                                      {Precision::fp32, Precision::bf16, Precision::fp16, Precision::int8},
                                      "Choose fp32, bf16, fp16 or int8.",
                                      {"xpu", "npu"},
                                      "OpenVINO"};

/// OpenVINO's name of the device. Listing the devices takes time, so it is done only for a device besides the
/// processor.
std::string targetOf(const plugins::OpenRequest& request)
{
    std::string target = kCpu;
    if (request.device != "cpu") {
        const std::vector<Accelerator> devices = accelerators();
        const auto device =
            std::find_if(devices.begin(), devices.end(), [&](const auto& d) { return d.id == request.device; });
        if (device == devices.end())
            plugins::unsupported("OpenVINO lists no device " + request.device + " here.",
                                 "Choose one of those that `apertune device list` lists.");
        target = device->target;
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
        {"streams", "A pass is cut into parts that run side by side, each on its own threads"},
        {"cpu_pinning", "Threads stay on their cores"},
        {"model_cache", "The compiled model is cached on the disk, which makes the next load faster"},
    };
    return kSwitches;
}

Request parseRequest(const char* json)
{
    Request request{plugins::readRequest(json, kBackend)};
    plugins::requireFile(request, kBackend);
    plugins::requireKnown(request, knownSwitches(), kBackend);
    request.target = targetOf(request);
    return request;
}

} // namespace apertune::openvino
