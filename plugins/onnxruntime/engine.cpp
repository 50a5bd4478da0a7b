// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/engine.h"

#include "plugins/support/model_inputs.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace apertune::ort {

namespace {

/// The engine's number of an element type; 0 for a type that it has no number for.
int elementType(const std::string& dtype)
{
    static const std::map<std::string, int> kTypes{
        {"float32", kFloat}, {"float64", kDouble}, {"float16", kFloat16}, {"bfloat16", kBfloat16}, {"int64", kInt64},
        {"int32", kInt32},   {"int16", kInt16},    {"int8", kInt8},       {"uint8", kUint8},       {"bool", kBool}};
    const auto found = kTypes.find(dtype);
    return found == kTypes.end() ? 0 : found->second;
}

struct InputType
{
    int element = 0;
    std::vector<std::int64_t> shape; ///< with -1 for any extent
};

InputType inputType(const Library& engine, const EngineSession* session, std::size_t index)
{
    const auto type = make(engine, engine.api.inputType, engine.api.releaseTypeInfo, session, index);
    const TensorInfo* tensor = nullptr;
    engine.check(engine.api.asTensorInfo(type.get(), &tensor));
    if (!tensor)
        throw Fault(APERTUNE_BAD_INPUT, "An input of the ONNX model is not a tensor.",
                    "Export the model with tensors as its inputs.");
    InputType read;
    std::size_t rank = 0;
    engine.check(engine.api.elementType(tensor, &read.element));
    engine.check(engine.api.rank(tensor, &rank));
    read.shape.resize(rank);
    engine.check(engine.api.shape(tensor, read.shape.data(), rank));
    return read;
}

/// Checks that an input of the model takes what the artifact describes.
void checkInput(const InputType& type, const plugins::InputSpec& spec, std::int64_t batch, const std::string& name)
{
    if (type.element != elementType(spec.dtype))
        throw Fault(APERTUNE_BAD_INPUT,
                    "The input " + name + " of the ONNX model is not of the type " + spec.dtype + " of the artifact.",
                    plugins::kImportAgain);
    if (!type.shape.empty() || spec.shape.empty()) // a file without a shape does not say which
        plugins::checkShape(name, type.shape, spec, batch);
}

std::int64_t number(const char* text)
{
    return text ? std::strtoll(text, nullptr, 10) : 0;
}

} // namespace

Inputs::Inputs(const Library& engine, const plugins::Artifact& artifact, const Request& request)
    : m_specs(artifact.inputs), m_batch(request.batch), m_sets(request.inputSets)
{
    constexpr std::size_t kAlignment = 64; // size of a cache line, and of the widest vector register
    const auto memory = make(engine, engine.api.createCpuMemoryInfo, engine.api.releaseMemoryInfo, int{kArenaAllocator},
                             int{kDefaultMemory});
    for (std::size_t k = 0; k < m_sets.size(); ++k)
        for (const plugins::InputSpec& spec : m_specs) {
            const std::vector<char> bytes = plugins::readInputSet(spec, static_cast<std::int64_t>(k), m_batch);
            const std::vector<std::int64_t> shape = plugins::shapeOfSet(spec, m_batch);
            const std::size_t size = (bytes.size() / kAlignment + 1) * kAlignment;
            std::unique_ptr<void, Free> data(std::aligned_alloc(kAlignment, size));
            if (!data)
                throw std::bad_alloc();
            // The tensor refers to this memory instead of copying it, so setSamples() can write into it.
            std::memcpy(data.get(), bytes.data(), bytes.size());
            Set& set = m_sets[k];
            set.owned.push_back(make(engine, engine.api.createTensorOver, engine.api.releaseValue,
                                     static_cast<const MemoryInfo*>(memory.get()), data.get(), bytes.size(),
                                     shape.data(), shape.size(), elementType(spec.dtype)));
            set.values.push_back(set.owned.back().get());
            set.data.push_back(std::move(data));
        }
}

Engine::Engine(const Library& engine, const std::filesystem::path& file, const Request& request, const Inputs& inputs,
               const std::optional<std::filesystem::path>& profile)
    : m_engine(engine), m_inputs(inputs), m_options(makeOptions(engine, request, profile))
{
    const Api& api = engine.api;
    m_session = make(engine, api.createSession, api.releaseSession, static_cast<const Env*>(engine.env), file.c_str(),
                     static_cast<const Options*>(m_options.get()));
    readInterface(request, inputs);
    if (request.on("io_binding"))
        bindAll(request);
    // The arena's statistics are a later function of the interface, which old versions lack.
    if (!request.on("no_arena") && api.allocatorStatistics) {
        const auto memory =
            make(engine, api.createCpuMemoryInfo, api.releaseMemoryInfo, int{kArenaAllocator}, int{kDefaultMemory});
        m_arena =
            make(engine, api.createAllocator, api.releaseAllocator, static_cast<const EngineSession*>(m_session.get()),
                 static_cast<const MemoryInfo*>(memory.get()));
    }
}

