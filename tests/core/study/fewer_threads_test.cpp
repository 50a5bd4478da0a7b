// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/format.h"
#include "tests/core/study/study_fixture.h"

#include <set>

namespace apertune::study {
namespace {

using base::Outcome;
using model::OptLevel;
using model::Trial;

/// A race over a processor with four cores, whose default is a thread on each.
struct FewerThreads : testing::StudyFixture
{
    FewerThreads()
    {
        devices[0].cores = 4;
        request.space.levels = {OptLevel::o0, OptLevel::o2};
        request.space.threads = {};
        request.space.search = search::Algorithm::racing;
        limits.confirmMost = base::fromSeconds(1);
    }

    /// Threads of the measured trials at that level and batch.
    std::set<int> threadsOf(OptLevel level, int batch)
    {
        std::set<int> threads;
        for (const Trial& trial : study().trials)
            if (trial.config.level == level && trial.config.batch == batch && trial.state == model::TrialState::ok)
                threads.insert(trial.config.threads);
        return threads;
    }
};

TEST_F(FewerThreads, OneThreadAndHalfOfTheCoresAreTriedWithTheBest)
{
    ASSERT_EQ(run({{"latency_ms", 4}, {"levels", {{"O2", 0.5}}}, {"threads", {{"1", 0.5}}}}), Outcome::done);
    const model::StudySnapshot snapshot = study();
    ASSERT_TRUE(snapshot.recommended);
    const Trial& best = *snapshot.find(snapshot.recommended->trial);
    EXPECT_EQ(best.config.level, OptLevel::o2);
    EXPECT_EQ(best.config.threads, 1);
    EXPECT_GT(best.measurement.confirmation, 0);
    EXPECT_EQ(threadsOf(best.config.level, best.config.batch), (std::set{1, 2, 4}));
    EXPECT_EQ(snapshot.find(snapshot.recommended->against)->config.threads, 4) << "the default is the baseline";
    EXPECT_EQ(text::ConfigurationNames(snapshot).shortName(best), "O2 fp32 b2 th1");
}

TEST_F(FewerThreads, TheBaselineHasTheDefaultEvenWhereItWinsWithFewer)
{
    ASSERT_EQ(run({{"latency_ms", 4}, {"levels", {{"O2", 2}}}, {"threads", {{"1", 0.5}}}}), Outcome::done);
    const model::StudySnapshot snapshot = study();
    ASSERT_TRUE(snapshot.recommended);
    const Trial& best = *snapshot.find(snapshot.recommended->trial);
    EXPECT_TRUE(best.config.isReference());
    EXPECT_EQ(best.config.threads, 1);
    ASSERT_TRUE(snapshot.find(snapshot.recommended->against));
    EXPECT_EQ(snapshot.find(snapshot.recommended->against)->config.threads, 4);
    EXPECT_NEAR(snapshot.recommended->speedup.value, 2, 0.3);
}

TEST_F(FewerThreads, TheDefaultStaysWhereFewerAreSlower)
{
    ASSERT_EQ(run({{"latency_ms", 2}, {"levels", {{"O2", 0.5}}}, {"threads", {{"1", 3}, {"2", 2}}}}), Outcome::done);
    const model::StudySnapshot snapshot = study();
    ASSERT_TRUE(snapshot.recommended);
    EXPECT_EQ(snapshot.find(snapshot.recommended->trial)->config.threads, 4);
}

TEST_F(FewerThreads, NumbersThatTheUserNamesAreAllThatIsTried)
{
    request.space.threads = {4};
    ASSERT_EQ(run({{"latency_ms", 2}, {"levels", {{"O2", 0.5}}}, {"threads", {{"1", 0.5}}}}), Outcome::done);
    for (const Trial& trial : study().trials)
        EXPECT_EQ(trial.config.threads, 4);
}

TEST_F(FewerThreads, AResumedStudyTriesThemOnce)
{
    ASSERT_EQ(run({{"latency_ms", 2}, {"levels", {{"O2", 0.5}}}}), Outcome::done);
    const std::size_t trials = study().trials.size();
    ASSERT_EQ(resume(), Outcome::done);
    EXPECT_EQ(study().trials.size(), trials);
}

} // namespace
} // namespace apertune::study
