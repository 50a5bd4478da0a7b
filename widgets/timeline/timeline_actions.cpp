// SPDX-License-Identifier: GPL-3.0-or-later
// What keys do in a timeline; with the pointer: timeline_input.cpp.
#include "widgets/timeline/timeline_widget.h"

#include <QKeyEvent>

#include <algorithm>

namespace apertune::timeline {

using timeline::EventRef;
using trace::TimeRange;

namespace {

constexpr double kEdgeStep = 0.01; // of the visible time

} // namespace

/// From the chosen event to a neighbour on its lane, or to what runs at the same time on the next lane.
bool TimelineWidget::stepEvent(int positions, int lanes)
{
    if (!m_view.selected)
        return false;
    const EventRef at = *m_view.selected;
    auto [lane, position] = m_timeline->placeOf(at);
    if (positions != 0) {
        const trace::LaneMip& of = m_timeline->rows()[at.row].lanes[lane];
        const auto next = static_cast<std::ptrdiff_t>(position) + positions;
        if (next >= 0 && next < static_cast<std::ptrdiff_t>(of.size))
            choose(EventRef{at.row, of.eventAt(static_cast<std::size_t>(next))});
        return true;
    }
    const TimeRange range = m_timeline->rangeOf(at);
    auto row = static_cast<std::ptrdiff_t>(at.row);
    auto wanted = static_cast<std::ptrdiff_t>(lane) + lanes;
    while (row >= 0 && row < static_cast<std::ptrdiff_t>(m_timeline->rows().size())) {
        const timeline::TimelineRow& of = m_timeline->rows()[static_cast<std::size_t>(row)];
        if (wanted >= 0 && wanted < static_cast<std::ptrdiff_t>(of.lanes.size())) {
            const trace::LaneMip& target = of.lanes[static_cast<std::size_t>(wanted)];
            const std::size_t i = target.firstEndingAfter(m_timeline->columns(of), range.begin);
            choose(EventRef{static_cast<std::uint32_t>(row), target.eventAt(std::min(i, target.size - 1))});
            return true;
        }
        row += lanes;
        if (row >= 0 && row < static_cast<std::ptrdiff_t>(m_timeline->rows().size()))
            wanted =
                lanes > 0
                    ? 0
                    : static_cast<std::ptrdiff_t>(m_timeline->rows()[static_cast<std::size_t>(row)].lanes.size()) - 1;
    }
    return true;
}

void TimelineWidget::moveEdge(bool end, bool later)
{
    TimeRange range = m_selection.value_or(TimeRange{});
    if (!m_selection) { // begins with the event, else in the middle of what is seen
        const auto middle = static_cast<std::int64_t>((m_window.begin + m_window.end) / 2);
        range = m_view.selected ? m_timeline->rangeOf(*m_view.selected) : TimeRange{middle, middle};
    }
    const auto step = std::max<std::int64_t>(1, static_cast<std::int64_t>(m_window.length() * kEdgeStep));
    std::int64_t& edge = end ? range.end : range.begin;
    edge += later ? step : -step;
    if (!range.empty())
        select(range, m_area);
}

void TimelineWidget::changeTracks(bool more)
{
    if (!m_selection)
        return;
    std::vector<std::uint32_t> rows = m_area;
    if (!more) {
        if (rows.size() > 1)
            rows.pop_back();
    } else if (!rows.empty()) {
        if (rows.back() + 1 < m_timeline->rows().size())
            rows.push_back(rows.back() + 1);
    } else if (m_view.selected) {
        rows = {m_view.selected->row};
    } else if (!drawingNow().rows.empty()) {
        rows = {drawingNow().rows.front().row};
    }
    select(m_selection, std::move(rows));
}

/// Without a chosen event the one in the middle of the first row that has any in view.
bool TimelineWidget::stepAlong(int positions)
{
    if (m_view.selected)
        return stepEvent(positions, 0);
    const auto middle = static_cast<std::int64_t>((m_window.begin + m_window.end) / 2);
    for (const timeline::RowBox& box : drawingNow().rows) {
        const timeline::TimelineRow& row = m_timeline->rows()[box.row];
        if (row.isCurve() || row.lanes.front().size == 0)
            continue;
        const trace::LaneMip& lane = row.lanes.front();
        const std::size_t i = lane.firstEndingAfter(m_timeline->columns(row), middle);
        const EventRef event{box.row, lane.eventAt(std::min(i, lane.size - 1))};
        const TimeRange range = m_timeline->rangeOf(event);
        if (static_cast<double>(range.end) < m_window.begin || static_cast<double>(range.begin) > m_window.end)
            continue;
        choose(event);
        return true;
    }
    return false;
}

/// Selects the iteration that begins after what is selected (or before it), else the one at the edge of the picture.
void TimelineWidget::stepIteration(bool forward)
{
    const std::vector<timeline::Iteration>& all = iterations();
    const auto edge = static_cast<std::int64_t>(forward ? m_window.begin : m_window.end);
    const std::int64_t from = m_selection ? m_selection->begin : forward ? edge - 1 : edge;
    const timeline::Iteration* next = nullptr;
    for (const timeline::Iteration& iteration : all) {
        if (forward && iteration.range.begin > from) {
            next = &iteration;
            break;
        }
        if (!forward && iteration.range.begin < from)
            next = &iteration;
    }
    if (!next)
        return;
    const TimeRange range = next->range;
    select(range, m_area);
    if (static_cast<double>(range.begin) < m_window.begin || static_cast<double>(range.end) > m_window.end) {
        const double length = std::max(m_window.length(), static_cast<double>(range.length()) * 1.1);
        const double middle = static_cast<double>(range.begin + range.end) / 2;
        setWindow({middle - length / 2, middle + length / 2}, true);
    }
}

/// The group of the chosen event, else the topmost in view; nothing in a trace without rows.
std::optional<std::uint32_t> TimelineWidget::groupAtKeys()
{
    if (m_view.selected)
        return m_timeline->rows()[m_view.selected->row].group;
    const std::vector<timeline::GroupBox>& groups = drawingNow().groups;
    return groups.empty() ? std::nullopt : std::optional(groups.front().group);
}

void TimelineWidget::foldGroups(bool all)
{
    const std::optional<std::uint32_t> group = groupAtKeys();
    if (!group)
        return;
    const char folded = m_view.collapsed[*group] ? 0 : 1;
    if (all)
        std::fill(m_view.collapsed.begin(), m_view.collapsed.end(), folded);
    else
        m_view.collapsed[*group] = folded;
    refresh();
}

void TimelineWidget::keyPressEvent(QKeyEvent* event)
{
    const std::optional<int> action = m_timeline ? controls::actionOf(timelineKeys(), *event) : std::nullopt;
    if (!action || !perform(static_cast<TimelineAction>(*action)))
        QWidget::keyPressEvent(event);
}

bool TimelineWidget::perform(TimelineAction action)
{
    const bool pointed = m_pointer.x() >= m_view.metrics.labelWidth / m_ratio;
    const double anchor = pointed ? m_view.timeAt(toPicture(m_pointer).x()) : (m_window.begin + m_window.end) / 2;
    const int page = (m_view.height - m_drawing.scrollTop) * 9 / 10;
    const auto stepOrPan = [this](int positions) {
        if (!stepEvent(positions, 0))
            panByShare(0.15 * positions);
    };
    const auto stepOrScroll = [this](int lanes) {
        if (!stepEvent(0, lanes))
            scrollTo(m_view.scroll + lanes * qRound(40 * m_ratio));
    };
    switch (action) {
    case TimelineAction::zoomIn:
        zoomBy(0.75, anchor);
        break;
    case TimelineAction::zoomInFast:
        zoomBy(0.5, anchor);
        break;
    case TimelineAction::zoomOut:
        zoomBy(1 / 0.75, anchor);
        break;
    case TimelineAction::zoomOutFast:
        zoomBy(2, anchor);
        break;
    case TimelineAction::panLeft:
        panByShare(-0.15);
        break;
    case TimelineAction::panLeftFast:
        panByShare(-0.5);
        break;
    case TimelineAction::panRight:
        panByShare(0.15);
        break;
    case TimelineAction::panRightFast:
        panByShare(0.5);
        break;
    case TimelineAction::stepLeft:
        stepOrPan(-1);
        break;
    case TimelineAction::stepRight:
        stepOrPan(1);
        break;
    case TimelineAction::stepUp:
        stepOrScroll(-1);
        break;
    case TimelineAction::stepDown:
        stepOrScroll(1);
        break;
    case TimelineAction::nextEvent:
        stepAlong(1);
        break;
    case TimelineAction::previousEvent:
        stepAlong(-1);
        break;
    case TimelineAction::partner:
        if (!m_view.partners.empty())
            choose(m_view.partners.front());
        break;
    case TimelineAction::nextIteration:
        stepIteration(true);
        break;
    case TimelineAction::previousIteration:
        stepIteration(false);
        break;
    case TimelineAction::foldGroup:
        foldGroups(false);
        break;
    case TimelineAction::foldAll:
        foldGroups(true);
        break;
    case TimelineAction::thinTrack:
        if (m_view.selected)
            toggleThin(m_view.selected->row);
        break;
    case TimelineAction::pageUp:
        scrollTo(m_view.scroll - page);
        break;
    case TimelineAction::pageDown:
        scrollTo(m_view.scroll + page);
        break;
    case TimelineAction::fitAll:
        fitAll();
        break;
    case TimelineAction::fitSelection:
        fitSelection();
        break;
    case TimelineAction::selectEvent:
        if (m_view.selected)
            setSelection(m_timeline->rangeOf(*m_view.selected));
        break;
    case TimelineAction::selectView:
        select(TimeRange{static_cast<std::int64_t>(m_window.begin), static_cast<std::int64_t>(m_window.end)}, m_area);
        break;
    case TimelineAction::beginEarlier:
        moveEdge(false, false);
        break;
    case TimelineAction::beginLater:
        moveEdge(false, true);
        break;
    case TimelineAction::endEarlier:
        moveEdge(true, false);
        break;
    case TimelineAction::endLater:
        moveEdge(true, true);
        break;
    case TimelineAction::fewerTracks:
        changeTracks(false);
        break;
    case TimelineAction::moreTracks:
        changeTracks(true);
        break;
    case TimelineAction::oneTrack:
        if (m_selection && !m_area.empty())
            select(m_selection, {});
        else if (m_selection)
            changeTracks(true);
        break;
    case TimelineAction::nextMatch:
        stepMatch(true);
        break;
    case TimelineAction::previousMatch:
        stepMatch(false);
        break;
    case TimelineAction::pin:
        if (m_view.selected)
            setPinned(m_view.selected->row, !isPinned(m_view.selected->row));
        break;
    case TimelineAction::back:
        goBack();
        break;
    case TimelineAction::forward:
        goForward();
        break;
    case TimelineAction::find:
        Q_EMIT findRequested();
        break;
    case TimelineAction::clear:
        if (!m_view.selected && !m_selection)
            return false;
        choose(std::nullopt);
        setSelection(std::nullopt);
        break;
    }
    return true;
}

} // namespace apertune::timeline
