// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/parse_request.h"

#include "plugins/libtorch/fault.h"
#include "plugins/libtorch/package.h"
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

void checkCombination(const Request& request)
{
    if (request.on("sdpa_math") + request.on("sdpa_flash") + request.on("sdpa_efficient") > 1)
        unsupported("The switches sdpa_math, sdpa_flash and sdpa_efficient exclude each other.",
                    "Leave one of them on.");
    if (request.on("aoti")) {
        for (std::string_view name : {"jit_optimize", "optimize_for_inference", "onednn_graph"})
            if (request.on(name))
                unsupported("The switches aoti and " + std::string(name) +
                                " exclude each other: a compiled package "
                                "does not pass through TorchScript.",
                            "Turn one of the two off.");
        if (!request.package)
            throw Fault(APERTUNE_BAD_INPUT, "The switch aoti is on, but there is no compiled package.",
                        "Compile the model for this batch, precision and device first.");
        return;
    }
    for (const KnownSwitch& known : packageSwitches())
        if (request.on(known.name))
            unsupported("The switch " + known.name + " needs aoti.",
                        "Turn aoti on as well, or " + known.name + " off.");
    if (request.on("onednn_graph") && request.on("optimize_for_inference"))
        unsupported("The switches onednn_graph and optimize_for_inference exclude each other: both take over the "
                    "convolutions.",
                    "Turn one of the two off.");
    if (request.on("onednn_graph") && !request.on("jit_optimize"))
        unsupported("The switch onednn_graph needs jit_optimize: the fusion happens in the profiling executor.",
                    "Turn jit_optimize on as well.");
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
    checkCombination(request);
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
