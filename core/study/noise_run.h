// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/store/store.h"
#include "core/study/loaded_configuration.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::study {

/// How the noise floor of a machine is measured: one configuration as two, each in a fresh process, in turns.
struct NoisePlan
{
    int pairs = 20;                                  ///< of processes
    int blocks = 20;                                 ///< of each process in a pair
    base::Nanoseconds most = base::fromSeconds(300); ///< no new pair is begun after that
};

/// "quick" 10 blocks, "normal" 20, "publish" 40; twenty pairs.
NoisePlan noisePlan(const std::string& protocol);

/// Fewer comparisons are not a certificate that a study leaves alone: it adds some of its own.
inline constexpr std::int64_t kEnoughComparisons = 20;

/// Ratios between two processes that run the same configuration: Hodges and Lehmann's estimate over paired blocks. The
/// second process of a pair is the first of the next, so n + 1 processes give n ratios. What goes wrong before the
/// first ratio is a failure; after it, the ratios so far are the result. `phase` gets "pair" with "3 of 20".
worker::WorkerReply<std::vector<double>> measureNoise(worker::Launcher& launcher,
                                                      const ConfigurationRequest& configuration, const NoisePlan& plan,
                                                      const worker::RunLimits& limits, std::stop_token stop,
                                                      const PhaseSink& phase);

/// What the workspace knows of the machine's noise floor at that protocol; of another protocol, the largest, when it
/// knows none of that. Failures: those of the store.
base::Result<std::optional<model::NoiseCertificate>>
noiseCertificate(const store::Store& store, const std::string& machine, const std::string& protocol);

} // namespace apertune::study
