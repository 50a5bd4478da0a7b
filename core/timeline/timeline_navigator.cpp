// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline_navigator.h"

#include "core/timeline/timeline_matches.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace apertune::timeline {

using trace::TimeRange;

namespace {

constexpr double kEdgeStep = 0.01; ///< step of an edge, as a share of the visible range

bool isOutside(TimeRange range, TimeWindow window)
{
    return static_cast<double>(range.end) < window.begin || static_cast<double>(range.start) > window.end;
}

constexpr std::int64_t kSmallPart = 3; ///< a trace opens with its iterations when they are less than this part of it

} // namespace

void TimelineNavigator::open(TimelinePtr timeline)
{
    // A user's choice about arrows holds for every trace. All other state belongs to the trace.
    const bool arrows = m_arrows;
    *this = TimelineNavigator();
    m_arrows = arrows;
    m_timeline = std::move(timeline);
    if (m_timeline) {
        m_collapsed.assign(m_timeline->groups().size(), 0);
        m_thin.assign(m_timeline->rows().size(), 0);
        fitAll();
        const auto& iterations = m_timeline->iterations();
        if (!iterations.empty()) {
            const TimeRange marked{iterations.front().range.start, iterations.back().range.end};
            const TimeRange all = m_timeline->extent();
            // A recording that is mostly start-up begins at its iterations, where the interesting part is.
            if (kSmallPart * (marked.end - marked.start) < all.end - all.start)
                showWindow(fitTo(marked, 0.05));
        }
    }
    m_changes.range = m_changes.rows = m_changes.event = m_changes.drawing = true;
}

void TimelineNavigator::setMatches(MatchesPtr matches)
{
    m_matches = std::move(matches);
    m_changes.drawing = true;
}

void TimelineNavigator::setIterations(std::vector<Iteration> iterations)
{
    m_iterations = std::move(iterations);
    m_changes.drawing = true;
}

const std::vector<Iteration>& TimelineNavigator::iterations() const
{
    return m_iterations.empty() && m_timeline ? m_timeline->iterations() : m_iterations;
}

void TimelineNavigator::setArrows(bool on)
{
    m_arrows = on;
    m_changes.drawing = true;
}

TimelineChanges TimelineNavigator::finishStep(std::int64_t now)
{
    if (std::exchange(m_visit, false))
        m_history.visit(m_window, now);
    return std::exchange(m_changes, {});
}

void TimelineNavigator::setWindow(TimeWindow window, bool remember)
{
    if (!m_timeline)
        return;
    m_window = clampWindow(window, m_timeline->extent());
    m_visit = remember;
    m_changes.window = m_changes.drawing = true;
}

void TimelineNavigator::showWindow(TimeWindow window)
{
    setWindow(window, true);
}

void TimelineNavigator::dragWindow(TimeWindow window)
{
    setWindow(window, false);
}

void TimelineNavigator::zoomBy(double factor, double anchor)
{
    showWindow(zoomAt(m_window, anchor, factor));
}

void TimelineNavigator::panByShare(double share)
{
    showWindow(panBy(m_window, m_window.length() * share));
}

void TimelineNavigator::fitAll()
{
    if (m_timeline)
        showWindow(fitTo(m_timeline->extent(), 0.01));
}

void TimelineNavigator::fitSelection()
{
    if (m_selection.range)
        showWindow(fitTo(*m_selection.range, 0.05));
    else if (m_chosen)
        showWindow(fitTo(m_timeline->rangeOf(*m_chosen), 1.5));
    else
        fitAll();
}

void TimelineNavigator::fitEvent(EventRef event)
{
    showWindow(fitTo(m_timeline->rangeOf(event), 0.5));
}

void TimelineNavigator::goBack()
{
    if (const auto window = m_history.back())
        setWindow(*window, false);
}

void TimelineNavigator::goForward()
{
    if (const auto window = m_history.forward())
        setWindow(*window, false);
}

void TimelineNavigator::select(std::optional<TimeRange> range, std::vector<std::uint32_t> rows)
{
    if (range && range->empty())
        range.reset();
    if (!range)
        rows.clear();
    m_changes.range |= m_selection.range != range;
    m_changes.rows |= m_selection.rows != rows;
    m_selection = {range, std::move(rows)};
}

void TimelineNavigator::selectRange(std::optional<TimeRange> range)
{
    if (range && range->empty())
        range.reset();
    if (m_selection.range != range)
        select(range, {});
}

void TimelineNavigator::selectWindow()
{
    if (m_timeline)
        select(TimeRange{static_cast<std::int64_t>(m_window.begin), static_cast<std::int64_t>(m_window.end)},
               m_selection.rows);
}

