// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/facts.h"

#include "core/analysis/data_sheets.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/trace/recorder.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace apertune::advice {

using analysis::OpClass;
using analysis::OperatorNode;
using trace::CopyDirection;
using trace::TimeRange;

namespace {

constexpr std::uint8_t kDelegates = 1;
constexpr std::uint8_t kWraps = 2;

constexpr std::size_t at(Cause cause)
{
    return static_cast<std::size_t>(cause);
}

std::int64_t busiestDevice(const analysis::TraceIndex& index)
{
    std::vector<std::int64_t> time(index.devices.size());
    for (const analysis::Work& w : index.work)
        time[w.device] += w.isKernel() ? w.time.length() : 1;
    return index.devices[static_cast<std::size_t>(std::max_element(time.begin(), time.end()) - time.begin())];
}

/// Returns the context with the data sheet's ceilings of the busiest device, for the number format that most of its
/// arithmetic is in. Nothing changes where somebody measured ceilings, or the recording does not name the device.
Context withDataSheet(Context context, const analysis::TraceIndex& index, const analysis::OperatorForest& forest)
{
    // Measured ceilings are better than those of a data sheet.
    if (context.ceilings.complete() || index.work.empty())
        return context;
    const std::int64_t device = busiestDevice(index);
    const trace::DeviceProperties* const properties = index.trace.device(device);
    if (!properties)
        return context;
    const auto& times = analysis::precisionOf(index, forest, device, index.workSpan(device)).arithmetic.time;
    // The format that most arithmetic ran in decides which rate of the sheet applies.
    const auto most = std::max_element(times.begin(), times.end());
    const analysis::Ceilings ceilings =
        analysis::dataSheetCeilings(*properties, static_cast<analysis::NumberFormat>(most - times.begin()));
    if (*most > 0 && ceilings.complete())
        context.ceilings = ceilings;
    return context;
}

/// Returns the start of the window without a beginning in which the device was held by what was launched before the
/// recording: on its busiest stream nothing had run yet, the first work began more than 1 ms after its launch call, and
/// next to nothing else ran until then.
std::int64_t startOfRecordedWork(const analysis::TraceIndex& index, std::int64_t device, TimeRange window)
{
    constexpr std::int64_t kHeld = 1'000'000;
    constexpr std::int64_t kNextToNothing = 100; // a hundredth of the time
    struct Stream
    {
        std::int64_t time = 0;
        const analysis::Work* first = nullptr;
    };
    const std::int32_t wanted = index.deviceIndex(device);
    std::unordered_map<std::uint32_t, Stream> streams;
    const Stream* busiest = nullptr;
    for (const analysis::Work& w : index.work) {
        if (w.device != wanted)
            continue;
        Stream& stream = streams[index.trace.series[w.ref.series].track.value];
        stream.time += w.time.length();
        stream.first = stream.first ? stream.first : &w;
        busiest = !busiest || stream.time > busiest->time ? &stream : busiest;
    }
    // Without a link to its launch, nothing shows when the work was requested.
    if (!busiest || busiest->first->call == analysis::kNone || !window.contains(busiest->first->time.start))
        return window.start;
    const std::int64_t begin = busiest->first->time.start;
    if (begin - index.calls[static_cast<std::size_t>(busiest->first->call)].time.end < kHeld)
        return window.start;
    std::int64_t ran = 0;
    for (const analysis::Work& w : index.work)
        ran += w.device == wanted ? analysis::intersection(w.time, {window.start, begin}).length() : 0;
    // Some work before may come from other streams; as long as it is next to nothing, the device was held.
    return ran * kNextToNothing < begin - window.start ? begin : window.start;
}

/// True when the first two input types of an operator are recorded and equal, as for a copy into another layout.
bool keepsItsType(const analysis::TraceIndex& index, const OperatorNode& node)
{
    const std::string_view types = index.text(index.trace.details.operators[node.detail].inputTypes.value);
    const auto quoted = [&types](std::size_t& at) {
        const std::size_t open = types.find('"', at);
        const std::size_t close = open == std::string_view::npos ? open : types.find('"', open + 1);
        at = close == std::string_view::npos ? types.size() : close + 1;
        return close == std::string_view::npos ? std::string_view() : types.substr(open + 1, close - open - 1);
    };
    std::size_t at = 0;
    const std::string_view target = quoted(at);
    return !target.empty() && target == quoted(at);
}

/// True when the first input of an operator is recorded as a scalar. `x + 1` converts its 1 so: that is passing on, and
/// no conversion that anybody could leave out.
bool isOfScalar(const analysis::TraceIndex& index, const OperatorNode& node)
{
    return index.text(index.trace.details.operators[node.detail].inputShapes.value).starts_with("[[]");
}

/// The class of the request behind a copy. "aten::to" converts a type or a layout by calling a copy, and a product
/// copies for itself; the operators around the copy and its types show which.
OpClass purpose(const analysis::TraceIndex& index, const analysis::OperatorForest& forest, const OperatorNode& node)
{
    // A copy says nothing by itself: its purpose is that of the operator above it.
    const OpClass own = index.operatorClass(node.name);
    if (own != OpClass::copy)
        return own;
    for (std::int32_t up = node.parent; up != analysis::kNone;) {
        const OperatorNode& parent = forest.nodes[static_cast<std::size_t>(up)];
        const OpClass above = index.operatorClass(parent.name);
        if (above == OpClass::cast && keepsItsType(index, node))
            return OpClass::layout;
        if (above == OpClass::layout || above == OpClass::cast)
            return above;
        if (above == OpClass::convolution || above == OpClass::matrixProduct)
            return above; // it copies into columns, or its bias into the result
        if (above != OpClass::copy)
            break;
        up = parent.parent;
    }
    return own;
}

/// Recognizes "autograd::engine::evaluate_function: …", "CudnnConvolutionBackward" and "ReluBackward0".
bool namesBackward(std::string_view name)
{
    if (name.ends_with('0') || name.ends_with('1'))
        name.remove_suffix(1);
    return name.starts_with("autograd::engine::") || name.ends_with("Backward");
}

/// Recognizes kernels that only a backward pass has: of a normalisation, or of the weights of a convolution. The kernel
/// of a convolution's input does not count, because transposed convolutions use it in the forward pass.
bool isOfBackwardPass(std::string_view kernel)
{
    const std::string name = base::lower(kernel);
    for (const char* const word : {"batch_norm_backward", "norm_bwd", "bn_bw", "bnbwd", "wgrad", "_wrw", "grad_input",
                                   "_backward_kernel", "backward_reduce", "multi_tensor_apply"})
        if (name.find(word) != std::string::npos)
            return true;
    return false;
}

/// The passes of Apertune's own recordings. Time in them without an operator is code that reports none, not a pause.
std::vector<TimeRange> recordedPasses(const trace::Trace& trace)
{
    std::vector<TimeRange> passes;
    // Only Apertune's own recordings mark their passes.
    if (trace::recorderOf(trace.source) != trace::Recorder::apertune)
        return passes;
    for (const trace::Series& series : trace.series)
        for (std::size_t i = 0; series.kind == trace::EventKind::range && i < series.events.size(); ++i)
            if (trace.nameOf(series, i).starts_with("iteration "))
                passes.push_back({series.events.start[i], series.events.start[i] + series.events.duration[i]});
    std::sort(passes.begin(), passes.end(), [](const TimeRange& a, const TimeRange& b) { return a.start < b.start; });
    return passes;
}

bool isBatchNorm(std::string_view name)
{
    return name.find("batch_norm") != std::string_view::npos || name.find("BatchNorm") != std::string_view::npos;
}

} // namespace

