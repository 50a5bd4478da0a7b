// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/flame.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace apertune::analysis {
namespace {

constexpr std::size_t kBetweenStops = 1 << 14;

constexpr std::size_t at(std::int32_t i)
{
    return static_cast<std::size_t>(i);
}

struct Key
{
    std::int32_t parent = 0;
    std::uint32_t name = 0;
    trace::EventKind kind = trace::EventKind::other;
    bool operator==(const Key&) const = default;
};

struct KeyHash
{
    std::size_t operator()(const Key& key) const
    {
        const std::uint64_t both =
            (static_cast<std::uint64_t>(static_cast<std::uint32_t>(key.parent)) << 32) | key.name;
        return static_cast<std::size_t>((both + static_cast<std::uint64_t>(key.kind)) * 0x9E3779B97F4A7C15ULL >> 7);
    }
};

/// Builds nodes in order of their first appearance, so a parent stands before the nodes below it.
class Builder
{
public:
    Builder(const TraceIndex& index, const OperatorForest& forest, TimeRange window)
        : m_index(index), m_forest(forest), m_window(window), m_nodeOf(forest.nodes.size(), kNone)
    {
        nodes.emplace_back();
        for (std::size_t i = 1; i < index.trace.strings.size(); ++i) // PyTorch's profiler numbers its steps
            if (index.trace.strings[i].starts_with("ProfilerStep#")) {
                m_step = m_step ? m_step : static_cast<std::uint32_t>(i);
                m_isStep.resize(index.trace.strings.size());
                m_isStep[i] = 1;
            }
    }

    std::vector<FlameNode> nodes;

    bool addHost(const std::stop_token& stop)
    {
        for (std::size_t i = 0; i < m_forest.nodes.size(); ++i) {
            if (i % kBetweenStops == 0 && stop.stop_requested())
                return false;
            const OperatorNode& op = m_forest.nodes[i];
            if (!touches(op.time))
                continue;
            // Its caller overlaps the window as well and was added before.
            const std::int32_t parent = op.parent == kNone ? 0 : m_nodeOf[at(op.parent)];
            m_nodeOf[i] = child(std::max(parent, 0), op.name, trace::EventKind::operatorCall);
            add(m_nodeOf[i], op.time, op.ref);
        }
        for (std::size_t i = 0; i < m_index.calls.size(); ++i) {
            if (i % kBetweenStops == 0 && stop.stop_requested())
                return false;
            const HostCall& call = m_index.calls[i];
            if (!touches(call.time))
                continue;
            const std::int32_t op = m_forest.innermost(call.track, call.time.start);
            const std::int32_t parent = op == kNone ? 0 : std::max(m_nodeOf[at(op)], 0);
            add(child(parent, call.name, m_index.trace.series[call.ref.series].kind), call.time, call.ref);
        }
        // From the last node to the first: children have higher numbers than their parents.
        for (std::size_t i = nodes.size(); i-- > 1;)
            nodes[at(nodes[i].parent)].self += nodes[i].total; // temporarily: the total of the nodes below
        nodes[0].total = nodes[0].self;
        for (FlameNode& node : nodes)
            node.self = std::max<std::int64_t>(0, node.total - node.self);
        return true;
    }

    bool addDevice(const std::stop_token& stop)
    {
        for (std::size_t w = 0; w < m_index.work.size(); ++w) {
            if (w % kBetweenStops == 0 && stop.stop_requested())
                return false;
            const Work& work = m_index.work[w];
            if (!touches(work.time))
                continue;
            const std::int32_t op = m_forest.ofWork(static_cast<std::int32_t>(w));
            const std::int32_t leaf = child(op == kNone ? 0 : operatorNode(op), work.name, work.kind);
            add(leaf, work.time, work.ref);
            nodes[at(leaf)].self += intersection(work.time, m_window).length();
        }
        // Device time of an operator is that of all work below it, so it is summed from the leaves up.
        for (std::size_t i = nodes.size(); i-- > 1;)
            nodes[at(nodes[i].parent)].total += nodes[i].total;
        return true;
    }

private:
    bool touches(TimeRange time) const
    {
        // An event without a length still belongs to the window that it lies in.
        return time.start < m_window.end && m_window.start < std::max(time.end, time.start + 1);
    }

    std::int32_t child(std::int32_t parent, std::uint32_t name, trace::EventKind kind)
    {
        if (!m_isStep.empty() && m_isStep[name])
            name = m_step;
        const auto [found, fresh] =
            m_children.try_emplace({parent, name, kind}, static_cast<std::int32_t>(nodes.size()));
        if (fresh) {
            FlameNode node;
            node.name = name;
            node.kind = kind;
            node.workClass = classify(kind, m_index.text(name));
            node.parent = parent;
            node.depth = static_cast<std::uint16_t>(nodes[at(parent)].depth + 1);
            nodes.push_back(node);
        }
        return found->second;
    }

    /// The node of an operator's call by device time. The operator's own time does not count there.
    std::int32_t operatorNode(std::int32_t op)
    {
        if (m_nodeOf[at(op)] != kNone)
            return m_nodeOf[at(op)];
        const OperatorNode& call = m_forest.nodes[at(op)];
        const std::int32_t node =
            child(call.parent == kNone ? 0 : operatorNode(call.parent), call.name, trace::EventKind::operatorCall);
        FlameNode& of = nodes[at(node)];
        ++of.calls;
        if (call.deviceTime > of.longest || of.calls == 1) {
            of.longest = call.deviceTime;
            of.longestEvent = call.ref;
        }
        m_nodeOf[at(op)] = node;
        return node;
    }

