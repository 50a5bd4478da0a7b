// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/summarize.h"

#include "core/stats/block_stats.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace apertune::stats {

namespace {

constexpr double kSwitchesPer20ms = 5;
constexpr double kNs20ms = 20e6;

constexpr double kMostDisturbed = 0.2; ///< share of the blocks taken; more disturbed blocks than this set a flag
constexpr double kMostOthers = 0.25;
constexpr double kMostSteal = 0.01;
/// Error per processor in ns: kernels count the time of others in ticks of 10 ms, with one tick of error at either end.
constexpr double kTicks = 20e6;

double shareOf(std::int64_t part, std::int64_t all)
{
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

/// Returns the number of blocks taken: kept and discarded.
std::int64_t takenBlocks(const model::Measurement& m)
{
    return static_cast<std::int64_t>(m.blocks.size()) + m.conditions.discarded;
}

/// Returns whether other programs, or other machines of a hypervisor, used much of the processors.
bool sharesProcessors(const model::Conditions& c)
{
    const double all = static_cast<double>(c.span.count) * c.processors;
    const double ticks = kTicks * c.processors;
    return static_cast<double>(c.others.count) > kMostOthers * all + ticks ||
           static_cast<double>(c.steal.count) > kMostSteal * all + ticks;
}

bool areSwitchedOften(const std::vector<model::Block>& blocks)
{
    std::vector<double> rates;
    for (const model::Block& block : blocks)
        if (block.wall.count > 0)
            rates.push_back(static_cast<double>(block.involuntarySwitches) * kNs20ms /
                            static_cast<double>(block.wall.count));
    return !rates.empty() && median(rates) > kSwitchesPer20ms;
}

/// Counts throttled blocks again: a block before the highest clock was seen is recognized as throttled only afterwards.
std::int64_t throttledBlocks(const model::Measurement& m)
{
    const auto low = std::count_if(m.blocks.begin(), m.blocks.end(), [&](const model::Block& block) {
        return block.clock > 0 && block.clock < kLeastClock * m.conditions.clockHigh;
    });
    return std::max<std::int64_t>(m.conditions.throttled, low);
}

/// Returns the times, scaled so that all processes are equally fast: a difference between processes is neither drift
/// nor a mode.
std::vector<double> levelled(const std::vector<model::Block>& blocks)
{
    std::map<int, std::vector<double>> processes;
    std::vector<double> all;
    for (const model::Block& block : blocks)
        if (block.iterations > 0) {
            processes[block.process].push_back(block.nsPerIteration());
            all.push_back(block.nsPerIteration());
        }
    if (processes.size() < 2)
        return all;
    const double middle = median(all);
    all.clear();
    for (const auto& [process, times] : processes)
        for (const double time : times)
            all.push_back(time / median(times) * middle);
    return all;
}

void setFlag(std::vector<model::TrialFlag>& flags, model::TrialFlag flag, bool on)
{
    std::erase(flags, flag);
    if (on)
        flags.push_back(flag);
}

} // namespace

bool wasKeptWaiting(const model::Measurement& measurement)
{
    return shareOf(measurement.conditions.contended, takenBlocks(measurement)) > kMostDisturbed;
}

Modes modesOf(const model::Measurement& measurement)
{
    return modes(levelled(measurement.blocks));
}

void summarize(model::Measurement& measurement, int batch, double target)
{
    std::vector<double> wall;
    std::vector<double> device;
    for (const model::Block& block : measurement.blocks) {
        if (block.iterations <= 0)
            continue;
        wall.push_back(block.nsPerIteration());
        if (block.device.count > 0)
            device.push_back(static_cast<double>(block.device.count) / static_cast<double>(block.iterations));
    }

    model::Interval& latency = measurement.latencyNs;
    latency = wall.empty() ? model::Interval{} : medianInterval(wall);
    const auto perSecond = [batch](double ns) { return ns > 0 ? batch * 1e9 / ns : 0; };
    // The shortest latency is the highest throughput, so the ends of the interval are swapped.
    measurement.throughput = {perSecond(latency.value), perSecond(latency.hi), perSecond(latency.lo),
                              latency.confidence};
    measurement.deviceNs = device.empty() ? std::nullopt : std::optional(median(device));

    std::vector<double> iterations;
    iterations.reserve(measurement.iterations.size());
    for (const base::Nanoseconds& ns : measurement.iterations)
        iterations.push_back(static_cast<double>(ns.count));
    measurement.p50Ns = percentile(iterations, 0.50);
    measurement.p90Ns = percentile(iterations, 0.90);
    measurement.p95Ns = percentile(iterations, 0.95);
    measurement.p99Ns = percentile(iterations, 0.99);

    const std::vector<double> alike = levelled(measurement.blocks);
    // Every flag is set anew, so that a second call gives the same result.
    setFlag(measurement.flags, model::TrialFlag::drift, drifted(alike));
    setFlag(measurement.flags, model::TrialFlag::bimodal, modes(alike).two);
    setFlag(measurement.flags, model::TrialFlag::contended,
            areSwitchedOften(measurement.blocks) || wasKeptWaiting(measurement) ||
                sharesProcessors(measurement.conditions));
    setFlag(measurement.flags, model::TrialFlag::throttled,
            shareOf(throttledBlocks(measurement), takenBlocks(measurement)) > kMostDisturbed);
    setFlag(measurement.flags, model::TrialFlag::sharedGpu,
            measurement.conditions.gpu && measurement.conditions.gpu->isShared());
    setFlag(measurement.flags, model::TrialFlag::notConverged,
            !(latency.confidence > 0) || !(latency.relativeHalfWidth() <= target));
}

} // namespace apertune::stats
