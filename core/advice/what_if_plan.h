// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/what_if_change.h"
#include "core/advice/what_if_effect.h"
#include "core/analysis/replay.h"
#include "core/base/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace apertune::advice {

/// The effects of changes on the graph of a recording. Private to this folder.
struct Plan
{
    std::map<std::int32_t, analysis::WorkChange> work{}; ///< the keys are numbers in TraceIndex::work
    std::vector<analysis::TimeScale::Part> host{};       ///< changed times of the host
    int streams = 1;                                     ///< ReplayChange::streams
    double whole = 1;                                    ///< factor of everything: of a switch or of threads
    double wholeLeast = 1, wholeMost = 1;                ///< the range in which `whole` may be

    bool isOnlyFaster() const
    {
        return all([](double factor) { return factor <= 1; });
    }
    bool isOnlySlower() const
    {
        const bool fewerWaits = streams > 1 || std::any_of(work.begin(), work.end(), [](const auto& entry) {
                                    return entry.second.host > 0 || entry.second.async || entry.second.apart;
                                });
        return !fewerWaits && all([](double factor) { return factor >= 1; });
    }
    /// Makes work faster or slower, on top of earlier changes of it.
    void scale(std::int32_t number, double factor) { work[number].device *= factor; }
    /// Adds the changes of another plan.
    void add(const Plan& other)
    {
        for (const auto& [number, change] : other.work) {
            analysis::WorkChange& mine = work[number];
            mine.device *= change.device;
            mine.host = std::max(mine.host, change.host);
            mine.async = mine.async || change.async;
            mine.apart = mine.apart || change.apart;
        }
        host.insert(host.end(), other.host.begin(), other.host.end());
        streams = std::max(streams, other.streams);
        whole *= other.whole;
        wholeLeast *= other.wholeLeast;
        wholeMost *= other.wholeMost;
    }

private:
    template <typename Predicate>
    bool all(Predicate holds) const
    {
        return holds(wholeLeast) && holds(wholeMost) &&
               std::all_of(host.begin(), host.end(), [&](const auto& part) { return holds(part.factor); }) &&
               std::all_of(work.begin(), work.end(), [&](const auto& entry) { return holds(entry.second.device); });
    }
};

/// Turns changes into plans, as whatIf() says. Private to this folder. One thread.
/// REQUIRES: the facts outlive it.
class Planner
{
public:
    explicit Planner(const Facts& facts) : m_facts(facts)
    {
        // A busy machine can slow either half of the measurement, so the cost has to be certain.
        if (const auto& cost = facts.trace.cost;
            cost && !facts.onDevice && cost->ratio.confidence > 0 && cost->ratio.lo > 1)
            measureRecording(cost->tracedNs.value - cost->bareNs.value);
    }

    /// Returns the plan of a change, and writes its subject, number of events and switch into `effect`.
    /// Failures: invalidArgument (nothing matches, or the trace does not allow such a change).
    base::Result<Plan> plan(const Change& change, ChangeEffect& effect) const;
    /// Ns that recording an operator took; 0: unknown.
    double recording() const { return m_recording; }
    /// Number of recorded operators of the busiest thread that begin in `time`.
    std::int64_t recordsIn(trace::TimeRange time) const;

private:
    /// A match of a pattern on a thread.
    struct Place
    {
        trace::TimeRange time;
        trace::TrackId track;
        std::int32_t node = analysis::kNone; ///< node of the forest; kNone of a range
        std::int64_t records = 0;            ///< recorded operators in it, itself included
    };

    void measureRecording(double cost);
    base::Result<std::vector<Place>> places(const Change& change) const;
    std::vector<Place> outermost(std::vector<Place> all, int occurrence) const;
    std::pair<std::int32_t, std::int32_t> busiest() const { return m_facts.forest.busiestThread(); }
    base::Result<Plan> kernels(const Change& change, ChangeEffect& effect) const;
    base::Result<Plan> hostPlaces(const Change& change, ChangeEffect& effect) const;
    base::Result<Plan> copies(const Change& change, ChangeEffect& effect) const;
    Plan graph(ChangeEffect& effect) const;
    base::Result<Plan> threads(const Change& change, ChangeEffect& effect) const;
    base::Result<Plan> setting(const Change& change, ChangeEffect& effect) const;
    base::Error nothingMatches(const Change& change,
                               std::span<const std::pair<std::uint32_t, std::int64_t>> times) const;
    std::vector<char> namesOf(std::span<const std::pair<std::uint32_t, std::int64_t>> times) const;

    const Facts& m_facts;
    double m_recording = 0;
};

} // namespace apertune::advice
