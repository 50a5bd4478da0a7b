// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/backend.h"
#include "app/worker/device_watch.h"
#include "app/worker/machine_watch.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/model/measurement.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace apertune::worker {

/// The error of work that `quit` ended.
base::Error cancelled();

/// The readings of the machine that the loop uses. Tests replace them with scripts.
struct Watch
{
    std::function<std::vector<ThreadTimes>()> threads = [] { return threadTimes(); };
    std::function<MachineTimes()> machine = [] { return machineTimes(); };
    std::function<base::Nanoseconds()> held = heldBack;
    std::function<double()> clock = clockRate;
    int allowed = allowedProcessors();
    std::function<GpuReading()> gpu{}; ///< GpuWatch::read(); empty: the device is no GPU whose driver answers
    std::int64_t powerCap = 0;         ///< GpuWatch::powerCap()
    int otherLoad = 0;                 ///< GpuWatch::otherLoad() before the model was loaded
    /// Reads the processor packages; empty: the model runs elsewhere, or nothing reports their energy.
    std::function<EnergyReading()> packages{};
    double idleWatts = 0; ///< power of the device before the model was loaded; 0: unknown
    int batch = 0;        ///< samples of a pass
};

/// A session, with what the loop has learned about it from one command to the next.
struct LoadedModel
{
    std::unique_ptr<Session> session;
    std::uint32_t nextInput = 0;   ///< next input set; sets are rotated across commands
    base::Nanoseconds iteration{}; ///< estimated time of one pass
    bool hasDeviceClock = false;
    Watch watch{};
    std::int64_t taken = 0; ///< number of blocks so far, discarded ones included
    std::int64_t discarded = 0;
    double fastestClock =
        0; ///< the highest clock of all blocks so far, also of blocks of this configuration in other workers
};

struct WarmUpRequest
{
    base::Nanoseconds least{200'000'000};
    base::Nanoseconds most{10'000'000'000};
    base::Nanoseconds giveUp{}; ///< give up if every pass takes longer; 0: never
};

struct WarmUp
{
    base::Nanoseconds first{};
    base::Nanoseconds spent{}; ///< time after the first pass
    int iterations = 0;
    bool steady = false;
    bool gaveUp = false;
};

using PhaseSink = std::function<void(const char* phase)>;

/// Warms a model up:
///
/// 1. One pass, which is timed by itself.
/// 2. Passes until two groups of five agree within 2 %: at least three passes and `least`. After `most` it stops in any
///    case; the time is checked between passes. With a `most` of 0 there are none.
/// 3. finalize(), then up to three more passes, with the device's clock if it has one. Memory peaks are reset.
///
/// It ends with `gaveUp` when each pass of step 2 took longer than `giveUp`; nothing can be measured then. The first
/// pass does not count, because it compiles. The decision falls once, after at least kGiveUpPasses passes and
/// kGiveUpTime (or at the end of step 2), so that a short interruption does not reject a fast model. It never falls on
/// a machine whose other work interrupts threads all the time: a model whose threads wait for each other is many times
/// slower there.
///
/// Failures: those of the backend; cancelled when `stop` became true.
base::Result<WarmUp> warmUp(LoadedModel& model, const WarmUpRequest& request, const std::atomic<bool>& stop,
                            const PhaseSink& phase);

/// A block is contended if one of its threads waited for a processor for more than this share of it…
inline constexpr double kMostWaited = 0.05;
/// …unless the process had this share of all processors that it may use. Then it waited for itself.
inline constexpr double kOwnShare = 0.95;
inline constexpr double kMostDiscarded = 0.2;
inline constexpr std::int64_t kFreeDiscards = 2; ///< may be discarded even if there are few blocks

struct MeasureRequest
{
    base::Nanoseconds minBlock{20'000'000};
    std::size_t minBlocks = 10;
    std::size_t leastBlocks = 1; ///< number of blocks that are taken even if they take longer than maxTime
    std::size_t maxBlocks = 200;
    base::Nanoseconds minTime{500'000'000};
    base::Nanoseconds maxTime{15'000'000'000};
    double target = 0.01;             ///< relative half-width of the 95 % interval of the median
    int settle = 0;                   ///< number of passes before the first block that are not counted
    double discards = kMostDiscarded; ///< share of a session's blocks that may be discarded; 0: none
};

struct Measured
{
    std::vector<model::Block> blocks;
    std::vector<base::Nanoseconds> iterations; ///< times of single passes, at most model::kMostPasses
    bool converged = false;
    model::Conditions conditions;
};

inline constexpr std::size_t kGiveUpPasses = 2;
inline constexpr base::Nanoseconds kGiveUpTime{100'000'000}; ///< many time slices of a scheduler

/// Called between blocks with everything that was measured so far.
using BlockSink = std::function<void(const Measured& soFar, const model::Interval& median)>;

/// Takes blocks of passes, at least one, until one of the limits is met. Each pass is waited for and timed by two reads
/// of CLOCK_MONOTONIC; a block contains nothing else. If the device has a clock, as many passes are queued back to back
/// after each block and timed by that clock, so that the launch cost of a pass hides behind the pass before.
///
/// The machine is watched between blocks:
///
/// * A block is throttled if the processor's clock after it is below stats::kLeastClock of the fastest, or if the
/// device
///   reports before or after it that it is slowed down. The processor's clock is not read for a device with a clock of
///   its own.
/// * A contended or throttled block is discarded and taken again while `discards` allows it and time is left. After
///   that it is kept, and the conditions say how many there were.
///
/// Failures: those of the backend; cancelled when `stop` became true.
base::Result<Measured> measure(LoadedModel& model, const MeasureRequest& request, const std::atomic<bool>& stop,
                               const BlockSink& sink);

} // namespace apertune::worker
