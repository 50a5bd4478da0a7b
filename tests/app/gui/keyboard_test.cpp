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
#include "widgets/timeline/flame_graph.h"
#include "widgets/timeline/share_bar.h"

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

using testing::Bench;

bool isControl(const QWidget* widget)
{
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QLineEdit*>(widget) ||
           qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QAbstractItemView*>(widget) || qobject_cast<const QPlainTextEdit*>(widget) ||
           qobject_cast<const controls::KpiCard*>(widget) || qobject_cast<const plots::ChartView*>(widget) ||
           qobject_cast<const plots::HeatMap*>(widget) || qobject_cast<const timeline::TimelineWidget*>(widget) ||
           qobject_cast<const timeline::FlameGraph*>(widget) || qobject_cast<const timeline::ShareBar*>(widget);
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

class Keyboard : public ::testing::TestWithParam<int>
{
protected:
    PageId page() const { return static_cast<PageId>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Pages, Keyboard, ::testing::Range(0, kPageCount), [](const auto& of) {
    QString name = pageName(static_cast<PageId>(of.param));
    return name.remove(QLatin1Char('-')).toStdString();
});

void expectEveryControlIsReachedAndNamed(Bench& bench)
{
    bench.window.activateWindow();
    bench.window.setFocus();
    std::set<QWidget*> reached;
    for (int i = 0; i < 400; ++i) {
        QWidget* before = QApplication::focusWidget();
        QTest::keyClick(before ? before : &bench.window, Qt::Key_Tab);
        QWidget* now = QApplication::focusWidget();
        if (!now || (now != before && !reached.insert(now).second && reached.size() > 3 && i > 200)) {
            break;
        }
        reached.insert(now);
    }
    int controls = 0;
    for (QWidget* widget : bench.window.findChildren<QWidget*>()) {
        if (!isControl(widget) || isPart(widget) || !widget->isVisible() || !widget->isEnabled()) {
            continue;
        }
        ++controls;
        EXPECT_FALSE(nameOf(widget).isEmpty()) << "nameless: " << describe(widget);
        if (!isUnchosen(widget)) {
            EXPECT_TRUE(reached.count(widget) > 0) << "not reached by Tab: " << describe(widget);
        }
    }
    EXPECT_GT(controls, 10);
}

/// What takes the focus says what it is and how it is called, whatever its class, and so does each of its parts.
void expectAllThatTakesTheFocusToBeTold(Bench& bench)
{
    for (QWidget* widget : bench.window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || isPart(widget) || !(widget->focusPolicy() & Qt::TabFocus)) {
            continue;
        }
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
        ASSERT_TRUE(accessible) << describe(widget);
        EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty()) << "nameless: " << describe(widget);
        const QAccessible::Role role = accessible->role();
        EXPECT_TRUE(role != QAccessible::NoRole &&
                    (role != QAccessible::Client || qobject_cast<QAbstractScrollArea*>(widget)))
            << "no role: " << describe(widget);
        auto* parts = dynamic_cast<controls::PaintedParts*>(widget);
        for (int i = 0; parts && i < std::min(parts->partCount(), 40); ++i) {
            EXPECT_FALSE(parts->part(i).name.isEmpty()) << "part " << i << " of " << describe(widget);
        }
    }
}

void expectTheFocusToBeSeen(Bench& bench)
{
    bench.window.activateWindow();
    bench.window.setAttribute(Qt::WA_KeyboardFocusChange); // as the Tab key does
    for (QWidget* widget : bench.window.findChildren<QWidget*>()) {
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
    Bench bench;
    ASSERT_TRUE(bench.load(page(), {1280, 800}));
    expectEveryControlIsReachedAndNamed(bench);
    expectAllThatTakesTheFocusToBeTold(bench);
}

TEST_P(Keyboard, TheFocusIsSeen)
{
    Bench bench;
    ASSERT_TRUE(bench.load(page(), {1280, 800}));
    expectTheFocusToBeSeen(bench);
}

TEST(KeyboardOfTraces, EveryPartOfAnOpenTraceIsReachedNamedAndShowsTheFocus)
{
    for (const char* part :
         {"bottleneck", "timeline", "kernels", "flame", "operators", "roofline", "memory", "transfers", "events"}) {
        SCOPED_TRACE(part);
        testing::TraceBench bench;
        ASSERT_TRUE(bench.open(QString::fromLatin1(part)));
        expectEveryControlIsReachedAndNamed(bench);
        expectAllThatTakesTheFocusToBeTold(bench);
        expectTheFocusToBeSeen(bench);
    }
}

TEST(KeyboardOfTraces, ControlAndPageKeysGoFromPartToPart)
{
    testing::TraceBench bench;
    ASSERT_TRUE(bench.open(QStringLiteral("bottleneck")));
    bench.window.activateWindow();
    EXPECT_FALSE(bench.timeline()->isVisible());
    QTest::keyClick(&bench.window, Qt::Key_PageDown, Qt::ControlModifier);
    EXPECT_TRUE(bench.timeline()->isVisible());
    ASSERT_TRUE(QApplication::focusWidget());
    EXPECT_EQ(nameOf(QApplication::focusWidget()), QStringLiteral("Timeline")) << "its tab";
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_PageUp, Qt::ControlModifier);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_PageUp, Qt::ControlModifier);
    EXPECT_EQ(nameOf(QApplication::focusWidget()), QStringLiteral("Events")) << "around the corner";
}

} // namespace
} // namespace apertune::gui