void Engine::readInterface(const Request& request, const Inputs& inputs)
{
    const Api& api = m_engine.api;
    const EngineSession* session = m_session.get();
    std::size_t inputCount = 0;
    std::size_t outputCount = 0;
    m_engine.check(api.inputCount(session, &inputCount));
    m_engine.check(api.outputCount(session, &outputCount));
    const auto& specs = inputs.specs();
    plugins::checkInputCount(inputCount, specs);
    char* name = nullptr;
    for (std::size_t i = 0; i < inputCount; ++i) {
        m_engine.check(api.inputName(session, i, m_engine.allocator, &name));
        m_inputNames.push_back(m_engine.take(name));
    }
    for (std::size_t i = 0; i < outputCount; ++i) {
        m_engine.check(api.outputName(session, i, m_engine.allocator, &name));
        m_outputNames.push_back(m_engine.take(name));
    }
    // Values are passed in the order of the artifact, so the names have to be in that order.
    std::vector<std::string> ordered(inputCount);
    for (std::size_t i = 0; i < inputCount; ++i) {
        const plugins::InputSpec& spec = plugins::specOf(specs, m_inputNames, i);
        checkInput(inputType(m_engine, session, i), spec, request.batch, m_inputNames[i]);
        ordered[static_cast<std::size_t>(&spec - specs.data())] = m_inputNames[i];
    }
    m_inputNames = std::move(ordered);
    for (const std::string& input : m_inputNames)
        m_inputPointers.push_back(input.c_str());
    for (const std::string& output : m_outputNames)
        m_outputPointers.push_back(output.c_str());
    // The array is made once, so that passes allocate nothing of our own.
    m_results.resize(outputCount);
}

void Engine::bindAll(const Request& request)
{
    const Api& api = m_engine.api;
    const auto memory = request.cuda ? make(m_engine, api.createMemoryInfo, api.releaseMemoryInfo, "Cuda",
                                            int{kArenaAllocator}, request.deviceIndex, int{kDefaultMemory})
                                     : make(m_engine, api.createCpuMemoryInfo, api.releaseMemoryInfo,
                                            int{kArenaAllocator}, int{kDefaultMemory});
    for (std::uint32_t k = 0; k < m_inputs.sets(); ++k) {
        auto binding = make(m_engine, api.createBinding, api.releaseBinding, m_session.get());
        for (std::size_t i = 0; i < m_inputPointers.size(); ++i)
            m_engine.check(api.bindInput(binding.get(), m_inputPointers[i], m_inputs.set(k)[i]));
        // Outputs stay on the device, so that a pass does not copy them to the host.
        for (const char* output : m_outputPointers)
            m_engine.check(api.bindOutputToDevice(binding.get(), output, memory.get()));
        m_bindings.push_back(std::move(binding));
    }
}

void Engine::run(std::uint32_t input)
{
    const Api& api = m_engine.api;
    if (!m_bindings.empty()) {
        m_engine.check(api.runWithBinding(m_session.get(), nullptr, m_bindings[input % m_bindings.size()].get()));
        return;
    }
    const auto& values = m_inputs.set(input);
    // A null asks ONNX Runtime to allocate the output.
    std::fill(m_results.begin(), m_results.end(), nullptr);
    m_engine.check(api.run(m_session.get(), nullptr, m_inputPointers.data(), values.data(), values.size(),
                           m_outputPointers.data(), m_outputPointers.size(), m_results.data()));
    for (Value* result : m_results)
        api.releaseValue(result);
}

std::vector<Handle<Value>> Engine::outputs(std::uint32_t input)
{
    const Api& api = m_engine.api;
    const auto& values = m_inputs.set(input);
    // Bindings are bypassed: their outputs may lie on the device and are overwritten by the next pass.
    std::vector<Value*> results(m_outputNames.size(), nullptr);
    m_engine.check(api.run(m_session.get(), nullptr, m_inputPointers.data(), values.data(), values.size(),
                           m_outputPointers.data(), m_outputPointers.size(), results.data()));
    std::vector<Handle<Value>> owned;
    for (Value* result : results)
        owned.emplace_back(result, api.releaseValue);
    return owned;
}

std::optional<ArenaFigures> Engine::arena() const
{
    if (!m_arena)
        return std::nullopt;
    const Api& api = m_engine.api;
    const auto figures =
        make(m_engine, api.allocatorStatistics, api.releaseKeyValues, static_cast<const Allocator*>(m_arena.get()));
    ArenaFigures read;
    read.peak = number(api.keyValue(figures.get(), "MaxInUse"));
    read.allocations = number(api.keyValue(figures.get(), "NumAllocs"));
    // A peak of zero means that the allocator counts nothing.
    return read.peak > 0 ? std::optional(read) : std::nullopt;
}

} // namespace apertune::ort
