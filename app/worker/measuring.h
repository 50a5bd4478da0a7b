// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/backend.h"
#include "app/worker/machine_watch.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/model/measurement.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace apertune::worker {

/// Where the loop looks at the machine. Tests put scripts in its place.
struct Watch
{
    std::function<std::vector<ThreadTimes>()> threads = [] { return threadTimes(); };
    std::function<MachineTimes()> machine = [] { return machineTimes(); };
    std::function<base::Nanoseconds()> held = heldBack;
    std::function<double()> clock = clockRate;
    int allowed = allowedProcessors();
    std::function<bool()> deviceSlowed{}; ///< deviceSlowdown(); may be empty
};

/// A session with what the loop knows about it from one command to the next.
struct LoadedModel
{
    std::unique_ptr<Session> session;
    std::uint32_t nextInput = 0;   ///< input sets are rotated across commands
    base::Nanoseconds iteration{}; ///< estimate of one pass
    bool hasDeviceClock = false;
    Watch watch{};
    std::int64_t taken = 0; ///< blocks so far, discarded ones included
    std::int64_t discarded = 0;
    double fastestClock = 0; ///< of all blocks so far, and of those that the configuration had in other workers
};

struct WarmUpRequest
{
    base::Nanoseconds least{200'000'000};
    base::Nanoseconds most{10'000'000'000};
    base::Nanoseconds giveUp{}; ///< passes that all take longer are not worth measuring; 0: every model is
};

struct WarmUp
{
    base::Nanoseconds first{};
    base::Nanoseconds spent{}; ///< after the first pass
    int iterations = 0;
    bool steady = false;
    bool gaveUp = false;
};

using PhaseSink = std::function<void(const char* phase)>;

/// First pass (timed apart), passes until two groups of five agree within 2 % (at least three passes and `least`, at
/// most `most`, looked at between passes; none when that is 0), finalize, up to three passes more, under the device's
/// clock where it has one, memory peaks forgotten.
/// Ends with `gaveUp` when each pass beyond the first took longer than `giveUp`: the first one compiles. It is looked
/// at once, after at least kGiveUpPasses passes and kGiveUpTime (or at the end of warming up), so that short passes
/// which were put aside for a moment condemn nothing. Not on a machine whose other work puts threads aside all the
/// time: a model whose threads wait for each other is many times slower there. Nothing can be measured after giving up.
/// Failures: those of the backend; cancelled when `stop` became true.
base::Result<WarmUp> warmUp(LoadedModel& model, const WarmUpRequest& request, const std::atomic<bool>& stop,
                            const PhaseSink& phase);

/// A thread that waited for a processor for more of a block than this makes it a contended one…
inline constexpr double kMostWaited = 0.05;
/// …unless the process had this much of all processors it may use: then it waited for itself.
inline constexpr double kOwnShare = 0.95;
inline constexpr double kMostDiscarded = 0.2;
inline constexpr std::int64_t kFreeDiscards = 2; ///< however few blocks there are

struct MeasureRequest
{
    base::Nanoseconds minBlock{20'000'000};
    std::size_t minBlocks = 10;
    std::size_t leastBlocks = 1; ///< taken even when they last longer than maxTime
    std::size_t maxBlocks = 200;
    base::Nanoseconds minTime{500'000'000};
    base::Nanoseconds maxTime{15'000'000'000};
    double target = 0.01;             ///< relative half-width of the median's 95 % interval
    int settle = 0;                   ///< passes before the first block that are not counted
    double discards = kMostDiscarded; ///< share of a session's blocks that may be thrown away; 0: none
};

struct Measured
{
    std::vector<model::Block> blocks;
    std::vector<base::Nanoseconds> iterations; ///< at most model::kMostPasses
    bool converged = false;
    model::Conditions conditions;
};

inline constexpr std::size_t kGiveUpPasses = 2;
inline constexpr base::Nanoseconds kGiveUpTime{100'000'000}; ///< many time slices of a scheduler

/// Called between blocks with everything measured so far.
using BlockSink = std::function<void(const Measured& soFar, const model::Interval& median)>;

/// Takes blocks of passes until one of the limits is met, at least one. Each pass is waited for and timed by two reads
/// of CLOCK_MONOTONIC; nothing else happens inside a block. Where the device has a clock, as many passes more are
/// queued back to back after each block and timed by it, so that the launch cost of one pass hides behind the last.
///
/// The machine is watched between blocks. A block after which the clock is below stats::kLeastClock of the fastest is a
/// throttled one, as is one before or after which the device says that it is slowed. A contended or throttled block is
/// thrown away and taken again, while the share of discarded ones allows and time is left; after that it is kept, and
/// the conditions say how many there were.
base::Result<Measured> measure(LoadedModel& model, const MeasureRequest& request, const std::atomic<bool>& stop,
                               const BlockSink& sink);

} // namespace apertune::worker
