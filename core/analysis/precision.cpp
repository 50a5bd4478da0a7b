// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/precision.h"

#include <numeric>
#include <set>
#include <unordered_map>

namespace apertune::analysis {

namespace {

/// The formats of input types, cached by StringId, because the same texts repeat often.
class InputFormats
{
public:
    InputFormats(const TraceIndex& index, const OperatorForest& forest) : m_index(index), m_forest(forest) {}

    NumberFormat of(std::int32_t node)
    {
        for (; node != kNone; node = m_forest.nodes[static_cast<std::size_t>(node)].parent) {
            const std::uint32_t detail = m_forest.nodes[static_cast<std::size_t>(node)].detail;
            const std::uint32_t types = m_index.trace.details.operators[detail].inputTypes.value;
            if (types == 0)
                continue;
            const auto [known, added] = m_known.try_emplace(types, NumberFormat::unknown);
            if (added)
                known->second = formatOfInputs(m_index.text(types));
            return known->second;
        }
        return NumberFormat::unknown;
    }

private:
    const TraceIndex& m_index;
    const OperatorForest& m_forest;
    std::unordered_map<std::uint32_t, NumberFormat> m_known;
};

} // namespace

std::int64_t FormatTimes::all() const
{
    return std::accumulate(time.begin(), time.end(), std::int64_t{0});
}

Precision precisionOf(const TraceIndex& index, const OperatorForest& forest, std::int64_t device, TimeRange window)
{
    Precision result;
    InputFormats inputs(index, forest);
    std::set<std::uint32_t> fp32, fp64;
    const auto add = [&](std::uint32_t name, OpClass opClass, NumberFormat format, std::int64_t time) {
        const bool arithmetic = isArithmetic(opClass);
        if (!arithmetic && !isTraffic(opClass))
            return;
        (arithmetic ? result.arithmetic : result.traffic).time[static_cast<std::size_t>(format)] += time;
        if (arithmetic && format == NumberFormat::fp32)
            fp32.insert(name);
        if (arithmetic && format == NumberFormat::fp64)
            fp64.insert(name);
    };
    if (const std::int32_t wanted = index.deviceIndex(device); wanted != kNone) {
        for (std::size_t i = 0; i < index.work.size(); ++i) {
            const Work& w = index.work[i];
            if (w.device != wanted || !w.isKernel() || !window.contains(w.time.start))
                continue;
            NumberFormat format = index.kernelFormat(w.name);
            if (format == NumberFormat::unknown)
                format = inputs.of(forest.ofWork(static_cast<std::int32_t>(i)));
            if (format == NumberFormat::fp32 && index.tensorCores(w.name).value_or(false))
                format = NumberFormat::tf32;
            add(w.name, index.kernelClass(w.name), format, w.time.length());
        }
    } else {
        const auto [first, end] = forest.busiestThread();
        for (std::int32_t i = first; i < end; ++i) {
            const OperatorNode& node = forest.nodes[static_cast<std::size_t>(i)];
            if (window.contains(node.time.start))
                add(node.name, index.operatorClass(node.name), inputs.of(i), node.selfTime);
        }
    }
    result.fp32Names.assign(fp32.begin(), fp32.end());
    result.fp64Names.assign(fp64.begin(), fp64.end());
    return result;
}

} // namespace apertune::analysis
