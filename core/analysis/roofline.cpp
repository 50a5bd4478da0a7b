// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/roofline.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>

namespace apertune::analysis {

namespace {

using Shape = std::vector<std::int64_t>;

double elements(const Shape& shape, std::size_t from = 0)
{
    double n = 1;
    for (std::size_t i = from; i < shape.size(); ++i)
        n *= static_cast<double>(shape[i]);
    return n;
}

double elementsBut(const Shape& shape, std::size_t last)
{
    return elements(Shape(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(last)));
}

std::string_view plainName(std::string_view name)
{
    const auto colons = name.rfind("::");
    return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

/// Returns the tensors among the inputs, in order.
std::vector<const Shape*> tensors(const Shapes& inputs)
{
    std::vector<const Shape*> list;
    for (const Shape& shape : inputs)
        if (!shape.empty())
            list.push_back(&shape);
    return list;
}

struct Convolved
{
    const Shape* input = nullptr;
    const Shape* weight = nullptr;
};

/// Finds input and weight of a convolution: the first two tensors of equal rank whose channels match, as in an
/// ordinary, a grouped or a transposed convolution. A search is needed because recorders of boxed calls also list
/// values that were on the interpreter's stack before the arguments.
Convolved convolved(const Shapes& inputs)
{
    const auto list = tensors(inputs);
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
        const Shape& input = *list[i];
        const Shape& weight = *list[i + 1];
        if (input.size() >= 3 && weight.size() == input.size() && weight[1] > 0 &&
            (input[1] % weight[1] == 0 || input[1] == weight[0]))
            return {&input, &weight};
    }
    return {};
}

std::optional<OperatorCost> convolutionCost(const Shapes& inputs, double width, const Shape* output)
{
    const Convolved of = convolved(inputs);
    if (!of.input)
        return std::nullopt;
    const Shape& input = *of.input;
    const Shape& weight = *of.weight;
    Shape result = output ? *output : input;
    if (result.size() != input.size())
        return std::nullopt;
    // Without a recorded result, stride 1 with padding is assumed: the result is as large as the input.
    result[0] = input[0];
    result[1] = weight[0];
    const double values = elements(result);
    return OperatorCost{2 * values * elements(weight, 1), width * (elements(input) + elements(weight) + values)};
}

std::optional<OperatorCost> productCost(std::string_view name, const Shapes& inputs, double width)
{
    auto list = tensors(inputs);
    // The first argument of addmm and baddbmm is the addend.
    if ((name == "addmm" || name == "baddbmm" || name == "addbmm" || name == "_addmm_activation") && list.size() >= 3)
        list.erase(list.begin());
    if (list.size() < 2)
        return std::nullopt;
    const Shape& a = *list[0];
    const Shape& b = *list[1];
    if (a.empty() || b.empty())
        return std::nullopt;
    const auto depth = static_cast<double>(a.back());
    double rows = elementsBut(a, 1);
    double columns = 1;
    double read = elements(a) + elements(b);
    if (name.find("linear") != std::string_view::npos) {
        if (b.size() != 2 || static_cast<double>(b[1]) != depth)
            return std::nullopt;
        columns = static_cast<double>(b[0]);
    } else {
        if (b.size() < 2 || static_cast<double>(b[b.size() - 2]) != depth)
            return std::nullopt;
        columns = static_cast<double>(b.back());
    }
    return OperatorCost{2 * rows * depth * columns, width * (read + rows * columns)};
}

std::optional<OperatorCost> attentionCost(const Shapes& inputs, double width)
{
    const auto list = tensors(inputs);
    if (list.size() < 3 || list[0]->size() != 4 || list[1]->size() != 4)
        return std::nullopt;
    const Shape& q = *list[0];
    const auto keys = static_cast<double>((*list[1])[2]);
    return OperatorCost{4 * elements(q) * keys, width * (2 * elements(q) + elements(*list[1]) + elements(*list[2]))};
}

} // namespace

std::optional<Shapes> parseShapes(std::string_view text)
{
    Shapes shapes;
    std::vector<std::int64_t> current;
    int depth = 0;
    bool leaf = false; // the innermost open list may be a shape, because no list was opened in it
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '[') {
            ++depth;
            leaf = true;
            current.clear();
        } else if (c == ']') {
            if (--depth < 0)
                return std::nullopt;
            if (leaf && depth >= 1)
                shapes.push_back(current);
            leaf = false;
        } else if (std::isdigit(static_cast<unsigned char>(c))) {
            std::int64_t value = 0;
            for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); ++i)
                // A damaged number must not overflow; no real dimension is that large.
                value = value < (1ll << 56) ? value * 10 + (text[i] - '0') : value;
            --i;
            current.push_back(value);
        } else if (c != ',' && c != ' ' && c != '"' && c != '-') {
            return std::nullopt;
        }
    }
    if (depth != 0 || text.empty())
        return std::nullopt;
    return shapes;
}

