// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/operator_forest.h"
#include "core/analysis/work_class.h"

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

namespace apertune::analysis {

/// What the width of a box stands for.
enum class FlameWeight : std::uint8_t {
    hostTime,   ///< of operators and of the calls that they make
    deviceTime, ///< of the kernels, copies and fills that they caused
};

/// All calls of one name below one path of callers.
struct FlameNode
{
    std::uint32_t name = 0; ///< StringId; 0 for the root
    trace::EventKind kind = trace::EventKind::other;
    WorkClass workClass = WorkClass::other;
    std::uint16_t depth = 0; ///< the root's is 0
    std::int32_t parent = kNone;
    std::int32_t end = 0; ///< one past the last node below it
    std::int64_t calls = 0;
    std::int64_t total = 0;   ///< ns within the window, with what is below
    std::int64_t self = 0;    ///< without
    std::int64_t longest = 0; ///< of one call, ns
    EventRef longestEvent;
};

/// Operators by stack, merged over calls and threads (ProfilerStep#1, #2 … under the first of them). Depth first,
/// siblings widest first; nodes[0] is everything. The children of i begin at i + 1, each next one at the `end` of its
/// forerunner.
struct FlameTree
{
    FlameWeight weight = FlameWeight::hostTime;
    std::vector<FlameNode> nodes;
    bool empty() const { return nodes.size() < 2; }
};

/// Of what runs within `window`, cut to it. By host time calls of the runtime stand below the operator that made them;
/// by device time kernels stand below the operator that caused them, and on top where that is not known. Linear, but
/// for sorting; without nodes when stopped.
FlameTree flameTree(const TraceIndex& index, const OperatorForest& forest, Interval window, FlameWeight weight,
                    std::stop_token stop = {});

/// One box of the picture.
struct FlameBox
{
    std::int32_t node = 0;
    int row = 0; ///< 0 is the root's
    int x = 0;
    int width = 0;
    int folded = 0; ///< so many siblings too narrow to be drawn share this box; `node` is the widest of them
};

/// An icicle `width` pixels wide in which `focus` fills the width and its callers stand above it. Pure; at most one box
/// a pixel and row, whatever the size of the tree. REQUIRES: focus is a node
std::vector<FlameBox> layOutFlame(const FlameTree& tree, std::int32_t focus, int width);

/// The path of names from the outermost caller to a node, the root left out.
std::vector<std::int32_t> flamePath(const FlameTree& tree, std::int32_t node);

} // namespace apertune::analysis
