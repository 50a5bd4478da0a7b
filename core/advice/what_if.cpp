// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/what_if.h"

#include "core/advice/errors.h"
#include "core/advice/name_pattern.h"
#include "core/advice/reasons.h"
#include "core/advice/rule_parts.h"
#include "core/analysis/changed_trace.h"
#include "core/analysis/intervals.h"
#include "core/analysis/lost_kernels.h"
#include "core/analysis/occupancy.h"
#include "core/base/text.h"
#include "core/stats/block_stats.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace apertune::advice {

using analysis::Interval;
using analysis::kNone;
using analysis::OperatorNode;
using analysis::TimeScale;
using base::Error;
using base::ErrorCode;
using trace::CopyDirection;

namespace {

std::size_t at(std::int32_t number)
{
    return static_cast<std::size_t>(number);
}

/// The effects of the changes on the graph.
struct Plan
{
    std::map<std::int32_t, analysis::WorkChange> work{}; ///< the keys are numbers in TraceIndex::work
    std::vector<TimeScale::Part> host{};
    int streams = 1;
    double whole = 1;                     ///< factor of everything: of a switch or of threads
    double wholeLeast = 1, wholeMost = 1; ///< the range in which `whole` may be

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
    void scale(std::int32_t number, double factor) { work[number].device *= factor; }
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

/// A match of a pattern on a thread.
struct Place
{
    Interval time;
    trace::TrackId track;
    std::int32_t node = kNone; ///< node of the forest; kNone of a range
    std::int64_t records = 0;  ///< recorded operators in it, itself included
};

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

    base::Result<Plan> plan(const Change& change, ChangeEffect& effect) const;
    /// Ns that recording an operator took; 0: unknown.
    double recording() const { return m_recording; }
    std::int64_t recordsIn(Interval time) const;

private:
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
    Error nothingMatches(const Change& change, std::span<const std::pair<std::uint32_t, std::int64_t>> times) const;
    std::vector<char> namesOf(std::span<const std::pair<std::uint32_t, std::int64_t>> times) const;

    const Facts& m_facts;
    double m_recording = 0;
};

std::int64_t Planner::recordsIn(Interval time) const
{
    const auto [first, end] = busiest();
    const auto& nodes = m_facts.forest.nodes;
    return std::count_if(nodes.begin() + first, nodes.begin() + end,
                         [&](const OperatorNode& node) { return time.contains(node.time.start); });
}

/// `cost`: ns of an iteration.
void Planner::measureRecording(double cost)
{
    std::int64_t records = 0;
    for (const Interval& iteration : m_facts.steady)
        records += recordsIn(iteration);
    constexpr double kMost = 2e3; // ns; what takes longer is other work of the machine
    if (cost > 0 && records > 0)
        m_recording = std::min(kMost, cost * static_cast<double>(m_facts.steady.size()) / static_cast<double>(records));
}

std::vector<char> Planner::namesOf(std::span<const std::pair<std::uint32_t, std::int64_t>> times) const
{
    std::vector<char> occurs(m_facts.trace.strings.size());
    for (const auto& [name, time] : times)
        occurs[name] = 1;
    return occurs;
}

Error Planner::nothingMatches(const Change& change, std::span<const std::pair<std::uint32_t, std::int64_t>> times) const
{
    constexpr std::size_t kNamesShown = 5;
    std::map<std::uint32_t, std::int64_t> sums;
    for (const auto& [name, time] : times)
        sums[name] += time;
    std::vector<std::pair<std::int64_t, std::uint32_t>> longest;
    for (const auto& [name, time] : sums)
        longest.emplace_back(time, name);
    std::sort(longest.rbegin(), longest.rend());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(kNamesShown, longest.size()); ++i)
        names.emplace_back(m_facts.trace.strings[longest[i].second].substr(0, 80));
    return {ErrorCode::invalidArgument,
            base::message<errors::kNothingMatches>(change.pattern),
            {},
            names.empty() ? base::message<errors::kChangesAre>()
                          : base::message<errors::kLongestAre>(base::join(names))};
}

