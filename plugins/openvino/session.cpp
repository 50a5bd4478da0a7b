// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/openvino/session.h"

#include "plugins/openvino/devices.h"
#include "plugins/openvino/fault.h"
#include "plugins/openvino/int8_report.h"
#include "plugins/openvino/model_file.h"
#include "plugins/openvino/tensors.h"
#include "plugins/support/artifact.h"
#include "plugins/support/layer_trace.h"
#include "plugins/support/model_inputs.h"

#include <openvino/runtime/core.hpp>
#include <openvino/runtime/intel_cpu/properties.hpp>
#include <openvino/runtime/properties.hpp>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>

namespace apertune::openvino {

using plugins::Artifact;
using plugins::InputSpec;
using plugins::Layer;
using plugins::LayerTrace;
using plugins::Report;

namespace {

constexpr const char* kPass = "openvino infer";

std::int64_t now()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

ov::element::Type hintOf(Precision precision)
{
    switch (precision) {
    case Precision::bf16:
        return ov::element::bf16;
    case Precision::fp16:
        return ov::element::f16;
    case Precision::fp32:
    case Precision::tf32:
    case Precision::int8: // the type of layers that stay in floating point
    case Precision::fp8:  // never happens: the backend does not offer it
        break;
    }
    return ov::element::f32;
}

/// A property of a compiled model as text; empty where this device lacks the property.
std::string propertyText(const ov::CompiledModel& model, const std::string& property)
{
    try {
        return model.get_property(property).as<std::string>();
    } catch (const std::exception&) {
        return {};
    }
}

class OpenVinoSession final : public plugins::Session
{
public:
    explicit OpenVinoSession(const Request& request)
        : m_request(request), m_artifact(plugins::readArtifact(request.artifact)), m_parts(partsOf(request))
    {
        // The batch is fixed before compiling: a fixed shape lets OpenVINO choose its kernels and memory once.
        m_model = readModel(*request.package);
        fixBatch(*m_model, m_artifact, request.batch / m_parts);
        m_compiled = compile(false);
        makeRequests();
        makeInputs();
    }

    void run(std::uint32_t input) override
    {
        if (m_busy)
            synchronize(); // an infer request takes one pass at a time
        const auto& set = m_sets[input % m_sets.size()];
        for (std::size_t part = 0; part < m_requests.size(); ++part)
            for (std::size_t i = 0; i < set[part].size(); ++i)
                // Tensors are handed over by reference, so changing the input set copies nothing.
                m_requests[part].set_input_tensor(m_inputIndex[i], set[part][i]);
        m_began = now();
        // One request runs in this thread. A queue with one entry would add a change of threads to each pass.
        if (m_requests.size() == 1) {
            m_requests.front().infer();
            recordPass();
            return;
        }
        for (ov::InferRequest& request : m_requests)
            request.start_async();
        m_busy = true;
    }

    void synchronize() override
    {
        if (!m_busy)
            return;
        m_busy = false;
        for (ov::InferRequest& request : m_requests)
            request.wait();
        recordPass();
    }

    void outputs(std::uint32_t input, const TensorSink& sink) override
    {
        run(input);
        synchronize();
        handOut(sink);
    }

    void setSamples(std::uint32_t input, const apertune_samples& samples) override
    {
        const InputSpec& port = plugins::checkedSamples(samples, m_artifact.inputs, m_request.batch);
        synchronize(); // a pass in flight still reads its inputs
        const std::int64_t each = m_request.batch / m_parts;
        const auto& set = m_sets[input % m_sets.size()];
        for (std::uint32_t i = 0; i < samples.count; ++i) {
            ov::Tensor tensor = set[static_cast<std::size_t>(i / each)][samples.port]; // shares the memory of the set
            const std::size_t bytes = tensor.get_byte_size() / static_cast<std::size_t>(each * port.shape[0]);
            std::memcpy(static_cast<char*>(tensor.data()) + bytes * static_cast<std::size_t>(i % each), samples.data[i],
                        bytes);
        }
    }

    void runKeeping(std::uint32_t input) override
    {
        run(input); // an infer request keeps its outputs until the next pass
        m_kept = true;
    }

