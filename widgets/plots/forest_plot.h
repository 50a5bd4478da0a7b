// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/measurement.h"
#include "core/stats/block_stats.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace apertune::controls {
class LegendRow;
}

namespace apertune::plots {

class ChartView;

/// One line of a forest plot.
struct ForestRow
{
    qint64 id = 0;
    QString label;
    model::Interval ratio; ///< ratio of times, > 0; above 1: better. Without confidence only the point is drawn.
    stats::Verdict verdict = stats::Verdict::cannotTell;
    QString toolTip;
};

/// Ratios with their intervals, one line each from top to bottom, around 1 on a logarithmic axis. Two times within ±1 %
/// count as the same; that band is shaded. Shape and colour show the verdict. GUI thread.
class ForestPlot : public QWidget
{
    Q_OBJECT
public:
    explicit ForestPlot(QWidget* parent = nullptr);

    void setRows(std::vector<ForestRow> rows);
    /// Selects a row; ChartView::kNone clears the selection.
    void setSelected(qint64 id);
    /// The legend, for the title row of the panel around the plot.
    controls::LegendRow* legend() const { return m_legend; }
    ChartView* chart() const { return m_chart; }

Q_SIGNALS:
    void rowClicked(qint64 id); ///< ChartView::kNone when there is no row

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    int labelStep() const;

    std::vector<ForestRow> m_rows;
    ChartView* m_chart = nullptr;
    controls::LegendRow* m_legend = nullptr;
    int m_step = 1; ///< every m_step-th row has a label
};

} // namespace apertune::plots
