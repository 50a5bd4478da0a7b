// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules_operators.h"

#include "core/advice/rule_parts.h"
#include "core/advice/trace_queries.h"
#include "core/analysis/tensor_layout.h"
#include "core/base/text.h"

#include <algorithm>
#include <map>

namespace apertune::advice {

using analysis::OpClass;

namespace {

/// The longest kernel or operator of a class in the window.
trace::TimeRange longestOf(const Facts& facts, OpClass opClass)
{
    trace::TimeRange longest;
    if (facts.onDevice) {
        for (const analysis::Work& w : facts.index.work)
            if (w.isKernel() && facts.index.kernelClass(w.name) == opClass && facts.window.contains(w.time.start) &&
                w.time.length() > longest.length())
                longest = w.time;
        return longest;
    }
    std::int64_t most = 0; // self time, because an interruption within a callee is not the case to show
    for (std::size_t i = 0; i < facts.forest.nodes.size(); ++i) {
        const analysis::OperatorNode& n = facts.forest.nodes[i];
        if (facts.index.operatorClass(n.name) == opClass && facts.window.contains(n.time.start) &&
            facts.interrupted.of(i) == 0 && n.selfTime > most) {
            most = n.selfTime;
            longest = n.time;
        }
    }
    return longest;
}

std::int64_t countOf(const Facts& facts, OpClass opClass)
{
    if (!facts.onDevice)
        return facts.host.count(opClass);
    std::int64_t count = 0;
    for (const analysis::KernelRow& row : facts.kernels)
        count += row.device == facts.device && row.opClass == opClass ? row.time.count : 0;
    return count;
}

Rows rowsOf(const Facts& facts, OpClass opClass)
{
    return rows::work(facts, [opClass](std::uint32_t, OpClass c) { return c == opClass; });
}

/// The first two types in a list of input types, ["float", "c10::Half"]; empty where fewer are known.
std::pair<std::string_view, std::string_view> firstTwoTypes(std::string_view types)
{
    const auto next = [&types] {
        const std::size_t open = types.find('"');
        const std::size_t close = open == std::string_view::npos ? open : types.find('"', open + 1);
        if (close == std::string_view::npos)
            return std::string_view();
        const std::string_view type = types.substr(open + 1, close - open - 1);
        types.remove_prefix(close + 1);
        return type;
    };
    const std::string_view first = next();
    return {first, next()};
}

/// "fp16" for "c10::Half"; the type itself where it has no other name.
std::string nameOfType(std::string_view type)
{
    const analysis::NumberFormat format = analysis::formatOfInputs("[\"" + std::string(type) + "\"]");
    return std::string(format == analysis::NumberFormat::unknown ? type : analysis::toString(format));
}

/// The source and the target of the pair of types that takes most of the time of the copies with recorded types that
/// convert, as parameters of kTypeConversionsFromTo. Empty when the pair takes less than half.
std::vector<base::Argument> mainConversion(const Facts& facts)
{
    std::map<std::pair<std::string_view, std::string_view>, std::int64_t> times; // key: target and source
    std::int64_t all = 0;
    for (const analysis::OperatorNode& node : facts.forest.nodes) {
        if (!facts.callWindow().contains(node.time.start) || facts.index.operatorClass(node.name) != OpClass::copy)
            continue;
        const auto types = firstTwoTypes(facts.trace.text(facts.trace.details.operators[node.detail].inputTypes));
        const std::int64_t time = facts.onDevice ? node.ownDeviceTime : node.selfTime;
        if (types.second.empty() || types.first == types.second || types.second == "Scalar" || time <= 0)
            continue;
        times[types] += time;
        all += time;
    }
    const auto most =
        std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == times.end() || 2 * most->second < all)
        return {};
    return {{"source", std::string(nameOfType(most->first.second))},
            {"target", std::string(nameOfType(most->first.first))}};
}

/// layout-conversions, type-conversions: a class of work that only moves values takes more than 5 %. `more`: the
/// parameters of `what` beside "share" and "often".
RuleResult pureTraffic(const Facts& facts, OpClass opClass, const base::MessageKind& what,
                       const std::vector<base::Argument>& more, Knob knob, base::Message verify, Threshold threshold)
{
    const double share = facts.workShare(opClass);
    if (share <= facts.limit(threshold))
        return quiet();
    const std::int64_t count = countOf(facts, opClass);
    Finding f;
    f.text = {std::string(what.id),
              {{"share", std::vector{shareMessage(facts, share)}}, {"often", std::vector{occurrences(facts, count)}}}};
    f.text.arguments.insert(f.text.arguments.end(), more.begin(), more.end());
    f.share = share;
    f.gain = gainOf(facts, share, {0.3, 1}, Launches::go, opClass);
    f.confidence = Confidence::estimate; // the class comes from names
    f.evidence = evidence(facts, rowsOf(facts, opClass), longestOf(facts, opClass));
    f.knob = std::move(knob);
    f.verification = verifyBy(namedOr(f.knob.switchName, base::message<reasons::kByTheChange>()), std::move(verify));
    return fired(std::move(f), Cause::memory);
}

bool namesBatchNorm(std::string_view name)
{
    for (const char* const part : {"batch_norm", "BatchNorm", "batchnorm", "bn_fw", "bnFwd", "BnFw"})
        if (name.find(part) != std::string_view::npos)
            return true;
    return false;
}

} // namespace

