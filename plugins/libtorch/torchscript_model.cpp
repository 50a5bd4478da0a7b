// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/torchscript_model.h"

#include "plugins/libtorch/archive.h"
#include "plugins/libtorch/attention.h"
#include "plugins/libtorch/fault.h"
#include "plugins/libtorch/graph_census.h"
#include "plugins/libtorch/package.h"
#include "plugins/libtorch/traced_convolutions.h"

#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/codegen/onednn/interface.h>
#include <torch/csrc/jit/passes/fold_conv_bn.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

#include <functional>
#include <optional>
#include <utility>

namespace apertune::libtorch {

namespace {

using torch::jit::Module;

/// A prepared module, with facts for the report that preparing it would otherwise lose.
struct Prepared
{
    Module module;
    std::size_t loaded;        ///< parameters and buffers in the file
    NodeKinds beforeInference; ///< nodes before optimize_for_inference; empty when it did not run
    NodeKinds afterInference;
};

/// The executor fuses the graph within this many passes: it profiles the first and specializes the next.
constexpr int kFusingPasses = 4;

void selectExecutor(const Request& request, bool oneDnnGraph)
{
    // The simple executor runs the graph unchanged from the first pass on. The profiling one observes a pass, then
    // specializes and fuses. A method keeps the executor that is selected when it first runs.
    torch::jit::getExecutorMode() = true;
    torch::jit::getProfilingMode() = request.on("jit_optimize");
    torch::jit::setGraphExecutorOptimize(true);
    if (oneDnnGraph != torch::jit::RegisterLlgaFuseGraph::isEnabled())
        torch::jit::RegisterLlgaFuseGraph::setEnabled(oneDnnGraph);
}

/// Rewrites the floating-point parameters and buffers in place. Module::to(dtype) would also cast integer ones, which
/// breaks every model that indexes with a buffer.
template <typename Change>
void rewriteTensors(const Module& module, const Change& change)
{
    const auto apply = [&](const at::Tensor& tensor) {
        if (tensor.is_floating_point())
            tensor.set_data(change(tensor.detach()));
    };
    for (const at::Tensor& parameter : module.parameters())
        apply(parameter);
    for (const at::Tensor& buffer : module.buffers())
        apply(buffer);
}

Module folded(Module module, std::vector<std::string>& notes)
{
    // Folding is an improvement only: a model that it refuses runs without it.
    try {
        return torch::jit::FoldConvBatchNorm(module);
    } catch (const c10::Error& e) {
        notes.push_back("Batch normalisation is folded after the cast, not before it: " +
                        essentialLine(e.what_without_backtrace()));
        return module;
    }
}

Module frozen(Module module)
{
    try {
        return torch::jit::freeze(module);
    } catch (const c10::Error& e) {
        throw Fault(APERTUNE_BAD_INPUT, "The model cannot be frozen: " + essentialLine(e.what_without_backtrace()),
                    "Turn the switch freeze off for this model.", e.what_without_backtrace());
    }
}

Prepared prepare(const std::filesystem::path& file, const Request& request, at::Device device,
                 std::vector<std::string>& notes)
{
    // NoGradGuard and not inference mode: set_data() refuses tensors that were made in inference mode.
    const at::NoGradGuard noGrad;
    Module module = torch::jit::load(file.string(), device, /*load_debug_files=*/false);
    if (!module.find_method("forward"))
        throw Fault(APERTUNE_BAD_INPUT, file.string() + " has no method forward.", "Import a model that has one.");
    module.eval();
    const std::size_t loaded = countTensors(module).attributes;
    // Folding in full precision and casting afterwards loses less accuracy than the reverse order.
    if (request.sixteenBit() && request.on("freeze"))
        module = folded(std::move(module), notes);
    followProcessSettings(module); // after folding, which looks for the operators of a trace
    if (const auto type = castType(request.precision))
        rewriteTensors(module, [&](const at::Tensor& tensor) { return tensor.to(*type); });
    if (request.on("channels_last"))
        rewriteTensors(module, [](const at::Tensor& tensor) {
            return tensor.dim() == 4 ? tensor.contiguous(at::MemoryFormat::ChannelsLast) : tensor;
        });
    if (request.on("freeze"))
        module = frozen(std::move(module));

    Prepared prepared{std::move(module), loaded, {}, {}};
    if (request.on("optimize_for_inference")) {
        // It would freeze a module that is not frozen. Freezing first keeps that change out of the nodes that are
        // counted.
        if (!request.on("freeze"))
            prepared.module = frozen(std::move(prepared.module));
        prepared.beforeInference = countNodes(*prepared.module.get_method("forward").graph());
        prepared.module = torch::jit::optimize_for_inference(prepared.module);
        prepared.afterInference = countNodes(*prepared.module.get_method("forward").graph());
    }
    return prepared;
}

std::size_t kindCount(const NodeKinds& kinds, const std::string& kind)
{
    const auto found = kinds.find(kind);
    return found == kinds.end() ? 0 : found->second;
}

std::string layoutEvidence(const TensorCensus& census, std::size_t inputsLast, std::size_t inputsFirst)
{
    std::string text = std::to_string(inputsLast) + " of " + std::to_string(inputsLast + inputsFirst) + " inputs and " +
                       std::to_string(census.channelsLast) + " of " +
                       std::to_string(census.channelsLast + census.channelsFirst + census.opaque) + " weights are NHWC";
    return census.opaque ? text + ", " + std::to_string(census.opaque) + " in oneDNN's own layout" : text;
}

class TorchScriptModel final : public Model
{
public:
    /// `again` loads and prepares the model a second time.
    TorchScriptModel(Prepared prepared, const Request& request, std::vector<std::string> state,
                     std::function<Prepared()> again)
        : m_prepared(std::move(prepared)), m_request(request), m_again(std::move(again)),
          m_stateNames(std::move(state)), m_forward(m_prepared.module.get_method("forward")),
          m_profiling(torch::jit::getProfilingMode())
    {
        const auto graph = m_forward.graph()->copy();
        torch::jit::Inline(*graph);
        // The executed graph may have fused the operator away, so it is looked for in the graph as loaded.
        m_hasAttention = kindCount(countNodes(*graph), "aten::scaled_dot_product_attention") > 0;
        keepState();
    }