void TimelineNavigator::selectChosen()
{
    if (m_chosen)
        selectRange(m_timeline->rangeOf(*m_chosen));
}

void TimelineNavigator::moveEdge(bool end, bool later)
{
    if (!m_timeline)
        return;
    const auto start = static_cast<std::int64_t>(middle());
    TimeRange range = m_selection.range ? *m_selection.range
                      : m_chosen        ? m_timeline->rangeOf(*m_chosen)
                                        : TimeRange{start, start};
    const auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(m_window.length() * kEdgeStep));
    std::int64_t& edge = end ? range.end : range.start;
    edge += later ? step : -step;
    // The begin cannot be moved over the end.
    if (!range.empty())
        select(range, m_selection.rows);
}

void TimelineNavigator::addRow(const TimelineDrawing& drawing)
{
    if (!m_timeline || !m_selection.range)
        return;
    std::vector<std::uint32_t> rows = m_selection.rows;
    if (!rows.empty()) {
        if (rows.back() + 1 < m_timeline->rows().size())
            rows.push_back(rows.back() + 1);
    } else if (m_chosen) {
        rows = {m_chosen->row};
    } else if (!drawing.rows.empty()) {
        rows = {drawing.rows.front().row};
    }
    select(m_selection.range, std::move(rows));
}

void TimelineNavigator::removeRow()
{
    std::vector<std::uint32_t> rows = m_selection.rows;
    if (rows.size() > 1)
        rows.pop_back();
    select(m_selection.range, std::move(rows));
}

void TimelineNavigator::toggleRows(const TimelineDrawing& drawing)
{
    if (m_selection.rows.empty())
        addRow(drawing);
    else
        select(m_selection.range, {});
}

void TimelineNavigator::choose(std::optional<EventRef> event, bool revealIt)
{
    if (m_chosen != event) {
        m_chosen = event;
        m_partners = event && m_timeline ? m_timeline->partnersOf(*event) : std::vector<EventRef>();
        m_changes.event = m_changes.drawing = true;
    }
    m_changes.chosen = event.has_value();
    if (event && revealIt)
        reveal(*event);
}