Context contextOf(const model::ModelRef& model, const model::Trial& trial, const model::Device* device)
{
    Context context;
    context.config = trial.config;
    if (device)
        context.device = *device;
    context.inputs = std::max(1, static_cast<int>(model.inputs.size()));
    context.outputs = std::max(1, static_cast<int>(model.outputs.size()));
    const double width =
        // Eight-bit weights are a quarter of the imported ones.
        trial.config.precision == model::Precision::int8 || trial.config.precision == model::Precision::fp8    ? 0.25
        : trial.config.precision == model::Precision::fp32 || trial.config.precision == model::Precision::tf32 ? 1.0
                                                                                                               : 0.5;
    if (model.macs)
        // A multiply-add is two operations.
        context.passFlops = 2.0 * static_cast<double>(*model.macs) * trial.config.batch;
    context.weightBytes = width * static_cast<double>(model.parameterBytes.count);
    return context;
}

std::string_view toString(Cause cause)
{
    constexpr std::array<std::string_view, kCauses> kWords = {
        "compute",       "memory",          "launch",      "host",       "transfer",
        "communication", "synchronization", "first_calls", "allocation", "other"};
    return kWords[at(cause)];
}

Facts::Basis::Basis(const trace::Trace& trace)
    : index(trace), forest(index), iterations(analysis::findIterations(index, forest))
{
}

