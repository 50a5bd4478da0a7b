// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/load/scenario_summary.h"

#include "core/model/interval_json.h"
#include "core/stats/block_stats.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

namespace apertune::workload {

using base::Json;
using base::Nanoseconds;
using model::Interval;

namespace {

constexpr std::size_t kSmallest = 6; ///< fewer samples give no interval, as for medians

/// ln P(Binomial(n, q) = k), from lgamma so that large n do not overflow.
double logMass(std::int64_t n, std::int64_t k, double q)
{
    const auto dn = static_cast<double>(n);
    const auto dk = static_cast<double>(k);
    return std::lgamma(dn + 1) - std::lgamma(dk + 1) - std::lgamma(dn - dk + 1) + dk * std::log(q) +
           (dn - dk) * std::log1p(-q);
}

constexpr std::size_t kGroups = 50; ///< largest number of groups of neighbours
/// 97.5 % quantile of Student's t with 49 degrees of freedom; slightly too small for fewer groups
constexpr double kTwoSided = 2.01;

double meanOf(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Standard error of the mean of values that resemble their neighbours. It comes from the means of consecutive groups,
/// each of which is long enough to be nearly independent of the one before (batch means).
double standardError(std::span<const double> values)
{
    const std::size_t groups =
        std::min(kGroups, static_cast<std::size_t>(std::sqrt(static_cast<double>(values.size()))));
    const std::size_t length = values.size() / groups;
    std::vector<double> means;
    for (std::size_t g = 0; g < groups; ++g)
        means.push_back(meanOf(values.subspan(g * length, length)));
    const double mean = meanOf(means);
    double squares = 0;
    for (const double m : means)
        squares += (m - mean) * (m - mean);
    const auto n = static_cast<double>(groups);
    return std::sqrt(squares / (n - 1) / n);
}

Interval rangeOf(double value, std::span<const double> values)
{
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return {value, *least, *most, 0};
}

Interval meanInterval(std::span<const double> values)
{
    const double mean = meanOf(values);
    if (values.size() < kSmallest)
        return rangeOf(mean, values);
    const double half = kTwoSided * standardError(values);
    return {mean, mean - half, mean + half, 0.95};
}

/// The interval of a percentile: order statistics at p ± the uncertainty of the share of values above it.
Interval percentileInterval(std::span<const double> values, double p)
{
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double part) { // nearest rank, as stats::percentile
        const auto rank = static_cast<std::ptrdiff_t>(std::ceil(part * static_cast<double>(sorted.size())));
        return sorted[static_cast<std::size_t>(
            std::clamp<std::ptrdiff_t>(rank - 1, 0, static_cast<std::ptrdiff_t>(sorted.size()) - 1))];
    };
    const double value = at(p);
    if (values.size() < kSmallest)
        return rangeOf(value, values);
    std::vector<double> above;
    above.reserve(values.size());
    // Whether a value lies above the percentile is a share, so the error of a mean applies to it.
    for (const double v : values)
        above.push_back(v > value ? 1 : 0);
    const double independent = std::sqrt(p * (1 - p) / static_cast<double>(values.size()));
    // Queues make neighbours alike, which widens the interval. By chance the groups may also look too even, so that the
    // interval is never narrower than that of independent values.
    const double half = kTwoSided * std::max(independent, standardError(above));
    return {value, at(p - half), at(std::min(1.0, p + half)), 0.95};
}

/// Samples per second, from the times between answers. The queries of one pass end together, so passes are counted.
Interval rateOf(const std::vector<Served>& run, int samples)
{
    std::map<std::int64_t, int> ends;
    for (const Served& served : run)
        if (!served.dropped)
            ends[served.end.count] += samples;
    std::vector<double> gaps;
    double perGap = 0;
    std::int64_t last = 0;
    for (const auto& [end, count] : ends) {
        gaps.push_back(static_cast<double>(end - last));
        perGap += count;
        last = end;
    }
    if (gaps.empty())
        return {};
    perGap /= static_cast<double>(gaps.size());
    const Interval gap = meanInterval(gaps);
    return {perGap * 1e9 / gap.value, perGap * 1e9 / gap.hi, perGap * 1e9 / std::max(gap.lo, 1.0), gap.confidence};
}

double busyShare(const std::vector<Served>& run, Nanoseconds span)
{
    std::map<std::int64_t, std::int64_t> passes; // keyed by begin, which the queries of a pass share
    for (const Served& served : run)
        if (!served.dropped)
            passes[served.start.count] = served.end.count;
    std::int64_t sum = 0;
    for (const auto& [start, end] : passes)
        sum += end - start;
    return span.count > 0 ? static_cast<double>(sum) / static_cast<double>(span.count) : 0;
}

/// The age of a camera's newest result is a saw-tooth: it falls to the latency of a frame when its result comes, and
/// grows until the next result.
Frames framesOf(const Scenario& scenario, const std::vector<Served>& run)
{
    Frames frames;
    std::map<int, std::vector<const Served*>> cameras;
    for (const Served& served : run) {
        if (served.dropped)
            ++frames.dropped;
        else if (served.latency() > scenario.frameDeadline())
            ++frames.late;
        if (!served.dropped)
            cameras[served.query.camera].push_back(&served);
    }
    frames.missShare = static_cast<double>(frames.late + frames.dropped) / static_cast<double>(run.size());
    std::vector<double> ages; // mean age between two results of a camera; the gaps are nearly even
    for (const auto& [camera, results] : cameras)
        for (std::size_t i = 1; i < results.size(); ++i) {
            const double fresh = results[i - 1]->latency().milliseconds();
            const double grown = (results[i]->end - results[i - 1]->query.due).milliseconds();
            ages.push_back((fresh + grown) / 2);
            frames.maxAgeMs = std::max(frames.maxAgeMs, grown);
        }
    if (!ages.empty())
        frames.meanAgeMs = meanInterval(ages);
    return frames;
}

} // namespace

std::optional<std::int64_t> allowedOver(std::int64_t n, double percentile, double confidence)
{
    double sum = 0;
    std::optional<std::int64_t> allowed;
    for (std::int64_t t = 0; t <= n; ++t) {
        // So few late answers would be improbable if the percentile were just at the bound.
        sum += std::exp(logMass(n, t, 1 - percentile));
        if (sum > 1 - confidence)
            break;
        allowed = t;
    }
    return allowed;
}

std::string_view toString(BoundKept boundKept)
{
    return boundKept == BoundKept::yes ? "yes" : boundKept == BoundKept::no ? "no" : "cannot_tell";
}

BoundKept boundKept(std::int64_t n, std::int64_t over, double percentile)
{
    const auto allowed = allowedOver(n, percentile);
    if (allowed && over <= *allowed)
        return BoundKept::yes;
    double fewer = 0; // P(fewer than `over`) when the percentile equals the bound
    for (std::int64_t k = 0; k < over; ++k)
        fewer += std::exp(logMass(n, k, 1 - percentile));
    // The same confidence as that of allowedOver().
    return fewer >= 0.99 ? BoundKept::no : BoundKept::cannotTell;
}

std::optional<TooFew> tooFewQueries(const Scenario& scenario)
{
    if (scenario.kind != ScenarioKind::server || scenario.rate <= 0)
        return std::nullopt;
    const auto needed = static_cast<double>(stats::samplesForPercentile(scenario.percentile));
    const double expected = scenario.rate * scenario.duration.seconds();
    if (expected >= needed)
        return std::nullopt;
    return TooFew{expected, static_cast<std::int64_t>(needed), base::fromSeconds(needed / scenario.rate)};
}

ScenarioSummary summarize(const Scenario& scenario, const std::vector<Served>& run, int samples)
{
    ScenarioSummary s;
    s.queries = static_cast<std::int64_t>(run.size());
    std::vector<double> latencies;
    std::vector<double> waited;
    std::vector<double> computed;
    for (const Served& served : run) {
        if (served.dropped)
            continue;
        latencies.push_back(static_cast<double>(served.latency().count));
        waited.push_back(static_cast<double>(served.waited().count));
        computed.push_back(static_cast<double>((served.end - served.start).count));
        s.span = std::max(s.span, served.end);
    }
    s.answered = static_cast<std::int64_t>(latencies.size());
    if (scenario.kind == ScenarioKind::camera)
        s.frames = framesOf(scenario, run);
    if (scenario.kind == ScenarioKind::server && scenario.bound.count > 0) {
        // A dropped query has no answer within any bound.
        s.over = s.queries - s.answered;
        for (const double latency : latencies)
            s.over += latency > static_cast<double>(scenario.bound.count) ? 1 : 0;
        s.bound = boundKept(s.queries, s.over, scenario.percentile);
    }
    if (latencies.empty())
        return s;

    s.perSecond = rateOf(run, samples);
    s.busy = busyShare(run, s.span);
    s.waitedNs = meanInterval(waited);
    s.computedNs = meanInterval(computed);
    s.latencyNs = percentileInterval(latencies, scenario.percentile);
    if (latencies.size() < stats::samplesForPercentile(scenario.percentile))
        s.latencyNs.confidence = 0;
    std::sort(latencies.begin(), latencies.end());
    if (const auto over = allowedOver(s.answered, scenario.percentile))
        s.boundNs = latencies[latencies.size() - 1 - static_cast<std::size_t>(*over)];
    s.p50Ns = stats::percentile(latencies, 0.5);
    s.p90Ns = stats::percentile(latencies, 0.9);
    s.p95Ns = stats::percentile(latencies, 0.95);
    s.p99Ns = stats::percentile(latencies, 0.99);
    return s;
}

Json toJson(const ScenarioSummary& s)
{
    Json frames = nullptr;
    if (s.frames)
        frames = {{"late", s.frames->late},
                  {"dropped", s.frames->dropped},
                  {"miss_share", s.frames->missShare},
                  {"stale_ms", model::fullIntervalJson(s.frames->meanAgeMs, 1)},
                  {"stalest_ms", s.frames->maxAgeMs}};
    return {{"queries", s.queries},
            {"answered", s.answered},
            {"span_ms", s.span.milliseconds()},
            {"samples_per_s", model::fullIntervalJson(s.perSecond, 1)},
            {"latency_ms", model::fullIntervalJson(s.latencyNs, 1e-6)},
            {"latency_bound_ms", model::millisecondsJson(s.boundNs)},
            {"p50_ms", model::millisecondsJson(s.p50Ns)},
            {"p90_ms", model::millisecondsJson(s.p90Ns)},
            {"p95_ms", model::millisecondsJson(s.p95Ns)},
            {"p99_ms", model::millisecondsJson(s.p99Ns)},
            {"waited_ms", model::fullIntervalJson(s.waitedNs, 1e-6)},
            {"computed_ms", model::fullIntervalJson(s.computedNs, 1e-6)},
            {"busy", s.busy},
            {"bound_kept", s.bound ? Json(toString(*s.bound)) : Json(nullptr)},
            {"over_bound", s.over},
            {"frames", std::move(frames)}};
}

} // namespace apertune::workload
