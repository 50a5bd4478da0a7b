// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/pipeline_sweep_report.h"
#include "core/runs/pipeline_sweep.h"
#include "core/sentences/sentences.h"
#include "tests/core/study/study_fixture.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace apertune::runs {
namespace {

using base::ErrorCode;
using base::Json;
using ::testing::HasSubstr;

/// Sweeps pipelines of a backend whose pass takes 8 ms, and with one thread a quarter of that.
struct PipelineSweep : study::testing::StudyFixture
{
    PipelineSweep()
    {
        parent.model = request.model;
        parent.model.taskType = model::TaskType::classification;
        parent.model.artifact = artifact.path();
        parent.model.inputs = {{"x", "float32", {1, 3, 32, 32}, 0}};
        trial.device = "cpu";
        trial.config = worker::testing::configuration(model::OptLevel::o1);
        trial.config.batch = 1;
        trial.config.threads = 2;
        wanted.plan.duration = base::fromMilliseconds(50);
        wanted.images.generate = 2;
        wanted.budget = base::fromSeconds(3600); // ends by precision, or by its number of rounds
    }

    base::Result<workload::PipelineSweep> sweep(const Json& script = {{"latency_ms", 8}, {"threads", {{"1", 0.25}}}})
    {
        artifact.write(script);
        return sweepPipeline(
            {*launcher, compiler, devices, limits}, parent, {trial}, wanted,
            [this](base::Nanoseconds, const workload::PipelineSetting&) {
                if (++turns == stopAfter)
                    stop.request_stop();
            },
            [](auto...) {}, stop.get_token());
    }

    model::Study parent;
    model::Trial trial;
    PipelineSweepRequest wanted;
    int turns = 0;
    int stopAfter = -1;
};

TEST_F(PipelineSweep, FindsTheThreadsWithTheBestRate)
{
    wanted.axes.threads = {2, 1};
    wanted.axes.prefetch = {2, 0};
    const auto result = sweep();
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    ASSERT_EQ(result->contenders.size(), 4U);
    ASSERT_TRUE(result->recommended.has_value());
    const workload::PipelineContender& best = result->contenders[*result->recommended];
    EXPECT_EQ(best.setting.threads, 1);
    EXPECT_EQ(best.run->threads, 1);
    EXPECT_GE(best.confirmation.size(), 6U);
    EXPECT_EQ(best.verdict, model::Verdict::faster);
    EXPECT_GT(best.ratio->lo, 1.0);
    EXPECT_EQ(best.confirmation.size(), result->contenders[0].confirmation.size()) << "they took turns";
    EXPECT_FALSE(result->contenders[0].ratio.has_value());

    const std::vector<report::PipelineSweepTrial> trials{{model::TrialId{12}, "fake O1", 1, 2}};
    const std::string text = report::pipelineSweepText(*result, trials);
    EXPECT_THAT(text, HasSubstr("1 thread"));
    EXPECT_THAT(text, HasSubstr("as many images as 2 threads, 2 batches ahead."));
    EXPECT_THAT(text, HasSubstr("apertune pipeline t12 --threads 1"));
    const Json document = report::pipelineSweepJson(*result, trials);
    EXPECT_EQ(document["contenders"].size(), 4U);
    EXPECT_EQ(document["recommended"], *result->recommended);
    EXPECT_EQ(document["contenders"][0]["state"], "confirmed");
}

TEST_F(PipelineSweep, TheBaselineStaysWhereNothingIsSurelyBetter)
{
    wanted.axes.threads = {1, 2}; // the first value is the baseline's
    const auto result = sweep();
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    EXPECT_EQ(result->recommended, 0U);
    EXPECT_EQ(result->nearest(), 1U);
    EXPECT_THAT(report::pipelineSweepText(*result, {{model::TrialId{12}, "fake O1", 1, 2}}),
                HasSubstr("Nothing here is surely better."));
}

TEST_F(PipelineSweep, WithoutTimeNothingIsRecommended)
{
    wanted.axes.threads = {2, 1};
    wanted.budget = base::fromMilliseconds(1);
    const auto result = sweep();
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    EXPECT_FALSE(result->recommended.has_value());
    EXPECT_EQ(result->contenders[1].reason.kind, model::ReasonKind::budget);
    EXPECT_THAT(report::pipelineSweepText(*result, {{model::TrialId{12}, "fake O1", 1, 2}}),
                HasSubstr("No recommendation"));
}

TEST_F(PipelineSweep, ASettingThatFailsSaysWhy)
{
    wanted.axes.memory = {workload::HostMemory::pageable, workload::HostMemory::pinned};
    const auto result = sweep();
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    EXPECT_FALSE(result->contenders[1].reason.empty()) << "a CPU copies from no pinned memory";
    EXPECT_FALSE(result->recommended.has_value());
    EXPECT_EQ(report::pipelineSweepJson(*result, {{model::TrialId{12}, "fake O1", 1, 2}})["contenders"][1]["state"],
              "failed");
}

TEST_F(PipelineSweep, APlanThatCannotRunIsRefused)
{
    wanted.plan.queueBatch = 5;
    const auto result = sweep();
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::invalidArgument);
    EXPECT_EQ(turns, 0);
}

TEST_F(PipelineSweep, CanBeCancelled)
{
    wanted.axes.threads = {2, 1};
    stopAfter = 3;
    const auto result = sweep();
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::cancelled);
    EXPECT_LE(turns, 4);
}

} // namespace
} // namespace apertune::runs