/// Removes places within others, and keeps the wanted occurrence of each iteration.
std::vector<Place> Planner::outermost(std::vector<Place> all, int occurrence) const
{
    std::stable_sort(all.begin(), all.end(), [](const Place& a, const Place& b) {
        return std::pair(a.track.value, a.time.start) < std::pair(b.track.value, b.time.start);
    });
    std::vector<Place> kept;
    for (const Place& place : all)
        if (kept.empty() || kept.back().track != place.track || place.time.start >= kept.back().time.end)
            kept.push_back(place);
    if (occurrence == 0)
        return kept;
    std::stable_sort(kept.begin(), kept.end(),
                     [](const Place& a, const Place& b) { return a.time.start < b.time.start; });
    std::vector<Place> chosen;
    for (const Interval& calls : m_facts.calls) {
        int seen = 0;
        for (const Place& place : kept)
            if (calls.contains(place.time.start) && ++seen == occurrence)
                chosen.push_back(place);
    }
    return chosen;
}

base::Result<std::vector<Place>> Planner::places(const Change& change) const
{
    std::vector<Place> all;
    std::vector<std::pair<std::uint32_t, std::int64_t>> times;
    std::vector<std::uint32_t> names;
    const auto& nodes = m_facts.forest.nodes;
    if (change.kind == ChangeKind::operators) {
        // Without a device, only the busiest thread is known to be on the critical path.
        const auto [first, end] = m_facts.onDevice ? std::pair(0, static_cast<std::int32_t>(nodes.size())) : busiest();
        for (std::int32_t i = first; i < end; ++i) {
            const OperatorNode& node = nodes[at(i)];
            all.push_back({node.time, node.track, i, node.last - i + 1});
            names.push_back(node.name);
            times.emplace_back(node.name, node.selfTime + node.ownDeviceTime);
        }
    } else {
        for (const trace::Series& series : m_facts.trace.series) {
            if (series.kind != trace::EventKind::range && series.kind != trace::EventKind::scriptCall)
                continue;
            for (std::size_t i = 0; i < series.events.size(); ++i) {
                const Interval time{series.events.start[i], series.events.end(i)};
                all.push_back({time, series.track, kNone, 0});
                names.push_back(series.events.name[i]);
                times.emplace_back(series.events.name[i], time.length());
            }
        }
    }
    const auto matches = matchingNames(m_facts.trace, namesOf(times), change.pattern);
    if (!matches)
        return matches.error();
    std::vector<Place> matched;
    for (std::size_t i = 0; i < all.size(); ++i)
        if ((*matches)[names[i]] != 0)
            matched.push_back(all[i]);
    matched = outermost(std::move(matched), change.occurrence);
    if (matched.empty())
        return nothingMatches(change, times);
    if (change.kind == ChangeKind::layers)
        for (Place& place : matched)
            place.records = m_recording > 0 ? recordsIn(place.time) : 0;
    return matched;
}

base::Result<Plan> Planner::kernels(const Change& change, ChangeEffect& effect) const
{
    Plan plan;
    std::vector<std::pair<std::uint32_t, std::int64_t>> times;
    for (const analysis::Work& work : m_facts.index.work)
        if (work.isKernel())
            times.emplace_back(work.name, work.time.length());
    const auto matches = matchingNames(m_facts.trace, namesOf(times), change.pattern);
    if (!matches)
        return matches.error();
    std::vector<int> seen(m_facts.steady.size() + 1);
    for (std::size_t i = 0; i < m_facts.index.work.size(); ++i) {
        const analysis::Work& work = m_facts.index.work[i];
        if (!work.isKernel() || (*matches)[work.name] == 0)
            continue;
        const auto iteration =
            std::ranges::find_if(m_facts.steady, [&](const Interval& time) { return time.contains(work.time.start); });
        const auto n = static_cast<std::size_t>(iteration - m_facts.steady.begin());
        if (++seen[n] != change.occurrence && change.occurrence > 0)
            continue;
        plan.scale(static_cast<std::int32_t>(i), change.factor);
        if (change.factor == 0 && work.call != kNone)
            plan.work[static_cast<std::int32_t>(i)].host = m_facts.index.calls[at(work.call)].time.length();
        effect.events += m_facts.window.contains(work.time.start) ? 1 : 0;
    }
    if (plan.work.empty())
        return nothingMatches(change, times);
    return plan;
}

