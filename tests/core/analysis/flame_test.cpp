// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/flame.h"
#include "small_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace apertune::analysis {
namespace {

using testing::SmallTrace;

/// "name calls total self", indented by depth, times in µs.
std::string text(const FlameTree& tree, const trace::Trace& trace)
{
    std::ostringstream out;
    for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
        const FlameNode& node = tree.nodes[i];
        out << std::string(2 * (node.depth - 1u), ' ') << trace.strings[node.name] << ' ' << node.calls << ' '
            << node.total / 1000 << ' ' << node.self / 1000 << '\n';
    }
    return out.str();
}

trace::Trace twoPasses()
{
    SmallTrace t;
    for (const std::int64_t at : {0, 100}) {
        const auto c = static_cast<std::uint32_t>(at);
        t.op("forward", at, at + 90);
        t.op("aten::conv2d", at + 10, at + 60);
        t.call("cudaLaunchKernel", at + 20, at + 25, c + 1);
        t.kernel("sgemm", at + 30, at + 70, c + 1);
        t.op("aten::relu", at + 65, at + 75);
        t.call("cudaLaunchKernel", at + 66, at + 70, c + 2);
        t.kernel("relu_kernel", at + 72, at + 80, c + 2);
    }
    t.kernel("stray", 195, 200);
    return t.finish();
}

TEST(Flame, HostTimeMergesCallsByTheirPathOfCallers)
{
    const trace::Trace trace = twoPasses();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const FlameTree tree = flameTree(index, forest, {0, 200'000}, FlameWeight::hostTime);
    EXPECT_EQ(text(tree, trace), "forward 2 180 60\n"
                                 "  aten::conv2d 2 100 90\n"
                                 "    cudaLaunchKernel 2 10 10\n"
                                 "  aten::relu 2 20 12\n"
                                 "    cudaLaunchKernel 2 8 8\n");
    EXPECT_EQ(tree.nodes[0].total, 180'000);
    EXPECT_EQ(tree.nodes[1].end, 6);
}

TEST(Flame, DeviceTimeStandsBelowTheOperatorThatCausedIt)
{
    const trace::Trace trace = twoPasses();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const FlameTree tree = flameTree(index, forest, {0, 200'000}, FlameWeight::deviceTime);
    EXPECT_EQ(text(tree, trace), "forward 2 96 0\n"
                                 "  aten::conv2d 2 80 0\n"
                                 "    sgemm 2 80 80\n"
                                 "  aten::relu 2 16 0\n"
                                 "    relu_kernel 2 16 16\n"
                                 "stray 1 5 5\n");
}

TEST(Flame, ARangeCutsWhatReachesOverItsEnds)
{
    const trace::Trace trace = twoPasses();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    EXPECT_EQ(text(flameTree(index, forest, {50'000, 110'000}, FlameWeight::hostTime), trace),
              "forward 2 50 30\n"
              "  aten::conv2d 1 10 10\n"
              "  aten::relu 1 10 6\n"
              "    cudaLaunchKernel 1 4 4\n");
    EXPECT_TRUE(flameTree(index, forest, {300'000, 400'000}, FlameWeight::hostTime).empty());
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(flameTree(index, forest, {0, 200'000}, FlameWeight::hostTime, stop.get_token()).empty());
}

TEST(Flame, TheLayoutFillsTheWidthWithWhatIsLookedAt)
{
    const trace::Trace trace = twoPasses();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const FlameTree tree = flameTree(index, forest, {0, 200'000}, FlameWeight::hostTime);
    const auto all = layOutFlame(tree, 0, 180);
    ASSERT_EQ(all.size(), tree.nodes.size());
    for (const FlameBox& box : all) {
        const FlameNode& node = tree.nodes[static_cast<std::size_t>(box.node)];
        EXPECT_EQ(box.row, node.depth);
        EXPECT_EQ(box.width, node.total / 1000) << box.node;
        if (node.parent > 0) {
            const auto above =
                std::find_if(all.begin(), all.end(), [&](const FlameBox& b) { return b.node == node.parent; });
            EXPECT_GE(box.x, above->x);
            EXPECT_LE(box.x + box.width, above->x + above->width);
        }
    }
    const auto zoomed = layOutFlame(tree, 2, 200); // aten::conv2d
    EXPECT_EQ(std::count_if(zoomed.begin(), zoomed.end(), [](const FlameBox& b) { return b.width == 200; }), 3)
        << "itself and its two callers";
    EXPECT_EQ(zoomed.size(), 4u);
    EXPECT_EQ(flamePath(tree, 3), (std::vector<std::int32_t>{1, 2, 3}));
}

TEST(Flame, NumberedStepsOfARecorderAreOne)
{
    SmallTrace t;
    for (const std::int64_t step : {0, 1, 2}) {
        t.op("ProfilerStep#" + std::to_string(step + 7), 100 * step, 100 * step + 90);
        t.op("aten::relu", 100 * step + 10, 100 * step + 20);
    }
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    EXPECT_EQ(text(flameTree(index, forest, {0, 300'000}, FlameWeight::hostTime), trace), "ProfilerStep#7 3 270 240\n"
                                                                                          "  aten::relu 3 30 30\n");
}

TEST(Flame, ThousandsOfNarrowSiblingsShareABox)
{
    SmallTrace t;
    t.op("forward", 0, 100'000);
    t.op("large", 0, 50'000);
    for (int i = 0; i < 5000; ++i)
        t.op("op" + std::to_string(i), 50'000 + 10 * i, 50'000 + 10 * i + 10);
    const trace::Trace trace = t.finish();
    const TraceIndex index(trace);
    const OperatorForest forest(index);
    const FlameTree tree = flameTree(index, forest, {0, 100'000'000}, FlameWeight::hostTime);
    EXPECT_EQ(tree.nodes.size(), 5003u);
    const auto boxes = layOutFlame(tree, 0, 1000);
    ASSERT_EQ(boxes.size(), 4u);
    EXPECT_EQ(boxes[3].folded, 5000);
    EXPECT_EQ(boxes[3].x, 500);
    EXPECT_EQ(boxes[3].width, 500);
}

} // namespace
} // namespace apertune::analysis
