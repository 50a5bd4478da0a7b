// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/stages/pipeline_axes.h"

#include <gmock/gmock.h>

namespace apertune::workload {
namespace {

using ::testing::ElementsAre;

TEST(PipelineAxes, TheBaselineIsFirstAndTheNearestFollow)
{
    PipelineAxes axes;
    axes.decodeThreads = {1, 2};
    axes.prefetch = {2, 0};
    EXPECT_TRUE(axes.varies());
    const auto settings = settingsOf(axes, {}, {{4, 2}});
    ASSERT_EQ(settings.size(), 4U);
    EXPECT_EQ(settings[0].plan, PipelinePlan{});
    EXPECT_EQ(settings[0].threads, 0);
    EXPECT_EQ(settings[3].plan.decodeThreads, 2) << "it differs in both settings";
    EXPECT_EQ(settings[3].plan.prefetch, 0);
}

TEST(PipelineAxes, WithoutValuesThereIsThePlanAlone)
{
    PipelinePlan plan;
    plan.decodeThreads = 3;
    EXPECT_FALSE(PipelineAxes{}.varies());
    const auto settings = settingsOf({}, plan, {{4, 2}});
    ASSERT_EQ(settings.size(), 1U);
    EXPECT_EQ(settings[0].plan, plan);
}

TEST(PipelineAxes, WhatCannotRunIsLeftOutAndNothingIsThereTwice)
{
    PipelineAxes axes;
    axes.threads = {0, 1, 2, 2};    // the trial has 2
    axes.queueBatch = {0, 1, 4, 9}; // its batch is 4
    axes.decodeThreads = {1, 16};   // 4 images x 2 batches ahead are 8 slots
    const auto settings = settingsOf(axes, {}, {{4, 2}});
    std::vector<std::pair<int, int>> found;
    for (const PipelineSetting& setting : settings)
        found.emplace_back(setting.threads, setting.plan.queueBatch);
    EXPECT_THAT(found, ElementsAre(std::pair(0, 0), std::pair(0, 1), std::pair(1, 0), std::pair(1, 1)));
}

TEST(PipelineAxes, TheBaselineStandsEvenWhenItCannotRun)
{
    PipelinePlan plan;
    plan.queueBatch = 8;
    const auto settings = settingsOf({}, plan, {{4, 2}});
    ASSERT_EQ(settings.size(), 1U);
    EXPECT_FALSE(check(settings[0].plan, 4).ok());
}

TEST(PipelineAxes, EachTrialHasItsOwnBatch)
{
    PipelineAxes axes;
    axes.queueBatch = {1, 4};
    const auto settings = settingsOf(axes, {}, {{1, 2}, {4, 2}});
    std::vector<std::pair<std::size_t, int>> found;
    for (const PipelineSetting& setting : settings)
        found.emplace_back(setting.trial, setting.plan.queueBatch);
    // 1 is all that the first trial has, and 4 all of the second.
    EXPECT_THAT(found, ElementsAre(std::pair(0U, 0), std::pair(1U, 1), std::pair(1U, 0)));
}

TEST(PipelineAxes, UsualValuesFillWhatWasNotNamed)
{
    PipelineAxes named;
    named.prefetch = {4};
    const PipelineAxes onCpu = withUsualValues(named, {8, true});
    EXPECT_THAT(onCpu.threads, ElementsAre(0, 1, 4, 8));
    EXPECT_THAT(onCpu.decodeThreads, ElementsAre(1, 4, 8));
    EXPECT_THAT(onCpu.prefetch, ElementsAre(4));
    EXPECT_TRUE(onCpu.memory.empty());
    const PipelineAxes onGpu = withUsualValues({}, {1, false});
    EXPECT_TRUE(onGpu.threads.empty());
    EXPECT_THAT(onGpu.decodeThreads, ElementsAre(1));
    EXPECT_EQ(onGpu.normalize.size(), 2U);
    EXPECT_EQ(onGpu.memory.size(), 2U);
}

} // namespace
} // namespace apertune::workload
