// SPDX-License-Identifier: GPL-3.0-or-later
// What loads a plan and runs it.
#include "tests/plugins/tensorrt/fake_cuda.h"
#include "tests/plugins/tensorrt/fake_tensorrt.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

void unexpectedCall(const char* function) noexcept
{
    std::fprintf(stderr, "the fake TensorRT has no %s\n", function);
    std::abort();
}

namespace nvinfer1 {
namespace {

class Inspector final : public IEngineInspector, public VEngineInspectorStub
{
public:
    explicit Inspector(const Json& plan) : m_plan(plan) { IEngineInspector::mImpl = this; }

    /// Returns the layers like TensorRT 10: names alone where the plan was not built to tell more.
    const char* getEngineInformation(LayerInformationFormat) const noexcept override
    {
        Json layers = Json::array();
        int number = 0;
        for (const Json& kind : m_plan.at("model").at("layers")) {
            const std::string name = kind.get<std::string>() + std::to_string(number++);
            if (!m_plan.at("detailed")) {
                layers.push_back(name);
                continue;
            }
            const std::string type = kind == "quantize" ? "Int8" : m_plan.at("precision").get<std::string>();
            const bool tf32 = m_plan.at("tf32") && type == "Float";
            layers.push_back(
                {{"Name", name},
                 {"LayerType", "CaskConvolution"},
                 {"Inputs", {{{"Name", "a"}, {"Format/Datatype", type}}}},
                 {"Outputs", {{{"Name", "b"}, {"Format/Datatype", type}}}},
                 {"TacticName", tf32 ? "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32" : "sm80_xmma_fprop"}});
        }
        m_text = Json{{"Layers", layers}, {"Bindings", Json::array()}}.dump();
        return m_text.c_str();
    }

private:
    const Json& m_plan;
    mutable std::string m_text;
};

/// Sums each sample of the first input; value j of an output's sample is that sum plus j.
class Context final : public IExecutionContext, public VExecutionContextStub
{
public:
    Context(const ICudaEngine& engine, const Json& plan) : m_engine(engine), m_plan(plan), m_model(plan.at("model"))
    {
        IExecutionContext::mImpl = this;
    }

    bool setNvtxVerbosity(ProfilingVerbosity) noexcept override { return true; }
    void setProfiler(IProfiler* profiler) noexcept override { m_profiler = profiler; }
    bool setInputShape(const char* name, const Dims& dims) noexcept override
    {
        m_batch = dims.d[0];
        const Json& profile = m_plan.at("profile");
        if (!profile.contains(name))
            return true;
        const auto bound = [&](std::size_t select) { return profile.at(name).at(select).at(0).get<std::int64_t>(); };
        return m_batch >= bound(0) && m_batch <= bound(2);
    }
    Dims getTensorShape(const char* name) const noexcept override
    {
        Dims dims = m_engine.getTensorShape(name);
        if (dims.nbDims > 0 && dims.d[0] < 0)
            dims.d[0] = m_batch;
        return dims;
    }
    bool setTensorAddress(const char* name, void* address) noexcept override
    {
        m_addresses[name] = address;
        return true;
    }

    bool enqueueV3(cudaStream_t) noexcept override
    {
        if (m_model.value("enqueue_fails_after", -1) == m_passes++) {
            logError(m_model.at("enqueue_error").get<std::string>());
            return false;
        }
        if (apertune::fake::capturing() && m_model.value("no_capture", false)) {
            logError("a layer waits for the host while a graph is captured");
            return false;
        }
        const auto addresses = m_addresses; // a graph keeps those of its capture
        apertune::fake::submit([this, addresses] { compute(addresses); });
        float time = 0.25F;
        for (const Json& kind : m_model.at("layers"))
            if (m_profiler)
                m_profiler->reportLayerTime(kind.get<std::string>().c_str(), time *= 0.01F);
        return true;
    }

private:
    void compute(const std::map<std::string, void*>& addresses) const
    {
        const Json& input = m_model.at("inputs").at(0);
        std::int64_t each = 1;
        for (std::size_t i = 1; i < input.at("shape").size(); ++i)
            each *= input["shape"][i].get<std::int64_t>();
        const auto* from = static_cast<const float*>(addresses.at(input.at("name").get<std::string>()));
        for (const Json& output : m_model.at("outputs"))
            for (std::int64_t n = 0; n < m_batch; ++n) {
                float sum = 0;
                for (std::int64_t i = 0; i < each; ++i)
                    sum += from[n * each + i];
                write(output, addresses.at(output.at("name").get<std::string>()), n, sum);
            }
    }

