// SPDX-License-Identifier: GPL-3.0-or-later
// Help and F1: the page of the manual about what the window shows.
#include "app/gui/shell/manual_view.h"
#include "app/gui/shell/manual_window.h"
#include "tests/app/gui/bench.h"

#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QScrollBar>
#include <QShortcut>
#include <QTextBlock>

#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

using testing::Fixture;

const ManualView* shownManual(const Fixture& fixture)
{
    const auto* manual = fixture.window.findChild<ManualWindow*>();
    return manual && manual->isVisible() ? manual->findChild<ManualView*>() : nullptr;
}

TEST(ManualWindow, EveryPageHasOneInTheManual)
{
    for (const PageSpec& page : pageTable())
        EXPECT_TRUE(QFile::exists(ManualWindow::fileOf(page.id))) << ManualWindow::fileOf(page.id).toStdString();
}

TEST(ManualWindow, F1AndHelpOpenThePageAboutWhatIsShown)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(PageId::compare));
    EXPECT_EQ(shownManual(fixture), nullptr);
    QTest::keyClick(fixture.window.currentPage(), Qt::Key_F1);
    const ManualView* view = shownManual(fixture);
    ASSERT_NE(view, nullptr);
    EXPECT_EQ(view->document()->firstBlock().text(), QStringLiteral("Compare"));
    // A second window never becomes the active one on the offscreen platform, so no key reaches its shortcuts.
    for (auto* shortcut : view->window()->findChildren<QShortcut*>())
        if (shortcut->key() == QKeySequence(Qt::Key_Escape))
            Q_EMIT shortcut->activated();
    EXPECT_EQ(shownManual(fixture), nullptr);
    fixture.window.showPage(PageId::tradeoffs);
    QTest::mouseClick(testing::buttonOf(fixture.window, QStringLiteral("Help")), Qt::LeftButton);
    ASSERT_NE(shownManual(fixture), nullptr);
    EXPECT_EQ(view->document()->firstBlock().text(), QStringLiteral("Trade-offs"));
}

TEST(ManualWindow, LinksLeadToHeadingsAndBack)
{
    ManualWindow manual(nullptr);
    manual.showPageOf(PageId::start);
    auto* view = manual.findChild<ManualView*>();
    view->setSource(view->source().resolved(QUrl(QStringLiteral("../measuring.md#a-noisy-machine"))));
    EXPECT_EQ(view->textCursor().block().text(), QStringLiteral("A noisy machine"));
    EXPECT_GT(view->verticalScrollBar()->value(), 0);
    view->backward();
    EXPECT_EQ(view->document()->firstBlock().text(), QStringLiteral("Start"));
}

TEST(ManualWindow, FindsWordsOfThePage)
{
    ManualWindow manual(nullptr);
    manual.showPageOf(PageId::trial);
    auto* view = manual.findChild<ManualView*>();
    QTest::keyClick(&manual, Qt::Key_F, Qt::ControlModifier);
    auto* find = manual.findChild<QLineEdit*>();
    QTest::keyClicks(find, QStringLiteral("interval of their"));
    EXPECT_EQ(view->textCursor().selectedText(), QStringLiteral("interval of their"));
}

TEST(ManualWindow, ShowsNoMarksOfMarkdown)
{
    ManualWindow manual(nullptr);
    manual.showPageOf(PageId::start);
    auto* view = manual.findChild<ManualView*>();
    QDir folder(ManualWindow::folder());
    for (const QString& name : {QStringLiteral("reference/metrics.md"), QStringLiteral("first-run.md")}) {
        view->setSource(QUrl::fromLocalFile(folder.filePath(name)));
        const QString text = view->toPlainText();
        EXPECT_GT(text.size(), 1000) << name.toStdString();
        for (const char* mark : {"<!--", "](", "| --"})
            EXPECT_FALSE(text.contains(QLatin1String(mark))) << name.toStdString() << " shows " << mark;
    }
}

TEST(ManualWindow, AnchorsAreThoseOfMarkdownsSites)
{
    EXPECT_EQ(headingAnchor(QStringLiteral("What an interval means")), QStringLiteral("what-an-interval-means"));
    EXPECT_EQ(headingAnchor(QStringLiteral("apertune.study/1")), QStringLiteral("apertunestudy1"));
    EXPECT_EQ(headingAnchor(QStringLiteral("Load, and the way")), QStringLiteral("load-and-the-way"));
}

} // namespace
} // namespace apertune::gui
