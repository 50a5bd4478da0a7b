// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/shortcuts.h"
#include "app/gui/shell/page_table.h"
#include "tests/app/gui/bench.h"

#include <QFile>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace apertune::gui {
namespace {

using testing::Fixture;

TEST(PageTable, NamesLabelsAndShortcutsAreUnique)
{
    std::set<std::string> names;
    std::set<QString> labels;
    std::set<int> shortcuts;
    for (const PageSpec& page : pageTable()) {
        EXPECT_TRUE(names.insert(testing::testName(page.id)).second) << page.id.name();
        EXPECT_TRUE(labels.insert(page.shownLabel()).second) << page.id.name();
        EXPECT_TRUE(shortcuts.insert(page.shortcut.toCombined()).second) << page.id.name();
        EXPECT_FALSE(page.shownLabel().isEmpty()) << page.id.name();
    }
}

TEST(PageTable, EveryPageThatOthersLeadToIsThere)
{
    for (const PageId id : {PageId::start, PageId::model, PageId::sweep, PageId::live, PageId::tradeoffs, PageId::trial,
                            PageId::trace, PageId::compare, PageId::claims, PageId::exportTrial, PageId::settings}) {
        EXPECT_EQ(
            std::count_if(pageTable().begin(), pageTable().end(), [id](const PageSpec& page) { return page.id == id; }),
            1)
            << id.name();
    }
}

TEST(PageTable, EachEntryMakesItsOwnPageAndHasAnIcon)
{
    Fixture fixture;
    for (const PageSpec& page : pageTable()) {
        const std::unique_ptr<Page> made(page.make(fixture.context, nullptr));
        EXPECT_TRUE(made->id() == page.id) << page.id.name() << " makes " << made->id().name();
        EXPECT_TRUE(QFile::exists(QStringLiteral(":/apertune/icons/%1.svg").arg(QLatin1String(page.icon))))
            << page.icon;
    }
}

TEST(PageTable, NoShortcutOfAPageMeansSomethingElseInTheWindow)
{
    for (const PageSpec& page : pageTable())
        for (const controls::KeyBinding& binding : windowKeys())
            EXPECT_EQ(std::count(binding.keys.begin(), binding.keys.end(), page.shortcut), 0) << page.id.name();
}

TEST(PageTable, IsSearchedByNameWithOrWithoutHyphens)
{
    for (const char* name : {"trade-offs", "tradeoffs"}) {
        const PageSpec* page = findPage(pageTable(), QLatin1String(name));
        ASSERT_NE(page, nullptr) << name;
        EXPECT_TRUE(page->id == PageId::tradeoffs);
    }
    EXPECT_EQ(findPage(pageTable(), QStringLiteral("trade_offs")), nullptr);
}

} // namespace
} // namespace apertune::gui
