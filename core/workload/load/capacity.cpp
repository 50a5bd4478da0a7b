// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/load/capacity.h"

#include "core/base/random.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace apertune::workload {

using base::Json;
using base::Nanoseconds;

namespace {

constexpr double kPrecision = 0.002; ///< relative width of the range at which the search ends

/// A machine with a simulated clock. The times of its passes are drawn from measured passes.
class Simulation final : public Machine
{
public:
    Simulation(const std::vector<Nanoseconds>& passes, std::uint64_t seed) : m_passes(passes), m_random(seed) {}

    Nanoseconds now() override { return m_now; }
    bool waitUntil(Nanoseconds time) override
    {
        m_now = std::max(m_now, time);
        return true;
    }
    base::Status pass() override
    {
        m_now += m_passes[m_random.below(m_passes.size())];
        return {};
    }

private:
    const std::vector<Nanoseconds>& m_passes;
    base::Random m_random;
    Nanoseconds m_now{};
};

/// True when the percentile of a simulated run of `count` queries stays below the bound.
bool keepsBound(Scenario scenario, int batch, const std::vector<Nanoseconds>& passes, double rate, int count)
{
    scenario.duration = base::fromSeconds(count / rate);
    const std::vector<Query> queries = arrivals(scenario, rate);
    // Another stream of random numbers than the arrivals', so that times and arrivals are independent.
    Simulation machine(passes, scenario.seed ^ 0x9e3779b97f4a7c15ULL);
    const auto run = serve(queries, policyOf(scenario, batch), machine, {});
    // serve() fails only when the machine fails, which a simulation does not.
    const auto over = std::count_if(run->begin(), run->end(), [&](const Served& served) {
        return served.dropped || served.latency() > scenario.bound;
    });
    return static_cast<double>(over) <= (1 - scenario.percentile) * static_cast<double>(queries.size());
}

Scenario longEnough(Scenario scenario, double rate)
{
    const double queries = kProbeQueries / (1 - scenario.percentile);
    const Nanoseconds needed = std::min(kLongestProbe, base::fromSeconds(queries / rate));
    scenario.duration = std::max(scenario.duration, needed);
    scenario.rate = rate;
    return scenario;
}

} // namespace

double predictCapacity(const Scenario& scenario, int batch, const std::vector<Nanoseconds>& passes)
{
    double mean = 0;
    for (const Nanoseconds pass : passes)
        mean += pass.seconds() / static_cast<double>(passes.size());
    double high = batch / mean; // no rate can be higher: passes without a pause
    double low = high * 1e-3;
    if (!keepsBound(scenario, batch, passes, low, kSimulatedQueries / 20))
        return 0;
    // A coarse bisection with few queries finds the neighbourhood. Its edges are widened by its possible error.
    while (high - low > 0.05 * low) {
        const double middle = (low + high) / 2;
        (keepsBound(scenario, batch, passes, middle, kSimulatedQueries / 20) ? low : high) = middle;
    }
    low *= 0.9;
    high = std::min(high * 1.1, batch / mean);
    while (high - low > kPrecision * low) {
        const double middle = (low + high) / 2;
        (keepsBound(scenario, batch, passes, middle, kSimulatedQueries) ? low : high) = middle;
    }
    return low;
}

base::Result<Capacity> findCapacity(const Scenario& scenario, int batch, const std::vector<Nanoseconds>& passes,
                                    const RunAt& run)
{
    Capacity capacity;
    capacity.predicted = predictCapacity(scenario, batch, passes);
    if (capacity.predicted == 0)
        return capacity;
    double rate = capacity.predicted;
    double step = kCapacityStep;
    for (int i = 0; i < kMostProbes; ++i) {
        const Scenario at = longEnough(scenario, rate);
        auto served = run(at);
        if (!served)
            return served.error();
        const ScenarioSummary summary = summarize(at, *served, 1);
        const bool kept = summary.bound == BoundKept::yes;
        capacity.probes.push_back({rate, summary});
        if (kept)
            capacity.highestKept = std::max(capacity.highestKept, rate);
        else
            capacity.lowestMissed = capacity.lowestMissed == 0 ? rate : std::min(capacity.lowestMissed, rate);
        const bool bracketed = capacity.highestKept > 0 && capacity.lowestMissed > 0;
        if (bracketed && capacity.lowestMissed <= capacity.highestKept * (1 + kCapacityStep))
            break;
        // The geometric mean halves the ratio of the two ends. Steps double, so that a wrong prediction costs few runs.
        rate = bracketed ? std::sqrt(capacity.highestKept * capacity.lowestMissed)
               : kept    ? rate * (1 + step)
                         : rate / (1 + step);
        step *= 2;
    }
    return capacity;
}

Json toJson(const Capacity& capacity)
{
    Json probes = Json::array();
    for (const CapacityProbe& probe : capacity.probes)
        probes.push_back({{"rate", probe.rate}, {"summary", toJson(probe.summary)}});
    const auto rate = [](double value) { return value > 0 ? Json(value) : Json(nullptr); };
    return {{"predicted", capacity.predicted},
            {"holds", rate(capacity.highestKept)},
            {"fails", rate(capacity.lowestMissed)},
            {"probes", std::move(probes)}};
}

} // namespace apertune::workload
