// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/trace_index.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace apertune::analysis {

/// One call of an operator, with its place among the others of its thread.
struct OperatorNode
{
    TimeRange time; ///< cut to its parent's time, beyond which rounding of the clock may move it
    EventRef ref;
    std::uint32_t name = 0; ///< StringId
    std::uint32_t detail = 0;
    trace::TrackId track;
    std::int32_t parent = kNone;
    std::int32_t last = kNone;      ///< the last node below it; itself when it has none
    std::int64_t selfTime = 0;      ///< ns without the operators below it
    std::int64_t ownDeviceTime = 0; ///< Σ durations of the device work of its own calls
    std::int64_t deviceTime = 0;    ///< Σ durations including everything below it
    std::int32_t ownWork = 0;       ///< pieces of device work of its own calls
    std::int32_t work = 0;          ///< pieces of work including everything below it
    std::uint16_t depth = 0;
};

/// The operators of every thread as trees: an operator contains the operators that start within it on its thread.
/// Ranges are not nodes.
/// - Device work belongs to the innermost operator around the call that caused it. Without one, it belongs to the
///   operator with the same `link`, if that had begun by then.
/// - Operators that nest deeper than 1000 count in the operator at that depth.
///
/// REQUIRES: the index outlives the forest.
class OperatorForest
{
public:
    explicit OperatorForest(const TraceIndex& index);

    std::vector<OperatorNode> nodes; ///< thread after thread; parents before children, sorted by start

    /// Returns the innermost operator of a thread that runs at `time`, or kNone. The cost is logarithmic plus its
    /// depth.
    std::int32_t innermost(trace::TrackId track, std::int64_t time) const;
    /// Returns the operator that a piece of device work belongs to, or kNone.
    std::int32_t ofWork(std::int32_t work) const { return m_ofWork[static_cast<std::size_t>(work)]; }
    /// Returns the nodes [first, second) of the thread whose outermost operators take longest; an empty range without
    /// operators.
    std::pair<std::int32_t, std::int32_t> busiestThread() const { return m_busiest; }
    /// Returns the nodes [first, second) of a thread.
    std::pair<std::int32_t, std::int32_t> thread(trace::TrackId track) const;

private:
    using OperatorOfLink = std::unordered_map<std::uint32_t, std::int32_t>; ///< node by EventColumns::link

    /// Adds the operators of all threads to `nodes`, with everything but their device work.
    OperatorOfLink nestOperators(const trace::Trace& trace);
    /// Adds those of series `s`. Returns the time of the outermost ones, in ns.
    std::int64_t nestThread(const trace::Trace& trace, std::uint32_t s, OperatorOfLink& byLink);
    std::int32_t operatorOf(const TraceIndex& index, const Work& work, const OperatorOfLink& byLink) const;
    void attributeWork(const TraceIndex& index, const OperatorOfLink& byLink);
    /// Adds the sums of children to their parents.
    void sumUp();

    std::vector<std::int32_t> m_ofWork;
    std::unordered_map<std::uint32_t, std::pair<std::int32_t, std::int32_t>> m_threads;
    std::pair<std::int32_t, std::int32_t> m_busiest{0, 0};
};

/// All calls of one operator below one path of callers, merged. A leaf stands for all device work of one name that the
/// calls of its parent caused.
struct OperatorSummary
{
    trace::EventKind kind =
        trace::EventKind::operatorCall; ///< kernel, copy, fill or graphLaunch in a leaf, which has no host time
    std::uint32_t name = 0;             ///< StringId
    int depth = 0;
    std::int64_t calls = 0;
    std::int64_t hostTime = 0; ///< ns including the nodes below
    std::int64_t selfTime = 0; ///< ns without the nodes below
    std::int64_t deviceTime = 0;
    std::int64_t ownDeviceTime = 0;
    std::int64_t work = 0; ///< kernels, copies and fills, including the nodes below
    OpClass opClass = OpClass::other;
};

/// Returns the trees of all threads merged by path, restricted to operators that start in `window`. The order is depth
/// first, siblings sorted by device time (host time without a device). Kernels, copies and fills are leaves.
std::vector<OperatorSummary> summarizeTree(const TraceIndex& index, const OperatorForest& forest, TimeRange window);
/// Returns the same merged by name alone. depth is 0, and hostTime only counts the outermost of nested calls of one
/// name.
std::vector<OperatorSummary> summarizeOperators(const TraceIndex& index, const OperatorForest& forest,
                                                TimeRange window);

} // namespace apertune::analysis