    static void write(const Json& output, void* to, std::int64_t n, float sum)
    {
        const std::int64_t width = output.at("shape").at(1).get<std::int64_t>();
        for (std::int64_t j = 0; j < width; ++j) {
            const float value = sum + static_cast<float>(j);
            const std::int64_t at = n * width + j;
            std::uint32_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            switch (static_cast<DataType>(output.value("type", 0))) {
            case DataType::kBF16:
                static_cast<std::uint16_t*>(to)[at] = static_cast<std::uint16_t>(bits >> 16);
                break;
            case DataType::kHALF:
                static_cast<std::uint16_t*>(to)[at] = 0x3C00; // 1
                break;
            case DataType::kINT32:
                static_cast<std::int32_t*>(to)[at] = static_cast<std::int32_t>(j);
                break;
            case DataType::kINT64:
                static_cast<std::int64_t*>(to)[at] = j;
                break;
            case DataType::kINT8:
                static_cast<std::int8_t*>(to)[at] = static_cast<std::int8_t>(-j);
                break;
            case DataType::kBOOL:
                static_cast<std::uint8_t*>(to)[at] = j % 2;
                break;
            default:
                static_cast<float*>(to)[at] = value;
                break;
            }
        }
    }

    const ICudaEngine& m_engine;
    const Json& m_plan;
    const Json& m_model;
    std::int64_t m_batch = 1;
    std::int64_t m_passes = 0;
    IProfiler* m_profiler = nullptr;
    std::map<std::string, void*> m_addresses;
};

class Engine final : public ICudaEngine, public VCudaEngineStub
{
public:
    explicit Engine(Json plan) : m_plan(std::move(plan)), m_model(m_plan.at("model"))
    {
        ICudaEngine::mImpl = this;
        for (const char* side : {"inputs", "outputs"})
            for (const Json& tensor : m_model.at(side))
                m_names.push_back(tensor.at("name").get<std::string>());
    }

    IExecutionContext* createExecutionContext(ExecutionContextAllocationStrategy) noexcept override
    {
        if (const std::string why = m_model.value("context_fails", ""); !why.empty()) {
            logError(why);
            return nullptr;
        }
        return new Context(*this, m_plan);
    }
    std::int32_t getNbLayers() const noexcept override
    {
        return static_cast<std::int32_t>(m_model.at("layers").size());
    }
    std::int32_t getNbIOTensors() const noexcept override { return static_cast<std::int32_t>(m_names.size()); }
    const char* getIOTensorName(std::int32_t i) const noexcept override
    {
        return m_names[static_cast<std::size_t>(i)].c_str();
    }
    TensorIOMode getTensorIOMode(const char* name) const noexcept override
    {
        return isInput(name) ? TensorIOMode::kINPUT : TensorIOMode::kOUTPUT;
    }
    DataType getTensorDataType(const char* name) const noexcept override
    {
        return static_cast<DataType>(tensor(name).value("type", 0));
    }
    Dims getTensorShape(const char* name) const noexcept override { return dimsFrom(tensor(name).at("shape")); }
    std::int32_t getNbAuxStreams() const noexcept override { return m_plan.at("aux_streams"); }
    Dims getProfileShape(const char* name, std::int32_t, OptProfileSelector select) const noexcept override
    {
        const Json& profile = m_plan.at("profile");
        return dimsFrom(profile.contains(name) ? profile.at(name).at(static_cast<std::size_t>(select))
                                               : tensor(name).at("shape"));
    }
    IEngineInspector* createEngineInspector() const noexcept override { return new Inspector(m_plan); }

private:
    bool isInput(const std::string& name) const
    {
        return std::find(m_names.begin(), m_names.end(), name) - m_names.begin() <
               static_cast<std::ptrdiff_t>(m_model.at("inputs").size());
    }
    const Json& tensor(const std::string& name) const
    {
        for (const Json& known : m_model.at(isInput(name) ? "inputs" : "outputs"))
            if (known.at("name") == name)
                return known;
        unexpectedCall("tensor of that name");
    }

    Json m_plan;
    const Json& m_model;
    std::vector<std::string> m_names;
};

class Runtime final : public IRuntime, public VRuntimeStub
{
public:
    Runtime() { IRuntime::mImpl = this; }
    ICudaEngine* deserializeCudaEngine(const void* blob, std::size_t size) noexcept override
    {
        const auto* text = static_cast<const char*>(blob);
        Json plan = Json::parse(text, text + size, nullptr, false);
        if (!plan.is_object() || plan.at("model").value("load_fails", false)) {
            logError("IRuntime::deserializeCudaEngine: Error Code 1: Serialization (magic tag does not match)");
            return nullptr;
        }
        return new Engine(std::move(plan));
    }
};

} // namespace
} // namespace nvinfer1

void* createInferRuntime_INTERNAL(void* logger, std::int32_t) noexcept
{
    nvinfer1::g_logger = static_cast<nvinfer1::ILogger*>(logger);
    return static_cast<nvinfer1::IRuntime*>(new nvinfer1::Runtime);
}

std::int32_t getInferLibVersion() noexcept
{
    const char* version = std::getenv("APERTUNE_FAKE_TENSORRT_VERSION");
    return version ? std::atoi(version) : static_cast<std::int32_t>(NV_TENSORRT_VERSION);
}