base::Result<Plan> Planner::hostPlaces(const Change& change, ChangeEffect& effect) const
{
    auto found = places(change);
    if (!found)
        return found.error();
    Plan plan;
    std::vector<char> marked(m_facts.forest.nodes.size());
    std::unordered_map<std::uint32_t, std::vector<Interval>> byTrack;
    for (const Place& place : *found) {
        if (place.node != kNone)
            marked[at(place.node)] = 1;
        byTrack[place.track.value].push_back(place.time);
        effect.events += m_facts.callWindow().contains(place.time.start) ? 1 : 0;
    }
    for (std::size_t i = 0; i < m_facts.forest.nodes.size(); ++i) // parents come before children
        if (const std::int32_t parent = m_facts.forest.nodes[i].parent; parent != kNone && marked[at(parent)] != 0)
            marked[i] = 1;
    const auto isWithin = [&](std::int32_t number) {
        const analysis::Work& work = m_facts.index.work[at(number)];
        if (const std::int32_t node = m_facts.forest.ofWork(number); node != kNone && marked[at(node)] != 0)
            return true;
        if (change.kind != ChangeKind::layers || work.call == kNone)
            return false;
        const analysis::HostCall& call = m_facts.index.calls[at(work.call)];
        const auto track = byTrack.find(call.track.value);
        return track != byTrack.end() &&
               std::ranges::any_of(track->second, [&](const Interval& time) { return time.contains(call.time.start); });
    };
    for (std::size_t i = 0; i < m_facts.index.work.size(); ++i)
        if (const auto number = static_cast<std::int32_t>(i); isWithin(number))
            plan.scale(number, change.factor);
    for (const Place& place : *found) {
        const bool launches =
            m_facts.onDevice && (place.node == kNone || m_facts.forest.nodes[at(place.node)].work > 0);
        if (launches && change.factor != 0)
            continue;
        // The time that the recorder added does not shrink with the operator.
        const double length = static_cast<double>(place.time.length());
        const double own = std::max(0.0, length - m_recording * static_cast<double>(place.records));
        const double factor = change.factor == 0 ? 0 : length > 0 ? 1 - (1 - change.factor) * own / length : 1;
        plan.host.push_back({place.time, factor});
    }
    return plan;
}

base::Result<Plan> Planner::copies(const Change& change, ChangeEffect& effect) const
{
    constexpr double kPinnedGuess = 0.6; // of the time; where the link's rates were not measured
    Plan plan;
    for (std::size_t i = 0; i < m_facts.index.work.size(); ++i) {
        const analysis::Work& work = m_facts.index.work[i];
        if (work.kind != trace::EventKind::copy)
            continue;
        const trace::CopyDetail& copy = m_facts.index.copy(work);
        const bool link =
            copy.direction == CopyDirection::hostToDevice || copy.direction == CopyDirection::deviceToHost;
        const bool pageable = copy.source == trace::MemoryKind::pageable || copy.target == trace::MemoryKind::pageable;
        if (!link || (change.copies == CopyChange::pin && !pageable))
            continue;
        analysis::WorkChange& to = plan.work[static_cast<std::int32_t>(i)];
        effect.events += m_facts.window.contains(work.time.start) ? 1 : 0;
        if (change.copies == CopyChange::remove) {
            to.device = 0;
            to.host = work.call != kNone ? m_facts.index.calls[at(work.call)].time.length() : 0;
        } else if (change.copies == CopyChange::overlap) {
            to.apart = true;
        } else {
            const double rate = m_facts.context.ceilings.pinnedBandwidth;
            // A copy without a length would divide by zero.
            const auto time = static_cast<double>(std::max<std::int64_t>(1, work.time.length()));
            to.async = true;
            // Bytes over the rate that the link reaches with pinned memory. A copy never gets slower by pinning.
            to.device = rate > 0 && work.bytes > 0 ? std::min(1.0, static_cast<double>(work.bytes) / rate * 1e9 / time)
                                                   : kPinnedGuess;
        }
    }
    if (plan.work.empty())
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNothingToChange>(change.text),
                     {},
                     base::message<errors::kChangesAre>()};
    return plan;
}

