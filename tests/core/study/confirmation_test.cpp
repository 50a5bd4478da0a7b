// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/temporary_dir.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/stats/compare.h"
#include "core/stats/summarize.h"
#include "core/study/confirmation.h"
#include "core/study/device_sweep.h"
#include "tests/core/study/study_fixture.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace apertune::study {
namespace {

using base::Json;
using base::Outcome;
using model::OptLevel;
using model::Trial;
using model::Verdict;

/// Differences between configurations and between processes are planted far above what a busy machine adds to a sleep:
/// what matters is their ratio to each other, and all are scaled alike.
struct Confirming : testing::StudyFixture
{
    const Json three{{"latency_ms", 40}, {"levels", {{"O1", 0.4}, {"O2", 0.1}}}};

    Confirming()
    {
        limits.confirmMost = base::fromSeconds(60);
        limits.confirmProcesses = 3;
        limits.maxBlocks = 12;
        limits.trialMost = base::fromSeconds(60); // each configuration has an interval
        request.space.batches = {1};
    }

    /// Calls `work` with a sweep of the last study as it is stored.
    template <typename Work>
    void onLedger(Work work)
    {
        const model::StudySnapshot snapshot = study();
        const std::vector<search::BackendInfo> backends{testing::fakeBackend()};
        TrialTracker tracker(store, snapshot.study.id, snapshot.study.model.rateUnit(), snapshot.trials, observer(),
                             std::nullopt, model::BudgetKind::measuring, {});
        References references(std::move(base::TemporaryDir::create("scratch")).value());
        const RunContext run{*launcher, compiler, devices, limits};
        const SweepContext context{run,        snapshot.study,        backends,         tracker,
                                   references, snapshot.study.target, stop.get_token(), 0};
        DriftMonitors monitors;
        for (const model::Device& device : devices)
            monitors.try_emplace(device.id, context, device);
        work(context, monitors);
    }
    std::vector<OptLevel> confirmed(int batch = 1)
    {
        std::vector<OptLevel> levels;
        for (const Trial& trial : study().trials)
            if (hasFlag(trial, model::TrialFlag::confirmed) && trial.config.batch == batch)
                levels.push_back(trial.config.level);
        return levels;
    }
};

bool isNamed(Verdict verdict)
{
    return verdict == Verdict::faster || verdict == Verdict::slower;
}

TEST_F(Confirming, StudiesOfIdenticalConfigurationsNameAFalseWinnerAsRarelyAsTheySay)
{
    request.space.levels = {OptLevel::o0, OptLevel::o1};
    limits.maxBlocks = 24;
    constexpr int kStudies = 24;
    int named = 0;
    int byOneProcess = 0;
    for (int i = 0; i < kStudies; ++i) {
        ASSERT_EQ(run({{"latency_ms", 3}, {"process_noise", 0.2}, {"load_ms", 0}}), Outcome::done);
        auto snapshot = study();
        ASSERT_TRUE(snapshot.recommended);
        const auto& best = *snapshot.recommended;
        named += isNamed(best.verdict) || (best.runnerUp && isNamed(best.runnerUp->verdict));
        ASSERT_EQ(confirmed().size(), 2u);
        const auto all = stats::effectBetween({snapshot.trials[0]}, {snapshot.trials[1]});
        EXPECT_TRUE(all->paired);
        EXPECT_EQ(all->processes, 3u) << "the interval holds what processes differ by";
        for (Trial& trial : snapshot.trials)
            std::erase_if(trial.measurement.blocks, [](const model::Block& block) { return block.process > 1; });
        const auto one = stats::effectBetween({snapshot.trials[0]}, {snapshot.trials[1]});
        EXPECT_EQ(one->processes, 0u) << "the blocks of one process do not know what processes differ by";
        byOneProcess += isNamed(one->verdict);
    }
    RecordProperty("named", named);
    RecordProperty("by_one_process", byOneProcess); // the number is told, not judged: load hides differences
    EXPECT_LE(named, 6) << "5 % of 24 are 1; more than 6 come once in ten thousand times";
}

TEST_F(Confirming, EachProcessTellsAStartAndEveryOtherOneIsCold)
{
    ASSERT_EQ(run({{"latency_ms", 20}, {"levels", {{"O1", 0.4}, {"O2", 0.1}}}}), Outcome::done);
    for (const Trial& trial : study().trials) {
        const auto& starts = trial.measurement.conditions.starts;
        if (!hasFlag(trial, model::TrialFlag::confirmed)) {
            EXPECT_TRUE(starts.empty());
            continue;
        }
        ASSERT_EQ(starts.size(), 3U) << "one a process";
        for (std::size_t i = 0; i < starts.size(); ++i) {
            EXPECT_GT(starts[i].load.count, 0);
            EXPECT_GT(starts[i].first.count, 0);
            // A file system in memory keeps its files there.
            EXPECT_TRUE(!starts[i].cold || i % 2 == 0) << i;
        }
    }
}

TEST_F(Confirming, ARealDifferenceIsFoundThroughWhatProcessesDifferBy)
{
    request.space.levels = {OptLevel::o0, OptLevel::o1};
    limits.confirmProcesses = 5;
    limits.maxBlocks = 20;
    int found = 0;
    for (int i = 0; i < 4; ++i) {
        ASSERT_EQ(run({{"latency_ms", 40}, {"process_noise", 0.08}, {"levels", {{"O1", 0.25}}}}), Outcome::done);
        const auto snapshot = study();
        EXPECT_EQ(snapshot.recommended->trial, find(snapshot, OptLevel::o1, 1).id);
        const bool waited = std::any_of(snapshot.trials.begin(), snapshot.trials.end(),
                                        [](const Trial& trial) { return stats::wasKeptWaiting(trial.measurement); });
        // Where other programs kept the threads waiting there is no verdict, and the interval says it alone.
        found += waited ? snapshot.recommended->speedup.lo > 1 : snapshot.recommended->verdict == Verdict::faster;
    }
    EXPECT_GE(found, 3);
}

TEST_F(Confirming, WinnerRunnerUpAndBaselineTakeTurnsInSeveralFreshProcesses)
{
    ASSERT_EQ(run(three), Outcome::done);
    const auto snapshot = study();
    ASSERT_EQ(snapshot.trials.size(), 3u);
    for (const Trial& trial : snapshot.trials) {
        EXPECT_EQ(trial.measurement.confirmation, 1);
        EXPECT_EQ(trial.measurement.blocks.size(), 12u);
        std::multiset<int> processes;
        for (const model::Block& block : trial.measurement.blocks)
            processes.insert(block.process);
        EXPECT_EQ(processes, (std::multiset<int>{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}));
    }
    ASSERT_TRUE(snapshot.recommended && snapshot.recommended->runnerUp);
    EXPECT_EQ(snapshot.recommended->trial, find(snapshot, OptLevel::o2, 1).id);
    EXPECT_EQ(snapshot.recommended->against, find(snapshot, OptLevel::o0, 1).id);
    EXPECT_EQ(snapshot.recommended->runnerUp->over, find(snapshot, OptLevel::o1, 1).id);
    EXPECT_GT(snapshot.recommended->runnerUp->ratio.confidence, 0);
    EXPECT_TRUE(stats::effectBetween({snapshot.trials[1]}, {snapshot.trials[2]})->paired);
}

TEST_F(Confirming, ARowHoldsTheTimesOfItsTurnsAlone)
{
    limits.minBlocks = 40; // many passes of the sweep, which would outnumber those of the turns
    limits.maxBlocks = 40;
    limits.confirmProcesses = 2;
    bool slow = false;
    onEvent = [&](const StudyEvent& event) {
        if (!slow && sentences::sentence(event.message).find("Confirming") != std::string::npos) {
            slow = true; // the machine is ten times slower from now on
            artifact.write({{"latency_ms", 100}, {"levels", {{"O1", 0.4}, {"O2", 0.1}}}});
            limits.maxBlocks = 12;
        }
    };
    ASSERT_EQ(run({{"latency_ms", 10}, {"levels", {{"O1", 0.4}, {"O2", 0.1}}}}), Outcome::done);
    const auto snapshot = study();
    const Trial& baseline = find(snapshot, OptLevel::o0, 1);
    ASSERT_TRUE(hasFlag(baseline, model::TrialFlag::confirmed));
    for (const Trial& trial : snapshot.trials)
        if (hasFlag(trial, model::TrialFlag::confirmed)) {
            std::int64_t passes = 0;
            for (const model::Block& block : trial.measurement.blocks)
                passes += block.iterations;
            EXPECT_EQ(static_cast<std::size_t>(passes), trial.measurement.iterations.size());
        }
    ASSERT_TRUE(baseline.measurement.p50Ns);
    EXPECT_GT(*baseline.measurement.p50Ns, 90e6) << "not of the sweep, which was ten times faster";
    EXPECT_GT(baseline.measurement.latencyNs.value, 90e6);
}

TEST_F(Confirming, APercentileThatIsBoundedIsStillKnownAfterTheTurns)
{
    request.goal.maxPercentiles[90] = base::fromSeconds(30);
    limits.confirmProcesses = 2;
    limits.maxBlocks = 10;
    ASSERT_EQ(run({{"latency_ms", 10}, {"levels", {{"O1", 0.4}, {"O2", 0.1}}}}), Outcome::done);
    const auto snapshot = study();
    ASSERT_TRUE(snapshot.recommended);
    const Trial& winner = *snapshot.find(snapshot.recommended->trial);
    EXPECT_TRUE(hasFlag(winner, model::TrialFlag::confirmed));
    EXPECT_TRUE(winner.measurement.p90Ns);
    EXPECT_EQ(winner.measurement.blocks.size(), 10u);
}

TEST_F(Confirming, ATrialThatLooksBetterWithoutTurnsHasToBeatTheConfirmedWinnerInTurns)
{
    // The second time there is no room beside the winner and its baseline, so nothing but these may be left out.
    for (const bool hasRoom : {true, false}) {
        SCOPED_TRACE(hasRoom);
        ASSERT_EQ(run(three), Outcome::done);
        devices.front().memory = {hasRoom ? 0 : 1};
        onLedger([&](const SweepContext& context, DriftMonitors& monitors) {
            // A number of a time when the machine was quiet.
            const std::size_t o1 = 1;
            model::Measurement lucky = context.tracker.trial(o1).measurement;
            lucky.confirmation = 0;
            std::erase(lucky.flags, model::TrialFlag::confirmed);
            for (model::Block& block : lucky.blocks)
                block.wall.count /= 100;
            stats::summarize(lucky, 1);
            context.tracker.replaceMeasurement(o1, lucky);
            EXPECT_EQ(study().recommended->trial, find(study(), OptLevel::o2, 1).id) << "it took no turns";
            confirmWinner(context, monitors, base::fromSeconds(60));
        });
        const auto snapshot = study();
        for (const Trial& trial : snapshot.trials)
            EXPECT_EQ(trial.measurement.confirmation, 2) << trial.ordinal;
        EXPECT_EQ(snapshot.recommended->trial, find(snapshot, OptLevel::o2, 1).id);
    }
}

TEST_F(Confirming, ARunnerUpThatFailsIsLeftOut)
{
    onEvent = [&](const StudyEvent& event) {
        if (sentences::sentence(event.message).find("Confirming") != std::string::npos) {
            Json script = three;
            script["faults"] = {{{"at", "run"}, {"do", "throw"}, {"when", {{"level", "O1"}}}}};
            artifact.write(script);
        }
    };
    ASSERT_EQ(run(three), Outcome::done);
    EXPECT_EQ(confirmed(), (std::vector{OptLevel::o0, OptLevel::o2}));
}

TEST_F(Confirming, MeasuresNoLongerThanItsTimeOnAMachineThatBecameSlow)
{
    limits.confirmMost = {};
    ASSERT_EQ(run(three), Outcome::done);
    artifact.write({{"latency_ms", 1000}, {"levels", {{"O1", 0.4}, {"O2", 0.1}}}});
    limits.confirmMost = base::fromSeconds(60);
    const base::Nanoseconds limit = base::fromSeconds(7); // ten rounds take eleven seconds now
    onLedger([&](const SweepContext& context, DriftMonitors& monitors) { confirmWinner(context, monitors, limit); });
    base::Nanoseconds measured{};
    for (const Trial& trial : study().trials)
        if (hasFlag(trial, model::TrialFlag::confirmed)) {
            EXPECT_GE(trial.measurement.blocks.size(), static_cast<std::size_t>(stats::kIntervalSamples));
            for (const model::Block& block : trial.measurement.blocks)
                measured += block.wall;
        }
    EXPECT_LE(measured, limit);
}

TEST_F(Confirming, HasRoomForTheModelsBesideEachOther)
{
    limits.confirmMost = {};
    ASSERT_EQ(run(three), Outcome::done);
    devices.front().memory = {1};
    onLedger([&](const SweepContext& context, DriftMonitors& monitors) {
        confirmWinner(context, monitors, base::fromSeconds(60));
    });
    EXPECT_EQ(confirmed(), (std::vector{OptLevel::o0, OptLevel::o2})) << "the two that are needed";
}

TEST_F(Confirming, TakesWhatTheSearchsOwnRaceEndedWith)
{
    limits.confirmMost = {};
    request.space.batches = {1, 2};
    ASSERT_EQ(run(three), Outcome::done);
    onLedger([&](const SweepContext& context, DriftMonitors& monitors) {
        const auto snapshot = study();
        context.tracker.nominate(find(snapshot, OptLevel::o2, 2).id);
        context.tracker.nominate(find(snapshot, OptLevel::o2, 1).id);
        confirmWinner(context, monitors, base::fromSeconds(60));
    });
    EXPECT_EQ(confirmed(2), (std::vector{OptLevel::o0, OptLevel::o2})) << "O1 is next by its median";
    EXPECT_EQ(confirmed(1), (std::vector{OptLevel::o2}));
}

TEST_F(Confirming, ARaceSaysWhatItEndedWith)
{
    request.space.search = model::SearchAlgorithm::racing;
    request.space.batches = {1, 2};
    limits.confirmMost = {};
    stop.request_stop(); // the study is stored and nothing is measured
    run({{"latency_ms", 40}, {"levels", {{"O1", 0.5}, {"O2", 0.1}}}});
    stop = {};
    onLedger([&](const SweepContext& context, DriftMonitors& monitors) {
        DeviceSweep(context, devices.front(), monitors.at(devices.front().id)).run();
        const auto nominated = context.tracker.nominated();
        ASSERT_GE(nominated.size(), 1u);
        const auto snapshot = study();
        const Trial* winner = snapshot.find(nominated.front());
        ASSERT_TRUE(winner);
        EXPECT_EQ(winner->config.level, OptLevel::o2);
        EXPECT_EQ(winner->config.batch, 2);
    });
}

TEST_F(Confirming, ARaceOnlyLooksAtWhatIsSlow)
{
    request.space.search = model::SearchAlgorithm::racing;
    request.space.batches = {1};
    limits.confirmMost = {};
    stop.request_stop();
    run({{"latency_ms", 20}, {"levels", {{"O1", 15}, {"O2", 0.5}}}});
    stop = {};
    onLedger([&](const SweepContext& context, DriftMonitors& monitors) {
        DeviceSweep(context, devices.front(), monitors.at(devices.front().id)).run();
    });
    const auto snapshot = study();
    const Trial& slow = find(snapshot, OptLevel::o1, 1);
    ASSERT_EQ(slow.state, model::TrialState::ok);
    EXPECT_LE(slow.measurement.blocks.size(), 2u);
}

TEST_F(Confirming, ARaceForTwoObjectivesEndsWithWhatIsBestInEach)
{
    request.space.search = model::SearchAlgorithm::racing;
    request.space.batches = {1, 16};
    request.goal.also = {model::Objective::latency};
    limits.confirmMost = {};
    stop.request_stop(); // the study is stored and nothing is measured
    run({{"latency_ms", 32}, {"per_sample_ms", 4}, {"levels", {{"O1", 0.5}, {"O2", 0.25}}}});
    stop = {};
    onLedger([&](const SweepContext& context, DriftMonitors& monitors) {
        DeviceSweep(context, devices.front(), monitors.at(devices.front().id)).run();
        const auto snapshot = study();
        const auto nominated = context.tracker.nominated();
        for (const int batch : {16, 1})
            EXPECT_EQ(std::count(nominated.begin(), nominated.end(), find(snapshot, OptLevel::o2, batch).id), 1)
                << batch;
    });
    const auto snapshot = study();
    ASSERT_FALSE(snapshot.shortlist.empty()) << "nothing was confirmed";
    EXPECT_EQ(snapshot.shortlist.front().trial, find(snapshot, OptLevel::o2, 16).id);
    ASSERT_EQ(snapshot.also.size(), 1u);
    ASSERT_TRUE(snapshot.also[0].recommended);
    EXPECT_EQ(snapshot.also[0].recommended->trial, find(snapshot, OptLevel::o2, 1).id);
}

TEST_F(Confirming, WhatIsBestInEachObjectiveTakesTurnsWithItsOwnBaseline)
{
    request.space.batches = {1, 8};
    request.goal.also = {model::Objective::memory, model::Objective::latency};
    ASSERT_EQ(run({{"latency_ms", 24}, {"per_sample_ms", 6}, {"levels", {{"O1", 0.5}, {"O2", 0.25}}}}), Outcome::done);
    EXPECT_EQ(confirmed(8), (std::vector{OptLevel::o0, OptLevel::o1, OptLevel::o2})) << "O1 is the runner-up";
    EXPECT_EQ(confirmed(1), (std::vector{OptLevel::o0, OptLevel::o2}));
    const auto snapshot = study();
    const auto& latency = snapshot.also.back().recommended;
    ASSERT_TRUE(latency);
    EXPECT_TRUE(stats::wereInterleaved(*snapshot.find(latency->trial), *snapshot.find(latency->against)));
}

TEST_F(Confirming, LooksAgainAreNotPairedWithEarlierOnes)
{
    ASSERT_EQ(run(three), Outcome::done);
    onLedger([&](const SweepContext& context, DriftMonitors& monitors) {
        confirmWinner(context, monitors, base::fromSeconds(60));
    });
    EXPECT_EQ(study().trials[0].measurement.confirmation, 1) << "they took turns already";
    onLedger([&](const SweepContext& context, DriftMonitors& monitors) {
        // The winner's measurement is made worse than the runner-up's, as a second look could.
        const std::size_t o2 = 2;
        model::Measurement worse = context.tracker.trial(o2).measurement;
        worse.confirmation = 0;
        context.tracker.replaceMeasurement(o2, worse);
        confirmWinner(context, monitors, base::fromSeconds(60));
    });
    const auto snapshot = study();
    const Trial& o2 = find(snapshot, OptLevel::o2, 1);
    EXPECT_EQ(o2.measurement.confirmation, 2);
    EXPECT_EQ(find(snapshot, OptLevel::o0, 1).measurement.confirmation, 2);
    Trial first = find(snapshot, OptLevel::o1, 1);
    first.measurement.confirmation = 1;
    EXPECT_FALSE(stats::effectBetween({first}, {o2})->paired);
}

} // namespace
} // namespace apertune::study
