// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/trace_merger.h"

#include "core/base/text.h"
#include "core/interchange/chrome/reasons.h"
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

TraceMerger::TraceMerger(std::size_t parsers, const FileFacts& facts) : m_facts(facts), m_mappings(parsers)
{
    for (const auto& key : facts.ownTrackOrder)
        m_builder.track(facts.ownTracks.at(key));
}

void TraceMerger::add(std::size_t parser, const ParsedBlock& block, bool keepEvents)
{
    Mapping& mapping = m_mappings[parser];
    mapTables(mapping, block);
    if (!keepEvents)
        return;
    m_kinetoNames = m_kinetoNames || block.kinetoNames;
    m_sameIds += block.sameIds;
    m_differentIds += block.differentIds;
    m_labels.insert(m_labels.end(), block.labels.begin(), block.labels.end());
    for (const CallFact& fact : block.facts)
        // Device work may come before the call that describes it, so the facts are kept until the end.
        m_callFacts[m_correlations.number(fact.correlation)] = fact;
    for (std::size_t i = 0; i < kLossReasons; ++i) {
        const LossCount& lost = block.losses[i];
        LossCount& known = m_losses[i];
        if (lost.count != 0 && lost.first != 0 && (known.first == 0 || lost.first < known.first))
            known.first = lost.first;
        known.count += lost.count;
    }
    for (const auto& [name, times] : block.dropped.all())
        m_dropped.count(name, times);
    for (const RawEvent& raw : block.events) {
        const trace::Event event{{raw.start - m_facts.ownOffset},
                                 {raw.duration},
                                 mapping.texts[raw.name],
                                 m_correlations.number(raw.correlation),
                                 m_links.number(raw.link),
                                 detailOf(mapping, raw),
                                 raw.value,
                                 raw.address};
        const std::uint32_t number = mapping.tracks[raw.track];
        if (m_events++ == 0)
            m_first = m_last = event.start.count;
        m_first = std::min(m_first, event.start.count);
        m_last = std::max(m_last, event.start.count + event.duration.count);
        if (raw.phase == RawPhase::complete)
            append(m_places[number], raw.kind, event);
        else
            addPhase(number, raw, event);
    }
}

void TraceMerger::addLoss(LossReason reason)
{
    m_losses[static_cast<std::size_t>(reason)].uncountable = true;
}

void TraceMerger::mapTables(Mapping& mapping, const ParsedBlock& block)
{
    const auto text = [&mapping](trace::StringId id) { return mapping.texts[id.value]; };
    for (const std::string& t : block.texts)
        mapping.texts.push_back(m_builder.intern(t));
    for (const RawTrack& t : block.tracks)
        mapping.tracks.push_back(placeNumber(t));
    for (const trace::KernelDetail& d : block.kernels)
        mapping.kernels.push_back(m_builder.detail(d));
    for (const trace::CopyDetail& d : block.copies)
        mapping.copies.push_back(m_builder.detail(d));
    for (const trace::SynchronizationDetail& d : block.synchronizations)
        mapping.synchronizations.push_back(m_builder.detail(d));
    for (trace::OperatorDetail d : block.operators) {
        for (trace::StringId* id : {&d.inputShapes, &d.inputStrides, &d.inputTypes, &d.module, &d.collective})
            *id = text(*id);
        mapping.operators.push_back(m_builder.detail(d));
    }
    for (trace::MemoryDetail d : block.memory) {
        d.owner = text(d.owner);
        mapping.memory.push_back(m_builder.detail(d));
    }
    for (trace::NoteDetail d : block.notes) {
        d.note = text(d.note);
        mapping.notes.push_back(m_builder.detail(d));
    }
}

std::uint32_t TraceMerger::detailOf(const Mapping& mapping, const RawEvent& raw) const
{
    if (raw.detail == 0)
        return 0;
    switch (raw.kind) {
    case trace::EventKind::kernel:
    case trace::EventKind::graphLaunch:
        return mapping.kernels[raw.detail];
    case trace::EventKind::copy:
    case trace::EventKind::memset:
        return mapping.copies[raw.detail];
    case trace::EventKind::synchronization:
        return mapping.synchronizations[raw.detail];
    case trace::EventKind::operatorCall:
        return mapping.operators[raw.detail];
    case trace::EventKind::deviceMemory:
    case trace::EventKind::tensorMemory:
        return mapping.memory[raw.detail];
    case trace::EventKind::compilation:
    case trace::EventKind::overhead:
        return mapping.notes[raw.detail];
    case trace::EventKind::counter:
        return raw.detail; // decimals of the sample, until alignCounters()
    default:
        return 0;
    }
}

std::uint32_t TraceMerger::placeNumber(const RawTrack& raw)
{
    const auto [it, added] = m_placeNumbers.try_emplace(raw, static_cast<std::uint32_t>(m_places.size()));
    if (added)
        m_places.push_back({raw, {}, {}, {}, {}, {}});
    return it->second;
}

std::int64_t TraceMerger::syntheticId(const std::string& text)
{
    // Texts get numbers that no operating system uses: -2, -3, …
    const auto [it, added] = m_textIds.try_emplace(text, -2 - static_cast<std::int64_t>(m_textIds.size()));
    return it->second;
}

void TraceMerger::resolve(Place& place, std::int64_t context)
{
    trace::Track track = place.raw.track;
    const auto own = m_facts.ownTracks.find({track.process, track.thread});
    if (m_facts.own && own != m_facts.ownTracks.end()) {
        track = own->second;
    } else {
        track.context = context;
        if (!place.raw.processText.empty())
            track.process = syntheticId("process " + place.raw.processText);
        if (!place.raw.threadText.empty())
            track.thread = syntheticId("thread " + place.raw.threadText);
        if (track.label.empty())
            track.label = !place.raw.threadText.empty() ? place.raw.threadText : place.raw.processText;
    }
    place.id = m_builder.track(track);
    place.resolved = true;
}

