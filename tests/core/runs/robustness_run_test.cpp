// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/robustness_run.h"
#include "core/sentences/sentences.h"
#include "tests/core/study/study_fixture.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::runs {
namespace {

using base::Json;
using base::Outcome;
using model::OptLevel;
using model::Robustness;

/// Runs against a backend that sleeps, so the competing program itself changes nothing that a test could rely on. The
/// tests check who takes part, that blocks are compared in pairs, and what is kept.
struct RobustnessRun : study::testing::StudyFixture
{
    RobustnessRun()
    {
        devices[0].cores = 4;
        request.space.levels = {OptLevel::o0, OptLevel::o1};
        request.space.batches = {1};
        request.space.threads = {4};
        limits.trialMost = base::fromSeconds(60);
        limits.confirmMost = base::fromSeconds(60);
    }

    base::Result<Robustness> measure(const model::StudySnapshot& snapshot)
    {
        return measureRobustness({*launcher, compiler, devices, limits}, snapshot, {}, stop.get_token());
    }
};

TEST_F(RobustnessRun, TheRecommendedTrialItsRivalAndFewerThreadsTakePart)
{
    ASSERT_EQ(run({{"latency_ms", 8}, {"levels", {{"O1", 0.25}}}}), Outcome::done);
    const model::StudySnapshot snapshot = study();
    ASSERT_TRUE(snapshot.recommended);
    const auto result = measure(snapshot);
    ASSERT_TRUE(result.ok()) << sentences::describe(result.error());
    EXPECT_EQ(result->competingThreads, 2);
    ASSERT_EQ(result->rows.size(), 4u);
    EXPECT_EQ(result->rows[0].trial, find(snapshot, OptLevel::o1, 1).id);
    EXPECT_DOUBLE_EQ(result->rows[0].gain.value, 1) << "against itself";
    std::vector<int> variants;
    for (const Robustness::Row& row : result->rows) {
        EXPECT_GT(row.slowdown.confidence, 0);
        EXPECT_GT(row.beside.value, 0);
        if (!row.trial)
            variants.push_back(row.config.threads);
    }
    std::sort(variants.begin(), variants.end());
    EXPECT_EQ(variants, (std::vector{1, 2})) << "configurations that the study does not have";
    const auto baseline = std::find_if(result->rows.begin(), result->rows.end(),
                                       [](const Robustness::Row& row) { return row.config.level == OptLevel::o0; });
    ASSERT_NE(baseline, result->rows.end());
    EXPECT_LT(baseline->gain.hi, 0.6) << "four times slower without the competing program";
}

TEST_F(RobustnessRun, AStudyWithoutARecommendationIsRefused)
{
    ASSERT_EQ(run({{"latency_ms", 1}}), Outcome::done);
    model::StudySnapshot snapshot = study();
    snapshot.recommended.reset();
    const auto result = measure(snapshot);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, base::ErrorCode::invalidArgument);
}

TEST_F(RobustnessRun, TheDocumentIsReadAsItWasWritten)
{
    ASSERT_EQ(run({{"latency_ms", 1}}), Outcome::done);
    const model::Interval none{1, 1, 1, 0};
    const Robustness before{2, {{find(study(), OptLevel::o1, 1).config, {}, none, {2, 1.5, 2.5, 0.95}, none, none}}};
    const auto after = model::robustnessFromJson(Json::parse(toJson(before).dump()));
    ASSERT_TRUE(after.ok());
    EXPECT_EQ(after->competingThreads, 2);
    ASSERT_EQ(after->rows.size(), 1u);
    EXPECT_EQ(after->rows[0].config, before.rows[0].config);
    EXPECT_FALSE(after->rows[0].trial);
    EXPECT_EQ(after->rows[0].alone.confidence, 0);
    EXPECT_EQ(after->rows[0].beside.hi, 2.5);
    EXPECT_FALSE(model::robustnessFromJson(Json::object()));
}

} // namespace
} // namespace apertune::runs