    void keptOutputs(const TensorSink& sink) override
    {
        if (!m_kept)
            plugins::noKeptOutputs();
        synchronize();
        handOut(sink);
    }

    Report report() override
    {
        Report report;
        // What the compiled model states counts, because a plugin may choose another number of streams than it was
        // asked for.
        const std::string streams = propertyText(m_compiled, ov::num_streams.name());
        const std::string parts = std::to_string(m_parts) + (m_parts == 1 ? " part of " : " parts of ") +
                                  std::to_string(m_request.batch / m_parts) + ", " + streams + " streams";
        const bool cut = m_parts > 1 && streams == std::to_string(m_parts);
        report.readBack("streams", m_request.on("streams"), cut, parts);
        report.notes.push_back(std::string(ov::execution_devices.name()) + " is " +
                               propertyText(m_compiled, ov::execution_devices.name()));
        const std::string pinned = propertyText(m_compiled, ov::hint::enable_cpu_pinning.name());
        if (pinned.empty())
            report.notApplicable("cpu_pinning", m_request.target + " knows no " + ov::hint::enable_cpu_pinning.name());
        else
            report.readBack("cpu_pinning", m_request.on("cpu_pinning"), pinned == "YES",
                            std::string(ov::hint::enable_cpu_pinning.name()) + " is " + pinned);
        const bool cached = propertyText(m_compiled, ov::loaded_from_cache.name()) == "YES";
        report.readBack("model_cache", m_request.on("model_cache"), cached,
                        cached ? "loaded from the cache" : "compiled anew");
        const std::string precision = propertyText(m_compiled, ov::hint::inference_precision.name());
        const std::string threads = propertyText(m_compiled, ov::inference_num_threads.name());
        report.notes.push_back("OpenVINO reports: inference precision " + precision + ", " +
                               (threads.empty() ? std::string() : threads + " threads, ") + streams +
                               " streams, hint " + propertyText(m_compiled, ov::hint::performance_mode.name()) + ".");
        if (m_request.precision == Precision::int8)
            reportInt8(m_compiled, report);
        else if (precision != hintOf(m_request.precision).get_type_name())
            report.notes.push_back("The precision asked for is not in effect: OpenVINO runs " + precision + ".");
        return report;
    }

    void startTrace(const apertune_trace_options& options) override
    {
        // A recording without operators needs no counters, so the measured model itself goes on.
        if (!(options.record & APERTUNE_TRACE_OPERATORS)) {
            m_trace.emplace(kPass, options.max_events);
            return;
        }
        // Counters are fixed when a model is compiled, so a recording needs a second compiled model.
        synchronize();
        m_bare = m_compiled;
        m_compiled = compile(true);
        makeRequests();
        run(0); // the first pass of a compiled model allocates
        synchronize();
        m_trace.emplace(kPass, options.max_events);
    }

    void stopTrace(apertune_trace_sink sink, void* user) override
    {
        synchronize(); // a pass in flight still belongs to the recording
        const LayerTrace trace = std::move(*m_trace);
        m_trace.reset();
        if (m_bare) {
            m_compiled = *m_bare;
            m_bare.reset();
            makeRequests();
        }
        trace.handOver(sink, user);
    }

private:
    void handOut(const TensorSink& sink)
    {
        const std::size_t count = m_compiled.outputs().size();
        std::vector<std::vector<char>> values(count);
        std::vector<std::vector<std::int64_t>> shapes(count);
        std::vector<std::string> names(count);
        std::vector<apertune_tensor> tensors;
        for (std::size_t i = 0; i < count; ++i) {
            names[i] = i < m_artifact.outputNames.size() ? m_artifact.outputNames[i] : "output_" + std::to_string(i);
            const apertune_dtype dtype = join(i, values[i], shapes[i]);
            tensors.push_back({names[i].c_str(), dtype, static_cast<std::uint32_t>(shapes[i].size()), shapes[i].data(),
                               values[i].data()});
        }
        sink(tensors.data(), tensors.size());
    }

    /// The largest useful number of streams of the device; for the processor, the number of threads.
    static std::int64_t mostStreams(const Request& request)
    {
        if (request.target == kCpu)
            return request.threads > 0 ? request.threads : ::sysconf(_SC_NPROCESSORS_ONLN);
        try {
            return static_cast<std::int64_t>(std::get<1>(core().get_property(request.target, ov::range_for_streams)));
        } catch (const std::exception&) {
            return 1; // the device does not report it, for example an NPU
        }
    }

