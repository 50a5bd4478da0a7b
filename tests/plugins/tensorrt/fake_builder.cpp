// SPDX-License-Identifier: GPL-3.0-or-later
// What reads a model and builds a plan of it.
#include "tests/plugins/tensorrt/fake_tensorrt.h"

#include <array>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

namespace nvinfer1 {
namespace {

class Tensor final : public ITensor, public VTensorStub
{
public:
    explicit Tensor(Json described) : m_described(std::move(described)), m_name(m_described.at("name"))
    {
        ITensor::mImpl = this;
    }
    const char* getName() const noexcept override { return m_name.c_str(); }
    Dims getDimensions() const noexcept override { return dimsFrom(m_described.at("shape")); }
    DataType getType() const noexcept override { return static_cast<DataType>(m_described.value("type", 0)); }

private:
    Json m_described;
    std::string m_name;
};

class Layer final : public ILayer, public VLayerStub
{
public:
    explicit Layer(bool quantize) : m_quantize(quantize) { mLayer = this; }
    LayerType getType() const noexcept override { return m_quantize ? LayerType::kQUANTIZE : LayerType::kCONVOLUTION; }

private:
    bool m_quantize;
};

class Network final : public INetworkDefinition, public VNetworkDefinitionStub
{
public:
    explicit Network(NetworkDefinitionCreationFlags flags) : m_flags(flags) { INetworkDefinition::mImpl = this; }

    void take(Json model)
    {
        m_model = std::move(model);
        for (const Json& input : m_model.at("inputs"))
            m_inputs.push_back(std::make_unique<Tensor>(input));
        for (const Json& layer : m_model.at("layers"))
            m_layers.push_back(std::make_unique<Layer>(layer == "quantize"));
    }

    const Json& model() const { return m_model; }
    bool stronglyTyped() const { return m_flags != 0; }

    std::int32_t getNbInputs() const noexcept override { return static_cast<std::int32_t>(m_inputs.size()); }
    ITensor* getInput(std::int32_t i) const noexcept override { return m_inputs[static_cast<std::size_t>(i)].get(); }
    std::int32_t getNbLayers() const noexcept override { return static_cast<std::int32_t>(m_layers.size()); }
    ILayer* getLayer(std::int32_t i) const noexcept override { return m_layers[static_cast<std::size_t>(i)].get(); }

private:
    NetworkDefinitionCreationFlags m_flags;
    Json m_model;
    std::vector<std::unique_ptr<Tensor>> m_inputs;
    std::vector<std::unique_ptr<Layer>> m_layers;
};

class Profile final : public IOptimizationProfile, public VOptimizationProfileStub
{
public:
    Profile() { IOptimizationProfile::mImpl = this; }
    bool setDimensions(const char* name, OptProfileSelector select, const Dims& dims) noexcept override
    {
        m_shapes[name][static_cast<std::size_t>(select)] = jsonFrom(dims);
        return true;
    }
    Json shapes() const
    {
        Json described = Json::object();
        for (const auto& [name, three] : m_shapes)
            described[name] = three;
        return described;
    }

private:
    std::map<std::string, std::array<Json, 3>> m_shapes;
};

class TimingCache final : public ITimingCache, public VTimingCacheStub
{
public:
    explicit TimingCache(std::string text) : m_text(std::move(text)) { ITimingCache::mImpl = this; }
    IHostMemory* serialize() const noexcept override { return new HostMemory("timings:" + m_text); }
    bool valid() const { return m_text.empty() || m_text.starts_with("timings:"); }

private:
    std::string m_text;
};

class Config final : public IBuilderConfig, public VBuilderConfigStub
{
public:
    Config() { IBuilderConfig::mImpl = this; }

    void setBuilderOptimizationLevel(std::int32_t level) noexcept override { m_level = level; }
    std::int32_t getBuilderOptimizationLevel() const noexcept override { return m_level; }
    void setProfilingVerbosity(ProfilingVerbosity verbosity) noexcept override { m_verbosity = verbosity; }
    void setFlag(BuilderFlag flag) noexcept override { m_flags |= 1U << static_cast<unsigned>(flag); }
    void clearFlag(BuilderFlag flag) noexcept override { m_flags &= ~(1U << static_cast<unsigned>(flag)); }
    void setMemoryPoolLimit(MemoryPoolType, std::size_t bytes) noexcept override { m_workspace = bytes; }
    std::size_t getMemoryPoolLimit(MemoryPoolType) const noexcept override { return m_workspace; }
    void setMaxAuxStreams(std::int32_t streams) noexcept override { m_auxStreams = streams; }
    std::int32_t addOptimizationProfile(const IOptimizationProfile* profile) noexcept override
    {
        m_shapes = static_cast<const Profile*>(profile)->shapes();
        return 0;
    }
    ITimingCache* createTimingCache(const void* blob, std::size_t size) const noexcept override
    {
        return new TimingCache(std::string(static_cast<const char*>(blob), size));
    }
    bool setTimingCache(const ITimingCache& cache, bool) noexcept override
    {
        if (!static_cast<const TimingCache&>(cache).valid())
            return false;
        m_timings = &cache;
        return true;
    }
    const ITimingCache* getTimingCache() const noexcept override { return m_timings; }

