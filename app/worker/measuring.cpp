// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/measuring.h"

#include "app/worker/process_memory.h"
#include "app/worker/program_errors.h"
#include "core/base/clock.h"
#include "core/stats/block_stats.h"
#include "core/stats/summarize.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

namespace apertune::worker {

using base::Error;
using base::ErrorCode;
using base::Nanoseconds;

Error cancelled()
{
    return {ErrorCode::cancelled, base::message(program_errors::kAskedToEnd), {}, {}};
}

namespace {

std::int64_t involuntarySwitches()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

/// On a quiet machine threads are preempted less often than once in this time.
constexpr Nanoseconds kQuietSwitch{10'000'000};

/// Runs one pass and waits for it. Returns the status; `elapsed` is the host time.
apertune_status timedPass(LoadedModel& model, Nanoseconds& elapsed)
{
    const Nanoseconds begin = base::monotonicNow();
    apertune_status status = model.session->run(model.nextInput++);
    if (status == APERTUNE_OK)
        status = model.session->synchronize();
    elapsed = base::monotonicNow() - begin;
    return status;
}

/// Runs passes back to back under the device's clock. `device` is their time on that clock.
apertune_status deviceTime(LoadedModel& model, std::int64_t passes, Nanoseconds& device)
{
    std::uint64_t ns = 0;
    apertune_status status = model.session->startDeviceTimer();
    for (std::int64_t i = 0; i < passes && status == APERTUNE_OK; ++i)
        status = model.session->run(model.nextInput++);
    if (status == APERTUNE_OK)
        status = model.session->stopDeviceTimer(ns);
    device.count = static_cast<std::int64_t>(ns);
    return status;
}

struct BlockResult
{
    model::Block block;
    apertune_status status = APERTUNE_OK;
    bool stopped = false;
};

BlockResult takeBlock(LoadedModel& model, std::int64_t passes, std::vector<Nanoseconds>& iterations,
                      const std::atomic<bool>& stop)
{
    BlockResult result;
    Session& session = *model.session;
    // The vector must not grow inside a block, so only its reserved part is used.
    const std::size_t room = model::kMostPasses - iterations.size();
    const std::int64_t recorded = std::min<std::int64_t>(passes, static_cast<std::int64_t>(room));
    const std::int64_t switchesBefore = involuntarySwitches();
    const Nanoseconds cpuBefore = base::processCpuTime();
    const Nanoseconds begin = base::monotonicNow();
    Nanoseconds end = begin;
    for (std::int64_t i = 0; i < passes; ++i) {
        const Nanoseconds passBegin = base::monotonicNow();
        // Each pass takes the next set of inputs, so that none repeats the one before it.
        result.status = session.run(model.nextInput++);
        if (result.status == APERTUNE_OK)
            // A GPU's pass ends when its work does, so it is waited for.
            result.status = session.synchronize();
        end = base::monotonicNow();
        if (result.status != APERTUNE_OK)
            return result;
        // The vector has its room already, so this neither allocates nor moves.
        if (i < recorded)
            iterations.push_back(end - passBegin);
        if (stop.load(std::memory_order_relaxed)) {
            result.stopped = true;
            return result;
        }
    }
    result.block.iterations = passes;
    result.block.wall = end - begin;
    result.block.cpu = base::processCpuTime() - cpuBefore;
    result.block.involuntarySwitches = involuntarySwitches() - switchesBefore;
    // The device's time is taken in passes of their own; see deviceTime().
    if (model.hasDeviceClock)
        result.status = deviceTime(model, passes, result.block.device);
    return result;
}

} // namespace

base::Result<WarmUp> warmUp(LoadedModel& model, const WarmUpRequest& request, const std::atomic<bool>& stop,
                            const PhaseSink& phase)
{
    Session& session = *model.session;
    WarmUp result;
    phase("first");
    if (const apertune_status status = timedPass(model, result.first); status != APERTUNE_OK)
        return session.error(status);

    phase("warm-up");
    std::vector<double> passes;
    bool decided = false; // the decision whether the model is worth measuring was made
    const std::int64_t switchesBefore = involuntarySwitches();
    const Nanoseconds begin = base::monotonicNow();
    while (request.most.count > 0) {
        if (stop.load(std::memory_order_relaxed))
            return cancelled();
        Nanoseconds elapsed;
        if (const apertune_status status = timedPass(model, elapsed); status != APERTUNE_OK)
            return session.error(status);
        passes.push_back(static_cast<double>(elapsed.count));
        result.spent = base::monotonicNow() - begin;
        // Three passes are the fewest that can show a trend.
        result.steady = passes.size() >= 3 && result.spent >= request.least && stats::isSteady(passes);
        // At least two passes are needed for giving up, even if `most` has passed: the first may have been interrupted.
        const bool several = request.giveUp.count == 0 || passes.size() >= kGiveUpPasses;
        const bool ends = result.steady || (several && result.spent >= request.most);
        if (request.giveUp.count > 0 && !decided && several && (ends || result.spent >= kGiveUpTime)) {
            decided = true;
            // The fastest pass is the one that other programs disturbed least.
            const double fastest = *std::min_element(passes.begin(), passes.end());
            const bool disturbed = involuntarySwitches() - switchesBefore > result.spent.count / kQuietSwitch.count;
            result.gaveUp = !disturbed && fastest > static_cast<double>(request.giveUp.count);
            // The caller needs an estimate even for a model that it gives up.
            model.iteration.count = static_cast<std::int64_t>(fastest);
            if (result.gaveUp)
                return result;
        }
        if (ends)
            break;
    }
    result.iterations = static_cast<int>(passes.size());

    phase("finalize");
    if (auto status = session.finalize(); !status)
        return status.error();
    // finalize() may capture a graph or change kernels, so the estimate comes from passes after it.
    std::vector<double> after;
    const Nanoseconds finalized = base::monotonicNow();
    if (const apertune_status status = session.startDeviceTimer(); status != APERTUNE_OK)
        return session.error(status);
    // Three passes after finalizing, or one where they are long.
    for (int i = 0; i < 3 && (i == 0 || base::monotonicNow() - finalized < request.most); ++i) {
        Nanoseconds elapsed;
        if (const apertune_status status = timedPass(model, elapsed); status != APERTUNE_OK)
            return session.error(status);
        after.push_back(static_cast<double>(elapsed.count));
        if (stop.load(std::memory_order_relaxed))
            return cancelled();
    }
    std::uint64_t device = 0;
    if (const apertune_status status = session.stopDeviceTimer(device); status != APERTUNE_OK)
        return session.error(status);
    // A device without a clock gives 0.
    model.hasDeviceClock = device > 0;
    model.iteration.count = std::max<std::int64_t>(1, static_cast<std::int64_t>(stats::median(after)));

    // Warming up allocates workspaces that a warm pass does not use. They must not count as the model's peak.
    if (auto status = session.resetPeaks(); !status)
        return status.error();
    resetProcessPeak();
    return result;
}

namespace {

/// Records for each block what the machine did during it, and sums that up.
class Watcher
{
public:
    explicit Watcher(LoadedModel& model, model::Conditions& sums)
        : m_model(model), m_sums(sums), m_machine(model.watch.machine()), m_begin(base::monotonicNow()),
          m_cpu(base::processCpuTime())
    {
    }