    static std::int64_t partsOf(const Request& request)
    {
        if (!request.on("streams"))
            return 1;
        const std::int64_t most = mostStreams(request);
        std::int64_t parts = std::min(most, request.batch);
        // All parts have the same shape, because they are requests of one compiled model.
        while (parts > 1 && request.batch % parts != 0)
            --parts;
        return std::max<std::int64_t>(1, parts);
    }

    ov::CompiledModel compile(bool counters) const
    {
        // The hint comes with defaults for streams and threads that suit it; those set below take precedence.
        const auto mode = m_parts > 1 ? ov::hint::PerformanceMode::THROUGHPUT : ov::hint::PerformanceMode::LATENCY;
        ov::AnyMap properties{ov::hint::performance_mode(mode), ov::num_streams(static_cast<std::int32_t>(m_parts)),
                              ov::hint::inference_precision(hintOf(m_request.precision)),
                              // Accuracy mode keeps the plugin from lowering the precision of its own accord.
                              ov::hint::execution_mode(ov::hint::ExecutionMode::ACCURACY),
                              ov::hint::enable_cpu_pinning(m_request.on("cpu_pinning")),
                              ov::enable_profiling(counters)};
        if (m_request.precision == Precision::bf16 ||
            m_request.precision == Precision::fp16) // accuracy mode would keep the model's own precision
            properties[ov::hint::execution_mode.name()] = ov::hint::ExecutionMode::PERFORMANCE;
        if (m_request.threads > 0)
            properties.insert(ov::inference_num_threads(m_request.threads));
        // A model with counters is slower and must not take the place of the cached one.
        if (m_request.on("model_cache") && !counters)
            properties.insert(ov::cache_dir(plugins::cacheFolder("openvino").string()));
        try {
            if (m_request.target != kCpu)
                keepKnown(properties);
            return core().compile_model(m_model, m_request.target, properties);
        } catch (...) {
            throw faultOf(std::current_exception(), APERTUNE_UNSUPPORTED, "OpenVINO cannot compile the model",
                          "Leave OpenVINO out for this model, or try another precision.");
        }
    }

    /// Removes properties that the device lacks, because other devices than the processor refuse unknown ones.
    void keepKnown(ov::AnyMap& properties) const
    {
        const auto known = core().get_property(m_request.target, ov::supported_properties);
        std::erase_if(properties, [&](const auto& property) {
            return property.first != ov::cache_dir.name() && // a property of the runtime itself
                   std::none_of(known.begin(), known.end(), [&](const ov::PropertyName& name) {
                       return name == property.first && name.is_mutable();
                   });
        });
    }

    void makeRequests()
    {
        m_requests.clear();
        for (std::int64_t part = 0; part < m_parts; ++part)
            m_requests.push_back(m_compiled.create_infer_request());
    }

    void makeInputs()
    {
        const std::int64_t each = m_request.batch / m_parts;
        for (const InputSpec& port : m_artifact.inputs) {
            // An input whose name is not in the model is taken by its position.
            std::size_t index = m_inputIndex.size();
            for (std::size_t i = 0; i < m_compiled.inputs().size(); ++i)
                if (m_compiled.inputs()[i].get_names().contains(port.name))
                    index = i;
            m_inputIndex.push_back(index);
        }
        m_sets.resize(m_request.inputSets);
        for (std::size_t k = 0; k < m_sets.size(); ++k)
            for (std::int64_t part = 0; part < m_parts; ++part) {
                auto& tensors = m_sets[k].emplace_back();
                for (std::size_t i = 0; i < m_artifact.inputs.size(); ++i)
                    tensors.push_back(
                        inputTensor(i, static_cast<std::int64_t>(k) * m_request.batch + part * each, each));
            }
    }

