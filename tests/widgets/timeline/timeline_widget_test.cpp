// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline_matches.h"
#include "core/trace/trace_builder.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_text.h"
#include "widgets/timeline/timeline_widget.h"
#include "widgets/trace_views/trace_colors.h"

#include <QContextMenuEvent>
#include <QDir>
#include <QImage>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace apertune::timeline {
namespace {

using trace::EventKind;

struct Shown
{
    explicit Shown(trace::TracePtr trace = testing::makeLoopTrace(), QSize size = {1280, 640})
    {
        widget.resize(size);
        widget.setTimeline(timeline::Timeline::build(std::move(trace)));
        widget.show();
        QCoreApplication::processEvents();
    }

    /// The widest box of a kind in view.
    timeline::EventBox boxOf(EventKind kind)
    {
        timeline::EventBox best;
        for (const timeline::EventBox& box : widget.drawingNow().boxes)
            if (widget.timeline()->rows()[box.event.row].kind == kind && box.width > best.width)
                best = box;
        return best;
    }

    QPoint middleOf(const timeline::EventBox& box) const { return {box.x + box.width / 2, box.y + box.height / 2}; }

    void wheel(QPoint at, int steps, Qt::KeyboardModifiers modifiers = {})
    {
        QWheelEvent event(at, widget.mapToGlobal(at), QPoint(), QPoint(0, steps * 120), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&widget, &event);
    }

    TimelineWidget widget;
};

void keep(const QImage& image, const QString& name)
{
    const QString folder = qEnvironmentVariable("APERTUNE_GRABS");
    if (!folder.isEmpty()) {
        QDir().mkpath(folder);
        image.save(QStringLiteral("%1/%2.png").arg(folder, name));
    }
}

} // namespace

TEST(TimelineWidget, TheWheelZoomsAtThePointer)
{
    Shown shown;
    const QPoint at(800, 300);
    const double before = shown.widget.viewNow().timeAt(at.x());
    const double length = shown.widget.window().length();
    shown.wheel(at, 3);
    EXPECT_NEAR(shown.widget.window().length(), length * std::pow(0.8, 3), length * 1e-6);
    EXPECT_NEAR(shown.widget.viewNow().timeAt(at.x()), before, shown.widget.viewNow().nsPerPx * 2);
    shown.wheel(at, 2, Qt::ShiftModifier);
    EXPECT_LT(shown.widget.viewNow().timeAt(at.x()), before);
}

TEST(TimelineWidget, AKeyZoomsAtThePlaceOfAPressInTheOverview)
{
    Shown shown;
    const timeline::TimelineView view = shown.widget.viewNow();
    const int x = view.metrics.labelWidth + view.plotWidth() / 4;
    QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, QPoint(x, 10));
    const double time = shown.widget.viewNow().timeAt(x);
    QTest::keyClick(&shown.widget, Qt::Key_W);
    EXPECT_NEAR(shown.widget.viewNow().timeAt(x), time, shown.widget.viewNow().nsPerPx * 2);
}

TEST(TimelineWidget, KeysZoomMoveFitAndGoBack)
{
    Shown shown;
    const timeline::TimeWindow all = shown.widget.window();
    QTest::keyClick(&shown.widget, Qt::Key_W);
    EXPECT_LT(shown.widget.window().length(), all.length());
    const timeline::TimeWindow zoomed = shown.widget.window();
    QTest::keyClick(&shown.widget, Qt::Key_D);
    EXPECT_GT(shown.widget.window().begin, zoomed.begin);
    QTest::keyClick(&shown.widget, Qt::Key_Home);
    EXPECT_NEAR(shown.widget.window().length(), all.length(), 1);
    EXPECT_TRUE(shown.widget.canGoBack());
    QTest::keyClick(&shown.widget, Qt::Key_Left, Qt::AltModifier);
    EXPECT_TRUE(shown.widget.canGoForward());
}

