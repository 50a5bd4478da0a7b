// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/trace_charts.h"

#include "app/gui/presenters/translate.h"
#include "widgets/plots/axis_labels.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"
#include "widgets/trace_views/trace_colors.h"
#include "widgets/trace_views/trace_labels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace apertune::gui {

using analysis::WorkClass;
using trace_views::timeWord;

namespace {

constexpr std::size_t kMostPoints = 2000; ///< points of a line
constexpr std::size_t kMostRooflinePoints = 300;
constexpr std::array kSizes{7.0, 10.0, 14.0, 19.0,
                            26.0}; ///< marker sizes in px; each stands for a share four times that of the one before
constexpr double kSmallest = 0.002;

struct Unit
{
    double scale = 1;
    QString name;
};

Unit byteUnit(double most)
{
    if (most >= 1.5 * 1024 * 1024 * 1024)
        return {1024.0 * 1024 * 1024, QStringLiteral("GiB")};
    if (most >= 1.5 * 1024 * 1024)
        return {1024.0 * 1024, QStringLiteral("MiB")};
    return {1024.0, QStringLiteral("KiB")};
}

Unit timeUnit(double span)
{
    return span >= 5e9 ? Unit{1e9, tr("s")} : span >= 2e6 ? Unit{1e6, tr("ms")} : Unit{1e3, tr("µs")};
}

/// The bytes in use at `from`, then every change until `to`. Of several changes in one step it keeps the highest and
/// the last.
std::vector<analysis::MemoryPoint> thinned(const std::vector<analysis::MemoryPoint>& curve, trace::TimeRange shown)
{
    std::vector<analysis::MemoryPoint> points;
    const auto first = std::partition_point(curve.begin(), curve.end(),
                                            [&](const analysis::MemoryPoint& p) { return p.time < shown.start; });
    const auto last =
        std::partition_point(first, curve.end(), [&](const analysis::MemoryPoint& p) { return p.time < shown.end; });
    points.push_back({shown.start, first == curve.begin() ? 0 : std::prev(first)->bytes});
    const std::int64_t step = std::max<std::int64_t>(1, shown.length() / static_cast<std::int64_t>(kMostPoints / 2));
    for (auto at = first; at != last;) {
        const std::int64_t bucket = (at->time - shown.start) / step;
        analysis::MemoryPoint highest = *at;
        analysis::MemoryPoint latest = *at;
        for (; at != last && (at->time - shown.start) / step == bucket; ++at) {
            latest = *at;
            if (at->bytes > highest.bytes)
                highest = *at;
        }
        points.push_back(highest);
        if (latest.time != highest.time)
            points.push_back(latest);
    }
    points.push_back({shown.end, points.back().bytes});
    return points;
}

QColor placeColor(std::size_t i)
{
    return theme::categoryColor(static_cast<int>(i), theme::currentScheme());
}

WorkClass classOf(const TraceReport& report, const analysis::RooflineRow& row)
{
    return analysis::classify(trace::EventKind::operatorCall, report.trace->strings[row.name]);
}

QString rate(double perSecond, const QString& unit)
{
    static constexpr std::array prefixes{"", "k", "M", "G", "T", "P"};
    std::size_t i = 0;
    for (; perSecond >= 1000 && i + 1 < prefixes.size(); ++i)
        perSecond /= 1000;
    return QStringLiteral("%1 %2%3/s").arg(theme::number(perSecond, 3), QLatin1String(prefixes[i]), unit);
}

} // namespace

QString aboveRoofText()
{
    return tr("The ceiling was measured too low (apertune device ceilings --refresh), a cache served the operands, or "
              "the shapes "
              "say more than was computed.");
}

QString memoryPlace(const analysis::MemoryUse& use)
{
    const QString device = use.device < 0 ? tr("host") : tr("GPU %1").arg(use.device);
    if (use.kind == trace::EventKind::tensorMemory)
        return tr("%1, tensors").arg(device);
    return use.device < 0 ? tr("%1, driver").arg(device) : tr("%1, reserved by the driver").arg(device);
}