Facts::Facts(const trace::Trace& t, Context c)
    : m_basis(std::make_shared<const Basis>(t)), trace(t),
      context(withDataSheet(std::move(c), m_basis->index, m_basis->forest)), index(m_basis->index),
      forest(m_basis->forest), iterations(m_basis->iterations)
{
    onDevice = !index.work.empty();
    if (onDevice)
        device = busiestDevice(index);
    if (iterations.found()) {
        window = iterations.window();
        // Warm-up iterations would hide what the steady ones do.
        const auto warmUp = static_cast<std::ptrdiff_t>(iterations.steady);
        steady.assign(iterations.all.begin() + warmUp, iterations.all.end());
        calls.assign(iterations.calls.begin() + warmUp, iterations.calls.end());
    } else {
        if (onDevice) {
            window = index.workSpan(device);
        } else if (const auto [first, end] = forest.busiestThread(); first < end) {
            window.start = forest.nodes[static_cast<std::size_t>(first)].time.start;
            for (std::int32_t i = first; i < end; ++i)
                window.end = std::max(window.end, forest.nodes[static_cast<std::size_t>(i)].time.end);
        }
        steady = {window};
        calls = steady;
    }
    if (onDevice) {
        const std::int64_t start = startOfRecordedWork(index, device, window);
        // Time in which the device waited for the recording to begin is not the program's.
        heldBack = start - window.start;
        window.start = steady.front().start = start;
    }
    measure();
}

Facts::Facts(const Facts& whole, TimeRange range)
    : m_basis(whole.m_basis), trace(whole.trace), context(whole.context), index(m_basis->index),
      forest(m_basis->forest), iterations(m_basis->iterations), onDevice(whole.onDevice), device(whole.device),
      chosen(true), window(range)
{
    for (std::size_t i = 0; i < iterations.all.size(); ++i)
        if (const TimeRange& pass = iterations.all[i]; range.start <= pass.start && pass.end <= range.end) {
            steady.push_back(pass);
            calls.push_back(iterations.calls[i]);
        }
    if (steady.empty())
        calls = steady = {window};
    measure();
}

void Facts::measure()
{
    for (std::size_t i = 1; i < trace.strings.size() && !training; ++i)
        // A backward pass means training, to which other rules apply.
        training = namesBackward(trace.strings[i]);
    std::vector<std::uint8_t> seen(trace.strings.size());
    for (std::size_t i = 0; i < index.work.size() && !training; ++i)
        if (const analysis::Work& w = index.work[i]; w.isKernel() && !std::exchange(seen[w.name], std::uint8_t{1}))
            training = isOfBackwardPass(index.text(w.name));

    // The parts run in parallel: each writes its own members and only reads index and forest.
    std::vector<std::function<void()>> parts{
        [this] { memory = analysis::memoryTimeline(index, forest, chosen ? window : analysis::kAlways); },
        [this] { roofline = analysis::rooflineTable(index, forest, window, context.ceilings); },
        [this] { measureHost(); }, [this] { measurePrecision(); }, [this] { measureProcessors(); }};
    if (onDevice) {
        parts.push_back([this] { use = analysis::deviceUse(index, forest, device, window); });
        parts.push_back([this] {
            kernels = analysis::kernelTable(index, window);
            sums = analysis::sumKernels(kernels, device);
        });
        parts.push_back([this] {
            transfers =
                analysis::transferLedger(index, forest, window, iterations.found() ? steady : std::vector<TimeRange>{});
        });
        parts.push_back([this] { launches = analysis::launchStatistics(index, device, window); });
        parts.push_back([this] {
            replay.emplace(index, device, steady, calls);
            if (!replay->isFaithful())
                replay.reset();
        });
    }
    base::runInParallel(parts);
    // These need the results of the parts above.
    if (onDevice)
        hiddenWaits = findHiddenWaits(
            index, {steady, calls, byIteration() && iterations.source == analysis::IterationSource::period, window},
            use, replay ? &*replay : nullptr);
    measureFused();
    divideTime();
}