/// Removes the host's time between the launches of an iteration, except for calls that wait or copy.
Plan Planner::graph(ChangeEffect& effect) const
{
    Plan plan;
    const auto& calls = m_facts.index.calls;
    for (const Interval& iteration : m_facts.calls) {
        std::optional<std::int64_t> since; // end of the launch before
        for (const analysis::HostCall& call : calls) {
            if (call.time.start >= iteration.end)
                break;
            if (!iteration.contains(call.time.start))
                continue;
            const bool launch = call.work != kNone && m_facts.index.work[at(call.work)].isKernel() &&
                                call.kind != analysis::CallKind::synchronize;
            if (launch) {
                // Between two launches of a graph the host does nothing: the first one replaces all of them.
                if (since)
                    plan.host.push_back({{*since, call.time.end}, 0});
                since = call.time.end;
                effect.events += 1;
            } else if (call.kind == analysis::CallKind::synchronize || call.kind == analysis::CallKind::copy ||
                       call.kind == analysis::CallKind::blockingCopy) {
                since.reset();
            }
        }
    }
    return plan;
}

base::Result<Plan> Planner::threads(const Change& change, ChangeEffect& effect) const
{
    const auto& context = m_facts.context;
    // A trial without a number of threads ran with the device's own.
    const int now = context.config ? context.config->threads > 0 ? context.config->threads
                                     : context.device            ? context.device->threads
                                                                 : 0
                                   : 0;
    if (m_facts.onDevice || now <= 0)
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kThreadsUnknown>(),
                     {},
                     base::message<errors::kTraceATrialOfACpu>()};
    const int processors = context.device ? context.device->threads : 0;
    if (change.count == now || (processors > 0 && change.count > processors))
        return Error{ErrorCode::invalidArgument,
                     change.count == now ? base::message<errors::kHasTheseThreads>(now)
                                         : base::message<errors::kFewerProcessors>(processors),
                     {},
                     base::message<errors::kChangesAre>()};
    using analysis::OpClass;
    // By Amdahl's law, a share of the time divides among the threads. Engines run these classes in parallel.
    const double shared =
        std::min(1.0, m_facts.workShare(OpClass::convolution) + m_facts.workShare(OpClass::matrixProduct) +
                          m_facts.workShare(OpClass::attention));
    // Neither estimate of the parallel part is certain: threads that wait for each other keep processors busy, and
    // other programs take processors away. The range has both, and that one thread is all that works.
    double parallel = shared, least = 0, most = shared;
    if (now > 1 && m_facts.processorsBusy) {
        parallel = std::clamp((*m_facts.processorsBusy - 1) / (now - 1), 0.0, 1.0);
        least = std::min(parallel, shared);
        most = std::max(parallel, shared);
    }
    const auto factor = [&](double part) { return (1 - part) + part * now / change.count; };
    Plan plan;
    plan.whole = factor(parallel);
    plan.wholeLeast = std::min(factor(least), factor(most));
    plan.wholeMost = std::max(factor(least), factor(most));
    effect.knob = {"", true, {}, change.count};
    return plan;
}

base::Result<Plan> Planner::setting(const Change& change, ChangeEffect& effect) const
{
    for (const Finding& finding : reportFindings(m_facts).findings)
        if (finding.knob.switchName == change.pattern && finding.knob.value == change.on &&
            finding.shareOf == ShareOf::time && finding.gain.hi > 0) {
            Plan plan;
            plan.whole = 1 - (finding.gain.lo + finding.gain.hi) / 2;
            plan.wholeLeast = 1 - finding.gain.hi;
            plan.wholeMost = 1 - finding.gain.lo;
            effect.subject = finding.rule;
            effect.knob = finding.knob;
            return plan;
        }
    return Error{ErrorCode::invalidArgument,
                 base::message<errors::kNoRulePredicts>(change.text),
                 {},
                 base::message<errors::kVerifyIt>()};
}

