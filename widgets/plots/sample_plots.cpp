// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/sample_plots.h"

#include "widgets/plots/axis_labels.h"
#include "widgets/plots/chart_view.h"
#include "widgets/plots/histogram.h"
#include "widgets/theme/theme.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace apertune::plots {
namespace {

ChartView* addChart(QWidget* owner, const QString& name)
{
    auto* layout = new QVBoxLayout(owner);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* chart = new ChartView(owner);
    chart->setAccessibleName(name);
    layout->addWidget(chart);
    return chart;
}

QColor softAccent()
{
    return theme::mixed(theme::current().panel, theme::current().accent, 0.65);
}

} // namespace

DistributionPlot::DistributionPlot(QWidget* parent)
    : QWidget(parent), m_chart(addChart(this, tr("Distribution of the time of one pass")))
{
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &DistributionPlot::rebuild);
}

void DistributionPlot::setMeasurement(const model::Measurement& measurement)
{
    m_ms.clear();
    m_ms.reserve(measurement.iterations.size());
    for (const base::Nanoseconds pass : measurement.iterations)
        m_ms.push_back(pass.milliseconds());
    m_medianMs = measurement.p50Ns ? *measurement.p50Ns * 1e-6 : measurement.latencyNs.value * 1e-6;
    m_p90 = measurement.p90Ns ? std::optional(*measurement.p90Ns * 1e-6) : std::nullopt;
    m_p99 = measurement.p99Ns ? std::optional(*measurement.p99Ns * 1e-6) : std::nullopt;
    rebuild();
}

void DistributionPlot::setMode(Mode mode)
{
    m_mode = mode;
    rebuild();
}

void DistributionPlot::rebuild()
{
    const theme::Tokens& t = theme::current();
    ChartContent content;
    const Histogram histogram = makeHistogram(m_ms);
    const double hi = histogram.lo + histogram.width * static_cast<double>(histogram.counts.size());
    // The range of the histogram leaves out a long tail; the note says how many passes lie there.
    const AxisRange x = m_ms.empty() ? AxisRange{0, 1} : linearRange(histogram.lo, hi, false, 0.04);
    content.x = linearAxis(tr("Time of one pass (ms)"), x, 6, false);
    if (m_mode == Mode::histogram) {
        ChartSeries bars;
        bars.kind = ChartSeries::Kind::bars;
        bars.name = tr("passes");
        bars.color = softAccent();
        // A small gap separates the bars.
        bars.lineWidth = histogram.width * 0.92;
        double most = 0;
        for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
            bars.x.push_back(histogram.lo + histogram.width * (static_cast<double>(i) + 0.5));
            bars.y.push_back(static_cast<double>(histogram.counts[i]));
            most = std::max(most, bars.y.back());
        }
        content.y = linearAxis(tr("Passes"), linearRange(0, most, true, 0.14), 4);
        // Passes are counted, so half a pass is no tick.
        std::erase_if(content.y.ticks, [](const ChartAxis::Tick& tick) { return tick.at != std::floor(tick.at); });
        content.series.push_back(std::move(bars));
    } else {
        const Ecdf ecdf = makeEcdf(m_ms);
        ChartSeries line;
        line.kind = ChartSeries::Kind::step;
        line.name = tr("passes");
        line.color = t.accent;
        line.size = 0;
        line.x = ecdf.x;
        for (const double share : ecdf.share)
            line.y.push_back(share * 100);
        // Room above 100 % for the labels of the rules.
        content.y = linearAxis(tr("Passes at most this long (%)"), {0, 108}, 5);
        content.series.push_back(std::move(line));
    }
    if (!m_ms.empty()) {
        content.rules.push_back({Qt::Vertical, m_medianMs, t.text, false, tr("median of passes")});
        // p90 is shown where there are too few passes for p99.
        if (m_p90 && *m_p90 < x.hi && !m_p99)
            content.rules.push_back({Qt::Vertical, *m_p90, t.warn, true, tr("p90")});
        if (m_p99 && *m_p99 < x.hi)
            content.rules.push_back({Qt::Vertical, *m_p99, t.warn, true, tr("p99")});
    }
    m_chart->setContent(std::move(content));
    m_note =
        histogram.beyond > 0 ? tr("%1 of %2 took longer than shown").arg(histogram.beyond).arg(m_ms.size()) : QString();
    m_chart->setAccessibleDescription(
        tr("%1 passes, median %2 ms. %3").arg(m_ms.size()).arg(theme::number(m_medianMs), m_note));
    Q_EMIT noteChanged(m_note);
}

BlocksPlot::BlocksPlot(QWidget* parent) : QWidget(parent), m_chart(addChart(this, tr("Latency of each timing block")))
{
    m_chart->setToolTipSource([this](qint64 id) {
        const model::Block& block = m_blocks[static_cast<std::size_t>(id)];
        return tr("block %1: %2 ms a pass, %3 passes, %4 involuntary switches")
            .arg(id + 1)
            .arg(theme::number(block.nsPerIteration() * 1e-6))
            .arg(block.iterations)
            .arg(block.involuntarySwitches);
    });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &BlocksPlot::rebuild);
}

