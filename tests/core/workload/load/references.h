// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/load/serving.h"

#include <queue>

#include <cmath>
#include <list>
#include <tuple>
#include <vector>

namespace apertune::workload::testing {

/// What loads are checked against: queueing theory, and the rules of serving written the other way round.

/// P(wait ≤ t) in the queue with Poisson arrivals, one server and service time `d` (M/D/1), by Crommelin's formula:
/// (1 − ρ) Σ_{k ≤ t/d} (−λ(t − kd))^k / k! · e^{λ(t − kd)}.
inline double waitBelow(double t, double lambda, double d)
{
    long double sum = 0;
    for (int k = 0; k <= static_cast<int>(t / d); ++k) {
        const long double x = lambda * (t - k * d);
        long double term = std::exp(x);
        for (int i = 1; i <= k; ++i)
            term *= -x / i;
        sum += term;
    }
    return static_cast<double>((1 - lambda * d) * sum);
}

/// The largest arrival rate with P(wait + d ≤ bound) ≥ p.
inline double theoreticalCapacity(double d, double bound, double p)
{
    double low = 1e-3 / d;
    double high = 0.999 / d;
    while (high - low > 1e-6 / d) {
        const double middle = (low + high) / 2;
        (waitBelow(bound - d, middle, d) >= p ? low : high) = middle;
    }
    return low;
}

/// The same rules written the other way round, as events in a time-ordered queue: what serve() is checked against.
inline std::vector<Served> byEvents(const std::vector<Query>& queries, int queue, base::Nanoseconds service)
{
    struct Event
    {
        base::Nanoseconds at;
        bool arrival; // a server that gets free at the same instant is free before
        std::size_t query;
        bool operator<(const Event& o) const
        {
            return std::tie(o.at, o.arrival, o.query) < std::tie(at, arrival, query);
        }
    };
    std::vector<Served> all;
    std::priority_queue<Event> events;
    for (std::size_t i = 0; i < queries.size(); ++i) {
        all.push_back({queries[i], {}, {}, false});
        events.push({queries[i].due, true, i});
    }
    std::list<std::size_t> waiting;
    bool busy = false;
    while (!events.empty()) {
        const Event event = events.top();
        events.pop();
        if (!event.arrival) {
            busy = false;
        } else {
            std::vector<std::list<std::size_t>::iterator> own;
            for (auto it = waiting.begin(); it != waiting.end(); ++it)
                if (queries[*it].camera == queries[event.query].camera)
                    own.push_back(it);
            if (queue > 0 && own.size() == static_cast<std::size_t>(queue)) {
                all[*own.front()].dropped = true;
                waiting.erase(own.front());
            }
            waiting.push_back(event.query);
        }
        const bool moreNow = !events.empty() && events.top().at == event.at;
        if (!busy && !waiting.empty() && !moreNow) {
            const std::size_t i = waiting.front();
            waiting.pop_front();
            busy = true;
            all[i].start = event.at;
            all[i].end = event.at + service;
            events.push({all[i].end, false, i});
        }
    }
    return all;
}

} // namespace apertune::workload::testing
