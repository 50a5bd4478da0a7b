// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/algorithm.h"
#include "tests/core/search/replays.h"

#include <gtest/gtest.h>

namespace apertune::search {
namespace {

using namespace test;

TEST(GridSearch, MeasuresEveryConfigurationAndFindsTheBest)
{
    const BruteTable table = quietTable({900, 1000, 500});
    const Replay r = search(table, Algorithm::grid, table.task());
    EXPECT_EQ(r.probes, 24);
    EXPECT_EQ(r.winner, table.best());
    EXPECT_EQ(r.regret, 0);
}

TEST(SuitableSearch, RacesLargeGridsAndMeasuresEveryConfigurationOfSmallOnesOrWithoutABudget)
{
    EXPECT_EQ(suitable(kFewConfigurations, base::fromSeconds(120)), Algorithm::grid);
    EXPECT_EQ(suitable(kFewConfigurations + 1, base::fromSeconds(120)), Algorithm::racing);
    EXPECT_EQ(suitable(2000, {}), Algorithm::grid);
}

TEST(SuitableSearch, RacesFewConfigurationsForWhichABudgetIsShort)
{
    EXPECT_EQ(suitable(15, base::fromSeconds(75)), Algorithm::grid) << "5 s each";
    EXPECT_EQ(suitable(15, base::fromSeconds(40)), Algorithm::racing);
    EXPECT_EQ(suitable(15, base::fromSeconds(20)), Algorithm::grid) << "the last turns alone would take that";
}

TEST(RandomSearch, StopsAtItsBudgetAndSaysWhatItLeft)
{
    const BruteTable table = quietTable({900, 1000, 500});
    SearchTask task = table.task();
    task.measuring = base::fromSeconds(30);
    const Replay r = search(table, Algorithm::random, task);
    EXPECT_EQ(r.probes, 3) << "10.5 s each";
    EXPECT_EQ(kindsOf(r), std::set<model::ReasonKind>{model::ReasonKind::budget});
}

TEST(Halving, KeepsToItsBudgetAndFindsTheBestOfAQuietGrid)
{
    const BruteTable table = quietTable({900, 1000, 500, 300, 700});
    SearchTask task = table.task();
    task.measuring = base::fromSeconds(120);
    const Replay r = search(table, Algorithm::halving, task);
    EXPECT_EQ(r.winner, table.best());
    EXPECT_LE(r.measuring.seconds(), 132);
}

TEST(Replay, GivesEqualAnswersToEqualSeeds)
{
    BruteTable table = quietTable({1000, 990, 980});
    table.noise = {0.01, 0.05, 0.15};
    const Replay a = race(table, 5);
    const Replay b = race(table, 5);
    EXPECT_EQ(a.winner, b.winner);
    EXPECT_EQ(a.measuring, b.measuring);
    EXPECT_EQ(a.wall, b.wall);
}

TEST(Replay, ChargesForLoadingCompilingAndMeasuring)
{
    BruteTable table = quietTable({1000}, 5, 2);
    table.groups[0].compile = base::fromSeconds(30);
    TableMachine machine(table, 1);
    const ProbeResult first = machine.answer({0, 2, base::fromSeconds(1), base::fromSeconds(0.5), false});
    EXPECT_NEAR(first.measuring.seconds(), 2.5, 0.05);
    EXPECT_NEAR(first.wall.seconds(), 30 + 1 + 0.1 + 2.5, 0.05);
    const ProbeResult again = machine.answer({0, 1, base::fromSeconds(1), {}, false});
    EXPECT_NEAR(again.wall.seconds(), 1, 0.05) << "still open, compiled already";
}

TEST(Replay, DrawsBlocksFromRecordedSamples)
{
    BruteTable table = quietTable({1000}, 5, 1);
    table.configurations[0].samples = {1e6, 2e6, 3e6};
    TableMachine machine(table, 4);
    const ProbeResult r = machine.answer({0, 6, base::fromMilliseconds(1), {}, false});
    EXPECT_EQ(std::multiset<double>(r.passNs.begin(), r.passNs.end()),
              (std::multiset<double>{1e6, 1e6, 2e6, 2e6, 3e6, 3e6}));
}

TEST(Replay, ALongBlockIsTheMeanOfSeveralRecordedOnes)
{
    BruteTable table = quietTable({1000}, 5, 1);
    table.configurations[0].samples = {1e6, 2e6, 3e6};
    table.configurations[0].block = base::fromMilliseconds(20);
    TableMachine machine(table, 4);
    const ProbeResult r = machine.answer({0, 2, base::fromMilliseconds(60), {}, false});
    for (const double passNs : r.passNs)
        EXPECT_NEAR(passNs, 2e6, 1);
}

} // namespace
} // namespace apertune::search
