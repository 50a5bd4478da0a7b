// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline_matches.h"
#include "core/timeline/timeline_navigator.h"
#include "core/timeline/timeline_viewport.h"
#include "widgets/controls/accessible.h"
#include "widgets/timeline/timeline_keys.h"
#include "widgets/timeline/timeline_painter.h"
#include "widgets/timeline/timeline_pointer.h"

#include <QElapsedTimer>
#include <QImage>
#include <QWidget>

#include <optional>

class QScrollBar;

namespace apertune::timeline {

/// A trace over time: overview, ruler, iterations, rows in groups. It paints the layout of a TimelineViewport and
/// passes the user's actions to a TimelineNavigator. GUI thread.
///
/// Mouse:
///  - The wheel zooms at the pointer. Shift+wheel moves in time. Alt+wheel, and a wheel over the names, scroll the
///    rows.
///  - A drag selects a range on the tracks that it passes, or on all when it begins on the ruler. A drag of an edge of
///    the range moves the edge. A drag with the right or middle button moves the picture.
///  - A click chooses an event, a double click fits it. A right click requests the menu of an event.
///  - A click on the square before a name pins the row. A double click on a name makes its lanes thin.
///  - A drag of the line between names and tracks changes the width of the names. A double click on it fits the width.
///
/// Keys: timelineKeys(). For assistive tools, its children are TimelineParts.
class TimelineWidget : public QWidget, public controls::PaintedParts
{
    Q_OBJECT
public:
    explicit TimelineWidget(QWidget* parent = nullptr);

    /// Shows a trace from its begin to its end; nullptr clears the view.
    void setTimeline(timeline::TimelinePtr timeline);
    const timeline::TimelinePtr& timeline() const { return m_navigator.timeline(); }

    /// Greys all events that do not match; nullptr ends the search.
    void setMatches(timeline::MatchesPtr matches);
    void setArrows(bool on);
    /// Replaces the iterations that the trace marks; an empty list restores them.
    void setIterations(std::vector<timeline::Iteration> iterations);
    const std::vector<timeline::Iteration>& iterations() const { return m_navigator.iterations(); }

    std::optional<trace::TimeRange> selection() const { return m_navigator.selection().range; }
    /// Selects a range on all tracks; nullopt clears the selection.
    void setSelection(std::optional<trace::TimeRange> range);
    /// Returns the selected rows in order; empty when all are selected.
    const std::vector<std::uint32_t>& area() const { return m_navigator.selection().rows; }
    void selectAllTracks() { selectTracks({}); }
    /// Limits the selected range to these rows, which are in order.
    void selectTracks(std::vector<std::uint32_t> rows);
    std::optional<timeline::EventRef> chosen() const { return m_navigator.chosen(); }
    const std::vector<timeline::EventRef>& partners() const { return m_navigator.partners(); }
    /// Chooses an event and brings it into view.
    void choose(std::optional<timeline::EventRef> event, bool reveal = true);

    timeline::TimeWindow window() const { return m_navigator.window(); }
    void showWindow(timeline::TimeWindow window);
    /// Fits the selected range, otherwise the chosen event, otherwise everything.
    void fitSelection();
    /// Fits the chosen event.
    void fitEvent();
    /// Performs the action of a key of timelineKeys(). Returns false when the action is not possible now.
    bool act(TimelineAction action);
    void goBack();
    void goForward();
    bool canGoBack() const { return m_navigator.canGoBack(); }
    bool canGoForward() const { return m_navigator.canGoForward(); }
    /// Chooses the next match after the chosen event, or after the left edge. It wraps around. Returns false without a
    /// match.
    bool stepMatch(bool forward);
    bool isPinned(std::uint32_t row) const { return m_navigator.isPinned(row); }

    /// Return the view and the drawing as painted now, for tests and for widgets around the picture.
    const timeline::TimelineView& viewNow();
    const timeline::TimelineDrawing& drawingNow();

    int partCount() override;
    Part part(int index) override;
    int currentPart() override;

    QSize sizeHint() const override { return {900, 420}; }
    QSize minimumSizeHint() const override { return {480, 220}; }

Q_SIGNALS:
    void selectionChanged();
    void areaChanged();
    void eventChosen();
    void historyChanged();
    void findRequested();
    /// The user requests the menu of the chosen event.
    void menuRequested(QPoint globalPosition);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void setNamesWidth(std::optional<double> width);
    double namesWidth();
    void finishStep();
    void refresh();
    void measure();
    void placeScrollBar();
    QPointF toPicture(QPointF at) const { return at * m_viewport.ratio(); }

    TimelineNavigator m_navigator;
    TimelineViewport m_viewport;
    TimelinePointer m_pointer{m_navigator, m_viewport};
    TimelinePainter m_painter;
    QImage m_picture;
    bool m_unpainted = true; ///< the picture does not show the present drawing
    QElapsedTimer m_clock;
    QScrollBar* m_bar = nullptr;
    std::optional<double> m_namesWidth; ///< logical pixels that the user chose; nullopt: the width that the names need
    double m_namesNeed = 0;             ///< widthOfNames() at the text size below
    int m_needOfSize = 0;
    QPointF m_pointerAt{-1, -1}; ///< on the widget
};

} // namespace apertune::timeline
