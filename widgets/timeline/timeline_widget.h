// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/time_ruler.h"
#include "core/timeline/timeline_layout.h"
#include "widgets/controls/accessible.h"
#include "widgets/timeline/timeline_keys.h"
#include "widgets/timeline/timeline_painter.h"

#include <QElapsedTimer>
#include <QImage>
#include <QWidget>

#include <optional>

class QScrollBar;

namespace apertune::timeline {

/// A trace over time: overview, ruler, iterations, rows in groups. Self-painted over layOutTimeline; holds only what a
/// user changes by looking around. GUI thread.
///
/// Mouse: wheel zooms at the pointer, Shift+wheel moves in time, Alt+wheel or a wheel over the names scrolls the rows;
/// dragging selects a range on the tracks that it passes (from the ruler: on all), dragging an edge of the range moves
/// it, dragging with the right or middle button moves the picture; a click chooses an event, a double click fits it;
/// the square before a name pins its row, a double click on a name makes its lanes thin. Keys: timelineKeys(). To
/// assistive tools its children are the rows in view and the events that show as boxes.
class TimelineWidget : public QWidget, public controls::PaintedParts
{
    Q_OBJECT
public:
    explicit TimelineWidget(QWidget* parent = nullptr);

    /// Another trace; looks at all of it. nullptr: nothing.
    void setTimeline(timeline::TimelinePtr timeline);
    const timeline::TimelinePtr& timeline() const { return m_timeline; }

    /// Greys everything else; nullptr ends the search.
    void setMatches(timeline::MatchesPtr matches);
    void setArrows(bool on);
    /// Shown instead of those that the trace marks; empty: what the trace marks.
    void setIterations(std::vector<timeline::Iteration> iterations);
    const std::vector<timeline::Iteration>& iterations() const { return timeline::iterationsOf(*m_timeline, m_view); }

    std::optional<trace::TimeRange> selection() const { return m_selection; }
    /// On all tracks.
    void setSelection(std::optional<trace::TimeRange> range);
    /// The rows that the selection is of, in order; empty: all.
    const std::vector<std::uint32_t>& area() const { return m_area; }
    void selectAllTracks() { select(m_selection, {}); }
    /// The selected range on these rows alone, in their order.
    void selectTracks(std::vector<std::uint32_t> rows) { select(m_selection, std::move(rows)); }
    std::optional<timeline::EventRef> chosen() const { return m_view.selected; }
    const std::vector<timeline::EventRef>& partners() const { return m_view.partners; }
    /// Chooses an event and brings it into view.
    void choose(std::optional<timeline::EventRef> event, bool reveal = true);

    timeline::TimeWindow window() const { return m_window; }
    void showWindow(timeline::TimeWindow window);
    void fitAll();
    /// The selected range, else the chosen event, else everything.
    void fitSelection();
    void goBack();
    void goForward();
    bool canGoBack() const { return m_history.canGoBack(); }
    bool canGoForward() const { return m_history.canGoForward(); }
    /// The next match after the chosen event, or after the left edge; wraps around. False without a match.
    bool stepMatch(bool forward);
    void setPinned(std::uint32_t row, bool pinned);
    bool isPinned(std::uint32_t row) const;

    /// As painted now, for tests and for what lies around the picture.
    const timeline::TimelineView& viewNow();
    const timeline::TimelineDrawing& drawingNow();

    int partCount() override;
    Part part(int index) override;
    int currentPart() override;

    QSize sizeHint() const override { return {900, 420}; }
    QSize minimumSizeHint() const override { return {480, 220}; }

Q_SIGNALS:
    void windowChanged();
    void selectionChanged();
    void areaChanged();
    void eventChosen();
    void historyChanged();
    void findRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { none, pressed, select, edge, pan, overview };

    void select(std::optional<trace::TimeRange> range, std::vector<std::uint32_t> rows);
    bool perform(TimelineAction action); ///< false: there was nothing to do it with
    void moveEdge(bool end, bool later);
    void changeTracks(bool more);
    std::vector<std::uint32_t> rowsBetween(double y0, double y1);
    void measure();
    void refresh();
    void setWindow(timeline::TimeWindow window, bool remember);
    void scrollTo(int scroll);
    void placeScrollBar();
    void reveal(timeline::EventRef event);
    void paintSelection(QPainter& painter);
    void paintPointer(QPainter& painter);
    void summarise();
    void clickAt(QPointF at);
    bool clickNames(QPointF at);
    void zoomBy(double factor, double anchor);
    void panByShare(double share);
    bool stepEvent(int positions, int lanes);
    bool stepAlong(int positions);
    void stepIteration(bool forward);
    std::optional<std::uint32_t> groupAtKeys();
    void foldGroups(bool all);
    void toggleThin(std::uint32_t row);
    std::size_t shownBoxes();
    std::optional<std::size_t> selectedBox();
    const timeline::RowBox* rowUnder(QPointF at);
    /// The edge of the selection that does not move when the one at `at` is dragged; nothing when none is there.
    std::optional<std::int64_t> otherEdge(QPointF at) const;
    QString toolTipAt(QPointF at);
    QPointF toPicture(QPointF at) const { return at * m_ratio; }
    double xOnWidget(double time) const { return m_view.xOf(time) / m_ratio; }

    timeline::TimelinePtr m_timeline;
    timeline::MatchesPtr m_matches;
    timeline::TimelineView m_view;
    timeline::TimelineDrawing m_drawing;
    timeline::TimeWindow m_window;
    timeline::ZoomHistory m_history;
    std::vector<timeline::Iteration> m_iterations;
    std::optional<trace::TimeRange> m_selection;
    std::vector<std::uint32_t> m_area;
    TimelinePainter m_painter;
    QImage m_picture;
    QElapsedTimer m_clock;
    QScrollBar* m_bar = nullptr;
    double m_ratio = 1;
    bool m_stale = true;     ///< the drawing is not of the present view
    bool m_unpainted = true; ///< the picture is not of the present drawing
    Drag m_drag = Drag::none;
    QPointF m_pressed;
    std::int64_t m_fixedEdge = 0; ///< while an edge of the selection is dragged
    QPointF m_pointer{-1, -1};
    timeline::TimeWindow m_pressedWindow;
    int m_pressedScroll = 0;
};

} // namespace apertune::timeline