base::Result<Plan> Planner::plan(const Change& change, ChangeEffect& effect) const
{
    effect.subject = "what-if " + std::string(toString(change.kind));
    const bool needsDevice = change.kind == ChangeKind::kernels || change.kind == ChangeKind::copies ||
                             change.kind == ChangeKind::graph || change.kind == ChangeKind::streams;
    if (needsDevice && !m_facts.onDevice)
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNothingToChange>(change.text),
                     {},
                     base::message<errors::kChangesAre>()};
    switch (change.kind) {
    case ChangeKind::kernels:
        return kernels(change, effect);
    case ChangeKind::operators:
    case ChangeKind::layers:
        return hostPlaces(change, effect);
    case ChangeKind::copies:
        return copies(change, effect);
    case ChangeKind::graph:
        effect.knob = switchOn(m_facts, {"cuda_graph"}, {});
        return graph(effect);
    case ChangeKind::streams: {
        Plan plan;
        plan.streams = change.count;
        return plan;
    }
    case ChangeKind::host: {
        Plan plan;
        const Interval all = m_facts.onDevice ? m_facts.replay ? m_facts.replay->span() : Interval{} : m_facts.window;
        plan.host.push_back({all, change.factor});
        return plan;
    }
    case ChangeKind::threads:
        return threads(change, effect);
    case ChangeKind::setting:
        break;
    }
    return setting(change, effect);
}

/// Runs plans on the recorded graph.
class Simulator
{
public:
    Simulator(const Facts& facts, const Planner& planner) : m_facts(facts), m_planner(planner) {}

    analysis::Replayed simulate(const Plan& plan) const;
    /// Sets the saved share, its band and the part on the critical path.
    void judge(const Plan& plan, ChangeEffect& effect) const;
    Interval span() const { return m_facts.onDevice ? m_facts.replay->span() : m_facts.window; }
    double replayError() const { return m_facts.onDevice ? std::abs(m_facts.replay->unchangedRatio() - 1) : 0; }

private:
    /// Changed over recorded time of each iteration.
    std::vector<double> ratios(const Plan& plan, const analysis::Replayed& changed) const;
    std::vector<double> deviceRatios(const analysis::Replayed& changed) const;
    std::vector<std::int64_t> endsOfIterations(const analysis::Replayed& replayed) const;
    double leastRatio(const analysis::Replayed& changed) const;

    const Facts& m_facts;
    const Planner& m_planner;
};

analysis::Replayed Simulator::simulate(const Plan& plan) const
{
    std::vector<TimeScale::Part> host = plan.host;
    if (plan.whole != 1 && !m_facts.onDevice)
        host.push_back({m_facts.window, plan.whole});
    TimeScale scale(host);
    if (!m_facts.onDevice) {
        analysis::Replayed replayed;
        replayed.length = scale.length(m_facts.window);
        replayed.host = {{m_facts.window.start, m_facts.window.start}};
        replayed.scale = std::move(scale);
        return replayed;
    }
    analysis::ReplayChange change;
    change.work = [&plan](std::int32_t number) {
        const auto found = plan.work.find(number);
        return found == plan.work.end() ? analysis::WorkChange{} : found->second;
    };
    change.host = std::move(scale);
    change.streams = plan.streams;
    if (plan.streams > 1)
        change.fill = [this](std::int32_t number) {
            const analysis::Work& work = m_facts.index.work[at(number)];
            if (!work.isKernel())
                return 0.0;
            // Waves of blocks over the multiprocessors: less than one leaves room for work of another stream.
            const double waves =
                analysis::estimateOccupancy(m_facts.index.launch(work), m_facts.trace.device(m_facts.device)).waves;
            return waves > 0 ? std::min(1.0, waves) : 1.0;
        };
    return m_facts.replay->simulate(change);
}

/// Returns when each replayed iteration is done: the later of the next one's first call and the end of its work on the
/// device. A faster host launches iterations before the device has reached them, so calls alone do not tell.
std::vector<std::int64_t> Simulator::endsOfIterations(const analysis::Replayed& replayed) const
{
    const auto iterations = m_facts.replay->iterations();
    std::vector<std::int64_t> ends;
    for (std::size_t i = 0; i < iterations.size(); ++i)
        ends.push_back(i + 1 < iterations.size() ? replayed(iterations[i + 1].start) : span().start + replayed.length);
    for (const auto& [number, time] : replayed.work) {
        const std::int32_t call = m_facts.index.work[at(number)].call;
        if (call == kNone)
            continue;
        const std::int64_t launched = m_facts.index.calls[at(call)].time.start;
        const auto after = std::upper_bound(iterations.begin(), iterations.end(), launched,
                                            [](std::int64_t t, const Interval& i) { return t < i.start; });
        if (after != iterations.begin())
            ends[static_cast<std::size_t>(after - iterations.begin()) - 1] =
                std::max(ends[static_cast<std::size_t>(after - iterations.begin()) - 1], time.end);
    }
    for (std::size_t i = 1; i < ends.size(); ++i)
        ends[i] = std::max(ends[i], ends[i - 1]);
    return ends;
}

