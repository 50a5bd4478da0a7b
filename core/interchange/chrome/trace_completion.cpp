// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/trace_merger.h"
#include "core/trace/counter_unit.h"

#include <algorithm>
#include <set>

namespace apertune::interchange::chrome {

namespace {

/// With fewer events the two ids may be equal by chance.
constexpr std::int64_t kFewestIds = 4;

/// Nanoseconds since 1970 in 2001. Recorders that use the wall clock write larger times.
constexpr std::int64_t kWallClock = 1'000'000'000'000'000'000;

/// Every memory event repeats the totals. Only the samples that change them are kept.
void dropRepeated(trace::EventColumns& samples)
{
    samples.sort();
    trace::EventColumns kept;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (i == 0 || samples.value[i] != samples.value[i - 1])
            kept.append(samples.at(i));
    samples = std::move(kept);
}

} // namespace

trace::Trace TraceMerger::finish(const FileFacts& facts)
{
    closeOpen();
    resolveWaiting();
    if (!facts.own) {
        completeFromCalls();
        dropFalseLinks();
        applyLabels();
    }
    alignCounters();
    trace::Trace& head = m_builder.head();
    head.name = facts.head.name;
    head.source = facts.head.source;
    head.recorderVersion = facts.head.recorderVersion;
    head.devices = facts.head.devices;
    head.originMonotonic = facts.head.originMonotonic;
    head.originEpoch = facts.head.originEpoch;
    head.cost = facts.head.cost;
    for (const trace::Loss& loss : facts.head.losses)
        m_builder.addLoss(loss);
    addLosses();
    trace::Trace trace = m_builder.finish(!facts.own);
    if (!facts.own && m_events > 0) {
        std::int64_t epoch = 0;
        if (!__builtin_add_overflow(facts.baseTime, m_first, &epoch) && (facts.baseTime != 0 || epoch >= kWallClock))
            trace.originEpoch = epoch;
    }
    return trace;
}

template <typename Use>
void TraceMerger::forColumns(std::initializer_list<trace::EventKind> kinds, Use use)
{
    for (Place& place : m_places)
        for (auto& [kind, columns] : place.columns)
            if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end())
                use(*columns);
}

/// Each sample has its own number of decimals. All samples of a track get the same one.
void TraceMerger::alignCounters()
{
    std::set<const trace::EventColumns*> done;
    for (Place& place : m_places)
        for (auto& [kind, columns] : place.columns) {
            if (kind != trace::EventKind::counter || !done.insert(columns).second)
                continue;
            std::string& unit = m_builder.head().tracks[place.id.value].unit;
            m_losses[static_cast<std::size_t>(LossReason::roundedSample)].count +=
                trace::alignSamples(*columns, unit, m_facts.own);
            const std::string& label = place.raw.track.label;
            if (!m_facts.own && (label == trace::kAllocatedMemory || label == trace::kReservedMemory))
                dropRepeated(*columns);
        }
}

void TraceMerger::closeOpen()
{
    const auto close = [this](Place& place, trace::EventKind kind, trace::Event event) {
        m_losses[static_cast<std::size_t>(LossReason::neverEnded)].add(event.start.count);
        event.duration = {m_last - event.start.count};
        append(place, kind, event);
    };
    for (Place& place : m_places) {
        for (const auto& [kind, event] : place.open)
            close(place, kind, event);
        place.open.clear();
    }
    // Sorted, so that the same file always gives the same trace.
    std::vector<std::pair<std::uint32_t, trace::Event>> left;
    for (const auto& [key, events] : m_async)
        left.insert(left.end(), events.begin(), events.end());
    std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.first, a.second.start, a.second.name) < std::tuple(b.first, b.second.start, b.second.name);
    });
    for (const auto& [number, event] : left)
        close(m_places[number], trace::EventKind::other, event);
    m_async.clear();
}

void TraceMerger::resolveWaiting()
{
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>> contexts;
    for (const Place& place : m_places)
        if (const trace::Track& t = place.raw.track; place.resolved && t.type == trace::TrackType::stream)
            contexts[{t.device, t.stream}].push_back(t.context);
    for (Place& place : m_places) {
        if (place.waiting.empty())
            continue;
        const auto known = contexts.find({place.raw.track.device, place.raw.track.stream});
        // Only an unambiguous context is taken over.
        resolve(place, known != contexts.end() && known->second.size() == 1 ? known->second.front() : -1);
        for (const auto& [kind, event] : place.waiting)
            columnsOf(place, kind).append(event);
        place.waiting.clear();
        place.waiting.shrink_to_fit();
    }
}

void TraceMerger::completeFromCalls()
{
    std::unordered_map<std::uint32_t, bool> isAsync;
    forColumns({trace::EventKind::copy, trace::EventKind::memset}, [&](const trace::EventColumns& columns) {
        for (const std::uint32_t id : columns.correlation)
            isAsync.emplace(id, false);
    });
    isAsync.erase(0);
    if (!isAsync.empty()) {
        const std::vector<std::string>& strings = m_builder.head().strings;
        std::vector<bool> asyncName(strings.size());
        for (std::size_t i = 0; i < strings.size(); ++i)
            asyncName[i] = strings[i].size() < 64 && strings[i].find("Async") != std::string::npos;
        forColumns({trace::EventKind::runtimeCall, trace::EventKind::driverCall},
                   [&](const trace::EventColumns& columns) {
                       for (std::size_t i = 0; i < columns.correlation.size(); ++i)
                           if (asyncName[columns.name[i]])
                               if (const auto at = isAsync.find(columns.correlation[i]); at != isAsync.end())
                                   at->second = true;
                   });
        forColumns({trace::EventKind::copy, trace::EventKind::memset},
                   [&](trace::EventColumns& columns) { completeCopies(columns, isAsync); });
    }
    if (!m_callFacts.empty())
        forColumns({trace::EventKind::kernel}, [this](trace::EventColumns& columns) { completeKernels(columns); });
}