TEST(TimelineWidget, AClickChoosesAnEventAndItsLaunchAndEscLetsGo)
{
    Shown shown;
    shown.widget.showWindow({1'200'000, 1'700'000});
    const timeline::EventBox kernel = shown.boxOf(EventKind::kernel);
    ASSERT_GT(kernel.width, 4);
    QSignalSpy chosen(&shown.widget, &TimelineWidget::eventChosen);
    QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, shown.middleOf(kernel));
    EXPECT_EQ(shown.widget.chosen(), kernel.event);
    EXPECT_EQ(chosen.count(), 1);
    ASSERT_EQ(shown.widget.partners().size(), 1u);
    EXPECT_EQ(shown.widget.timeline()->nameOf(shown.widget.partners()[0]), "cudaLaunchKernel");
    EXPECT_TRUE(shown.widget.accessibleDescription().contains(QStringLiteral("Chosen")));
    QTest::keyClick(&shown.widget, Qt::Key_Right);
    EXPECT_NE(shown.widget.chosen(), kernel.event);
    EXPECT_EQ(shown.widget.chosen()->row, kernel.event.row);
    QTest::keyClick(&shown.widget, Qt::Key_Escape);
    EXPECT_FALSE(shown.widget.chosen());
}

/// A trace of threads with long names, of which only the end differs.
trace::TracePtr traceOfLongNames()
{
    trace::TraceBuilder builder;
    for (int thread = 0; thread < 3; ++thread) {
        trace::Track track;
        track.type = trace::TrackType::hostThread;
        track.process = 1;
        track.thread = thread + 1;
        track.label = "dataloader worker of the pipeline " + std::to_string(thread);
        trace::Event event;
        event.duration = {1000};
        event.name = builder.intern("work");
        builder.add(builder.track(track), trace::EventKind::operatorCall, event);
    }
    return std::make_shared<const trace::Trace>(builder.finish());
}

TEST(TimelineWidget, TheNamesAreAsWideAsTheyNeedAndCanBeDraggedWider)
{
    Shown shown(traceOfLongNames());
    const auto width = [&shown] { return shown.widget.viewNow().metrics.labelWidth; };
    const int automatic = width();
    EXPECT_GE(automatic, std::min(320.0, widthOfNames(*shown.widget.timeline()))) << "a quarter of 1280 at most";
    const int y = shown.widget.height() - 40;
    QTest::mouseMove(&shown.widget, QPoint(automatic, y));
    EXPECT_EQ(shown.widget.cursor().shape(), Qt::SizeHorCursor);
    QTest::mousePress(&shown.widget, Qt::LeftButton, {}, QPoint(automatic, y));
    QTest::mouseMove(&shown.widget, QPoint(automatic + 30, y));
    QTest::mouseMove(&shown.widget, QPoint(automatic + 90, y));
    QTest::mouseRelease(&shown.widget, Qt::LeftButton, {}, QPoint(automatic + 90, y));
    EXPECT_EQ(width(), automatic + 90);
    shown.widget.setTimeline(timeline::Timeline::build(testing::makeLoopTrace()));
    EXPECT_EQ(width(), automatic + 90) << "the user's choice outlives the trace";
    QTest::mouseDClick(&shown.widget, Qt::LeftButton, {}, QPoint(automatic + 90, y));
    EXPECT_LT(width(), automatic + 90) << "as wide as the names need again";
}