    void resetState() override
    {
        for (const auto& [path, loaded] : m_state) {
            auto owner = ownerOf(path);
            const std::string name = lastOf(path);
            if (loaded.isTensor())
                owner->attr(name).toTensor().copy_(loaded.toTensor());
            else
                owner->setattr(name, loaded);
        }
    }

    void forward(const InputSet& inputs, c10::IValue* keep) override
    {
        c10::IValue result;
        try {
            result = m_forward(inputs.values);
        } catch (const std::exception& e) {
            // oneDNN Graph fails while it fuses, so only an early failure is its own. A second try cannot succeed
            // either.
            if (m_passes >= kFusingPasses || !m_withoutOneDnn.empty() || !m_request.on("onednn_graph"))
                throw;
            doWithoutOneDnn(e);
            result = m_forward(inputs.values);
        }
        if (keep)
            *keep = std::move(result);
        ++m_passes;
    }

    void report(const Request& request, const InputSet& inputs, Report& report) override
    {
        const TensorCensus census = countTensors(m_prepared.module);
        reportExecutor(request, report);
        // Buffers that the model writes to stay attributes; freezing turned the others into constants.
        report.readBack("freeze", request.on("freeze"), census.attributes == 0 || census.attributes < m_prepared.loaded,
                        std::to_string(census.attributes) + " of " + std::to_string(m_prepared.loaded) +
                            " parameters and buffers left in the module");
        reportInference(request, report);
        reportLayout(request, inputs, census, report);
        reportPrecision(request, census, report);
        const auto pass = [&] { forward(inputs, nullptr); };
        reportAttention(request, m_hasAttention ? std::function<void()>(pass) : nullptr, report);
        for (const KnownSwitch& known : packageSwitches())
            report.notApplicable(known.name, "the model runs as TorchScript");
    }

private:
    /// Prepares the model again without oneDNN Graph, which throws for some models while it fuses. The other switches
    /// of the level stay on, because they still pay.
    void doWithoutOneDnn(const std::exception& e)
    {
        const auto* const error = dynamic_cast<const c10::Error*>(&e);
        m_withoutOneDnn = essentialLine(error ? error->what_without_backtrace() : e.what());
        // The module has to be prepared outside of the caller's inference mode; see prepare().
        const c10::InferenceMode outside(false);
        selectExecutor(m_request, false);
        m_prepared = m_again();
        m_forward = m_prepared.module.get_method("forward");
        m_passes = 0;
        keepState();
    }

    static std::string lastOf(const std::string& path) { return path.substr(path.rfind('.') + 1); }

    /// The module that has the attribute at the end of a path such as "body.counter.count"; nullopt: none has it.
    std::optional<Module> ownerOf(const std::string& path) const
    {
        Module owner = m_prepared.module;
        std::size_t begin = 0;
        for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
            const std::string name = path.substr(begin, dot - begin);
            if (!owner.hasattr(name) || !owner.attr(name).isModule())
                return std::nullopt;
            owner = owner.attr(name).toModule();
            begin = dot + 1;
        }
        return owner.hasattr(lastOf(path)) ? std::optional(owner) : std::nullopt;
    }

    /// Freezing leaves attributes that the model writes to, under their names.
    void keepState()
    {
        m_state.clear();
        for (const std::string& path : m_stateNames)
            if (const auto owner = ownerOf(path)) {
                const c10::IValue value = owner->attr(lastOf(path));
                m_state.emplace_back(path, value.isTensor() ? c10::IValue(value.toTensor().clone()) : value.deepcopy());
            }
    }

    /// The graph of the execution plan. lastExecutedOptimizedGraph() would be that of the thread, from whatever
    /// session.
    std::shared_ptr<torch::jit::Graph> executedGraph()
    {
        if (m_passes == 0)
            return nullptr;
        try {
            const auto state = m_forward.get_executor().getDebugState();
            return state.execution_plans.empty() ? nullptr : state.execution_plans.begin()->second.graph;
        } catch (const c10::Error&) {
            return nullptr; // the executor has profiled, but not yet optimized
        }
    }

