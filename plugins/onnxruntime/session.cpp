// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/onnxruntime/session.h"

#include "plugins/onnxruntime/evidence.h"
#include "plugins/onnxruntime/profile.h"
#include "plugins/support/float16.h"

#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>

namespace apertune::ort {

namespace {

namespace fs = std::filesystem;

template <typename From, typename To>
void convert(const void* data, std::size_t count, std::vector<To>& to)
{
    const auto* from = static_cast<const From*>(data);
    to.assign(from, from + count);
}

/// An output as apertune_tensor wants it. A value that has the right type is not copied.
struct Plain
{
    std::vector<std::int64_t> shape;
    std::vector<float> floats;
    std::vector<std::int64_t> integers;
    apertune_dtype dtype = APERTUNE_FLOAT32;
    const void* data = nullptr;

    void take(int type, void* from, std::size_t count)
    {
        switch (type) {
        case kFloat:
            data = from;
            return;
        case kDouble:
            convert<double>(from, count, floats);
            break;
        case kFloat16:
        case kBfloat16:
            for (std::size_t i = 0; i < count; ++i) {
                const std::uint16_t bits = static_cast<const std::uint16_t*>(from)[i];
                floats.push_back(type == kFloat16 ? plugins::fromFloat16(bits) : plugins::fromBfloat16(bits));
            }
            break;
        default:
            takeIntegers(type, from, count);
            return;
        }
        data = floats.data();
    }

private:
    void takeIntegers(int type, void* from, std::size_t count)
    {
        dtype = APERTUNE_INT64;
        switch (type) {
        case kInt64:
        case kUint64:
            data = from;
            return;
        case kInt32:
            convert<std::int32_t>(from, count, integers);
            break;
        case kUint32:
            convert<std::uint32_t>(from, count, integers);
            break;
        case kInt16:
            convert<std::int16_t>(from, count, integers);
            break;
        case kUint16:
            convert<std::uint16_t>(from, count, integers);
            break;
        case kInt8:
            convert<std::int8_t>(from, count, integers);
            break;
        case kUint8:
        case kBool:
            convert<std::uint8_t>(from, count, integers);
            break;
        default:
            throw Fault(APERTUNE_UNSUPPORTED,
                        "An output of the ONNX model has the element type " + std::to_string(type) +
                            ", which cannot be compared.",
                        "Export the model with outputs of numbers.");
        }
        data = integers.data();
    }
};

class OnnxSession final : public plugins::Session
{
public:
    OnnxSession(const Library& engine, Request request, const plugins::Artifact& artifact, fs::path file)
        : m_engine(engine), m_request(std::move(request)), m_file(std::move(file)), m_names(artifact.outputNames),
          m_inputs(engine, artifact, m_request), m_model(engine, m_file, m_request, m_inputs)
    {
    }

    void run(std::uint32_t input) override { m_running->run(input); }

    void outputs(std::uint32_t input, const TensorSink& sink) override { handOut(m_model.outputs(input), sink); }

    void setSamples(std::uint32_t input, const apertune_samples& samples) override
    {
        const plugins::InputSpec& port = plugins::checkedSamples(samples, m_inputs.specs(), m_inputs.batch());
        std::size_t bytes = static_cast<std::size_t>(plugins::elementSize(port.dtype));
        // Rows of a batch lie one after the other, so sample i begins at i times the size of one.
        for (const std::int64_t extent : port.shape)
            bytes *= static_cast<std::size_t>(extent);
        auto* memory = static_cast<char*>(m_inputs.memory(input, samples.port));
        for (std::uint32_t i = 0; i < samples.count; ++i)
            std::memcpy(memory + bytes * i, samples.data[i], bytes);
    }

    // ONNX Runtime makes new outputs in each pass, so they are kept by holding the returned values.
    void runKeeping(std::uint32_t input) override { m_kept = m_model.outputs(input); }

    void keptOutputs(const TensorSink& sink) override
    {
        if (m_kept.empty())
            plugins::noKeptOutputs();
        handOut(m_kept, sink);
    }