TEST(TimelineWidget, TheRightButtonAndTheMenuKeyAskForTheMenuOfAnEvent)
{
    Shown shown;
    shown.widget.showWindow({1'200'000, 1'700'000});
    const timeline::EventBox kernel = shown.boxOf(EventKind::kernel);
    QSignalSpy wanted(&shown.widget, &TimelineWidget::menuRequested);
    QContextMenuEvent key(QContextMenuEvent::Keyboard, QPoint(), QPoint());
    QCoreApplication::sendEvent(&shown.widget, &key);
    EXPECT_EQ(wanted.count(), 0) << "no event is chosen";
    QContextMenuEvent press(QContextMenuEvent::Mouse, shown.middleOf(kernel), shown.middleOf(kernel));
    QCoreApplication::sendEvent(&shown.widget, &press);
    EXPECT_EQ(wanted.count(), 0) << "the press may begin a drag";
    QTest::mouseClick(&shown.widget, Qt::RightButton, {}, shown.middleOf(kernel));
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_EQ(shown.widget.chosen(), kernel.event);
    QCoreApplication::sendEvent(&shown.widget, &key);
    ASSERT_EQ(wanted.count(), 2);
    const QPoint at = shown.widget.mapFromGlobal(wanted.back().front().toPoint());
    EXPECT_TRUE(QRect(kernel.x, kernel.y, kernel.width, kernel.height).contains(at));
    shown.widget.fitEvent();
    EXPECT_LT(shown.widget.window().length(), 500'000);
}

TEST(TimelineWidget, DraggingSelectsARangeAndFFitsIt)
{
    Shown shown;
    const timeline::TimelineView view = shown.widget.viewNow();
    QTest::mousePress(&shown.widget, Qt::LeftButton, {}, QPoint(500, 400));
    QTest::mouseMove(&shown.widget, QPoint(520, 400));
    QTest::mouseMove(&shown.widget, QPoint(700, 410));
    QTest::mouseRelease(&shown.widget, Qt::LeftButton, {}, QPoint(700, 410));
    ASSERT_TRUE(shown.widget.selection());
    EXPECT_NEAR(static_cast<double>(shown.widget.selection()->start), view.timeAt(500), view.nsPerPx * 2);
    EXPECT_NEAR(static_cast<double>(shown.widget.selection()->end), view.timeAt(700), view.nsPerPx * 2);
    QTest::keyClick(&shown.widget, Qt::Key_F);
    EXPECT_NEAR(shown.widget.window().length(), static_cast<double>(shown.widget.selection()->length()) * 1.1, 2);
}

TEST(TimelineWidget, AnAreaIsTheTracksThatTheDragPasses)
{
    Shown shown;
    shown.widget.drawingNow();
    std::vector<timeline::RowBox> rows;
    for (const timeline::RowBox& box : shown.widget.drawingNow().rows)
        if (box.y > shown.widget.drawingNow().scrollTop)
            rows.push_back(box);
    ASSERT_GE(rows.size(), 3u);
    const auto drag = [&](int from, int to) {
        QTest::mousePress(&shown.widget, Qt::LeftButton, {}, QPoint(500, from));
        QTest::mouseMove(&shown.widget, QPoint(520, from));
        QTest::mouseMove(&shown.widget, QPoint(700, to));
        QTest::mouseRelease(&shown.widget, Qt::LeftButton, {}, QPoint(700, to));
    };
    QSignalSpy changed(&shown.widget, &TimelineWidget::areaChanged);
    drag(rows[2].y + 2, rows[1].y + 2); // a drag upwards counts as well
    std::vector<std::uint32_t> wanted{rows[1].row, rows[2].row};
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(shown.widget.area(), wanted);
    EXPECT_GT(changed.count(), 0);
    EXPECT_TRUE(shown.widget.accessibleDescription().contains(QStringLiteral("is on 2 of the rows")));
    const trace::TimeRange range = *shown.widget.selection();
    shown.widget.setSelection(range); // the filter echoes the selection
    EXPECT_EQ(shown.widget.area(), wanted);
    drag(60, 60); // this drag is on the ruler
    EXPECT_TRUE(shown.widget.selection());
    EXPECT_TRUE(shown.widget.area().empty()) << "all tracks";
    shown.widget.setSelection(std::nullopt);
    EXPECT_TRUE(shown.widget.area().empty());
}

TEST(TimelineWidget, TheEdgesOfARangeCanBeDragged)
{
    Shown shown;
    const timeline::TimelineView view = shown.widget.viewNow();
    const auto time = [&view](int x) { return static_cast<std::int64_t>(view.timeAt(x)); };
    const auto drag = [&](int from, int to) {
        QTest::mousePress(&shown.widget, Qt::LeftButton, {}, QPoint(from, 400));
        QTest::mouseMove(&shown.widget, QPoint(to, 410));
        QTest::mouseRelease(&shown.widget, Qt::LeftButton, {}, QPoint(to, 410));
    };
    shown.widget.selectTracks({});
    shown.widget.setSelection(trace::TimeRange{time(500), time(700)});
    drag(702, 800);
    EXPECT_EQ(shown.widget.selection()->start, time(500)) << "the other one stays";
    EXPECT_EQ(shown.widget.selection()->end, time(800));
    drag(498, 900); // the edge is dragged beyond the other one
    EXPECT_EQ(*shown.widget.selection(), (trace::TimeRange{time(800), time(900)}));
    shown.widget.selectTracks({0});
    drag(900, 850);
    EXPECT_EQ(shown.widget.area(), std::vector<std::uint32_t>{0}) << "on the same tracks";
    QTest::mouseMove(&shown.widget, QPoint(850, 400));
    EXPECT_EQ(shown.widget.cursor().shape(), Qt::SizeHorCursor);
    QTest::mouseMove(&shown.widget, QPoint(830, 400));
    EXPECT_EQ(shown.widget.cursor().shape(), Qt::ArrowCursor);
}

TEST(TimelineWidget, TheKeyboardSelectsAnArea)
{
    Shown shown;
    QTest::keyClick(&shown.widget, Qt::Key_V);
    ASSERT_TRUE(shown.widget.selection()) << "what is in view";
    const trace::TimeRange view = *shown.widget.selection();
    QTest::keyClick(&shown.widget, Qt::Key_Left, Qt::ShiftModifier);
    EXPECT_LT(shown.widget.selection()->end, view.end);
    EXPECT_EQ(shown.widget.selection()->start, view.start);
    QTest::keyClick(&shown.widget, Qt::Key_Right, Qt::ShiftModifier | Qt::AltModifier);
    EXPECT_GT(shown.widget.selection()->start, view.start);
    QTest::keyClick(&shown.widget, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(&shown.widget, Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_EQ(shown.widget.area().size(), 2u);
    QTest::keyClick(&shown.widget, Qt::Key_Up, Qt::ShiftModifier);
    EXPECT_EQ(shown.widget.area().size(), 1u);
    QTest::keyClick(&shown.widget, Qt::Key_T);
    EXPECT_TRUE(shown.widget.area().empty());
    EXPECT_TRUE(shown.widget.selection());
    QTest::keyClick(&shown.widget, Qt::Key_Escape);
    EXPECT_FALSE(shown.widget.selection());
    QTest::keyClick(&shown.widget, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_TRUE(shown.widget.selection()) << "begins in the middle of what is seen";
}

TEST(TimelineWidget, EveryKeyOfTheTableDoesSomething)
{
    Shown shown;
    shown.widget.setMatches(timeline::findMatches(*shown.widget.timeline(), "DtoH"));
    for (const controls::KeyBinding& binding : timelineKeys())
        for (const QKeyCombination keys : binding.keys) {
            shown.widget.setSelection(shown.widget.timeline()->iterations()[1].range);
            QKeyEvent press(QEvent::KeyPress, keys.key(), keys.keyboardModifiers());
            QCoreApplication::sendEvent(&shown.widget, &press);
            EXPECT_TRUE(press.isAccepted()) << binding.text.toStdString();
        }
    QKeyEvent other(QEvent::KeyPress, Qt::Key_J, Qt::NoModifier);
    QCoreApplication::sendEvent(&shown.widget, &other);
    EXPECT_FALSE(other.isAccepted()) << "and no other";
}

TEST(TimelineWidget, ASearchWalksThroughItsMatchesAndWrapsAround)
{
    Shown shown;
    const timeline::MatchesPtr matches = timeline::findMatches(*shown.widget.timeline(), "DtoH");
    ASSERT_EQ(matches->count, 8u);
    shown.widget.setMatches(matches);
    ASSERT_TRUE(shown.widget.stepMatch(true));
    const auto first = shown.widget.chosen();
    for (int i = 0; i < 8; ++i)
        EXPECT_TRUE(shown.widget.stepMatch(true));
    EXPECT_EQ(shown.widget.chosen(), first);
    EXPECT_TRUE(shown.widget.stepMatch(false));
    EXPECT_NE(shown.widget.chosen(), first);
}

TEST(TimelineWidget, NamesCollapseGroupsAndPinRows)
{
    Shown shown;
    const std::size_t rows = shown.widget.drawingNow().rows.size();
    const timeline::GroupBox group = shown.widget.drawingNow().groups.front();
    QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, QPoint(60, group.y + group.height / 2));
    EXPECT_LT(shown.widget.drawingNow().rows.size(), rows);
    QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, QPoint(60, group.y + group.height / 2));
    const timeline::RowBox row = shown.widget.drawingNow().rows.back();
    QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, QPoint(8, row.y + row.height / 2));
    EXPECT_TRUE(shown.widget.isPinned(row.row));
    EXPECT_TRUE(shown.widget.drawingNow().rows.front().pinned);
}

TEST(TimelineWidget, PaintsABoxInTheColourOfItsClassInBothSchemes)
{
    for (const theme::Preference preference : {theme::Preference::light, theme::Preference::dark}) {
        theme::Theme::instance().setPreference(preference);
        Shown shown;
        shown.widget.showWindow({400'000, 900'000});
        const QImage image = shown.widget.grab().toImage();
        const timeline::EventBox box = shown.boxOf(EventKind::copy);
        ASSERT_GT(box.width, 20);
        EXPECT_EQ(image.pixelColor(box.x + 2, box.y + 2), trace_views::classColor(analysis::WorkClass::copy));
        keep(image,
             preference == theme::Preference::dark ? QStringLiteral("boxes-dark") : QStringLiteral("boxes-light"));
    }
}

TEST(TimelineWidget, NoTimeOfTheRulerIsCutAtTheRightEdge)
{
    Shown shown;
    shown.widget.clearFocus(); // its ring is there, too
    for (int step = 0; step < 60; ++step) {
        shown.widget.showWindow({0, 10e6 + step * 4e4});
        const QImage image = shown.widget.grab().toImage();
        const timeline::TimelineView& view = shown.widget.viewNow();
        const int top = view.metrics.overviewHeight + 2;
        for (int y = top; y < top + view.metrics.rulerHeight - 10; ++y)
            ASSERT_EQ(image.pixelColor(view.width - 1, y), theme::current().panel) << "step " << step;
    }
}

TEST(TimelineWidget, HoldsForAnEmptyTraceAndForNone)
{
    Shown shown(std::make_shared<const trace::Trace>());
    EXPECT_FALSE(shown.widget.grab().isNull());
    for (const int key : {Qt::Key_W, Qt::Key_S, Qt::Key_F, Qt::Key_N, Qt::Key_Left, Qt::Key_Up, Qt::Key_P, Qt::Key_R})
        QTest::keyClick(&shown.widget, static_cast<Qt::Key>(key));
    shown.widget.setTimeline(nullptr);
    QTest::keyClick(&shown.widget, Qt::Key_W);
    QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, QPoint(600, 300));
    EXPECT_FALSE(shown.widget.grab().isNull());
}

