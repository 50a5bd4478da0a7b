// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/work_class.h"
#include "core/trace/time_mip.h"
#include "core/trace/time_range.h"
#include "core/trace/trace.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::timeline {

/// An event as a picture names it: by the row it is drawn on.
struct EventRef
{
    std::uint32_t row = 0;
    std::uint32_t event = 0; ///< index into the columns of the row's series
    auto operator<=>(const EventRef&) const = default;
};

/// One series as a strip of the picture.
struct TimelineRow
{
    std::uint32_t series = 0; ///< index into Trace::series
    trace::TrackId track;
    trace::EventKind kind = trace::EventKind::other;
    std::uint32_t group = 0;
    std::vector<trace::LaneMip> lanes; ///< empty on a curve
    trace::CounterMip curve;           ///< values of a counter; running total of memory
    std::vector<std::int64_t> total;   ///< running total of memory after each event; empty for other series
    bool isCurve() const { return lanes.empty(); }
};

enum class GroupType : std::uint8_t { device, process, memory, counters };

struct TimelineGroup
{
    GroupType type = GroupType::process;
    std::int64_t id = -1; ///< device or process number
    std::uint32_t firstRow = 0;
    std::uint32_t rows = 0;
};

/// One pass of the program's loop: a batch, a training step.
struct Iteration
{
    trace::TimeRange range;
    std::string label;
};

/// A trace made ready for drawing: rows in groups, each with its mip. Immutable once built, read from any thread.
class Timeline
{
public:
    /// Mips come from `stored` (one for each series of the trace, in its order) where that is given, and are built on
    /// as many threads as the machine has cores otherwise. nullptr when stopped. REQUIRES: `trace` is not null.
    static std::shared_ptr<const Timeline> build(trace::TracePtr trace, std::stop_token stop = {},
                                                 std::vector<trace::SeriesMip> stored = {});

    /// Series of this kind are drawn as a curve, without a SeriesMip: samples and running totals.
    static bool isCurve(trace::EventKind kind);

    const trace::Trace& trace() const { return *m_trace; }
    trace::TracePtr tracePtr() const { return m_trace; }
    const std::vector<TimelineRow>& rows() const { return m_rows; }
    const std::vector<TimelineGroup>& groups() const { return m_groups; }
    const std::vector<Iteration>& iterations() const { return m_iterations; }
    /// First start to last end; never empty.
    trace::TimeRange extent() const { return m_extent; }
    /// Busy share (0…255) of the rows that matter most, devices where there are any, over the extent.
    const std::vector<std::uint8_t>& overview() const { return m_overview; }

    const trace::EventColumns& columns(const TimelineRow& row) const { return m_trace->series[row.series].events; }
    const trace::EventColumns& columns(EventRef event) const { return columns(m_rows[event.row]); }
    trace::TimeRange rangeOf(EventRef event) const;
    std::string_view nameOf(EventRef event) const;
    analysis::WorkClass classOf(const TimelineRow& row, std::uint32_t event) const;
    /// Lane and position of an event on its row.
    std::pair<std::size_t, std::size_t> placeOf(EventRef event) const;
    /// The row of a series; nullopt for an index that no row shows.
    std::optional<std::uint32_t> rowOfSeries(std::uint32_t series) const;

    /// What an event caused and what caused it, by correlation: the kernels of a launch, the launch of a kernel.
    /// Linear in the events of the rows it looks at; at most `limit`.
    std::vector<EventRef> partnersOf(EventRef event, std::size_t limit = 64) const;

private:
    Timeline() = default;
    void addRows();
    void findIterations();
    void makeOverview();

    trace::TracePtr m_trace;
    std::vector<TimelineRow> m_rows;
    std::vector<TimelineGroup> m_groups;
    std::vector<Iteration> m_iterations;
    std::vector<std::uint8_t> m_overview;
    trace::TimeRange m_extent;
    /// By name: its class + 1 once somebody asked for it. A cache of a pure function, so its order does not matter.
    mutable std::unique_ptr<std::atomic<std::uint8_t>[]> m_workClasses;
    mutable std::unique_ptr<std::atomic<std::uint8_t>[]> m_callClasses;
};
using TimelinePtr = std::shared_ptr<const Timeline>;

/// The events that a search keeps: by row and lane, each with a mip of its own, so that matches are drawn as fast as
/// everything.
struct TimelineMatches
{
    std::string pattern;
    std::vector<char> name;                         ///< 1 at each StringId whose text matches
    std::vector<std::vector<trace::LaneMip>> lanes; ///< as the rows' lanes; a lane without a match has size 0
    std::size_t count = 0;

    /// The match that begins next after `time` (or next before it), in time, then row. nullopt: none on that side.
    std::optional<EventRef> next(const Timeline& timeline, std::int64_t time, bool forward) const;
    /// How many matches begin before `time`.
    std::size_t before(const Timeline& timeline, std::int64_t time) const;
};
using MatchesPtr = std::shared_ptr<const TimelineMatches>;

/// Names that contain `pattern`, whatever their case; words are joined with "and". An empty pattern matches nothing.
/// nullptr when stopped.
MatchesPtr findMatches(const Timeline& timeline, std::string_view pattern, std::stop_token stop = {});

} // namespace apertune::timeline