    ov::Tensor inputTensor(std::size_t i, std::int64_t first, std::int64_t count) const
    {
        const InputSpec& port = m_artifact.inputs[i];
        const ov::Output<const ov::Node>& input = m_compiled.inputs()[m_inputIndex[i]];
        if (input.get_element_type() != elementType(port.dtype))
            plugins::otherElementType(port.name, input.get_element_type().get_type_name(), port);
        ov::Tensor tensor(input.get_element_type(), input.get_shape());
        // Parts are numbered through all sets. Any run of `count` samples is as good as another.
        const std::vector<char> bytes = plugins::readInputSet(port, first / count, count);
        plugins::checkBytes(port.name, bytes.size(), tensor.get_byte_size());
        std::memcpy(tensor.data(), bytes.data(), bytes.size());
        return tensor;
    }

    apertune_dtype join(std::size_t index, std::vector<char>& values, std::vector<std::int64_t>& shape)
    {
        std::optional<int> dim = 0; // for a manifest that describes no outputs
        if (index < m_artifact.outputBatchDims.size())
            dim = m_artifact.outputBatchDims[index];
        std::vector<ov::Tensor> parts;
        for (ov::InferRequest& request : m_requests)
            parts.push_back(request.get_output_tensor(index));
        return joined(parts, dim, values, shape);
    }

    void recordPass()
    {
        if (!m_trace || !m_bare)
            return;
        // Read before the counters, whose reading takes time of its own.
        const std::int64_t ended = now();
        const auto thread = static_cast<std::uint32_t>(::syscall(SYS_gettid));
        for (std::size_t part = 0; part < m_requests.size(); ++part) {
            std::vector<Layer> layers;
            for (const ov::ProfilingInfo& info : m_requests[part].get_profiling_info())
                if (info.status == ov::ProfilingInfo::Status::EXECUTED)
                    layers.push_back({info.node_type, info.exec_type,
                                      std::chrono::duration_cast<std::chrono::nanoseconds>(info.real_time).count()});
            // The parts of a pass run at the same time, so each gets a track of its own.
            m_trace->addPass(m_began, ended, thread + static_cast<std::uint32_t>(part), layers);
        }
    }

    Request m_request;
    Artifact m_artifact;
    std::int64_t m_parts;
    std::shared_ptr<ov::Model> m_model;
    ov::CompiledModel m_compiled;
    std::optional<ov::CompiledModel> m_bare; ///< the compiled model without counters, while a recording runs with them
    std::vector<ov::InferRequest> m_requests;
    std::vector<std::size_t> m_inputIndex;                    ///< index in the model, by input of the manifest
    std::vector<std::vector<std::vector<ov::Tensor>>> m_sets; ///< indexed by set, part and input of the manifest
    std::optional<LayerTrace> m_trace;
    std::int64_t m_began = 0;
    bool m_busy = false;
    bool m_kept = false; ///< the requests hold the outputs of the last runKeeping()
};

} // namespace

plugins::Description describeBackend()
{
    plugins::Description info;
    info.name = "openvino";
    info.version = ov::get_openvino_version().buildNumber;
    // The build number ends in the hash of a commit, which is no part of the version.
    info.version = info.version.substr(0, info.version.find('-'));
    info.formats = {"openvino_ir", "onnx"};
    for (const Switch& known : knownSwitches()) {
        info.switches.emplace_back(known.name);
        info.summaries[known.name] = known.summary;
    }
    info.levels = {{"O1", {}}, {"O2", {"streams"}}, {"O3", {"streams", "cpu_pinning"}}};
    const auto add = [&](plugins::DeviceInfo device, const std::string& target) {
        device.precisions = {"fp32"};
        for (const Precision precision : {Precision::bf16, Precision::fp16, Precision::int8})
            if (computesIn(target, precision))
                device.precisions.emplace_back(toString(precision));
        for (const std::string& precision : device.precisions)
            if (std::find(info.precisions.begin(), info.precisions.end(), precision) == info.precisions.end())
                info.precisions.push_back(precision);
        info.devices.push_back(std::move(device));
    };
    add({"cpu", core().get_property(kCpu, ov::device::full_name), 0, {}, {}, {}}, kCpu);
    for (const Accelerator& other : accelerators())
        add({other.id, other.name, other.memoryBytes, {}, {}, {}}, other.target);
    return info;
}

std::unique_ptr<plugins::Session> openSession(const Request& request)
{
    return std::make_unique<OpenVinoSession>(request);
}

} // namespace apertune::openvino
