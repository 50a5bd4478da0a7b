// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/trial_flag.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

/// One timing sample: a group of forward passes long enough for the clock (≥ 20 ms, or one pass).
struct Block
{
    std::int64_t iterations = 0;
    base::Nanoseconds wall{};   ///< host clock over the block, device synchronised at its end
    base::Nanoseconds device{}; ///< device clock over as many passes queued back to back; 0 where it has none
    base::Nanoseconds cpu{};    ///< CPU time of the process over the block, all threads
    std::int64_t involuntarySwitches = 0;
    base::Nanoseconds waited{}; ///< the longest that one thread of the process could run but had no processor
    double clock = 0;           ///< processor clock right after it, as steps a ns of a fixed loop; 0: not measured
    int process = 0; ///< of a configuration measured in several fresh processes, which: 1, 2, …; 0: nobody kept count

    double nsPerIteration() const
    {
        return iterations > 0 ? static_cast<double>(wall.count) / static_cast<double>(iterations) : 0;
    }
};

/// One configuration measured again and again through a study, always the same: it tells what the machine's speed was
/// when.
struct DriftReading
{
    std::string identity;   ///< of what is measured, and on what: only equal ones may be compared
    double latencyNs = 0;   ///< its latency when the trial was measured
    double uncertainty = 0; ///< relative half-width of that
    double change = 1;      ///< that over its first latency in the study
};

/// What the machine did while a configuration was measured. Sums over all blocks taken, those thrown away included.
struct Conditions
{
    base::Nanoseconds wall{};   ///< of the blocks
    base::Nanoseconds waited{}; ///< Block::waited
    base::Nanoseconds span{};   ///< from the first block's begin to the last one's end, over which the next ones count
    base::Nanoseconds others{}; ///< processor time of other processes, all processors
    base::Nanoseconds steal{};  ///< time that the hypervisor took from all processors
    base::Nanoseconds pressure{}; ///< time in which some thread of the machine waited for a processor; 0 where not told
    int processors = 0;           ///< of the machine; 0: nothing was watched
    std::int64_t contended = 0;   ///< blocks whose threads were kept waiting
    std::int64_t throttled = 0;   ///< blocks at a lower clock than the fastest
    std::int64_t discarded = 0;   ///< of both, those thrown away and measured again; the others were kept
    double clockLow = 0, clockHigh = 0; ///< of Block::clock
    std::optional<DriftReading> driftReading{};

    void add(const Conditions& later);
};

/// A number with its distribution-free interval. Never show `value` without the rest.
struct Interval
{
    double value = 0;
    double lo = 0;
    double hi = 0;
    double confidence = 0; ///< 0.95; 0 when the sample was too small for any interval (then lo..hi is its range)

    double relativeHalfWidth() const { return value != 0 ? (hi - lo) / 2 / value : 0; }
};

/// What a comparison says of its candidate.
enum class Verdict { faster, slower, same, cannotTell };

/// Agreement with the O0 fp32 outputs of the same model, device and inputs. Over all outputs and input sets. Lists of
/// detections are compared as sets: rows of the same label whose boxes overlap by half stand against each other
/// whatever their rank, and one that only one side has against zeros.
struct Quality
{
    double cosine = 0;                     ///< smallest over the compared outputs; integers alone: share of equal ones
    double maxAbs = 0;                     ///< largest absolute difference
    double maxRel = 0;                     ///< largest absolute difference over the output's largest magnitude
    std::int64_t nanCount = 0;             ///< NaN in the candidate's outputs, and Inf that the reference has not
    std::optional<double> top1Agreement{}; ///< share of samples with the same arg max; classification only
    std::optional<double> top5Agreement{};
    std::int64_t samples = 0; ///< how many samples were compared
};

enum class AppliedState { on = 0, off = 1, requestedNotInEffect = 2, notApplicable = 3 };

/// What the backend read back about one switch.
struct Applied
{
    std::string name;
    AppliedState state = AppliedState::off;
    std::string evidence;              ///< how it knows: "prim::oneDNNFusionGroup ×53 in the executed graph"
    std::vector<std::string> layers{}; ///< that it took effect on, where the backend can name them
};

std::string_view toString(AppliedState state); ///< "on", "off", "requested_not_in_effect", "not_applicable"
std::optional<AppliedState> appliedStateFromString(std::string_view text);

struct MemoryUse
{
    std::optional<base::Bytes> processPeak{};   ///< VmHWM of the worker while this configuration ran
    std::optional<base::Bytes> allocatorPeak{}; ///< the framework's tensor allocator
    std::optional<base::Bytes> devicePeak{};    ///< GPU memory of the whole process
};

inline constexpr std::size_t kMostPasses = 100'000; ///< that are kept of one configuration, for its percentiles

/// Everything measured for one configuration. Latency is per forward pass, throughput in samples a second.
struct Measurement
{
    std::vector<Block> blocks;
    std::vector<base::Nanoseconds> iterations;                ///< single passes, in order: at most kMostPasses
    Interval latencyNs;                                       ///< median of blocks
    Interval throughput;                                      ///< samples/s from the same blocks
    std::optional<double> p50Ns{}, p90Ns{}, p95Ns{}, p99Ns{}; ///< only where the sample supports them
    std::optional<double> deviceNs{};                         ///< median device time of a pass
    base::Nanoseconds load{};                                 ///< artifact to ready
    base::Nanoseconds first{};                                ///< first forward pass
    base::Nanoseconds warmup{};                               ///< until steady
    int warmupIterations = 0;
    std::optional<base::Nanoseconds> compile{}; ///< ahead-of-time compilation; cached: the time it took then
    MemoryUse memory;
    std::optional<Quality> quality{}; ///< absent with a flag when there was nothing to compare with
    std::vector<Applied> applied;
    Conditions conditions;
    /// Trials of a study with the same number took turns, block by block, in as many fresh processes each; 0: it took
    /// none.
    std::int64_t confirmation = 0;
    std::vector<TrialFlag> flags;

    /// Appends to `iterations` as many as there is room for.
    void addPasses(const std::vector<base::Nanoseconds>& passes);
};

} // namespace apertune::model