// layout-conversions: they take more than 5 %. Only convolutions gain by another layout of the whole model.
RuleResult layoutConversionsRule(const Facts& facts)
{
    constexpr double kConvolves = 0.05;
    Knob knob{knowsSwitch(facts, "channels_last") ? "channels_last" : "", !facts.isOn("channels_last"),
              base::message<reasons::kOneLayoutForAllChannels>()};
    const double work = facts.onDevice ? facts.share(facts.use.computing()) : 1;
    if (facts.workShare(OpClass::convolution) < kConvolves * work)
        knob = advise(base::message<reasons::kDropTransposesThatAreCopied>());
    else if (analysis::convolutionLayouts(facts.index, facts.forest, facts.callWindow()).isMostlyLast())
        knob = advise(base::message<reasons::kKeepChannelsLastBetween>());
    return pureTraffic(facts, OpClass::layout, reasons::kLayoutConversions, {}, std::move(knob),
                       base::message<reasons::kTheConversionsMustBeGone>(), Threshold::layoutConversionsShare);
}

RuleResult castsRule(const Facts& facts)
{
    const std::vector<base::Argument> types = mainConversion(facts);
    return pureTraffic(facts, OpClass::cast,
                       types.empty() ? reasons::kTypeConversions : reasons::kTypeConversionsFromTo, types,
                       advise(base::message<reasons::kWidenThe16BitRegion>()),
                       base::message<reasons::kTheConversionsMustBeGone>(), Threshold::typeConversionsShare);
}