    void add(std::int32_t to, TimeRange time, EventRef ref)
    {
        FlameNode& node = nodes[at(to)];
        ++node.calls;
        node.total += intersection(time, m_window).length();
        if (time.length() > node.longest || node.calls == 1) {
            node.longest = time.length();
            node.longestEvent = ref;
        }
    }

    const TraceIndex& m_index;
    const OperatorForest& m_forest;
    TimeRange m_window;
    std::vector<std::int32_t> m_nodeOf; ///< index by operator
    std::uint32_t m_step = 0;           ///< the name that all steps are merged under; 0: none
    std::vector<char> m_isStep;         ///< index by StringId; empty when there are no steps
    std::unordered_map<Key, std::int32_t, KeyHash> m_children;
};

/// Sorts the nodes depth first, siblings widest first.
std::vector<FlameNode> ordered(const std::vector<FlameNode>& nodes)
{
    std::vector<std::vector<std::int32_t>> children(nodes.size());
    for (std::size_t i = 1; i < nodes.size(); ++i)
        children[at(nodes[i].parent)].push_back(static_cast<std::int32_t>(i));
    for (auto& list : children) {
        std::stable_sort(list.begin(), list.end(),
                         [&](std::int32_t a, std::int32_t b) { return nodes[at(a)].total > nodes[at(b)].total; });
        std::reverse(list.begin(), list.end()); // because the next one is taken from the back
    }
    std::vector<FlameNode> result;
    result.reserve(nodes.size());
    // A path of our own instead of recursion, because stacks of operators may be deep.
    std::vector<std::pair<std::int32_t, std::int32_t>> path{{0, 0}}; // old and new number
    result.push_back(nodes[0]);
    while (!path.empty()) {
        auto& list = children[at(path.back().first)];
        if (list.empty()) {
            result[at(path.back().second)].end = static_cast<std::int32_t>(result.size());
            path.pop_back();
            continue;
        }
        const std::int32_t next = list.back();
        list.pop_back();
        result.push_back(nodes[at(next)]);
        result.back().parent = path.back().second;
        path.emplace_back(next, static_cast<std::int32_t>(result.size()) - 1);
    }
    return result;
}

} // namespace

FlameTree flameTree(const TraceIndex& index, const OperatorForest& forest, TimeRange window, FlameWeight weight,
                    std::stop_token stop)
{
    FlameTree tree;
    tree.weight = weight;
    Builder builder(index, forest, window);
    if (weight == FlameWeight::hostTime ? builder.addHost(stop) : builder.addDevice(stop))
        tree.nodes = ordered(builder.nodes);
    return tree;
}

std::vector<FlameBox> layOutFlame(const FlameTree& tree, std::int32_t focus, int width)
{
    std::vector<FlameBox> boxes;
    for (const std::int32_t caller : flamePath(tree, tree.nodes[at(focus)].parent))
        boxes.push_back({caller, tree.nodes[at(caller)].depth, 0, width, 0});
    // The root is always shown, so that the way back to the whole is one click.
    if (focus != 0)
        boxes.push_back({0, 0, 0, width, 0});

    struct Span
    {
        std::int32_t node;
        double left;
        double perNs;
    };
    const auto round = [](double x) { return static_cast<int>(std::lround(x)); };
    const std::int64_t whole = std::max<std::int64_t>(1, tree.nodes[at(focus)].total);
    std::vector<Span> open{{focus, 0, width / static_cast<double>(whole)}};
    boxes.push_back({focus, tree.nodes[at(focus)].depth, 0, width, 0});
    while (!open.empty()) {
        const Span span = open.back();
        open.pop_back();
        const FlameNode& node = tree.nodes[at(span.node)];
        std::int64_t below = 0;
        // The next sibling begins where the descendants of this one end.
        for (std::int32_t c = span.node + 1; c < node.end; c = tree.nodes[at(c)].end)
            below += tree.nodes[at(c)].total;
        // Overlapping calls may take more than their caller. They are scaled to stay below it.
        const double perNs =
            below > node.total ? span.perNs * static_cast<double>(node.total) / static_cast<double>(below) : span.perNs;
        double x = span.left;
        for (std::int32_t c = span.node + 1; c < node.end; c = tree.nodes[at(c)].end) {
            const FlameNode& next = tree.nodes[at(c)];
            const double wide = static_cast<double>(next.total) * perNs;
            if (wide < 1) { // all that follow are narrower still
                FlameBox rest{c, node.depth + 1, round(x), 0, 0};
                double right = x;
                for (; c < node.end; c = tree.nodes[at(c)].end, ++rest.folded)
                    right += static_cast<double>(tree.nodes[at(c)].total) * perNs;
                rest.width = round(right) - rest.x;
                if (rest.width > 0)
                    boxes.push_back(rest);
                break;
            }
            const int left = round(x);
            boxes.push_back({c, node.depth + 1, left, std::max(1, round(x + wide) - left), 0});
            if (next.end > c + 1)
                open.push_back({c, x, perNs});
            x += wide;
        }
    }
    return boxes;
}

std::vector<std::int32_t> flamePath(const FlameTree& tree, std::int32_t node)
{
    std::vector<std::int32_t> path;
    for (; node > 0; node = tree.nodes[at(node)].parent)
        path.push_back(node);
    std::reverse(path.begin(), path.end());
    return path;
}

} // namespace apertune::analysis