void Facts::measureHost()
{
    const auto [first, end] = forest.busiestThread();
    if (!onDevice && iterations.found())
        interrupted = findInterruptions(index, forest, first, end, steady);
    std::int64_t reached = window.start;
    const std::vector<TimeRange> passes = recordedPasses(trace);
    std::size_t pass = 0;
    std::vector<analysis::Pause> pauses;
    const trace::TrackId track = first < end ? forest.nodes[static_cast<std::size_t>(first)].track : trace::TrackId{};
    const auto pause = [&](std::int64_t until, std::int64_t stolen) {
        const TimeRange gap = analysis::intersection({reached, until - stolen}, window);
        // Short pauses are the cost of calling the next operator.
        if (gap.length() <= kShortPause) {
            host.dispatch += gap.length();
            return;
        }
        std::int64_t inside = 0;
        while (pass < passes.size() && passes[pass].end <= gap.start)
            ++pass;
        for (std::size_t k = pass; k < passes.size() && passes[k].start < gap.end; ++k)
            inside += analysis::intersection(gap, passes[k]).length();
        // Time inside a pass without an operator is work that the recorder does not see.
        host.unrecorded += inside;
        if (gap.length() == inside)
            return;
        host.pauses += gap.length() - inside;
        ++host.pauseCount;
        pauses.push_back({track, gap, gap.start});
        if (gap.length() > host.longestPause.length())
            host.longestPause = gap;
    };
    // Three roles of an operator that calls others:
    // - It calls another one of its class (conv2d over mkldnn_convolution): it only passes on.
    // - It calls helpers of other classes, above all to allocate its result: it does the work itself.
    // - Its class is unknown (TorchScript's "forward"): it wraps others. Its short pauses are passing on; in the long
    //   ones, fused or compiled code runs that reports nothing.
    const auto count = static_cast<std::size_t>(end - first);
    std::vector<std::uint8_t> roles(count);
    std::vector<std::int64_t> recordedUntil(count);
    const auto within = [&](std::size_t wrapper, std::int64_t until, std::int64_t stolen) {
        const std::int64_t length = until - recordedUntil[wrapper] - stolen;
        if (length > 0 && window.contains(recordedUntil[wrapper]))
            (length <= kShortPause ? host.dispatch : host.unrecorded) += length;
    };
    for (std::int32_t i = first; i < end; ++i) {
        const OperatorNode& node = forest.nodes[static_cast<std::size_t>(i)];
        recordedUntil[static_cast<std::size_t>(i - first)] = node.time.start;
        if (node.parent == analysis::kNone)
            continue;
        const OpClass above = index.operatorClass(forest.nodes[static_cast<std::size_t>(node.parent)].name);
        const auto parent = static_cast<std::size_t>(node.parent - first);
        if (above == OpClass::other) {
            roles[parent] = kWraps;
            within(parent, node.time.start, interrupted.before(static_cast<std::size_t>(i)));
            recordedUntil[parent] = std::max(recordedUntil[parent], node.time.end);
        } else if (above == index.operatorClass(node.name)) {
            roles[parent] = kDelegates;
        }
    }
    for (std::size_t i = 0; i < count; ++i)
        if (roles[i] == kWraps)
            within(i, forest.nodes[static_cast<std::size_t>(first) + i].time.end, 0);
    std::unordered_map<std::uint32_t, std::size_t> groups;
    std::int32_t normalized = analysis::kNone; // the last operator of the batch normalisation that is counted
    for (std::int32_t i = first; i < end; ++i) {
        const OperatorNode& node = forest.nodes[static_cast<std::size_t>(i)];
        if (!window.contains(node.time.start))
            continue;
        if (node.parent == analysis::kNone) {
            if (node.time.start > reached)
                pause(node.time.start, interrupted.before(static_cast<std::size_t>(i)));
            reached = std::max(reached, node.time.end);
        }
        // A batch normalization calls others of its kind, and only the outermost counts.
        if (i > normalized && isBatchNorm(index.text(node.name))) {
            normalized = node.last;
            host.batchNorm += node.time.length();
            ++host.batchNorms;
        }
        if (i <= normalized)
            host.batchNorm -= interrupted.of(static_cast<std::size_t>(i));
        const OpClass opClass = purpose(index, forest, node);
        const std::uint8_t role = roles[static_cast<std::size_t>(i - first)];
        if (role == kWraps)
            continue;
        const std::int64_t time = node.selfTime - interrupted.of(static_cast<std::size_t>(i));
        if (role == kDelegates || opClass == OpClass::view || (opClass == OpClass::cast && isOfScalar(index, node))) {
            host.dispatch += time;
            continue;
        }
        if (opClass == OpClass::other) {
            const auto [at, added] = groups.try_emplace(node.name, fused.groups.size());
            if (added)
                fused.groups.push_back({node.name, 0, 0});
            fused.groups[at->second].time += time;
            ++fused.groups[at->second].calls;
        }
        host.byClass[static_cast<std::size_t>(opClass)] += time;
        ++host.calls[static_cast<std::size_t>(opClass)];
    }
    if (reached < window.end)
        pause(window.end, 0);
    host.busy = analysis::activitiesDuring(trace, std::move(pauses));
}