    /// Takes the readings right before a block.
    void arm()
    {
        m_threads = m_model.watch.threads();
        m_held = m_model.watch.held();
        m_gpu = m_model.watch.gpu ? m_model.watch.gpu() : GpuReading{};
        m_packages = m_model.watch.packages ? m_model.watch.packages() : EnergyReading{};
    }

    /// Takes the readings right after a block and completes it. Returns true when the block is contended or throttled.
    bool complete(model::Block& block)
    {
        // The clock is read first, so that it is that of the block. A device with a clock of its own hardly follows the
        // processor's, which falls while the processor waits for the device.
        block.clock = m_model.hasDeviceClock ? 0 : m_model.watch.clock();
        // The longest wait of any thread counts: the others wait for it at the next barrier.
        block.waited = longestWait(m_threads, m_model.watch.threads()) + (m_model.watch.held() - m_held);
        ++m_model.taken;
        m_model.fastestClock = std::max(m_model.fastestClock, block.clock);
        const auto wall = static_cast<double>(block.wall.count);
        const bool contended = static_cast<double>(block.waited.count) > kMostWaited * wall &&
                               static_cast<double>(block.cpu.count) < kOwnShare * wall * m_model.watch.allowed;
        const GpuReading gpu = m_model.watch.gpu ? m_model.watch.gpu() : GpuReading{};
        const bool slowed = gpu.slowed || m_gpu.slowed;
        // Where the device has a clock, the passes are run a second time for it, and energy counts both.
        const std::int64_t passes = block.device.count > 0 ? 2 * block.iterations : block.iterations;
        m_gpuSummary.add(m_gpu, gpu, passes);
        if (m_model.watch.packages)
            m_packageSum.add(m_packages, m_model.watch.packages(), passes);
        // A clock below that of the fastest block, or one that the GPU reports as slowed.
        const bool throttled = block.clock < stats::kLeastClock * m_model.fastestClock || slowed;
        model::Conditions one;
        one.wall = block.wall;
        one.waited = block.waited;
        one.contended = contended;
        one.throttled = throttled;
        one.clockLow = one.clockHigh = block.clock;
        m_sums.add(one);
        return contended || throttled;
    }

