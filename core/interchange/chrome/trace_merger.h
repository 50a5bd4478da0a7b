// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/interchange/chrome/detail_hash.h"
#include "core/interchange/chrome/file_facts.h"
#include "core/interchange/chrome/parsed_block.h"
#include "core/trace/trace_builder.h"
#include "core/trace/wide_ids.h"

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace apertune::interchange::chrome {

/// Merges the blocks of all parsers into one trace.
/// Threads: one.
/// REQUIRES: the blocks come in the order of the file.
class TraceMerger
{
public:
    /// REQUIRES: `facts` outlives this object.
    TraceMerger(std::size_t parsers, const FileFacts& facts);

    /// Adds the texts, tracks and details that are new in a block, and its events only with `keepEvents`.
    void add(std::size_t parser, const ParsedBlock& block, bool keepEvents);
    /// Adds a loss of unknown size.
    void addLoss(LossReason reason);
    std::size_t eventCount() const { return m_events; }
    bool kinetoNames() const { return m_kinetoNames; }

    /// Returns the trace. `facts` now also holds the members that follow the events.
    trace::Trace finish(const FileFacts& facts);

private:
    /// Maps the numbers of a parser to the numbers of the trace.
    struct Mapping
    {
        std::vector<trace::StringId> texts{1};
        std::vector<std::uint32_t> tracks{0}; ///< indices into m_places
        std::vector<std::uint32_t> kernels{0}, copies{0}, synchronizations{0}, operators{0}, memory{0}, notes{0};
    };
    /// A track with events, and the columns for each kind of them.
    struct Place
    {
        RawTrack raw;
        bool resolved = false;
        trace::TrackId id;
        std::vector<std::pair<trace::EventKind, trace::EventColumns*>> columns;
        std::vector<std::pair<trace::EventKind, trace::Event>> open; ///< ranges that began, innermost last
        std::vector<std::pair<trace::EventKind, trace::Event>>
            waiting; ///< events until the context of their stream is known
    };

    void mapTables(Mapping& mapping, const ParsedBlock& block);
    std::uint32_t placeNumber(const RawTrack& track);
    void resolve(Place& place, std::int64_t context);
    trace::EventColumns& columnsOf(Place& place, trace::EventKind kind);
    void append(Place& place, trace::EventKind kind, const trace::Event& event);
    Place& placeOfBegin(Place& place);
    void addPhase(std::uint32_t place, const RawEvent& raw, const trace::Event& event);
    std::uint32_t detailOf(const Mapping& mapping, const RawEvent& raw) const;
    std::int64_t syntheticId(const std::string& text);
    template <typename Use>
    void forColumns(std::initializer_list<trace::EventKind> kinds, Use use);
    void closeOpen();
    void resolveWaiting();
    void completeFromCalls();
    void completeCopies(trace::EventColumns& columns, const std::unordered_map<std::uint32_t, bool>& isAsync);
    void completeKernels(trace::EventColumns& columns);
    void dropFalseLinks();
    void alignCounters();
    void joinDevices();
    void applyLabels();
    void disambiguateCounters(const std::map<std::int64_t, std::string>& processes);
    void addLosses();

    const FileFacts& m_facts;
    trace::TraceBuilder m_builder;
    std::vector<Mapping> m_mappings;
    std::deque<Place> m_places;
    std::unordered_map<RawTrack, std::uint32_t, DetailHash> m_placeNumbers;
    std::map<std::string, std::int64_t> m_textIds;
    std::unordered_map<std::uint64_t, std::vector<std::pair<std::uint32_t, trace::Event>>> m_async;
    std::vector<RawLabel> m_labels;
    trace::WideIds m_correlations;
    trace::WideIds m_links;
    std::unordered_map<std::uint32_t, CallFact> m_callFacts;
    std::array<LossCount, kLossReasons> m_losses{};
    NameCounts m_dropped;
    std::size_t m_events = 0;
    std::int64_t m_first = 0;
    std::int64_t m_last = 0;
    std::int64_t m_sameIds = 0;
    std::int64_t m_differentIds = 0;
    bool m_kinetoNames = false;
};

} // namespace apertune::interchange::chrome