int elementBytes(std::string_view types)
{
    const auto has = [types](std::string_view word) { return types.find(word) != std::string_view::npos; };
    const auto quote = types.find_first_not_of("[]\", ");
    const std::string_view first = quote == std::string_view::npos ? types : types.substr(quote);
    if (first.starts_with("c10::Half") || first.starts_with("c10::BFloat16") || first.starts_with("short"))
        return 2;
    if (first.starts_with("double") || first.starts_with("long"))
        return 8;
    if (first.starts_with("signed char") || first.starts_with("unsigned char") || first.starts_with("c10::qint8") ||
        first.starts_with("c10::quint8") || first.starts_with("bool") || has("Float8"))
        return 1;
    return 4;
}

std::optional<OperatorCost> operatorCost(std::string_view fullName, OpClass opClass, const Shapes& inputs,
                                         int bytesPerElement, const Shape* output)
{
    const std::string_view name = plainName(fullName);
    // The first inputs of a backward operator are gradients. That needs other formulas, and inference has none of them.
    if (name.find("ackward") != std::string_view::npos || fullName.find("autograd::") != std::string_view::npos)
        return std::nullopt;
    const double width = bytesPerElement;
    switch (opClass) {
    case OpClass::convolution:
        return convolutionCost(inputs, width, output);
    case OpClass::matrixProduct:
        return productCost(name, inputs, width);
    case OpClass::attention:
        return attentionCost(inputs, width);
    case OpClass::elementwise:
    case OpClass::normalization:
    case OpClass::reduction:
    case OpClass::pooling:
    case OpClass::layout:
    case OpClass::cast:
    case OpClass::copy:
    case OpClass::fill: {
        const auto list = tensors(inputs);
        if (list.empty())
            return std::nullopt;
        double read = 0;
        double largest = 0;
        for (const Shape* shape : list) {
            read += elements(*shape);
            largest = std::max(largest, elements(*shape));
        }
        return OperatorCost{largest, width * (read + largest)};
    }
    default:
        return std::nullopt;
    }
}

std::string_view toString(Bound bound)
{
    switch (bound) {
    case Bound::compute:
        return "compute";
    case Bound::memory:
        return "memory";
    case Bound::latency:
        return "latency";
    case Bound::unknown:
        break;
    }
    return "unknown";
}

namespace {

/// The shapes of every OperatorDetail, parsed once.
class ShapeCache
{
public:
    explicit ShapeCache(const trace::Trace& trace) : m_trace(trace), m_shapes(trace.details.operators.size()) {}