// unfused-batchnorm: batch normalisation runs as its own operation in a trace without a backward pass.
RuleResult batchNormRule(const Facts& facts)
{
    if (facts.training)
        return quiet();
    double share = 0;
    std::int64_t count = 0;
    if (facts.onDevice) {
        std::int64_t time = 0;
        for (const analysis::OperatorSummary& row :
             analysis::summarizeOperators(facts.index, facts.forest, facts.callWindow()))
            if (namesBatchNorm(facts.index.text(row.name)))
                time += row.ownDeviceTime, count += row.ownDeviceTime > 0 ? row.calls : 0;
        std::int64_t byKernel = 0, kernelCount = 0;
        for (const analysis::KernelRow& row : facts.kernels)
            if (row.device == facts.device && namesBatchNorm(facts.index.text(row.name)))
                byKernel += row.time.total, kernelCount += row.time.count;
        count = std::max(count, kernelCount);
        share = facts.share(std::max(time, byKernel));
    } else {
        share = facts.share(facts.host.batchNorm);
        count = facts.host.batchNorms;
    }
    if (count == 0)
        return quiet();
    Finding f;
    f.text = base::message<reasons::kBatchNorm>(occurrences(facts, count), shareMessage(facts, share));
    f.share = share;
    // Lower end: folding adds a bias to the convolution, and the next operator reads what the normalisation would have
    // left in the caches. Upper end: all of the normalisation's time (on a CPU with what it calls), because no finding
    // promises more than its share. Warmer caches for its neighbours can save more, but a trace without counters does
    // not show how much.
    f.gain = gainOf(facts, share, {0.5, 1}, Launches::go, [&](std::int32_t number) {
        const std::int32_t op = facts.forest.ofWork(number);
        return namesBatchNorm(facts.index.text(facts.index.work[static_cast<std::size_t>(number)].name)) ||
               (op != analysis::kNone &&
                namesBatchNorm(facts.index.text(facts.forest.nodes[static_cast<std::size_t>(op)].name)));
    });
    f.evidence = evidence(
        facts, rows::work(facts, [&](std::uint32_t name, OpClass) { return namesBatchNorm(facts.index.text(name)); }),
        longestOf(facts, OpClass::normalization));
    f.knob =
        switchOn(facts, {"freeze", "optimize_for_inference", "aoti"}, base::message<reasons::kFoldItIntoTheWeights>());
    f.verification = verifyBy(namedOr(f.knob.switchName, base::message<reasons::kByFolding>()),
                              base::message<reasons::kNoBatchNormalisationMayBe>());
    return fired(std::move(f), Cause::memory);
}

// unfused-elementwise: element-wise work takes more than 25 %, in chains of two or more.
RuleResult pointwiseRule(const Facts& facts)
{
    const double share = facts.workShare(OpClass::elementwise);
    if (share <= facts.limit(Threshold::elementwiseShare))
        return quiet();
    // A piece is chained when it directly follows another element-wise piece.
    std::int64_t all = 0, chained = 0;
    bool before = false;
    const auto countChain = [&](OpClass opClass) {
        const bool pointwise = opClass == OpClass::elementwise;
        all += pointwise ? 1 : 0;
        chained += pointwise && before ? 1 : 0;
        before = pointwise;
    };
    if (facts.onDevice) {
        for (const analysis::Work& w : facts.index.work)
            if (w.isKernel() && facts.index.devices[w.device] == facts.device && facts.window.contains(w.time.start))
                countChain(facts.index.kernelClass(w.name));
    } else {
        const auto [first, end] = facts.forest.busiestThread();
        for (std::int32_t i = first; i < end; ++i) {
            const analysis::OperatorNode& n = facts.forest.nodes[static_cast<std::size_t>(i)];
            const OpClass own = facts.index.operatorClass(n.name);
            const bool helper = own == OpClass::allocation || own == OpClass::view || own == OpClass::other;
            const bool below =
                n.parent != analysis::kNone &&
                facts.index.operatorClass(facts.forest.nodes[static_cast<std::size_t>(n.parent)].name) == own;
            if (!helper && !below && facts.window.contains(n.time.start))
                countChain(own);
        }
    }
    if (all == 0 || chained == 0)
        return quiet();
    const double inChains = static_cast<double>(chained) / static_cast<double>(all);
    Finding f;
    f.text = base::message<reasons::kElementwise>(shareMessage(facts, share), occurrences(facts, all),
                                                  base::Share{inChains});
    f.share = share;
    f.gain = gainOf(facts, share, {0.3 * inChains, std::max(0.5, inChains)}, Launches::go, OpClass::elementwise);
    f.confidence = Confidence::estimate;
    f.evidence = evidence(facts, rowsOf(facts, OpClass::elementwise), longestOf(facts, OpClass::elementwise));
    f.knob = facts.onDevice ? switchOn(facts, {"aoti", "optimize_for_inference", "freeze"},
                                       base::message<reasons::kFuseTheChains>())
                            : switchOn(facts, {"onednn_graph", "aoti", "optimize_for_inference"},
                                       base::message<reasons::kFuseTheChains>());
    f.verification = verifyBy(namedOr(f.knob.switchName, base::message<reasons::kByFusion>()),
                              base::message<reasons::kTheNumberOfElementWise>());
    return fired(std::move(f), Cause::memory);
}

