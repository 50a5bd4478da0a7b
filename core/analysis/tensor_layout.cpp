// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/tensor_layout.h"

#include "core/analysis/roofline.h"

#include <algorithm>

namespace apertune::analysis {

std::optional<bool> isChannelsLast(std::string_view shapes, std::string_view strides)
{
    const std::optional<Shapes> sizes = parseShapes(shapes);
    const std::optional<Shapes> steps = parseShapes(strides);
    if (!sizes || !steps || sizes->empty() || steps->empty())
        return std::nullopt;
    const std::vector<std::int64_t>& size = sizes->front();
    const std::vector<std::int64_t>& step = steps->front();
    if (size.size() < 4 || step.size() != size.size() || size[1] <= 1)
        return std::nullopt;
    if (std::all_of(size.begin() + 2, size.end(), [](std::int64_t pixels) { return pixels <= 1; }))
        return std::nullopt;
    return step[1] == 1;
}

ConvolutionLayouts convolutionLayouts(const TraceIndex& index, const OperatorForest& forest, TimeRange window)
{
    ConvolutionLayouts layouts;
    std::int32_t done = kNone; // the last node below a convolution that was counted
    for (std::size_t i = 0; i < forest.nodes.size(); ++i) {
        const OperatorNode& node = forest.nodes[i];
        const auto number = static_cast<std::int32_t>(i);
        if (number <= done || !window.contains(node.time.start) ||
            index.operatorClass(node.name) != OpClass::convolution)
            continue;
        const trace::OperatorDetail& detail = index.trace.details.operators[node.detail];
        // An operator without strides may have them below it: modules and compiled regions have none.
        if (!detail.inputStrides && node.last != number)
            continue;
        done = node.last;
        const auto last = isChannelsLast(index.text(detail.inputShapes.value), index.text(detail.inputStrides.value));
        (last ? (*last ? layouts.last : layouts.first) : layouts.unknown) +=
            node.deviceTime > 0 ? node.deviceTime : node.time.length();
    }
    return layouts;
}

} // namespace apertune::analysis
