// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/trace/chart_tabs.h"

#include "widgets/controls/empty_state.h"
#include "widgets/controls/panel.h"
#include "widgets/plots/plot_actions.h"
#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QStackedLayout>

#include <algorithm>

namespace apertune::gui {

ChartTab::ChartTab(AppContext& context, QWidget* parent) : QWidget(parent), m_context(context)
{
    connect(&context.traces, &TraceSession::reportChanged, this, &ChartTab::refresh);
    connect(&context.traces, &TraceSession::changed, this, &ChartTab::refresh);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &ChartTab::redraw);
}

controls::Panel* ChartTab::makePlot(const QString& title)
{
    m_panel = new controls::Panel(title, this);
    m_legend = new controls::LegendRow(m_panel);
    m_panel->addHeaderWidget(m_legend);
    m_chart = new plots::ChartView(m_panel);
    m_chart->setAccessibleName(title);
    m_chart->setToolTipSource([this](qint64 id) {
        // A point without a text has no tool tip.
        return id >= 0 && id < static_cast<qint64>(m_content.toolTips.size())
                   ? m_content.toolTips[static_cast<std::size_t>(id)]
                   : QString();
    });
    plots::PlotActions::addTo(m_panel, m_chart, m_legend);
    m_panel->body()->addWidget(m_chart, 1);
    return m_panel;
}

void ChartTab::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void ChartTab::refresh()
{
    if (isVisible() && m_context.traces.report() != m_shown)
        redraw();
}

void ChartTab::redraw()
{
    m_shown = isVisible() ? m_context.traces.report() : nullptr;
    if (!m_shown)
        return;
    m_content = makeChart(*m_shown).value_or(TraceChart{});
    m_chart->setSelected(plots::ChartView::kNone);
    m_chart->setContent(m_content.content);
    m_legend->setEntries(m_content.legend);
}

MemoryTab::MemoryTab(AppContext& context, QWidget* parent) : ChartTab(context, parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(makePlot(tr("Memory in use over time")), 5);
    auto* owners = new TableTab(context, tr("Memory"), memoryTable, this);
    layout->addWidget(owners, 6);
    connect(owners, &TableTab::rangeChosen, this, &ChartTab::rangeChosen);
    const auto lead = [this](qint64 id) {
        if (id < 0 || id >= static_cast<qint64>(m_content.times.size()))
            return;
        const std::int64_t time = m_content.times[static_cast<std::size_t>(id)];
        // A point has no width, so a part of the trace around it is shown.
        const std::int64_t around = std::max<std::int64_t>(m_context.traces.timeline()->extent().length() / 200, 1000);
        Q_EMIT rangeChosen({time - around, time + around});
    };
    connect(m_chart, &plots::ChartView::pointClicked, this, lead);
    connect(m_chart, &plots::ChartView::pointActivated, this, lead);
}

std::optional<TraceChart> MemoryTab::makeChart(const TraceReport& report)
{
    const bool some = std::any_of(report.facts.memory.begin(), report.facts.memory.end(),
                                  [](const analysis::MemoryUse& use) { return !use.curve.empty(); });
    m_panel->setVisible(some);
    if (!some)
        return std::nullopt;
    return memoryChart(report, m_context.traces.filter().value_or(m_context.traces.timeline()->extent()));
}

RooflineTab::RooflineTab(AppContext& context, QWidget* parent) : ChartTab(context, parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 4, 0, 0);
    row->setSpacing(12);
    m_left = new QWidget(this);
    m_plotOrWhy = new QStackedLayout(m_left);
    m_plotOrWhy->setContentsMargins(0, 0, 0, 0);
    m_why = new controls::EmptyState(QStringLiteral("trace"), m_left);
    m_plotOrWhy->addWidget(makePlot(tr("Roofline")));
    m_plotOrWhy->addWidget(m_why);
    m_table = new TableTab(context, tr("Roofline"), rooflineTable, this);
    row->addWidget(m_left, 4);
    row->addWidget(m_table, 5);
}

std::optional<TraceChart> RooflineTab::makeChart(const TraceReport& report)
{
    // Without shapes there is no cost. The reason takes the place of the table, so the plot is hidden.
    m_left->setVisible(!report.facts.roofline.empty());
    if (report.facts.roofline.empty())
        return std::nullopt;
    if (!report.facts.context.ceilings.complete()) {
        m_why->setContent(
            tr("The machine's ceilings are not known"),
            tr("A roofline needs to know how fast the machine multiplies and copies. “apertune device ceilings” "
               "measures that once and keeps it in the workspace; tracing a trial does it too. A "
               "recording from elsewhere has no roof: nobody measured its machine. Rates without a "
               "share of it stand beside."));
        m_plotOrWhy->setCurrentWidget(m_why);
        return std::nullopt;
    }
    m_plotOrWhy->setCurrentWidget(m_panel);
    return rooflineChart(report);
}

} // namespace apertune::gui
