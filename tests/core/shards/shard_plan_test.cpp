// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/shards/shard_fixture.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace apertune::shards {
namespace {

using ShardPlans = testing::ShardFixture;

TEST_F(ShardPlans, EachConfigurationIsInOneShardAndNoGroupIsDivided)
{
    const ShardPlan plan = planOf(4);
    const auto grid = runner().plan(request);
    ASSERT_TRUE(grid);
    std::map<std::string, std::set<int>> shardsOfGroup;
    std::set<int> ordinals;
    for (int shard = 1; shard <= plan.size(); ++shard) {
        int before = 0;
        for (const ShardConfiguration& configuration : plan.shards[static_cast<std::size_t>(shard - 1)]) {
            const search::PlannedConfiguration& own = configuration.planned;
            shardsOfGroup[model::groupKey(own.config, own.device)].insert(shard);
            EXPECT_TRUE(ordinals.insert(configuration.ordinal).second) << configuration.ordinal;
            EXPECT_GT(configuration.ordinal, before) << "in the order of the grid";
            before = configuration.ordinal;
            const search::PlannedConfiguration& planned =
                grid->configurations[static_cast<std::size_t>(configuration.ordinal - 1)];
            EXPECT_EQ(own.device, planned.device);
            EXPECT_EQ(own.config, planned.config);
            EXPECT_EQ(own.impossible.kind, planned.impossible.kind);
            EXPECT_EQ(own.impossible.message, planned.impossible.message);
        }
        EXPECT_GT(before, 0) << "shard " << shard << " is empty";
    }
    EXPECT_EQ(ordinals.size(), grid->configurations.size());
    for (const auto& [group, shards] : shardsOfGroup)
        EXPECT_EQ(shards.size(), 1U) << group;
}

TEST_F(ShardPlans, IsReadAsItWasWritten)
{
    request.goal.maxLatency = base::fromMilliseconds(20);
    request.budget = base::fromSeconds(90);
    const ShardPlan plan = planOf(2);
    const auto read = readShardPlan(plan.folder);
    ASSERT_TRUE(read) << sentences::sentence(read.error().message);
    EXPECT_EQ(read->hash, plan.hash);
    EXPECT_EQ(read->requestHash, plan.requestHash);
    EXPECT_EQ(read->request.goal.maxLatency, request.goal.maxLatency);
    EXPECT_EQ(read->request.budget, request.budget);
    EXPECT_EQ(read->request.budgetKind, request.budgetKind);
    EXPECT_EQ(read->request.commandLine, request.commandLine);
    EXPECT_EQ(read->request.references, plan.request.references);
    ASSERT_TRUE(read->request.references.contains("cpu"));
    EXPECT_EQ(read->request.references.at("cpu").level, model::OptLevel::o0);
    EXPECT_EQ(read->request.references.at("cpu").batch, 1);
    EXPECT_EQ(read->request.model.contentHash, request.model.contentHash);
    EXPECT_EQ(read->request.model.artifact, plan.folder / "model");
    EXPECT_TRUE(std::filesystem::exists(plan.folder / "model" / "fake.json")) << "the model travels with the plan";
    EXPECT_NE(shardUuid(plan, 1), shardUuid(plan, 2));
    EXPECT_NE(shardUuid(plan, 1), mergedUuid(plan));
    EXPECT_EQ(shardUuid(plan, 1), shardUuid(*read, 1));
}

TEST_F(ShardPlans, AFolderWithAPlanIsLeftAlone)
{
    const ShardPlan plan = planOf(2);
    const auto again = writeShardPlan(plan, plan.folder);
    ASSERT_FALSE(again);
    EXPECT_THAT(sentences::sentence(again.error().message), ::testing::HasSubstr("holds a plan already"));
}

TEST_F(ShardPlans, MoreShardsThanGroupsAreRefusedWithTheirNumber)
{
    const auto planned = runner().plan(request);
    ASSERT_TRUE(planned);
    const auto many = makeShardPlan(request, *planned, 100);
    ASSERT_FALSE(many);
    EXPECT_THAT(sentences::sentence(many.error().message), ::testing::HasSubstr("6 groups, too few for 100 shards"));
    EXPECT_EQ(sentences::sentence(many.error().hint), "Ask for at most 6 shards.");
}

TEST_F(ShardPlans, WhatWasChangedOrIsOfANewerVersionIsRefused)
{
    const ShardPlan plan = planOf(2);
    const std::string text = base::readFile(planFile(plan)).value();
    const auto refusalOf = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        other.replace(other.find(from), from.size(), to);
        EXPECT_TRUE(base::writeFileAtomically(planFile(plan), other));
        const auto read = readShardPlan(plan.folder);
        EXPECT_FALSE(read) << to;
        return read ? std::string() : sentences::sentence(read.error().message);
    };
    EXPECT_THAT(refusalOf("\"budget_ns\": 0", "\"budget_ns\": 1"), ::testing::HasSubstr("its hash does not fit"));
    EXPECT_THAT(refusalOf("shard-plan/1", "shard-plan/2"), ::testing::HasSubstr("apertune.shard-plan/2"));
    EXPECT_THAT(refusalOf("\"shards\"", "\"shards"), ::testing::HasSubstr("The plan cannot be read"));
    const std::string deep(100'000, '[');
    const std::string end(deep.size(), ']');
    EXPECT_THAT(refusalOf("\"shards\"", "\"more\": " + deep + end + ", \"shards\""),
                ::testing::HasSubstr("its hash does not fit"));
    std::filesystem::remove(planFile(plan));
    EXPECT_EQ(readShardPlan(plan.folder).error().code, base::ErrorCode::notFound);
}

TEST_F(ShardPlans, AShardThatThePlanDoesNotHaveIsNamed)
{
    const ShardPlan plan = planOf(2);
    for (const int shard : {0, 3})
        EXPECT_FALSE(requireShard(plan, shard)) << shard;
    EXPECT_EQ(sentences::sentence(requireShard(plan, 3).error().message), "There is no shard 3: the plan has 2.");
}

} // namespace
} // namespace apertune::shards
