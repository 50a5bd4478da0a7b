// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/measurement.h"
#include "core/workload/load/serving.h"

#include <optional>
#include <vector>

namespace apertune::workload {

/// How many of `n` queries may be over a latency before nobody can say with `confidence` any more that the latency is a
/// bound of the `percentile`: the largest t with P(Binomial(n, 1 − percentile) ≤ t) ≤ 1 − confidence. Nothing when n is
/// too small for any (p99 with 99 %: 458). The early-stopping rule of MLPerf's LoadGen.
std::optional<std::int64_t> allowedOver(std::int64_t n, double percentile, double confidence = 0.99);

/// Whether a bound on a percentile is kept: surely, surely not, or too few queries to say (99 % both ways).
enum class Holds { yes, no, cannotTell };
std::string_view toString(Holds holds); ///< "yes", "no", "cannot_tell"
Holds holds(std::int64_t n, std::int64_t over, double percentile);

/// A server at a rate that brings too few queries within the duration for its percentile to have an interval.
struct TooFew
{
    double expected = 0;          ///< queries
    std::int64_t needed = 0;      ///< stats::samplesForPercentile: p99 299
    base::Nanoseconds duration{}; ///< that brings as many at this rate
};
std::optional<TooFew> tooFewQueries(const Scenario& scenario);

/// What frames were worth.
struct Frames
{
    std::int64_t late = 0;    ///< answered after the deadline
    std::int64_t dropped = 0; ///< never answered
    double missShare = 0;     ///< late or dropped, of all
    model::Interval staleMs;  ///< mean over time of how old the newest result of a camera is
    double stalestMs = 0;     ///< the oldest that a result ever got before the next one came
};

/// A run, told. Intervals are 95 %, with the spread between groups of neighbours, because queues make neighbours alike.
struct ScenarioSummary
{
    std::int64_t queries = 0;
    std::int64_t answered = 0;
    base::Nanoseconds span{};      ///< from the run's begin to the last answer
    model::Interval perSecond;     ///< samples answered a second
    model::Interval latencyNs;     ///< the scenario's percentile; confidence 0 when there are too few queries for it
    std::optional<double> boundNs; ///< what the percentile is below with 99 % confidence (allowedOver)
    std::optional<double> p50Ns, p90Ns, p95Ns, p99Ns; ///< where the sample supports them
    model::Interval waitedNs;                         ///< mean time in the queue
    model::Interval computedNs;                       ///< mean time in the pass
    double busy = 0;                                  ///< share of the span in passes
    std::optional<Holds> bound;                       ///< server with a bound
    std::int64_t over = 0;                            ///< queries over the bound, dropped ones too
    std::optional<Frames> frames;                     ///< camera
};

/// `samples`: what a query asks for (a pass of offline: the batch). REQUIRES: !run.empty()
ScenarioSummary summarize(const Scenario& scenario, const std::vector<Served>& run, int samples);

base::Json toJson(const ScenarioSummary& summary);

} // namespace apertune::workload