// wide-arithmetic: products and convolutions in fp32 outside of tensor cores where arithmetic takes 60 % or more, or in
// fp64 for 5 % or more. Only names of kernels and recorded types count; nothing is assumed for the rest.
RuleResult wideArithmeticRule(const Facts& facts)
{
    using analysis::NumberFormat;
    const analysis::FormatTimes& times = facts.precision.arithmetic;
    if (times.all() <= 0)
        return quiet();
    const double arithmetic = facts.workShare(OpClass::matrixProduct) + facts.workShare(OpClass::convolution) +
                              facts.workShare(OpClass::attention);
    const auto shareOf = [&](NumberFormat format) {
        return arithmetic * static_cast<double>(times.of(format)) / static_cast<double>(times.all());
    };
    const bool isDouble = shareOf(NumberFormat::fp64) >= facts.limit(Threshold::wideArithmeticDouble);
    const double share = shareOf(isDouble ? NumberFormat::fp64 : NumberFormat::fp32);
    if (!isDouble && (!facts.onDevice || arithmetic < facts.limit(Threshold::wideArithmeticAll) ||
                      share < facts.limit(Threshold::wideArithmeticShare)))
        return quiet();
    if (!isDouble && analysis::isNarrow(facts.requestedFormat()))
        return quiet(); // float-layers says it
    Finding f;
    f.share = share;
    f.confidence = Confidence::estimate;
    const std::vector<std::uint32_t>& names = isDouble ? facts.precision.fp64Names : facts.precision.fp32Names;
    const auto isNamed = [&names](std::uint32_t name) { return std::binary_search(names.begin(), names.end(), name); };
    const auto isWide = [&](std::int32_t number) {
        return isNamed(facts.index.work[static_cast<std::size_t>(number)].name);
    };
    if (isDouble) {
        f.text = base::message<reasons::kArithmetic64Bits>(shareMessage(facts, share));
        f.gain = gainOf(facts, share, {0.3, 0.9}, Launches::stay, isWide);
        f.knob = advise(base::message<reasons::kUse32BitsOrFewer>());
        f.verification = verifyBy(base::message<reasons::kBy32Bits>(), base::message<reasons::kNoOperatorMayBeLeft>());
    } else {
        f.text = base::message<reasons::kArithmeticFp32>(shareMessage(facts, share));
        f.gain = gainOf(facts, share, {0, 0.5}, Launches::stay, isWide);
        f.knob = tf32Helps(facts) ? switchOn(facts, {"tf32"}, base::message<reasons::kUseTheDeviceSFaster>())
                                  : advise(use16Bits(facts));
        f.verification = verifyBy(namedOr(f.knob.switchName, base::message<reasons::kBy16Bits>()),
                                  base::message<reasons::kQualityBoundsMustHoldAnd>());
    }
    trace::TimeRange longest = facts.steady.front();
    if (facts.onDevice) {
        std::int64_t most = 0;
        for (const analysis::Work& w : facts.index.work)
            if (w.isKernel() && facts.window.contains(w.time.start) && isNamed(w.name) && w.time.length() > most) {
                most = w.time.length();
                longest = w.time;
            }
    }
    f.evidence =
        evidence(facts, rows::work(facts, [&](std::uint32_t name, OpClass) { return isNamed(name); }), longest);
    return fired(std::move(f), Cause::compute);
}

