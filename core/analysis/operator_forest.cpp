// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/operator_forest.h"

#include <algorithm>

namespace apertune::analysis {

namespace {

/// Endless recursion in a recorded program nests deeper. A loop that walks up the forest has to end.
constexpr std::size_t kDeepest = 1000;

constexpr std::size_t at(std::int32_t i)
{
    return static_cast<std::size_t>(i);
}

} // namespace

OperatorForest::OperatorForest(const TraceIndex& index)
{
    const OperatorOfLink byLink = nestOperators(index.trace);
    attributeWork(index, byLink);
    sumUp();
}

OperatorForest::OperatorOfLink OperatorForest::nestOperators(const trace::Trace& trace)
{
    OperatorOfLink byLink;
    std::int64_t longest = 0;
    for (std::size_t s = 0; s < trace.series.size(); ++s) {
        if (trace.series[s].kind != trace::EventKind::operatorCall)
            continue;
        const auto first = static_cast<std::int32_t>(nodes.size());
        const std::int64_t covered = nestThread(trace, static_cast<std::uint32_t>(s), byLink);
        const auto end = static_cast<std::int32_t>(nodes.size());
        m_threads[trace.series[s].track.value] = {first, end};
        if (covered > longest) {
            longest = covered;
            m_busiest = {first, end};
        }
    }
    return byLink;
}

std::int64_t OperatorForest::nestThread(const trace::Trace& trace, std::uint32_t s, OperatorOfLink& byLink)
{
    const trace::Series& series = trace.series[s];
    const trace::EventColumns& e = series.events;
    std::vector<std::int32_t> open;
    std::int64_t covered = 0;
    nodes.reserve(nodes.size() + e.size());
    // Events are sorted by start, the longer one first when two start together. So a parent comes before its children.
    for (std::size_t i = 0; i < e.size(); ++i) {
        const auto nodeIndex = static_cast<std::int32_t>(nodes.size());
        OperatorNode node;
        node.time = {e.start[i], e.end(i)};
        node.ref = {s, static_cast<std::uint32_t>(i)};
        node.name = e.name[i];
        node.detail = trace::valueAt(e.detail, i);
        node.track = series.track;
        while (!open.empty() && nodes[at(open.back())].time.end <= node.time.start)
            open.pop_back();
        // Its self time stays with the operator at that depth.
        if (open.size() == kDeepest)
            continue;
        if (!open.empty()) {
            OperatorNode& parent = nodes[at(open.back())];
            node.parent = open.back();
            node.depth = static_cast<std::uint16_t>(parent.depth + 1);
            node.time.end = std::min(node.time.end, parent.time.end);
            parent.selfTime -= node.time.length();
        } else {
            covered += node.time.length();
        }
        node.selfTime = node.time.length(); // its children subtract their times
        node.last = nodeIndex;
        if (const std::uint32_t link = trace::valueAt(e.link, i))
            byLink.try_emplace(link, nodeIndex);
        nodes.push_back(node);
        open.push_back(nodeIndex);
    }
    return covered;
}

std::int32_t OperatorForest::operatorOf(const TraceIndex& index, const Work& work, const OperatorOfLink& byLink) const
{
    std::int32_t node = kNone;
    std::uint32_t link = work.link;
    std::int64_t caused = work.time.start;
    if (work.call != kNone) {
        const HostCall& call = index.calls[at(work.call)];
        node = innermost(call.track, call.time.start);
        caused = call.time.start;
        // Some recorders write the correlation into the field of the operator's id.
        if (call.link != 0 && call.link != call.correlation)
            link = call.link;
    }
    // The link is only the fallback: a recorder's link may name an operator that was over when the call was made.
    if (node == kNone && link != 0) {
        const auto found = byLink.find(link);
        if (found != byLink.end() && nodes[at(found->second)].time.start <= caused &&
            (work.call == kNone || nodes[at(found->second)].time.end >= caused))
            node = found->second;
    }
    return node;
}

void OperatorForest::attributeWork(const TraceIndex& index, const OperatorOfLink& byLink)
{
    m_ofWork.assign(index.work.size(), kNone);
    for (std::size_t w = 0; w < index.work.size(); ++w) {
        const std::int32_t node = operatorOf(index, index.work[w], byLink);
        m_ofWork[w] = node;
        if (node != kNone) {
            nodes[at(node)].ownDeviceTime += index.work[w].time.length();
            ++nodes[at(node)].ownWork;
        }
    }
}

void OperatorForest::sumUp()
{
    for (OperatorNode& node : nodes) {
        node.deviceTime = node.ownDeviceTime;
        node.work = node.ownWork;
    }
    // Children stand after their parents, so one pass from the back adds up whole trees.
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const OperatorNode& node = nodes[i];
        if (node.parent == kNone)
            continue;
        OperatorNode& parent = nodes[at(node.parent)];
        parent.deviceTime += node.deviceTime;
        parent.work += node.work;
        parent.last = std::max(parent.last, node.last);
    }
}

std::pair<std::int32_t, std::int32_t> OperatorForest::thread(trace::TrackId track) const
{
    const auto found = m_threads.find(track.value);
    return found == m_threads.end() ? std::pair<std::int32_t, std::int32_t>{0, 0} : found->second;
}

