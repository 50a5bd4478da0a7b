// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"
#include "core/model/device.h"
#include "core/model/energy.h"
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
    base::Nanoseconds wall{};   ///< host clock over the block; the device is synchronised at its end
    base::Nanoseconds device{}; ///< device clock over as many passes queued back to back; 0 where it has none
    base::Nanoseconds cpu{};    ///< CPU time of the process over the block, all threads
    std::int64_t involuntarySwitches = 0;
    base::Nanoseconds waited{}; ///< the longest that one thread of the process could run but had no processor
    double clock = 0;           ///< processor clock right after it, as steps a ns of a fixed loop; 0: not measured
    int process = 0;            ///< number of the fresh process that ran the block: 1, 2, …; 0: not recorded
    /// Time in ns of a pass of the study's reference configuration, from its turns right before and after this block
    /// (geometric mean). 0: no reference took turns with it. Conditions::driftReading names the reference.
    double referenceNs = 0;

    double nsPerIteration() const
    {
        return iterations > 0 ? static_cast<double>(wall.count) / static_cast<double>(iterations) : 0;
    }
};

/// A repeated measurement of one fixed configuration during a study. It shows how the speed of the machine changes.
struct DriftReading
{
    std::string identity;   ///< identifies configuration and device; compare only readings with equal identities
    double latencyNs = 0;   ///< latency of the fixed configuration when the trial was measured
    double uncertainty = 0; ///< relative half-width of latencyNs
    double change = 1;      ///< latencyNs over the first reading of the study
};

/// State of an NVIDIA GPU while a configuration was measured, by the readings of its driver between the blocks. Times
/// cover all blocks taken.
struct GpuConditions
{
    int clockLow = 0, clockHigh = 0; ///< range of the SM clock in MHz; 0: unknown
    std::int64_t powerCap = 0;       ///< limit of the power that the driver enforces, in mW; 0: unknown
    base::Nanoseconds cappedTime{};  ///< time in which the power cap held the clock down
    base::Nanoseconds heatTime{};    ///< time in which heat or the power supply held the clock down
    int otherProcesses = 0;          ///< largest number of other processes on the GPU
    base::Bytes otherMemory{};       ///< most memory that they held
    int otherLoad = 0;               ///< load of the GPU in percent before the model was loaded

    void add(const GpuConditions& later);
    /// Whether another process used the GPU.
    bool isShared() const { return otherProcesses > 0 || otherLoad > GpuUse::kIdleLoad; }
};

/// A start of a configuration in a fresh process, from its files to its first answer. The start of the process and the
/// loading of the engine's libraries are not in it.
struct Start
{
    base::Nanoseconds load{};  ///< artifact to ready
    base::Nanoseconds first{}; ///< first forward pass
    /// Whether the model's files were out of the page cache when it began. The engine's libraries, and code that it
    /// compiled for itself, may have been in their caches.
    bool cold = false;

    base::Nanoseconds total() const { return load + first; }
};

/// State of the machine while a configuration was measured. Sums cover all blocks taken, including discarded ones.
struct Conditions
{
    base::Nanoseconds wall{};   ///< sum of Block::wall
    base::Nanoseconds waited{}; ///< sum of Block::waited
    base::Nanoseconds
        span{}; ///< begin of the first block to end of the last; `others`, `steal` and `pressure` cover it
    base::Nanoseconds others{};         ///< processor time of other processes, on all processors
    base::Nanoseconds steal{};          ///< time that the hypervisor took from all processors
    base::Nanoseconds pressure{};       ///< time in which a thread of the machine waited for a processor; 0: unknown
    int processors = 0;                 ///< processors of the machine; 0: not observed
    std::int64_t contended = 0;         ///< blocks whose threads were kept waiting
    std::int64_t throttled = 0;         ///< blocks at a lower clock than the fastest
    std::int64_t discarded = 0;         ///< contended or throttled blocks that were discarded and measured again
    double clockLow = 0, clockHigh = 0; ///< range of Block::clock
    std::optional<DriftReading> driftReading{};
    std::optional<GpuConditions> gpu{}; ///< only for NVIDIA GPUs whose driver answers
    std::optional<Energy> energy{};     ///< only where the machine reports it
    std::vector<Start> starts{};        ///< one for each fresh process of a confirmation
    /// Layers of the sandbox that held every worker that measured (core/sandbox/layers.h); empty: none. nullopt: not
    /// recorded, as in older workspaces.
    std::optional<std::vector<std::string>> sandbox{};
    /// Class of the machine that measured (machineClass()), where it is another one than that of the study's
    /// environment; empty otherwise. Trials of different classes are never ranked as one.
    std::string machine{};