void Facts::measureFused()
{
    fused.time = host.unrecorded + host.of(OpClass::other);
    std::stable_sort(fused.groups.begin(), fused.groups.end(),
                     [](const FusedWork::Group& a, const FusedWork::Group& b) { return a.time > b.time; });
    // Only with all of these can the arithmetic of fused code be derived: it is the model's less the recorded one.
    if (onDevice || fused.time <= 0 || context.passFlops <= 0 || !iterations.found() || !context.ceilings.complete())
        return;
    double recorded = 0;
    for (const analysis::RooflineRow& row : roofline)
        recorded += analysis::isArithmetic(row.opClass) ? row.cost.flops : 0;
    const auto passes = static_cast<double>(steady.size());
    const double all = context.passFlops * passes;
    fused.flops = std::max(0.0, all - recorded);
    // The formulas for recorded operators can miss this much of their arithmetic. A smaller rest is not in the fused
    // code.
    constexpr double kLeastFusedShare = 0.05;
    if (fused.flops < kLeastFusedShare * all)
        return;
    double flops = context.ceilings.flops;
    // The ceiling was measured with all cores; a trial with fewer threads reaches its part of it.
    if (context.config && context.device && context.config->threads > 0 && context.device->cores > 0)
        flops *= std::min(1.0, static_cast<double>(context.config->threads) / context.device->cores);
    const double seconds = static_cast<double>(fused.time) * 1e-9;
    const double bytes = context.weightBytes * passes;
    fused.achieved = fused.flops / seconds;
    // Reading the weights is the least that fused code has to read.
    const double ofMemory = bytes / seconds / context.ceilings.memoryBandwidth;
    fused.efficiency = std::max(fused.achieved / flops, ofMemory);
    constexpr double kFarBelow = 0.1; // the same limit as in the roofline
    fused.bound = fused.efficiency < kFarBelow        ? analysis::Bound::latency
                  : ofMemory > fused.achieved / flops ? analysis::Bound::memory
                                                      : analysis::Bound::compute;
}

