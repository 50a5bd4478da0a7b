// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/load_view.h"

#include "app/gui/presenters/translate.h"
#include "core/model/json_codec.h"
#include "core/workload/load/scenario.h"
#include "widgets/theme/format.h"

#include <QObject>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <cmath>

namespace apertune::gui {
namespace {

using base::Json;
using controls::Tone;
using tables::TextTableModel;
using workload::ScenarioKind;
using Cell = TextTableModel::Cell;

std::optional<double> numberAt(const Json& json, const char* name)
{
    const auto at = json.is_object() ? json.find(name) : json.end();
    return json.is_object() && at != json.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

Cell numberCell(const Json& json, const char* name, double scale = 1, const QString& unit = {})
{
    const auto value = numberAt(json, name);
    if (!value)
        return {theme::kAbsent, {}, Tone::tertiary};
    return {theme::number(*value * scale) + unit, *value * scale};
}

/// "12.3 ± 0.2", or the number alone when it has no interval. Without queries the text is a dash.
Cell intervalCell(const Json& summary, const char* name, const QString& unit = {})
{
    if (numberAt(summary, "queries").value_or(0) == 0)
        return {theme::kAbsent, {}, Tone::tertiary};
    const Json interval = summary.is_object() ? summary.value(name, Json()) : Json();
    Cell cell = numberCell(interval, "value");
    const auto lo = numberAt(interval, "lo");
    const auto hi = numberAt(interval, "hi");
    if (lo && hi) {
        // As in reports, a sample that is too small for an interval says so.
        const bool enough = numberAt(interval, "confidence").value_or(0) > 0;
        cell.text += QStringLiteral(" ± ") + (enough ? theme::number((*hi - *lo) / 2, 2) : QStringLiteral("?"));
        if (!unit.isEmpty())
            cell.text = QObject::tr("%1 %2").arg(cell.text, unit);
    }
    return cell;
}

QString loadText(const workload::Scenario& load)
{
    switch (load.kind) {
    case ScenarioKind::singleStream:
        return QObject::tr("one query after the other");
    case ScenarioKind::multiStream:
        return QObject::tr("queries of %1 samples").arg(load.samples);
    case ScenarioKind::offline:
        return QObject::tr("everything at once");
    case ScenarioKind::server: {
        if (load.rate <= 0) {
            return QObject::tr("no rate kept p%1 ≤ %2 ms")
                .arg(load.percentile * 100, 0, 'g', 4)
                .arg(theme::number(load.bound.milliseconds(), 3));
        }
        const QString rate = QObject::tr("%1 queries/s").arg(theme::number(load.rate));
        return load.bound.count > 0 ? QObject::tr("%1, p%2 ≤ %3 ms")
                                          .arg(rate)
                                          .arg(load.percentile * 100, 0, 'g', 4)
                                          .arg(theme::number(load.bound.milliseconds(), 3))
                                    : rate;
    }
    case ScenarioKind::camera:
        break;
    }
    return QObject::tr("%1, %2 frames/s, deadline %3 ms")
        .arg(theme::counted(load.cameras, QObject::tr("camera"), QObject::tr("cameras")))
        .arg(load.fps, 0, 'g', 4)
        .arg(theme::number(load.frameDeadline().milliseconds(), 3));
}

QString details(const Json& summary)
{
    QStringList lines{QObject::tr("%1 of %2 queries answered")
                          .arg(theme::count(static_cast<qint64>(numberAt(summary, "answered").value_or(0))),
                               theme::count(static_cast<qint64>(numberAt(summary, "queries").value_or(0))))};
    const Json latency = summary.is_object() ? summary.value("latency_ms", Json()) : Json();
    if (numberAt(latency, "value") && numberAt(latency, "confidence").value_or(0) == 0)
        lines << QObject::tr("too few queries for an interval of the percentile");
    for (const auto& [name, text] :
         {std::pair("latency_bound_ms", QObject::tr("the percentile is surely below %1 ms (99 %)")),
          std::pair("p50_ms", QObject::tr("p50 %1 ms")), std::pair("p99_ms", QObject::tr("p99 %1 ms"))}) {
        if (const auto value = numberAt(summary, name))
            lines << text.arg(theme::number(*value));
    }
    if (const auto busy = numberAt(summary, "busy"))
        lines << QObject::tr("busy %1").arg(theme::percent(*busy, 3));
    const Json frames = summary.is_object() ? summary.value("frames", Json()) : Json();
    if (const auto stalest = numberAt(frames, "stalest_ms")) {
        lines << QObject::tr("%1 late, %2 dropped; the oldest result was %3 ms old")
                     .arg(numberAt(frames, "late").value_or(0))
                     .arg(numberAt(frames, "dropped").value_or(0))
                     .arg(theme::number(*stalest));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

QString tooFewText(const workload::Scenario& scenario, const workload::TooFew& few)
{
    return QObject::tr("About %1 queries come in %2 s; p%3 needs %4. Give it %5 s, or more queries a second.")
        .arg(theme::number(few.expected, 3), theme::number(scenario.duration.seconds(), 3))
        .arg(scenario.percentile * 100, 0, 'g', 4)
        .arg(few.needed)
        .arg(std::ceil(few.duration.seconds()), 0, 'f', 0);
}

std::vector<TextTableModel::Column> loadColumns()
{
    return {{QObject::tr("Scenario")},
            {QObject::tr("Load")},
            {QObject::tr("Rate"), true},
            {QObject::tr("Latency ms"), true, QObject::tr("The scenario's percentile, from arrival to answer")},
            {QObject::tr("In the queue ms"), true, QObject::tr("Mean time before the pass begins")},
            {QObject::tr("In the pass ms"), true, QObject::tr("Mean time in the pass")},
            {QObject::tr("Largest rate /s"), true, QObject::tr("Queries a second at which the bound still held")},
            {QObject::tr("Missed"),
             true,
             QObject::tr("Frames answered after their deadline, or never"),
             false,
             {QObject::tr("Missed (%)")}},
            {QObject::tr("When"), false, {}, false, {QObject::tr("When (UTC)")}}};
}

std::vector<TextTableModel::Row> makeLoadRows(const std::vector<store::Scenario>& scenarios, const QString& rateUnit)
{
    std::vector<TextTableModel::Row> rows;
    for (auto kept = scenarios.rbegin(); kept != scenarios.rend(); ++kept) {
        const auto document = model::parseJson(kept->document);
        if (!document || !document->is_object())
            continue;
        const auto load = workload::scenarioFromJson(document->value("scenario", Json::object()));
        if (!load)
            continue;
        const Json summary = document->value("summary", Json::object());
        const Json frames = summary.is_object() ? summary.value("frames", Json()) : Json();
        TextTableModel::Row row;
        row.key = kept->id;
        row.toolTip = details(summary);
        row.cells = {{fromCore(kept->kind)},
                     {loadText(*load), {}, Tone::secondary},
                     intervalCell(summary, "samples_per_s", rateUnit),
                     intervalCell(summary, "latency_ms"),
                     intervalCell(summary, "waited_ms"),
                     intervalCell(summary, "computed_ms"),
                     numberCell(document->value("capacity", Json()), "holds"),
                     numberCell(frames, "miss_share", 100, QStringLiteral(" %")),
                     {theme::parseUtc(kept->createdUtc).toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")),
                      theme::toQt(kept->createdUtc), Tone::secondary}};
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace apertune::gui
