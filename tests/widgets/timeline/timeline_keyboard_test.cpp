// SPDX-License-Identifier: GPL-3.0-or-later
// What hands on a keyboard and ears at a screen reader find in a timeline.
#include "core/trace/trace_builder.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "widgets/timeline/timeline_widget.h"
#include "widgets/trace_views/trace_labels.h"

#include <QAccessible>
#include <QTest>

#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::timeline {
namespace {

using trace_views::rowLabel;
using trace_views::timeWord;

struct Keyed
{
    explicit Keyed(trace::TracePtr trace = testing::makeLoopTrace())
    {
        widget.resize(1280, 640);
        widget.setTimeline(timeline::Timeline::build(std::move(trace)));
        widget.show();
        widget.activateWindow();
        widget.setFocus();
        QCoreApplication::processEvents();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&widget, key, modifiers); }
    std::size_t rowsInView() { return widget.drawingNow().rows.size(); }

    TimelineWidget widget;
};

/// A process that works, without any device.
trace::TracePtr oneOperator()
{
    trace::TraceBuilder builder;
    trace::Track track;
    track.type = trace::TrackType::hostThread;
    trace::Event event;
    event.duration = {1000};
    event.name = builder.intern("aten::add");
    builder.add(builder.track(track), trace::EventKind::operatorCall, event);
    return std::make_shared<const trace::Trace>(builder.finish());
}

} // namespace

TEST(TimelineKeyboard, AnEventIsReachedWithoutAPointerAndItsLaunchFromThere)
{
    Keyed keyed;
    keyed.press(Qt::Key_Period);
    ASSERT_TRUE(keyed.widget.chosen()) << "one in view";
    const timeline::EventRef first = *keyed.widget.chosen();
    EXPECT_TRUE(trace::isDeviceWork(keyed.widget.timeline()->rows()[first.row].kind)) << "of the topmost row";
    keyed.press(Qt::Key_Period);
    EXPECT_GT(keyed.widget.timeline()->rangeOf(*keyed.widget.chosen()).start,
              keyed.widget.timeline()->rangeOf(first).start);
    keyed.press(Qt::Key_Comma);
    EXPECT_EQ(*keyed.widget.chosen(), first);
    ASSERT_FALSE(keyed.widget.partners().empty());
    const timeline::EventRef launch = keyed.widget.partners().front();
    keyed.press(Qt::Key_L);
    EXPECT_EQ(*keyed.widget.chosen(), launch);
    keyed.press(Qt::Key_L);
    EXPECT_EQ(*keyed.widget.chosen(), first) << "and back";
}

TEST(TimelineKeyboard, IterationsAreSelectedOneByOneAndComeIntoView)
{
    Keyed keyed;
    const auto& all = keyed.widget.iterations();
    ASSERT_GT(all.size(), 4u);
    keyed.press(Qt::Key_I);
    EXPECT_EQ(keyed.widget.selection(), all[0].range);
    keyed.press(Qt::Key_I);
    EXPECT_EQ(keyed.widget.selection(), all[1].range);
    keyed.press(Qt::Key_I, Qt::ShiftModifier);
    EXPECT_EQ(keyed.widget.selection(), all[0].range);
    keyed.press(Qt::Key_I, Qt::ShiftModifier);
    EXPECT_EQ(keyed.widget.selection(), all[0].range) << "none before the first";
    keyed.press(Qt::Key_F);
    for (int i = 0; i < 3; ++i)
        keyed.press(Qt::Key_I);
    EXPECT_EQ(keyed.widget.selection(), all[3].range);
    EXPECT_LE(keyed.widget.window().begin, static_cast<double>(all[3].range.start));
    EXPECT_GE(keyed.widget.window().end, static_cast<double>(all[3].range.end));
}

TEST(TimelineKeyboard, GroupsFoldAndTracksBecomeThin)
{
    Keyed keyed;
    const std::size_t rows = keyed.rowsInView();
    const auto ofTheFirstGroup = [&] {
        const auto& shown = keyed.widget.drawingNow().rows;
        return std::count_if(shown.begin(), shown.end(), [&](const timeline::RowBox& box) {
            return keyed.widget.timeline()->rows()[box.row].group == 0;
        });
    };
    EXPECT_GT(ofTheFirstGroup(), 0);
    keyed.press(Qt::Key_G);
    EXPECT_EQ(ofTheFirstGroup(), 0);
    keyed.press(Qt::Key_G);
    EXPECT_EQ(keyed.rowsInView(), rows);
    keyed.press(Qt::Key_G, Qt::ShiftModifier);
    EXPECT_EQ(keyed.rowsInView(), 0u);
    keyed.press(Qt::Key_G, Qt::ShiftModifier);
    EXPECT_EQ(keyed.rowsInView(), rows);

    keyed.press(Qt::Key_Period);
    const std::uint32_t row = keyed.widget.chosen()->row;
    const auto laneHeight = [&] {
        for (const timeline::RowBox& box : keyed.widget.drawingNow().rows)
            if (box.row == row)
                return box.laneHeight;
        return 0;
    };
    const int full = laneHeight();
    keyed.press(Qt::Key_C);
    EXPECT_LT(laneHeight(), full);
    keyed.press(Qt::Key_C);
    EXPECT_EQ(laneHeight(), full);
}

TEST(TimelineKeyboard, NoKeyNeedsMoreThanOneEvent)
{
    Keyed keyed(oneOperator());
    for (const controls::KeyBinding& binding : timelineKeys())
        for (const QKeyCombination keys : binding.keys)
            keyed.press(keys.key(), keys.keyboardModifiers());
    keyed.press(Qt::Key_Period);
    EXPECT_TRUE(keyed.widget.chosen());
}

TEST(TimelineAccessible, ItsChildrenAreRowsAndEventsInView)
{
    Keyed keyed;
    keyed.press(Qt::Key_Period);
    QAccessibleInterface* whole = QAccessible::queryAccessibleInterface(&keyed.widget);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->text(QAccessible::Name), QStringLiteral("Timeline"));
    const int parts = keyed.widget.partCount();
    ASSERT_GT(parts, static_cast<int>(keyed.rowsInView()));
    const int first = whole->childCount() - parts; // before them: the scroll bar
    const QString row = whole->child(first)->text(QAccessible::Name);
    EXPECT_TRUE(row.contains(QStringLiteral("GPU 0"))) << row.toStdString();
    EXPECT_TRUE(row.contains(QLatin1Char('%'))) << row.toStdString();
    for (int i = 0; i < parts; ++i)
        EXPECT_FALSE(whole->child(first + i)->text(QAccessible::Name).isEmpty()) << i;
    QAccessibleInterface* focused = whole->focusChild();
    ASSERT_TRUE(focused) << "the chosen event";
    const timeline::EventRef chosen = *keyed.widget.chosen();
    const QString name = focused->text(QAccessible::Name);
    EXPECT_TRUE(name.contains(timeWord(keyed.widget.timeline()->rangeOf(chosen).length()))) << name.toStdString();
    EXPECT_TRUE(name.contains(rowLabel(*keyed.widget.timeline(), chosen.row))) << name.toStdString();
    const QPoint middle = focused->rect().center();
    EXPECT_EQ(whole->childAt(middle.x(), middle.y())->text(QAccessible::Name), name);
}

} // namespace apertune::timeline
