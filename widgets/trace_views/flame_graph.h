// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/flame_difference.h"
#include "core/timeline/timeline_matches.h"
#include "widgets/controls/accessible.h"
#include "widgets/plots/plot_source.h"

#include <QHash>
#include <QStaticText>
#include <QWidget>

#include <memory>
#include <vector>

namespace apertune::trace_views {

using FlamePtr = std::shared_ptr<const analysis::FlameTree>;

/// Shows operators by stack as an icicle graph: callers are on top, the width is time. It paints the layout of
/// layOutFlame(). A click or Enter zooms, Backspace zooms back, Home shows everything; arrow keys go from box to box.
/// GUI thread.
class FlameGraph : public QWidget, public plots::PlotSource, public controls::PaintedParts
{
    Q_OBJECT
public:
    explicit FlameGraph(QWidget* parent = nullptr);

    /// Replaces the tree; nullptr shows nothing. `trace` has the names. The zoom stays when the new tree has the same
    /// path.
    void setTree(FlamePtr tree, trace::TracePtr trace);
    /// Shows two traces as one tree. The colour of a box shows how much longer (or shorter) it takes in B.
    void setDifference(const std::shared_ptr<const analysis::FlameDifference>& difference);
    const FlamePtr& tree() const { return m_tree; }

    /// Greys the boxes whose names lack a word of `text`. An empty text ends the search.
    void setSearch(const QString& text);
    int matches() const { return m_matchCount; }
    /// Returns the share of all time that is in matches. Time in nested matches counts once.
    double matchedShare() const { return m_matchedShare; }

    std::int32_t focusNode() const { return m_focus; }
    void zoomTo(std::int32_t node);
    std::int32_t currentNode() const { return m_current; }
    void setCurrent(std::int32_t node);

    QString nameOf(std::int32_t node) const;
    /// Returns a text such as "12.3 ms, 34 % of all, 40 calls, …".
    QString factsOf(std::int32_t node) const;
    /// Returns the boxes as painted now, for tests.
    const std::vector<analysis::FlameBox>& boxes() const { return m_boxes; }
    QRect rectOf(const analysis::FlameBox& box) const;

    int partCount() override { return static_cast<int>(m_boxes.size()); }
    Part part(int index) override;
    int currentPart() override;

    void paintPlot(QPainter& painter) const override;
    QString toCsv() const override;
    Point pointAt(QPointF at) const override;
    QPointF selectedAt() const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void zoomed();
    void currentChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;
    QColor fillOf(const analysis::FlameBox& box) const;
    QString changeFacts(std::int32_t node) const;
    void layOut();
    void findMatches();
    void describe();
    const analysis::FlameBox* boxAt(QPointF at) const;
    const analysis::FlameBox* boxOf(std::int32_t node) const;
    void step(int key);
    QString toolTip(const analysis::FlameBox& box) const;
    const QStaticText& label(std::int32_t node, int width) const;

    FlamePtr m_tree;
    trace::TracePtr m_trace;
    std::shared_ptr<const analysis::FlameDifference> m_difference; ///< null: the tree is that of one trace
    double m_largestChange = 0;                                    ///< ns, of the boxes of m_difference
    QStringList m_words;
    std::vector<char> m_matches; ///< flag by node; empty without a search
    int m_matchCount = 0;
    double m_matchedShare = 0;
    std::int32_t m_focus = 0;
    std::int32_t m_current = 0;
    std::int32_t m_hovered = -1;
    std::vector<analysis::FlameBox> m_boxes;
    int m_rows = 1;
    mutable QHash<quint64, QStaticText> m_labels;
};

} // namespace apertune::trace_views
