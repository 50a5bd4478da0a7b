// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/trace_merger.h"

#include <algorithm>

namespace apertune::interchange::chrome {

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
    m_kinetoWords = m_kinetoWords || block.kinetoWords;
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
        d.inputShapes = text(d.inputShapes);
        d.inputTypes = text(d.inputTypes);
        d.module = text(d.module);
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

} // namespace apertune::interchange::chrome