namespace {

/// The role of an event in attention that is computed in steps: batched products of queries, keys and values, the
/// softmax between them, and what scales and masks.
enum class AttentionStep { product, softmax, other, elsewhere };

/// Sums what lies between the two products of each attention.
class AttentionSteps
{
public:
    /// `own`: the time that counts. `asked`: it is within scaled_dot_product_attention.
    void add(AttentionStep step, trace::TimeRange time, std::int64_t own, bool asked)
    {
        switch (step) {
        case AttentionStep::product:
            if (m_softmax) {
                m_total += m_since;
                m_asked += asked ? 1 : 0;
                ++m_count;
                if (const trace::TimeRange between{m_from, time.start}; between.length() > m_longest.length())
                    m_longest = between;
            }
            m_open = true;
            m_softmax = false;
            m_since = 0;
            m_from = time.end;
            break;
        case AttentionStep::elsewhere:
            m_open = m_softmax = false;
            break;
        case AttentionStep::softmax:
            m_softmax = m_open;
            m_since += own;
            break;
        case AttentionStep::other:
            m_since += own;
        }
    }
    std::int64_t total() const { return m_total; } ///< ns between the products
    std::int64_t count() const { return m_count; }
    bool isAsked() const { return 2 * m_asked > m_count; } ///< scaled_dot_product_attention was called for most
    trace::TimeRange longest() const { return m_longest; } ///< the longest time between two products

private:
    bool m_open = false;    ///< a product came before
    bool m_softmax = false; ///< a softmax came after that product
    std::int64_t m_since = 0;
    std::int64_t m_from = 0;
    std::int64_t m_total = 0;
    std::int64_t m_count = 0;
    std::int64_t m_asked = 0;
    trace::TimeRange m_longest;
};

bool isBatchedProduct(std::string_view op)
{
    return op == "aten::bmm" || op == "aten::baddbmm";
}

/// A backward pass has the softmax's gradient between other products.
bool isSoftmax(std::string_view name)
{
    const std::string lower = base::lower(name);
    return lower.find("softmax") != std::string::npos && lower.find("backward") == std::string::npos;
}

/// Whether work of a class scales, masks, drops out or converts, as between the products of attention.
bool canStandBetween(OpClass c)
{
    return c == OpClass::elementwise || c == OpClass::cast || c == OpClass::copy || c == OpClass::layout ||
           c == OpClass::fill || c == OpClass::view || c == OpClass::allocation;
}

bool isWithinSdpa(const Facts& facts, std::int32_t node)
{
    for (; node != analysis::kNone; node = facts.forest.nodes[static_cast<std::size_t>(node)].parent)
        if (facts.index.text(facts.forest.nodes[static_cast<std::size_t>(node)].name)
                .starts_with("aten::scaled_dot_product_attention"))
            return true;
    return false;
}

AttentionStep stepOf(bool isProduct, bool softmax, bool between)
{
    return isProduct ? AttentionStep::product
           : softmax ? AttentionStep::softmax
           : between ? AttentionStep::other
                     : AttentionStep::elsewhere;
}

AttentionSteps attentionSteps(const Facts& facts)
{
    AttentionSteps steps;
    if (facts.onDevice) {
        for (std::size_t i = 0; i < facts.index.work.size(); ++i) {
            const analysis::Work& w = facts.index.work[i];
            if (!w.isKernel() || facts.index.devices[w.device] != facts.device || !facts.window.contains(w.time.start))
                continue;
            const std::int32_t node = facts.forest.ofWork(static_cast<std::int32_t>(i));
            const bool isProduct =
                node != analysis::kNone &&
                isBatchedProduct(facts.index.text(facts.forest.nodes[static_cast<std::size_t>(node)].name));
            steps.add(stepOf(isProduct, isSoftmax(facts.index.text(w.name)),
                             canStandBetween(facts.index.kernelClass(w.name))),
                      w.time, w.time.length(), isProduct && isWithinSdpa(facts, node));
        }
        return steps;
    }
    const auto [first, end] = facts.forest.busiestThread();
    for (std::int32_t i = first; i < end; ++i) {
        const analysis::OperatorNode& n = facts.forest.nodes[static_cast<std::size_t>(i)];
        if (!facts.window.contains(n.time.start))
            continue;
        const std::string_view name = facts.index.text(n.name);
        // Operators above others (aten::matmul, scaled_dot_product_attention) say nothing; what they call does.
        const bool calls = i + 1 < end && facts.forest.nodes[static_cast<std::size_t>(i) + 1].parent == i;
        const bool isProduct = isBatchedProduct(name);
        steps.add(stepOf(isProduct, isSoftmax(name),
                         calls || name == "aten::dropout" || canStandBetween(facts.index.operatorClass(n.name))),
                  n.time, n.selfTime - facts.interrupted.of(static_cast<std::size_t>(i)),
                  isProduct && isWithinSdpa(facts, i));
    }
    return steps;
}

/// The same of a kernel of Tensile (rocBLAS, hipBLASLt): the widths of its loads in elements, GRVWA and GRVWB, or GRVW
/// for both. Only 1 for both operands in a 16-bit type (B, H) says that: 2 is chosen for aligned sizes, too.
std::string_view unalignedTensileWord(std::string_view kernel)
{
    const std::size_t type = kernel.find('_', kernel.find('_', kernel.find('_') + 1) + 1) + 1;
    if (type >= kernel.size() || (kernel[type] != 'B' && kernel[type] != 'H'))
        return {};
    std::string_view word;
    for (std::size_t at = kernel.find("_GRVW"); at != std::string_view::npos; at = kernel.find("_GRVW", at + 1)) {
        word = kernel.substr(at + 1, kernel.find('_', at + 1) - at - 1);
        if (word.empty() || word.find_first_of("0123456789-") + 1 != word.size() || word.back() != '1')
            return {};
    }
    return word;
}

/// The word in the name of a kernel that says that it reads its operands one or two elements at a time ("align1", as
/// CUTLASS and cuBLAS name them); empty for others.
std::string_view unalignedWord(std::string_view kernel)
{
    if (kernel.starts_with("Cijk_"))
        return unalignedTensileWord(kernel);
    constexpr std::string_view kWordEnds = "<>(){}[],:*& ";
    // One element is what these always read: fp32 outside of tensor cores, fp64. Convolutions have few channels
    // instead.
    for (const std::string_view part : {"simt", "sgemm", "dgemm", "d884", "fprop", "dgrad", "wgrad", "conv"})
        if (kernel.find(part) != std::string_view::npos)
            return {};
    for (std::size_t at = kernel.find("align"); at != std::string_view::npos; at = kernel.find("align", at + 5)) {
        std::size_t digit = at + 5;
        if (digit < kernel.size() && (kernel[digit] == 'a' || kernel[digit] == 'b'))
            ++digit;
        const bool few = digit < kernel.size() && (kernel[digit] == '1' || kernel[digit] == '2');
        const bool ends = digit + 1 >= kernel.size() || kernel[digit + 1] < '0' || kernel[digit + 1] > '9';
        if (!few || !ends)
            continue;
        const std::size_t before = kernel.find_last_of(kWordEnds, at);
        const std::size_t from = before == std::string_view::npos ? 0 : before + 1;
        return kernel.substr(from, kernel.find_first_of(kWordEnds, at) - from);
    }
    return {};
}

} // namespace

