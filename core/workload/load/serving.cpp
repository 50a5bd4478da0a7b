// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/load/serving.h"

#include "core/base/random.h"
#include "core/workload/load/errors.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>

namespace apertune::workload {

using base::Error;
using base::ErrorCode;
using base::Nanoseconds;

namespace {

class ArrivalRandom
{
public:
    explicit ArrivalRandom(std::uint64_t seed) : m_random(seed) {}

    /// A number in (0, 1], so that its logarithm exists.
    double uniform() { return m_random.uniform() + 0x1p-53; }
    double exponential() { return -std::log(uniform()); }
    double normal()
    {
        // The transform of Box and Muller. Distributions of the standard library differ between implementations, and a
        // seed has to give the same arrivals everywhere.
        const double radius = std::sqrt(2 * exponential());
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

private:
    base::Random m_random;
};

std::vector<Query> poisson(const Scenario& scenario, double rate)
{
    ArrivalRandom random(scenario.seed);
    std::vector<Query> queries;
    for (double at = random.exponential() / rate; at < scenario.duration.seconds(); at += random.exponential() / rate)
        queries.push_back({base::fromSeconds(at)});
    return queries;
}

std::vector<Query> frames(const Scenario& scenario)
{
    ArrivalRandom random(scenario.seed);
    const double period = 1 / scenario.fps;
    std::vector<Query> queries;
    for (int camera = 0; camera < scenario.cameras; ++camera) {
        // Cameras are not synchronized. Even phases are the mildest case, and do not depend on the seed.
        const double phase = period * camera / scenario.cameras;
        for (std::int64_t k = 0;; ++k) {
            const double even = phase + period * static_cast<double>(k);
            if (even >= scenario.duration.seconds())
                break;
            // The shift stays just below half a period, so that two frames of a camera never change places.
            const double shift = std::clamp(random.normal() * scenario.jitter, -0.499, 0.499) * period;
            const Nanoseconds due = base::fromSeconds(std::max(0.0, even + shift));
            if (due < scenario.duration)
                queries.push_back({due, camera});
        }
    }
    // Stable, so that equal times give the same order in every run.
    std::stable_sort(queries.begin(), queries.end(), [](const Query& a, const Query& b) { return a.due < b.due; });
    return queries;
}

Error cancelled()
{
    return {ErrorCode::cancelled, base::message<load_errors::kCancelled>()};
}

/// The waiting queries, oldest first. Implements the drop rule of cameras.
class QueryQueue
{
public:
    QueryQueue(std::vector<Served>& all, int perCamera) : m_all(all), m_perCamera(perCamera)
    {
        int cameras = 1;
        for (const Served& served : all)
            cameras = std::max(cameras, served.query.camera + 1);
        m_ofCamera.resize(static_cast<std::size_t>(cameras));
    }

    bool empty() const { return m_waiting.empty(); }
    std::size_t size() const { return m_waiting.size(); }
    Nanoseconds oldest() const { return m_all[m_waiting.front()].query.due; }

    void add(std::size_t i)
    {
        const int camera = m_all[i].query.camera;
        if (m_perCamera > 0 && waitingOf(i) == m_perCamera) {
            const auto oldest = std::find_if(m_waiting.begin(), m_waiting.end(),
                                             [&](std::size_t k) { return m_all[k].query.camera == camera; });
            m_all[*oldest].dropped = true;
            m_waiting.erase(oldest);
            --waitingOf(i);
        }
        m_waiting.push_back(i);
        ++waitingOf(i);
    }

    std::size_t take()
    {
        const std::size_t i = m_waiting.front();
        m_waiting.pop_front();
        --waitingOf(i);
        return i;
    }

private:
    int& waitingOf(std::size_t i) { return m_ofCamera[static_cast<std::size_t>(m_all[i].query.camera)]; }

    std::vector<Served>& m_all;
    const int m_perCamera;
    std::deque<std::size_t> m_waiting;
    std::vector<int> m_ofCamera;
};

} // namespace

std::vector<Query> arrivals(const Scenario& scenario, double rate)
{
    return scenario.kind == ScenarioKind::camera ? frames(scenario) : poisson(scenario, rate);
}

Policy policyOf(const Scenario& scenario, int batch)
{
    return {batch, scenario.maxWait, scenario.kind == ScenarioKind::camera ? scenario.queue : 0,
            scenario.duration + scenario.duration};
}

base::Result<std::vector<Served>> serve(const std::vector<Query>& queries, const Policy& policy, Machine& machine,
                                        const ServingWatch& watch)
{
    std::vector<Served> all;
    all.reserve(queries.size());
    for (const Query& query : queries)
        all.push_back({query, {}, {}, false});

    QueryQueue queue(all, policy.queue);
    const auto full = static_cast<std::size_t>(policy.batch);
    std::vector<std::size_t> inPass;
    std::size_t next = 0; // the next query to arrive
    while (next < all.size() || !queue.empty()) {
        const Nanoseconds now = machine.now();
        while (next < all.size() && all[next].query.due <= now)
            queue.add(next++);
        const bool more = next < all.size();
        if (queue.empty()) {
            if (!machine.waitUntil(all[next].query.due))
                return cancelled();
            continue;
        }
        // An overloaded run ends here; otherwise its queue would grow for ever.
        if (policy.until.count > 0 && now >= policy.until) {
            while (!queue.empty())
                all[queue.take()].dropped = true;
            for (; next < all.size(); ++next)
                all[next].dropped = true;
            break;
        }
        const Nanoseconds latestStart = queue.oldest() + policy.maxWait;
        if (queue.size() < full && more && now < latestStart) {
            if (!machine.waitUntil(std::min(latestStart, all[next].query.due)))
                return cancelled();
            continue;
        }
        inPass.clear();
        while (inPass.size() < full && !queue.empty())
            inPass.push_back(queue.take());
        const Nanoseconds start = machine.now();
        if (auto status = machine.pass(); !status)
            return status.error();
        const Nanoseconds end = machine.now();
        for (const std::size_t i : inPass) {
            all[i].start = start;
            all[i].end = end;
        }
        if (watch && !watch(static_cast<double>(next) / static_cast<double>(all.size())))
            return cancelled();
    }
    return all;
}

base::Result<std::vector<Served>> serveOneByOne(int passes, Nanoseconds duration, std::size_t least, Machine& machine,
                                                const ServingWatch& watch)
{
    std::vector<Served> all;
    while (true) {
        Served served;
        served.start = machine.now();
        served.query.due = served.start;
        for (int i = 0; i < passes; ++i)
            if (auto status = machine.pass(); !status)
                return status.error();
        served.end = machine.now();
        all.push_back(served);
        if (served.end >= duration && all.size() >= least)
            return all;
        const double part = std::min(served.end.seconds() / duration.seconds(),
                                     least > 0 ? static_cast<double>(all.size()) / static_cast<double>(least) : 1.0);
        if (watch && !watch(std::min(1.0, part)))
            return cancelled();
    }
}

} // namespace apertune::workload
