// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/scenario_run.h"
#include "core/sentences/sentences.h"
#include "tests/core/study/study_fixture.h"

#include <nlohmann/json.hpp>

namespace apertune::runs {
namespace {

using base::ErrorCode;
using base::Json;
using workload::Scenario;
using workload::ScenarioKind;

/// Runs loads against a backend whose pass takes one millisecond. The machine may be busy, so counts and rules are
/// exact, and times are only bounded from below.
struct ScenarioRun : study::testing::StudyFixture
{
    ScenarioRun()
    {
        parent.model = request.model;
        trial.device = "cpu";
        trial.config = worker::testing::configuration(model::OptLevel::o1);
    }

    base::Result<ScenarioResult> run(const Scenario& scenario, const Json& script = {{"latency_ms", 1}})
    {
        artifact.write(script);
        return runScenario(
            {*launcher, compiler, devices, limits}, parent, trial, scenario,
            [this](study::Phase step, const base::Message&) {
                const std::string phase(toString(step));
                if (phases.empty() || phases.back() != phase)
                    phases.push_back(phase);
                if (stopAt == phase)
                    stop.request_stop();
            },
            stop.get_token());
    }

    static Scenario shortOf(ScenarioKind kind)
    {
        Scenario s = workload::defaultScenario(kind);
        s.duration = base::fromSeconds(0.5);
        return s;
    }

    model::Study parent;
    model::Trial trial;
    std::vector<std::string> phases;
    std::string stopAt;
};

TEST_F(ScenarioRun, SingleStreamAsksAsOftenAsItsPercentileNeeds)
{
    const auto result = run(shortOf(ScenarioKind::singleStream));
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    EXPECT_GE(result->summary.answered, 44) << "none of 44 over it makes a latency a bound of p90";
    EXPECT_GE(result->summary.latencyNs.value, 1e6);
    EXPECT_TRUE(result->summary.boundNs);
    EXPECT_EQ(result->summary.waitedNs.value, 0);
    EXPECT_FALSE(result->capacity);
    EXPECT_EQ(phases, (std::vector<std::string>{"load", "warm-up", "serve"}));
}

TEST_F(ScenarioRun, AMultiStreamQueryTakesAPassForEachBatchOfItsSamples)
{
    trial.config.batch = 2;
    Scenario s = shortOf(ScenarioKind::multiStream);
    s.percentile = 0.5;
    const auto result = run(s);
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    EXPECT_GE(result->summary.latencyNs.value, 4e6) << "eight samples, two a pass of 1 ms";
}

TEST_F(ScenarioRun, OfflineCountsSamplesNotPasses)
{
    trial.config.batch = 4;
    const auto result = run(shortOf(ScenarioKind::offline));
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    EXPECT_LE(result->summary.perSecond.value, 4000);
    EXPECT_NEAR(result->summary.perSecond.value * result->summary.span.seconds(),
                4.0 * static_cast<double>(result->summary.queries), 8);
}

TEST_F(ScenarioRun, TellsHowFarItIsAndWhatIsLeft)
{
    const auto progressOf = [&](const Scenario& scenario) {
        artifact.write({{"latency_ms", 1}});
        std::vector<LoadProgress> seen;
        const auto result = runScenario(
            {*launcher, compiler, devices, limits}, parent, trial, scenario, [](study::Phase, const base::Message&) {},
            {}, [&](const LoadProgress& progress) { seen.push_back(progress); });
        EXPECT_TRUE(result.ok()) << sentences::describe(result.error());
        return seen;
    };
    const auto once = progressOf(shortOf(ScenarioKind::offline));
    ASSERT_FALSE(once.empty());
    for (const LoadProgress& progress : once) {
        EXPECT_TRUE(progress.part >= 0 && progress.part <= 1) << progress.part;
        EXPECT_EQ(progress.leastLeft, progress.mostLeft) << "one run, one end";
    }
    EXPECT_GE(once.back().part, once.front().part);
    Scenario s = shortOf(ScenarioKind::server);
    s.percentile = 0.5;
    s.bound = base::fromMilliseconds(50);
    const auto searched = progressOf(s);
    ASSERT_FALSE(searched.empty());
    EXPECT_GT(searched.front().mostLeft, searched.front().leastLeft) << "how many runs it takes is not known";
}

TEST_F(ScenarioRun, AServerAtARateAnswersWhatComes)
{
    Scenario s = shortOf(ScenarioKind::server);
    s.rate = 100;
    const auto result = run(s);
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    EXPECT_EQ(result->summary.queries, static_cast<std::int64_t>(workload::arrivals(s, 100).size()));
    EXPECT_GE(result->summary.computedNs.value, 1e6);
    EXPECT_FALSE(result->summary.bound) << "there is none to keep";
}

TEST_F(ScenarioRun, AServerWithABoundIsSearched)
{
    Scenario s = shortOf(ScenarioKind::server);
    s.percentile = 0.5; // few queries tell
    s.bound = base::fromMilliseconds(50);
    const auto result = run(s);
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    ASSERT_TRUE(result->capacity);
    EXPECT_GT(result->capacity->predicted, 0);
    EXPECT_LE(result->capacity->predicted, 1000) << "a pass takes 1 ms at least";
    ASSERT_FALSE(result->capacity->probes.empty());
    EXPECT_EQ(result->scenario.rate,
              result->capacity->highestKept > 0 ? result->capacity->highestKept : result->capacity->probes.back().rate);
    EXPECT_TRUE(toJson(*result)["capacity"]["probes"].is_array());
}

TEST_F(ScenarioRun, CamerasThatAreTooFastLoseFrames)
{
    Scenario s = shortOf(ScenarioKind::camera);
    s.cameras = 4;
    s.fps = 500;
    const auto result = run(s);
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    ASSERT_TRUE(result->summary.frames);
    EXPECT_GT(result->summary.frames->dropped, 0) << "2000 frames a second, 1000 passes at most";
    EXPECT_EQ(result->summary.queries, result->summary.answered + result->summary.frames->dropped);
}

TEST_F(ScenarioRun, WhatMakesNoSenseIsRefusedBeforeAnythingStarts)
{
    const auto result = run(shortOf(ScenarioKind::server));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::invalidArgument);
    EXPECT_TRUE(phases.empty());
    trial.device = "cuda:7";
    EXPECT_EQ(run(shortOf(ScenarioKind::offline)).error().code, ErrorCode::unsupported);
}

TEST_F(ScenarioRun, AModelThatThrowsUnderLoadIsTold)
{
    const Json script{{"latency_ms", 1}, {"faults", {{{"at", "run"}, {"n", 100}, {"do", "throw"}}}}};
    Scenario s = shortOf(ScenarioKind::server);
    s.rate = 200;
    s.duration = base::fromSeconds(5);
    const auto result = run(s, script);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::modelThrew);
}

TEST_F(ScenarioRun, ItCanBeCancelledWhileItWaitsForAQuery)
{
    Scenario s = shortOf(ScenarioKind::server);
    s.rate = 0.5;
    s.duration = base::fromSeconds(3600);
    stopAt = "serve";
    const base::Nanoseconds begin = base::monotonicNow();
    const auto result = run(s);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::cancelled);
    EXPECT_LT((base::monotonicNow() - begin).seconds(), 300) << "it did not sit the hour out";
}

} // namespace
} // namespace apertune::runs
