// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/measurement.h"
#include "core/workload/load/serving.h"

#include <optional>
#include <vector>

namespace apertune::workload {

/// Returns how many of `n` queries may exceed a latency that is still a bound of the `percentile` with `confidence`:
/// the largest t with P(Binomial(n, 1 − percentile) ≤ t) ≤ 1 − confidence. Returns nullopt when n is too small for any
/// t (p99 at 99 % confidence needs 459). This is the early-stopping rule of MLPerf's LoadGen.
std::optional<std::int64_t> allowedOver(std::int64_t n, double percentile, double confidence = 0.99);

/// Verdict on a bound of a percentile, at 99 % confidence both ways. cannotTell: there are too few queries.
enum class BoundKept { yes, no, cannotTell };
std::string_view toString(BoundKept boundKept); ///< "yes", "no", "cannot_tell"
BoundKept boundKept(std::int64_t n, std::int64_t over, double percentile);

/// A server load whose rate brings too few queries within the duration for an interval of its percentile.
struct TooFew
{
    double expected = 0;          ///< queries within the duration
    std::int64_t needed = 0;      ///< queries that an interval needs (stats::samplesForPercentile): 299 for p99
    base::Nanoseconds duration{}; ///< the duration that brings enough queries at this rate
};
std::optional<TooFew> tooFewQueries(const Scenario& scenario); ///< nullopt when there are enough

/// The results of a camera load.
struct Frames
{
    std::int64_t late = 0;     ///< answered after the deadline
    std::int64_t dropped = 0;  ///< never answered
    double missShare = 0;      ///< share of all frames that were late or dropped
    model::Interval meanAgeMs; ///< mean age of the newest result of a camera, over time
    double maxAgeMs = 0;       ///< the largest age that a result reached before the next one came
};

/// The figures of one run. Intervals are 95 %. They are computed from the spread between groups of neighbouring
/// queries, because neighbours in a queue have similar latencies.
struct ScenarioSummary
{
    std::int64_t queries = 0;
    std::int64_t answered = 0;
    base::Nanoseconds span{};      ///< time between the beginning of the run and the last answer
    model::Interval perSecond;     ///< samples per second
    model::Interval latencyNs;     ///< the scenario's percentile; its confidence is 0 when there are too few queries
    std::optional<double> boundNs; ///< the latency that bounds the percentile with 99 % confidence (allowedOver)
    std::optional<double> p50Ns, p90Ns, p95Ns, p99Ns; ///< empty when there are too few queries
    model::Interval waitedNs;                         ///< mean time in the queue
    model::Interval computedNs;                       ///< mean time in the pass
    double busy = 0;                                  ///< share of the span that was spent in passes
    std::optional<BoundKept> bound;                   ///< set for a server with a bound
    std::int64_t over = 0;                            ///< queries over the bound, including dropped ones
    std::optional<Frames> frames;                     ///< set for cameras
};

/// `samples` is the number of samples in a query (offline: the batch of a pass).
/// REQUIRES: the run is not empty.
ScenarioSummary summarize(const Scenario& scenario, const std::vector<Served>& run, int samples);

base::Json toJson(const ScenarioSummary& summary);

} // namespace apertune::workload