TEST(TimelineWidget, GrabsForPeopleToLookAt)
{
    for (const theme::Preference preference : {theme::Preference::light, theme::Preference::dark}) {
        theme::Theme::instance().setPreference(preference);
        const QString scheme = preference == theme::Preference::dark ? QStringLiteral("dark") : QStringLiteral("light");
        Shown shown(testing::makeLoopTrace({12, 60, 4}), {1600, 760});
        shown.widget.setSelection(shown.widget.timeline()->iterations()[5].range);
        keep(shown.widget.grab().toImage(), QStringLiteral("whole-") + scheme);
        shown.widget.showWindow({4'200'000, 6'400'000});
        keep(shown.widget.grab().toImage(), QStringLiteral("middle-") + scheme);
        shown.widget.choose(shown.boxOf(EventKind::kernel).event);
        shown.widget.showWindow({4'900'000, 5'400'000});
        const QImage image = shown.widget.grab().toImage();
        EXPECT_NE(image.pixel(0, 0), image.pixel(image.width() / 2, 3));
        keep(image, QStringLiteral("close-") + scheme);
        shown.widget.setMatches(timeline::findMatches(*shown.widget.timeline(), "batch_norm"));
        keep(shown.widget.grab().toImage(), QStringLiteral("search-") + scheme);
        Shown dense(testing::makeLargeTrace(2'000'000, 24), {1600, 760});
        keep(dense.widget.grab().toImage(), QStringLiteral("dense-") + scheme);
    }
}

} // namespace apertune::timeline