trace::EventColumns& TraceMerger::columnsOf(Place& place, trace::EventKind kind)
{
    for (const auto& [known, columns] : place.columns)
        if (known == kind)
            return *columns;
    trace::EventColumns& columns = m_builder.columns(place.id, kind);
    place.columns.emplace_back(kind, &columns);
    return columns;
}

void TraceMerger::append(Place& place, trace::EventKind kind, const trace::Event& event)
{
    if (!place.resolved) {
        const trace::Track& track = place.raw.track;
        // Annotations do not contain the context of their stream, but later kernels may.
        if (!m_facts.own && track.type == trace::TrackType::stream && track.context < 0) {
            place.waiting.emplace_back(kind, event);
            return;
        }
        resolve(place, track.context);
    }
    columnsOf(place, kind).append(event);
}

/// An end has no arguments, so the context of its stream may be unknown. It then belongs to the place where it began.
TraceMerger::Place& TraceMerger::placeOfBegin(Place& place)
{
    const trace::Track& track = place.raw.track;
    if (!place.open.empty() || track.type != trace::TrackType::stream)
        return place;
    const auto began = std::find_if(m_places.begin(), m_places.end(), [&track](const Place& other) {
        const trace::Track& of = other.raw.track;
        return !other.open.empty() && of.type == track.type && of.device == track.device && of.stream == track.stream;
    });
    return began == m_places.end() ? place : *began;
}

void TraceMerger::addPhase(std::uint32_t number, const RawEvent& raw, const trace::Event& event)
{
    Place& place = m_places[number];
    const auto endNow = [&](Place& began, trace::EventKind kind, trace::Event begun) {
        begun.duration = event.start - begun.start;
        if (begun.duration.count < 0)
            m_losses[static_cast<std::size_t>(LossReason::negativeDuration)].add(event.start.count);
        else
            append(began, kind, begun);
    };
    switch (raw.phase) {
    case RawPhase::begin:
        place.open.emplace_back(raw.kind, event);
        return;
    case RawPhase::end: {
        Place& began = placeOfBegin(place);
        if (began.open.empty()) {
            m_losses[static_cast<std::size_t>(LossReason::endWithoutBegin)].add(event.start.count);
            return;
        }
        const auto [kind, begun] = began.open.back();
        began.open.pop_back();
        endNow(began, kind, begun);
        return;
    }
    case RawPhase::asyncBegin: {
        trace::Event begun = event;
        begun.address = 0;
        m_async[raw.address].emplace_back(number, begun);
        return;
    }
    case RawPhase::asyncEnd: {
        const auto at = m_async.find(raw.address);
        if (at == m_async.end()) {
            m_losses[static_cast<std::size_t>(LossReason::endWithoutBegin)].add(event.start.count);
            return;
        }
        // Pairs with the same id nest, so the last begin ends first.
        endNow(place, raw.kind, at->second.back().second);
        at->second.pop_back();
        if (at->second.empty())
            m_async.erase(at);
        return;
    }
    case RawPhase::complete:
        return;
    }
}

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
    if (!facts.own)
        joinDevices();
    head.originMonotonic = facts.head.originMonotonic;
    head.originEpoch = facts.head.originEpoch;
    head.rank = facts.head.rank;
    head.worldSize = facts.head.worldSize;
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

/// On ROCm, work has the number that the driver gave its device, memory and properties the number within the process
/// (2 and 0 may be the same GPU). Where only one device worked and only one other is named elsewhere, they are one.
void TraceMerger::joinDevices()
{
    trace::Trace& head = m_builder.head();
    std::set<std::int64_t> working, holding, described;
    for (const Place& place : m_places)
        for (const auto& [kind, columns] : place.columns)
            if (kind == trace::EventKind::kernel && columns->size() > 0)
                working.insert(head.tracks[place.id.value].device);
    for (const trace::MemoryDetail& memory : head.details.memory)
        if (memory.device >= 0)
            holding.insert(memory.device);
    for (const trace::DeviceProperties& device : head.devices)
        described.insert(device.id);
    if (working.size() != 1)
        return;
    const std::int64_t device = *working.begin();
    const auto isOther = [&](const std::set<std::int64_t>& named) {
        return named.size() == 1 && *named.begin() != device;
    };
    if (isOther(described))
        head.devices.front().id = device;
    if (!isOther(holding))
        return;
    for (trace::MemoryDetail& memory : head.details.memory)
        if (memory.device >= 0)
            memory.device = static_cast<std::int32_t>(device);
    for (trace::Track& track : head.tracks)
        if (track.type == trace::TrackType::counter && track.device == *holding.begin())
            track.device = device;
    m_builder.addLoss({.time = {m_first},
                       .count = 1,
                       .severity = trace::LossSeverity::notice,
                       .reason = base::message<reasons::kJoinedDevices>(*holding.begin(), device)});
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
    auto dropped = m_dropped.all();
    if (dropped.empty())
        return;
    std::stable_sort(dropped.begin(), dropped.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    trace::Loss loss{.severity = trace::LossSeverity::notice};
    std::vector<std::string> names;
    for (const auto& [name, times] : dropped) {
        loss.count += times;
        names.push_back((name.empty() ? "…" : name) + " (" + std::to_string(times) + ")");
    }
    loss.reason = base::message<reasons::kDroppedArguments>(base::join(names));
    loss.time = {m_first};
    m_builder.addLoss(std::move(loss));
}

} // namespace apertune::interchange::chrome
