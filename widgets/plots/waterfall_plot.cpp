// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/waterfall_plot.h"

#include "widgets/plots/chart_ticks.h"
#include "widgets/plots/chart_view.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace apertune::plots {
namespace {

constexpr double kAxisHeight = 62;  // px below the bars: tick labels and title
constexpr double kRowHeight = 1.45; // in lines of text
constexpr int kMargins = 40;        // px beside the bars and between them and the numbers
constexpr double kBarsLeast = 0.45; // smallest share of the width that the bars have beside their numbers

/// One bar of the drawing.
struct WaterfallBar
{
    QString label;
    QString value;
    QString brief;
    double from = 0;
    double to = 0;
    bool whole = false;
};

ChartSeries seriesOf(const QString& name, const QColor& color)
{
    ChartSeries series;
    series.kind = ChartSeries::Kind::spans;
    series.name = name;
    series.color = color;
    series.lineWidth = 0.6;
    return series;
}

} // namespace

WaterfallPlot::WaterfallPlot(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_chart = new ChartView(this);
    layout->addWidget(m_chart);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &WaterfallPlot::rebuild);
}

void WaterfallPlot::setWaterfall(Waterfall waterfall, const QString& moreLabel)
{
    m_waterfall = std::move(waterfall);
    m_moreLabel = moreLabel;
    rebuild();
}

/// Returns how many bars have room between the one of the first number and that of the second.
std::size_t WaterfallPlot::roomForSteps() const
{
    const double rows = (height() - kAxisHeight) / (kRowHeight * fontMetrics().height());
    return static_cast<std::size_t>(std::max(3.0, rows - 2));
}

void WaterfallPlot::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!m_waterfall.steps.empty())
        rebuild();
}

/// Returns the width in px of the bars with their numbers.
int WaterfallPlot::roomForBars() const
{
    int names =
        std::max(fontMetrics().horizontalAdvance(m_waterfall.from), fontMetrics().horizontalAdvance(m_waterfall.to));
    for (std::size_t i = 0; i < m_shown; ++i)
        names = std::max(names, fontMetrics().horizontalAdvance(m_waterfall.steps[i].label));
    return std::max(1, width() - names - kMargins);
}

void WaterfallPlot::rebuild()
{
    const std::size_t rows = roomForSteps();
    const bool more = m_waterfall.steps.size() > rows;
    m_shown = more ? rows - 1 : m_waterfall.steps.size();
    double level = m_waterfall.start;
    std::vector<WaterfallBar> bars{{m_waterfall.from, m_waterfall.fromText, m_waterfall.fromText, 0, level, true}};
    for (std::size_t i = 0; i < m_shown; ++i) {
        const WaterfallStep& step = m_waterfall.steps[i];
        bars.push_back({step.label, step.value, step.brief, level, level + step.change, false});
        level += step.change;
    }
    if (more) {
        // The rest is the difference to the end, so that the last bar meets it whatever was left out.
        const double rest = m_waterfall.end - level;
        const QString text = (rest < 0 ? QChar(0x2212) : QLatin1Char('+')) + theme::number(std::abs(rest), 3);
        bars.push_back(
            {m_moreLabel.arg(m_waterfall.steps.size() - m_shown), text, text, level, m_waterfall.end, false});
    }
    bars.push_back({m_waterfall.to, m_waterfall.toText, m_waterfall.toText, 0, m_waterfall.end, true});
    const auto widest = [&](QString WaterfallBar::*text) {
        int most = 0;
        for (const WaterfallBar& bar : bars)
            most = std::max(most, fontMetrics().horizontalAdvance(bar.*text));
        return most + kMargins / 2;
    };
    const int room = roomForBars();
    const bool brief = widest(&WaterfallBar::value) > (1 - kBarsLeast) * room;
    const QString WaterfallBar::*const shownText = brief ? &WaterfallBar::brief : &WaterfallBar::value;
    const double numbers = std::min(0.8, widest(brief ? &WaterfallBar::brief : &WaterfallBar::value) / double(room));

    double lo = bars.front().to;
    double hi = bars.front().to;
    for (const WaterfallBar& bar : bars) {
        lo = std::min({lo, bar.to, bar.whole ? lo : bar.from});
        hi = std::max({hi, bar.to, bar.from});
    }
    // Steps that are small beside the numbers need an axis that does not begin at 0.
    const double span = std::max(hi - lo, std::max(hi, 1e-9) * 1e-3);
    const double begin = lo < 2 * span ? 0 : lo - 0.3 * span;
    ChartContent content;
    content.x = {m_waterfall.unit, false, begin, hi + numbers / (1 - numbers) * (hi - begin), {}, true};
    for (const double tick : linearTicks({content.x.lo, content.x.hi}, 6))
        content.x.ticks.push_back({tick, theme::tickText(tick)});
    const auto n = static_cast<double>(bars.size());
    content.y = {{}, false, -0.6, n - 0.4, {}, false};
    const theme::Tokens& t = theme::current();
    content.series = {seriesOf(tr("whole"), t.text2), seriesOf(tr("saved"), t.good), seriesOf(tr("added"), t.bad)};
    QStringList spoken;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const WaterfallBar& bar = bars[i];
        // The chart's axis grows upwards, and the steps read from top to bottom.
        const double y = n - 1 - static_cast<double>(i);
        // Bars begin at the axis where it does not begin at 0.
        const double from = std::max(bar.from, begin);
        ChartSeries& series = content.series[bar.whole ? 0 : bar.to < bar.from ? 1 : 2];
        series.x.push_back(bar.to);
        series.y.push_back(y);
        series.xLo.push_back(std::min(from, bar.to));
        series.xHi.push_back(std::max(from, bar.to));
        series.ids.push_back(static_cast<qint64>(i));
        series.labels.push_back(bar.label);
        content.y.ticks.push_back({y, bar.label});
        content.notes.push_back({std::max(from, bar.to), y, bar.*shownText, t.text2, true});
        spoken << QStringLiteral("%1 %2").arg(bar.label, bar.value);
    }
    m_chart->setToolTipSource([spoken](qint64 id) { return spoken.value(id); });
    m_chart->setContent(std::move(content));
    m_chart->setAccessibleDescription(spoken.join(QStringLiteral("; ")));
}

} // namespace apertune::plots
