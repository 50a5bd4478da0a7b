// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/memory_view.h"

#include "widgets/plots/axis_labels.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"

#include <QObject>

#include <algorithm>
#include <cmath>

namespace apertune::gui {

namespace {

constexpr double kMebibyte = 1 << 20;
constexpr double kGibibyte = 1 << 30;
constexpr double kLimitInView = 4; ///< largest limit over the highest value that still stretches the axis

double inUnit(base::Bytes size, double unit)
{
    return static_cast<double>(size.count) / unit;
}

} // namespace

MemoryView makeMemoryView(const study::MemoryForecast& forecast, bool withDevice)
{
    const theme::Tokens& t = theme::current();
    MemoryView view;
    view.name = theme::toQt(forecast.backend + " " + std::string(model::toString(forecast.precision)));
    if (withDevice)
        view.name = QObject::tr("%1 on %2").arg(view.name, theme::toQt(forecast.device));
    QStringList remarks;
    for (const base::Message& remark : study::remarksOf(forecast))
        remarks << theme::fromCore(remark);
    view.remarks = remarks.join(QLatin1Char(' '));

    base::Bytes most;
    for (const auto& point : forecast.points)
        most = std::max({most, point.estimate.high, point.measured.value_or(base::Bytes{})});
    const double unit = static_cast<double>(most.count) >= kGibibyte ? kGibibyte : kMebibyte;
    const QString unitName = unit == kGibibyte ? QStringLiteral("GiB") : QStringLiteral("MiB");

    plots::ChartSeries line;
    line.kind = plots::ChartSeries::Kind::line;
    line.name = QObject::tr("estimate");
    line.color = t.accent;
    line.size = 0;
    plots::ChartSeries estimates;
    estimates.name = QObject::tr("range of the estimate");
    estimates.color = t.accent;
    estimates.size = 7;
    plots::ChartSeries measured;
    measured.name = QObject::tr("measured");
    measured.color = t.good;
    measured.shape = theme::Shape::diamond;
    measured.size = 9;
    measured.solid = true;
    QStringList figures;
    for (std::size_t i = 0; i < forecast.points.size(); ++i) {
        const auto& [batch, estimate, peak] = forecast.points[i];
        line.x.push_back(batch);
        line.y.push_back(inUnit(estimate.total, unit));
        estimates.x.push_back(batch);
        estimates.y.push_back(inUnit(estimate.total, unit));
        estimates.yLo.push_back(inUnit(estimate.low, unit));
        estimates.yHi.push_back(inUnit(estimate.high, unit));
        estimates.ids.push_back(static_cast<qint64>(i));
        if (peak) {
            measured.x.push_back(batch);
            measured.y.push_back(inUnit(*peak, unit));
            measured.ids.push_back(static_cast<qint64>(i));
        }
        figures << QObject::tr("batch %1: %2").arg(batch).arg(theme::bytes(estimate.total));
        view.chart.x.ticks.push_back({static_cast<double>(batch), QString::number(batch)});
    }
    view.description = figures.join(QStringLiteral(", "));

    const double high = inUnit(most, unit);
    const double limit = forecast.limit ? inUnit(*forecast.limit, unit) : 0;
    const bool limitInView = limit > 0 && limit <= kLimitInView * high;
    view.chart.x.title = QObject::tr("Batch");
    view.chart.x.logarithmic = true;
    const double last = forecast.points.empty() ? 1 : forecast.points.back().batch;
    const double first = forecast.points.empty() ? 1 : forecast.points.front().batch;
    const plots::AxisRange x = plots::logRange(first, std::max(last, 2 * first));
    view.chart.x.lo = x.lo;
    view.chart.x.hi = x.hi;
    view.chart.y = plots::linearAxis(QObject::tr("Peak memory (%1)").arg(unitName),
                                     plots::linearRange(0, limitInView ? std::max(high, limit) : high, true, 0.1), 4);
    if (limitInView)
        view.chart.rules.push_back(
            {Qt::Horizontal, limit, t.bad, true, QObject::tr("%1 may be used").arg(theme::bytes(*forecast.limit))});
    view.chart.series.push_back(std::move(line));
    view.chart.series.push_back(std::move(estimates));
    if (!measured.x.empty())
        view.chart.series.push_back(std::move(measured));
    return view;
}

QString memoryToolTip(const study::MemoryForecast::Point& point)
{
    const search::MemoryEstimate& e = point.estimate;
    QString text =
        QObject::tr("Batch %1: %2 estimated, %3 – %4\nparameters %5, activations %6, engine and workspace %7")
            .arg(point.batch)
            .arg(theme::bytes(e.total), theme::bytes(e.low), theme::bytes(e.high), theme::bytes(e.parameters),
                 theme::bytes(e.activations), theme::bytes(e.rest));
    if (point.measured)
        text += QObject::tr("\nmeasured: %1").arg(theme::bytes(*point.measured));
    return text;
}

} // namespace apertune::gui
