// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/pipeline_run.h"
#include "core/sentences/sentences.h"
#include "core/workload/stages/pipeline_run.h"
#include "tests/core/study/study_fixture.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace apertune::runs {
namespace {

using base::ErrorCode;
using base::Json;
using workload::Stage;

/// Runs pipelines from real JPEGs to the answers of a backend whose pass takes two milliseconds. The machine may be
/// busy, so counts are exact, and times are only bounded from below.
struct PipelineRun : study::testing::StudyFixture
{
    PipelineRun()
    {
        parent.model = request.model;
        parent.model.taskType = model::TaskType::classification;
        parent.model.artifact = artifact.path();
        parent.model.inputs = {{"x", "float32", {1, 3, 32, 32}, 0}};
        trial.device = "cpu";
        trial.config = worker::testing::configuration(model::OptLevel::o1);
        trial.config.batch = 4;
        wanted.plan.duration = base::fromSeconds(0.3);
        wanted.plan.decodeThreads = 2;
        wanted.images.generate = 5;
    }

    base::Result<workload::PipelineRun> run(const Json& script = {{"latency_ms", 2}})
    {
        artifact.write(script);
        return runPipeline(
            {*launcher, compiler, devices, limits}, parent, trial, wanted,
            [this](study::Phase phase, const base::Message&) {
                if (toString(phase) == stopAt)
                    stop.request_stop();
            },
            stop.get_token());
    }

    model::Study parent;
    model::Trial trial;
    PipelineRequest wanted;
    std::string stopAt;
};

TEST_F(PipelineRun, TimesEveryStageAndAddsUp)
{
    const auto result = run();
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    const workload::PipelineSummary& s = result->summary;
    EXPECT_EQ(result->images, 5);
    EXPECT_GT(result->imageBytes, 5000);
    EXPECT_EQ(result->reading, "softmax, top 5");
    EXPECT_EQ(result->answered, s.images + s.filling) << "every image has its answer";
    EXPECT_GE(s[Stage::infer].perImageNs.value, 2e6 / 4 * 0.8) << "a pass of four";
    EXPECT_GT(s[Stage::decode].perImageNs.value, 10e3) << "640 x 480 pixels";
    for (const Stage stage : workload::kStages)
        EXPECT_GT(s[stage].perImageNs.value, 0) << toString(stage);
    double sum = s.waits.beginNs + s.waits.batchNs + s.waits.answerNs + s.unaccountedNs;
    for (const workload::StageFigure& stage : s.stages)
        sum += stage.meanNs;
    EXPECT_NEAR(sum, s.meanLatencyNs, s.meanLatencyNs * 1e-6);
    EXPECT_GT(result->modelOnlyNs.value, 2e6 / 4 * 0.8);
    EXPECT_EQ(toJson(*result)["summary"]["stages"].size(), workload::kStageCount);
}

TEST_F(PipelineRun, TakesTheJpegsOfAFolder)
{
    const auto folder = artifact.path() / "photos" / "below";
    std::filesystem::create_directories(folder);
    wanted.images.folder = artifact.path() / "photos";
    EXPECT_EQ(run().error().code, ErrorCode::invalidArgument) << "there is none in it";
    std::ofstream(folder / "a.JPG") << "this is no picture";
    const auto damaged = run();
    ASSERT_FALSE(damaged.ok());
    EXPECT_EQ(damaged.error().code, ErrorCode::invalidArgument);
    EXPECT_NE(sentences::describe(damaged.error()).find("a.JPG"), std::string::npos)
        << sentences::describe(damaged.error());
    wanted.images.folder = artifact.path() / "nowhere";
    EXPECT_EQ(run().error().code, ErrorCode::notFound);
}

TEST_F(PipelineRun, RefusesWhatTheModelOrTheDeviceCannot)
{
    wanted.plan.memory = workload::HostMemory::pinned;
    EXPECT_EQ(run().error().code, ErrorCode::unsupported) << "a CPU copies from no pinned memory";
    wanted.plan.memory = workload::HostMemory::pageable;
    wanted.plan.queueBatch = 5;
    EXPECT_EQ(run().error().code, ErrorCode::invalidArgument) << "more than the batch";
    wanted.plan.queueBatch = 0;
    parent.model.inputs = {{"x", "float32", {1, 4}, 0}};
    EXPECT_EQ(run().error().code, ErrorCode::unsupported) << "no image";
}

TEST_F(PipelineRun, TellsAModelThatThrowsOnTheWay)
{
    const auto result = run({{"latency_ms", 2}, {"faults", {{{"at", "set_samples"}, {"n", 3}, {"do", "throw"}}}}});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::modelThrew);
}

TEST_F(PipelineRun, CanBeCancelled)
{
    wanted.plan.duration = base::fromSeconds(3600);
    stopAt = "stages";
    const base::Nanoseconds begin = base::monotonicNow();
    const auto result = run();
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::cancelled);
    EXPECT_LT((base::monotonicNow() - begin).seconds(), 300) << "it did not sit the hour out";
}

} // namespace
} // namespace apertune::runs
