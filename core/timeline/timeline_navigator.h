// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/time_ruler.h"
#include "core/timeline/timeline_layout.h"
#include "core/timeline/timeline_matches.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace apertune::timeline {

/// A range of time on some rows.
struct TimelineSelection
{
    std::optional<trace::TimeRange> range; ///< nullopt: nothing is selected
    std::vector<std::uint32_t> rows;       ///< in ascending order; empty: all rows
};

/// The parts of the state that one step of a user changed.
struct TimelineChanges
{
    bool window = false;              ///< the visible range, or the position in the history
    bool range = false;               ///< the selected range
    bool rows = false;                ///< the rows of the selection
    bool event = false;               ///< the chosen event
    bool drawing = false;             ///< anything that a drawing shows
    bool chosen = false;              ///< an event was chosen, perhaps the one that was chosen before
    std::optional<EventRef> revealed; ///< the event that has to come into view
};

/// The state of navigation in a timeline: the visible range and its history, the selection, the chosen event, the
/// search, and the rows that are pinned, thin or folded. Pixels are the business of TimelineViewport.
///
/// A step of a user is one or more calls that change the state, then finishStep(). Without a timeline, nothing moves.
/// Thread rule: one thread.
/// REQUIRES: rows, groups and events in arguments are those of the open timeline.
class TimelineNavigator
{
public:
    /// Opens another trace; nullptr closes it. The window shows the iterations when they are less than a third of the
    /// trace (a recording often begins with the loading of the model), otherwise the whole trace. Of the previous state
    /// only setArrows() stays.
    void open(TimelinePtr timeline);
    const TimelinePtr& timeline() const { return m_timeline; }
    /// Shows the events of a search, and greys all others. nullptr ends the search.
    void setMatches(MatchesPtr matches);
    const MatchesPtr& matches() const { return m_matches; }
    /// Shows these iterations instead of those that the trace marks. An empty list shows the latter again.
    void setIterations(std::vector<Iteration> iterations);
    const std::vector<Iteration>& iterations() const;
    /// Shows arrows from launches to kernels.
    void setArrows(bool on);

    /// Ends a step of the user: keeps its window in the history, and returns what changed since the last step.
    /// `now` is in ms of any steady clock; windows that follow each other quickly count as one (ZoomHistory).
    TimelineChanges finishStep(std::int64_t now);

    TimeWindow window() const { return m_window; }
    /// Shows a range of time, limited to what clampWindow() allows.
    void showWindow(TimeWindow window);
    /// Shows a range while a drag lasts. The history does not keep it.
    void dragWindow(TimeWindow window);
    /// Zooms around `anchor` (ns). A factor below 1 zooms in.
    void zoomBy(double factor, double anchor);
    /// Moves by a share of the visible range.
    void panByShare(double share);
    void fitAll();
    /// Fits the selected range, otherwise the chosen event, otherwise everything.
    void fitSelection();
    /// Fits an event with as much room on either side as half its length.
    void fitEvent(EventRef event);
    void goBack();
    void goForward();
    bool canGoBack() const { return m_history.canGoBack(); }
    bool canGoForward() const { return m_history.canGoForward(); }

    const TimelineSelection& selection() const { return m_selection; }
    /// Selects a range on `rows`. An empty range, or none, clears the selection.
    void select(std::optional<trace::TimeRange> range, std::vector<std::uint32_t> rows);
    /// Selects a range on all rows, unless it is selected already.
    void selectRange(std::optional<trace::TimeRange> range);
    void selectWindow();
    void selectChosen();
    /// Moves the begin or the end of the selection by a hundredth of the visible range. Without a selection it starts
    /// from the chosen event, otherwise from the middle of the visible range.
    void moveEdge(bool end, bool later);
    /// Adds the row below the last one of the selection. The first one is that of the chosen event, otherwise the
    /// topmost of `drawing`.
    void addRow(const TimelineDrawing& drawing);
    /// Removes the last row of the selection, but never the only one.
    void removeRow();
    /// Switches the selection between all rows and the first one of addRow().
    void toggleRows(const TimelineDrawing& drawing);

    std::optional<EventRef> chosen() const { return m_chosen; }
    /// The events that belong to the chosen one (Timeline::partnersOf).
    const std::vector<EventRef>& partners() const { return m_partners; }
    /// Chooses an event, or none. `reveal` brings it into view: it unfolds its group, and moves the window to an event
    /// out of view and zooms in on one below a two-thousandth of the window.
    void choose(std::optional<EventRef> event, bool reveal = true);
    /// Chooses the event that is `positions` further on the lane of the chosen one. False when none is chosen.
    bool stepOnLane(int positions);
    /// Chooses the event on the next lane (1) or the previous one (-1) that runs when the chosen event begins. After
    /// the last lane of a row comes the next row. False when none is chosen.
    bool stepToLane(int direction);
    /// Like stepOnLane(). When none is chosen it chooses one near the middle of the visible range, from the topmost row
    /// of `drawing` that has any there.
    void stepAlong(int positions, const TimelineDrawing& drawing);
    void choosePartner();
    /// Chooses the next match after the chosen match, otherwise after the left edge. It wraps around. False when there
    /// is no match.
    bool stepMatch(bool forward);
    /// Selects the next iteration after the selected range, otherwise the first after the left edge. Backwards it is
    /// the previous one, or the last before the right edge. The window moves to it.
    void stepIteration(bool forward);
    /// Clears the choice and the selection. False when there is neither.
    bool clear();

    void setPinned(std::uint32_t row, bool pinned);
    bool isPinned(std::uint32_t row) const;
    /// Draws the lanes of a row thin, without text, or as usual again.
    void toggleThin(std::uint32_t row);
    /// Folds or unfolds a group.
    void toggleGroup(std::uint32_t group);
    /// Folds or unfolds the group of the chosen event, otherwise the topmost of `drawing`; with `all`, every group goes
    /// where this one goes.
    void toggleGroupAtHand(const TimelineDrawing& drawing, bool all);

    /// Returns the view without its geometry. It points to members of this object.
    TimelineView view() const;

private:
    void setWindow(TimeWindow window, bool remember);
    void reveal(EventRef event);
    double middle() const { return (m_window.begin + m_window.end) / 2; }

    TimelinePtr m_timeline;
    MatchesPtr m_matches;
    std::vector<Iteration> m_iterations;
    TimeWindow m_window;
    ZoomHistory m_history;
    bool m_visit = false; ///< the window of this step goes into the history
    TimelineSelection m_selection;
    std::optional<EventRef> m_chosen;
    std::vector<EventRef> m_partners;
    std::vector<char> m_collapsed; ///< one for each group
    std::vector<char> m_thin;      ///< one for each row
    std::vector<std::uint32_t> m_pinned;
    bool m_arrows = true;
    TimelineChanges m_changes;
};

} // namespace apertune::timeline