void TraceMerger::completeCopies(trace::EventColumns& columns, const std::unordered_map<std::uint32_t, bool>& isAsync)
{
    for (std::size_t i = 0; i < columns.correlation.size(); ++i) {
        const std::uint32_t id = columns.correlation[i];
        if (const auto at = isAsync.find(id); at != isAsync.end() && at->second) {
            columns.detail.resize(columns.size());
            trace::CopyDetail detail = m_builder.head().details.copies[columns.detail[i]];
            detail.asynchronous = true;
            columns.detail[i] = m_builder.detail(detail);
        }
        const auto fact = m_callFacts.find(id);
        if (fact == m_callFacts.end() || fact->second.bytes == 0)
            continue;
        columns.value.resize(columns.size());
        if (columns.value[i] == 0)
            columns.value[i] = fact->second.bytes;
    }
}

void TraceMerger::completeKernels(trace::EventColumns& columns)
{
    for (std::size_t i = 0; i < columns.correlation.size(); ++i) {
        const auto fact = m_callFacts.find(columns.correlation[i]);
        if (fact == m_callFacts.end() || fact->second.launch.grid[0] == 0)
            continue;
        columns.detail.resize(columns.size());
        trace::KernelDetail detail = m_builder.head().details.kernels[columns.detail[i]];
        if (detail.grid[0] != 0)
            continue;
        detail.grid = fact->second.launch.grid;
        detail.block = fact->second.launch.block;
        detail.dynamicSharedBytes = std::max(detail.dynamicSharedBytes, fact->second.launch.dynamicSharedBytes);
        columns.detail[i] = m_builder.detail(detail);
    }
}

void TraceMerger::dropFalseLinks()
{
    // Some versions of Kineto write the correlation id as external id of everything except operators. As links they
    // would join calls with unrelated operators.
    if (m_differentIds != 0 || m_sameIds < kFewestIds)
        return;
    forColumns({trace::EventKind::runtimeCall, trace::EventKind::driverCall, trace::EventKind::kernel,
                trace::EventKind::copy, trace::EventKind::memset, trace::EventKind::synchronization,
                trace::EventKind::graphLaunch},
               [](trace::EventColumns& columns) { columns.link.clear(); });
}

void TraceMerger::applyLabels()
{
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> threads;
    std::map<std::int64_t, std::string> processes;
    for (const RawLabel& label : m_labels) {
        const auto id = [this](const char* what, const std::string& text, std::int64_t number) {
            const auto known = m_textIds.find(what + text);
            return text.empty() ? number : known == m_textIds.end() ? -1 : known->second;
        };
        const std::int64_t process = id("process ", label.processText, label.process);
        const std::int64_t thread = id("thread ", label.threadText, label.thread);
        if (label.what == RawLabel::What::processName)
            processes[process] = label.label;
        else
            threads[{process, thread}] = label.label; // the last name wins
    }
    std::vector<trace::Track>& tracks = m_builder.head().tracks;
    for (trace::Track& track : tracks) {
        const bool host = track.type == trace::TrackType::hostThread;
        const auto given = host ? threads.find({track.process, track.thread})
                           : track.type == trace::TrackType::stream || track.type == trace::TrackType::device
                               ? threads.find({track.device, track.stream})
                               : threads.end();
        if (given != threads.end()) {
            track.label = given->second;
            continue;
        }
        if (!track.label.empty())
            continue;
        if (host) {
            const auto process = processes.find(track.process);
            track.label = (process == processes.end() ? std::string("thread") : process->second) + " " +
                          std::to_string(track.thread);
        } else if (track.type == trace::TrackType::stream) {
            track.label = "stream " + std::to_string(track.stream);
        } else if (track.type == trace::TrackType::device) {
            track.label = "device " + std::to_string(track.device);
        } else {
            track.label = "process " + std::to_string(track.process);
        }
    }
    disambiguateCounters(processes);
}

/// Several processes may count something with the same name. Their labels get the process.
void TraceMerger::disambiguateCounters(const std::map<std::int64_t, std::string>& processes)
{
    std::map<std::string, std::set<std::int64_t>> counted;
    std::vector<trace::Track>& tracks = m_builder.head().tracks;
    for (const trace::Track& track : tracks)
        if (track.type == trace::TrackType::counter && track.process != -1)
            counted[track.label].insert(track.process);
    std::map<std::int64_t, std::string> texts; // names of processes without a number
    for (const auto& [text, id] : m_textIds)
        if (text.starts_with("process "))
            texts.emplace(id, text.substr(8));
    for (trace::Track& track : tracks) {
        if (track.type != trace::TrackType::counter || track.process == -1 || counted[track.label].size() < 2)
            continue;
        const auto known = processes.find(track.process);
        const auto text = texts.find(track.process);
        const std::string number = text != texts.end() ? text->second : std::to_string(track.process);
        track.label += " (" + (known == processes.end() ? "process" : known->second) + " " + number + ")";
    }
}

void TraceMerger::addLosses()
{
    if (m_correlations.ambiguous() || m_links.ambiguous())
        addLoss(LossReason::sharedId);
    for (std::size_t i = 0; i < kLossReasons; ++i) {
        const LossCount& lost = m_losses[i];
        if (lost.count == 0 && !lost.uncountable)
            continue;
        trace::Loss loss = lossOf(static_cast<LossReason>(i));
        loss.count = lost.count;
        loss.time = {lost.first == 0 ? m_first : lost.first - m_facts.ownOffset};
        m_builder.addLoss(std::move(loss));
    }
}

} // namespace apertune::interchange::chrome
