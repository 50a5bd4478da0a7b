// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/options.h"

#include <array>
#include <map>
#include <vector>

namespace apertune::ort {

namespace {

using Texts = std::map<std::string, std::string>;

/// Keys and values in the form that the engine takes. They are valid as long as `texts` is.
struct Pointers
{
    std::vector<const char*> keys;
    std::vector<const char*> values;

    explicit Pointers(const Texts& texts)
    {
        for (const auto& [key, value] : texts) {
            keys.push_back(key.c_str());
            values.push_back(value.c_str());
        }
    }
};

/// The fault for a provider that cannot be added. The cause is the installation: a library of CUDA or TensorRT is
/// missing or has another version.
[[noreturn]] void providerMissing(const char* what, const EngineError& error)
{
    throw Fault(
        APERTUNE_UNSUPPORTED, std::string("ONNX Runtime cannot use ") + what + " here: its libraries do not load.",
        "Install the CUDA and cuDNN versions that this onnxruntime-gpu was built for, or use the CPU.", error.text);
}

void addTensorRt(const Library& engine, Options* options, const Request& request)
{
    const Texts texts{{"device_id", std::to_string(request.deviceIndex)},
                      {"trt_fp16_enable", request.precision == Precision::fp16 ? "1" : "0"},
                      {"trt_bf16_enable", request.precision == Precision::bf16 ? "1" : "0"}};
    const Pointers pointers(texts);
    try {
        const auto made = make(engine, engine.api.createTensorRtOptions, engine.api.releaseTensorRtOptions);
        engine.check(engine.api.updateTensorRtOptions(made.get(), pointers.keys.data(), pointers.values.data(),
                                                      pointers.keys.size()));
        engine.check(engine.api.appendTensorRt(options, made.get()));
    } catch (const EngineError& error) {
        providerMissing("TensorRT", error);
    }
}

void addCuda(const Library& engine, Options* options, const Request& request)
{
    const Texts texts{{"device_id", std::to_string(request.deviceIndex)},
                      {"use_tf32", request.on("tf32") ? "1" : "0"},
                      {"cudnn_conv_algo_search", request.on("cudnn_benchmark") ? "EXHAUSTIVE" : "HEURISTIC"}};
    const Pointers pointers(texts);
    try {
        const auto made = make(engine, engine.api.createCudaOptions, engine.api.releaseCudaOptions);
        engine.check(engine.api.updateCudaOptions(made.get(), pointers.keys.data(), pointers.values.data(),
                                                  pointers.keys.size()));
        engine.check(engine.api.appendCuda(options, made.get()));
    } catch (const EngineError& error) {
        providerMissing("CUDA", error);
    }
}

} // namespace

Handle<Options> makeOptions(const Library& engine, const Request& request,
                            const std::optional<std::filesystem::path>& profile)
{
    const Api& api = engine.api;
    auto made = make(engine, api.createOptions, api.releaseOptions);
    Options* options = made.get();
    engine.check(api.setGraphLevel(options, request.graphLevel()));
    if (request.threads > 0)
        engine.check(api.setIntraThreads(options, request.threads));
    const bool parallel = request.on("parallel_execution");
    engine.check(api.setExecutionMode(options, parallel ? kParallel : kSequential));
    if (parallel && request.threads > 0)
        engine.check(api.setInterThreads(options, request.threads));
    engine.check(request.on("no_arena") ? api.disableArena(options) : api.enableArena(options));
    engine.check(request.on("no_memory_pattern") ? api.disableMemoryPattern(options)
                                                 : api.enableMemoryPattern(options));
    const char* spinning = request.spins() ? "1" : "0";
    engine.check(api.addConfigEntry(options, kSpinningKey, spinning));
    engine.check(api.addConfigEntry(options, "session.inter_op.allow_spinning", spinning));
    if (!request.cuda && request.precision == Precision::bf16)
        engine.check(api.addConfigEntry(options, kArmBf16Key, "1"));
    if (profile)
        engine.check(api.enableProfiling(options, profile->c_str()));
    if (request.on("tensorrt"))
        addTensorRt(engine, options, request);
    if (request.cuda)
        addCuda(engine, options, request);
    return made;
}

std::string configEntry(const Library& engine, const Options* options, const char* key)
{
    int has = 0;
    engine.check(engine.api.hasConfigEntry(options, key, &has));
    if (has == 0)
        return "";
    std::array<char, 64> text{};
    std::size_t size = text.size();
    engine.check(engine.api.getConfigEntry(options, key, text.data(), &size));
    return text.data();
}

const char* providerOf(const Request& request)
{
    return request.on("tensorrt") ? "TensorrtExecutionProvider"
           : request.cuda         ? "CUDAExecutionProvider"
                                  : "CPUExecutionProvider";
}

} // namespace apertune::ort
