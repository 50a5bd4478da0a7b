// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/forest_plot.h"

#include "widgets/controls/legend_row.h"
#include "widgets/plots/chart_ticks.h"
#include "widgets/plots/chart_view.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace apertune::plots {
namespace {

using stats::Verdict;
constexpr double kIndifference = 0.01; // the default of stats::verdictOf()

struct SeriesStyle
{
    Verdict verdict;
    theme::Shape shape;
    QColor color;
    QString word;
};

std::vector<SeriesStyle> styles()
{
    const theme::Tokens& t = theme::current();
    return {{Verdict::faster, theme::Shape::triangle, t.good, QObject::tr("faster")},
            {Verdict::slower, theme::Shape::square, t.bad, QObject::tr("slower")},
            {Verdict::same, theme::Shape::circle, t.text2, QObject::tr("same")},
            {Verdict::cannotTell, theme::Shape::diamond, t.warn, QObject::tr("cannot tell")}};
}

} // namespace

ForestPlot::ForestPlot(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_chart = new ChartView(this);
    m_legend = new controls::LegendRow(this);
    layout->addWidget(m_chart);
    m_chart->setAccessibleName(tr("Speed-up of each configuration with its interval"));
    m_chart->setToolTipSource([this](qint64 id) {
        const auto row = std::find_if(m_rows.begin(), m_rows.end(), [id](const auto& r) { return r.id == id; });
        return row == m_rows.end() ? QString() : row->toolTip;
    });
    connect(m_chart, &ChartView::pointClicked, this, &ForestPlot::rowClicked);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &ForestPlot::rebuild);
    rebuild();
}

void ForestPlot::setRows(std::vector<ForestRow> rows)
{
    m_rows = std::move(rows);
    rebuild();
}

void ForestPlot::setSelected(qint64 id)
{
    m_chart->setSelected(id);
}

int ForestPlot::labelStep() const
{
    const double room = std::max(1.0, m_chart->height() - 60.0);
    const double perRow = room / std::max<std::size_t>(1, m_rows.size());
    return std::max(1, static_cast<int>(std::ceil(fontMetrics().height() / perRow)));
}

void ForestPlot::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (labelStep() != m_step)
        rebuild();
}

void ForestPlot::rebuild()
{
    const theme::Tokens& t = theme::current();
    m_step = labelStep();
    // The range always shows the zone in which differences do not matter.
    double lo = 1 - 2 * kIndifference;
    double hi = 1 + 2 * kIndifference;
    for (const ForestRow& row : m_rows) {
        const bool known = row.ratio.confidence > 0;
        // An unknown interval has no ends to show.
        lo = std::min(lo, known && row.ratio.lo > 0 ? row.ratio.lo : row.ratio.value);
        hi = std::max(hi, known ? row.ratio.hi : row.ratio.value);
    }
    const AxisRange x = logRange(std::max(lo, 1e-6), hi, 0.06);
    const auto n = static_cast<double>(m_rows.size());
    ChartContent content;
    content.x = {tr("Speed-up of B over A (log)"), true, x.lo, x.hi, {}, true};
    // Near 1 the 1-2-5 steps of a decade give only one or two ticks.
    const std::vector<double> ticks = hi / lo < 3 ? linearTicks(x, 6) : logTicks(x, 8);
    for (const double tick : ticks)
        content.x.ticks.push_back({tick, QStringLiteral("%1×").arg(theme::tickText(tick))});
    content.y = {{}, false, -0.6, std::max(1.0, n) - 0.4, {}, false};
    std::vector<controls::LegendRow::Entry> legend;
    for (const SeriesStyle& style : styles()) {
        ChartSeries series;
        series.name = style.word;
        series.color = style.color;
        series.shape = style.shape;
        series.solid = style.verdict == Verdict::faster || style.verdict == Verdict::slower;
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const ForestRow& row = m_rows[i];
            if (row.verdict != style.verdict)
                continue;
            const bool known = row.ratio.confidence > 0;
            series.x.push_back(row.ratio.value);
            series.xLo.push_back(known ? row.ratio.lo : std::numeric_limits<double>::quiet_NaN());
            series.xHi.push_back(known ? row.ratio.hi : std::numeric_limits<double>::quiet_NaN());
            series.y.push_back(n - 1 - static_cast<double>(i));
            series.ids.push_back(row.id);
            series.labels.push_back(row.label);
        }
        if (!series.x.empty()) {
            legend.push_back({style.word, {style.shape, style.color}});
            content.series.push_back(std::move(series));
        }
    }
    for (std::size_t i = 0; i < m_rows.size(); i += static_cast<std::size_t>(m_step))
        content.y.ticks.push_back({n - 1 - static_cast<double>(i), m_rows[i].label});
    content.bands.push_back({Qt::Vertical, 1 - kIndifference, 1 + kIndifference, t.raised});
    content.rules.push_back({Qt::Vertical, 1, t.text3, false, {}});
    m_chart->setContent(std::move(content));
    m_legend->setEntries(std::move(legend));
    m_chart->setAccessibleDescription(m_rows.empty() ? tr("No cell was measured on both sides.")
                                                     : tr("%1 cells, speed-ups of B over A from %2 to %3.")
                                                           .arg(m_rows.size())
                                                           .arg(theme::number(lo, 3), theme::number(hi, 3)));
}

} // namespace apertune::plots
