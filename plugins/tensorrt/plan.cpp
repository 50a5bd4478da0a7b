// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/tensorrt/plan.h"

#include "plugins/support/model_inputs.h"
#include "plugins/tensorrt/library.h"
#include "plugins/tensorrt/tensors.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apertune::tensorrt {

namespace nv = nvinfer1;
using plugins::Artifact;
using plugins::InputSpec;
using plugins::kImportAgain;

namespace {

/// The first error of the parser. The later ones are its consequences.
Fault parserFault(const nvonnxparser::IParser& parser, const std::string& file)
{
    using Code = nvonnxparser::ErrorCode;
    const nvonnxparser::IParserError* error = parser.getNbErrors() > 0 ? parser.getError(0) : nullptr;
    if (!error)
        return failed("TensorRT cannot read " + file, APERTUNE_BAD_INPUT, kImportAgain);
    const auto textOf = [](const char* text) { return text ? std::string(text) : std::string(); };
    std::string what = textOf(error->desc());
    // The text becomes a part of a sentence that has a full stop of its own.
    while (!what.empty() && (what.back() == '.' || what.back() == '\n' || what.back() == ' '))
        what.pop_back();
    if (const std::string op = textOf(error->nodeOperator()); !op.empty())
        what +=
            " (operator " + op + (textOf(error->nodeName()).empty() ? "" : ", node " + textOf(error->nodeName())) + ")";
    const std::string detail = theLog().take();
    const Code code = error->code();
    if (code == Code::kMEM_ALLOC_FAILED)
        return {APERTUNE_OUT_OF_MEMORY, "Memory ran out while TensorRT read the model: " + what + ".",
                "Free memory on this machine.", detail};
    if (code == Code::kMODEL_DESERIALIZE_FAILED)
        return {APERTUNE_BAD_INPUT, "The model is not an ONNX file, or it is damaged: " + what + ".", kImportAgain,
                detail};
    // The enumeration lists all refusals of unsupported parts side by side.
    if (code >= Code::kUNSUPPORTED_GRAPH && code <= Code::kUNSUPPORTED_NODE_SHAPE)
        return {APERTUNE_UNSUPPORTED, "TensorRT does not take the model: " + what + ".", kLeaveOut, detail};
    return {APERTUNE_BAD_INPUT, "The ONNX model is not valid for TensorRT: " + what + ".",
            "Export the model again; if it fails again, leave TensorRT out for it.", detail};
}

std::vector<std::string> inputNames(const nv::INetworkDefinition& network)
{
    std::vector<std::string> names;
    for (std::int32_t i = 0; i < network.getNbInputs(); ++i)
        names.emplace_back(network.getInput(i)->getName());
    return names;
}

/// Checks an input of the network against the artifact's. Returns true when a dimension is open.
bool checkInput(const nv::ITensor& tensor, const InputSpec& spec, std::int64_t batch)
{
    const std::string name = tensor.getName();
    if (elementType(spec.dtype) != tensor.getType())
        plugins::otherElementType(name, typeName(tensor.getType()), spec);
    const std::vector<std::int64_t> shape = shapeOf(tensor.getDimensions());
    plugins::checkShape(name, shape, spec, batch);
    return std::any_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 0; });
}

/// What a request changes about its plan. The builder knows nothing else of the request, so that nothing can change a
/// plan without changing its key.
struct PlanSettings
{
    Precision precision;
    std::int64_t batch;
    int builderLevel;
    bool dynamicBatch;
    bool noAuxStreams;
    bool smallWorkspace;

    explicit PlanSettings(const Request& request)
        : precision(request.precision), batch(request.batch), builderLevel(request.builderLevel()),
          dynamicBatch(request.on("dynamic_batch")), noAuxStreams(request.on("no_aux_streams")),
          smallWorkspace(request.on("workspace_256mib"))
    {
    }

    void addTo(nlohmann::ordered_json& key) const
    {
        // A new member does not compile until it is named here.
        const auto& [itsPrecision, itsBatch, itsLevel, isDynamic, noStreams, isSmall] = *this;
        key["batch"] = itsBatch;
        key["precision"] = plugins::toString(itsPrecision);
        key["builder_level"] = itsLevel;
        key["dynamic_batch"] = isDynamic;
        key["no_aux_streams"] = noStreams;
        key["workspace_256mib"] = isSmall;
    }
};

class PlanBuilder
{
public:
    /// `keepsTimings`: the builder takes the timings of earlier builds, and adds its own.
    PlanBuilder(const PlanSettings& settings, const std::filesystem::path& package, const Artifact& artifact,
                const Device& device, bool keepsTimings)
        : m_settings(settings), m_package(package), m_artifact(artifact), m_device(device),
          m_keepsTimings(keepsTimings), m_builder(library().builder()),
          m_network(made(std::unique_ptr<nv::INetworkDefinition>(m_builder->createNetworkV2(networkFlags())),
                         "TensorRT makes no network")),
          m_parser(library().parser(*m_network)),
          m_config(made(std::unique_ptr<nv::IBuilderConfig>(m_builder->createBuilderConfig()),
                        "TensorRT makes no configuration"))
    {
    }