    const Shapes* of(std::uint32_t detail)
    {
        if (detail == 0)
            return nullptr;
        auto& entry = m_shapes[detail];
        if (!entry.first) {
            entry.first = true;
            entry.second = parseShapes(m_trace.text(m_trace.details.operators[detail].inputShapes));
        }
        return entry.second ? &*entry.second : nullptr;
    }

private:
    const trace::Trace& m_trace;
    std::vector<std::pair<bool, std::optional<Shapes>>> m_shapes;
};

/// Returns the shape of a convolution's result: a shape [N, K, …] among the inputs of the following operators.
const Shape* resultOf(const OperatorForest& forest, ShapeCache& shapeCache, std::int32_t node, const Shapes& inputs)
{
    constexpr int kLookAhead = 8;
    const Convolved of = convolved(inputs);
    if (!of.input)
        return nullptr;
    const trace::TrackId track = forest.nodes[static_cast<std::size_t>(node)].track;
    std::int32_t i = forest.nodes[static_cast<std::size_t>(node)].last + 1;
    const std::int32_t end = forest.thread(track).second;
    for (int step = 0; step < kLookAhead && i < end; ++step, ++i) {
        const Shapes* next = shapeCache.of(forest.nodes[static_cast<std::size_t>(i)].detail);
        if (!next)
            continue;
        // Padding can make a result slightly larger than its input. A much larger shape is the input of another
        // operator.
        for (const Shape& shape : *next)
            if (shape.size() == of.input->size() && shape[0] == (*of.input)[0] && shape[1] == (*of.weight)[0] &&
                shape[2] <= (*of.input)[2] + 8)
                return &shape;
    }
    return nullptr;
}

void applyCeilings(RooflineRow& row, const Ceilings& ceilings)
{
    if (row.time <= 0)
        return;
    const double seconds = static_cast<double>(row.time) * 1e-9;
    row.achieved = row.cost.flops / seconds;
    row.bandwidth = row.cost.bytes / seconds;
    if (!ceilings.complete())
        return;
    constexpr double kFarBelow = 0.1;
    row.attainable = std::min(ceilings.flops, ceilings.memoryBandwidth * row.cost.intensity());
    const double ofCompute = row.achieved / ceilings.flops;
    const double ofMemory = row.bandwidth / ceilings.memoryBandwidth;
    row.efficiency = std::max(ofCompute, ofMemory);
    row.bound = row.efficiency < kFarBelow                ? Bound::latency
                : row.cost.intensity() < ceilings.ridge() ? Bound::memory
                                                          : Bound::compute;
}

} // namespace

std::vector<RooflineRow> rooflineTable(const TraceIndex& index, const OperatorForest& forest, TimeRange window,
                                       const Ceilings& ceilings)
{
    const trace::Trace& trace = index.trace;
    ShapeCache shapeCache(trace);
    const bool hasDevice = !index.work.empty();
    std::map<std::pair<std::uint32_t, std::uint32_t>, RooflineRow> rows;
    std::int32_t inside = kNone; // last node below a counted one; its cost contains theirs
    for (std::size_t i = 0; i < forest.nodes.size(); ++i) {
        const OperatorNode& node = forest.nodes[i];
        if (static_cast<std::int32_t>(i) <= inside || node.detail == 0 || !window.contains(node.time.start))
            continue;
        const Shapes* inputs = shapeCache.of(node.detail);
        if (!inputs)
            continue;
        const trace::OperatorDetail& detail = trace.details.operators[node.detail];
        const OpClass opClass = index.operatorClass(node.name);
        const Shape* output = opClass == OpClass::convolution
                                  ? resultOf(forest, shapeCache, static_cast<std::int32_t>(i), *inputs)
                                  : nullptr;
        const auto cost =
            operatorCost(index.text(node.name), opClass, *inputs, elementBytes(trace.text(detail.inputTypes)), output);
        if (!cost)
            continue;
        inside = node.last;
        RooflineRow& row = rows[{node.name, detail.inputShapes.value}];
        row.name = node.name;
        row.shapes = detail.inputShapes.value;
        row.opClass = opClass;
        ++row.calls;
        row.time += hasDevice ? node.deviceTime : node.time.length();
        row.cost.flops += cost->flops;
        row.cost.bytes += cost->bytes;
    }
    std::vector<RooflineRow> table;
    for (auto& [key, row] : rows) {
        applyCeilings(row, ceilings);
        table.push_back(row);
    }
    std::stable_sort(table.begin(), table.end(),
                     [](const RooflineRow& a, const RooflineRow& b) { return a.time > b.time; });
    return table;
}

} // namespace apertune::analysis