std::int32_t OperatorForest::innermost(trace::TrackId track, std::int64_t time) const
{
    const auto [first, end] = thread(track);
    const auto begin = nodes.begin();
    const auto after = std::partition_point(begin + first, begin + end,
                                            [time](const OperatorNode& n) { return n.time.start <= time; });
    if (after == begin + first)
        return kNone;
    // The operator that runs at `time` is the last one that began, or stands above it.
    auto node = static_cast<std::int32_t>(after - begin) - 1;
    while (node != kNone && nodes[at(node)].time.end <= time)
        node = nodes[at(node)].parent;
    return node;
}

namespace {

struct Branch
{
    OperatorSummary row;
    std::unordered_map<std::uint64_t, std::int32_t> children; ///< keyed by kind and name
};

void add(OperatorSummary& row, const OperatorNode& node, bool outermost)
{
    ++row.calls;
    row.selfTime += node.selfTime;
    row.ownDeviceTime += node.ownDeviceTime;
    if (outermost) {
        row.hostTime += node.time.length();
        row.deviceTime += node.deviceTime;
        row.work += node.work;
    }
}

bool heavier(const OperatorSummary& a, const OperatorSummary& b)
{
    if (a.deviceTime != b.deviceTime)
        return a.deviceTime > b.deviceTime;
    return a.hostTime != b.hostTime ? a.hostTime > b.hostTime : a.name < b.name;
}

void flatten(const std::vector<Branch>& branches, std::int32_t from, std::vector<OperatorSummary>& rows)
{
    std::vector<std::int32_t> children;
    for (const auto& [name, child] : branches[at(from)].children)
        children.push_back(child);
    std::sort(children.begin(), children.end(),
              [&](std::int32_t a, std::int32_t b) { return heavier(branches[at(a)].row, branches[at(b)].row); });
    for (const std::int32_t child : children) {
        rows.push_back(branches[at(child)].row);
        flatten(branches, child, rows);
    }
}

} // namespace

std::vector<OperatorSummary> summarizeTree(const TraceIndex& index, const OperatorForest& forest, TimeRange window)
{
    std::vector<Branch> branches(1);
    std::vector<std::int32_t> branchOf(forest.nodes.size(), 0);
    const auto childOf = [&branches](std::int32_t parent, trace::EventKind kind, std::uint32_t name, OpClass opClass) {
        const auto fresh = static_cast<std::int32_t>(branches.size());
        const std::uint64_t key = (static_cast<std::uint64_t>(kind) << 32) | name;
        const auto [found, isNew] = branches[at(parent)].children.try_emplace(key, fresh);
        const std::int32_t child = found->second;
        if (isNew) {
            Branch branch;
            branch.row.kind = kind;
            branch.row.name = name;
            branch.row.depth = parent == 0 ? 0 : branches[at(parent)].row.depth + 1;
            branch.row.opClass = opClass;
            branches.push_back(std::move(branch));
        }
        return child;
    };
    for (std::size_t i = 0; i < forest.nodes.size(); ++i) {
        const OperatorNode& node = forest.nodes[i];
        if (!window.contains(node.time.start))
            continue;
        const std::int32_t parent = node.parent == kNone ? 0 : branchOf[at(node.parent)];
        branchOf[i] = childOf(parent, trace::EventKind::operatorCall, node.name, index.operatorClass(node.name));
        add(branches[at(branchOf[i])].row, node, true);
    }
    for (std::size_t w = 0; w < index.work.size(); ++w) {
        const std::int32_t node = forest.ofWork(static_cast<std::int32_t>(w));
        if (node == kNone || branchOf[at(node)] == 0)
            continue;
        const Work& work = index.work[w];
        const OpClass opClass = work.isKernel()                         ? index.kernelClass(work.name)
                                : work.kind == trace::EventKind::memset ? OpClass::fill
                                                                        : OpClass::copy;
        OperatorSummary& row = branches[at(childOf(branchOf[at(node)], work.kind, work.name, opClass))].row;
        ++row.calls;
        ++row.work;
        row.deviceTime += work.time.length();
        row.ownDeviceTime += work.time.length();
    }
    std::vector<OperatorSummary> rows;
    flatten(branches, 0, rows);
    return rows;
}

std::vector<OperatorSummary> summarizeOperators(const TraceIndex& index, const OperatorForest& forest, TimeRange window)
{
    std::unordered_map<std::uint32_t, OperatorSummary> byName;
    for (const OperatorNode& node : forest.nodes) {
        if (!window.contains(node.time.start))
            continue;
        bool outermost = true;
        for (std::int32_t up = node.parent; up != kNone && outermost; up = forest.nodes[at(up)].parent)
            outermost = forest.nodes[at(up)].name != node.name;
        OperatorSummary& row = byName[node.name];
        row.name = node.name;
        row.opClass = index.operatorClass(node.name);
        add(row, node, outermost);
    }
    std::vector<OperatorSummary> rows;
    for (const auto& [name, row] : byName)
        rows.push_back(row);
    std::sort(rows.begin(), rows.end(), [](const OperatorSummary& a, const OperatorSummary& b) {
        if (a.ownDeviceTime != b.ownDeviceTime)
            return a.ownDeviceTime > b.ownDeviceTime;
        return a.selfTime != b.selfTime ? a.selfTime > b.selfTime : a.name < b.name;
    });
    return rows;
}

} // namespace apertune::analysis
