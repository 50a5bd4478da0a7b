// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/workload/stages/pipeline_plan.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace apertune::workload {
namespace {

TEST(PipelinePlan, ComesBackFromItsJson)
{
    PipelinePlan plan;
    plan.decodeThreads = 3;
    plan.prefetch = 0;
    plan.queueBatch = 2;
    plan.queueWait = base::fromMilliseconds(5);
    plan.rate = 12.5;
    plan.normalize = Place::device;
    plan.memory = HostMemory::pinned;
    plan.suppression = Suppression::plain;
    plan.seed = 9;
    const auto read = pipelinePlanFromJson(toJson(plan));
    ASSERT_TRUE(read) << sentences::describe(read.error());
    EXPECT_EQ(toJson(*read), toJson(plan));
    EXPECT_EQ(toJson(*pipelinePlanFromJson(base::Json::object())), toJson(PipelinePlan{}));
    const auto wrong = pipelinePlanFromJson({{"memory", "borrowed"}});
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, base::ErrorCode::corrupt);
}

TEST(PipelinePlan, ThatMakesNoSenseIsRefusedWithWhatWouldBeRight)
{
    const auto refused = [](auto change) {
        PipelinePlan plan;
        change(plan);
        const auto status = check(plan, 4);
        return !status && status.error().code == base::ErrorCode::invalidArgument && !status.error().hint.empty();
    };
    EXPECT_TRUE(check(PipelinePlan{}, 1));
    EXPECT_TRUE(refused([](PipelinePlan& p) { p.decodeThreads = 0; }));
    EXPECT_TRUE(refused([](PipelinePlan& p) { p.prefetch = -1; }));
    EXPECT_TRUE(refused([](PipelinePlan& p) { p.queueBatch = 5; }));
    EXPECT_TRUE(refused([](PipelinePlan& p) { p.queueWait = base::Nanoseconds{-1}; }));
    EXPECT_TRUE(refused([](PipelinePlan& p) { p.rate = -1; }));
    EXPECT_TRUE(refused([](PipelinePlan& p) { p.duration = {}; }));
}

TEST(Words, OfStagesComeBack)
{
    for (const Stage stage : kStages)
        EXPECT_EQ(stageFromString(toString(stage)), stage);
    EXPECT_FALSE(stageFromString("lunch"));
    EXPECT_EQ(suppressionFromString("plain"), Suppression::plain);
}

} // namespace
} // namespace apertune::workload