    bool has(BuilderFlag flag) const { return (m_flags >> static_cast<unsigned>(flag) & 1U) != 0; }

    Json plan(const Network& network) const
    {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        const char* precision = has(BuilderFlag::kFP16) ? "Half" : has(BuilderFlag::kBF16) ? "BFloat16" : "Float";
#pragma GCC diagnostic pop
        return {{"model", network.model()},
                {"level", m_level},
                {"detailed", m_verbosity == ProfilingVerbosity::kDETAILED},
                {"tf32", has(BuilderFlag::kTF32)},
                {"precision", precision},
                {"strongly_typed", network.stronglyTyped()},
                {"aux_streams", m_auxStreams},
                {"profile", m_shapes}};
    }

private:
    std::int32_t m_level = 3;
    ProfilingVerbosity m_verbosity = ProfilingVerbosity::kLAYER_NAMES_ONLY;
    std::uint32_t m_flags = 1U << static_cast<unsigned>(BuilderFlag::kTF32); // TensorRT's default
    std::size_t m_workspace = std::size_t{64} << 20;
    std::int32_t m_auxStreams = 2;
    Json m_shapes;
    const ITimingCache* m_timings = nullptr;
};

class Builder final : public IBuilder, public VBuilderStub
{
public:
    Builder() { IBuilder::mImpl = this; }
    IBuilderConfig* createBuilderConfig() noexcept override { return new Config; }
    INetworkDefinition* createNetworkV2(NetworkDefinitionCreationFlags flags) noexcept override
    {
        return new Network(flags);
    }
    IOptimizationProfile* createOptimizationProfile() noexcept override
    {
        m_profiles.push_back(std::make_unique<Profile>());
        return m_profiles.back().get();
    }
    IHostMemory* buildSerializedNetwork(INetworkDefinition& network, IBuilderConfig& config) noexcept override
    {
        const auto& known = static_cast<Network&>(network);
        if (const std::string why = known.model().value("build_fails", ""); !why.empty()) {
            logError(why);
            return nullptr;
        }
        return new HostMemory(static_cast<Config&>(config).plan(known).dump());
    }

private:
    std::vector<std::unique_ptr<Profile>> m_profiles;
};

} // namespace
} // namespace nvinfer1

namespace nvonnxparser {
namespace {

using nvinfer1::Json;

class Error final : public IParserErrorStub
{
public:
    explicit Error(Json described) : m_described(std::move(described))
    {
        for (const char* member : {"desc", "node", "op"})
            m_texts[member] = m_described.value(member, "");
    }
    ErrorCode code() const override { return static_cast<ErrorCode>(m_described.value("code", 1)); }
    const char* desc() const override { return m_texts.at("desc").c_str(); }
    const char* nodeName() const override { return m_texts.at("node").c_str(); }
    const char* nodeOperator() const override { return m_texts.at("op").c_str(); }

private:
    Json m_described;
    std::map<std::string, std::string> m_texts;
};

class Parser final : public IParserStub
{
public:
    explicit Parser(nvinfer1::Network& network) : m_network(network) {}

    bool parseFromFile(const char* file, int) noexcept override
    {
        std::ifstream stream(file);
        std::stringstream text;
        text << stream.rdbuf();
        Json model = Json::parse(text.str(), nullptr, false);
        if (!model.is_object())
            model = {{"parse_fails", {{"code", 3}, {"desc", "Failed to parse the ONNX model."}}}};
        if (model.contains("parse_fails")) {
            if (model["parse_fails"].is_object())
                m_errors.push_back(std::make_unique<Error>(model["parse_fails"]));
            nvinfer1::logError("ModelImporter: parsing stopped");
            return false;
        }
        m_network.take(std::move(model));
        return true;
    }
    int getNbErrors() const noexcept override { return static_cast<int>(m_errors.size()); }
    const IParserError* getError(int i) const noexcept override { return m_errors[static_cast<std::size_t>(i)].get(); }

private:
    nvinfer1::Network& m_network;
    std::vector<std::unique_ptr<Error>> m_errors;
};

} // namespace
} // namespace nvonnxparser

void* createInferBuilder_INTERNAL(void* logger, std::int32_t) noexcept
{
    nvinfer1::g_logger = static_cast<nvinfer1::ILogger*>(logger);
    return static_cast<nvinfer1::IBuilder*>(new nvinfer1::Builder);
}

void* createNvOnnxParser_INTERNAL(void* network, void*, int) noexcept
{
    auto* definition = static_cast<nvinfer1::INetworkDefinition*>(network);
    return static_cast<nvonnxparser::IParser*>(new nvonnxparser::Parser(*static_cast<nvinfer1::Network*>(definition)));
}
