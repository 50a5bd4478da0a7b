// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/tensorrt/session.h"

#include "plugins/support/artifact.h"
#include "plugins/support/layer_trace.h"
#include "plugins/support/model_inputs.h"
#include "plugins/tensorrt/inspection.h"
#include "plugins/tensorrt/library.h"
#include "plugins/tensorrt/plan.h"
#include "plugins/tensorrt/tensors.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

namespace apertune::tensorrt {

namespace nv = nvinfer1;
using plugins::InputSpec;
using plugins::Layer;
using plugins::LayerTrace;
using plugins::Report;

namespace {

constexpr const char* kPass = "tensorrt infer";

std::int64_t now()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::string figure(double value, const char* unit)
{
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.1f %s", value, unit);
    return text.data();
}

std::string mebibytes(std::size_t bytes)
{
    return figure(static_cast<double>(bytes) / (1 << 20), "MiB");
}

/// Collects the layers of one pass, in the order in which TensorRT reports them.
class Profiler final : public nv::IProfiler
{
public:
    void reportLayerTime(const char* name, float milliseconds) noexcept override
    {
        // TensorRT states the time of a layer in milliseconds, traces state nanoseconds.
        constexpr double kNanosecondsPerMillisecond = 1e6;
        try {
            m_layers.push_back(
                {name ? name : "",
                 {},
                 static_cast<std::int64_t>(static_cast<double>(milliseconds) * kNanosecondsPerMillisecond)});
        } catch (const std::bad_alloc&) { // NOLINT: the recording then lacks a layer
        }
    }

    std::vector<Layer> take() { return std::exchange(m_layers, {}); }

private:
    std::vector<Layer> m_layers;
};

struct Port
{
    std::string name; ///< name in the plan
    nv::DataType type = nv::DataType::kFLOAT;
    std::vector<std::int64_t> shape;
    std::size_t bytes = 0;
};

class TensorRtSession final : public plugins::Session
{
public:
    explicit TensorRtSession(const Request& request)
        : m_request(request), m_artifact(plugins::readArtifact(request.artifact)), m_device(request.deviceIndex),
          m_memoryBefore(m_device.usedMemory()), m_plan(openPlan(request, m_artifact, m_device)),
          m_context(makeContext(nullptr))
    {
        readPorts();
        makeInputs();
        m_memoryPeak = memoryUsed();
    }

    std::vector<std::string> notes() const
    {
        const std::string took = figure(m_plan.record.buildSeconds, "s");
        return {m_plan.cached ? "The plan was kept from an earlier build, which took " + took + "."
                              : "The plan was built in " + took + "."};
    }

    void run(std::uint32_t input) override
    {
        const std::size_t set = input % m_sets.size();
        // A recorded pass runs in a context with a profiler. The measured context has none, because a profiler slows
        // passes.
        if (m_recording)
            return recordPass(set);
        if (!m_graphs.empty())
            return m_graphs[set].launch(m_device.stream());
        enqueue(*m_context, set);
    }

    void synchronize() override { m_device.synchronize(); }

    void finalize() override
    {
        if (!m_request.on("cuda_graph"))
            return;
        // One graph for each input set, because a graph contains the addresses of its inputs.
        try {
            for (std::size_t set = 0; set < m_sets.size(); ++set) {
                enqueue(*m_context, set); // the first pass makes preparations that cannot be captured
                m_device.synchronize();
                m_graphs.emplace_back(m_device.stream(), [&] { enqueue(*m_context, set); });
            }
        } catch (const CudaError& error) {
            m_graphFailure = error.text;
        } catch (const Fault& fault) {
            m_graphFailure = fault.message;
        }
        // Either all input sets have a graph or none: a mixture would show up as noise of the measurement.
        if (!m_graphFailure.empty()) {
            m_graphs.clear();
            enqueue(*m_context, 0); // checks that the stream works after a failed capture
        }
        m_device.synchronize();
        m_memoryPeak = std::max(m_memoryPeak, memoryUsed());
    }

    void startTimer() override { m_device.startTimer(); }
    std::uint64_t stopTimer() override { return m_device.stopTimer(); }

    void resetPeaks() override
    {
        // Work in flight may still allocate.
        synchronize();
        m_memoryPeak = memoryUsed();
    }

