// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/plan.h"
#include "core/sentences/sentences.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::pipeline {
namespace {

TEST(Plan, ComesBackFromItsJson)
{
    Plan plan;
    plan.decodeThreads = 3;
    plan.prefetch = 0;
    plan.queueBatch = 2;
    plan.queueWait = base::fromMilliseconds(5);
    plan.rate = 12.5;
    plan.normalize = Place::device;
    plan.memory = HostMemory::pinned;
    plan.suppression = Suppression::plain;
    plan.seed = 9;
    const auto read = planFromJson(toJson(plan));
    ASSERT_TRUE(read) << sentences::describe(read.error());
    EXPECT_EQ(toJson(*read), toJson(plan));
    EXPECT_EQ(toJson(*planFromJson(base::Json::object())), toJson(Plan{}));
    const auto wrong = planFromJson({{"memory", "borrowed"}});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, base::ErrorCode::corrupt);
}

TEST(Plan, ThatMakesNoSenseIsRefusedWithWhatWouldBeRight)
{
    const auto refused = [](auto change) {
        Plan plan;
        change(plan);
        const auto status = check(plan, 4);
        return !status && status.error().code == base::ErrorCode::invalidArgument && !status.error().hint.empty();
    };
    EXPECT_TRUE(check(Plan{}, 1));
    EXPECT_TRUE(refused([](Plan& p) { p.decodeThreads = 0; }));
    EXPECT_TRUE(refused([](Plan& p) { p.prefetch = -1; }));
    EXPECT_TRUE(refused([](Plan& p) { p.queueBatch = 5; }));
    EXPECT_TRUE(refused([](Plan& p) { p.queueWait = base::Nanoseconds{-1}; }));
    EXPECT_TRUE(refused([](Plan& p) { p.rate = -1; }));
    EXPECT_TRUE(refused([](Plan& p) { p.duration = {}; }));
}

TEST(Words, OfStagesComeBack)
{
    for (const Stage stage : kStages)
        EXPECT_EQ(stageFromString(toString(stage)), stage);
    EXPECT_FALSE(stageFromString("lunch"));
    EXPECT_EQ(suppressionFromString("plain"), Suppression::plain);
}

} // namespace
} // namespace apertune::pipeline
