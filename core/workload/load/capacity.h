// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/load/scenario_summary.h"

#include <functional>
#include <vector>

namespace apertune::workload {

/// A rate that was tried for real.
struct CapacityProbe
{
    double rate = 0; ///< queries a second
    ScenarioSummary summary;
};

/// The largest rate whose latency percentile stays below the bound.
struct Capacity
{
    double predicted = 0;              ///< by simulation from single passes
    double holds = 0;                  ///< largest that was seen to hold; 0: none
    double fails = 0;                  ///< smallest above it that was not seen to; 0: none was tried
    std::vector<CapacityProbe> probes; ///< in the order in which they were run
};

/// The largest rate that keeps the scenario's bound when passes take times drawn from `passes`, one after the other and
/// independently: arrivals of kSimulatedQueries queries are simulated, and the rate is bisected to 0.2 %. 0 when a lone
/// query misses the bound already. REQUIRES: kind server, bound > 0, passes not empty.
double predictCapacity(const Scenario& scenario, int batch, const std::vector<base::Nanoseconds>& passes);
inline constexpr int kSimulatedQueries = 400'000;

/// Runs the scenario (its rate and duration are what to use).
using RunAt = std::function<base::Result<std::vector<Served>>(const Scenario& scenario)>;

/// Predicts, then proves: runs at the predicted rate, walks from there in growing steps (kCapacityStep, then twice as
/// much …), up while it holds, down until it does, and halves the gap until it is no wider than kCapacityStep or
/// kMostProbes runs are made. Runs last for as many queries as a sharp verdict needs (kProbeQueries / (1 −
/// percentile)), within the scenario's duration and kLongestProbe; with fewer the verdict asks for a wider margin, so
/// that `holds` is the smaller, never the larger. The verdict takes queries to be independent, which those of a busy
/// queue are not quite. Failures: those of `run`. REQUIRES: as predictCapacity.
base::Result<Capacity> findCapacity(const Scenario& scenario, int batch, const std::vector<base::Nanoseconds>& passes,
                                    const RunAt& run);
inline constexpr double kCapacityStep = 0.02;
inline constexpr int kMostProbes = 10;
inline constexpr double kProbeQueries = 100;
inline constexpr base::Nanoseconds kLongestProbe{30'000'000'000};

base::Json toJson(const Capacity& capacity);

} // namespace apertune::workload