analysis::NumberFormat Facts::requestedFormat() const
{
    using analysis::NumberFormat;
    if (!context.config)
        return NumberFormat::unknown;
    switch (context.config->precision) {
    case model::Precision::fp32:
        return NumberFormat::fp32;
    case model::Precision::tf32:
        return NumberFormat::tf32;
    case model::Precision::fp16:
        return NumberFormat::fp16;
    case model::Precision::bf16:
        return NumberFormat::bf16;
    case model::Precision::fp8:
        return NumberFormat::fp8;
    case model::Precision::int8:
        return NumberFormat::int8;
    default:
        return NumberFormat::unknown;
    }
}

void Facts::measurePrecision()
{
    precision = analysis::precisionOf(index, forest, onDevice ? device : -1, window);
    const auto requested = static_cast<std::size_t>(requestedFormat());
    constexpr auto kUnknown = static_cast<std::size_t>(analysis::NumberFormat::unknown);
    // Work without a recorded format is counted as what the trial asked for.
    for (analysis::FormatTimes* times : {&precision.arithmetic, &precision.traffic})
        times->time[requested] += std::exchange(times->time[kUnknown], 0);
}

void Facts::measureProcessors()
{
    std::vector<std::int64_t> percents;
    for (const trace::Series& series : trace.series) {
        if (series.kind != trace::EventKind::counter || trace.tracks[series.track.value].label != "CPU use")
            continue;
        for (std::size_t i = 0; i < series.events.size(); ++i)
            if (window.contains(series.events.start[i]))
                percents.push_back(trace::valueAt(series.events.value, i));
    }
    if (!percents.empty())
        processorsBusy = static_cast<double>(analysis::median(percents)) / 100;
}

double Facts::kernelShare(OpClass opClass) const
{
    if (sums.computingTime <= 0 || opClass == OpClass::communication)
        return 0;
    const double part =
        static_cast<double>(sums.byClass[static_cast<std::size_t>(opClass)]) / static_cast<double>(sums.computingTime);
    return part * share(use.computing());
}

double Facts::workShare(OpClass opClass) const
{
    return onDevice ? kernelShare(opClass) : share(host.of(opClass));
}

std::int64_t Facts::recordedFunctions() const
{
    std::int64_t count = 0;
    for (const trace::Series& series : trace.series) {
        if (series.kind != trace::EventKind::scriptCall)
            continue;
        const std::vector<std::int64_t>& starts = series.events.start;
        count += std::lower_bound(starts.begin(), starts.end(), window.end) -
                 std::lower_bound(starts.begin(), starts.end(), window.start);
    }
    return count;
}

bool Facts::isOn(std::string_view switchName) const
{
    return context.config && context.config->isOn(std::string(switchName));
}

