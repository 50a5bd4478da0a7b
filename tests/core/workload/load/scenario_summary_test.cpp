// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/load/scenario_summary.h"
#include "tests/core/workload/load/virtual_machine.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::workload {
namespace {

using testing::ms;
using testing::VirtualMachine;

/// `n` queries a millisecond apart that do not wait, every `each`-th slow.
std::vector<Served> runOf(int n, double fastMs, int each = 0, double slowMs = 0)
{
    std::vector<Served> run;
    for (int i = 0; i < n; ++i) {
        const double took = each > 0 && i % each == 0 ? slowMs : fastMs;
        run.push_back({{ms(i)}, ms(i), ms(i + took), false});
    }
    return run;
}

TEST(EarlyStopping, NeedsTheSampleSizesThatMlperfNames)
{
    EXPECT_FALSE(allowedOver(458, 0.99));
    EXPECT_EQ(allowedOver(459, 0.99), 0);
    EXPECT_EQ(allowedOver(661, 0.99), 0);
    EXPECT_EQ(allowedOver(662, 0.99), 1);
    EXPECT_FALSE(allowedOver(43, 0.9));
    EXPECT_EQ(allowedOver(44, 0.9), 0);
}

TEST(EarlyStopping, ManyQueriesLeaveAlmostTheWholeShare)
{
    const auto allowed = allowedOver(100'000, 0.99);
    ASSERT_TRUE(allowed);
    EXPECT_LT(*allowed, 1000);
    EXPECT_GT(*allowed, 900);
}

TEST(EarlyStopping, ABoundIsKeptBrokenOrOpen)
{
    EXPECT_EQ(boundKept(10'000, 50, 0.99), BoundKept::yes);
    EXPECT_EQ(boundKept(10'000, 100, 0.99), BoundKept::cannotTell);
    EXPECT_EQ(boundKept(10'000, 150, 0.99), BoundKept::no);
    EXPECT_EQ(boundKept(100, 0, 0.99), BoundKept::cannotTell);
    EXPECT_EQ(boundKept(100, 50, 0.99), BoundKept::no) << "few are enough when half are late";
}

TEST(ScenarioSummary, APercentileOfTooFewQueriesHasNoConfidence)
{
    const Scenario s = defaultScenario(ScenarioKind::server);
    EXPECT_EQ(summarize(s, runOf(100, 1), 1).latencyNs.confidence, 0);
    EXPECT_GT(summarize(s, runOf(300, 1), 1).latencyNs.confidence, 0);
    EXPECT_FALSE(summarize(s, runOf(100, 1), 1).p99Ns);
    EXPECT_TRUE(summarize(s, runOf(100, 1), 1).p90Ns);
}

TEST(ScenarioSummary, ARateThatBringsTooFewQueriesIsToldBeforeItIsRun)
{
    Scenario s = defaultScenario(ScenarioKind::server);
    s.duration = base::fromSeconds(10);
    s.rate = 5;
    const auto few = tooFewQueries(s);
    ASSERT_TRUE(few);
    EXPECT_DOUBLE_EQ(few->expected, 50);
    EXPECT_EQ(few->needed, 299);
    EXPECT_NEAR(few->duration.seconds(), 59.8, 1e-6);
    s.duration = few->duration + base::fromSeconds(0.001);
    EXPECT_FALSE(tooFewQueries(s));
    s.duration = base::fromSeconds(10);
    s.percentile = 0.9;
    EXPECT_FALSE(tooFewQueries(s)) << "50 are enough for p90";
    s.percentile = 0.99;
    s.rate = 0;
    EXPECT_FALSE(tooFewQueries(s)) << "a search makes its runs as long as it needs";
    EXPECT_FALSE(tooFewQueries(defaultScenario(ScenarioKind::offline)));
}

TEST(ScenarioSummary, TellsLatencyRateAndShareOfAnEvenRun)
{
    Scenario s = defaultScenario(ScenarioKind::server);
    s.bound = ms(2);
    const ScenarioSummary summary = summarize(s, runOf(2000, 0.5, 50, 3), 1);
    EXPECT_EQ(summary.answered, 2000);
    EXPECT_DOUBLE_EQ(summary.p50Ns.value_or(0), 0.5e6);
    EXPECT_DOUBLE_EQ(summary.latencyNs.value, 3e6);
    EXPECT_NEAR(summary.perSecond.value, 1000, 5);
    EXPECT_LE(summary.perSecond.lo, summary.perSecond.value);
    EXPECT_GE(summary.perSecond.hi, summary.perSecond.value);
    EXPECT_EQ(summary.over, 40);
    EXPECT_EQ(summary.bound, BoundKept::no) << "2 % are over";
    EXPECT_NEAR(summary.computedNs.value, 0.55e6, 1e3);
    EXPECT_DOUBLE_EQ(summary.waitedNs.value, 0);
    EXPECT_NEAR(summary.busy, 0.55, 0.01);
}

TEST(ScenarioSummary, DroppedQueriesAreOverTheBound)
{
    Scenario s = defaultScenario(ScenarioKind::server);
    s.bound = ms(2);
    auto run = runOf(2000, 0.5);
    for (std::size_t i = 1000; i < 1100; ++i)
        run[i].dropped = true;
    const ScenarioSummary summary = summarize(s, run, 1);
    EXPECT_EQ(summary.over, 100);
    EXPECT_EQ(summary.answered, 1900);
    EXPECT_EQ(summary.bound, BoundKept::no);
}

TEST(ScenarioSummary, ARunInWhichNothingWasAnsweredIsStillOne)
{
    Scenario s = defaultScenario(ScenarioKind::server);
    s.bound = ms(2);
    const ScenarioSummary summary = summarize(s, {{{ms(0)}, {}, {}, true}, {{ms(1)}, {}, {}, true}}, 1);
    EXPECT_EQ(summary.answered, 0);
    EXPECT_EQ(summary.over, 2);
    EXPECT_EQ(toJson(summary)["answered"], 0);
}

TEST(Frames, AreMissedWhenLateOrDropped)
{
    Scenario s = defaultScenario(ScenarioKind::camera);
    s.deadline = ms(20);
    const std::vector<Served> run{
        {{ms(0)}, ms(0), ms(10), false},    {{ms(30)}, ms(30), ms(55), false},    {{ms(60)}, {}, {}, true},
        {{ms(90)}, ms(90), ms(100), false}, {{ms(120)}, ms(120), ms(140), false},
    };
    const ScenarioSummary summary = summarize(s, run, 1);
    ASSERT_TRUE(summary.frames);
    EXPECT_EQ(summary.frames->late, 1) << "one that is exactly in time is in time";
    EXPECT_EQ(summary.frames->dropped, 1);
    EXPECT_DOUBLE_EQ(summary.frames->missShare, 0.4);
    EXPECT_DOUBLE_EQ(summary.frames->maxAgeMs, 70) << "the frame of 30 ms is the newest result until 100 ms";
}

TEST(Frames, AreAsStaleAsTheLatencyAndHalfAPeriodWhenAllIsWell)
{
    Scenario s = defaultScenario(ScenarioKind::camera);
    s.fps = 100;
    s.jitter = 0;
    s.duration = base::fromSeconds(5);
    VirtualMachine machine(ms(4));
    const auto run = serve(arrivals(s, 0), policyOf(s, 1), machine, {});
    ASSERT_TRUE(run.ok());
    const ScenarioSummary summary = summarize(s, run.value(), 1);
    ASSERT_TRUE(summary.frames);
    EXPECT_NEAR(summary.frames->meanAgeMs.value, 4 + 10.0 / 2, 0.01);
    EXPECT_EQ(summary.frames->missShare, 0);
    EXPECT_NEAR(summary.busy, 0.4, 0.01);
}

} // namespace
} // namespace apertune::workload