std::vector<double> Simulator::deviceRatios(const analysis::Replayed& changed) const
{
    const analysis::Replayed unchanged = m_facts.replay->simulate({});
    const std::vector<std::int64_t> ends = endsOfIterations(changed), recorded = endsOfIterations(unchanged);
    const auto iterations = m_facts.replay->iterations();
    std::vector<double> all;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto before =
            static_cast<double>(recorded[i] - (i > 0 ? recorded[i - 1] : unchanged(iterations[0].start)));
        const auto after = static_cast<double>(ends[i] - (i > 0 ? ends[i - 1] : changed(iterations[0].start)));
        if (before > 0)
            all.push_back(after / before);
    }
    return all;
}

/// Returns the changed over the recorded time if the device worked without a pause: no change of the host goes below.
double Simulator::leastRatio(const analysis::Replayed& changed) const
{
    std::vector<Interval> busy;
    for (const auto& [number, time] : changed.work)
        busy.push_back(time);
    return static_cast<double>(analysis::totalLength(analysis::unite(std::move(busy)))) /
           static_cast<double>(std::max<std::int64_t>(1, m_facts.replay->simulate({}).length));
}

std::vector<double> Simulator::ratios(const Plan& plan, const analysis::Replayed& changed) const
{
    if (m_facts.onDevice)
        return deviceRatios(changed);
    std::vector<double> all;
    for (const Interval& iteration : m_facts.steady) {
        double before = static_cast<double>(iteration.length());
        double after = static_cast<double>(changed.scale.length(iteration));
        if (m_planner.recording() > 0) {
            // Operators that go take their recording with them, which `before` must not count as a gain.
            double recorded = 0, left = 0;
            const auto [first, end] = m_facts.forest.busiestThread();
            for (std::int32_t i = first; i < end; ++i) {
                const Interval& time = m_facts.forest.nodes[at(i)].time;
                if (!iteration.contains(time.start))
                    continue;
                recorded += 1;
                // An operator that was removed is not recorded either.
                left += time.length() > 0 && changed.scale.length(time) == 0 ? 0 : 1;
            }
            before -= m_planner.recording() * recorded;
            after -= m_planner.recording() * left * plan.whole;
        }
        if (before > 0)
            all.push_back(std::max(0.0, after / before));
    }
    return all;
}

void Simulator::judge(const Plan& plan, ChangeEffect& effect) const
{
    const analysis::Replayed changed = simulate(plan);
    const std::vector<double> all = ratios(plan, changed);
    if (all.empty())
        return;
    model::Interval ratio = stats::medianInterval(all);
    // Fewer iterations than an interval needs say nothing about how much they vary.
    effect.bandKnown = ratio.confidence > 0;
    double value = ratio.value;
    if (m_facts.onDevice) {
        // The ends of iterations shift against each other on a device; their sum does not.
        const auto unchanged = static_cast<double>(m_facts.replay->simulate({}).length);
        value = plan.whole * static_cast<double>(changed.length) / std::max(1.0, unchanged);
        const double least = leastRatio(changed);
        ratio.lo = plan.wholeLeast * std::max(ratio.lo, least);
        ratio.hi = plan.wholeMost * std::max(ratio.hi, least);
        double removed = 0;
        for (const auto& [number, time] : changed.work) {
            const analysis::Work& work = m_facts.index.work[at(number)];
            removed += static_cast<double>(work.time.length() - time.length());
        }
        // The removed time is only known where nothing else was changed.
        if (removed > 0 && plan.host.empty() && plan.streams == 1)
            effect.onCriticalPath = std::clamp((unchanged - static_cast<double>(changed.length)) / removed, 0.0, 1.0);
    } else {
        ratio.lo *= plan.wholeLeast / plan.whole;
        ratio.hi *= plan.wholeMost / plan.whole;
    }
    effect.saved = 1 - value;
    // Nothing saved has no error: the replay is compared with itself.
    const double error = std::abs(effect.saved) > 0 ? replayError() : 0;
    effect.band = {std::min(effect.saved, 1 - ratio.hi) - error, std::max(effect.saved, 1 - ratio.lo) + error};
    // What makes nothing slower costs nothing, and what makes nothing faster gains nothing.
    if (plan.isOnlyFaster())
        effect.band.lo = std::max(effect.band.lo, std::min(0.0, effect.saved));
    if (plan.isOnlySlower())
        effect.band.hi = std::min(effect.band.hi, std::max(0.0, effect.saved));
    effect.band.hi = std::min(effect.band.hi, 1.0);
}