void Facts::divideTime()
{
    const auto part = [](std::int64_t whole, double of, double all) {
        return all > 0 ? static_cast<std::int64_t>(static_cast<double>(whole) * of / all) : 0;
    };
    // Arithmetic that uses its operands so rarely that memory limits it. Only ceilings and shapes can show that.
    double arithmetic = 0;
    double memoryBoundTime = 0;
    // A data sheet's rates are not those that programs reach, so only what is far from where they meet counts. Products
    // of a matrix and a few vectors read the matrix for them alone, which no device computes as fast as it reads.
    const double most = context.ceilings.fromDataSheet ? 0.5 * context.ceilings.ridge() : HUGE_VAL;
    constexpr double kLowestRidge = 8; // FLOP/byte
    for (const analysis::RooflineRow& row : roofline)
        if (analysis::isArithmetic(row.opClass)) {
            const double intensity = row.cost.intensity();
            const bool bound = (row.bound == analysis::Bound::memory && intensity < most) || intensity <= kLowestRidge;
            arithmetic += static_cast<double>(row.time);
            memoryBoundTime += bound ? static_cast<double>(row.time) : 0;
        }
    // Without shapes, only the names of kernels for a matrix and one vector show it.
    for (std::size_t i = 0; i < kernels.size() && arithmetic <= 0; ++i)
        if (kernels[i].device == device && analysis::isArithmetic(kernels[i].opClass) &&
            base::lower(index.text(kernels[i].name)).find("gemv") != std::string::npos)
            memoryBoundTime += static_cast<double>(kernels[i].time.total);
    if (arithmetic <= 0)
        arithmetic = static_cast<double>(sums.arithmeticTime);
    // A share of the time is attributed, as single kernels have no cause of their own here.
    const double memoryBoundShare = arithmetic > 0 ? memoryBoundTime / arithmetic : 0;

    std::int64_t compute = 0;
    if (onDevice) {
        using analysis::IdleCause;
        const auto idle = [this](IdleCause cause) { return use.idleBy[static_cast<std::size_t>(cause)]; };
        const auto total = static_cast<double>(sums.computingTime);
        // Overlapping streams make the sum of kernels longer than the device's time, so parts are taken of it.
        compute = part(use.computing(), static_cast<double>(sums.arithmeticTime), total);
        const std::int64_t traffic = part(use.computing(), static_cast<double>(sums.trafficTime), total);
        std::int64_t exposed = 0;
        std::int64_t onLink = 0;
        for (const analysis::TransferRow& row : transfers.rows) {
            exposed += row.exposed;
            // Copies within a device go through its memory and not over a link.
            onLink += row.direction == CopyDirection::deviceToDevice ? 0 : row.exposed;
        }
        const std::int64_t link =
            exposed > 0 ? part(use.exposedCopies, static_cast<double>(onLink), static_cast<double>(exposed)) : 0;
        causes[at(Cause::memory)] = traffic + use.fills + (use.exposedCopies - link);
        causes[at(Cause::transfer)] = link + idle(IdleCause::copyWait);
        causes[at(Cause::communication)] = use.exposedCommunication;
        causes[at(Cause::launch)] = idle(IdleCause::launchGap);
        causes[at(Cause::host)] = idle(IdleCause::hostWait);
        causes[at(Cause::synchronization)] = idle(IdleCause::synchronization);
        causes[at(Cause::firstCalls)] = idle(IdleCause::firstCall);
        causes[at(Cause::allocation)] = idle(IdleCause::allocation);
        const std::int64_t pauses = causes[at(Cause::launch)] + causes[at(Cause::host)];
        const std::int64_t ofWaits =
            // Waits that replay shows to cost more than their idle time take it from the pauses around them.
            std::clamp<std::int64_t>(hiddenWaits.saved - causes[at(Cause::synchronization)], 0, pauses);
        const std::int64_t ofLaunches =
            part(ofWaits, static_cast<double>(causes[at(Cause::launch)]), static_cast<double>(pauses));
        causes[at(Cause::launch)] -= ofLaunches;
        causes[at(Cause::host)] -= ofWaits - ofLaunches;
        causes[at(Cause::synchronization)] += ofWaits;
    } else {
        for (std::size_t c = 0; c < host.byClass.size(); ++c) {
            const auto opClass = static_cast<OpClass>(c);
            if (analysis::isArithmetic(opClass))
                compute += host.byClass[c];
            else if (opClass == OpClass::allocation || opClass == OpClass::fill)
                // The page faults of fresh memory are paid where it is first written.
                causes[at(Cause::allocation)] += host.byClass[c];
            else if (analysis::isTraffic(opClass))
                causes[at(Cause::memory)] += host.byClass[c];
        }
        causes[at(Cause::launch)] = host.dispatch;
        causes[at(Cause::host)] = host.pauses;
    }
    if (!onDevice && fused.bound == analysis::Bound::memory)
        causes[at(Cause::memory)] += fused.time;
    const auto memoryBound = static_cast<std::int64_t>(static_cast<double>(compute) * memoryBoundShare);
    causes[at(Cause::compute)] = compute - memoryBound;
    if (!onDevice && fused.bound == analysis::Bound::compute)
        causes[at(Cause::compute)] += fused.time;
    causes[at(Cause::memory)] += memoryBound;
    std::int64_t known = 0;
    for (const std::int64_t time : causes)
        known += time;
    // Rounding may exceed the whole by a little.
    causes[at(Cause::other)] = std::max<std::int64_t>(0, whole() - known);
}

} // namespace apertune::advice