// unfused-attention: what lies between the two batched products of attention (scaling, mask, softmax, dropout) takes
// 5 % or more. A fused kernel keeps it on the chip.
RuleResult unfusedAttentionRule(const Facts& facts)
{
    const AttentionSteps steps = attentionSteps(facts);
    const double share = facts.share(steps.total());
    if (share < facts.limit(Threshold::attentionShare))
        return quiet();
    Finding f;
    f.text = base::message<reasons::kUnfusedAttention>(occurrences(facts, steps.count()), shareMessage(facts, share));
    f.share = share;
    f.gain = {0.5 * share, share};
    f.confidence = Confidence::estimate;
    f.evidence = evidence(
        facts, rows::work(facts, [&](std::uint32_t name, OpClass) { return isSoftmax(facts.index.text(name)); }),
        steps.longest());
    f.knob = steps.isAsked() ? advise(base::message<reasons::kFindOutWhyAttentionIsNotFused>())
                             : advise(base::message<reasons::kUseFusedAttention>());
    f.verification = verifyBy(base::message<reasons::kByFusedAttention>());
    return fired(std::move(f), Cause::memory);
}

// unaligned-products: kernels that read one or two elements at a time take 5 % or more.
RuleResult unalignedProductsRule(const Facts& facts)
{
    if (!facts.onDevice || facts.sums.computingTime <= 0)
        return quiet();
    std::int64_t time = 0;
    analysis::EventRef worst;
    std::int64_t longest = 0;
    std::uint32_t name = 0;
    for (const analysis::KernelRow& row : facts.kernels) {
        if (row.device != facts.device || unalignedWord(facts.index.text(row.name)).empty())
            continue;
        time += row.time.total;
        if (row.time.longest > longest) {
            longest = row.time.longest;
            worst = row.longest;
            name = row.name;
        }
    }
    const double share =
        facts.share(facts.use.computing()) * static_cast<double>(time) / static_cast<double>(facts.sums.computingTime);
    if (share < facts.limit(Threshold::unalignedProductsShare))
        return quiet();
    const trace::EventColumns& of = facts.trace.series[worst.series].events;
    Finding f;
    f.text =
        base::message<reasons::kUnalignedProducts>(shareMessage(facts, share), unalignedWord(facts.index.text(name)));
    f.share = share;
    f.gain = gainOf(facts, share, {0.2, 0.7}, Launches::stay, [&](std::int32_t number) {
        return !unalignedWord(facts.index.text(facts.index.work[static_cast<std::size_t>(number)].name)).empty();
    });
    f.confidence = Confidence::estimate;
    f.evidence = evidence(
        facts, rows::work(facts, [&](std::uint32_t n, OpClass) { return !unalignedWord(facts.index.text(n)).empty(); }),
        {of.start[worst.index], of.end(worst.index)});
    f.knob = advise(base::message<reasons::kPadTheSizes>());
    f.verification = verifyBy(base::message<reasons::kByPaddedSizes>());
    return fired(std::move(f), Cause::compute);
}

