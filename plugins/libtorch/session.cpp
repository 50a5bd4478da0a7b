// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/session.h"

#include "plugins/libtorch/aoti_model.h"
#include "plugins/libtorch/attention.h"
#include "plugins/libtorch/device_runtime.h"
#include "plugins/libtorch/fault.h"
#include "plugins/libtorch/globals.h"
#include "plugins/libtorch/host_memory.h"
#include "plugins/libtorch/package.h"
#include "plugins/libtorch/request.h"
#include "plugins/libtorch/torch_ops.h"
#include "plugins/libtorch/torchscript_model.h"
#include "plugins/support/artifact.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <torch/version.h>

#include <chrono>
#include <utility>

namespace apertune::libtorch {

namespace {

class CpuRuntime final : public DeviceRuntime
{
public:
    c10::Device device() const override { return c10::kCPU; }
    void synchronize() override {}
    void startTimer() override {}
    std::uint64_t stopTimer() override { return 0; }
    void resetPeaks() override { host_memory::resetPeak(); }
    MemoryFigures memory() override { return {host_memory::peak(), std::nullopt, ""}; }
    std::uint64_t allocationFailures() const override { return host_memory::failures(); }
    std::string capture(const std::function<void()>&) override { return "a CPU has no graphs"; }
    void replay() override {}
    std::size_t graphNodes() override { return 0; }
};

// A model that draws random numbers draws the same ones in every session, so that outputs can be compared.
constexpr std::uint64_t kSeed = 0;

/// The open sessions of this process. All calls come from one thread.
int g_sessions = 0;

class LibTorchSession final : public plugins::Session
{
public:
    LibTorchSession(const Request& request, Artifact artifact, std::unique_ptr<DeviceRuntime> runtime,
                    std::vector<InputSet> sets)
        : m_request(request), m_artifact(std::move(artifact)), m_runtime(std::move(runtime)), m_sets(std::move(sets)),
          m_failuresBefore(m_runtime->allocationFailures())
    {
        ++g_sessions;
    }

    ~LibTorchSession() override
    {
        --g_sessions;
        try {
            m_runtime->synchronize();
        } catch (...) { // NOLINT: a lost device has nothing left to wait for
        }
    }

    const InputSet& firstInputs() const { return m_sets.front(); }
    void setModel(std::unique_ptr<Model> model) { m_model = std::move(model); }

    void run(std::uint32_t input) override
    {
        const c10::InferenceMode inference;
        const InputSet& set = m_sets[input % m_sets.size()];
        // The recording takes over shapes by input set, and the address of the set identifies it.
        torch_ops::passBegins(&set);
        if (m_captured) {
            fillGraphInputs(set);
            m_runtime->replay();
        } else {
            m_model->forward(set, nullptr);
        }
    }

    void synchronize() override { m_runtime->synchronize(); }

    void finalize() override
    {
        if (!m_request.on("cuda_graph") || m_captured)
            return;
        const c10::InferenceMode inference;
        // A graph reads and writes the very tensors it was captured with.
        for (const at::Tensor& tensor : m_sets.front().tensors)
            m_graphInputs.tensors.push_back(tensor.clone());
        for (const at::Tensor& tensor : m_graphInputs.tensors)
            m_graphInputs.values.emplace_back(tensor);
        m_captureFailure = m_runtime->capture([this] { m_model->forward(m_graphInputs, &m_graphOutputs); });
        m_captured = m_captureFailure.empty();
        // The session goes on without a graph. report() says why.
        if (!m_captured) {
            m_graphInputs = {};
            m_graphOutputs = {};
        }
    }

    void startTimer() override { m_runtime->startTimer(); }
    std::uint64_t stopTimer() override { return m_runtime->stopTimer(); }

    void outputs(std::uint32_t input, const TensorSink& sink) override
    {
        const c10::InferenceMode inference;
        c10::IValue result;
        // Configurations are compared from the same state, with the same random numbers.
        m_model->resetState();
        if (m_artifact.random)
            at::manual_seed(kSeed);
        // Replaying overwrites the graph's own outputs, so they are read before the next run.
        if (m_captured) {
            run(input);
            result = m_graphOutputs;
        } else {
            m_model->forward(m_sets[input % m_sets.size()], &result);
        }
        handOver(flatten(result, m_artifact.outputNames), sink);
    }

    void resetPeaks() override
    {
        m_runtime->resetPeaks();
        if (m_request.cuda && !m_captured) {
            // The runtime emptied its cache. Without this pass the timed runs would fill it again.
            for (std::uint32_t input = 0; input < 2; ++input)
                run(input);
            m_runtime->synchronize();
        }
    }

    Report report() override
    {
        Report report;
        m_model->report(m_request, m_sets.front(), report);
        reportGlobalSwitches(m_request, report);
        if (!m_request.cuda)
            report.notApplicable("cuda_graph", "the device is a CPU");
        else if (m_captured)
            report.readBack("cuda_graph", true, true, "graph of " + std::to_string(m_runtime->graphNodes()) + " nodes");
        else
            report.readBack("cuda_graph", m_request.on("cuda_graph"), false,
                            !m_request.on("cuda_graph") ? "no graph was captured"
                            : m_captureFailure.empty()  ? "not captured yet"
                                                        : "capture failed: " + m_captureFailure);
        if (m_captured)
            report.notes.push_back("each run copies its input into the graph's own");
        report.memory = m_runtime->memory();
        // The allocators count for the whole process.
        if (g_sessions > 1)
            report.notes.push_back("the memory figures are those of " + std::to_string(g_sessions) +
                                   " open sessions together");
        return report;
    }

