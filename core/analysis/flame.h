// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"
#include "core/analysis/work_class.h"

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

namespace apertune::analysis {

/// The quantity that the width of a box shows.
enum class FlameWeight : std::uint8_t {
    hostTime,   ///< time of operators and of the calls that they make
    deviceTime, ///< time of the kernels, copies and fills that they caused
};

/// All calls with one name below one path of callers.
struct FlameNode
{
    std::uint32_t name = 0; ///< StringId; 0 for the root
    trace::EventKind kind = trace::EventKind::other;
    WorkClass workClass = WorkClass::other;
    std::uint16_t depth = 0; ///< 0 for the root
    std::int32_t parent = kNone;
    std::int32_t end = 0; ///< one past the last node below it
    std::int64_t calls = 0;
    std::int64_t total = 0;   ///< ns within the window, including the nodes below
    std::int64_t self = 0;    ///< ns without the nodes below
    std::int64_t longest = 0; ///< longest call in ns
    EventRef longestEvent;
};

/// Operators by stack, merged over calls and threads (all ProfilerStep#N under the first one). Nodes are in depth-first
/// order, siblings widest first; nodes[0] is the root. The children of node i begin at i + 1, and each next one at the
/// `end` of the previous one.
struct FlameTree
{
    FlameWeight weight = FlameWeight::hostTime;
    std::vector<FlameNode> nodes;
    bool empty() const { return nodes.size() < 2; }
};

/// Builds the tree of everything that runs within `window`, cut to it. Linear except for sorting. A stopped call
/// returns no nodes.
/// - hostTime: calls of the runtime stand below the operator that made them.
/// - deviceTime: kernels stand below the operator that caused them, or below the root when it is unknown.
FlameTree flameTree(const TraceIndex& index, const OperatorForest& forest, TimeRange window, FlameWeight weight,
                    std::stop_token stop = {});

/// One box of the drawing.
struct FlameBox
{
    std::int32_t node = 0;
    int row = 0; ///< 0 is the row of the root
    int x = 0;
    int width = 0;
    /// Number of siblings that are too narrow to draw and share this box; `node` is the widest of them.
    int folded = 0;
};

/// Lays out an icicle of `width` pixels. `focus` fills the width and its callers stand above it. There is at most one
/// box per pixel and row, whatever the size of the tree. Pure.
/// REQUIRES: focus is a node.
std::vector<FlameBox> layOutFlame(const FlameTree& tree, std::int32_t focus, int width);

/// Returns the nodes from the outermost caller down to `node`, without the root.
std::vector<std::int32_t> flamePath(const FlameTree& tree, std::int32_t node);

} // namespace apertune::analysis
