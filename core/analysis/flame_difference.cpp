// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/flame_difference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>

namespace apertune::analysis {

namespace {

class FlameJoiner
{
public:
    FlameJoiner(const FlameSide& a, const FlameSide& b) : m_a(a), m_b(b)
    {
        m_joined.tree.weight = a.tree.weight;
        m_joined.strings.emplace_back();
    }

    FlameDifference join()
    {
        add(m_a.tree.nodes.empty() ? kNone : 0, m_b.tree.nodes.empty() ? kNone : 0, kNone);
        return std::move(m_joined);
    }

private:
    using Pair = std::pair<std::int32_t, std::int32_t>; ///< nodes of A and of B; kNone where one lacks the path

    static const FlameNode& nodeOf(const FlameSide& side, std::int32_t node)
    {
        return side.tree.nodes[static_cast<std::size_t>(node)];
    }

    static double timeOf(const FlameSide& side, std::int32_t node)
    {
        return node == kNone ? 0 : static_cast<double>(nodeOf(side, node).total) / side.iterations;
    }

    std::uint32_t nameOf(const FlameSide& side, std::int32_t node)
    {
        std::string_view name = side.trace.strings[nodeOf(side, node).name];
        if (constexpr std::string_view kStep = "ProfilerStep#"; name.starts_with(kStep))
            name = kStep;
        const auto [found, fresh] =
            m_numbers.try_emplace(std::string(name), static_cast<std::uint32_t>(m_joined.strings.size()));
        if (fresh)
            m_joined.strings.push_back(found->first);
        return found->second;
    }

    /// The paths one step below a pair of nodes, the widest first.
    std::vector<Pair> below(std::int32_t a, std::int32_t b)
    {
        std::map<std::pair<std::uint32_t, trace::EventKind>, Pair> byName;
        const auto collect = [&](const FlameSide& side, std::int32_t parent, std::int32_t Pair::*member) {
            if (parent == kNone)
                return;
            for (std::int32_t c = parent + 1; c < nodeOf(side, parent).end; c = nodeOf(side, c).end)
                byName.try_emplace({nameOf(side, c), nodeOf(side, c).kind}, kNone, kNone).first->second.*member = c;
        };
        collect(m_a, a, &Pair::first);
        collect(m_b, b, &Pair::second);
        std::vector<Pair> pairs;
        for (const auto& [name, pair] : byName)
            pairs.push_back(pair);
        const auto width = [this](const Pair& p) { return timeOf(m_a, p.first) + timeOf(m_b, p.second); };
        std::stable_sort(pairs.begin(), pairs.end(),
                         [&width](const Pair& x, const Pair& y) { return width(x) > width(y); });
        return pairs;
    }

    void add(std::int32_t a, std::int32_t b, std::int32_t parent)
    {
        if (a == kNone && b == kNone)
            return;
        FlameNode node;
        const FlameSide& side = a == kNone ? m_b : m_a;
        const std::int32_t from = a == kNone ? b : a;
        if (parent != kNone) {
            node.name = nameOf(side, from);
            node.kind = nodeOf(side, from).kind;
            node.workClass = nodeOf(side, from).workClass;
            node.depth = nodeOf(side, from).depth;
        }
        node.parent = parent;
        node.total = std::llround((timeOf(m_a, a) + timeOf(m_b, b)) / 2);
        const auto number = static_cast<std::int32_t>(m_joined.tree.nodes.size());
        m_joined.tree.nodes.push_back(node);
        m_joined.timeA.push_back(timeOf(m_a, a));
        m_joined.timeB.push_back(timeOf(m_b, b));
        std::int64_t children = 0;
        for (const auto& [childA, childB] : below(a, b)) {
            const std::size_t child = m_joined.tree.nodes.size();
            add(childA, childB, number);
            children += m_joined.tree.nodes[child].total;
        }
        FlameNode& placed = m_joined.tree.nodes[static_cast<std::size_t>(number)];
        placed.end = static_cast<std::int32_t>(m_joined.tree.nodes.size());
        placed.total = std::max(placed.total, children); // halves of nanoseconds were rounded
        placed.self = placed.total - children;
    }

    const FlameSide& m_a;
    const FlameSide& m_b;
    FlameDifference m_joined;
    std::unordered_map<std::string, std::uint32_t> m_numbers;
};

} // namespace

FlameDifference flameDifference(const FlameSide& a, const FlameSide& b)
{
    return FlameJoiner(a, b).join();
}

} // namespace apertune::analysis
