// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/what_if_plan.h"

#include "core/advice/errors.h"
#include "core/advice/name_pattern.h"
#include "core/advice/rule_parts.h"
#include "core/advice/verdict.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace apertune::advice {

using analysis::kNone;
using analysis::OperatorNode;
using base::Error;
using base::ErrorCode;
using trace::CopyDirection;
using trace::TimeRange;

namespace {

std::size_t at(std::int32_t number)
{
    return static_cast<std::size_t>(number);
}

} // namespace

std::int64_t Planner::recordsIn(TimeRange time) const
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
    for (const TimeRange& iteration : m_facts.steady)
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
std::vector<Planner::Place> Planner::outermost(std::vector<Place> all, int occurrence) const
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
    for (const TimeRange& calls : m_facts.calls) {
        int seen = 0;
        for (const Place& place : kept)
            if (calls.contains(place.time.start) && ++seen == occurrence)
                chosen.push_back(place);
    }
    return chosen;
}

base::Result<std::vector<Planner::Place>> Planner::places(const Change& change) const
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
                const TimeRange time{series.events.start[i], series.events.end(i)};
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
            std::ranges::find_if(m_facts.steady, [&](const TimeRange& time) { return time.contains(work.time.start); });
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
    std::unordered_map<std::uint32_t, std::vector<TimeRange>> byTrack;
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
        return track != byTrack.end() && std::ranges::any_of(track->second, [&](const TimeRange& time) {
                   return time.contains(call.time.start);
               });
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
    constexpr double kPinnedGuess = 0.6; // share of the time that remains where the link's rates were not measured
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
    for (const TimeRange& iteration : m_facts.calls) {
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
        const TimeRange all = m_facts.onDevice ? m_facts.replay ? m_facts.replay->span() : TimeRange{} : m_facts.window;
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

} // namespace apertune::advice
