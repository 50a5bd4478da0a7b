// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/study.h"
#include "core/model/task_type.h"
#include "core/stats/block_stats.h"
#include "core/study/phase.h"
#include "core/worker/run_limits.h"
#include "core/worker/worker_process.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::study {

/// The session in messages to a worker, which has one session at a time.
inline constexpr int kSession = 1;

/// A configuration for a worker to open.
struct ConfigurationRequest
{
    std::filesystem::path artifact;                    ///< folder of the imported model
    model::TaskType taskType = model::TaskType::other; ///< task type of the model
    model::Config config;
    model::Device device;
    std::filesystem::path package; ///< compiled package or converted model; empty when the configuration needs none
    base::Nanoseconds giveUp{};    ///< time of a pass above which measuring does not pay; 0: no limit
    bool cold = false;             ///< drop the model's files from the page cache first
    double clock = 0;              ///< Conditions::clockHigh in other workers, to detect a lower clock; 0 when unknown
    bool passiveWaits = false;     ///< model::waitsPassively() of the study's environment
};

/// The request for a configuration of a study that needs no package.
ConfigurationRequest requestFor(const model::Study& study, const model::Config& config, const model::Device& device);

/// The worker that can open the configuration. Results that it is to write need a folder in LaunchRequest::writes.
worker::LaunchRequest launchRequest(const ConfigurationRequest& configuration);

/// The worker's answer to "prepare".
struct Prepared
{
    base::Nanoseconds load{};
    base::Nanoseconds first{};
    base::Nanoseconds warmup{};
    int warmupIterations = 0;
    bool steady = false;           ///< passes had reached a steady time when the warm-up ended
    bool cold = false;             ///< the model's files were out of the page cache when it was loaded
    bool gaveUp = false;           ///< every pass was longer than the request's giveUp; the session cannot measure
    base::Nanoseconds iteration{}; ///< estimated time of a pass
};

using worker::WorkerReply;

/// Opens `request` as the worker's session and warms it up. The warm-up takes at most a quarter of `measuring`, but at
/// least RunLimits::warmUpLeast. Failures: those of the worker, or a reason "internal" when its answer is unreadable.
WorkerReply<Prepared> prepareConfiguration(worker::WorkerProcess& worker, const ConfigurationRequest& request,
                                           const worker::RunLimits& limits, base::Nanoseconds measuring,
                                           std::stop_token stop, const PhaseSink& phase);

/// Number of passes before a block that are not counted: 1, because other configurations replaced the data in the
/// caches meanwhile; 0 for passes of 300 ms and more, where that is a small part (30 MB from memory take some 3 ms).
int settlingPasses(base::Nanoseconds pass);

/// Parameters of one "measure" command. The worker stops at maxBlocks or maxTime, and at `target` once it has
/// minBlocks and minTime.
struct BlockRequest
{
    int minBlocks = 1;
    int maxBlocks = 1;
    base::Nanoseconds minTime{};
    base::Nanoseconds maxTime{};
    double target = 0;    ///< relative half-width of the median's interval; 0: no convergence
    int settle = 0;       ///< passes before the first block that are not counted
    int leastBlocks = 1;  ///< blocks to take even when they last longer than maxTime
    bool keepAll = false; ///< blocks that were disturbed are kept, too, instead of being measured again
};

/// Measured blocks with the times of single passes and the conditions meanwhile.
struct Blocks
{
    std::vector<model::Block> blocks;
    std::vector<base::Nanoseconds> iterations;
    model::Conditions conditions;
};

/// Hooks that run between the blocks of a measurement. Each may be empty.
struct BetweenBlocks
{
    /// Returns the time in ns of a pass of the reference configuration, from a block that it takes now. nullopt: there
    /// is no reference.
    std::function<std::optional<double>()> measureReference{};
    /// Waits for a quiet machine, as long as that is worth it.
    std::function<void()> waitForQuiet{};
    /// Returns whether blocks of that duration, which other programs disturbed, may be measured again.
    std::function<bool(base::Nanoseconds)> mayRepeat{};
};

/// Measures the worker's session. The result has at least one block. `phase` gets "measure" with the median so far.
/// REQUIRES: prepareConfiguration() succeeded without giving up.
WorkerReply<Blocks> measureConfiguration(worker::WorkerProcess& worker, const BlockRequest& request,
                                         const worker::RunLimits& limits, std::stop_token stop, const PhaseSink& phase);

/// Measures like measureConfiguration(), in slices with a reference turn before, between and after them. Each
/// block gets the geometric mean of the two reference turns around its slice (Block::referenceNs). Without a reference
/// it is one slice. `pass` is about the time of a pass.
///
///  - The limits of `request` hold for the configuration's own time. The reference turns come on top: at most one for
///    each quarter of a second, or for three times their duration.
///  - Slices wait for a quiet machine. A slice that other programs disturbed is discarded and repeated as long as
///    `between` allows that.
///  - The blocks have converged when their multiples of the reference have.
///
/// REQUIRES: prepareConfiguration() succeeded without giving up.
WorkerReply<Blocks> measureBesideReference(worker::WorkerProcess& worker, const BlockRequest& request,
                                           base::Nanoseconds pass, const BetweenBlocks& between,
                                           const worker::RunLimits& limits, std::stop_token stop,
                                           const PhaseSink& phase);

/// Writes the outputs of the prepared session to `file`: those of one input set, and of more while `time` lasts (at
/// most RunLimits::inputSets). Returns the number of samples.
WorkerReply<std::int64_t> writeReference(worker::WorkerProcess& worker, const std::filesystem::path& file,
                                         const worker::RunLimits& limits, base::Nanoseconds time, std::stop_token stop);

/// Everything that was measured of one configuration.
struct ConfigurationResult
{
    std::optional<base::Nanoseconds> gaveUpAt; ///< shortest pass, when all were above giveUp; nothing else is set then
    model::Measurement measurement;
    std::int64_t nanCount = 0;        ///< NaN and Inf in the outputs, as the worker counts them
    std::vector<base::Message> notes; ///< remarks of the worker and its backend
};

struct QualityRequest
{
    std::filesystem::path reference; ///< outputs to compare with; empty: the outputs are only searched for NaN and Inf
    bool make = false;               ///< this configuration is the reference and writes the file first
};

struct MeasuringTime
{
    base::Nanoseconds most{}; ///< bounds the blocks, the warm-up (a quarter) and the outputs beyond the first input set
    /// Blocks to take even when they last longer than `most`, if they fit into RunLimits::trialMost. Fewer blocks give
    /// no interval, but a probe of a search needs none.
    int leastBlocks = stats::kIntervalSamples;
};

/// Runs one configuration from opening to releasing: warm-up, blocks, the backend's report, quality. `target` is the
/// relative half-width of the median's interval at which measuring may end. `phase` gets every phase.
/// Failures: those of the worker; cancelled when `stop` was requested.
WorkerReply<ConfigurationResult> runConfiguration(worker::WorkerProcess& worker, const ConfigurationRequest& request,
                                                  const QualityRequest& quality, const worker::RunLimits& limits,
                                                  const MeasuringTime& time, double target, std::stop_token stop,
                                                  const PhaseSink& phase, const BetweenBlocks& between = {});

} // namespace apertune::study
