// SPDX-License-Identifier: GPL-3.0-or-later
// Walks every page with the Tab key: each control is reached, is shown to be where the keyboard is, and has a name that
// assistive tools read out.
#include "tests/app/gui/bench.h"
#include "tests/app/gui/trace_bench.h"
#include "tests/widgets/synthetic_study.h"
#include "widgets/controls/accessible.h"
#include "widgets/controls/kpi_card.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/heat_map.h"
#include "widgets/trace_views/flame_graph.h"
#include "widgets/trace_views/share_bar.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRadioButton>

#include <gtest/gtest.h>

#include <set>

namespace apertune::gui {
namespace {

using testing::Fixture;

bool isControl(const QWidget* widget)
{
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
           qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QAbstractItemView*>(widget) || qobject_cast<const QPlainTextEdit*>(widget) ||
           qobject_cast<const controls::KpiCard*>(widget) || qobject_cast<const plots::ChartView*>(widget) ||
           qobject_cast<const plots::HeatMap*>(widget) || qobject_cast<const timeline::TimelineWidget*>(widget) ||
           qobject_cast<const trace_views::FlameGraph*>(widget) || qobject_cast<const trace_views::ShareBar*>(widget);
}

/// Reached through another control: the field in a spin box, the list of a combo box, the parts of a table.
bool isPart(const QWidget* widget)
{
    for (const QWidget* parent = widget->parentWidget(); parent; parent = parent->parentWidget()) {
        if (qobject_cast<const QAbstractSpinBox*>(parent) || qobject_cast<const QComboBox*>(parent) ||
            qobject_cast<const QAbstractItemView*>(parent) || qobject_cast<const QLineEdit*>(parent)) {
            return true;
        }
    }
    return qobject_cast<const QHeaderView*>(widget) != nullptr;
}

/// Of a group of exclusive buttons Tab reaches the chosen one, the arrow keys the others.
bool isUnchosen(const QWidget* widget)
{
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    return button && button->isCheckable() && button->autoExclusive() && !button->isChecked();
}

QString nameOf(QWidget* widget)
{
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
    return accessible ? accessible->text(QAccessible::Name) : QString();
}

std::string describe(QWidget* widget)
{
    return QStringLiteral("%1 “%2” in %3")
        .arg(QLatin1String(widget->metaObject()->className()), nameOf(widget),
             widget->parentWidget() ? widget->parentWidget()->accessibleName() : QString())
        .toStdString();
}

class Keyboard : public ::testing::TestWithParam<PageSpec>
{
protected:
    PageId page() const { return GetParam().id; }
};
INSTANTIATE_TEST_SUITE_P(Pages, Keyboard, ::testing::ValuesIn(pageTable()),
                         [](const auto& of) { return testing::testName(of.param.id); });

void expectEveryControlIsReachedAndNamed(Fixture& fixture)
{
    fixture.window.activateWindow();
    fixture.window.setFocus();
    std::set<QWidget*> reached;
    for (int i = 0; i < 400; ++i) {
        QWidget* before = QApplication::focusWidget();
        QTest::keyClick(before ? before : &fixture.window, Qt::Key_Tab);
        QWidget* now = QApplication::focusWidget();
        if (!now || (now != before && !reached.insert(now).second && reached.size() > 3 && i > 200))
            break;
        reached.insert(now);
    }
    int controls = 0;
    for (QWidget* widget : fixture.window.findChildren<QWidget*>()) {
        if (!isControl(widget) || isPart(widget) || !widget->isVisible() || !widget->isEnabled())
            continue;
        ++controls;
        EXPECT_FALSE(nameOf(widget).isEmpty()) << "nameless: " << describe(widget);
        if (!isUnchosen(widget)) {
            EXPECT_TRUE(reached.count(widget) > 0) << "not reached by Tab: " << describe(widget);
        }
    }
    EXPECT_GT(controls, 10);
}

/// What takes the focus says what it is and how it is called, whatever its class, and so does each of its parts.
void expectAllThatTakesTheFocusToBeTold(Fixture& fixture)
{
    for (QWidget* widget : fixture.window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || isPart(widget) || !(widget->focusPolicy() & Qt::TabFocus))
            continue;
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
        ASSERT_TRUE(accessible) << describe(widget);
        EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty()) << "nameless: " << describe(widget);
        const QAccessible::Role role = accessible->role();
        EXPECT_TRUE(role != QAccessible::NoRole &&
                    (role != QAccessible::Client || qobject_cast<QAbstractScrollArea*>(widget)))
            << "no role: " << describe(widget);
        auto* parts = dynamic_cast<controls::PaintedParts*>(widget);
        for (int i = 0; parts && i < std::min(parts->partCount(), 40); ++i)
            EXPECT_FALSE(parts->part(i).name.isEmpty()) << "part " << i << " of " << describe(widget);
    }
}

void expectTheFocusToBeSeen(Fixture& fixture)
{
    fixture.window.activateWindow();
    fixture.window.setAttribute(Qt::WA_KeyboardFocusChange); // the Tab key sets it, too
    for (QWidget* widget : fixture.window.findChildren<QWidget*>()) {
        if (!isControl(widget) || isPart(widget) || !widget->isVisible() || !widget->isEnabled() ||
            !(widget->focusPolicy() & Qt::TabFocus)) {
            continue;
        }
        widget->clearFocus();
        const QImage without = widget->grab().toImage();
        widget->setFocus(Qt::TabFocusReason);
        QCoreApplication::processEvents();
        if (widget->isVisible() && widget->hasFocus()) { // a list may move on to its first row
            EXPECT_NE(widget->grab().toImage(), without) << "no sign of focus: " << describe(widget);
        }
    }
}

TEST_P(Keyboard, TabReachesEveryControlAndEachHasAName)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(page(), {1280, 800}));
    expectEveryControlIsReachedAndNamed(fixture);
    expectAllThatTakesTheFocusToBeTold(fixture);
}

TEST_P(Keyboard, TheFocusIsSeen)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(page(), {1280, 800}));
    expectTheFocusToBeSeen(fixture);
}

TEST(KeyboardOfTraces, EveryPartOfAnOpenTraceIsReachedNamedAndShowsTheFocus)
{
    for (const char* part : {"bottleneck", "timeline", "kernels", "flame", "operators", "roofline", "memory",
                             "transfers", "difference", "events"}) {
        SCOPED_TRACE(part);
        testing::TraceFixture fixture;
        ASSERT_TRUE(fixture.open(QString::fromLatin1(part)));
        expectEveryControlIsReachedAndNamed(fixture);
        expectAllThatTakesTheFocusToBeTold(fixture);
        expectTheFocusToBeSeen(fixture);
    }
}

TEST(KeyboardOfTraces, ControlAndPageKeysGoFromPartToPart)
{
    testing::TraceFixture fixture;
    ASSERT_TRUE(fixture.open(QStringLiteral("bottleneck")));
    fixture.window.activateWindow();
    EXPECT_FALSE(fixture.timeline()->isVisible());
    QTest::keyClick(&fixture.window, Qt::Key_PageDown, Qt::ControlModifier);
    EXPECT_TRUE(fixture.timeline()->isVisible());
    ASSERT_TRUE(QApplication::focusWidget());
    EXPECT_EQ(nameOf(QApplication::focusWidget()), QStringLiteral("Timeline")) << "its tab";
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_PageUp, Qt::ControlModifier);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_PageUp, Qt::ControlModifier);
    EXPECT_EQ(nameOf(QApplication::focusWidget()), QStringLiteral("Events")) << "around the corner";
}

} // namespace
} // namespace apertune::gui
