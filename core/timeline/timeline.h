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

/// An event of a drawing, identified by its row.
struct EventRef
{
    std::uint32_t row = 0;
    std::uint32_t event = 0; ///< index into the columns of the row's series
    auto operator<=>(const EventRef&) const = default;
};

/// One series, drawn as a strip.
struct TimelineRow
{
    std::uint32_t series = 0; ///< index into Trace::series
    trace::TrackId track;
    trace::EventKind kind = trace::EventKind::other;
    std::uint32_t group = 0;
    std::vector<trace::LaneMip> lanes; ///< empty for a curve
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

/// A trace prepared for drawing: rows in groups, each with its mip. It does not change once built, and any thread may
/// read it.
class Timeline
{
public:
    /// Builds the timeline. Returns nullptr when stopped.
    /// Mips are taken from `stored` (one for each series of the trace, in its order). Without it they are built, on as
    /// many threads as the machine has cores.
    /// REQUIRES: `trace` is not null.
    static std::shared_ptr<const Timeline> build(trace::TracePtr trace, std::stop_token stop = {},
                                                 std::vector<trace::SeriesMip> stored = {});

    /// Series of this kind are drawn as a curve, without a SeriesMip: samples and running totals.
    static bool isCurve(trace::EventKind kind);

    const trace::Trace& trace() const { return *m_trace; }
    trace::TracePtr tracePtr() const { return m_trace; }
    const std::vector<TimelineRow>& rows() const { return m_rows; }
    const std::vector<TimelineGroup>& groups() const { return m_groups; }
    const std::vector<Iteration>& iterations() const { return m_iterations; }
    /// Returns the range from first start to last end. It is never empty.
    trace::TimeRange extent() const { return m_extent; }
    /// Returns the busy share (0…255) over the extent, of the most relevant rows: device rows where there are any.
    const std::vector<std::uint8_t>& overview() const { return m_overview; }

    const trace::EventColumns& columns(const TimelineRow& row) const { return m_trace->series[row.series].events; }
    const trace::EventColumns& columns(EventRef event) const { return columns(m_rows[event.row]); }
    trace::TimeRange rangeOf(EventRef event) const;
    std::string_view nameOf(EventRef event) const;
    analysis::WorkClass classOf(const TimelineRow& row, std::uint32_t event) const;
    /// Returns lane and position of an event on its row.
    std::pair<std::size_t, std::size_t> placeOf(EventRef event) const;
    /// Returns the row of a series, or nullopt when no row shows the index.
    std::optional<std::uint32_t> rowOfSeries(std::uint32_t series) const;

    /// Returns at most `limit` events with the same correlation: the kernels of a launch, or the launch of a kernel.
    /// The cost is linear in the events of the rows that it searches.
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
    /// The class of each name plus 1, once it was asked for. It caches a pure function, so the order of the writes does
    /// not matter.
    mutable std::unique_ptr<std::atomic<std::uint8_t>[]> m_workClasses;
    mutable std::unique_ptr<std::atomic<std::uint8_t>[]> m_callClasses;
};
using TimelinePtr = std::shared_ptr<const Timeline>;

} // namespace apertune::timeline
