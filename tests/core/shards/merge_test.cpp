// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/shards/shard_fixture.h"

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>

namespace apertune::shards {
namespace {

using base::Outcome;
using model::StudyState;
using model::Trial;
using model::TrialState;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Shards = testing::ShardFixture;

void setVersion(const std::filesystem::path& file, int version)
{
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(
        sqlite3_exec(handle, ("PRAGMA user_version = " + std::to_string(version)).c_str(), nullptr, nullptr, nullptr),
        SQLITE_OK);
    sqlite3_close(handle);
}

TEST_F(Shards, FourShardsGiveTheRowsOfTheStudyThatWasNotDivided)
{
    const ShardPlan plan = planOf(4);
    const auto whole = runner().run(request, observer(), stop.get_token());
    ASSERT_EQ(noted(whole), Outcome::done) << sentences::sentence(lastError.message);
    const model::StudySnapshot undivided = study();
    ASSERT_EQ(undivided.trials.size(), 18U);
    EXPECT_EQ(count(undivided, TrialState::ok), 11);
    EXPECT_EQ(count(undivided, TrialState::failed), 1);
    EXPECT_EQ(count(undivided, TrialState::pruned, model::ReasonKind::impossible), 6);

    for (const int shard : {3, 1, 4, 2})
        ASSERT_EQ(noted(run(plan, shard)), Outcome::done) << sentences::sentence(lastError.message);
    const model::StudySnapshot divided = merged(plan, 12);
    EXPECT_EQ(rowsOf(divided), rowsOf(undivided));
    EXPECT_EQ(divided.study.state, StudyState::finished);
    EXPECT_EQ(divided.study.model.contentHash, undivided.study.model.contentHash);
    EXPECT_EQ(divided.study.uuid, mergedUuid(plan));
    EXPECT_EQ(store.studies()->size(), 2U);
    for (const Trial& trial : divided.trials)
        EXPECT_EQ(trial.measurement.conditions.machine, "") << "all are of the class of the study's environment";
}

TEST_F(Shards, AShardThatIsRunTwiceMeasuresNothingAgain)
{
    const ShardPlan plan = planOf(2);
    ASSERT_EQ(noted(run(plan, 1)), Outcome::done) << sentences::sentence(lastError.message);
    EXPECT_GT(ended, 0);
    const auto before = merged(plan, -1);
    ASSERT_EQ(noted(run(plan, 1)), Outcome::done) << sentences::sentence(lastError.message);
    EXPECT_EQ(ended, 0);
    EXPECT_EQ(allOf(merged(plan, 0)), allOf(before));
    EXPECT_EQ(shardStatus(plan, 1).state, ShardState::finished);
}

TEST_F(Shards, AMergeThatIsRepeatedChangesNothing)
{
    const ShardPlan plan = planOf(2);
    for (const int shard : {1, 2})
        ASSERT_EQ(noted(run(plan, shard)), Outcome::done) << sentences::sentence(lastError.message);
    const auto once = merged(plan, 12);
    EXPECT_EQ(allOf(merged(plan, 0)), allOf(once));
    EXPECT_EQ(store.studies()->size(), 1U);
}

TEST_F(Shards, HalfAShardIsMergedAndCompletedLater)
{
    const ShardPlan plan = planOf(2);
    ASSERT_EQ(noted(run(plan, 1)), Outcome::done) << sentences::sentence(lastError.message);
    ASSERT_EQ(noted(run(plan, 2, 2)), Outcome::cancelled) << sentences::sentence(lastError.message);
    const ShardStatus half = shardStatus(plan, 2);
    EXPECT_EQ(half.state, ShardState::interrupted);
    EXPECT_LT(half.done, half.total);

    const auto before = merged(plan, -1);
    EXPECT_EQ(before.study.state, StudyState::interrupted);
    const int open = count(before, TrialState::queued);
    EXPECT_EQ(open, half.total - half.done);

    ASSERT_EQ(noted(run(plan, 2)), Outcome::done) << sentences::sentence(lastError.message);
    EXPECT_EQ(ended, open) << "what is measured stays";
    const auto after = merged(plan, open);
    EXPECT_EQ(after.study.state, StudyState::finished);
    EXPECT_EQ(after.trials.size(), before.trials.size());
    for (std::size_t i = 0; i < before.trials.size(); ++i)
        if (model::isFinal(before.trials[i].state)) {
            EXPECT_EQ(after.trials[i].finishedUtc, before.trials[i].finishedUtc);
            EXPECT_EQ(after.trials[i].measurement.latencyNs.value, before.trials[i].measurement.latencyNs.value);
        }
}

TEST_F(Shards, TheWorkspaceOfAnotherPlanIsRefusedAndTheOthersAreMerged)
{
    const ShardPlan plan = planOf(2);
    const ShardPlan other = planOf(3, "other");
    ASSERT_NE(plan.hash, other.hash);
    ASSERT_EQ(noted(run(plan, 1)), Outcome::done) << sentences::sentence(lastError.message);
    ASSERT_EQ(noted(run(other, 2)), Outcome::done) << sentences::sentence(lastError.message);
    std::filesystem::copy(workspaceOf(other, 2), workspaceOf(plan, 2));

    EXPECT_EQ(shardStatus(plan, 2).state, ShardState::failed);
    EXPECT_EQ(noted(run(plan, 2)), Outcome::failed);
    EXPECT_THAT(sentences::sentence(lastError.message), HasSubstr("none is of this plan"));
    const auto result = mergeShards(plan, store);
    ASSERT_TRUE(result) << sentences::sentence(result.error().message);
    EXPECT_GT(result->shards[0].added, 0);
    EXPECT_EQ(result->shards[1].added, 0);
    ASSERT_TRUE(result->shards[1].refused);
    EXPECT_THAT(sentences::sentence(result->shards[1].refused->message), HasSubstr("The workspace of shard 2"));
    EXPECT_EQ(study::loadStudy(store, result->study)->study.state, StudyState::interrupted);
}

TEST_F(Shards, AWorkspaceOfANewerVersionIsRefused)
{
    const ShardPlan plan = planOf(2);
    ASSERT_EQ(noted(run(plan, 1)), Outcome::done) << sentences::sentence(lastError.message);
    setVersion(workspaceOf(plan, 1), 1000);
    const auto result = mergeShards(plan, store);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, base::ErrorCode::unsupported);
    EXPECT_THAT(sentences::sentence(result.error().message), HasSubstr("was written by a newer Apertune"));
    EXPECT_THAT(*store.studies(), IsEmpty()) << "nothing was written";
    const ShardStatus status = shardStatus(plan, 1);
    EXPECT_EQ(status.state, ShardState::failed);
    ASSERT_TRUE(status.problem);
}

TEST_F(Shards, WithoutResultsThereIsNothingToMerge)
{
    const ShardPlan plan = planOf(2);
    const auto result = mergeShards(plan, store);
    ASSERT_FALSE(result);
    EXPECT_EQ(sentences::sentence(result.error().message), "No shard has results to merge yet.");
    EXPECT_EQ(shardStatus(plan, 1).state, ShardState::notBegun);
}

TEST_F(Shards, AShardIsNoPlaceToMergeInto)
{
    const ShardPlan plan = planOf(2);
    ASSERT_EQ(noted(run(plan, 1)), Outcome::done) << sentences::sentence(lastError.message);
    auto target = store::Store::open(workspaceOf(plan, 1), store::OpenMode::readWrite);
    ASSERT_TRUE(target);
    EXPECT_EQ(mergeShards(plan, *target).error().code, base::ErrorCode::invalidArgument);
}

TEST_F(Shards, AShardRunsOnceAtATime)
{
    const ShardPlan plan = planOf(2);
    {
        const auto writing = store::Store::open(workspaceOf(plan, 1), store::OpenMode::readWrite);
        ASSERT_TRUE(writing);
        EXPECT_EQ(shardStatus(plan, 1).state, ShardState::running);
        EXPECT_EQ(noted(run(plan, 1)), Outcome::failed);
        EXPECT_EQ(lastError.code, base::ErrorCode::busy);
    }
    EXPECT_EQ(noted(run(plan, 1)), Outcome::done) << sentences::sentence(lastError.message);
}

TEST_F(Shards, MachinesOfTwoClassesAreNotRankedAsOneUntilTheirFinalistsAreConfirmedOnOne)
{
    artifact.write({{"latency_ms", 40}, {"levels", {{"O1", 0.4}, {"O2", 0.1}}}, {"slowdown", "slow"}});
    request.space.levels = {model::OptLevel::o0, model::OptLevel::o1, model::OptLevel::o2};
    request.space.precisions = {model::Precision::fp32};
    request.space.batches = {1};
    request.space.switches = {};
    limits.maxBlocks = 12;
    limits.trialMost = base::fromSeconds(60); // each configuration has an interval
    limits.driftReadingEvery = 10;
    const ShardPlan plan = planOf(2);
    ASSERT_EQ(noted(runOn("CPU A", plan, 1)), Outcome::done) << sentences::sentence(lastError.message);
    ASSERT_TRUE(base::writeFileAtomically(plan.folder / "model" / "slow", "3"));
    ASSERT_EQ(noted(runOn("CPU B", plan, 2)), Outcome::done) << sentences::sentence(lastError.message);
    const model::StudySnapshot both = merged(plan, 3);
    const auto again = mergeShards(plan, store);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->speeds.size(), 1U) << "each shard measures the same reference, also one without O0";
    EXPECT_EQ(again->speeds[0].machine, "CPU B, 2 cores, 2 threads");
    EXPECT_EQ(again->speeds[0].against, "CPU A, 2 cores, 2 threads");
    EXPECT_LT(again->speeds[0].ratio.value, 0.6) << "B takes three times as long";
    EXPECT_GT(again->speeds[0].ratio.value, 0.15);
    EXPECT_EQ(shardStatus(plan, 2).machine, "CPU B, 2 cores, 2 threads");
    for (const Trial& trial : both.trials) {
        const auto& second = plan.shards[1];
        const bool onB = std::any_of(second.begin(), second.end(), [&](const ShardConfiguration& configuration) {
            return configuration.ordinal == trial.ordinal;
        });
        EXPECT_EQ(model::machineOf(both.study, trial), onB ? "CPU B, 2 cores, 2 threads" : "CPU A, 2 cores, 2 threads");
    }
    EXPECT_FALSE(both.recommended);
    EXPECT_EQ(both.shortlist.size(), 2U);

    study::StudyRunner onB(store, *launcher, nullptr, devices, {study::testing::fakeBackend()}, machine("CPU B"));
    limits.confirmMost = base::fromSeconds(60);
    limits.confirmProcesses = 2;
    onB.setLimits(limits);
    ASSERT_EQ(noted(onB.resume({both.study.id}, observer(), stop.get_token())), Outcome::done)
        << sentences::sentence(lastError.message);
    const model::StudySnapshot confirmed = study::loadStudy(store, both.study.id).value();
    ASSERT_TRUE(confirmed.recommended);
    EXPECT_TRUE(confirmed.shortlist.empty());
    EXPECT_EQ(confirmed.find(confirmed.recommended->trial)->config.level, model::OptLevel::o2);
    for (const model::Recommendation& candidate : both.shortlist) {
        const Trial& trial = *confirmed.find(candidate.trial);
        EXPECT_EQ(model::machineOf(confirmed.study, trial), "CPU B, 2 cores, 2 threads");
        EXPECT_GT(trial.measurement.confirmation, 0);
    }
    // A later merge leaves what was confirmed as it is.
    EXPECT_EQ(allOf(merged(plan, 0)), allOf(confirmed));
}

} // namespace
} // namespace apertune::shards
