// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/plan_view.h"

#include "core/search/algorithm.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace apertune::gui {
namespace {

using RowKey = std::tuple<std::string, model::OptLevel, model::Precision>;

plots::HeatMapData makeGrid(const study::StudyPlan& plan)
{
    plots::HeatMapData data;
    if (plan.configurations.empty())
        return data;
    std::map<RowKey, std::map<int, std::vector<const search::PlannedConfiguration*>>> cells;
    std::set<int> batches;
    std::set<std::string> engines;
    for (const search::PlannedConfiguration& cell : plan.configurations) {
        if (cell.device == plan.configurations.front().device) {
            const model::Config& config = cell.config;
            cells[{config.backend, config.level, config.precision}][config.batch].push_back(&cell);
            engines.insert(config.backend);
            batches.insert(cell.config.batch);
        }
    }
    data.columnTitle = QObject::tr("batch");
    data.rowTitle =
        engines.size() > 1 ? QObject::tr("engine, level and precision") : QObject::tr("level and precision");
    for (const int batch : batches)
        data.columns << QString::number(batch);
    for (auto& [row, columns] : cells) {
        const auto& [engine, level, precision] = row;
        data.rows << theme::toQt((engines.size() > 1 ? engine + " " : std::string()) +
                                 std::string(model::toString(level)) + " " + std::string(model::toString(precision)));
        for (const int batch : batches) {
            plots::HeatCell cell;
            const std::vector<const search::PlannedConfiguration*>& here = columns[batch];
            const auto possible = std::count_if(
                here.begin(), here.end(), [](const search::PlannedConfiguration* c) { return c->impossible.empty(); });
            if (possible > 0) {
                cell.state = plots::HeatCell::State::planned;
                cell.text = possible == 1 ? QStringLiteral("●") : QString::number(possible);
                cell.toolTip =
                    QObject::tr("%1 planned")
                        .arg(theme::counted(possible, QObject::tr("configuration"), QObject::tr("configurations")));
            } else {
                cell.text = QStringLiteral("–");
                cell.toolTip =
                    here.empty() ? QObject::tr("not part of this sweep")
                                 : QObject::tr("impossible: %1").arg(theme::fromCore(here.front()->impossible.message));
            }
            data.cells.push_back(std::move(cell));
        }
    }
    return data;
}

} // namespace

QString durationRange(base::Nanoseconds low, base::Nanoseconds high)
{
    const double lo = low.seconds();
    const double hi = std::max(high.seconds(), lo);
    // Less than a hundredth beyond a whole number is that number: a budget of 120.4 s is shown as 2 min.
    constexpr double kNear = 1.01;
    const auto range = [](double a, double b, const QString& unit) {
        const auto from = static_cast<int>(std::max(1.0, std::floor(a * kNear)));
        const auto to = static_cast<int>(std::max(1.0, std::ceil(b / kNear)));
        return from == to ? QStringLiteral("%1 %2").arg(from).arg(unit)
                          : QStringLiteral("%1–%2 %3").arg(from).arg(to).arg(unit);
    };
    if (hi < 100)
        return range(lo, hi, QObject::tr("s"));
    return hi < 5400 ? range(lo / 60, hi / 60, QObject::tr("min")) : range(lo / 3600, hi / 3600, QObject::tr("h"));
}

PlanView makePlanView(const study::StudyPlan& plan, base::Nanoseconds budget)
{
    PlanView view;
    const auto impossible = static_cast<qint64>(plan.configurations.size()) - plan.runnable;
    view.headline = plan.runnable == 0 ? QObject::tr("No configuration can run here")
                                       : theme::counted(plan.runnable, QObject::tr("configuration to measure"),
                                                        QObject::tr("configurations to measure"));
    if (impossible > 0) {
        view.headline = QObject::tr("%1, %2").arg(
            view.headline, theme::counted(impossible, QObject::tr("is impossible"), QObject::tr("are impossible")));
    }
    if (plan.runnable > 0) {
        // A budget ends the sweep, so an estimate beyond it would contradict it.
        const bool ends = budget.count > 0 && plan.estimateHigh > budget;
        QStringList parts{
            ends && plan.estimateLow >= budget
                ? QObject::tr("ends after the budget of %1").arg(theme::duration(budget))
                : QObject::tr("about %1").arg(durationRange(plan.estimateLow, ends ? budget : plan.estimateHigh))};
        if (plan.search) {
            parts.prepend(plan.search == search::Algorithm::racing   ? QObject::tr("searched by racing")
                          : plan.search == search::Algorithm::random ? QObject::tr("in random order")
                                                                     : QObject::tr("every configuration in full"));
        }
        if (plan.compiles > 0) {
            parts << QObject::tr("%1 to compile first")
                         .arg(theme::counted(plan.compiles, QObject::tr("package"), QObject::tr("packages")));
        }
        if (budget.count > 0 && !(ends && plan.estimateLow >= budget))
            parts << QObject::tr("at most %1").arg(theme::duration(budget));
        view.estimate = parts.join(QStringLiteral(" · "));
    }
    view.grid = makeGrid(plan);
    std::map<QString, int> reasons;
    for (const search::PlannedConfiguration& cell : plan.configurations)
        if (!cell.impossible.empty())
            ++reasons[theme::fromCore(cell.impossible.message)];
    std::vector<std::pair<QString, int>> ordered(reasons.begin(), reasons.end());
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [text, count] : ordered) {
        view.reasons.push_back(
            {theme::counted(count, QObject::tr("configuration"), QObject::tr("configurations")), text});
    }
    return view;
}

} // namespace apertune::gui
