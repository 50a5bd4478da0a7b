// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/block_stats.h"
#include "core/worker/run_limits.h"
#include "core/worker/worker_process.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::study {

/// How the messages to a worker name its session: a worker has one at a time.
inline constexpr int kSession = 1;

/// Told when a trial gets on: "load", "warm-up", "measure", "quality"; `text` may hold a figure.
using PhaseSink = std::function<void(const std::string& phase, const std::string& text)>;

/// What a worker is to open.
struct ConfigurationRequest
{
    std::filesystem::path artifact;
    std::string taskType; ///< of the model: "classification", …
    model::Config config;
    model::Device device;
    std::filesystem::path package; ///< compiled package; empty when the configuration needs none
    base::Nanoseconds giveUp{};    ///< a pass that takes longer is not worth measuring; 0: every configuration is
    double clock =
        0; ///< Conditions::clockHigh of this configuration in other workers, to know a lower one by; 0: unknown
};

/// What prepare told.
struct Prepared
{
    base::Nanoseconds load{};
    base::Nanoseconds first{};
    base::Nanoseconds warmup{};
    int warmupIterations = 0;
    bool steady = false;
    bool gaveUp = false;           ///< slower than the request's giveUp: nothing can be measured
    base::Nanoseconds iteration{}; ///< estimate
};

using worker::WorkerReply;

/// Opens and warms up `request` as the worker's session. `measuring` bounds the warm-up to a quarter of it.
WorkerReply<Prepared> prepareConfiguration(worker::WorkerProcess& worker, const ConfigurationRequest& request,
                                           const worker::RunLimits& limits, base::Nanoseconds measuring,
                                           std::stop_token stop, const PhaseSink& phase);

/// One measure command.
struct BlockRequest
{
    int minBlocks = 1;
    int maxBlocks = 1;
    base::Nanoseconds minTime{};
    base::Nanoseconds maxTime{};
    double target = 0;
    int settle = 0;
    int leastBlocks = 1; ///< taken even when they last longer than maxTime
};

struct Blocks
{
    std::vector<model::Block> blocks;
    std::vector<base::Nanoseconds> iterations;
    model::Conditions conditions;
};

WorkerReply<Blocks> measureConfiguration(worker::WorkerProcess& worker, const BlockRequest& request,
                                         const worker::RunLimits& limits, std::stop_token stop, const PhaseSink& phase);

/// Writes the prepared session's outputs to `file`: one input set, and more while `time` lasts. Returns the samples.
WorkerReply<std::int64_t> keepReference(worker::WorkerProcess& worker, const std::filesystem::path& file,
                                        const worker::RunLimits& limits, base::Nanoseconds time, std::stop_token stop);

/// Everything about one configuration, from opening to releasing.
struct ConfigurationResult
{
    std::optional<base::Nanoseconds> gaveUpAt; ///< the shortest pass of a configuration that was not worth measuring
    model::Measurement measurement;
    std::int64_t nanCount = 0;
    std::vector<std::string> notes;
};

struct QualityRequest
{
    std::filesystem::path reference; ///< compared with; empty: only NaN and Inf are looked for
    bool make = false;               ///< this configuration is the reference and writes the file first
};

struct MeasuringTime
{
    base::Nanoseconds most{}; ///< bounds the warm-up (a quarter), the blocks, and the outputs beyond the first set
    /// Taken even when they last longer, as long as these fit what a configuration may take at all
    /// (RunLimits::trialMost): fewer have no interval. What a search only looks at needs none.
    int leastBlocks = stats::kIntervalSamples;
};

WorkerReply<ConfigurationResult> runConfiguration(worker::WorkerProcess& worker, const ConfigurationRequest& request,
                                                  const QualityRequest& quality, const worker::RunLimits& limits,
                                                  const MeasuringTime& time, double target, std::stop_token stop,
                                                  const PhaseSink& phase);

} // namespace apertune::study