    /// Returns the serialized plan. The record gets the builder's configuration, read back just before the build.
    std::unique_ptr<nv::IHostMemory> build(PlanRecord& record)
    {
        const auto begin = std::chrono::steady_clock::now();
        parse();
        addProfile();
        configure();
        const auto timings = takeTimings(record);
        record.builderLevel = m_config->getBuilderOptimizationLevel();
        record.networkLayers = m_network->getNbLayers();
        record.workspace = m_config->getMemoryPoolLimit(nv::MemoryPoolType::kWORKSPACE);
        // Messages of reading the model must not be taken for the cause of a failure of the build.
        theLog().take();
        std::unique_ptr<nv::IHostMemory> plan(m_builder->buildSerializedNetwork(*m_network, *m_config));
        if (!plan)
            throw failed("TensorRT cannot build the model", APERTUNE_UNSUPPORTED,
                         "Leave TensorRT out for this model, or try another precision.");
        keepTimings(record);
        record.buildSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return plan;
    }

private:
    std::uint32_t networkFlags() const
    {
        // With 16-bit precisions the builder may choose the type of each layer. Otherwise the types of the ONNX file
        // hold, so that int8 runs where the file quantizes and nowhere else.
        const bool mixed = m_settings.precision == Precision::fp16 || m_settings.precision == Precision::bf16;
        return mixed ? 0U : 1U << static_cast<unsigned>(nv::NetworkDefinitionCreationFlag::kSTRONGLY_TYPED);
    }

    void parse()
    {
        theLog().take();
        const std::string name = m_package.filename().string();
        if (!m_parser->parseFromFile(m_package.c_str(), static_cast<int>(nv::ILogger::Severity::kWARNING)))
            throw parserFault(*m_parser, name);
        plugins::checkInputCount(static_cast<std::size_t>(m_network->getNbInputs()), m_artifact.inputs);
        if (m_settings.precision != Precision::int8)
            return;
        for (std::int32_t i = 0; i < m_network->getNbLayers(); ++i)
            if (m_network->getLayer(i)->getType() == nv::LayerType::kQUANTIZE)
                return;
        throw Fault(APERTUNE_UNSUPPORTED,
                    "The ONNX file " + name +
                        " quantizes nothing: TensorRT computes in int8 what "
                        "lies between QuantizeLinear and DequantizeLinear.",
                    "Use a file that was quantized, or another precision.");
    }

    void addProfile()
    {
        const std::vector<std::string> names = inputNames(*m_network);
        nv::IOptimizationProfile* profile = nullptr; // belongs to the builder
        for (std::size_t i = 0; i < names.size(); ++i) {
            const InputSpec& spec = plugins::specOf(m_artifact.inputs, names, i);
            // An input with a fixed shape needs no profile.
            if (!checkInput(*m_network->getInput(static_cast<std::int32_t>(i)), spec, m_settings.batch))
                continue;
            if (!profile)
                profile = m_builder->createOptimizationProfile();
            // Kernels are chosen for the measured batch, also where smaller ones are allowed.
            const nv::Dims tuned = dimsOf(plugins::shapeOfSet(spec, m_settings.batch));
            const nv::Dims least = m_settings.dynamicBatch ? dimsOf(plugins::shapeOfSet(spec, 1)) : tuned;
            for (const auto& [select, dims] : {std::pair{nv::OptProfileSelector::kMIN, least},
                                               {nv::OptProfileSelector::kOPT, tuned},
                                               {nv::OptProfileSelector::kMAX, tuned}})
                if (!profile || !profile->setDimensions(names[i].c_str(), select, dims))
                    throw failed("TensorRT does not take the shape of the input " + names[i], APERTUNE_UNSUPPORTED,
                                 kLeaveOut);
        }
        if (profile && m_config->addOptimizationProfile(profile) < 0)
            throw failed("TensorRT does not take batch " + std::to_string(m_settings.batch), APERTUNE_UNSUPPORTED,
                         "Use batch 1 for this model.");
    }

    void configure()
    {
        m_config->setBuilderOptimizationLevel(m_settings.builderLevel);
        m_config->setProfilingVerbosity(
            nv::ProfilingVerbosity::kDETAILED); // otherwise the chosen kernels could not be read back
        // TF32 is on by default. fp32 has to mean fp32, also for the layers beside int8.
        if (m_settings.precision == Precision::fp32 || m_settings.precision == Precision::int8)
            m_config->clearFlag(nv::BuilderFlag::kTF32);
        else
            m_config->setFlag(nv::BuilderFlag::kTF32);
        allowSixteenBits();
        if (m_settings.smallWorkspace)
            m_config->setMemoryPoolLimit(nv::MemoryPoolType::kWORKSPACE, kSmallWorkspace);
        if (m_settings.noAuxStreams)
            m_config->setMaxAuxStreams(0);
    }

