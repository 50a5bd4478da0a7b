// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/configuration_run.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace apertune::study {

/// A configuration that is open and warm in a worker of its own, with the blocks measured so far. Several of them are
/// measured in turns, block by block, so that a change of the machine meets all alike. One thread.
struct LoadedConfiguration
{
    std::unique_ptr<worker::WorkerProcess> worker;
    base::Nanoseconds iteration{};  ///< estimated time of a pass
    base::Nanoseconds leastBlock{}; ///< least length of a block, where it is above RunLimits::minBlock
    Blocks taken;                   ///< blocks so far; Blocks::conditions holds the start (model::Start)

    std::vector<double> nsPerPass() const; ///< one value a block: nanoseconds a pass
    bool converged(double target) const;   ///< whether the relative half-width of the median's interval is ≤ `target`
};

/// Starts a worker, opens the configuration and warms it up. Failures: those of the worker.
worker::WorkerReply<LoadedConfiguration> openConfiguration(worker::Launcher& launcher,
                                                           const ConfigurationRequest& request,
                                                           const worker::RunLimits& limits, std::stop_token stop,
                                                           const PhaseSink& phase = {});

/// Runs the settling passes and adds one block.
/// REQUIRES: the configuration is open.
worker::WorkerStatus measureOneBlock(LoadedConfiguration& configuration, const worker::RunLimits& limits,
                                     std::stop_token stop);

/// Adds one block to each configuration. Each round begins with another one: A B, B A, …
worker::WorkerStatus measureRound(std::span<LoadedConfiguration* const> configurations, std::size_t round,
                                  const worker::RunLimits& limits, std::stop_token stop);

} // namespace apertune::study
