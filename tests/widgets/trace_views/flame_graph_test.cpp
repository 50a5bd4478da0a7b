// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/trace/support/synthetic_trace.h"
#include "widgets/trace_views/flame_graph.h"
#include "widgets/trace_views/trace_colors.h"

#include <QCoreApplication>
#include <QImage>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace apertune::trace_views {
namespace {

/// A flame graph of the loop by host time.
struct Flame
{
    Flame()
        : trace(testing::makeLoopTrace()), index(*trace), forest(index),
          tree(std::make_shared<const analysis::FlameTree>(analysis::flameTree(
              index, forest, {trace->begin().count, trace->end().count}, analysis::FlameWeight::hostTime)))
    {
        graph.resize(900, 400);
        graph.setTree(tree, trace);
        graph.show();
        QCoreApplication::processEvents();
    }
    const analysis::FlameBox& boxOf(std::int32_t node)
    {
        for (const auto& box : graph.boxes())
            if (box.node == node)
                return box;
        return graph.boxes().front();
    }
    trace::TracePtr trace;
    analysis::TraceIndex index;
    analysis::OperatorForest forest;
    FlamePtr tree;
    FlameGraph graph;
};

} // namespace

TEST(FlameGraph, ADifferenceTellsBothTimesAndColoursTheChange)
{
    auto difference = std::make_shared<analysis::FlameDifference>();
    difference->strings = {"", "aten::conv2d", "aten::add"};
    const auto add = [&](std::uint32_t name, std::int32_t parent, std::int32_t end, double a, double b) {
        analysis::FlameNode node;
        node.name = name;
        node.depth = name == 0 ? 0 : 1;
        node.parent = parent;
        node.end = end;
        node.total = static_cast<std::int64_t>((a + b) / 2);
        difference->tree.nodes.push_back(node);
        difference->timeA.push_back(a);
        difference->timeB.push_back(b);
    };
    add(0, analysis::kNone, 3, 10e6, 9e6);
    add(1, 0, 2, 8e6, 4e6);
    add(2, 0, 3, 2e6, 5e6);
    FlameGraph graph;
    graph.resize(400, 200);
    graph.setDifference(difference);
    graph.show();
    QCoreApplication::processEvents();
    EXPECT_TRUE(graph.factsOf(1).contains(QStringLiteral("A 8 ms, B 4 ms: −4 ms")) ||
                graph.factsOf(1).contains(QStringLiteral("A 8.000 ms, B 4.000 ms: −4.000 ms")))
        << graph.factsOf(1).toStdString();
    EXPECT_TRUE(graph.factsOf(2).contains(QLatin1Char('+'))) << graph.factsOf(2).toStdString();
    const QImage picture = graph.grab().toImage();
    const auto colorOf = [&](std::int32_t node) {
        for (const auto& box : graph.boxes())
            if (box.node == node)
                return picture.pixelColor(graph.rectOf(box).bottomRight() - QPoint(6, 3));
        return QColor();
    };
    EXPECT_GT(colorOf(1).green(), colorOf(1).red()) << "B saves time here";
    EXPECT_GT(colorOf(2).red(), colorOf(2).green());
    const Flame plain; // another tree ends the difference
    graph.setTree(plain.tree, plain.trace);
    EXPECT_FALSE(graph.factsOf(1).contains(QStringLiteral("A "))) << graph.factsOf(1).toStdString();
}

TEST(FlameGraph, AClickZoomsAndKeysWalkZoomAndGoBack)
{
    // all > forward > (conv2d, relu), all > loader
    auto made = std::make_shared<trace::Trace>();
    made->strings = {"", "forward", "aten::conv2d", "aten::relu", "loader"};
    auto tree = std::make_shared<analysis::FlameTree>();
    const auto add = [&](std::uint32_t name, int depth, std::int32_t parent, std::int32_t end, std::int64_t total) {
        analysis::FlameNode node;
        node.name = name;
        node.depth = static_cast<std::uint16_t>(depth);
        node.parent = parent;
        node.end = end;
        node.total = total;
        node.calls = 1;
        tree->nodes.push_back(node);
    };
    add(0, 0, -1, 5, 1000);
    add(1, 1, 0, 4, 800);
    add(2, 2, 1, 3, 500);
    add(3, 2, 1, 4, 200);
    add(4, 1, 0, 5, 100);
    FlameGraph graph;
    graph.resize(900, 400);
    graph.setTree(tree, made);
    graph.show();
    QCoreApplication::processEvents();
    const auto boxOf = [&](std::int32_t node) {
        for (const auto& box : graph.boxes())
            if (box.node == node)
                return box;
        return graph.boxes().front();
    };
    QSignalSpy zoomed(&graph, &FlameGraph::zoomed);
    QTest::mouseClick(&graph, Qt::LeftButton, {}, graph.rectOf(boxOf(1)).center());
    EXPECT_EQ(graph.focusNode(), 1);
    EXPECT_EQ(boxOf(1).width, 900) << "it fills the width";
    EXPECT_EQ(zoomed.count(), 1);
    QTest::keyClick(&graph, Qt::Key_Down);
    EXPECT_EQ(graph.currentNode(), 2) << "the widest below";
    QTest::keyClick(&graph, Qt::Key_Right);
    EXPECT_EQ(graph.currentNode(), 3);
    QTest::keyClick(&graph, Qt::Key_Left);
    EXPECT_EQ(graph.currentNode(), 2);
    QTest::keyClick(&graph, Qt::Key_Return);
    EXPECT_EQ(graph.focusNode(), 2);
    EXPECT_TRUE(graph.accessibleDescription().contains(QStringLiteral("conv2d")));
    QTest::keyClick(&graph, Qt::Key_Up);
    EXPECT_EQ(graph.currentNode(), 1);
    QTest::keyClick(&graph, Qt::Key_Backspace);
    EXPECT_EQ(graph.focusNode(), 1);
    QTest::keyClick(&graph, Qt::Key_Home);
    EXPECT_EQ(graph.focusNode(), 0);
}

TEST(FlameGraph, ASearchGreysTheRestAndCountsTimeOnce)
{
    Flame flame;
    const QColor before =
        flame.graph.grab().toImage().pixelColor(flame.graph.rectOf(flame.boxOf(1)).topLeft() + QPoint(2, 2));
    flame.graph.setSearch(QStringLiteral("no such name"));
    EXPECT_EQ(flame.graph.matches(), 0);
    const QColor after =
        flame.graph.grab().toImage().pixelColor(flame.graph.rectOf(flame.boxOf(1)).topLeft() + QPoint(2, 2));
    EXPECT_EQ(after, greyedColor());
    EXPECT_NE(before, after);
    flame.graph.setSearch(QString::fromStdString(flame.trace->strings[flame.tree->nodes[1].name]));
    EXPECT_GE(flame.graph.matches(), 1);
    EXPECT_GT(flame.graph.matchedShare(), 0);
    EXPECT_LE(flame.graph.matchedShare(), 1);
    flame.graph.setSearch(QString());
    EXPECT_EQ(flame.graph.matches(), 0);
    EXPECT_EQ(flame.graph.toCsv().count(QLatin1Char('\n')), static_cast<qsizetype>(flame.tree->nodes.size()));
}

} // namespace apertune::trace_views
