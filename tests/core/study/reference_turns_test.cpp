// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/search/recommend.h"
#include "core/stats/compare.h"
#include "core/stats/reference_turns.h"
#include "tests/core/study/study_fixture.h"

namespace apertune::study {
namespace {

using model::OptLevel;
using model::Trial;

struct ReferenceTurns : testing::StudyFixture
{
    ReferenceTurns()
    {
        limits.driftReadingEvery = 1;
        limits.minBlock = base::fromMilliseconds(20);
        limits.trialMost = base::fromMilliseconds(600);
        limits.maxBlocks = 12;
        request.space.batches = {1};
    }

    /// The machine becomes that much slower when the trial of a level has finished.
    void slowerAfter(OptLevel level, const std::string& factor)
    {
        onEvent = [this, level, factor](const StudyEvent& event) {
            if (event.kind == StudyEvent::Kind::trialFinished && event.trial->config.level == level) {
                ASSERT_TRUE(base::writeFileAtomically(artifact.path() / "machine", factor));
            }
        };
    }
};

TEST_F(ReferenceTurns, EveryBlockKnowsHowFastTheReferenceWasBesideIt)
{
    ASSERT_EQ(run({{"latency_ms", 20}, {"levels", {{"O1", 0.5}, {"O2", 0.25}}}}), base::Outcome::done);
    const auto snapshot = study();
    for (const Trial& trial : snapshot.trials) {
        ASSERT_TRUE(stats::hasReference(trial)) << trial.ordinal;
        for (const model::Block& block : trial.measurement.blocks)
            EXPECT_GT(block.referenceNs, 19e6);
        ASSERT_TRUE(stats::haveCommonReference(snapshot.trials.front(), trial));
    }
}

TEST_F(ReferenceTurns, TrialsOfDifferentTimesAreRankedByWhatTheReferenceTookBesideThem)
{
    slowerAfter(OptLevel::o1, "3");
    ASSERT_EQ(run({{"latency_ms", 40}, {"slowdown", "machine"}, {"levels", {{"O1", 0.5}, {"O2", 0.25}}}}),
              base::Outcome::done);
    const auto snapshot = study();
    const Trial& o1 = find(snapshot, OptLevel::o1, 1);
    const Trial& o2 = find(snapshot, OptLevel::o2, 1);
    EXPECT_GT(o2.measurement.latencyNs.value, o1.measurement.latencyNs.value) << "the clock alone misleads";
    const auto effect = stats::effectBetween({o1}, {o2});
    ASSERT_TRUE(effect);
    EXPECT_GT(effect->ratio.lo, 1);
    EXPECT_LE(effect->ratio.lo, 2.1);
    EXPECT_GE(effect->ratio.hi, 1.9);
    ASSERT_TRUE(snapshot.leading());
    EXPECT_EQ(snapshot.leading()->trial, o2.id);
    const auto front = search::paretoFront(snapshot.trials, snapshot.study.goal);
    EXPECT_EQ(front, std::vector{o2.id});
}

TEST_F(ReferenceTurns, AStudyWhoseReferenceFailsGoesOnWithoutIt)
{
    request.space.threads = {2}; // so that the reference, of one thread, is a configuration of its own
    ASSERT_EQ(run({{"latency_ms", 5},
                   {"faults", {{{"at", "run"}, {"do", "throw"}, {"n", 6}, {"once", "struck"}}}},
                   {"levels", {{"O1", 0.5}, {"O2", 0.25}}}}),
              base::Outcome::done);
    const auto snapshot = study();
    EXPECT_GE(count(snapshot, model::TrialState::ok), 2);
    ASSERT_TRUE(snapshot.leading());
}

TEST_F(ReferenceTurns, AStudyWithoutAnO0Fp32HasNoReference)
{
    request.space.levels = {OptLevel::o1, OptLevel::o2};
    ASSERT_EQ(run({{"latency_ms", 5}}), base::Outcome::done);
    const auto snapshot = study();
    EXPECT_EQ(count(snapshot, model::TrialState::ok), 2);
    for (const Trial& trial : snapshot.trials)
        EXPECT_FALSE(stats::hasReference(trial));
}

} // namespace
} // namespace apertune::study