namespace {

/// PyTorch's own convolutions, which it takes where no library does: they copy the input into columns and multiply.
bool isFallback(std::string_view op)
{
    return op.find("slow_conv") != std::string_view::npos || op.find("thnn_conv") != std::string_view::npos;
}

} // namespace

// slow-convolutions: convolutions that no library runs take 5 % or more.
RuleResult slowConvolutionsRule(const Facts& facts)
{
    OperatorTime slow = timeOfOperators(facts, isFallback);
    const double share = std::min(1.0, facts.share(slow.time));
    if (!slow.longest || share < facts.limit(Threshold::slowConvolutionsShare))
        return quiet();
    Finding f;
    f.text = base::message<reasons::kSlowConvolutions>(shareMessage(facts, share), occurrences(facts, slow.count),
                                                       std::string(facts.index.text(slow.longest->name)));
    f.share = share;
    f.gain = gainOf(facts, share, {0.2, 0.9}, Launches::stay, [&](std::int32_t number) {
        const std::int32_t op = facts.forest.ofWork(number);
        return op != analysis::kNone &&
               isFallback(facts.index.text(facts.forest.nodes[static_cast<std::size_t>(op)].name));
    });
    f.confidence = Confidence::estimate; // how much faster a library is, nobody measured
    Rows found{{trace::EventKind::operatorCall}, facts.callWindow()};
    found.names = std::move(slow.names);
    f.evidence = evidence(facts, found, slow.longest->time);
    f.knob = advise(base::message<reasons::kLetALibraryConvolve>());
    f.verification = verifyBy(base::message<reasons::kByALibrarysConvolutions>());
    return fired(std::move(f), Cause::compute);
}

} // namespace apertune::advice
