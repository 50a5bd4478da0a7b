// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sentences/sentences.h"
#include "core/study/memory_forecast.h"
#include "tests/core/study/study_fixture.h"

namespace apertune::study {
namespace {

using base::Outcome;
using model::OptLevel;
using ::testing::HasSubstr;

constexpr std::int64_t kMebibyte = 1 << 20;

/// Estimates for a scripted model on a GPU of 10,000 MiB.
struct Forecast : testing::StudyFixture
{
    Forecast()
    {
        devices.push_back(testing::gpu("cuda:0", "NVIDIA H200"));
        devices.back().memory = base::Bytes{10'000 * kMebibyte};
        request.space.devices = {"cuda:0"};
        request.space.threads = {};
        request.space.levels = {OptLevel::o0};
        request.model.inputs = {{"image", "float32", {1, 3, 224, 224}, 0}};
        question.devices = {"cuda:0"};
        question.backends = {"fake"};
    }

    MemoryForecast forecast()
    {
        const auto found = runner().memory(request.model, question);
        EXPECT_TRUE(found);
        EXPECT_EQ(found->size(), 1u);
        return found->front();
    }

    static base::Json script()
    {
        return {{"latency_ms", 0.2}, {"memory", {{"base", 100 * kMebibyte}, {"per_sample", 30 * kMebibyte}}}};
    }

    MemoryQuestion question;
};

TEST_F(Forecast, IsCalibratedByTheTrialsOfTheWorkspace)
{
    artifact.write(script());
    EXPECT_EQ(forecast().basis, search::MemoryBasis::layers);
    request.space.batches = {1, 2, 4};
    ASSERT_EQ(run(script()), Outcome::done);
    question.batches = {2, 16};
    const MemoryForecast after = forecast();
    EXPECT_EQ(after.basis, search::MemoryBasis::probes);
    ASSERT_EQ(after.points.size(), 2u);
    EXPECT_EQ(after.points[0].measured, base::Bytes{160 * kMebibyte});
    EXPECT_FALSE(after.points[1].measured);
    EXPECT_EQ(after.points[1].estimate.total, base::Bytes{580 * kMebibyte});
    EXPECT_EQ(after.limit, base::Bytes{10'000 * kMebibyte});
    EXPECT_EQ(after.largestBatch, 330);
    EXPECT_EQ(after.comparedBatches, 1) << "batch 2 lies between the probes";
    ASSERT_TRUE(after.largestError);
    EXPECT_LT(*after.largestError, 1e-6);
    EXPECT_THAT(sentences::sentence(remarksOf(after).back()), HasSubstr("batches up to about 330 fit"));
}

TEST_F(Forecast, AnotherModelTellsWhatTheEngineTakes)
{
    request.space.batches = {1, 4};
    ASSERT_EQ(run(script()), Outcome::done);
    model::ModelRef other = request.model;
    other.contentHash = "other";
    request.model = other;
    const MemoryForecast fresh = forecast();
    EXPECT_EQ(fresh.basis, search::MemoryBasis::engine);
    EXPECT_EQ(fresh.points.front().estimate.rest, base::Bytes{100 * kMebibyte});
}

TEST_F(Forecast, ThePlanHoldsTheEstimatesOfItsEnginesAndBatches)
{
    artifact.write(script());
    request.space.batches = {1, 8};
    const auto plan = runner().plan(request);
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->memory.size(), 1u);
    EXPECT_EQ(plan->memory.front().backend, "fake");
    EXPECT_EQ(plan->memory.front().points.back().batch, 8);
}

TEST_F(Forecast, AnImageSizeNeedsAnImage)
{
    artifact.write(script());
    question.imageSizes = {448};
    EXPECT_EQ(forecast().imageSize, 448);
    request.model.inputs = {{"tokens", "int64", {1, 128}, 0}};
    const auto refused = runner().memory(request.model, question);
    ASSERT_FALSE(refused);
    EXPECT_THAT(sentences::sentence(refused.error().message), HasSubstr("takes no images"));
}

} // namespace
} // namespace apertune::study
