// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/measuring.h"
#include "core/base/clock.h"
#include "core/sentences/sentences.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <thread>
#include <vector>

/// A backend of plain functions that remembers what was called.
struct apertune_session
{
    apertune::base::Nanoseconds pass{200'000};
    int slowPasses = 0; ///< number of first passes that take slowPass
    apertune::base::Nanoseconds slowPass{};
    bool sleeps = false; ///< a pass sleeps instead of computing, so that a busy machine cannot put it aside
    bool deviceClock = false;
    int failAt = 0; ///< the n-th pass fails
    int passes = 0;
    int finalizedAfter = -1;
    int resetAfter = -1;
    bool pending = false;
    std::vector<std::uint32_t> inputs;
    std::atomic<bool>* stop = nullptr;
    int stopAt = 0;
};

namespace apertune::worker {
namespace {

using base::Nanoseconds;

apertune_status run(apertune_session* s, std::uint32_t input)
{
    if (++s->passes == s->failAt)
        return APERTUNE_MODEL_THREW;
    if (s->stop && s->passes >= s->stopAt)
        *s->stop = true;
    s->inputs.push_back(input);
    s->pending = true;
    return APERTUNE_OK;
}

apertune_status synchronize(apertune_session* s)
{
    const Nanoseconds pass = s->passes <= s->slowPasses ? s->slowPass : s->pass;
    const Nanoseconds end = base::monotonicNow() + pass;
    if (s->sleeps)
        std::this_thread::sleep_for(std::chrono::nanoseconds(pass.count));
    while (s->pending && base::monotonicNow() < end) {
    }
    s->pending = false;
    return APERTUNE_OK;
}

apertune_status finalize(apertune_session* s)
{
    s->finalizedAfter = s->passes;
    return APERTUNE_OK;
}

apertune_status resetPeaks(apertune_session* s)
{
    s->resetAfter = s->passes;
    return APERTUNE_OK;
}

apertune_status timerStart(apertune_session*)
{
    return APERTUNE_OK;
}

apertune_status timerStop(apertune_session* s, std::uint64_t* ns)
{
    *ns = s->deviceClock ? 1234 : 0;
    return APERTUNE_OK;
}

void lastError(apertune_session*, apertune_text_sink sink, void* user)
{
    const std::string text = R"({"message":"It threw.","hint":"Look.","detail":"there"})";
    sink(user, text.data(), text.size());
}

void close(apertune_session*)
{
}

const apertune_plugin& table()
{
    static const apertune_plugin plugin = [] {
        apertune_plugin p{};
        p.run = run;
        p.synchronize = synchronize;
        p.finalize = finalize;
        p.reset_peaks = resetPeaks;
        p.device_timer_start = timerStart;
        p.device_timer_stop = timerStop;
        p.last_error = lastError;
        p.close = close;
        return p;
    }();
    return plugin;
}

/// What ends earlier in these tests is ended by something else, however busy the machine is.
constexpr Nanoseconds kLong{300'000'000'000};

struct Measuring : ::testing::Test
{
    apertune_session model;
    std::atomic<bool> stop = false;
    std::vector<std::string> phases;

    LoadedModel loaded()
    {
        LoadedModel b;
        b.session = std::make_unique<Session>(table(), &model);
        b.iteration = model.pass;
        b.hasDeviceClock = model.deviceClock;
        b.watch = quiet();
        return b;
    }

    /// A machine on which nothing else happens, whatever this one does.
    static Watch quiet()
    {
        return {[] { return std::vector<ThreadTimes>{}; }, [] { return MachineTimes{}; }, [] { return Nanoseconds{}; },
                [] { return 1.0; }, 1000};
    }

    /// The machine keeps a thread waiting for `waited` in each of the blocks (from 1) for which `when` holds.
    static Watch disturbed(Nanoseconds waited, std::function<bool(int)> when)
    {
        Watch watch = quiet();
        watch.threads = [waited, when = std::move(when), calls = 0, sum = Nanoseconds{}]() mutable {
            // Read before and after each block.
            if (++calls % 2 == 0 && when(calls / 2))
                sum += waited;
            return std::vector<ThreadTimes>{{7, {}, sum}};
        };
        return watch;
    }

    base::Result<WarmUp> warm(LoadedModel& b, WarmUpRequest request = {Nanoseconds{5'000'000}, kLong})
    {
        return warmUp(b, request, stop, [this](const char* phase) { phases.push_back(phase); });
    }

    base::Result<Measured> measured(LoadedModel& b, const MeasureRequest& request)
    {
        return measure(b, request, stop, [](const Measured&, const model::Interval&) {});
    }

    static MeasureRequest quick()
    {
        MeasureRequest request;
        request.minBlock = Nanoseconds{2'000'000};
        request.minTime = {};
        request.maxTime = kLong;
        return request;
    }
};

TEST_F(Measuring, WarmUpEndsSteadyAndThenFinalizesAndForgetsPeaks)
{
    LoadedModel b = loaded();
    const Nanoseconds begin = base::monotonicNow();
    const auto result = warm(b);
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->steady);
    EXPECT_GE(result->iterations, 10) << "two groups of five";
    EXPECT_GE(result->spent.count, 5'000'000);
    EXPECT_EQ(model.finalizedAfter, 1 + result->iterations);
    EXPECT_GT(model.resetAfter, model.finalizedAfter) << "the passes after finalize belong to warm-up";
    EXPECT_GE(b.iteration.count, 200'000);
    EXPECT_LE(b.iteration, base::monotonicNow() - begin);
    EXPECT_THAT(phases, ::testing::ElementsAre("first", "warm-up", "finalize"));
}

TEST_F(Measuring, WarmUpOfASlowModelKeepsToItsLimit)
{
    model.pass = Nanoseconds{30'000'000};
    LoadedModel b = loaded();
    const auto result = warm(b, {Nanoseconds{5'000'000}, Nanoseconds{50'000'000}});
    ASSERT_TRUE(result.ok());
    EXPECT_FALSE(result->steady);
    EXPECT_LE(result->iterations, 2);
}

TEST_F(Measuring, WithoutTimeForWarmUpASlowModelMakesTwoPasses)
{
    model.deviceClock = true;
    LoadedModel b = loaded();
    b.hasDeviceClock = false;
    const auto result = warm(b, {{}, {}});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->iterations, 0);
    EXPECT_EQ(model.passes, 2) << "the first, and one after finalize, which finds the device's clock";
    EXPECT_TRUE(b.hasDeviceClock);
    EXPECT_GE(b.iteration.count, 200'000);
}

TEST_F(Measuring, AModelFarTooSlowIsGivenUpAfterTwoPassesBeyondTheFirst)
{
    model.pass = Nanoseconds{60'000'000};
    model.sleeps = true;
    LoadedModel b = loaded();
    const WarmUpRequest hopeless{Nanoseconds{5'000'000}, kLong, Nanoseconds{10'000'000}};
    const auto result = warm(b, hopeless);
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->gaveUp);
    EXPECT_EQ(model.passes, 3);
    EXPECT_EQ(model.finalizedAfter, -1);
    EXPECT_GE(b.iteration.count, 60'000'000);
}

TEST_F(Measuring, ShortPassesThatWereDisturbedAtFirstAreNotGivenUp)
{
    model.sleeps = true;
    model.slowPasses = 3; // the first pass is slow, and two more that would condemn the model
    model.slowPass = Nanoseconds{12'000'000};
    LoadedModel b = loaded();
    const WarmUpRequest request{Nanoseconds{5'000'000}, kLong, Nanoseconds{10'000'000}};
    const auto result = warm(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_FALSE(result->gaveUp);
}

TEST_F(Measuring, AModelBelowThatLimitIsWarmedUpAsEver)
{
    LoadedModel b = loaded();
    const auto result = warm(b, {Nanoseconds{5'000'000}, kLong, Nanoseconds{100'000'000}});
    ASSERT_TRUE(result.ok());
    EXPECT_FALSE(result->gaveUp);
    EXPECT_TRUE(result->steady);
    EXPECT_EQ(model.finalizedAfter, 1 + result->iterations);
}

TEST_F(Measuring, BlocksHoldAsManyPassesAsTheirLengthTakes)
{
    LoadedModel b = loaded();
    MeasureRequest request = quick();
    request.maxBlocks = 12;
    request.target = 0;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    ASSERT_EQ(result->blocks.size(), 12u);
    EXPECT_EQ(result->blocks[0].iterations, 10);
    std::int64_t passes = 0;
    for (const auto& block : result->blocks) {
        passes += block.iterations;
        EXPECT_GE(block.wall.count, block.iterations * 200'000);
        EXPECT_GT(block.cpu.count, 0);
    }
    EXPECT_EQ(result->iterations.size(), static_cast<std::size_t>(passes));
    EXPECT_EQ(model.passes, passes);
}

TEST_F(Measuring, InputsAreRotatedAcrossCommands)
{
    LoadedModel b = loaded();
    MeasureRequest request = quick();
    request.maxBlocks = 1;
    ASSERT_TRUE(measured(b, request).ok());
    ASSERT_TRUE(measured(b, request).ok());
    for (std::size_t i = 0; i < model.inputs.size(); ++i)
        EXPECT_EQ(model.inputs[i], i);
}

TEST_F(Measuring, ItEndsWhenTheTargetIsMetAndNotBeforeTenBlocks)
{
    LoadedModel b = loaded();
    MeasureRequest request = quick();
    request.target = 1e6; // any ten blocks meet it, also on a busy machine
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->converged);
    EXPECT_EQ(result->blocks.size(), 10u);
}

TEST_F(Measuring, ItEndsWhenTheTimeIsSpentWithAtLeastOneBlock)
{
    model.pass = Nanoseconds{20'000'000};
    LoadedModel b = loaded();
    MeasureRequest request = quick();
    request.maxTime = Nanoseconds{1};
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->blocks.size(), 1u);
    EXPECT_EQ(result->blocks[0].iterations, 1);
    EXPECT_FALSE(result->converged);
}

TEST_F(Measuring, AnIntervalsBlocksAreTakenAlthoughTheTimeIsSpent)
{
    LoadedModel b = loaded();
    MeasureRequest request = quick();
    request.target = 0;
    request.maxTime = Nanoseconds{1};
    request.leastBlocks = 6;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->blocks.size(), 6u);
}

TEST_F(Measuring, PassesThatSettleAreNotCounted)
{
    LoadedModel b = loaded();
    MeasureRequest request = quick();
    request.maxBlocks = 1;
    request.settle = 7;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(model.passes, 7 + result->blocks[0].iterations);
    EXPECT_EQ(result->iterations.size(), static_cast<std::size_t>(result->blocks[0].iterations));
}

TEST_F(Measuring, ADeviceClockTimesAsManyPassesQueuedBackToBack)
{
    model.deviceClock = true;
    LoadedModel b = loaded();
    MeasureRequest request = quick();
    request.maxBlocks = 2;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->blocks[0].device.count, 1234);
    EXPECT_EQ(model.passes, 2 * (result->blocks[0].iterations + result->blocks[1].iterations));
}

TEST_F(Measuring, AContendedBlockIsThrownAwayAndTakenAgain)
{
    LoadedModel b = loaded();
    b.watch = disturbed(Nanoseconds{1'000'000'000}, [](int block) { return block == 3 || block == 4; });
    MeasureRequest request = quick();
    request.maxBlocks = 12;
    request.target = 0;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    ASSERT_EQ(result->blocks.size(), 12u);
    std::int64_t passes = 0;
    for (const auto& block : result->blocks) {
        passes += block.iterations;
        EXPECT_EQ(block.waited.count, 0);
    }
    EXPECT_EQ(result->iterations.size(), static_cast<std::size_t>(passes)) << "their passes are gone, too";
    EXPECT_EQ(result->conditions.contended, 2);
    EXPECT_EQ(result->conditions.discarded, 2);
    EXPECT_EQ(result->conditions.waited.count, 2'000'000'000) << "what was thrown away is told";
}

TEST_F(Measuring, OnlyAFifthOfTheBlocksIsThrownAwayAndTheRestIsKeptAndCounted)
{
    LoadedModel b = loaded();
    b.watch = disturbed(Nanoseconds{1'000'000'000}, [](int) { return true; });
    MeasureRequest request = quick();
    request.maxBlocks = 40;
    request.target = 0;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->blocks.size(), 40u);
    EXPECT_EQ(result->conditions.contended, 49);
    EXPECT_EQ(result->conditions.discarded, 9);
    request.maxBlocks = 1;
    const auto later = measured(b, request);
    ASSERT_TRUE(later.ok());
    EXPECT_EQ(later->conditions.contended, 2) << "one of 50 and 51";
    EXPECT_EQ(measured(b, request)->conditions.discarded, 0) << "the session has used up its share";
    request.discards = 0;
    LoadedModel other = loaded();
    other.watch = disturbed(Nanoseconds{1'000'000'000}, [](int) { return true; });
    EXPECT_EQ(measured(other, request)->conditions.discarded, 0);
}

TEST_F(Measuring, AProcessThatHasAllItsProcessorsWaitsForItselfAlone)
{
    LoadedModel b = loaded();
    b.watch = disturbed(Nanoseconds{1'000'000'000}, [](int) { return true; });
    b.watch.allowed = 0;
    MeasureRequest request = quick();
    request.maxBlocks = 12;
    request.target = 0;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->conditions.contended, 0);
    EXPECT_EQ(result->conditions.waited.count, 12'000'000'000) << "told all the same";
}

TEST_F(Measuring, ABlockAtALowerClockIsThrottled)
{
    LoadedModel b = loaded();
    b.watch.clock = [block = 0]() mutable { return ++block == 5 ? 0.96 : block == 6 ? 0.995 : 1.0; };
    MeasureRequest request = quick();
    request.maxBlocks = 12;
    request.target = 0;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->conditions.throttled, 1);
    EXPECT_EQ(result->conditions.discarded, 1);
    EXPECT_EQ(result->blocks[4].clock, 0.995);
    EXPECT_EQ(result->conditions.clockLow, 0.96);
    EXPECT_EQ(result->conditions.clockHigh, 1.0);
}

TEST_F(Measuring, TheProcessorsClockDoesNotThrottleADeviceWithAClockOfItsOwn)
{
    model.deviceClock = true;
    LoadedModel b = loaded();
    b.watch.clock = [block = 0]() mutable { return ++block % 2 == 0 ? 0.7 : 1.0; };
    MeasureRequest request = quick();
    request.maxBlocks = 12;
    request.target = 0;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->conditions.throttled, 0);
    EXPECT_EQ(result->conditions.clockHigh, 0) << "it is not read";
}

TEST_F(Measuring, AClockThatOtherWorkersHadIsWhatBlocksAreHeldAgainst)
{
    LoadedModel b = loaded();
    b.watch.clock = [] { return 1.0; };
    b.fastestClock = 1.05;
    MeasureRequest request = quick();
    request.maxBlocks = 12;
    request.target = 0;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->conditions.throttled, 12 + result->conditions.discarded);
    EXPECT_GE(result->conditions.discarded, kFreeDiscards);
}

TEST_F(Measuring, ABlockOfASlowedDeviceIsThrottled)
{
    LoadedModel b = loaded();
    // Asked before and after each block: the third and the sixth are slowed at one of their ends.
    b.watch.gpu = [calls = 0]() mutable {
        GpuReading reading;
        reading.slowed = ++calls == 5 || calls == 12;
        return reading;
    };
    MeasureRequest request = quick();
    request.maxBlocks = 12;
    request.target = 0;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->conditions.throttled, 2);
    EXPECT_EQ(result->conditions.discarded, 2);
    EXPECT_EQ(result->blocks.size(), 12u);
}

TEST_F(Measuring, EnergyOfThePackagesIsReadAroundEveryBlock)
{
    LoadedModel b = loaded();
    b.watch.packages = [] {
        const base::Nanoseconds now = base::monotonicNow();
        return EnergyReading{now, 40 * now.seconds(), 0}; // 40 W
    };
    b.watch.batch = 8;
    b.watch.idleWatts = 10;
    MeasureRequest request = quick();
    request.minBlock = base::fromMilliseconds(20);
    request.maxBlocks = 12;
    request.target = 0;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    ASSERT_TRUE(result->conditions.energy);
    const model::Energy& energy = *result->conditions.energy;
    EXPECT_EQ(energy.source, model::EnergySource::packages);
    EXPECT_EQ(energy.batch, 8);
    EXPECT_EQ(energy.idleWatts, 10);
    std::int64_t passes = 0;
    for (const model::Block& block : result->blocks)
        passes += block.iterations;
    EXPECT_GE(energy.total().passes, passes) << "discarded blocks count, too";
    EXPECT_NEAR(energy.total().joules / energy.total().time.seconds(), 40, 0.1);
}

TEST_F(Measuring, WhatTheMachineDidIsTheDifferenceOverAllBlocks)
{
    LoadedModel b = loaded();
    b.watch.machine = [calls = 0]() mutable {
        return ++calls == 1 ? MachineTimes{{1'000'000'000}, {5'000'000}, {100}, 4}
                            : MachineTimes{{100'000'000'000}, {8'000'000}, {350}, 4};
    };
    MeasureRequest request = quick();
    request.maxBlocks = 3;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    const model::Conditions& c = result->conditions;
    EXPECT_EQ(c.processors, 4);
    EXPECT_EQ(c.steal.count, 3'000'000);
    EXPECT_EQ(c.pressure.count, 250);
    EXPECT_GE(c.span, c.wall);
    EXPECT_LT(c.others.count, 99'000'000'000) << "less what this process had itself";
    EXPECT_GT(c.others.count, 0);
}

TEST_F(Measuring, AFailingPassComesBackWithTheBackendsWords)
{
    for (const int failAt : {1, 2, 15}) {
        model = {};
        model.failAt = failAt;
        LoadedModel b = loaded();
        const auto result = warm(b);
        const auto error = result.ok() ? measured(b, quick()).error() : result.error();
        EXPECT_EQ(error.code, base::ErrorCode::modelThrew);
        EXPECT_EQ(sentences::sentence(error.message), "It threw.");
    }
}

TEST_F(Measuring, AStopBreaksOffInsideABlock)
{
    LoadedModel b = loaded();
    model.stop = &stop;
    model.stopAt = 3;
    const auto result = measured(b, quick());
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, base::ErrorCode::cancelled);
    EXPECT_EQ(model.passes, 3);
}

TEST_F(Measuring, SinglePassesAreKeptUpToTheirLimit)
{
    model.pass = {};
    LoadedModel b = loaded();
    b.iteration = Nanoseconds{1};
    MeasureRequest request = quick();
    request.minBlock = Nanoseconds{250'000};
    request.maxBlocks = 1;
    const auto result = measured(b, request);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->blocks[0].iterations, 250'000);
    EXPECT_EQ(result->iterations.size(), model::kMostPasses);
}

} // namespace
} // namespace apertune::worker