    void improve(Fault& fault) const override
    {
        // A compiled package turns a failed allocation into an exception that does not name the cause.
        if (m_runtime->allocationFailures() > m_failuresBefore)
            fault = {APERTUNE_OUT_OF_MEMORY, "Memory ran out while the model was running.",
                     "Use a smaller batch or a 16-bit precision, or free memory on the device.", fault.detail};
        else if (m_request.on("onednn_graph"))
            fault.hint = "oneDNN Graph cannot fuse every model: try again with onednn_graph off.";
        else if (m_request.precision == Precision::fp16 && !m_request.cuda)
            fault.hint = "Not every operator exists in fp16 on a CPU: try bf16 or fp32.";
    }

    void* hostMemory(std::uint32_t kind, std::uint64_t bytes) override
    {
        if (kind == APERTUNE_PINNED && m_request.cuda) {
            m_pinned.push_back(
                at::empty({static_cast<std::int64_t>(bytes)}, at::TensorOptions(at::kByte).pinned_memory(true)));
            return m_pinned.back().data_ptr();
        }
        return plugins::Session::hostMemory(kind, bytes);
    }

    void setSamples(std::uint32_t input, const apertune_samples& samples) override
    {
        const c10::InferenceMode inference;
        setInputSamples(m_sets[input % m_sets.size()], m_artifact, m_request, samples);
    }

    void runKeeping(std::uint32_t input) override
    {
        const c10::InferenceMode inference;
        m_kept = {};
        if (m_captured) {
            run(input);
            m_kept = m_graphOutputs;
        } else {
            m_model->forward(m_sets[input % m_sets.size()], &m_kept);
        }
    }

    void keptOutputs(const TensorSink& sink) override
    {
        if (m_kept.isNone())
            plugins::noKeptOutputs();
        const c10::InferenceMode inference;
        handOver(flatten(m_kept, m_artifact.outputNames), sink);
    }

    void startTrace(const apertune_trace_options& options) override { torch_ops::start(options); }
    void stopTrace(apertune_trace_sink sink, void* user) override { torch_ops::stop(sink, user); }

private:
    void fillGraphInputs(const InputSet& set)
    {
        for (std::size_t i = 0; i < set.tensors.size(); ++i)
            // The copies run in order on the session's stream, so the replay behind them waits for them.
            m_graphInputs.tensors[i].copy_(set.tensors[i], /*non_blocking=*/true);
    }

    // The order of destruction matters: a model gives its memory back to its device, so the device goes last.
    Request m_request;
    Artifact m_artifact;
    std::unique_ptr<DeviceRuntime> m_runtime;
    std::vector<InputSet> m_sets;
    std::unique_ptr<Model> m_model;
    InputSet m_graphInputs;
    c10::IValue m_graphOutputs;
    c10::IValue m_kept; ///< outputs of the last runKeeping()
    std::vector<at::Tensor> m_pinned;
    std::string m_captureFailure;
    bool m_captured = false;
    std::uint64_t m_failuresBefore;
};

} // namespace

std::unique_ptr<DeviceRuntime> makeCpuRuntime()
{
    return std::make_unique<CpuRuntime>();
}

const std::vector<KnownSwitch>& knownSwitches()
{
    static const std::vector<KnownSwitch> kSwitches = [] {
        std::vector<KnownSwitch> all;
        for (const auto& some : {graphSwitches(), globalSwitches(), packageSwitches(), attentionSwitches()})
            all.insert(all.end(), some.begin(), some.end());
        all.push_back({"cuda_graph", Where::cuda});
        return all;
    }();
    return kSwitches;
}

plugins::Opened openSession(const Request& request)
{
    // The allocator has to be installed before the first tensor is made, and settings before the model is loaded.
    host_memory::install();
    Artifact artifact = plugins::readArtifact(request.artifact);
    const plugins::ModelFile* script = plugins::checkedForm(artifact, "torchscript");
    if (!request.on("aoti") && !script)
        throw Fault(APERTUNE_BAD_INPUT, "The model artifact " + request.artifact.string() + " holds no TorchScript.",
                    "Import the model again, or use the switch aoti.");
    applyGlobalSwitches(request);
    auto runtime = request.cuda ? makeCudaRuntime(request.deviceIndex) : makeCpuRuntime();
    const c10::Device device = runtime->device();
    std::vector<InputSet> sets = makeInputSets(artifact, request, device);
    auto session = std::make_unique<LibTorchSession>(request, artifact, std::move(runtime), std::move(sets));

    plugins::Opened opened;
    const auto begin = std::chrono::steady_clock::now();
    std::unique_ptr<Model> model = request.on("aoti")
                                       ? loadPackage(artifact, request, device, session->firstInputs())
                                       : loadTorchScript(script->path, request, device, artifact.state, opened.notes);
    opened.temporaryFolder = model->temporaryFolder();
    session->setModel(std::move(model));
    // Copying weights to a device may still be under way, and belongs to the load time.
    session->synchronize();
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    opened.loadNanoseconds = static_cast<std::uint64_t>(std::chrono::nanoseconds(elapsed).count());
    opened.session = std::move(session);
    return opened;
}

plugins::Description describeBackend()
{
    plugins::Description info;
    info.name = "libtorch";
    info.formats = {"torchscript", "aoti"};
    for (const KnownSwitch& known : knownSwitches())
        info.switches.push_back(known.name);
    info.precisions = {"fp32", "tf32", "bf16", "fp16", "int8", "fp8"};
    info.version = TORCH_VERSION;
    plugins::DeviceInfo cpu;
    cpu.id = "cpu";
    cpu.name = plugins::cpuName();
    info.devices.push_back(std::move(cpu));
    describeCuda(info);
    return info;
}

} // namespace apertune::libtorch