void TimelineNavigator::reveal(EventRef event)
{
    const TimeRange range = m_timeline->rangeOf(event);
    const double length = m_window.length();
    const auto begin = static_cast<double>(range.start);
    const auto end = static_cast<double>(range.end);
    if (isOutside(range, m_window) || begin < m_window.begin - length || end - begin < length / 2000) {
        // Small enough to have company, large enough to be seen.
        const double wanted = std::clamp(length, (end - begin) * 4, std::max((end - begin) * 400, 20'000.0));
        const double centre = (begin + end) / 2;
        showWindow({centre - wanted / 2, centre + wanted / 2});
    }
    // The event's group may be folded.
    m_collapsed[m_timeline->rows()[event.row].group] = 0;
    m_changes.drawing = true;
    m_changes.revealed = event;
}

bool TimelineNavigator::stepOnLane(int positions)
{
    if (!m_chosen)
        return false;
    const auto [lane, position] = m_timeline->placeOf(*m_chosen);
    const trace::LaneMip& of = m_timeline->rows()[m_chosen->row].lanes[lane];
    const auto next = static_cast<std::ptrdiff_t>(position) + positions;
    if (next >= 0 && next < static_cast<std::ptrdiff_t>(of.size))
        choose(EventRef{m_chosen->row, of.eventAt(static_cast<std::size_t>(next))});
    return true;
}

bool TimelineNavigator::stepToLane(int direction)
{
    if (!m_chosen)
        return false;
    const std::vector<TimelineRow>& rows = m_timeline->rows();
    const std::int64_t begin = m_timeline->rangeOf(*m_chosen).start;
    const auto lanesOf = [&](std::ptrdiff_t row) {
        return static_cast<std::ptrdiff_t>(rows[static_cast<std::size_t>(row)].lanes.size());
    };
    auto row = static_cast<std::ptrdiff_t>(m_chosen->row);
    auto lane = static_cast<std::ptrdiff_t>(m_timeline->placeOf(*m_chosen).first) + direction;
    while (lane < 0 || lane >= lanesOf(row)) {
        row += direction;
        if (row < 0 || row >= static_cast<std::ptrdiff_t>(rows.size()))
            return true;
        lane = direction > 0 ? 0 : lanesOf(row) - 1;
    }
    const TimelineRow& of = rows[static_cast<std::size_t>(row)];
    const trace::LaneMip& target = of.lanes[static_cast<std::size_t>(lane)];
    // The event that runs at that time, or the last one of the lane.
    const std::size_t i = target.firstEndingAfter(m_timeline->columns(of), begin);
    choose(EventRef{static_cast<std::uint32_t>(row), target.eventAt(std::min(i, target.size - 1))});
    return true;
}

void TimelineNavigator::stepAlong(int positions, const TimelineDrawing& drawing)
{
    if (stepOnLane(positions))
        return;
    for (const RowBox& box : drawing.rows) {
        const TimelineRow& row = m_timeline->rows()[box.row];
        if (row.isCurve() || row.lanes.front().size == 0)
            continue;
        const trace::LaneMip& lane = row.lanes.front();
        const std::size_t i = lane.firstEndingAfter(m_timeline->columns(row), static_cast<std::int64_t>(middle()));
        const EventRef event{box.row, lane.eventAt(std::min(i, lane.size - 1))};
        if (isOutside(m_timeline->rangeOf(event), m_window))
            continue;
        choose(event);
        return;
    }
}

void TimelineNavigator::choosePartner()
{
    if (!m_partners.empty())
        choose(m_partners.front());
}

bool TimelineNavigator::stepMatch(bool forward)
{
    if (!m_timeline || !m_matches || m_matches->count == 0)
        return false;
    auto from = static_cast<std::int64_t>(m_window.begin);
    if (m_chosen && m_matches->name[m_timeline->columns(*m_chosen).name[m_chosen->event]])
        from = m_timeline->rangeOf(*m_chosen).start;
    std::optional<EventRef> next = m_matches->next(*m_timeline, from, forward);
    // Behind the last match the search goes on from the other end.
    if (!next) {
        const TimeRange whole = m_timeline->extent();
        next = m_matches->next(*m_timeline, forward ? whole.start - 1 : whole.end + 1, forward);
    }
    if (next)
        choose(next);
    return next.has_value();
}

void TimelineNavigator::stepIteration(bool forward)
{
    const auto edge = static_cast<std::int64_t>(forward ? m_window.begin : m_window.end);
    // One less than the edge, so that an iteration that begins with the window is found.
    const std::int64_t from = m_selection.range ? m_selection.range->start : forward ? edge - 1 : edge;
    const Iteration* next = nullptr;
    for (const Iteration& iteration : iterations()) {
        if (forward && iteration.range.start > from) {
            next = &iteration;
            break;
        }
        if (!forward && iteration.range.start < from)
            next = &iteration;
    }
    if (!next)
        return;
    const TimeRange range = next->range;
    select(range, m_selection.rows);
    if (static_cast<double>(range.start) < m_window.begin || static_cast<double>(range.end) > m_window.end) {
        const double length = std::max(m_window.length(), static_cast<double>(range.length()) * 1.1);
        const double centre = static_cast<double>(range.start + range.end) / 2;
        showWindow({centre - length / 2, centre + length / 2});
    }
}

bool TimelineNavigator::clear()
{
    if (!m_chosen && !m_selection.range)
        return false;
    choose(std::nullopt);
    select(std::nullopt, {});
    return true;
}

void TimelineNavigator::setPinned(std::uint32_t row, bool pinned)
{
    const auto at = std::find(m_pinned.begin(), m_pinned.end(), row);
    if (pinned && at == m_pinned.end())
        m_pinned.push_back(row);
    else if (!pinned && at != m_pinned.end())
        m_pinned.erase(at);
    m_changes.drawing = true;
}

bool TimelineNavigator::isPinned(std::uint32_t row) const
{
    return std::find(m_pinned.begin(), m_pinned.end(), row) != m_pinned.end();
}

void TimelineNavigator::toggleThin(std::uint32_t row)
{
    m_thin[row] = m_thin[row] ? 0 : 1;
    m_changes.drawing = true;
}

void TimelineNavigator::toggleGroup(std::uint32_t group)
{
    m_collapsed[group] = m_collapsed[group] ? 0 : 1;
    m_changes.drawing = true;
}

void TimelineNavigator::toggleGroupAtHand(const TimelineDrawing& drawing, bool all)
{
    if (!m_chosen && drawing.groups.empty())
        return;
    const std::uint32_t group = m_chosen ? m_timeline->rows()[m_chosen->row].group : drawing.groups.front().group;
    toggleGroup(group);
    if (all)
        std::fill(m_collapsed.begin(), m_collapsed.end(), m_collapsed[group]);
}

TimelineView TimelineNavigator::view() const
{
    TimelineView view;
    view.collapsed = m_collapsed;
    view.compact = m_thin;
    view.pinned = m_pinned;
    view.matches = m_matches.get();
    view.iterations = m_iterations.empty() ? nullptr : &m_iterations;
    view.selected = m_chosen;
    view.partners = m_partners;
    view.arrows = m_arrows;
    return view;
}

} // namespace apertune::timeline
