// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/algorithm.h"
#include "core/sentences/sentences.h"
#include "tests/core/search/replays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <random>

namespace apertune::search {
namespace {

using namespace test;

std::size_t groupsMeasured(const BruteTable& table, const Replay& replay)
{
    std::set<std::size_t> seen;
    for (std::size_t configuration = 0; configuration < table.configurations.size(); ++configuration)
        if (replay.outcome.configurations[configuration].state == ConfigurationOutcome::State::measured)
            seen.insert(table.configurations[configuration].group);
    return seen.size();
}

TEST(Racing, FindsTheBestOfAQuietGridForATenthOfTheTime)
{
    const BruteTable table = quietTable({900, 1000, 500, 300, 700, 990, 200, 650});
    const Replay r = race(table);
    EXPECT_EQ(r.winner, table.best());
    EXPECT_LE(r.measuring.seconds(), 0.10 * bruteCost(table).measuring.seconds());
    ASSERT_TRUE(r.outcome.runnerUp);
    EXPECT_GT(r.outcome.ratio.lo, 1) << "confirmed beside the runner-up";
    EXPECT_EQ(r.outcome.ratio.confidence, 0.95);
}

TEST(Racing, TellsOfEveryConfigurationWhatBecameOfItWithTheNumbers)
{
    const BruteTable table = quietTable({1000, 300, 650});
    const Replay r = race(table);
    for (const ConfigurationOutcome& configurationOutcome : r.outcome.configurations) {
        EXPECT_NE(configurationOutcome.state, ConfigurationOutcome::State::untouched);
        if (configurationOutcome.state == ConfigurationOutcome::State::pruned) {
            EXPECT_NE(sentences::sentence(configurationOutcome.reason.message).find_first_of("0123456789"),
                      std::string::npos)
                << sentences::sentence(configurationOutcome.reason.message);
        }
    }
}

TEST(Racing, FindsTheMemoryEdgeOfRandomModelsWithAtMostOneOutOfMemory)
{
    std::mt19937_64 random(7);
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
    };
    int exact = 0;
    for (int run = 0; run < 200; ++run) {
        BruteTable table = quietTable({1000}, 11, 12); // more is always better: the edge is the best
        const double fixed = uniform(100, 2000);
        const double each = std::exp(uniform(std::log(1), std::log(300)));
        table.memory = base::Bytes{std::int64_t{8} << 30};
        std::optional<std::size_t> edge;
        for (std::size_t i = 0; i < table.configurations.size(); ++i) {
            auto& configuration = table.configurations[i];
            // Allocators round, so the peaks lie off the line by up to 2 %.
            const double peak = (fixed + each * configuration.batch) * (1 + uniform(-0.02, 0.02));
            configuration.peak = base::Bytes{static_cast<std::int64_t>(peak * 1024 * 1024)};
            if (*configuration.peak > *table.memory)
                configuration.failure = {model::ReasonKind::outOfMemory};
            else
                edge = i;
        }
        const Replay r = race(table, static_cast<std::uint64_t>(run));
        exact += r.winner == edge;
        EXPECT_LE(r.mostOfOneGroup, 1);
    }
    std::cout << "Memory edge exact in " << exact << " of 200 models.\n";
    EXPECT_GE(exact, 190);
}

TEST(Racing, LooksForNoEdgeWhereAnotherGroupHadRoomSeveralTimesOver)
{
    BruteTable table = quietTable({1000, 300, 280}); // 13 GiB at the largest batch
    const int without = race(table).probes;
    table.memory = base::Bytes{std::int64_t{64} << 30};
    EXPECT_EQ(race(table).probes, without + 1) << "the first group is opened at its smallest batch, the others not";
    table.memory = base::Bytes{std::int64_t{24} << 30};
    EXPECT_GT(race(table).probes, without + 3) << "with less room every group is";
}

TEST(Racing, StepsDownWhenThePredictedEdgeRunsOutOfMemory)
{
    BruteTable table = quietTable({1000}, 7);
    table.memory = base::Bytes{std::int64_t{32} << 30};
    table.configurations[7].failure = {model::ReasonKind::outOfMemory}; // a work area that small batches do not need
    const Replay r = race(table);
    EXPECT_EQ(r.winner, std::optional<std::size_t>(6));
    EXPECT_EQ(r.outcome.configurations[7].state, ConfigurationOutcome::State::failed);
    EXPECT_EQ(r.outOfMemory, 1);
}

TEST(Racing, BisectsALatencyBound)
{
    BruteTable table = quietTable({1000, 960}, 9, 10);
    table.goal.maxLatency = base::Nanoseconds{static_cast<std::int64_t>(table.configurations[4].passNs * 1.01)};
    const Replay r = race(table);
    EXPECT_EQ(r.winner, table.best());
    EXPECT_TRUE(kindsOf(r).contains(model::ReasonKind::latency));
    EXPECT_LE(r.outcome.configurations[9].blocks, 2) << "what breaks the bound is not measured twice";
}

TEST(Racing, MinimisesLatencyFromTheSmallestBatch)
{
    BruteTable table = quietTable({500, 1000, 800}, 3, 10);
    table.goal.objective = model::Objective::latency;
    const Replay r = race(table);
    EXPECT_EQ(r.winner, table.best());
    EXPECT_EQ(r.outcome.configurations[5].state, ConfigurationOutcome::State::pruned);
}

TEST(Racing, MinimisesMemoryWithoutARace)
{
    BruteTable table = quietTable({500, 1000}, 5, 6);
    table.goal.objective = model::Objective::memory;
    table.configurations[6].peak = base::Bytes{1 << 20};
    const Replay r = race(table);
    EXPECT_EQ(r.winner, std::optional<std::size_t>(6));
    EXPECT_LE(r.measuring.seconds(), 5);
}

TEST(Racing, NeverOpensAGroupWhoseCeilingLiesBelowTheLeader)
{
    const BruteTable table = quietTable({1000, 990});
    SearchTask task = table.task();
    task.groups[1].ceiling = 800;
    const Replay r = search(table, Algorithm::racing, task);
    EXPECT_EQ(kindsOf(r).count(model::ReasonKind::bound), 1u);
    for (std::size_t configuration = 8; configuration < 16; ++configuration)
        EXPECT_EQ(r.outcome.configurations[configuration].state, ConfigurationOutcome::State::pruned);
}

TEST(Racing, LooksAtEveryGroupBeforeASmallBudgetIsSpentOnTheFirst)
{
    const BruteTable table = quietTable({6, 7, 5, 8, 6, 30}, 3, 4); // seconds a pass
    SearchTask task = table.task();
    task.measuring = base::fromSeconds(25); // walking each group to its end takes over 32
    const Replay r = search(table, Algorithm::racing, task);
    EXPECT_EQ(groupsMeasured(table, r), table.groups.size());
    EXPECT_EQ(r.winner, table.best());
}

TEST(Racing, BeginsASlowModelAtBatchesThatABudgetHasTimeFor)
{
    std::vector<double> rates(20, 8.0); // samples a second: a look at the largest batch takes seconds
    rates[10] = 20;
    const BruteTable table = quietTable(rates, 3, 4);
    SearchTask task = table.task();
    task.measuring = base::fromSeconds(40);
    const Replay r = search(table, Algorithm::racing, task);
    EXPECT_EQ(groupsMeasured(table, r), table.groups.size());
    EXPECT_EQ(r.winner, table.best());
    EXPECT_LE(r.measuring.seconds(), 48) << "a look or a turn may be longer than what is left";
}

TEST(Racing, WhoLeadsGoesOnBeforeABudgetEndsInTheGroupsThatHaveNotBegun)
{
    std::vector<double> rates(20, 5.0); // samples a second: looking at one batch of each takes the budget
    rates.back() = 30;                  // begins first
    const BruteTable table = quietTable(rates, 3, 4);
    SearchTask task = table.task();
    task.measuring = base::fromSeconds(30);
    const Replay r = search(table, Algorithm::racing, task);
    EXPECT_EQ(r.winner, table.best()) << "its largest batch, not the one that it began with";
}

TEST(Racing, GroupsFarBehindGetOneLookUntilTheBestHaveTheirs)
{
    // Ten of half the speed, one that compiles and so begins last, and the one that leads until then.
    const auto msPerSample = [](std::size_t group, int batch) {
        if (group < 10)
            return 55.0;
        if (group == 10)
            return batch == 1 ? 34.0 : batch == 8 ? 28.0 : 30.0;
        return batch == 1 ? 33.0 : 30.0;
    };
    SearchTask task;
    for (std::size_t group = 0; group < 12; ++group) {
        task.groups.push_back({"group " + std::to_string(group), {}, {}, {}});
        for (const int batch : {1, 8, 16})
            task.configurations.push_back({group, batch});
    }
    task.groups[10].compile = base::fromSeconds(1);
    task.measuring = base::fromSeconds(60); // two looks at each do not fit
    const auto searcher = makeSearcher(Algorithm::racing, task, 1);
    std::set<std::size_t> seen;
    while (const auto probe = searcher->next()) {
        const SearchConfiguration& configuration = task.configurations[probe->configuration];
        const double pass = msPerSample(configuration.group, configuration.batch) * configuration.batch;
        const auto blocks = static_cast<std::size_t>(std::max(1, probe->blocks));
        ProbeResult result;
        result.passNs.assign(blocks, pass * 1e6);
        const double firstProbe =
            seen.insert(probe->configuration).second ? 6 * pass : 0; // loading, warm-up, outputs compared
        result.measuring = result.wall = base::fromMilliseconds(firstProbe + static_cast<double>(blocks) * pass);
        searcher->tell(result);
    }
    ASSERT_TRUE(searcher->outcome().winner);
    EXPECT_EQ(task.configurations[*searcher->outcome().winner].group, 10U);
    EXPECT_EQ(task.configurations[*searcher->outcome().winner].batch, 8);
}

TEST(Racing, CompilesWhatCouldNotBeMeasuredWithoutCompiling)
{
    BruteTable table = quietTable({1000, 200, 1500});
    table.groups[2].compile = base::fromSeconds(60);
    table.groups[2].plain = 1;
    for (std::size_t configuration = 8; configuration < 16; ++configuration)
        table.configurations[configuration].failure = {model::ReasonKind::modelThrew,
                                                       base::foreignText("could not add op to the graph")};
    const Replay r = race(table);
    EXPECT_EQ(table.configurations[*r.winner].group, 2u);
}

TEST(Racing, CompilesWhatIsBehindALargerBatchAlone)
{
    // A pass takes as long whatever the batch, as on a GPU that waits for launches. With a budget, the plain group is
    // probed at its smallest batch alone, where it makes an eighth of what the leader makes with the largest.
    SearchTask task;
    task.measuring = base::fromSeconds(20);
    const std::array passMs{20.0, 25.0, 8.0};
    for (std::size_t group = 0; group < passMs.size(); ++group) {
        task.groups.push_back({"group " + std::to_string(group), {}, {}, {}});
        for (const int batch : {1, 2, 4, 8})
            task.configurations.push_back({group, batch});
    }
    task.groups[2].compile = base::fromSeconds(30);
    task.groups[2].plain = 1;
    const auto searcher = makeSearcher(Algorithm::racing, task, 1);
    while (const auto probe = searcher->next()) {
        const double pass = passMs[task.configurations[probe->configuration].group];
        ProbeResult result;
        result.passNs.assign(static_cast<std::size_t>(std::max(1, probe->blocks)), pass * 1e6);
        result.measuring = result.wall = base::fromMilliseconds(100 + 10 * pass);
        searcher->tell(result);
    }
    ASSERT_TRUE(searcher->outcome().winner);
    EXPECT_EQ(task.configurations[*searcher->outcome().winner].group, 2U);
    EXPECT_EQ(task.configurations[*searcher->outcome().winner].batch, 8);
}

TEST(Racing, CompilesOnlyWhatMayWinWithinTheBudget)
{
    BruteTable table = quietTable({1000, 200, 1500, 1200});
    table.groups[2].compile = base::fromSeconds(60); // the winner, if there is time
    table.groups[3].compile = base::fromSeconds(20);
    table.groups[3].plain = 1; // its sibling is five times slower than the leader
    const Replay free = race(table);
    EXPECT_EQ(table.configurations[*free.winner].group, 2u);
    EXPECT_EQ(free.outcome.configurations[24].reason.kind, model::ReasonKind::compileCost);
    SearchTask task = table.task();
    task.wall = base::fromSeconds(70);
    const Replay hurried = search(table, Algorithm::racing, task);
    EXPECT_EQ(table.configurations[*hurried.winner].group, 0u);
    EXPECT_EQ(hurried.outcome.configurations[16].reason.kind, model::ReasonKind::compileCost);
    EXPECT_LE(hurried.wall.seconds(), 70);
}

/// Three engines, two of which have to convert the model first. Every engine has a slow and a fast group.
SearchTask threeEngines(base::Nanoseconds wall)
{
    SearchTask task;
    task.goal.objective = model::Objective::latency;
    task.wall = task.measuring = wall;
    for (const auto& [engine, convert] : {std::pair{"plain", 0.0},
                                          {"long to convert", 6.0},
                                          {"short to convert", 2.0},
                                          {"plain", 0.0},
                                          {"plain", 0.0}}) {
        task.configurations.push_back({task.groups.size(), 1});
        task.groups.push_back({"group " + std::to_string(task.groups.size()), {}, {}, {}});
        task.groups.back().engine = engine;
        task.groups.back().convert = base::fromSeconds(convert);
    }
    return task;
}

/// The engines in the order in which a race first probes of them. A look takes a second, and a conversion `busy` times
/// as long as expected.
std::vector<std::string> looks(const SearchTask& task, double busy)
{
    const auto searcher = makeSearcher(Algorithm::racing, task, 1);
    std::vector<std::string> seen;
    while (const auto probe = searcher->next()) {
        const ConfigurationGroup& group = task.groups[task.configurations[probe->configuration].group];
        ProbeResult result;
        if (std::find(seen.begin(), seen.end(), group.engine) == seen.end()) {
            seen.push_back(group.engine);
            result.convert = base::fromSeconds(busy * group.convert.seconds());
        }
        result.passNs.assign(static_cast<std::size_t>(std::max(1, probe->blocks)), 10e6);
        result.measuring = result.wall = base::fromSeconds(1) + result.convert;
        searcher->tell(result);
    }
    return seen;
}

TEST(Racing, AShortBudgetSeesEveryEngineBeforeASecondGroupOfAny)
{
    EXPECT_EQ(looks(threeEngines(base::fromSeconds(15)), 1),
              (std::vector<std::string>{"plain", "short to convert", "long to convert"}));
    EXPECT_EQ(looks(threeEngines(base::fromSeconds(9)), 1), (std::vector<std::string>{"plain", "short to convert"}))
        << "the other conversion would not end in time";
}

TEST(Racing, WhatAnEarlierSearchFoundGoodIsProbedFirst)
{
    const BruteTable table = quietTable({900, 1000, 500, 300, 700, 990, 200, 650});
    SearchTask task = table.task();
    std::map<std::size_t, std::vector<int>> batches; // for each group, in the order of their first probes
    const auto groupsInOrder = [&] {
        batches.clear();
        const auto searcher = makeSearcher(Algorithm::racing, task, 1);
        TableMachine machine(table, 1);
        std::vector<std::size_t> groups;
        while (const auto probe = searcher->next()) {
            const SearchConfiguration& probed = task.configurations[probe->configuration];
            if (!batches.contains(probed.group))
                groups.push_back(probed.group);
            if (auto& own = batches[probed.group]; std::find(own.begin(), own.end(), probed.batch) == own.end())
                own.push_back(probed.batch);
            searcher->tell(machine.answer(*probe));
        }
        return groups;
    };
    EXPECT_EQ(groupsInOrder(), (std::vector<std::size_t>{0, 7, 6, 5, 4, 3, 2, 1}));
    EXPECT_EQ(batches[1].front(), 128);
    task.groups[1].known = {0.9, 8};
    task.groups[4].known = {1.1, 64};
    task.groups[6].known = {4.5, 64};
    task.groups[7].known = {1.4, 64};
    EXPECT_EQ(groupsInOrder(), (std::vector<std::size_t>{0, 1, 4, 5, 3, 2, 7, 6}))
        << "the good ones, the unknown ones, the worse ones";
    EXPECT_EQ(batches[1].front(), 8) << "its best batch";
    EXPECT_EQ(batches[1][1], 16) << "those nearest to it follow, the larger one first";
    task.groups[0].known = {1, 64};
    EXPECT_EQ(groupsInOrder().front(), 0u) << "the baseline stays first";
}

TEST(Racing, ConversionsOnABusyMachineAreExpectedToTakeAsLongAsTheLastOne)
{
    EXPECT_EQ(looks(threeEngines(base::fromSeconds(15)), 3), (std::vector<std::string>{"plain", "short to convert"}));
    const SearchTask task = threeEngines(base::fromSeconds(15));
    const auto searcher = makeSearcher(Algorithm::racing, task, 1);
    while (const auto probe = searcher->next()) {
        ProbeResult result;
        if (probe->configuration == 2 && searcher->outcome().configurations[2].blocks == 0)
            result.convert = base::fromSeconds(6);
        result.passNs.assign(static_cast<std::size_t>(std::max(1, probe->blocks)), 10e6);
        result.measuring = result.wall = base::fromSeconds(1) + result.convert;
        searcher->tell(result);
    }
    const model::Reason reason = searcher->outcome().configurations[1].reason;
    EXPECT_EQ(reason.kind, model::ReasonKind::compileCost);
    EXPECT_NE(sentences::sentence(reason.message).find("takes about 21.0 s"), std::string::npos)
        << sentences::sentence(reason.message);
}

TEST(Racing, ConfigurationsThatGiveFewerBlocksThanAskedRaceByThoseThatTheyGave)
{
    SearchTask task;
    task.goal.objective = model::Objective::latency;
    // There are so many configurations that a visit takes several blocks.
    for (std::size_t configuration = 0; configuration <= task.openAtOnce; ++configuration) {
        task.configurations.push_back({configuration, 1});
        task.groups.push_back({"group " + std::to_string(configuration), {}, {}, {}});
    }
    const auto searcher = makeSearcher(Algorithm::racing, task, 1);
    int most = 0;
    while (const auto probe = searcher->next()) {
        most = std::max(most, probe->confirm ? 0 : probe->blocks);
        ProbeResult slow; // a pass takes longer than what the blocks were to take together
        slow.passNs = {2e9 * (1 + 0.01 * static_cast<double>(probe->configuration))};
        slow.measuring = slow.wall = base::fromSeconds(2);
        searcher->tell(slow);
    }
    EXPECT_GT(most, 2) << "nothing was asked for that it did not get";
    EXPECT_EQ(searcher->outcome().winner, 0U);
    EXPECT_EQ(searcher->outcome().runnerUp, 1U);
}

TEST(Racing, WhoIsFarAheadIsLookedAtAgainForItsMedianAndItsInterval)
{
    SearchTask task;
    task.goal.objective = model::Objective::latency;
    for (std::size_t configuration = 0; configuration < 3; ++configuration) {
        task.configurations.push_back({configuration, 1});
        task.groups.push_back({"group " + std::to_string(configuration), {}, {}, {}});
    }
    const auto searcher = makeSearcher(Algorithm::racing, task, 1);
    while (const auto probe = searcher->next()) {
        ProbeResult result;
        result.passNs.assign(static_cast<std::size_t>(std::max(1, probe->blocks)),
                             probe->configuration == 1 ? 100e6 : 130e6);
        if (probe->configuration == 1 && searcher->outcome().configurations[1].blocks == 0)
            result.passNs.back() *= 2; // its first look seems slower than the others
        result.measuring = result.wall = base::fromSeconds(1);
        searcher->tell(result);
    }
    EXPECT_EQ(searcher->outcome().winner, 1U);
    EXPECT_EQ(searcher->outcome().configurations[1].passNs, 100e6) << "which is what a recommendation goes by";
    EXPECT_GE(searcher->outcome().configurations[1].blocks, 6) << "fewer have no interval";
}

TEST(Racing, ASearchWhereNothingRunsEndsWithoutAWinner)
{
    BruteTable table = quietTable({1000, 990});
    for (auto& configuration : table.configurations)
        configuration.failure = {model::ReasonKind::crash, base::foreignText("It fell over.")};
    const Replay r = race(table);
    EXPECT_FALSE(r.winner);
    EXPECT_EQ(r.probes, 4) << "two batches of each group";
}

/// The bar itself, on tables that the algorithm was not made with.
TEST(Racing, HoldsItsPromiseOnHeldOutTables)
{
    const auto tables = loadTables(APERTUNE_CURVES_HELD_OUT, 6);
    ASSERT_TRUE(tables) << sentences::sentence(tables.error().message);
    std::size_t sweeps = 0, near = 0;
    double measuring = 0, wall = 0, regret = 0, halving = 0;
    for (const BruteTable& table : *tables) {
        if (table.configurations.size() > 400)
            continue; // bench_search runs those too; here they would take minutes under a sanitizer
        const BruteCost brute = bruteCost(table);
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            SearchTask task = table.task();
            task.wall = {brute.wall.count / 5};
            const Replay r = search(table, Algorithm::racing, task, seed);
            SearchTask equal = table.task();
            equal.measuring = r.measuring;
            equal.wall = r.wall;
            halving += search(table, Algorithm::halving, equal, seed).regret;
            regret += r.regret;
            near += r.regret <= 0.02;
            measuring += r.measuring.seconds() / brute.measuring.seconds();
            wall += r.wall.seconds() / brute.wall.seconds();
            ++sweeps;
        }
    }
    const auto n = static_cast<double>(sweeps);
    EXPECT_GE(static_cast<double>(near) / n, 0.93) << "0.95 is the goal; " << sweeps << " sweeps leave ±3 points";
    EXPECT_LE(measuring / n, 0.10);
    EXPECT_LE(wall / n, 0.20);
    EXPECT_LE(regret, halving / 3);
}

} // namespace
} // namespace apertune::search
