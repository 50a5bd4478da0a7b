// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/load/scenario_summary.h"

#include <functional>
#include <vector>

namespace apertune::workload {

/// A rate that was tried in a run.
struct CapacityProbe
{
    double rate = 0; ///< queries per second
    ScenarioSummary summary;
};

/// The largest rate at which the latency percentile stays below the bound, in queries per second.
struct Capacity
{
    double predicted = 0;              ///< result of a simulation with the times of single passes
    double highestKept = 0;            ///< largest rate that kept the bound in a run; 0: none
    double lowestMissed = 0;           ///< smallest rate that did not keep it in a run; 0: none was tried
    std::vector<CapacityProbe> probes; ///< in the order in which they were run
};

/// Predicts the largest rate that keeps the scenario's bound. kSimulatedQueries arrivals are simulated; passes run one
/// after the other with times drawn independently from `passes`. The rate is bisected to 0.2 %. Returns 0 when even a
/// query alone misses the bound.
/// REQUIRES: the kind is server, bound > 0, and passes is not empty.
double predictCapacity(const Scenario& scenario, int batch, const std::vector<base::Nanoseconds>& passes);
inline constexpr int kSimulatedQueries = 400'000;

/// Runs the scenario with its rate and its duration.
using RunAt = std::function<base::Result<std::vector<Served>>(const Scenario& scenario)>;

/// Predicts a rate and confirms it by runs:
/// 1. Run at the predicted rate.
/// 2. Go up while the bound is kept, or down until it is, in growing steps (kCapacityStep, then twice as much …).
/// 3. Halve the gap until it is at most kCapacityStep wide, or until kMostProbes runs are made.
///
/// A run lasts until it has kProbeQueries / (1 − percentile) queries, or for kLongestProbe, but never less than the
/// scenario's duration. With fewer queries the verdict needs a wider margin, so `boundKept` errs on the low side. The
/// verdict assumes independent queries; those of a busy queue are not quite independent.
/// Failures: those of `run`.
/// REQUIRES: the conditions of predictCapacity().
base::Result<Capacity> findCapacity(const Scenario& scenario, int batch, const std::vector<base::Nanoseconds>& passes,
                                    const RunAt& run);
inline constexpr double kCapacityStep = 0.02;
inline constexpr int kMostProbes = 10;
inline constexpr double kProbeQueries = 100;
inline constexpr base::Nanoseconds kLongestProbe{30'000'000'000};

base::Json toJson(const Capacity& capacity);

} // namespace apertune::workload
