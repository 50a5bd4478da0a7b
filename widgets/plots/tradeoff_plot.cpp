// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/tradeoff_plot.h"

#include "widgets/controls/legend_row.h"
#include "widgets/plots/axis_labels.h"
#include "widgets/plots/chart_view.h"
#include "widgets/theme/theme.h"

#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace apertune::plots {
namespace {

struct Extent
{
    double lo = std::numeric_limits<double>::max();
    double hi = std::numeric_limits<double>::lowest();

    void include(const model::Interval& interval)
    {
        const bool known = interval.confidence > 0;
        lo = std::min({lo, interval.value, known && interval.lo > 0 ? interval.lo : interval.value});
        hi = std::max({hi, interval.value, known ? interval.hi : interval.value});
    }
};

void append(ChartSeries& series, const TradeoffPoint& point)
{
    // Values without a confidence, such as a peak of memory or the range of a few samples, are no interval.
    const auto end = [](const model::Interval& interval, double value) {
        return interval.confidence > 0 ? value : std::numeric_limits<double>::quiet_NaN();
    };
    series.x.push_back(point.across.value);
    series.xLo.push_back(end(point.across, point.across.lo));
    series.xHi.push_back(end(point.across, point.across.hi));
    series.y.push_back(point.throughput.value);
    series.yLo.push_back(end(point.throughput, point.throughput.lo));
    series.yHi.push_back(end(point.throughput, point.throughput.hi));
    series.ids.push_back(point.trial.value);
    series.labels.push_back(point.label);
}

/// The points that share a look: a precision, and with several engines also an engine.
struct SeriesStyle
{
    model::Precision precision = model::Precision::fp32;
    std::string engine; ///< empty: all engines
    theme::Marker marker;
    QString name;
};

std::vector<SeriesStyle> stylesOf(const TradeoffData& data)
{
    // A precision has a colour and an engine a shape, so that both can be read at once, also without colours.
    constexpr std::array kShapes{theme::Shape::circle, theme::Shape::diamond, theme::Shape::triangle,
                                 theme::Shape::square, theme::Shape::pentagon};
    std::set<std::string> engines;
    for (const TradeoffPoint& point : data.points)
        engines.insert(point.engine);
    std::vector<SeriesStyle> styles;
    for (const model::Precision precision : model::kAllPrecisions) {
        SeriesStyle style{precision,
                          {},
                          theme::precisionMarker(precision, theme::currentScheme()),
                          theme::toQt(std::string(model::toString(precision)))};
        // With one engine the shape shows the precision too.
        if (engines.size() < 2) {
            styles.push_back(style);
            continue;
        }
        const QString precisionName = style.name;
        std::size_t shape = 0;
        for (const std::string& engine : engines) {
            style.engine = engine;
            style.marker.shape = kShapes[shape++ % kShapes.size()];
            style.name = theme::toQt(engine) + QLatin1Char(' ') + precisionName;
            styles.push_back(style);
        }
    }
    return styles;
}

/// Adds up to three series of one look: outside the goal, inside it, on the front. The front is drawn last and solid.
void appendSeries(ChartContent& content, const TradeoffData& data, const SeriesStyle& style)
{
    const theme::Marker& marker = style.marker;
    ChartSeries outside;
    outside.color = marker.color;
    outside.color.setAlphaF(0.35F);
    outside.shape = marker.shape;
    // Those outside the goal are pale and drawn first, those on the front solid and drawn last, over the others.
    ChartSeries inside = outside;
    inside.color = marker.color;
    inside.name = style.name;
    outside.name = QObject::tr("%1, outside the goal").arg(inside.name);
    ChartSeries front = inside;
    front.name = QObject::tr("%1, best trade-off").arg(inside.name);
    front.solid = true;
    front.size = 10;
    for (const TradeoffPoint& point : data.points)
        if (point.precision == style.precision && (style.engine.empty() || point.engine == style.engine))
            append(point.onFront ? front : point.eligible ? inside : outside, point);
    for (ChartSeries* series : {&outside, &inside, &front})
        if (!series->x.empty())
            content.series.push_back(std::move(*series));
}

ChartSeries frontLine(const TradeoffData& data)
{
    ChartSeries line;
    line.kind = ChartSeries::Kind::step;
    line.name = QObject::tr("best trade-offs");
    line.color = theme::mixed(theme::current().text, theme::current().panel, 0.25);
    line.size = 0;
    std::vector<const TradeoffPoint*> front;
    for (const TradeoffPoint& point : data.points)
        if (point.onFront && data.line)
            front.push_back(&point);
    std::sort(front.begin(), front.end(),
              [](const auto* a, const auto* b) { return a->across.value < b->across.value; });
    std::set<int> groups;
    for (const TradeoffPoint* point : front) {
        // Trials without a difference found between them are one step of the line, and the first of them stands for
        // all.
        if (point->group >= 0 && !groups.insert(point->group).second)
            continue; // a step between them would suggest a difference
        line.x.push_back(point->across.value);
        line.y.push_back(point->throughput.value);
    }
    return line;
}

/// Draws a broad tie under the points of each group of two or more.
std::vector<ChartSeries> groupTies(const TradeoffData& data)
{
    std::map<int, std::vector<const TradeoffPoint*>> groups;
    for (const TradeoffPoint& point : data.points)
        if (point.onFront && point.group >= 0)
            groups[point.group].push_back(&point);
    std::vector<ChartSeries> ties;
    for (auto& [group, points] : groups) {
        if (points.size() < 2)
            continue;
        std::sort(points.begin(), points.end(),
                  [](const auto* a, const auto* b) { return a->across.value < b->across.value; });
        ChartSeries& tie = ties.emplace_back();
        tie.kind = ChartSeries::Kind::line;
        tie.name = QObject::tr("no difference found");
        tie.color = theme::mixed(theme::current().text, theme::current().panel, 0.75);
        tie.size = 0;
        // As wide as a marker, so that the line encloses the points like a ribbon.
        tie.lineWidth = 16;
        for (const TradeoffPoint* point : points) {
            tie.x.push_back(point->across.value);
            tie.y.push_back(point->throughput.value);
            tie.labels.push_back(point->label);
        }
    }
    return ties;
}

} // namespace

