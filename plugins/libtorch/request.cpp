// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/request.h"

#include "plugins/libtorch/fault.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace apertune::libtorch {

namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kMaxInputSets = 1024;

[[noreturn]] void unsupported(std::string message, std::string hint)
{
    throw Fault(APERTUNE_UNSUPPORTED, std::move(message), std::move(hint));
}

[[noreturn]] void malformed(const std::string& message, const std::string& detail = {})
{
    throw Fault(APERTUNE_BAD_INPUT, message, "The request to the backend is wrong; please report it.", detail);
}

Precision parsePrecision(const std::string& name)
{
    for (Precision precision : {Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16})
        if (name == toString(precision))
            return precision;
    unsupported("The libtorch backend has no precision " + name + ".", "Choose fp32, tf32, bf16 or fp16.");
}

void parseDevice(const std::string& name, Request& request)
{
    if (name == "cpu")
        return;
    constexpr std::string_view kPrefix = "cuda:";
    if (name.starts_with(kPrefix)) {
        const char* end = name.data() + name.size();
        const auto [rest, error] = std::from_chars(name.data() + kPrefix.size(), end, request.deviceIndex);
        if (error == std::errc() && rest == end && request.deviceIndex >= 0) {
            request.cuda = true;
            return;
        }
    }
    unsupported("The libtorch backend has no device " + name + ".", "Choose cpu or cuda:N.");
}

/// Switches that exist on one kind of device only.
void checkDevice(const Request& request)
{
    for (std::string_view name : {"cudnn_benchmark", "tf32", "cuda_graph"})
        if (!request.cuda && request.on(name))
            unsupported("The switch " + std::string(name) + " exists on CUDA devices only.", "Leave it off on a CPU.");
    if (request.cuda && request.on("onednn_graph"))
        unsupported("The switch onednn_graph exists on CPUs only.", "Leave it off on a GPU.");
    if (!request.cuda && request.precision == Precision::tf32)
        unsupported("The precision tf32 exists on CUDA devices only.", "Use fp32 on a CPU.");
    if (request.precision == Precision::tf32 && !request.on("tf32"))
        unsupported("The precision tf32 needs the switch tf32.", "Turn tf32 on, or use the precision fp32.");
}

void checkCombination(const Request& request)
{
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
    if (request.on("max_autotune"))
        unsupported("The switch max_autotune needs aoti.", "Turn aoti on as well, or max_autotune off.");
    if (request.on("onednn_graph") && request.on("optimize_for_inference"))
        unsupported("The switches onednn_graph and optimize_for_inference exclude each other: both take over the "
                    "convolutions.",
                    "Turn one of the two off.");
    if (request.on("onednn_graph") && !request.on("jit_optimize"))
        unsupported("The switch onednn_graph needs jit_optimize: the fusion happens in the profiling executor.",
                    "Turn jit_optimize on as well.");
}

} // namespace

std::string_view toString(Precision precision)
{
    switch (precision) {
    case Precision::fp32:
        return "fp32";
    case Precision::tf32:
        return "tf32";
    case Precision::bf16:
        return "bf16";
    case Precision::fp16:
        return "fp16";
    }
    return "fp32";
}

bool Request::on(std::string_view name) const
{
    const auto found = switches.find(name);
    return found != switches.end() && found->second;
}

std::string Request::deviceName() const
{
    return cuda ? "cuda:" + std::to_string(deviceIndex) : "cpu";
}

const std::vector<std::string>& knownSwitches()
{
    static const std::vector<std::string> kSwitches{
        "jit_optimize", "freeze", "optimize_for_inference", "onednn_graph", "channels_last", "cudnn_benchmark",
        "tf32",         "aoti",   "max_autotune",           "cuda_graph"};
    return kSwitches;
}

Request parseRequest(const char* json)
{
    Request request;
    try {
        const Json document = Json::parse(json);
        const Json& config = document.at("config");
        request.artifact = document.at("artifact").get<std::string>();
        parseDevice(document.at("device").get<std::string>(), request);
        request.precision = parsePrecision(config.at("precision").get<std::string>());
        request.batch = config.at("batch").get<std::int64_t>();
        request.threads = config.value("threads", 0);
        if (const auto switches = config.find("switches"); switches != config.end())
            request.switches = switches->get<std::map<std::string, bool, std::less<>>>();
        if (const auto package = document.find("package"); package != document.end() && !package->is_null())
            request.package = package->get<std::string>();
        request.inputSets = document.value("inputs", 1U);
    } catch (const Json::exception& e) {
        malformed("The request is not what apertune_plugin.h describes.", e.what());
    }
    if (request.batch < 1)
        malformed("The batch must be at least 1.");
    if (request.threads < 0)
        malformed("The number of threads must not be negative.");
    request.inputSets = std::clamp(request.inputSets, 1U, kMaxInputSets);

    const auto& known = knownSwitches();
    for (const auto& [name, value] : request.switches)
        if (value && std::find(known.begin(), known.end(), name) == known.end())
            unsupported("The libtorch backend does not know the switch " + name + ".", "Leave it off.");
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
        parseDevice(document.at("device").get<std::string>(), device);
        request.cuda = device.cuda;
        request.deviceIndex = device.deviceIndex;
        request.threads = document.value("threads", 0);
        for (const Json& name : document.at("precisions"))
            request.precisions.push_back(parsePrecision(name.get<std::string>()));
        request.most = std::chrono::nanoseconds(document.at("max_ns").get<std::int64_t>());
    } catch (const Json::exception& e) {
        malformed("The request is not what apertune_plugin.h describes.", e.what());
    }
    if (request.threads < 0)
        malformed("The number of threads must not be negative.");
    return request;
}

} // namespace apertune::libtorch
