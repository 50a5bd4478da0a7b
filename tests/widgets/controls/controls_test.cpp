// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/card_layout.h"
#include "widgets/controls/chip.h"
#include "widgets/controls/empty_state.h"
#include "widgets/controls/fact_list.h"
#include "widgets/controls/figure.h"
#include "widgets/controls/flow_layout.h"
#include "widgets/controls/info_bar.h"
#include "widgets/controls/kpi_card.h"
#include "widgets/controls/label.h"
#include "widgets/controls/search_field.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace apertune::controls {
namespace {

Figure figure()
{
    return {QStringLiteral("Throughput"),
            QStringLiteral("2914"),
            QStringLiteral("img/s"),
            QStringLiteral("± 0.6 %"),
            Tone::secondary,
            QStringLiteral("Samples a second."),
            QStringLiteral("n = 24 blocks"),
            QStringLiteral("apertune tune resnet50")};
}

TEST(KpiCard, ExplainsItsNumberToEyesAndTools)
{
    KpiCard card;
    card.setFigure(figure());
    EXPECT_EQ(card.accessibleName().toStdString(), "Throughput 2914 img/s");
    EXPECT_TRUE(card.toolTip().contains(QStringLiteral("n = 24 blocks")));
    EXPECT_TRUE(card.accessibleDescription().contains(QStringLiteral("Samples a second")));
}

TEST(Label, WhatItElidesStandsInItsToolTipWheneverTheTextCame)
{
    QWidget window;
    Label label(QStringLiteral("short"), theme::Type::body, Tone::text, &window);
    label.setElided(true);
    label.resize(80, 20);
    window.resize(400, 100);
    window.show();
    const auto tip = [&label] {
        QHelpEvent event(QEvent::ToolTip, QPoint(5, 5), label.mapToGlobal(QPoint(5, 5)));
        QCoreApplication::sendEvent(&label, &event);
        return QToolTip::text();
    };
    EXPECT_EQ(tip(), QString());
    const QString text = QStringLiteral("a text that is much too long for eighty pixels");
    label.setText(text); // without a new size
    EXPECT_EQ(tip(), text);
    label.setToolTip(QStringLiteral("what it is"));
    label.resize(70, 20);
    EXPECT_EQ(tip(), QStringLiteral("what it is")) << "the owner's tool tip stays";
}

TEST(KpiCard, SaysWhenItsTextDoesNotFit)
{
    KpiCard card;
    card.setFigure(figure());
    card.resize(260, 80);
    EXPECT_FALSE(card.isClipped());
    card.resize(60, 80);
    EXPECT_TRUE(card.isClipped());
}

TEST(KpiCard, WrapsItsWordsAndNeverItsNumber)
{
    KpiCard card;
    Figure wordy = figure();
    wordy.detail = QStringLiteral("3.91 times [3.86, 3.96] against O0 fp32 b16");
    card.setFigure(wordy);
    const int one = card.heightForWidth(400);
    EXPECT_GT(card.heightForWidth(180), one);
    card.resize(180, card.heightForWidth(180));
    EXPECT_FALSE(card.isClipped());
    card.resize(180, one);
    EXPECT_TRUE(card.isClipped());
    wordy.value = QStringLiteral("1234567890123");
    card.setFigure(wordy);
    EXPECT_GT(card.minimumSizeHint().width(), 180);
}

TEST(CardLayout, PutsCardsBesideEachOtherWhereTheyFitAndInEvenRowsWhereNot)
{
    QWidget window;
    auto* layout = new CardLayout(10);
    auto* outer = new QVBoxLayout(&window);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addLayout(layout);
    outer->addStretch(1);
    std::vector<QWidget*> cards;
    for (int i = 0; i < 4; ++i) {
        cards.push_back(new QWidget(&window));
        cards.back()->setMinimumSize(100, 50);
        layout->addWidget(cards.back());
    }
    const auto arrangedAt = [&](int width) {
        window.resize(width, 400);
        window.show();
        QCoreApplication::processEvents();
        std::set<int> rows;
        for (const QWidget* card : cards)
            if (card->isVisible())
                rows.insert(card->y());
        return static_cast<int>(rows.size());
    };
    EXPECT_EQ(arrangedAt(430), 1);
    EXPECT_EQ(cards[0]->width(), 100);
    EXPECT_EQ(arrangedAt(429), 2) << "two and two, not three and one";
    EXPECT_EQ(cards[1]->x(), cards[3]->x());
    EXPECT_EQ(cards[0]->height(), 50);
    EXPECT_EQ(arrangedAt(120), 4);
    cards[3]->hide();
    EXPECT_EQ(arrangedAt(320), 1) << "a hidden card takes no place";
}

TEST(Figure, ItsMenuCopiesTheCommandLine)
{
    KpiCard card;
    card.setFigure(figure());
    card.show();
    Q_EMIT card.customContextMenuRequested(QPoint(5, 5));
    const auto menus = card.findChildren<QMenu*>();
    ASSERT_EQ(menus.size(), 1);
    ASSERT_GE(menus.first()->actions().size(), 2);
    menus.first()->actions().at(1)->trigger();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), "apertune tune resnet50");
}