TradeoffPlot::TradeoffPlot(QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_chart = new ChartView(this);
    m_legend = new controls::LegendRow(this);
    layout->addWidget(m_chart);
    // Points have the number of their trial, from which the chart knows nothing else.
    m_chart->setToolTipSource([this](qint64 id) {
        for (const TradeoffPoint& point : m_data.points)
            if (point.trial.value == id)
                return point.toolTip;
        return QString();
    });
    m_chart->setCommandSource([this](qint64 id) {
        return m_data.command && id != ChartView::kNone ? m_data.command(model::TrialId{id}) : QString();
    });
    const auto toTrial = [](qint64 id) { return model::TrialId{id == ChartView::kNone ? 0 : id}; };
    connect(m_chart, &ChartView::pointClicked, this, [this, toTrial](qint64 id) { Q_EMIT trialClicked(toTrial(id)); });
    connect(m_chart, &ChartView::pointActivated, this,
            [this, toTrial](qint64 id) { Q_EMIT trialActivated(toTrial(id)); });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &TradeoffPlot::rebuild);
    rebuild();
}

void TradeoffPlot::setData(TradeoffData content)
{
    m_data = std::move(content);
    rebuild();
}

void TradeoffPlot::setSelected(model::TrialId trial)
{
    m_chart->setSelected(trial ? trial.value : ChartView::kNone);
}