TraceChart memoryChart(const TraceReport& report, trace::TimeRange shown)
{
    TraceChart chart;
    double most = 0;
    std::vector<std::pair<const analysis::MemoryUse*, std::vector<analysis::MemoryPoint>>> lines;
    for (const analysis::MemoryUse& use : report.facts.memory) {
        if (use.curve.empty())
            continue;
        lines.emplace_back(&use, thinned(use.curve, shown));
        for (const analysis::MemoryPoint& point : lines.back().second)
            most = std::max(most, static_cast<double>(point.bytes));
    }
    const Unit bytes = byteUnit(most);
    const Unit time = timeUnit(static_cast<double>(shown.length()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto& [use, points] = lines[i];
        plots::ChartSeries line;
        line.kind = plots::ChartSeries::Kind::step;
        line.name = memoryPlace(*use);
        line.color = placeColor(i);
        line.size = 0;
        for (const analysis::MemoryPoint& point : points) {
            line.x.push_back(static_cast<double>(point.time) / time.scale);
            line.y.push_back(static_cast<double>(point.bytes) / bytes.scale);
            line.ids.push_back(static_cast<qint64>(chart.times.size()));
            chart.times.push_back(point.time);
            chart.toolTips.push_back(tr("%1: %2 at %3\nClick to see it in the timeline.")
                                         .arg(line.name, theme::bytes({point.bytes}), timeWord(point.time)));
        }
        chart.content.series.push_back(std::move(line));
        chart.legend.push_back({memoryPlace(*use), {theme::Shape::square, placeColor(i)}, false});
        if (use->peak <= 0 || use->peakTime < shown.start || use->peakTime >= shown.end)
            continue;
        plots::ChartSeries peak;
        peak.name = tr("%1: peak").arg(memoryPlace(*use));
        peak.color = placeColor(i);
        peak.solid = true;
        peak.size = 9;
        peak.x = {static_cast<double>(use->peakTime) / time.scale};
        peak.y = {static_cast<double>(use->peak) / bytes.scale};
        peak.ids = {static_cast<qint64>(chart.times.size())};
        chart.times.push_back(use->peakTime);
        chart.toolTips.push_back(tr("%1: the most, %2 at %3\nClick to see it in the timeline.")
                                     .arg(memoryPlace(*use), theme::bytes({use->peak}), timeWord(use->peakTime)));
        chart.content.notes.push_back(
            {peak.x[0], peak.y[0], tr("peak %1").arg(theme::bytes({use->peak})), theme::current().text});
        chart.content.series.push_back(std::move(peak));
    }
    chart.content.x = plots::linearAxis(
        tr("Time (%1)").arg(time.name),
        {static_cast<double>(shown.start) / time.scale, static_cast<double>(shown.end) / time.scale}, 8, false);
    chart.content.y = plots::linearAxis(tr("In use (%1)").arg(bytes.name),
                                        plots::linearRange(0, std::max(most / bytes.scale, 1e-3), true, 0.24), 5);
    return chart;
}

TraceChart rooflineChart(const TraceReport& report)
{
    TraceChart chart;
    const advice::Facts& facts = report.facts;
    const analysis::Ceilings& roof = facts.context.ceilings;
    double all = 0;
    for (const analysis::RooflineRow& row : facts.roofline)
        all += static_cast<double>(row.time);
    double lowX = roof.ridge() / 30;
    double highX = roof.ridge() * 30;
    double lowY = roof.flops / 1000;
    double highY = roof.flops;
    std::map<std::pair<WorkClass, std::size_t>, plots::ChartSeries> groups;
    std::map<WorkClass, double> byClass;
    plots::ChartSeries above; // drawn on the roof and marked, because no rate can exceed it
    above.name = tr("above its ceiling");
    above.color = theme::current().warn;
    above.shape = theme::Shape::triangle;
    above.size = 12;
    for (std::size_t i = 0; i < std::min(facts.roofline.size(), kMostRooflinePoints); ++i) {
        const analysis::RooflineRow& row = facts.roofline[i];
        // Ids are the numbers of rows, so a row that is not drawn has a tool tip as well.
        chart.toolTips.emplace_back();
        if (row.achieved <= 0 || row.cost.bytes <= 0)
            continue;
        const double share = all > 0 ? static_cast<double>(row.time) / all : 0;
        std::size_t size = 0;
        for (double s = kSmallest; s < share && size + 1 < kSizes.size(); s *= 4)
            ++size;
        const double x = row.cost.intensity();
        lowX = std::min(lowX, x);
        highX = std::max(highX, x);
        const double y = row.aboveRoof() ? row.attainable : row.achieved;
        lowY = std::min(lowY, y);
        highY = std::max(highY, y);
        const WorkClass workClass = classOf(report, row);
        byClass[workClass] += share;
        plots::ChartSeries& group = // small points are drawn on top of large ones
            row.aboveRoof() ? above : groups[{workClass, kSizes.size() - size}];
        if (!row.aboveRoof()) {
            group.name = trace_views::classWord(workClass);
            group.color = trace_views::classColor(workClass);
            group.size = kSizes[size];
        }
        group.x.push_back(x);
        group.y.push_back(y);
        group.ids.push_back(static_cast<qint64>(i));
        const QString name = trace_views::shortName(report.trace->strings[row.name]);
        group.labels.push_back(name);
        QString& tip = chart.toolTips.back();
        tip = tr("%1\n%2\n%3, %4 of the operators' time, %5")
                  .arg(name, theme::toQt(report.trace->strings[row.shapes]), timeWord(row.time),
                       theme::percent(share, 2), theme::counted(row.calls, tr("call"), tr("calls")));
        tip += QLatin1Char('\n') + tr("%1 at %2 FLOP a byte, %3 of the nearer roof")
                                       .arg(rate(row.achieved, QStringLiteral("FLOP")), theme::number(x, 3),
                                            theme::percent(row.efficiency, 2));
        if (row.aboveRoof())
            tip += QLatin1Char('\n') + tr("Drawn on the roof.") + QLatin1Char(' ') + aboveRoofText();
    }
    chart.content.x = plots::logAxis(tr("Intensity (FLOP a byte)"), plots::logRange(lowX, highX, 0.04), 6);
    chart.content.y = plots::logAxis(tr("Arithmetic (FLOP/s)"), plots::logRange(lowY, highY, 0.12), 6);
    for (plots::ChartAxis::Tick& tick : chart.content.y.ticks)
        tick.text = rate(tick.at, {}).section(QLatin1Char('/'), 0, 0);
    const double left = chart.content.x.lo;
    const double right = chart.content.x.hi;
    plots::ChartSeries line;
    line.kind = plots::ChartSeries::Kind::line;
    line.name = tr("Ceilings");
    line.color = theme::current().text2;
    line.size = 0;
    line.lineWidth = 2;
    line.x = {left, roof.ridge(), right};
    line.y = {roof.memoryBandwidth * left, roof.flops, roof.flops};
    chart.content.series.push_back(std::move(line));
    for (auto& [key, group] : groups)
        chart.content.series.push_back(std::move(group));
    const bool someAbove = !above.x.empty();
    if (someAbove)
        chart.content.series.push_back(std::move(above));
    const QColor text = theme::current().text2;
    chart.content.notes.push_back(
        {std::sqrt(roof.ridge() * right), roof.flops, rate(roof.flops, QStringLiteral("FLOP")), text});
    const double middle = std::sqrt(left * roof.ridge());
    chart.content.notes.push_back(
        {middle, roof.memoryBandwidth * middle, rate(roof.memoryBandwidth, QStringLiteral("B")), text});
    std::vector<std::pair<double, WorkClass>> order;
    for (const auto& [workClass, share] : byClass)
        order.emplace_back(-share, workClass);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 5); ++i)
        chart.legend.push_back({trace_views::classWord(order[i].second),
                                {theme::Shape::circle, trace_views::classColor(order[i].second)},
                                false});
    if (someAbove)
        chart.legend.push_back({tr("above its ceiling"), {theme::Shape::triangle, theme::current().warn}, false});
    return chart;
}

} // namespace apertune::gui