TEST(InfoBar, TheSameMessageAgainCountsUp)
{
    QWidget window;
    InfoBar bar(&window);
    window.show();
    bar.show({Tone::bad, QStringLiteral("No space left")});
    bar.show({Tone::bad, QStringLiteral("No space left")});
    EXPECT_EQ(bar.repeats(), 2);
    EXPECT_TRUE(bar.accessibleName().contains(QStringLiteral("2 times")));
    bar.show({Tone::bad, QStringLiteral("Another")});
    EXPECT_EQ(bar.repeats(), 1);
}

TEST(InfoBar, AMessageIsAnAlertForAssistiveTools)
{
    QWidget window;
    auto* bar = new InfoBar(&window);
    window.show();
    bar->show({Tone::warn, QStringLiteral("The disk is full.")});
    QAccessibleInterface* message = QAccessible::queryAccessibleInterface(bar);
    EXPECT_EQ(message->role(), QAccessible::AlertMessage);
    EXPECT_EQ(message->text(QAccessible::Name), QStringLiteral("The disk is full."));
}

TEST(InfoBar, ItsActionRunsOnceAndHidesIt)
{
    QWidget window;
    InfoBar bar(&window);
    window.show();
    int runs = 0;
    bar.show({Tone::warn, QStringLiteral("Interrupted"), QStringLiteral("Resume"), [&] { ++runs; }});
    for (QPushButton* button : bar.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Resume"))
            button->click();
    EXPECT_EQ(runs, 1);
    EXPECT_FALSE(bar.isVisible());
}

TEST(InfoBar, OnlyItsOwnIdDismissesAMessage)
{
    QWidget window;
    InfoBar bar(&window);
    window.show();
    bar.show({Tone::warn, QStringLiteral("a"), {}, {}, QStringLiteral("resume")});
    bar.dismiss(QStringLiteral("load"));
    EXPECT_TRUE(bar.isVisible());
    bar.dismiss(QStringLiteral("resume"));
    EXPECT_FALSE(bar.isVisible());
}

TEST(EmptyState, ShowsItsWholeText)
{
    EmptyState state(QStringLiteral("live"));
    state.resize(900, 500);
    state.setContent(
        QStringLiteral("Nothing"),
        QString(60, QLatin1Char('m')).replace(QStringLiteral("mmmmm"), QStringLiteral("mmmm ")).repeated(4),
        QStringLiteral("Go"));
    state.show();
    QCoreApplication::processEvents();
    for (const QLabel* label : state.findChildren<QLabel*>())
        EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->text().toStdString();
    QSignalSpy activated(&state, &EmptyState::activated);
    state.findChild<QPushButton*>()->click();
    EXPECT_EQ(activated.count(), 1);
}

TEST(FlowLayout, WrapsAndTellsItsHeight)
{
    QWidget box;
    auto* flow = new FlowLayout(&box, 6);
    for (int i = 0; i < 6; ++i) {
        auto* item = new QWidget(&box);
        item->setFixedSize(100, 20);
        flow->addWidget(item);
    }
    EXPECT_EQ(flow->heightForWidth(1000), 20);
    EXPECT_EQ(flow->heightForWidth(320), 46);
    EXPECT_EQ(flow->heightForWidth(100), 6 * 20 + 5 * 6);
}

TEST(SearchField, IsWideEnoughForItsPlaceholderAndHint)
{
    const SearchField field(QStringLiteral("Search trials, studies, pages"), QStringLiteral("Ctrl+K"));
    const QFontMetrics metrics(field.font());
    EXPECT_GE(field.sizeHint().width(),
              metrics.horizontalAdvance(field.placeholderText()) + metrics.horizontalAdvance(QStringLiteral("Ctrl+K")));
}

TEST(SearchField, EscapeClearsIt)
{
    SearchField field(QStringLiteral("Filter"));
    field.show();
    field.setText(QStringLiteral("abc"));
    QTest::keyClick(&field, Qt::Key_Escape);
    EXPECT_TRUE(field.text().isEmpty());
}

TEST(Chip, TogglesByKeyboard)
{
    Chip chip(QStringLiteral("O2"));
    chip.show();
    QTest::keyClick(&chip, Qt::Key_Space);
    EXPECT_TRUE(chip.isChecked());
    EXPECT_EQ(chip.accessibleName().toStdString(), "O2");
}

TEST(FactList, NamesAllItsFacts)
{
    FactList list;
    list.setFacts(
        {{QStringLiteral("load"), QStringLiteral("412 ms")}, {QStringLiteral("p99"), QStringLiteral("5 ms")}});
    EXPECT_EQ(list.accessibleName().toStdString(), "load: 412 ms; p99: 5 ms");
    EXPECT_GT(list.sizeHint().height(), 30);
}

TEST(KpiCard, AClickOrEnterLeadsToTheSamples)
{
    KpiCard card;
    card.resize(card.sizeHint());
    Figure figure;
    figure.caption = QStringLiteral("Latency");
    figure.value = QStringLiteral("3.8");
    card.setFigure(figure);
    QSignalSpy activated(&card, &KpiCard::activated);
    card.show();
    QTest::mouseClick(&card, Qt::LeftButton);
    QTest::keyClick(&card, Qt::Key_Return);
    EXPECT_EQ(activated.count(), 0) << "there is nothing to show";
    card.setAction(QStringLiteral("show its samples"));
    QTest::mouseClick(&card, Qt::LeftButton);
    QTest::keyClick(&card, Qt::Key_Return);
    QTest::keyClick(&card, Qt::Key_Space);
    EXPECT_EQ(activated.count(), 3);
    EXPECT_TRUE(card.toolTip().contains(QStringLiteral("show its samples")));
    figure.value = QStringLiteral("3.9");
    card.setFigure(figure);
    EXPECT_TRUE(card.toolTip().contains(QStringLiteral("show its samples"))) << "a new number keeps it";
}

TEST(FactList, AValueThatIsTooLongForItsColumnWraps)
{
    FactList list;
    list.setFacts(
        {{QStringLiteral("system"), QStringLiteral("Debian GNU/Linux 12 (bookworm) on a machine with a name")},
         {QStringLiteral("path"), QStringLiteral("/a/long/path/that/has/no/space/at/all/in/it/anywhere")}});
    const int oneLineEach = list.heightForWidth(2000);
    EXPECT_GT(list.heightForWidth(220), oneLineEach);
    list.resize(220, list.heightForWidth(220));
    EXPECT_FALSE(list.isClipped());
    list.resize(90, 400);
    EXPECT_TRUE(list.isClipped()) << "three lines are the most; the rest is in the tool tip";
}

} // namespace
} // namespace apertune::controls