void TradeoffPlot::rebuild()
{
    ChartContent content;
    Extent across;
    Extent throughput;
    const TradeoffPoint* best = nullptr;
    int onFront = 0;
    for (const TradeoffPoint& point : m_data.points) {
        across.include(point.across);
        throughput.include(point.throughput);
        best = point.recommended ? &point : best;
        onFront += point.onFront ? 1 : 0;
    }
    const bool empty = m_data.points.empty();
    // Latency spans orders of magnitude, so its axis is logarithmic; without points it has any range that draws.
    const AxisRange x = empty ? AxisRange{1, 100} : logRange(across.lo, across.hi, 0.08);
    AxisRange y = empty ? AxisRange{0, 1} : linearRange(0, throughput.hi, true, 0.12);
    if (throughput.lo < 0.03 * y.hi)
        y.lo = -0.03 * y.hi; // so that a marker near 0 is not cut
    content.x = {m_data.overMemory ? tr("Peak memory (MiB, log)") : tr("Latency of one pass, median (ms, log)"),
                 true,
                 x.lo,
                 x.hi,
                 labelled(logTicks(x, 10)),
                 true};
    content.y = {tr("Throughput (%1)").arg(m_data.throughputUnit),
                 false,
                 y.lo,
                 y.hi,
                 empty ? std::vector<ChartAxis::Tick>{} : labelled(linearTicks(y, 6)),
                 true};
    std::vector<controls::LegendRow::Entry> legend;
    std::vector<ChartSeries> ties = groupTies(m_data);
    const std::optional<QColor> tieColor = ties.empty() ? std::nullopt : std::optional(ties.front().color);
    // Ribbons lie below, the front's line above them, markers on top.
    std::move(ties.begin(), ties.end(), std::back_inserter(content.series));
    ChartSeries line = frontLine(m_data);
    const bool hasFront = !line.x.empty();
    const QColor lineColor = line.color;
    if (hasFront)
        content.series.push_back(std::move(line));
    for (const SeriesStyle& style : stylesOf(m_data)) {
        const std::size_t before = content.series.size();
        appendSeries(content, m_data, style);
        if (content.series.size() > before)
            legend.push_back({style.name, style.marker});
    }
    if (hasFront)
        legend.push_back({tr("best trade-offs"), {theme::Shape::circle, lineColor}, true});
    if (tieColor)
        legend.push_back({tr("no difference found"), {theme::Shape::circle, *tieColor}, true});
    // A bound outside the axis would lie on the frame.
    if (m_data.most && *m_data.most > x.lo && *m_data.most < x.hi) {
        const QString bound = m_data.overMemory ? tr("goal ≤ %1 MiB") : tr("goal ≤ %1 ms");
        content.rules.push_back(
            {Qt::Vertical, *m_data.most, theme::current().warn, true, bound.arg(theme::number(*m_data.most, 3))});
    }
    if (empty) {
        content.x.ticks.clear(); // an axis without points shows no numbers
        content.notes.push_back({10, 0.5, tr("No measured trials"), theme::current().text2});
    }
    if (best) {
        content.notes.push_back(
            {best->across.value, best->throughput.value, tr("✔ %1").arg(best->label), theme::current().text});
    }
    m_chart->setAccessibleName(m_data.overMemory ? tr("Trade-off plot: throughput against peak memory")
                                                 : tr("Trade-off plot: throughput against latency"));
    m_chart->setContent(std::move(content));
    m_legend->setEntries(std::move(legend));
    QString description =
        empty
            ? tr("No measured configuration yet.")
            : (m_data.overMemory
                   ? tr("%1 configurations, %2 of them best trade-offs. Memory %3 to %4 MiB, throughput up to %5 %6.")
                   : tr("%1 configurations, %2 of them best trade-offs. Latency %3 to %4 ms, throughput up to %5 %6."))
                  .arg(m_data.points.size())
                  .arg(onFront)
                  .arg(theme::number(across.lo, 3), theme::number(across.hi, 3), theme::number(throughput.hi, 4),
                       m_data.throughputUnit);
    if (best)
        description += QLatin1Char(' ') + tr("Recommended: %1.").arg(best->label);
    m_chart->setAccessibleDescription(description);
}

} // namespace apertune::plots
