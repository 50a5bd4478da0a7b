// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/request.h"

#include "plugins/onnxruntime/library.h"

#include <strings.h>

#include <cstdlib>
#include <fstream>
#include <utility>

namespace apertune::ort {

namespace {

constexpr std::string_view kCudaProvider = "CUDAExecutionProvider";
constexpr std::string_view kTensorRtProvider = "TensorrtExecutionProvider";

using plugins::unsupported;

const plugins::BackendTraits kBackend{
    "onnxruntime",
    {Precision::fp32, Precision::tf32, Precision::bf16, Precision::fp16, Precision::int8},
    "Choose fp32.",
    {"cuda"}};

std::string listed(const Library& engine)
{
    std::string text;
    for (const std::string& provider : engine.providers)
        text += (text.empty() ? "" : ", ") + provider;
    return text;
}

void checkDevice(const Request& request, const Library& engine)
{
    if (request.cuda && !engine.has(kCudaProvider))
        unsupported("This ONNX Runtime has no " + std::string(kCudaProvider) + ": it lists " + listed(engine) + ".",
                    "Install the package onnxruntime-gpu in place of onnxruntime, or use the CPU.");
    for (std::string_view name : {"cudnn_benchmark", "tf32", "tensorrt"})
        if (!request.cuda && request.on(name))
            unsupported("The switch " + std::string(name) + " exists on CUDA devices only.", "Leave it off on a CPU.");
    if (request.on("tensorrt") && !engine.has(kTensorRtProvider))
        unsupported("This ONNX Runtime has no " + std::string(kTensorRtProvider) + ": it lists " + listed(engine) + ".",
                    "Install the package onnxruntime-gpu and TensorRT, or leave tensorrt off.");
}

void checkPrecision(const Request& request)
{
    const std::string name(toString(request.precision));
    if (request.precision == Precision::fp32)
        return;
    if (request.precision == Precision::tf32) {
        if (!request.cuda)
            unsupported("The precision tf32 exists on CUDA devices only.", "Use fp32 on a CPU.");
        if (!request.on("tf32"))
            unsupported("The precision tf32 needs the switch tf32.", "Turn tf32 on, or use the precision fp32.");
        return;
    }
    if (request.on("tf32"))
        unsupported("The switch tf32 does nothing at " + name + ".", "Turn it off.");
    if (request.precision == Precision::int8) {
        if (request.cuda)
            unsupported("ONNX Runtime's CUDA provider computes quantized models in float.", "Use int8 on a CPU.");
        return;
    }
    if (request.cuda && !request.on("tensorrt"))
        unsupported("ONNX Runtime's CUDA provider computes in the type that the file has, which is fp32.",
                    "Turn tensorrt on for " + name + ", or use fp32 or tf32.");
    if (!request.cuda && !(request.precision == Precision::bf16 && cpuHasBf16()))
        unsupported("ONNX Runtime's CPU provider does not compute in " + name + " on this processor.", "Use fp32.");
}

void checkCombination(const Request& request)
{
    if (request.cuda && request.on("parallel_execution"))
        unsupported("ONNX Runtime's CUDA provider runs one operator after the other.", "Leave parallel_execution off.");
}

bool waitsPassively()
{
    const char* policy = std::getenv("OMP_WAIT_POLICY");
    return policy && strcasecmp(policy, "passive") == 0;
}

} // namespace

bool Request::spins() const
{
    return !on("no_spinning") && !waitsPassively();
}

GraphLevel Request::graphLevel() const
{
    return on("graph_all") ? kAll : on("graph_extended") ? kExtended : on("graph_basic") ? kBasic : kDisabled;
}

std::vector<std::string> knownSwitches(const Library& engine)
{
    std::vector<std::string> names{"graph_basic", "graph_extended",    "graph_all",  "no_spinning",
                                   "no_arena",    "no_memory_pattern", "io_binding", "parallel_execution"};
    if (engine.has(kCudaProvider))
        names.insert(names.end(), {"cudnn_benchmark", "tf32"});
    if (engine.has(kTensorRtProvider))
        names.emplace_back("tensorrt");
    return names;
}

bool levelHas(std::string_view level, std::string_view name)
{
    return (level == "O1" && name == "graph_basic") || (level == "O2" && name == "graph_extended") ||
           (level == "O3" && name == "graph_all");
}

std::map<std::string, std::string> summaries()
{
    return {{"graph_basic", "Fold constants and batch norm, and remove operators without effect"},
            {"graph_extended", "Also replace chains of operators by fused operators"},
            {"graph_all", "All optimizations, with convolutions in blocked layout"},
            {"no_spinning", "Idle threads sleep at once instead of spinning"},
            {"no_arena", "Tensors are allocated by the system and not by an arena"},
            {"no_memory_pattern", "Memory of later passes is not planned after the first pass"},
            {"io_binding", "Inputs and outputs are bound once and not in each pass"},
            {"parallel_execution", "Independent operators run at the same time"},
            {"tensorrt", "TensorRT runs the parts of the graph that it supports"}};
}

std::vector<std::string> knownPrecisions(const Library& engine)
{
    std::vector<std::string> names{"fp32"};
    if (engine.has(kCudaProvider))
        names.emplace_back("tf32");
    if (engine.has(kTensorRtProvider) || cpuHasBf16())
        names.emplace_back("bf16");
    if (engine.has(kTensorRtProvider))
        names.emplace_back("fp16");
    names.emplace_back("int8");
    return names;
}

bool cpuHasBf16()
{
#ifdef __aarch64__
    std::ifstream stream("/proc/cpuinfo");
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with("Features"))
            return (line + " ").find(" bf16 ") != std::string::npos;
#endif
    return false;
}

Request parseRequest(const char* json, const Library& engine)
{
    Request request{plugins::readRequest(json, kBackend)};
    const auto asked = std::exchange(request.switches, {});
    for (const std::string& name : knownSwitches(engine))
        request.switches[name] = levelHas(request.level, name);
    for (const auto& [name, value] : asked) {
        const auto known = request.switches.find(name);
        if (known != request.switches.end() || name == "tensorrt" || name == "tf32" || name == "cudnn_benchmark")
            request.switches[name] = value;
        else if (value)
            plugins::unknownSwitch(name, kBackend);
    }
    checkDevice(request, engine);
    checkPrecision(request);
    checkCombination(request);
    return request;
}

} // namespace apertune::ort