    void outputs(std::uint32_t input, const TensorSink& sink) override
    {
        run(input);
        handOut(sink);
    }

    void* hostMemory(std::uint32_t kind, std::uint64_t bytes) override
    {
        if (kind != APERTUNE_PINNED)
            return Session::hostMemory(kind, bytes);
        m_pinned.emplace_back(bytes);
        return m_pinned.back().get();
    }

    void setSamples(std::uint32_t input, const apertune_samples& samples) override
    {
        plugins::checkedSamples(samples, m_artifact.inputs, m_request.batch);
        const std::size_t bytes = m_inputs[samples.port].bytes / static_cast<std::size_t>(m_request.batch);
        const DeviceBuffer& buffer = m_sets[input % m_sets.size()][samples.port];
        for (std::uint32_t i = 0; i < samples.count; ++i)
            buffer.write(samples.data[i], bytes, bytes * i, m_device.stream());
    }

    void runKeeping(std::uint32_t input) override
    {
        run(input); // outputs have buffers of their own, so any pass leaves them there
        m_kept = true;
    }

    void keptOutputs(const TensorSink& sink) override
    {
        if (!m_kept)
            plugins::noKeptOutputs();
        handOut(sink);
    }

    Report report() override
    {
        synchronize();
        Report report;
        reportBuild(report);
        reportGraph(report);
        const std::vector<PlanLayer> layers = layersOf(*m_plan.engine);
        reportPrecision(m_request.precision, layers, report);
        m_memoryPeak = std::max(m_memoryPeak, memoryUsed());
        report.memory.devicePeak = m_memoryPeak;
        report.memory.note = "the device's memory figure leaves out the CUDA context, and counts what other processes "
                             "took meanwhile";
        report.notes.push_back("The plan has " + std::to_string(m_plan.engine->getNbLayers()) + " layers of the " +
                               std::to_string(m_plan.record.networkLayers) + " of the network; " + notes().front());
        return report;
    }

    void startTrace(const apertune_trace_options& options) override
    {
        m_trace.emplace(kPass, options.max_events);
        if (!(options.record & APERTUNE_TRACE_OPERATORS))
            return;
        synchronize();
        m_recording = makeContext(&m_profiler);
        enqueue(*m_recording, 0); // the first pass of a context allocates
        synchronize();
        // The layers of the first pass are dropped with it.
        m_profiler.take();
    }

    void stopTrace(apertune_trace_sink sink, void* user) override
    {
        const LayerTrace trace = std::move(*m_trace);
        m_trace.reset();
        synchronize();
        m_recording.reset();
        trace.handOver(sink, user);
    }

private:
    std::unique_ptr<nv::IExecutionContext> makeContext(nv::IProfiler* profiler)
    {
        // Older errors must not be taken for the cause of a failure here.
        theLog().take();
        std::unique_ptr<nv::IExecutionContext> context(m_plan.engine->createExecutionContext());
        if (!context)
            throw failed("TensorRT makes no execution context", APERTUNE_INTERNAL, kLeaveOut);
        context->setNvtxVerbosity(
            nv::ProfilingVerbosity::kNONE); // the plan has detailed names; passes must not pay for NVTX ranges
        if (profiler)
            context->setProfiler(profiler); // with a profiler, a pass is over before enqueueV3() returns
        const std::vector<std::string> names = namesOf(nv::TensorIOMode::kINPUT);
        for (std::size_t i = 0; i < names.size(); ++i) {
            const InputSpec& spec = plugins::specOf(m_artifact.inputs, names, i);
            if (!context->setInputShape(names[i].c_str(), dimsOf(plugins::shapeOfSet(spec, m_request.batch))))
                throw failed("TensorRT does not take batch " + std::to_string(m_request.batch), APERTUNE_UNSUPPORTED,
                             "Use another batch.");
        }
        for (std::size_t i = 0; i < m_outputs.size(); ++i)
            setAddress(*context, m_outputs[i], m_results[i].get());
        return context;
    }

    std::vector<std::string> namesOf(nv::TensorIOMode mode) const
    {
        std::vector<std::string> names;
        for (std::int32_t i = 0; i < m_plan.engine->getNbIOTensors(); ++i)
            if (const char* name = m_plan.engine->getIOTensorName(i); m_plan.engine->getTensorIOMode(name) == mode)
                names.emplace_back(name);
        return names;
    }

