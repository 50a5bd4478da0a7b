// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/sentences/sentences.h"
#include "tests/core/study/study_fixture.h"

namespace apertune::study {
namespace {

using base::Outcome;
using model::OptLevel;
using model::Trial;
using model::TrialState;
using ::testing::HasSubstr;

constexpr std::int64_t kMiB = 1 << 20;

/// Sweeps over automatic batches of a scripted model, whose passes take the same time at all batches.
struct AutomaticBatches : testing::StudyFixture
{
    AutomaticBatches()
    {
        devices.push_back(testing::gpu("cuda:0", "NVIDIA H200"));
        request.space.levels = {OptLevel::o0};
        request.space.batches = {model::SearchSpace::kAutoBatch};
        request.space.search = model::SearchAlgorithm::grid;
        request.space.devices = {"cuda:0"};
        request.space.threads = {};
        request.space.memoryShare = 1; // On a busy machine, scripted passes may seem not to gain by the batch.
        limits.trialLeast = base::fromMilliseconds(5);
        limits.trialMost = base::fromMilliseconds(5);
        limits.maxBlocks = 2;
        limits.inputSets = 1;
    }

    static base::Json script(std::int64_t constant, std::int64_t sample, std::int64_t limit = 0)
    {
        return {{"latency_ms", 0.2}, {"memory", {{"base", constant}, {"per_sample", sample}, {"limit", limit}}}};
    }

    /// The largest batch that was measured within `limit`.
    static int edge(const model::StudySnapshot& snapshot, std::int64_t limit)
    {
        int largest = 0;
        for (const Trial& trial : snapshot.trials)
            if (trial.state == TrialState::ok && trial.measurement.memory.devicePeak &&
                trial.measurement.memory.devicePeak->count <= limit)
                largest = std::max(largest, trial.config.batch);
        return largest;
    }
};

TEST_F(AutomaticBatches, DoublesAndThenFindsTheLargestBatchWithinTheBound)
{
    request.goal.maxMemory = base::Bytes{1000 * kMiB};
    ASSERT_EQ(run(script(100 * kMiB, 80 * kMiB)), Outcome::done);
    const model::StudySnapshot snapshot = study();
    EXPECT_EQ(edge(snapshot, 1000 * kMiB), 11);
    EXPECT_EQ(find(snapshot, OptLevel::o0, 11).state, TrialState::ok) << "a batch that was not planned";
    const Trial& beyond = find(snapshot, OptLevel::o0, 16);
    EXPECT_EQ(beyond.state, TrialState::pruned);
    EXPECT_EQ(beyond.reason.kind, model::ReasonKind::batchEdge);
    EXPECT_THAT(sentences::sentence(beyond.reason.message), HasSubstr("Batch 16 would need about"));
    for (const Trial& trial : snapshot.trials)
        if (trial.state == TrialState::ok) {
            EXPECT_LE(trial.measurement.memory.devicePeak->count, 1000 * kMiB) << "nothing beyond the bound is tried";
        }
}

TEST_F(AutomaticBatches, BisectsWhereRunningOutOfMemoryIsAllThatTells)
{
    request.space.devices = {"cpu"};
    request.space.threads = {1};
    ASSERT_EQ(run(script(0, kMiB, 11 * kMiB)), Outcome::done);
    const model::StudySnapshot snapshot = study();
    EXPECT_EQ(find(snapshot, OptLevel::o0, 11).state, TrialState::ok);
    EXPECT_EQ(find(snapshot, OptLevel::o0, 12).reason.kind, model::ReasonKind::outOfMemory);
    EXPECT_EQ(find(snapshot, OptLevel::o0, 32).reason.kind, model::ReasonKind::batchEdge);
}

TEST_F(AutomaticBatches, AShareOfMemoryIsFilledEvenWhereThroughputNoLongerGrows)
{
    devices.back().memory = base::Bytes{1000 * kMiB};
    base::Json flat = script(100 * kMiB, 40 * kMiB);
    flat["latency_ms"] = 0;
    flat["per_sample_ms"] = 10;
    request.space.memoryShare = 0.5;
    ASSERT_EQ(run(flat), Outcome::done);
    EXPECT_EQ(edge(study(), 500 * kMiB), 10);
}

TEST_F(AutomaticBatches, AnInterruptedSearchGoesOnWithWhatWasMeasured)
{
    request.goal.maxMemory = base::Bytes{1000 * kMiB};
    int finished = 0;
    onEvent = [&](const StudyEvent& event) {
        finished += event.kind == StudyEvent::Kind::trialFinished;
        if (finished == 3)
            stop.request_stop();
    };
    ASSERT_EQ(run(script(100 * kMiB, 80 * kMiB)), Outcome::cancelled);
    stop = {};
    onEvent = {};
    ASSERT_EQ(resume(), Outcome::done);
    const model::StudySnapshot snapshot = study();
    EXPECT_EQ(edge(snapshot, 1000 * kMiB), 11);
    for (const Trial& trial : snapshot.trials)
        EXPECT_LE(trial.attempt, 1) << trial.config.batch;
}

TEST_F(AutomaticBatches, ASearchEndsWithTheEdgeOfTheBestGroup)
{
    request.space.levels = {OptLevel::o0, OptLevel::o2};
    request.space.search = model::SearchAlgorithm::racing;
    request.goal.maxMemory = base::Bytes{1000 * kMiB};
    base::Json levels = script(100 * kMiB, 80 * kMiB);
    levels["latency_ms"] = 20;
    levels["levels"] = {{"O2", 0.1}}; // A busy machine must not hide which group is the best.
    ASSERT_EQ(run(levels), Outcome::done);
    EXPECT_EQ(find(study(), OptLevel::o2, 11).state, TrialState::ok);
}

TEST_F(AutomaticBatches, FindsTheEdgeOfAHundredScriptedModels)
{
    base::Random random(11);
    int exact = 0;
    for (int i = 0; i < 100; ++i) {
        const std::int64_t constant = static_cast<std::int64_t>(50 + random.below(1000)) * kMiB;
        const std::int64_t sample = static_cast<std::int64_t>(1 + random.below(200)) * kMiB / 2;
        const int largest = static_cast<int>(1 + random.below(60));
        const std::int64_t limit =
            constant + largest * sample + static_cast<std::int64_t>(random.below(static_cast<std::size_t>(sample)));
        const bool bounded = i % 2 == 0; // true: --max-memory is the limit; false: the memory is
        request.goal.maxMemory = bounded ? std::optional(base::Bytes{limit}) : std::nullopt;
        if (run(script(constant, sample, bounded ? 0 : limit)) == Outcome::done)
            exact += edge(study(), limit) == largest ? 1 : 0;
    }
    RecordProperty("exact", exact);
    EXPECT_GE(exact, 95);
}

} // namespace
} // namespace apertune::study
