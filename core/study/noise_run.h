// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/store/store.h"
#include "core/study/loaded_configuration.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::study {

/// Plan of an A/A test for the noise floor of a machine: one configuration is measured against itself, in pairs of
/// fresh processes that take turns.
struct NoisePlan
{
    int pairs = 20;                                  ///< number of pairs of processes
    int blocks = 20;                                 ///< blocks of each process in a pair
    base::Nanoseconds most = base::fromSeconds(300); ///< time after which no new pair begins
};

/// Twenty pairs of 10 blocks ("quick"), 40 blocks ("publish") or 20 blocks (any other protocol).
NoisePlan noisePlan(const std::string& protocol);

/// Comparisons of a certificate to which a study adds no further ones.
inline constexpr std::int64_t kEnoughComparisons = 20;

/// Measures the ratios between two processes that run the same configuration: the Hodges-Lehmann estimate over paired
/// blocks. The second process of a pair is the first of the next, so n + 1 processes give n ratios. `phase` gets "pair"
/// with "3 of 20".
/// Failures: those of the worker before the first ratio, and cancelled; a later failure ends the test with the ratios
/// so far.
worker::WorkerReply<std::vector<double>> measureNoise(worker::Launcher& launcher,
                                                      const ConfigurationRequest& configuration, const NoisePlan& plan,
                                                      const worker::RunLimits& limits, std::stop_token stop,
                                                      const PhaseSink& phase);

/// The noise floor of a machine as the workspace has it for a protocol. Without one for that protocol, it is the
/// largest of the other protocols; nullopt when there is none. Failures: those of the store.
base::Result<std::optional<model::NoiseCertificate>>
noiseCertificate(const store::Store& store, const std::string& machine, const std::string& protocol);

} // namespace apertune::study