    void add(const Conditions& later);
    /// Takes over what short blocks in turns with other trials cannot show: drift reading and energy.
    void keepFrom(const Conditions& earlier);
};

/// A number with its distribution-free interval. Never show `value` without the rest.
struct Interval
{
    double value = 0;
    double lo = 0;
    double hi = 0;
    double confidence = 0; ///< 0.95; 0 when the sample was too small for any interval (then lo..hi is its range)

    double relativeHalfWidth() const { return value != 0 ? (hi - lo) / 2 / value : 0; }
    /// Whether an end lies further than 20 % from the value. Such an interval is seldom symmetric, so every form shows
    /// its ends and no half-width.
    bool isWide() const;
};

/// Result of a comparison, about the candidate.
enum class Verdict { faster, slower, same, cannotTell };

/// Agreement with the O0 fp32 outputs of the same model, device and inputs, over all outputs and input sets.
///  - Lists of detections are compared as sets: rows with the same label whose boxes overlap by half are matched,
///    whatever their rank.
///  - A row that only one side has is compared with zeros.
struct Quality
{
    double cosine = 0;         ///< smallest over the compared outputs; for integer outputs alone: share of equal values
    double maxAbs = 0;         ///< largest absolute difference
    double maxRel = 0;         ///< largest absolute difference over the output's largest magnitude
    std::int64_t nanCount = 0; ///< NaN in the candidate's outputs, and Inf that the reference does not have
    std::optional<double> top1Agreement{}; ///< share of samples with the same arg max; classification only
    std::optional<double> top5Agreement{};
    std::int64_t samples = 0; ///< number of compared samples
};

enum class AppliedState { on = 0, off = 1, requestedNotInEffect = 2, notApplicable = 3 };

/// State of one switch, as the backend read it back.
struct Applied
{
    /// What a backend reports beside switches: whether it computes in the precision of the configuration, and the data
    /// that chose the ranges of a quantized package.
    static constexpr std::string_view kPrecision = "precision";
    static constexpr std::string_view kCalibration = "calibration";

    std::string name; ///< name of a switch, or kPrecision or kCalibration
    AppliedState state = AppliedState::off;
    std::string evidence;              ///< proof from the engine: "prim::oneDNNFusionGroup ×53 in the executed graph"
    std::vector<std::string> layers{}; ///< layers with the effect, where the backend can name them
};

/// Returns the report on the precision; nullptr when the backend made none.
const Applied* precisionReadBack(const std::vector<Applied>& applied);

std::string_view toString(AppliedState state); ///< "on", "off", "requested_not_in_effect", "not_applicable"
std::optional<AppliedState> appliedStateFromString(std::string_view text);

struct MemoryUse
{
    std::optional<base::Bytes> processPeak{};   ///< VmHWM of the worker while this configuration ran
    std::optional<base::Bytes> allocatorPeak{}; ///< the framework's tensor allocator
    std::optional<base::Bytes> devicePeak{};    ///< device memory of the whole process

    /// The peak of memory that counts for such a device: that of the device where it has its own, else of the process.
    const std::optional<base::Bytes>& peakOn(DeviceType device) const
    {
        return device.hasOwnMemory() ? devicePeak : processPeak;
    }
};

inline constexpr std::size_t kMostPasses = 100'000; ///< passes kept of one configuration, for its percentiles

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
    base::Nanoseconds warmup{};                               ///< warm-up before the first block
    int warmupIterations = 0;
    std::optional<base::Nanoseconds> compile{}; ///< ahead-of-time compilation; cached: the time it took then
    MemoryUse memory;
    std::optional<Quality> quality{}; ///< not set, and a flag says so, when there was no reference to compare with
    std::vector<Applied> applied;
    Conditions conditions;
    /// Number of the confirmation. Trials of a study with the same number were interleaved block by block, in equally
    /// many fresh processes. 0: the trial was in no confirmation.
    std::int64_t confirmation = 0;
    std::vector<TrialFlag> flags;

    /// Appends passes to `iterations`, up to kMostPasses in total.
    void addPasses(const std::vector<base::Nanoseconds>& passes);
};

} // namespace apertune::model
