// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/configuration_run.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace apertune::study {

/// A configuration that is open and warm in a worker of its own, and the blocks it gave so far. Several of them are
/// measured in turns, block by block, so that what the machine does meets all alike. One thread.
struct LoadedConfiguration
{
    std::unique_ptr<worker::WorkerProcess> worker;
    base::Nanoseconds iteration{};  ///< of a pass, about
    base::Nanoseconds leastBlock{}; ///< its blocks last at least so long; 0: as RunLimits::minBlock says
    Blocks taken;

    std::vector<double> nsPerPass() const; ///< of the blocks
    bool converged(double target) const;   ///< the median's 95 % interval is as narrow as that
};

/// The others' turns cool the caches: a pass before a block is not counted, unless it is so long that filling them
/// again is a small part of it (30 MB from memory take some 3 ms).
int settlingPasses(base::Nanoseconds pass);

/// Starts the worker, opens and warms up.
worker::WorkerReply<LoadedConfiguration> openLive(worker::Launcher& launcher, const ConfigurationRequest& request,
                                                  const worker::RunLimits& limits, std::stop_token stop,
                                                  const PhaseSink& phase = {});

/// One block more, behind its settling passes.
worker::WorkerStatus measureOneBlock(LoadedConfiguration& configuration, const worker::RunLimits& limits,
                                     std::stop_token stop);

/// One block of each more, in the order of `round`: A B, B A, …
worker::WorkerStatus takeRound(std::span<LoadedConfiguration* const> configurations, std::size_t round,
                               const worker::RunLimits& limits, std::stop_token stop);

} // namespace apertune::study
