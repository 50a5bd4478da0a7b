// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "tests/core/search/replays.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::search::bench {
namespace {

using test::quietTable;

TEST(BruteTable, SeveralStandInOneFile)
{
    const auto folder = base::TemporaryDir::create("tables").value();
    const auto file = folder.path() / "tables.json";
    const std::vector<BruteTable> tables{quietTable({1000}), quietTable({500, 700})};
    ASSERT_TRUE(base::writeFileAtomically(file, toJson(tables).dump()));
    const auto read = loadTables(file);
    ASSERT_TRUE(read) << sentences::sentence(read.error().message);
    EXPECT_EQ(toJson(*read), toJson(tables));
    ASSERT_TRUE(base::writeFileAtomically(file, R"({"schema": "apertune.tables/1", "tables": []})"));
    EXPECT_FALSE(loadTables(file));
}

TEST(BruteTable, SurvivesItsDocument)
{
    BruteTable table = quietTable({1000, 500}, 3, 4);
    table.name = "a table";
    table.memory = base::Bytes{1 << 30};
    table.goal.maxLatency = base::fromMilliseconds(20);
    table.groups[1].plain = 0;
    table.configurations[2].samples = {1.5, 2.25};
    table.configurations[2].block = base::fromMilliseconds(20);
    table.configurations[3].failure = {model::ReasonKind::outOfMemory,
                                       base::foreignText("The device ran out of memory.")};
    const auto again = tableFromJson(toJson(table));
    ASSERT_TRUE(again) << sentences::sentence(again.error().message);
    EXPECT_EQ(toJson(*again), toJson(table));
}

TEST(BruteTable, RefusesADamagedDocument)
{
    const base::Json good = toJson(quietTable({1000}, 1, 2));
    base::Json bad = good;
    bad["cells"][0]["family"] = 7;
    EXPECT_FALSE(tableFromJson(bad));
    bad = good;
    bad["cells"][0]["pass_ns"] = -1;
    EXPECT_FALSE(tableFromJson(bad));
    bad = good;
    bad.erase("families");
    EXPECT_FALSE(tableFromJson(bad));
    EXPECT_FALSE(tableFromJson(base::Json::array()));
}

TEST(ShareInterval, IsWilsons)
{
    const model::Interval share = shareInterval(95, 100);
    EXPECT_NEAR(share.lo, 0.888, 0.001);
    EXPECT_NEAR(share.hi, 0.978, 0.001);
}

} // namespace
} // namespace apertune::search::bench
