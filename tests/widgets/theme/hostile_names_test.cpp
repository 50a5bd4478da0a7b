// SPDX-License-Identifier: GPL-3.0-or-later
// Names from strangers in the window: they are shown as text, whatever shows them.
#include "tests/support/hostile_names.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/style.h"

#include <QApplication>
#include <QLabel>
#include <QMessageBox>
#include <QTest>
#include <QToolTip>

#include <gtest/gtest.h>

#include <algorithm>

namespace apertune::theme {
namespace {

bool isInert(const QString& text)
{
    return std::ranges::none_of(text, [](QChar c) {
        return (c.category() == QChar::Other_Control && c != QLatin1Char('\n') && c != QLatin1Char('\t')) ||
               (c.category() == QChar::Other_Format) || c.category() == QChar::Separator_Line ||
               c.category() == QChar::Separator_Paragraph || c == QChar::ReplacementCharacter;
    });
}

TEST(HostileNames, HideNothingInTheWindow)
{
    EXPECT_FALSE(isInert(QString::fromUtf8("\xe2\x80\xae"
                                           "cod.exe")))
        << "the test sees what it looks for";
    for (const auto& [attack, text] : test::hostileNames()) {
        EXPECT_TRUE(isInert(toQt(text))) << attack;
        EXPECT_TRUE(isInert(fromCore(base::foreignText(text)))) << attack;
    }
    EXPECT_EQ(toQt("ResNet-50 “größer” 日本 µs"), QString::fromUtf8("ResNet-50 “größer” 日本 µs"));
    const std::string file = "/home/me/\xd7\xa9\xe2\x80\x8f.apertune";
    EXPECT_EQ(toStd(fileToQt(file)), file) << "a file has to be found again";
}

TEST(HostileNames, AreNoHtmlInLabelsToolTipsAndMessageBoxes)
{
    QApplication::setStyle(new Style);
    QWidget window;
    window.resize(300, 200);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    for (const auto& [attack, text] : test::hostileNames()) {
        if (text.empty())
            continue;
        const QString shown = toQt(text);
        QLabel label(shown, &window);
        label.show();
        EXPECT_EQ(label.textFormat(), Qt::PlainText) << attack;

        QToolTip::showText(window.mapToGlobal(QPoint(5, 5)), shown, &window);
        int toolTips = 0;
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (widget->inherits("QTipLabel") && widget->isVisible()) {
                ++toolTips;
                EXPECT_EQ(qobject_cast<QLabel*>(widget)->textFormat(), Qt::PlainText) << attack;
            }
        EXPECT_EQ(toolTips, 1) << attack;
        QToolTip::hideText();

        QMessageBox box(QMessageBox::Warning, shown, shown, QMessageBox::Yes, &window);
        box.setInformativeText(shown);
        box.open();
        for (const QLabel* part : box.findChildren<QLabel*>())
            EXPECT_EQ(part->textFormat(), Qt::PlainText) << attack << part->objectName().toStdString();
        box.close();
    }
}

} // namespace
} // namespace apertune::theme
