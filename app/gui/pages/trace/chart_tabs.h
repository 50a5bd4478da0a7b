// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/pages/trace/table_tab.h"
#include "app/gui/presenters/trace_charts.h"

#include <QWidget>

class QStackedLayout;

namespace apertune::controls {
class Panel;
}

namespace apertune::gui {

/// A tab of the trace page with a plot, and a table of the same data below or beside it. Both are updated with the
/// report while they are visible. GUI thread.
class ChartTab : public QWidget
{
    Q_OBJECT
public:
    ChartTab(AppContext& context, QWidget* parent);

    plots::ChartView* chart() const { return m_chart; }

Q_SIGNALS:
    void rangeChosen(apertune::trace::TimeRange range);

protected:
    /// The plot of the report; nullopt: there is nothing to draw, so the plot is hidden or replaced by the reason.
    virtual std::optional<TraceChart> makeChart(const TraceReport& report) = 0;
    void showEvent(QShowEvent* event) override;
    controls::Panel* makePlot(const QString& title);
    void redraw();

    AppContext& m_context;
    TraceChart m_content;
    plots::ChartView* m_chart = nullptr;
    controls::Panel* m_panel = nullptr;
    controls::LegendRow* m_legend = nullptr;

private:
    void refresh();

    TraceReportPtr m_shown;
};

/// Bytes in use over time, and their owners at the peak. A click leads to the instant in the timeline.
class MemoryTab final : public ChartTab
{
    Q_OBJECT
public:
    MemoryTab(AppContext& context, QWidget* parent);

protected:
    std::optional<TraceChart> makeChart(const TraceReport& report) override;
};

/// The rates that operators reach, against the machine's ceilings, with the table of the same points beside the plot.
class RooflineTab final : public ChartTab
{
    Q_OBJECT
public:
    RooflineTab(AppContext& context, QWidget* parent);

protected:
    std::optional<TraceChart> makeChart(const TraceReport& report) override;

private:
    QStackedLayout* m_plotOrWhy = nullptr;
    controls::EmptyState* m_why = nullptr;
    TableTab* m_table = nullptr;
    QWidget* m_left = nullptr;
};

} // namespace apertune::gui
