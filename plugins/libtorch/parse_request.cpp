// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/parse_request.h"

#include "plugins/libtorch/fault.h"
#include "plugins/libtorch/session.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::libtorch {

namespace {

using Json = nlohmann::json;

using plugins::malformed;
using plugins::unsupported;

const plugins::BackendTraits kBackend{
    "libtorch",
    {Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16, Precision::int8, Precision::fp8},
    "Choose fp32, tf32, bf16, fp16, int8 or fp8.",
    {"cuda"}};

/// Refuses switches that the device of the request does not have.
void checkDevice(const Request& request)
{
    for (const KnownSwitch& known : knownSwitches()) {
        if (!request.on(known.name))
            continue;
        if (known.where == Where::cuda && !request.cuda)
            unsupported("The switch " + known.name + " exists on CUDA devices only.", "Leave it off on a CPU.");
        if (known.where == Where::cpu && request.cuda)
            unsupported("The switch " + known.name + " exists on CPUs only.", "Leave it off on a GPU.");
    }
    if (!request.cuda && request.precision == Precision::tf32)
        unsupported("The precision tf32 exists on CUDA devices only.", "Use fp32 on a CPU.");
    if (request.cuda && request.precision == Precision::int8)
        unsupported("LibTorch has no int8 convolutions on CUDA devices.", "Use int8 on a CPU.");
    if (!request.cuda && request.precision == Precision::fp8)
        unsupported("The precision fp8 needs a GPU of compute capability 8.9.", "Use fp32, bf16 or int8 on a CPU.");
    for (const Precision precision : {Precision::int8, Precision::fp8})
        if (request.precision == precision && !request.on("aoti"))
            unsupported("The precision " + std::string(toString(precision)) + " is that of a compiled package.",
                        "Turn aoti on as well, or use fp32.");
    if (request.precision == Precision::tf32 && !request.on("tf32"))
        unsupported("The precision tf32 needs the switch tf32.", "Turn tf32 on, or use the precision fp32.");
}

} // namespace

Request parseRequest(const char* json)
{
    const Request request{plugins::readRequest(json, kBackend)};
    const auto& known = knownSwitches();
    for (const auto& [name, value] : request.switches)
        if (value && std::none_of(known.begin(), known.end(),
                                  [&wanted = name](const KnownSwitch& one) { return one.name == wanted; }))
            plugins::unknownSwitch(name, kBackend);
    checkDevice(request);
    // Switches that need or exclude each other are not looked for: the supervisor refuses them before it asks a worker.
    if (request.on("aoti") && !request.package)
        throw Fault(APERTUNE_BAD_INPUT, "The switch aoti is on, but there is no compiled package.",
                    "Compile the model for this batch, precision and device first.");
    return request;
}

CeilingRequest parseCeilingRequest(const char* json)
{
    CeilingRequest request;
    try {
        const Json document = Json::parse(json);
        Request device;
        plugins::parseDevice(document.at("device").get<std::string>(), kBackend, device);
        request.cuda = device.cuda;
        request.deviceIndex = device.deviceIndex;
        request.threads = document.value("threads", 0);
        for (const Json& name : document.at("precisions"))
            request.precisions.push_back(plugins::parsePrecision(name.get<std::string>(), kBackend));
        request.most = std::chrono::nanoseconds(document.at("max_ns").get<std::int64_t>());
    } catch (const Json::exception& e) {
        malformed("The request is not what apertune_plugin.h describes.", e.what());
    }
    if (request.threads < 0)
        malformed("The number of threads must not be negative.");
    return request;
}

} // namespace apertune::libtorch
