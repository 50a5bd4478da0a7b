// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_dir.h"
#include "core/search/algorithm.h"
#include "core/study/earlier_studies.h"

#include <gtest/gtest.h>

namespace apertune::study {
namespace {

using model::OptLevel;
using model::Trial;

struct EarlierStudiesTest : ::testing::Test
{
    EarlierStudiesTest()
    {
        model::Device cpu;
        cpu.id = "cpu";
        cpu.type = model::DeviceType::cpu();
        cpu.name = "a processor";
        now.model.name = "net";
        now.model.contentHash = "0123";
        now.space.search = search::Algorithm::racing;
        now.environment.host = "here";
        now.environment.devices = {cpu};
        now.environment.engines = {{"libtorch", "2.9"}};
        trials = {trial(OptLevel::o0, 1), trial(OptLevel::o3, 1)};
    }

    /// A queued trial, with the time of a pass where it is known.
    static Trial trial(OptLevel level, int batch, double ms = 0)
    {
        Trial made;
        made.device = "cpu";
        made.config = model::makeConfig(level, model::Precision::fp32, batch, 2, model::DeviceType::cpu());
        made.measurement.latencyNs = {ms * 1e6, ms * 1e6, ms * 1e6, 0};
        return made;
    }

    /// Keeps a study with O0, where a sample takes 10 ms, and O2 with two batches, of which the larger is faster.
    void keep(model::Study study, double o2 = 8)
    {
        std::vector<Trial> measured{trial(OptLevel::o0, 1, 10), trial(OptLevel::o2, 1, o2), trial(OptLevel::o2, 4, 20),
                                    trial(OptLevel::o3, 1, 4)};
        measured.back().measurement.compile = base::fromSeconds(12);
        ASSERT_TRUE(store.createStudy(study, measured));
        for (const Trial& done : measured)
            for (const auto to : {model::TrialState::leased, model::TrialState::running, model::TrialState::ok})
                ASSERT_TRUE(store.transition(done, to));
    }

    search::KnownBest bestOf(OptLevel level)
    {
        const auto best = earlierStudies(store, now, trials).best;
        const auto at = best.find(model::groupKey(trial(level, 1).config, "cpu"));
        return at == best.end() ? search::KnownBest{0, 0} : at->second;
    }
    double costOf(OptLevel level) { return bestOf(level).cost; }

    base::TemporaryDir dir = std::move(base::TemporaryDir::create("test")).value();
    store::Store store =
        std::move(store::Store::open(dir.path() / "test.apertune", store::OpenMode::readWrite)).value();
    model::Study now;
    std::vector<Trial> trials;
};

TEST_F(EarlierStudiesTest, TellTheBestTimeOfEachGroupAndOfCompilations)
{
    EXPECT_TRUE(earlierStudies(store, now, trials).best.empty());
    EXPECT_EQ(earlierStudies(store, now, trials).compile, kTypicalCompile);
    keep(now);
    EXPECT_DOUBLE_EQ(costOf(OptLevel::o0), 1);
    EXPECT_DOUBLE_EQ(costOf(OptLevel::o2), 0.5);
    EXPECT_EQ(bestOf(OptLevel::o2).batch, 4);
    EXPECT_DOUBLE_EQ(costOf(OptLevel::o3), 0.4);
    EXPECT_EQ(earlierStudies(store, now, trials).compile, base::fromSeconds(12));
}

TEST_F(EarlierStudiesTest, TheNewestDecides)
{
    keep(now, 3);
    keep(now);
    EXPECT_DOUBLE_EQ(costOf(OptLevel::o2), 0.5);
}

TEST_F(EarlierStudiesTest, OnlyOfTheSameWeightsMachineAndEngine)
{
    const auto isTaken = [&](auto change) {
        model::Study other = now;
        change(other);
        keep(other);
        return costOf(OptLevel::o2) > 0;
    };
    EXPECT_FALSE(isTaken([](model::Study& s) { s.model.contentHash = "4567"; }));
    EXPECT_FALSE(isTaken([](model::Study& s) { s.environment.host = "there"; }));
    EXPECT_FALSE(isTaken([](model::Study& s) { s.environment.engines[0].second = "2.8"; }));
    EXPECT_FALSE(isTaken([](model::Study& s) { s.purpose = model::StudyPurpose::verification; }));
    EXPECT_TRUE(isTaken([](model::Study&) {}));
}

TEST_F(EarlierStudiesTest, NothingIsReadForAGridWithoutCompilations)
{
    keep(now);
    now.space.search = search::Algorithm::grid;
    trials.pop_back();
    EXPECT_TRUE(earlierStudies(store, now, trials).best.empty());
    EXPECT_EQ(earlierStudies(store, now, trials).compile, kTypicalCompile);
}

} // namespace
} // namespace apertune::study
