// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/evaluation_view.h"

#include "core/model/json_codec.h"
#include "core/report/evaluation_report.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QObject>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::gui {

using controls::Tone;
using tables::TextTableModel;

namespace {

TextTableModel::Cell shareCell(const model::Interval& share, Tone tone = Tone::text)
{
    return {theme::fromCore(report::shareMessage(share)), share.value * 100, tone};
}

/// Says worse or better only if the interval excludes zero.
Tone toneOf(const model::Interval& change)
{
    if (change.confidence > 0 && change.hi < 0)
        return Tone::bad;
    return change.confidence > 0 && change.lo > 0 ? Tone::good : Tone::secondary;
}

void fill(EvaluationView& view, const model::Accuracy& accuracy)
{
    view.images = theme::fromCore(report::imagesMessage(accuracy));
    view.accuracy.clear();
    for (const model::Accuracy::Metric& metric : accuracy.metrics) {
        view.accuracy.push_back({{{theme::fromCore(report::metricMessage(metric.name))},
                                  shareCell(metric.measured),
                                  shareCell(metric.imported, Tone::secondary),
                                  shareCell(metric.change, toneOf(metric.change))}});
    }
}

void fill(EvaluationView& view, const model::Sensitivity& sensitivity)
{
    view.calibration = QObject::tr("int8 everywhere loses %1; calibrated with %2")
                           .arg(theme::toQt(report::lossText(sensitivity.all)), theme::toQt(sensitivity.calibration));
    view.layers.clear();
    double most = 0;
    for (const model::Sensitivity::Layer& layer : sensitivity.layers)
        most = std::max(most, 1 - layer.only);
    for (const model::Sensitivity::Layer& layer : sensitivity.layers) {
        const double loss = 1 - layer.only;
        TextTableModel::Cell alone{theme::toQt(report::lossText(layer.only)), loss};
        alone.share = most > 0 ? loss / most : -1;
        view.layers.push_back({{{theme::toQt(layer.name)},
                                {theme::toQt(layer.kind), {}, Tone::secondary},
                                std::move(alone),
                                {theme::toQt(report::lossText(layer.without)), 1 - layer.without, Tone::secondary}}});
    }
}

} // namespace

std::vector<TextTableModel::Column> accuracyColumns()
{
    return {{QObject::tr("Metric")},
            {QObject::tr("This trial"),
             true,
             QObject::tr("With its interval at 95 %"),
             false,
             {QObject::tr("This trial (%)")}},
            {QObject::tr("As imported"),
             true,
             QObject::tr("The model in float, on the same images"),
             false,
             {QObject::tr("As imported (%)")}},
            {QObject::tr("Change"),
             true,
             QObject::tr("Difference of the two on the same images"),
             false,
             {QObject::tr("Change (percentage points)")}}};
}

std::vector<TextTableModel::Column> sensitivityColumns()
{
    return {{QObject::tr("Layer")},
            {QObject::tr("Kind")},
            {QObject::tr("Lost by it alone"),
             true,
             QObject::tr("Cosine to the float model that is lost when only this layer is int8"),
             false,
             {QObject::tr("Lost by it alone (1 - cosine)")}},
            {QObject::tr("Lost by all others"),
             true,
             QObject::tr("Remaining loss when this layer alone stays in float"),
             false,
             {QObject::tr("Lost by all others (1 - cosine)")}}};
}

EvaluationView makeEvaluationView(const std::vector<store::Evaluation>& evaluations)
{
    EvaluationView view;
    for (const store::Evaluation& evaluation : evaluations) {
        const auto document = model::parseJson(evaluation.document);
        if (!document)
            continue;
        if (const auto accuracy = model::accuracyFromJson(*document);
            accuracy && evaluation.kind == toString(model::EvaluationKind::accuracy))
            fill(view, *accuracy);
        if (const auto layers = model::sensitivityFromJson(*document);
            layers && evaluation.kind == toString(model::EvaluationKind::sensitivity))
            fill(view, *layers);
    }
    return view;
}

} // namespace apertune::gui
