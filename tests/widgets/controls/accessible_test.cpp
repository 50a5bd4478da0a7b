// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/accessible.h"

#include <QAccessible>
#include <QApplication>
#include <QPointer>
#include <QScrollBar>
#include <QTest>
#include <QWidget>

#include <gtest/gtest.h>

namespace apertune::controls {
namespace {

/// Bars of 20 by 20 beside each other, and a scroll bar, which is a widget of its own.
class Bars final : public QWidget, public PaintedParts
{
public:
    explicit Bars(PaintedRole role)
    {
        setPaintedRole(this, role);
        setAccessibleName(QStringLiteral("Bars"));
        setFocusPolicy(Qt::StrongFocus);
        resize(200, 40);
        new QScrollBar(this);
    }
    int partCount() override { return count; }
    Part part(int index) override
    {
        return {QStringLiteral("bar %1").arg(index), QStringLiteral("detail %1").arg(index),
                QRect(index * 20, 0, 20, 20)};
    }
    int currentPart() override { return current; }

    int count = 3;
    int current = -1;
};

QAccessibleInterface* interfaceOf(QWidget& widget)
{
    return QAccessible::queryAccessibleInterface(&widget);
}

TEST(PaintedParts, AreChildrenWithNameDetailPlaceAndRole)
{
    Bars bars(PaintedRole::chart);
    bars.show();
    QAccessibleInterface* whole = interfaceOf(bars);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->role(), QAccessible::Chart);
    ASSERT_EQ(whole->childCount(), 4) << "the scroll bar and three bars";
    EXPECT_EQ(whole->child(0)->role(), QAccessible::ScrollBar);
    QAccessibleInterface* second = whole->child(2);
    ASSERT_TRUE(second && second->isValid());
    EXPECT_EQ(second->text(QAccessible::Name), QStringLiteral("bar 1"));
    EXPECT_EQ(second->text(QAccessible::Description), QStringLiteral("detail 1"));
    EXPECT_EQ(second->role(), QAccessible::ListItem);
    EXPECT_EQ(second->rect(), QRect(bars.mapToGlobal(QPoint(20, 0)), QSize(20, 20)));
    EXPECT_EQ(second->parent(), whole);
    EXPECT_EQ(whole->indexOfChild(second), 2);
    EXPECT_EQ(whole->child(2), second) << "made once";
    const QPoint inThird = bars.mapToGlobal(QPoint(50, 10));
    EXPECT_EQ(whole->childAt(inThird.x(), inThird.y()), whole->child(3));
    EXPECT_EQ(whole->child(4), nullptr);
    Bars table(PaintedRole::table);
    EXPECT_EQ(interfaceOf(table)->child(1)->role(), QAccessible::Cell);
}

TEST(PaintedParts, ThatAreGoneSayThatTheyAreNotValid)
{
    auto bars = std::make_unique<Bars>(PaintedRole::chart);
    QAccessibleInterface* last = interfaceOf(*bars)->child(3);
    bars->count = 1;
    EXPECT_FALSE(last->isValid());
    EXPECT_TRUE(last->state().invalid);
    EXPECT_EQ(last->text(QAccessible::Name), QString());
    EXPECT_EQ(interfaceOf(*bars)->childCount(), 2);
    bars.reset(); // no interface is left behind to be asked
}

TEST(PaintedParts, TheOneUnderTheArrowKeysHasTheFocusWhileTheWidgetHasIt)
{
    Bars bars(PaintedRole::chart);
    bars.show();
    bars.current = 1;
    EXPECT_EQ(interfaceOf(bars)->focusChild(), nullptr) << "the window is not active";
    bars.activateWindow();
    bars.setFocus();
    QCoreApplication::processEvents();
    ASSERT_TRUE(bars.hasFocus());
    QAccessibleInterface* focused = interfaceOf(bars)->focusChild();
    ASSERT_TRUE(focused);
    EXPECT_EQ(focused->text(QAccessible::Name), QStringLiteral("bar 1"));
    EXPECT_TRUE(focused->state().focused);
    EXPECT_FALSE(interfaceOf(bars)->child(1)->state().focused);
}

} // namespace
} // namespace apertune::controls