    /// Turns an fp32 file into a 16-bit plan. Newer headers deprecate this in favour of files that are 16-bit
    /// themselves.
    void allowSixteenBits()
    {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        if (m_settings.precision == Precision::fp16)
            m_config->setFlag(nv::BuilderFlag::kFP16);
        if (m_settings.precision == Precision::bf16)
            m_config->setFlag(nv::BuilderFlag::kBF16);
#pragma GCC diagnostic pop
    }

    /// The timing cache of a build. It has to live as long as the build.
    std::unique_ptr<nv::ITimingCache> takeTimings(PlanRecord& record)
    {
        // Timings of an earlier build shorten this one, but make its choice depend on the past; so it is a switch.
        if (!m_keepsTimings)
            return nullptr;
        const auto kept = readWhole(timingsFile()).value_or(std::vector<char>());
        std::unique_ptr<nv::ITimingCache> timings(m_config->createTimingCache(kept.data(), kept.size()));
        if (timings && m_config->setTimingCache(*timings, false)) {
            record.timingsTaken = kept.size();
            return timings;
        }
        theLog().take(); // a cache that is damaged or of another version is begun anew
        timings.reset(m_config->createTimingCache(nullptr, 0));
        if (timings)
            m_config->setTimingCache(*timings, false);
        return timings;
    }

    void keepTimings(PlanRecord& record) const
    {
        const nv::ITimingCache* timings = m_keepsTimings ? m_config->getTimingCache() : nullptr;
        const std::unique_ptr<nv::IHostMemory> bytes(timings ? timings->serialize() : nullptr);
        if (bytes && writeWhole(timingsFile(), bytes->data(), bytes->size()))
            record.timingsKept = bytes->size();
    }

    std::filesystem::path timingsFile() const
    {
        // Timings hold for one kind of GPU and one version only.
        return timingCacheFile(m_device.name() + "\n" + m_device.capability(), library().version);
    }

    // The order of destruction matters: the builder is destroyed last.
    const PlanSettings m_settings;
    const std::filesystem::path m_package;
    const Artifact& m_artifact;
    const Device& m_device;
    const bool m_keepsTimings;
    std::unique_ptr<nv::IBuilder> m_builder;
    std::unique_ptr<nv::INetworkDefinition> m_network;
    std::unique_ptr<nvonnxparser::IParser> m_parser;
    std::unique_ptr<nv::IBuilderConfig> m_config;
};

/// The key of a plan: everything that decides what the plan is.
nlohmann::ordered_json keyOf(const PlanSettings& settings, const std::filesystem::path& package,
                             const Artifact& artifact, const Device& device)
{
    constexpr int kRecipe = 2; // has to be raised when this file builds plans otherwise from the same settings
    nlohmann::ordered_json shapes = nlohmann::ordered_json::array();
    for (const InputSpec& spec : artifact.inputs)
        shapes.push_back({spec.name, spec.dtype, plugins::shapeOfSet(spec, settings.batch)});
    nlohmann::ordered_json key{{"recipe", kRecipe},
                               {"tensorrt", library().version},
                               {"device", device.name()},
                               {"capability", device.capability()},
                               {"model", fingerprint(package)},
                               {"inputs", std::move(shapes)}};
    settings.addTo(key);
    return key;
}

std::unique_ptr<nv::ICudaEngine> ready(nv::IRuntime& runtime, const void* bytes, std::size_t size)
{
    theLog().take();
    return std::unique_ptr<nv::ICudaEngine>(runtime.deserializeCudaEngine(bytes, size));
}

} // namespace

Plan openPlan(const Request& request, const Artifact& artifact, const Device& device)
{
    const PlanSettings settings(request);
    const PlanCache cache(keyOf(settings, *request.package, artifact, device));
    const bool keeps = !request.on("no_plan_cache");
    Plan plan;
    plan.runtime = library().runtime();
    if (const auto kept = keeps ? cache.read() : std::nullopt) {
        plan.engine = ready(*plan.runtime, kept->plan.data(), kept->plan.size());
        plan.record = kept->record;
        plan.cached = plan.engine != nullptr;
        if (plan.cached)
            return plan;
        // A plan of another version or GPU is refused, which is no failure: the plan is built anew.
        if (Fault fault = failed("TensorRT does not take a plan that was kept", APERTUNE_INTERNAL, kImportAgain);
            fault.status == APERTUNE_OUT_OF_MEMORY)
            throw std::move(fault);
        cache.remove();
        plan.record = {};
    }
    PlanBuilder builder(settings, *request.package, artifact, device, request.on("timing_cache"));
    const auto bytes = builder.build(plan.record);
    plan.engine = ready(*plan.runtime, bytes->data(), bytes->size());
    if (!plan.engine)
        throw failed("TensorRT cannot load the plan that it built", APERTUNE_INTERNAL, kLeaveOut);
    if (keeps)
        cache.write(bytes->data(), bytes->size(), plan.record);
    return plan;
}

} // namespace apertune::tensorrt
