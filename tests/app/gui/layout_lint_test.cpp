// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/what_if_tab.h"
#include "tests/app/gui/bench.h"
#include "tests/app/gui/layout_lint.h"
#include "tests/core/trace/support/synthetic_trace.h"
#include "tests/widgets/synthetic_study.h"
#include "widgets/theme/fonts.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace apertune::gui {
namespace {

using testing::Fixture;
using testing::lint;

class LayoutLint : public ::testing::TestWithParam<std::tuple<PageSpec, theme::Preference>>
{
protected:
    LayoutLint() { theme::Theme::instance().setPreference(std::get<1>(GetParam())); }
    ~LayoutLint() override
    {
        theme::Theme::instance().setPreference(theme::Preference::dark);
        theme::Theme::instance().setTextSize(theme::kDefaultTextSize);
    }
    PageId page() const { return std::get<0>(GetParam()).id; }
};
INSTANTIATE_TEST_SUITE_P(Pages, LayoutLint,
                         ::testing::Combine(::testing::ValuesIn(pageTable()),
                                            ::testing::Values(theme::Preference::dark, theme::Preference::light)),
                         [](const auto& parameters) {
                             return testing::testName(std::get<0>(parameters.param).id) +
                                    (std::get<1>(parameters.param) == theme::Preference::dark ? "Dark" : "Light");
                         });

/// A widget with one fault of each kind.
QWidget* makeFaulty()
{
    auto* window = new QWidget;
    window->resize(400, 300);
    (new QLabel(QStringLiteral("a text that is much too long for its label"), window))->setGeometry(0, 0, 60, 20);
    auto* nameless = new QLineEdit(window);
    nameless->setGeometry(0, 40, 100, 28);
    auto* small = new QPushButton(window);
    small->setGeometry(0, 80, 10, 10);
    auto* placeholder = new QLineEdit(window);
    placeholder->setAccessibleName(QStringLiteral("named"));
    placeholder->setPlaceholderText(QStringLiteral("a placeholder longer than its field"));
    placeholder->setGeometry(0, 110, 60, 28);
    return window;
}

void lintFaulty()
{
    const std::unique_ptr<QWidget> window(makeFaulty());
    window->show();
    lint(*window);
}

TEST(LayoutLintItself, FindsCutTextNamelessControlsAndSmallTargets)
{
    ::testing::TestPartResultArray results;
    {
        const ::testing::ScopedFakeTestPartResultReporter reporter(&results);
        lintFaulty();
    }
    std::string all;
    for (int i = 0; i < results.size(); ++i)
        all += results.GetTestPartResult(i).message();
    for (const char* finding : {"cut in width", "nameless", "small target", "placeholder cut"})
        EXPECT_NE(all.find(finding), std::string::npos) << finding;
}

TEST(LayoutLintOfTraces, FindsNothingInAnyPartOfAnOpenTrace)
{
    for (const char* part : {"bottleneck", "timeline", "kernels", "flame", "operators", "roofline", "memory",
                             "transfers", "difference", "whatif", "events"}) {
        for (const QSize size : {QSize(1024, 768), QSize(1280, 800), QSize(1920, 1080)}) {
            Fixture fixture;
            fixture.gateway->traceResult = testing::makeLoopTrace({12, 60, 4});
            ASSERT_TRUE(fixture.load(PageId::trace, size));
            fixture.context.traces.wantTab(QString::fromLatin1(part));
            fixture.context.openTrace(QStringLiteral("/nowhere/loop.json"));
            ASSERT_TRUE(fixture.settle());
            SCOPED_TRACE(part);
            lint(fixture.window);
        }
    }
}

TEST(LayoutLintOfTraces, FindsNothingInAWhatIfWithPredictions)
{
    for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1920, 1080)})
        for (const int text : {theme::kDefaultTextSize, theme::kMaxTextSize}) {
            theme::Theme::instance().setTextSize(text);
            Fixture fixture;
            fixture.gateway->traceResult = testing::makeLoopTrace({12, 60, 4});
            ASSERT_TRUE(fixture.load(PageId::trace, size));
            fixture.context.traces.wantTab(QStringLiteral("whatif"));
            fixture.context.openTrace(QStringLiteral("/nowhere/loop.json"));
            ASSERT_TRUE(fixture.settle());
            auto* tab = fixture.window.findChild<WhatIfTab*>();
            ASSERT_TRUE(tab);
            for (const char* change : {"copies=remove", "graph", "kernel:none=2"}) {
                tab->add(QString::fromLatin1(change));
                ASSERT_TRUE(fixture.settle());
            }
            lint(fixture.window);
            EXPECT_LE(tab->minimumSizeHint().width(), tab->width()) << size.width() << " at " << text;
        }
    theme::Theme::instance().setTextSize(theme::kDefaultTextSize);
}

TEST_P(LayoutLint, FindsNothingAt1280By800)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(page(), {1280, 800}));
    lint(fixture.window);
}

/// The parts that need more than nine tenths of the page's own need, to tell what makes a page too wide.
std::string widestPart(const QWidget& page)
{
    const int need = page.minimumSizeHint().width();
    std::string parts = std::to_string(need);
    for (const QWidget* widget : page.findChildren<QWidget*>())
        if (const int own = std::max(widget->minimumWidth(), widget->minimumSizeHint().width()); own > need * 9 / 10)
            parts += QStringLiteral("; %1 “%2” %3")
                         .arg(QLatin1String(widget->metaObject()->className()), widget->accessibleName())
                         .arg(own)
                         .toStdString();
    return parts;
}

TEST_P(LayoutLint, FindsNothingAt1024By768)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(page(), {1024, 768}));
    EXPECT_EQ(fixture.window.size(), QSize(1024, 768)) << "the page needs more";
    EXPECT_LE(fixture.window.minimumSizeHint().width(), 1024) << widestPart(*fixture.window.currentPage());
    EXPECT_LE(fixture.window.minimumSizeHint().height(), 768);
    lint(fixture.window);
}

TEST_P(LayoutLint, FindsNothingInTheLargestText)
{
    theme::Theme::instance().setTextSize(theme::kMaxTextSize);
    Fixture fixture;
    ASSERT_TRUE(fixture.load(page(), {1280, 800}));
    EXPECT_LE(fixture.window.minimumSizeHint().width(), 1280) << widestPart(*fixture.window.currentPage());
    lint(fixture.window);
}

TEST_P(LayoutLint, FindsNothingAt1920By1080)
{
    Fixture fixture;
    ASSERT_TRUE(fixture.load(page(), {1920, 1080}));
    lint(fixture.window);
}

TEST_P(LayoutLint, FindsNothingInLargeText)
{
    theme::Theme::instance().setTextSize(16);
    Fixture fixture;
    ASSERT_TRUE(fixture.load(page(), {1600, 1000}));
    lint(fixture.window);
}

TEST_P(LayoutLint, FindsNothingInAnEmptyWorkspace)
{
    Fixture fixture;
    fixture.gateway->state = {};
    fixture.gateway->state.exists = false;
    ASSERT_TRUE(fixture.load(page(), {1280, 800}));
    lint(fixture.window);
}

TEST_P(LayoutLint, FindsNothingWhileASweepRuns)
{
    Fixture fixture;
    fixture.gateway->state.snapshot = testing::makeSyntheticStudy({5, true, false, true});
    ASSERT_TRUE(fixture.load(page(), {1280, 800}));
    lint(fixture.window);
}

} // namespace
} // namespace apertune::gui