    bool mayDiscard(double share) const
    {
        // Some blocks may always be discarded, and a share of all that were taken.
        const auto allowed = static_cast<std::int64_t>(share * static_cast<double>(m_model.taken));
        return share > 0 && m_model.discarded < std::max(kFreeDiscards, allowed);
    }

    void discard()
    {
        ++m_model.discarded;
        ++m_sums.discarded;
    }

    /// Takes the last readings, after the last block.
    void finish()
    {
        const MachineTimes now = m_model.watch.machine();
        const Nanoseconds own = base::processCpuTime() - m_cpu;
        model::Conditions whole;
        whole.span = base::monotonicNow() - m_begin;
        whole.processors = now.processors;
        whole.others = now.busy - m_machine.busy - own; // may be one tick below 0; sums cancel that out
        whole.steal = now.steal - m_machine.steal;
        whole.pressure = now.pressure - m_machine.pressure;
        if (m_model.watch.gpu) {
            whole.gpu = m_gpuSummary.conditions();
            whole.gpu->powerCap = m_model.watch.powerCap;
            whole.gpu->otherLoad = m_model.watch.otherLoad;
        }
        whole.energy = m_model.watch.gpu ? m_gpuSummary.energy() : m_packageSum.result();
        if (whole.energy) {
            whole.energy->batch = m_model.watch.batch;
            whole.energy->idleWatts = m_model.watch.idleWatts;
        }
        m_sums.add(whole);
    }

private:
    LoadedModel& m_model;
    model::Conditions& m_sums;
    const MachineTimes m_machine;
    const Nanoseconds m_begin;
    const Nanoseconds m_cpu;
    std::vector<ThreadTimes> m_threads;
    Nanoseconds m_held{};
    GpuReading m_gpu{}; ///< right before the block
    GpuSummary m_gpuSummary{};
    EnergyReading m_packages{}; ///< right before the block
    EnergySum m_packageSum{model::EnergySource::packages};
};

} // namespace

base::Result<Measured> measure(LoadedModel& model, const MeasureRequest& request, const std::atomic<bool>& stop,
                               const BlockSink& sink)
{
    Session& session = *model.session;
    const std::size_t maxBlocks = std::max<std::size_t>(1, request.maxBlocks);
    Measured result;
    std::vector<double> perPass;
    result.blocks.reserve(maxBlocks);
    perPass.reserve(maxBlocks);
    // Growing the vector inside a block would be timed with it. This is the largest number of recorded passes.
    result.iterations.reserve(model::kMostPasses);

    // Passes that refill the caches are not part of a block.
    for (int i = 0; i < request.settle; ++i) {
        Nanoseconds ignored;
        if (const apertune_status status = timedPass(model, ignored); status != APERTUNE_OK)
            return session.error(status);
    }

    Watcher watcher(model, result.conditions);
    const Nanoseconds begin = base::monotonicNow();
    while (true) {
        // The number of passes follows the estimate, so that a block lasts at least minBlock.
        const std::int64_t passes =
            std::max<std::int64_t>(1, (request.minBlock.count + model.iteration.count - 1) / model.iteration.count);
        const std::size_t passesBefore = result.iterations.size();
        watcher.arm();
        BlockResult taken = takeBlock(model, passes, result.iterations, stop);
        if (taken.status != APERTUNE_OK)
            return session.error(taken.status);
        if (taken.stopped)
            return cancelled();
        // A disturbed block is taken again, within the time that is left.
        if (watcher.complete(taken.block) && watcher.mayDiscard(request.discards) &&
            base::monotonicNow() - begin < request.maxTime) {
            watcher.discard();
            result.iterations.resize(passesBefore);
            continue;
        }
        result.blocks.push_back(taken.block);
        perPass.push_back(taken.block.nsPerIteration());
        // The estimate follows the blocks, because warm passes become shorter.
        model.iteration.count = std::max<std::int64_t>(1, static_cast<std::int64_t>(stats::median(perPass)));

        const model::Interval median = stats::medianInterval(perPass);
        const Nanoseconds spent = base::monotonicNow() - begin;
        result.converged = median.confidence > 0 && median.relativeHalfWidth() <= request.target;
        sink(result, median);
        if (result.blocks.size() >= maxBlocks ||
            // With fewer than leastBlocks there is no interval, so these are taken beyond the time.
            (spent >= request.maxTime && result.blocks.size() >= request.leastBlocks))
            break;
        if (result.converged && result.blocks.size() >= request.minBlocks && spent >= request.minTime)
            break;
    }
    watcher.finish();
    return result;
}

} // namespace apertune::worker