void BlocksPlot::setMeasurement(const model::Measurement& measurement)
{
    m_blocks = measurement.blocks;
    const model::Interval& ns = measurement.latencyNs;
    m_latencyMs = {ns.value * 1e-6, ns.lo * 1e-6, ns.hi * 1e-6, ns.confidence};
    rebuild();
}

void BlocksPlot::rebuild()
{
    const theme::Tokens& t = theme::current();
    ChartContent content;
    ChartSeries points;
    points.name = tr("blocks");
    points.color = t.accent;
    points.size = 6;
    // The interval belongs to the picture, also where it is wider than the blocks.
    double lo = m_latencyMs.lo;
    double hi = m_latencyMs.hi;
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const double ms = m_blocks[i].nsPerIteration() * 1e-6;
        points.x.push_back(static_cast<double>(i) + 1);
        points.y.push_back(ms);
        points.ids.push_back(static_cast<qint64>(i));
        lo = std::min(lo, ms);
        hi = std::max(hi, ms);
    }
    const double count = static_cast<double>(std::max<std::size_t>(m_blocks.size(), 1));
    // The word at the right end of the median's line needs room.
    content.x = {tr("Block, in order of time"), false, 0, count * 1.12 + 1, {}, false};
    for (const double tick : linearTicks({1, count}, 6))
        // Blocks are counted, so ticks are whole numbers.
        if (tick >= 1 && tick == static_cast<double>(static_cast<qint64>(tick)))
            content.x.ticks.push_back({tick, theme::tickText(tick)});
    content.y = linearAxis(tr("Latency (ms)"), linearRange(lo, hi, false, 0.12), 4);
    QColor band = t.accent;
    band.setAlphaF(0.16F);
    if (!m_blocks.empty()) {
        content.bands.push_back({Qt::Horizontal, m_latencyMs.lo, m_latencyMs.hi, band});
        content.rules.push_back({Qt::Horizontal, m_latencyMs.value, t.text2, false, tr("median of blocks")});
    }
    content.series.push_back(std::move(points));
    m_chart->setContent(std::move(content));
    m_chart->setAccessibleDescription(tr("%1 blocks from %2 to %3 ms, median %4 ms.")
                                          .arg(m_blocks.size())
                                          .arg(theme::number(lo), theme::number(hi), theme::number(m_latencyMs.value)));
}

ProgressPlot::ProgressPlot(QWidget* parent) : QWidget(parent), m_chart(addChart(this, tr("Best throughput so far")))
{
    m_chart->setToolTipSource([this](qint64 id) {
        const auto step = std::find_if(m_steps.begin(), m_steps.end(), [id](const Step& s) { return s.trial == id; });
        return step == m_steps.end() ? QString() : step->toolTip;
    });
    connect(m_chart, &ChartView::pointClicked, this, [this](qint64 id) {
        if (id != ChartView::kNone)
            Q_EMIT trialClicked(id);
    });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &ProgressPlot::rebuild);
    rebuild();
}

void ProgressPlot::setSteps(std::vector<Step> steps, int planned, const QString& unit)
{
    m_steps = std::move(steps);
    m_planned = planned;
    m_unit = unit;
    rebuild();
}

void ProgressPlot::rebuild()
{
    const theme::Tokens& t = theme::current();
    ChartContent content;
    ChartSeries points;
    points.name = tr("trials");
    points.color = t.text3;
    points.size = 6;
    ChartSeries best;
    best.kind = ChartSeries::Kind::step;
    best.name = tr("best so far");
    best.color = t.good;
    best.lineWidth = 2;
    best.size = 0;
    double top = 0;
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const double at = static_cast<double>(i) + 1;
        points.x.push_back(at);
        points.y.push_back(m_steps[i].value);
        points.ids.push_back(m_steps[i].trial);
        top = std::max(top, m_steps[i].value);
        // No best one is known until a trial meets the goal.
        if (m_steps[i].best > 0) {
            best.x.push_back(at);
            best.y.push_back(m_steps[i].best);
        }
    }
    // The axis has room for all that is planned, so it stays in place while points are added. The plan is an estimate
    // and may be exceeded.
    const double planned = std::max<double>({1.0, static_cast<double>(m_planned), static_cast<double>(m_steps.size())});
    content.x = {tr("Measured configurations"), false, 0, planned + 1, {}, false};
    for (const double tick : linearTicks({1, planned}, 8))
        if (tick >= 1 && tick == static_cast<double>(static_cast<qint64>(tick)))
            content.x.ticks.push_back({tick, theme::tickText(tick)});
    content.y = linearAxis(tr("Throughput (%1)").arg(m_unit), linearRange(0, top, true, 0.12), 5);
    // Without a value, an axis with numbers would claim a scale.
    if (top <= 0)
        content.y.ticks.clear();
    content.series.push_back(std::move(points));
    content.series.push_back(std::move(best));
    m_chart->setContent(std::move(content));
    m_chart->setAccessibleDescription(m_steps.empty() ? tr("Nothing measured yet.")
                                                      : tr("Best so far %1 %2 after %3 configurations.")
                                                            .arg(theme::number(m_steps.back().best), m_unit)
                                                            .arg(m_steps.size()));
}

} // namespace apertune::plots