    plugins::Report report() override
    {
        plugins::Report report;
        Evidence evidence;
        evidence.arena = m_model.arena();
        if (evidence.arena) {
            evidence.allocations = allocationsIn(m_model);
            report.memory.allocatorPeak = evidence.arena->peak;
            report.memory.note =
                "allocator_peak is that of ONNX Runtime's arena since the model was loaded; weights may "
                "lie outside it";
        }
        evidence.spinning = configEntry(m_engine, m_model.options(), kSpinningKey);
        inspectPass(evidence, report);
        // The evidence is collected first and evaluated in one place, evidence.cpp.
        ort::report(m_request, evidence, report);
        if (m_request.precision == Precision::int8)
            reportInt8(evidence, report);
        if (m_request.precision == Precision::bf16 && !m_request.cuda)
            report.notes.push_back(
                std::string("bf16 in matrix products was asked for with ") + kArmBf16Key +
                "; ONNX Runtime does not report whether a kernel used it, but the quality figures show it");
        return report;
    }

    void startTrace(const apertune_trace_options& options) override
    {
        m_traceOptions = options;
        // Profiling is an option of a session, so a recording needs a second one.
        m_recorder = std::make_unique<Recorder>(m_engine, m_file, m_request, m_inputs);
        // Passes run in the recorder's session meanwhile.
        m_running = &m_recorder->engine();
    }

    void stopTrace(apertune_trace_sink sink, void* user) override
    {
        // From here on passes run in the measured session again.
        m_running = &m_model;
        const std::unique_ptr<Recorder> recorder = std::move(m_recorder);
        handOver(recorder->finish(), providerOf(m_request), m_traceOptions, sink, user);
    }

private:
    void handOut(const std::vector<Handle<Value>>& values, const TensorSink& sink) const
    {
        const auto& names = m_names.size() == values.size() ? m_names : m_model.outputNames();
        std::vector<Plain> plain(values.size());
        std::vector<apertune_tensor> tensors;
        for (std::size_t i = 0; i < values.size(); ++i) {
            describe(values[i].get(), plain[i]);
            tensors.push_back({names[i].c_str(), plain[i].dtype, static_cast<std::uint32_t>(plain[i].shape.size()),
                               plain[i].shape.data(), plain[i].data});
        }
        sink(tensors.data(), tensors.size());
    }

    void describe(Value* value, Plain& plain) const
    {
        const Api& api = m_engine.api;
        int is = 0;
        m_engine.check(api.isTensor(value, &is));
        if (is == 0)
            throw Fault(APERTUNE_UNSUPPORTED, "An output of the ONNX model is not a tensor.",
                        "Export the model with tensors as its outputs.");
        const auto info = make(m_engine, api.tensorInfo, api.releaseTensorInfo, static_cast<const Value*>(value));
        std::size_t rank = 0;
        int type = 0;
        m_engine.check(api.rank(info.get(), &rank));
        plain.shape.resize(rank);
        m_engine.check(api.shape(info.get(), plain.shape.data(), rank));
        m_engine.check(api.elementType(info.get(), &type));
        void* data = nullptr;
        m_engine.check(api.tensorData(value, &data));
        std::size_t count = 1;
        for (const std::int64_t extent : plain.shape)
            count *= static_cast<std::size_t>(extent);
        plain.take(type, data, count);
    }

    /// The number of allocations of the arena in one pass of a warm model.
    static std::int64_t allocationsIn(Engine& model)
    {
        const std::int64_t before = model.arena()->allocations;
        model.run(0);
        return model.arena()->allocations - before;
    }