    Port portOf(const std::string& name) const
    {
        // Read from the context and not from the engine, whose shapes lack the batch.
        Port port{name, m_plan.engine->getTensorDataType(name.c_str()),
                  shapeOf(m_context->getTensorShape(name.c_str())), 0};
        // Buffers are allocated once, so each output needs a size that is known before the pass.
        if (std::any_of(port.shape.begin(), port.shape.end(), [](std::int64_t extent) { return extent < 0; }))
            throw Fault(APERTUNE_UNSUPPORTED,
                        "How large the output " + name + " is depends on the values of the input.", kLeaveOut);
        port.bytes = bytesOf(port.type);
        for (const std::int64_t extent : port.shape)
            port.bytes *= static_cast<std::size_t>(extent);
        return port;
    }

    void readPorts()
    {
        const std::vector<std::string> names = namesOf(nv::TensorIOMode::kINPUT);
        m_inputs.resize(names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            const InputSpec& spec = plugins::specOf(m_artifact.inputs, names, i);
            // specOf() returns an element of the artifact's inputs, so the difference of addresses is its index.
            m_inputs[static_cast<std::size_t>(&spec - m_artifact.inputs.data())] = portOf(names[i]);
        }
        for (const std::string& name : namesOf(nv::TensorIOMode::kOUTPUT)) {
            m_outputs.push_back(portOf(name));
            m_results.emplace_back(m_outputs.back().bytes);
            setAddress(*m_context, m_outputs.back(), m_results.back().get());
        }
    }

    void makeInputs()
    {
        m_sets.resize(m_request.inputSets);
        for (std::size_t k = 0; k < m_sets.size(); ++k)
            for (std::size_t i = 0; i < m_inputs.size(); ++i) {
                const std::vector<char> bytes =
                    plugins::readInputSet(m_artifact.inputs[i], static_cast<std::int64_t>(k), m_request.batch);
                plugins::checkBytes(m_inputs[i].name, bytes.size(), m_inputs[i].bytes);
                m_sets[k].emplace_back(bytes.size());
                m_sets[k].back().write(bytes.data(), bytes.size(), 0, m_device.stream());
                m_device.synchronize(); // the copy has to end before the bytes are freed
            }
    }

    static void setAddress(nv::IExecutionContext& context, const Port& port, void* address)
    {
        if (!context.setTensorAddress(port.name.c_str(), address))
            throw failed("TensorRT does not take the memory of " + port.name, APERTUNE_INTERNAL, kLeaveOut);
    }

    void enqueue(nv::IExecutionContext& context, std::size_t set) const
    {
        for (std::size_t i = 0; i < m_inputs.size(); ++i)
            // Addresses belong to the context, so each set is named anew; a captured graph keeps them.
            setAddress(context, m_inputs[i], m_sets[set][i].get());
        if (!context.enqueueV3(m_device.stream()))
            throw failed("The model failed in TensorRT", APERTUNE_MODEL_THREW, kLeaveOut);
    }

    void recordPass(std::size_t set)
    {
        // Layers of passes that were not recorded are dropped.
        m_profiler.take();
        const std::int64_t begin = now();
        enqueue(*m_recording, set);
        m_device.synchronize();
        m_trace->addPass(begin, now(), static_cast<std::uint32_t>(::syscall(SYS_gettid)), m_profiler.take());
    }

    void handOut(const TensorSink& sink)
    {
        synchronize();
        const auto& names = m_artifact.outputNames;
        std::vector<std::vector<char>> values(m_outputs.size());
        std::vector<apertune_tensor> tensors;
        for (std::size_t i = 0; i < m_outputs.size(); ++i) {
            const Port& port = m_outputs[i];
            std::vector<char> raw(port.bytes);
            m_results[i].read(raw.data(), raw.size());
            const apertune_dtype dtype = widened(port.type, raw, values[i]);
            // Names in the plan come from the ONNX file. The artifact's names are those that other backends hand out.
            const std::string& name = names.size() == m_outputs.size() ? names[i] : port.name;
            tensors.push_back({name.c_str(), dtype, static_cast<std::uint32_t>(port.shape.size()), port.shape.data(),
                               values[i].data()});
        }
        sink(tensors.data(), tensors.size());
    }

