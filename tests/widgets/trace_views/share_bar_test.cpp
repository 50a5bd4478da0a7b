// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace_views/share_bar.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QTest>

#include <gtest/gtest.h>

namespace apertune::trace_views {

TEST(ShareBarAccessible, TellsEachPartAndWhichOneTheKeysAreAt)
{
    ShareBar bar;
    bar.setAccessibleName(QStringLiteral("Where an iteration goes"));
    bar.setParts({{QStringLiteral("Arithmetic"), QStringLiteral("75 %"), 0.75, Qt::blue, QStringLiteral("the work")},
                  {QStringLiteral("Copies"), QStringLiteral("25 %"), 0.25, Qt::red, QStringLiteral("moves bytes")}});
    bar.resize(600, 100);
    bar.show();
    bar.activateWindow();
    bar.setFocus();
    QCoreApplication::processEvents();
    QTest::keyClick(&bar, Qt::Key_Right);
    QAccessibleInterface* focused = QAccessible::queryAccessibleInterface(&bar)->focusChild();
    ASSERT_TRUE(focused);
    EXPECT_EQ(focused->text(QAccessible::Name), QStringLiteral("Copies 25 %"));
    EXPECT_EQ(focused->text(QAccessible::Description), QStringLiteral("moves bytes"));
}

} // namespace apertune::trace_views