    void reportExecutor(const Request& request, Report& report)
    {
        const auto graph = executedGraph();
        const NodeKinds kinds = graph ? countNodes(*graph) : NodeKinds{};
        if (!m_profiling)
            report.readBack("jit_optimize", request.on("jit_optimize"), false, "simple executor");
        else if (!graph)
            report.readBack("jit_optimize", request.on("jit_optimize"), false,
                            m_passes > 0 ? "profiling executor, not specialised yet" : "the model has not run yet");
        // Profiling nodes vanish when the executor has specialized the graph.
        else if (const std::size_t probes = kindCount(kinds, "prim::profile"))
            report.readBack("jit_optimize", request.on("jit_optimize"), false,
                            "profiling executor, still watching: " + std::to_string(probes) + " probes in the graph");
        else
            report.readBack(
                "jit_optimize", request.on("jit_optimize"), true,
                "profiling executor, specialised graph: " + std::to_string(kindCount(kinds, "prim::TensorExprGroup")) +
                    " fused groups, no probes left");
        if (request.cuda) {
            report.notApplicable("onednn_graph", "the device is not a CPU");
        } else {
            const std::size_t groups = kindCount(kinds, "prim::oneDNNFusionGroup");
            report.readBack("onednn_graph", request.on("onednn_graph"), groups > 0,
                            m_withoutOneDnn.empty()
                                ? std::to_string(groups) + " oneDNN groups in the executed graph"
                                : "left out, for oneDNN Graph cannot take this model: " + m_withoutOneDnn);
        }
    }

    void reportInference(const Request& request, Report& report) const
    {
        const std::string changes = differences(m_prepared.beforeInference, m_prepared.afterInference, 4);
        const bool ran = request.on("optimize_for_inference");
        report.readBack("optimize_for_inference", ran, !changes.empty(),
                        !ran              ? "not run"
                        : changes.empty() ? "it changed no node of the frozen graph"
                                          : changes);
    }

    static void reportLayout(const Request& request, const InputSet& inputs, const TensorCensus& census, Report& report)
    {
        std::size_t last = 0;
        std::size_t first = 0;
        for (const at::Tensor& tensor : inputs.tensors) {
            last += isOnlyChannelsLast(tensor) ? 1 : 0;
            first += isOnlyChannelsFirst(tensor) ? 1 : 0;
        }
        const std::size_t weights = census.channelsLast + census.channelsFirst + census.opaque;
        if (weights + last + first == 0) {
            report.notApplicable("channels_last", "no input and no weight is an image");
            return;
        }
        // Some weights cannot be NHWC (1×1 kernels are both), so half of them are enough; all image inputs have to be.
        const bool inEffect = first == 0 && 2 * census.channelsLast >= weights && last + census.channelsLast > 0;
        report.readBack("channels_last", request.on("channels_last"), inEffect, layoutEvidence(census, last, first));
    }

    static void reportPrecision(const Request& request, const TensorCensus& census, Report& report)
    {
        const auto wanted = castType(request.precision);
        const std::string name = c10::toString(wanted.value_or(at::kFloat));
        std::string evidence;
        std::size_t total = 0;
        for (const auto& [type, number] : census.dtypes) {
            evidence += (evidence.empty() ? "" : ", ") + std::to_string(number) + " " + type;
            total += number;
        }
        const auto found = census.dtypes.find(name);
        const std::size_t right = found == census.dtypes.end() ? 0 : found->second;
        report.readBack("precision", true, total == 0 || 2 * right > total,
                        total == 0 ? "the model has no weights" : "weights: " + evidence);
    }

    Prepared m_prepared;
    Request m_request;
    std::function<Prepared()> m_again;
    std::vector<std::string> m_stateNames;
    std::vector<std::pair<std::string, c10::IValue>> m_state; ///< paths of attributes with their values as loaded
    torch::jit::Method m_forward;
    bool m_profiling; ///< the executor that was selected when the model was loaded
    bool m_hasAttention = false;
    int m_passes = 0;
    std::string m_withoutOneDnn; ///< reason why oneDNN Graph was left out although requested; empty: it was not
};

} // namespace

const std::vector<KnownSwitch>& graphSwitches()
{
    static const std::vector<KnownSwitch> kSwitches{
        {"jit_optimize"}, {"freeze"}, {"optimize_for_inference"}, {"onednn_graph", Where::cpu}, {"channels_last"}};
    return kSwitches;
}

std::unique_ptr<Model> loadTorchScript(const std::filesystem::path& file, const Request& request, at::Device device,
                                       const std::vector<std::string>& state, std::vector<std::string>& notes)
{
    requireTorchScript(file);
    selectExecutor(request, request.on("onednn_graph"));
    return std::make_unique<TorchScriptModel>(prepare(file, request, device, notes), request, state, [=] {
        std::vector<std::string> repeatedNotes; // the notes are the same as the first time
        return prepare(file, request, device, repeatedNotes);
    });
}

} // namespace apertune::libtorch