    void reportBuild(Report& report) const
    {
        // The plan does not contain the builder's settings, so they come from the record of its build.
        const PlanRecord& record = m_plan.record;
        for (const int level : {2, 3, 5}) {
            const std::string name = "builder_optimization_level_" + std::to_string(level);
            report.readBack(name, m_request.on(name), record.builderLevel == level,
                            "the builder's configuration states level " + std::to_string(record.builderLevel));
        }
        const std::string input = m_inputs.empty() ? "" : m_inputs.front().name;
        const auto batchAt = [&](nv::OptProfileSelector select) {
            const auto shape = shapeOf(m_plan.engine->getProfileShape(input.c_str(), 0, select));
            const std::size_t dim = m_artifact.inputs.empty()
                                        ? 0
                                        : static_cast<std::size_t>(m_artifact.inputs.front().batchDim.value_or(0));
            return dim < shape.size() ? shape[dim] : 0;
        };
        const std::int64_t least = batchAt(nv::OptProfileSelector::kMIN);
        const std::int64_t most = batchAt(nv::OptProfileSelector::kMAX);
        report.readBack("dynamic_batch", m_request.on("dynamic_batch"), least < most,
                        "the plan takes batches from " + std::to_string(least) + " to " + std::to_string(most));
        const std::int32_t streams = m_plan.engine->getNbAuxStreams();
        report.readBack("no_aux_streams", m_request.on("no_aux_streams"), streams == 0,
                        "the plan has " + std::to_string(streams) + " auxiliary streams");
        report.readBack("workspace_256mib", m_request.on("workspace_256mib"), record.workspace == kSmallWorkspace,
                        "a layer may have " + mebibytes(record.workspace) + " of scratch memory");
        report.readBack("no_plan_cache", m_request.on("no_plan_cache"), !m_plan.cached, notes().front());
        if (m_plan.cached)
            report.notApplicable("timing_cache", "the plan was kept: nothing was timed");
        else
            report.readBack("timing_cache", m_request.on("timing_cache"), record.timingsKept > 0,
                            std::to_string(record.timingsTaken) + " bytes of timings were there, " +
                                std::to_string(record.timingsKept) + " are kept");
    }

    void reportGraph(Report& report) const
    {
        const std::string evidence =
            !m_graphFailure.empty() ? "the capture failed: " + m_graphFailure
            : m_graphs.empty()      ? "none was captured"
                               : "a graph of " + std::to_string(m_graphs.front().nodes()) + " nodes for each input set";
        report.readBack("cuda_graph", m_request.on("cuda_graph"), !m_graphs.empty(), evidence);
    }

    // The driver counts the whole device, so the state before this session is subtracted.
    std::int64_t memoryUsed() const
    {
        return static_cast<std::int64_t>(m_device.usedMemory()) - static_cast<std::int64_t>(m_memoryBefore);
    }

    // The order of destruction matters: the device goes last.
    Request m_request;
    plugins::Artifact m_artifact;
    Device m_device;
    std::size_t m_memoryBefore;
    std::int64_t m_memoryPeak = 0;
    Plan m_plan;
    Profiler m_profiler;
    std::vector<Port> m_inputs; ///< in the order of the artifact
    std::vector<Port> m_outputs;
    std::vector<DeviceBuffer> m_results;
    std::vector<std::vector<DeviceBuffer>> m_sets; ///< indexed by set and input
    std::vector<PinnedMemory> m_pinned;
    std::unique_ptr<nv::IExecutionContext> m_context;
    std::unique_ptr<nv::IExecutionContext> m_recording; ///< null unless operators are recorded
    std::vector<Graph> m_graphs;                        ///< one for each input set; empty: none was captured
    std::string m_graphFailure;
    std::optional<LayerTrace> m_trace;
    bool m_kept = false; ///< m_results hold the outputs of the last runKeeping()
};

} // namespace

plugins::Opened openSession(const Request& request)
{
    // Loading includes a build where no plan was kept; the note says which of them it was.
    const auto begin = std::chrono::steady_clock::now();
    auto session = std::make_unique<TensorRtSession>(request);
    const auto load = std::chrono::steady_clock::now() - begin;
    plugins::Opened opened;
    opened.notes = session->notes();
    opened.session = std::move(session);
    opened.loadNanoseconds =
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(load).count());
    return opened;
}

} // namespace apertune::tensorrt
