// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/shortcuts.h"
#include "app/gui/shell/page_table.h"
#include "core/base/files.h"
#include "tests/app/gui/bench.h"
#include "tests/support/section.h"

#include <QFile>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>

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
    const auto header = base::readFile(APERTUNE_SOURCES "/app/gui/session/page_spec.h");
    ASSERT_TRUE(header);
    const std::regex constant(R"re(PageId PageId::\w+\{"([^"]+)"\})re");
    std::size_t count = 0;
    for (std::sregex_iterator at(header->begin(), header->end(), constant), end; at != end; ++at, ++count)
        EXPECT_NE(findPage(pageTable(), QString::fromStdString((*at)[1])), nullptr) << (*at)[1];
    EXPECT_GT(count, 0u);
}

TEST(PageTable, TheManualListsThePagesInTheOrderOfTheRail)
{
    std::string table = "| page | question |\n|---|---|\n";
    for (const PageSpec& page : pageTable()) {
        const std::string name(page.id.name());
        const auto text = base::readFile(APERTUNE_SOURCES "/resources/manual/window/" + name + ".md");
        ASSERT_TRUE(text) << name;
        std::istringstream lines(*text);
        std::string title, empty, question;
        std::getline(lines, title);
        std::getline(lines, empty);
        std::getline(lines, question);
        EXPECT_EQ(title, std::string("# ") + page.label) << name;
        EXPECT_TRUE(empty.empty() && question.ends_with('?')) << name << ".md begins with a title and a question";
        table += "| [" + std::string(page.label) + "](" + name + ".md) | " + question + " |\n";
    }
    test::expectSection(APERTUNE_SOURCES "/resources/manual/window/index.md", "pages", table);
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