void addCorrection(const Facts& facts, ChangeEffect& effect)
{
    const RuleRecord* record = facts.context.record ? facts.context.record->find(effect.subject) : nullptr;
    if (record && effect.saved > 0)
        effect.correction = {corrected(effect.band, *record), record->factor, record->bias.value, record->experiments};
}

/// The switch that removes what the changes remove; an empty knob when none does.
Knob knobOf(const Facts& facts, const Change& change)
{
    const bool removesNorms = change.kind == ChangeKind::operators && change.factor == 0 && change.occurrence == 0 &&
                              change.pattern.find("batch_norm") != std::string::npos;
    if (removesNorms && !facts.training)
        return switchOn(facts, {"freeze"}, {});
    return {};
}

} // namespace

model::Interval WhatIfReport::after(const ChangeEffect& effect) const
{
    const Gain& gain = effect.correction ? effect.correction->gain : effect.band;
    const double saved = effect.correction ? (gain.lo + gain.hi) / 2 : effect.saved;
    return {before.value * (1 - saved), before.value * (1 - gain.hi), before.value * (1 - gain.lo),
            effect.bandKnown ? before.confidence : 0};
}

Finding findingOf(const ChangeEffect& effect)
{
    Finding finding;
    finding.rule = effect.subject;
    finding.gain = effect.band;
    finding.share = std::clamp(effect.saved, 0.0, 1.0);
    finding.knob = effect.knob;
    return finding;
}

base::Result<WhatIfReport> whatIf(const Facts& facts, const std::vector<Change>& changes)
{
    if (facts.steady.empty() || facts.window.length() == 0 || (facts.onDevice && !facts.replay))
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNotReplayable>(),
                     {},
                     base::message<errors::kRecordWithCalls>()};
    WhatIfReport report;
    report.verdict = reportFindings(facts).verdict;
    if (analysis::lostKernels(facts.index).areMost())
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNothingToReplay>(report.verdict.sentence),
                     {},
                     base::message<errors::kRecordWithCalls>()};
    const Planner planner(facts);
    const Simulator simulator(facts, planner);
    Plan all;
    for (const Change& change : changes) {
        ChangeEffect& effect = report.effects.emplace_back();
        const auto plan = planner.plan(change, effect);
        if (!plan)
            return plan.error();
        if (effect.knob.switchName.empty() && effect.knob.threads == 0)
            effect.knob = knobOf(facts, change);
        // Events are counted over all iterations, and stated for one.
        effect.events /= static_cast<double>(std::max<std::size_t>(1, facts.steady.size()));
        simulator.judge(*plan, effect);
        addCorrection(facts, effect);
        all.add(*plan);
    }
    if (changes.size() == 1) {
        report.together = report.effects.front();
    } else {
        report.together.subject = "what-if together";
        simulator.judge(all, report.together);
        addCorrection(facts, report.together);
    }
    report.replayError = simulator.replayError();
    report.iterations = static_cast<std::int64_t>(facts.steady.size());
    std::vector<double> lengths;
    for (const Interval& iteration : facts.steady)
        lengths.push_back(static_cast<double>(iteration.length()));
    report.bare = facts.trace.cost.has_value();
    report.before = report.bare ? facts.trace.cost->bareNs : stats::medianInterval(lengths);
    report.verdict = reportFindings(facts).verdict;
    // The verdict is asked again on the changed trace, so that it names the next limit.
    const trace::Trace changed = analysis::changedTrace(facts.index, simulator.simulate(all), simulator.span());
    report.verdictAfter = reportFindings(Facts(changed, facts.context)).verdict;
    return report;
}

} // namespace apertune::advice