    /// Inspects one pass in sessions that record it: its operators, the provider of each, and the effect of the graph
    /// levels below the session's own.
    void inspectPass(Evidence& evidence, plugins::Report& report) const
    {
        // Set first and replaced on success, so that each way out states a reason.
        evidence.passMissing = "memory is too short for a second session that records what a pass does";
        if (!roomForAnother())
            return;
        try {
            Request otherwise = m_request; // differs only in switches that do not change which operators run
            otherwise.switches["no_memory_pattern"] = !m_request.on("no_memory_pattern");
            Recorder recorder(m_engine, m_file, otherwise, m_inputs);
            if (recorder.engine().arena())
                evidence.allocationsOtherwise = allocationsIn(recorder.engine()); // runs the pass
            else
                recorder.engine().run(0);
            evidence.pass = passSeen(recorder.finish());
            for (const GraphLevel lower : {kDisabled, kBasic, kExtended})
                if (lower < m_request.graphLevel())
                    evidence.levels.push_back(censusAt(lower));
            evidence.levels.push_back(evidence.pass->operators);
        } catch (const std::exception& error) {
            evidence.passMissing = std::string("a pass could not be recorded: ") + error.what();
            return;
        }
        std::string where;
        for (const std::string& provider : evidence.pass->providers)
            where += (where.empty() ? "" : ", ") + provider;
        report.notes.push_back("operators ran on " + where);
        if (m_request.on("tensorrt"))
            report.readBack("tensorrt", true, evidence.pass->providers.contains("TensorrtExecutionProvider"),
                            "operators ran on " + where);
    }

    /// The operators of a pass at another graph level. They do not depend on the batch, so a process inspects a level
    /// once.
    Census censusAt(GraphLevel level) const
    {
        static std::map<std::string, Census> seen;
        const std::string key =
            m_file.string() + "\n" + std::to_string(level) + (m_request.on("tensorrt") ? "\ntensorrt" : "");
        if (const auto known = seen.find(key); known != seen.end())
            return known->second;
        Request lower = m_request;
        // Exactly one level is on. Those below it are part of it.
        lower.switches["graph_basic"] = level == kBasic;
        lower.switches["graph_extended"] = level == kExtended;
        lower.switches["graph_all"] = level == kAll;
        // Without warm-up passes: operators are counted here and not timed.
        Recorder recorder(m_engine, m_file, lower, m_inputs, 0);
        recorder.engine().run(0);
        return seen[key] = passSeen(recorder.finish()).operators;
    }

    /// Returns whether the machine has memory for the model three times over, because the engine packs weights anew in
    /// each session.
    bool roomForAnother() const
    {
        // In a container the figure is that of the whole machine; it still keeps most machines from swapping.
        std::error_code ignored;
        const std::uintmax_t size = fs::file_size(m_file, ignored);
        std::ifstream stream("/proc/meminfo");
        for (std::string name, unit; stream >> name;) {
            std::uintmax_t kibibytes = 0;
            stream >> kibibytes;
            std::getline(stream, unit);
            if (name == "MemAvailable:")
                return kibibytes * 1024 > 3 * size;
        }
        // Where memory cannot be asked for, the second session is tried.
        return true;
    }

    const Library& m_engine;
    Request m_request;
    fs::path m_file;
    std::vector<std::string> m_names; ///< names of the outputs in the artifact
    Inputs m_inputs;
    Engine m_model;
    std::vector<Handle<Value>> m_kept;    ///< outputs of the last runKeeping(), in host memory
    std::unique_ptr<Recorder> m_recorder; ///< null unless a trace is recorded
    Engine* m_running = &m_model;
    apertune_trace_options m_traceOptions{};
};

} // namespace

plugins::Opened openSession(const Library& engine, const Request& request)
{
    const plugins::Artifact artifact = plugins::readArtifact(request.artifact);
    fs::path file = request.package.value_or(fs::path());
    if (file.empty()) {
        const plugins::ModelFile* form = plugins::checkedForm(artifact, "onnx");
        if (!form)
            throw Fault(APERTUNE_BAD_INPUT,
                        "The model artifact " + request.artifact.string() + " holds no ONNX file, and none was given.",
                        "Import the model again; its ONNX file is written then.");
        file = form->path;
    }
    std::error_code error;
    if (!fs::is_regular_file(file, error))
        throw Fault(APERTUNE_BAD_INPUT, "The ONNX file " + file.string() + " does not exist.",
                    "Import the model again.");
    plugins::Opened opened;
    const auto begin = std::chrono::steady_clock::now();
    opened.session = std::make_unique<OnnxSession>(engine, request, artifact, std::move(file));
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    opened.loadNanoseconds = static_cast<std::uint64_t>(std::chrono::nanoseconds(elapsed).count());
    return opened;
}

} // namespace apertune::ort
