// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/model_view.h"

#include "core/models/zoo.h"
#include "widgets/theme/format.h"

#include <QObject>

#include <algorithm>

namespace apertune::gui {
namespace {

using controls::Figure;
using controls::Tone;
using Row = tables::TextTableModel::Row;
using Fact = controls::FactList::Fact;

QString tensorText(const model::TensorSpec& tensor)
{
    const QString name = tensor.name.empty() ? QString() : theme::toQt(tensor.name) + QLatin1Char(' ');
    return name + theme::shape(tensor.shape) + QLatin1Char(' ') + theme::toQt(tensor.dtype);
}

QString tensorToolTip(const model::TensorSpec& tensor)
{
    return tensorText(tensor) + QLatin1Char('\n') +
           (tensor.batchDim ? QObject::tr("The batch multiplies dimension %1.").arg(*tensor.batchDim)
                            : QObject::tr("The same size at any batch."));
}

/// The shape of one sample, without the batch dimension.
QString sampleShape(const model::TensorSpec& tensor)
{
    std::vector<std::int64_t> dimensions = tensor.shape;
    if (tensor.batchDim && *tensor.batchDim < static_cast<int>(dimensions.size()))
        dimensions.erase(dimensions.begin() + *tensor.batchDim);
    return theme::shape(dimensions);
}

std::array<Figure, 4> makeFigures(const model::ModelRef& model)
{
    std::array<Figure, 4> figures;
    figures[0].caption = QObject::tr("Parameters");
    figures[0].value = theme::magnitude(static_cast<double>(model.parameters));
    figures[0].detail = QObject::tr("%1 as imported").arg(theme::bytes(model.parameterBytes));
    figures[0].definition = QObject::tr("Learned values and buffers' size as the artifact holds them: %1 values.")
                                .arg(theme::count(model.parameters));
    figures[1].caption = QObject::tr("Work for one sample");
    figures[1].value = model.macs ? theme::magnitude(static_cast<double>(*model.macs)) : QStringLiteral("–");
    figures[1].unit = model.macs ? QObject::tr("MAC") : QString();
    figures[1].detail =
        model.macs && model.parameters > 0
            ? QObject::tr("%1 a parameter")
                  .arg(theme::number(static_cast<double>(*model.macs) / static_cast<double>(model.parameters), 3))
            : QObject::tr("not known for this model");
    figures[1].definition = QObject::tr(
        "Multiply-accumulates of convolutions and matrix products for one sample, counted by the exporter.");
    figures[2].caption = QObject::tr("Layers");
    figures[2].value = model.layers.empty() ? QStringLiteral("–") : theme::count(qint64(model.layers.size()));
    // Activations and reshapes have no parameters, so this is the number that papers state.
    const auto weighty = std::count_if(model.layers.begin(), model.layers.end(),
                                       [](const model::LayerSpec& layer) { return layer.parameters > 0; });
    figures[2].detail =
        model.layers.empty() ? QObject::tr("the file does not say") : QObject::tr("%1 with parameters").arg(weighty);
    figures[2].definition = QObject::tr("Leaf layers in the order in which one pass runs them.");
    figures[3].caption =
        model.inputs.size() > 1 ? QObject::tr("First of %1 inputs").arg(model.inputs.size()) : QObject::tr("Input");
    figures[3].value = model.inputs.empty() ? QStringLiteral("–") : sampleShape(model.inputs.front());
    figures[3].detail =
        (model.inputs.empty() ? QString() : theme::toQt(model.inputs.front().dtype) + QStringLiteral(" · ")) +
        (model.dynamicBatch ? QObject::tr("any batch") : QObject::tr("fixed batch"));
    figures[3].definition = QObject::tr("Shape of one sample: the input without its batch dimension.");
    return figures;
}

Fact batchFact(const model::ModelRef& model)
{
    const QString warning = QStringLiteral("warning");
    if (!model.dynamicBatch)
        return {QObject::tr("Batch"), QObject::tr("fixed at export"),
                QObject::tr("Only the batch that the model was traced with runs."), Tone::warn, warning};
    if (model.failingBatches.empty())
        return {QObject::tr("Batch"), QObject::tr("any"), QObject::tr("One artifact serves every batch size.")};
    QStringList failing;
    QStringList reasons;
    for (const auto& [batch, why] : model.failingBatches) {
        failing += QString::number(batch);
        reasons += QObject::tr("Batch %1: %2").arg(batch).arg(theme::toQt(why));
    }
    return {QObject::tr("Batch"), QObject::tr("any but %1").arg(failing.join(QStringLiteral(", "))),
            reasons.join(QLatin1Char('\n')), Tone::warn, warning};
}

std::vector<Fact> makeFacts(const model::ModelRef& model)
{
    std::vector<Fact> facts;
    facts.push_back({QObject::tr("Source"), theme::toQt(model.source)});
    facts.push_back({QObject::tr("Task type"), taskWord(model.taskType)});
    facts.push_back({QObject::tr("Weights"), theme::toQt(model.weights),
                     QObject::tr("Speed does not depend on the values of the weights; agreement between precisions "
                                 "does, a little.")});
    for (const model::TensorSpec& tensor : model.inputs)
        facts.push_back({QObject::tr("Input"), tensorText(tensor), tensorToolTip(tensor)});
    for (const model::TensorSpec& tensor : model.outputs)
        facts.push_back({QObject::tr("Output"), tensorText(tensor), tensorToolTip(tensor)});
    facts.push_back(batchFact(model));
    facts.push_back({QObject::tr("Compiled (O3)"),
                     model.hasExportedProgram ? QObject::tr("possible") : QObject::tr("not possible"),
                     model.hasExportedProgram
                         ? QObject::tr("The artifact holds an exported program, which AOTInductor compiles.")
                         : QObject::tr("Without an exported program AOTInductor has nothing to compile: import the "
                                       "model from Python instead of a TorchScript file."),
                     model.hasExportedProgram ? Tone::text : Tone::warn,
                     model.hasExportedProgram ? QString() : QStringLiteral("warning")});
    facts.push_back({QObject::tr("Artifact"), theme::toQt(model.artifact.string())});
    facts.push_back(
        // Twelve digits tell artifacts apart; the tool tip has all of them.
        {QObject::tr("Content hash"), theme::toQt(model.contentHash.substr(0, 12)), theme::toQt(model.contentHash)});
    for (const std::string& note : model.notes)
        facts.push_back({QObject::tr("Note"), theme::toQt(note), theme::toQt(note), Tone::secondary});
    return facts;
}

std::vector<Row> makeLayers(const model::ModelRef& model)
{
    std::int64_t all = 0;
    std::int64_t most = 0;
    for (const model::LayerSpec& layer : model.layers) {
        all += layer.macs;
        most = std::max(most, layer.macs);
    }
    std::vector<Row> rows;
    for (const model::LayerSpec& layer : model.layers) {
        Row row;
        row.key = static_cast<qint64>(rows.size()) + 1;
        const auto some = [](std::int64_t value, const QString& text) {
            return tables::TextTableModel::Cell{value > 0 ? text : QString(),
                                                value > 0 ? QVariant(static_cast<double>(value)) : QVariant()};
        };
        const double share = all > 0 ? static_cast<double>(layer.macs) / static_cast<double>(all) : 0;
        row.cells = {{QString::number(row.key), row.key, Tone::secondary},
                     {theme::toQt(layer.name), {}},
                     {theme::toQt(layer.type), {}},
                     {theme::shape(layer.outputShape), {}, Tone::secondary},
                     some(layer.parameters, theme::count(layer.parameters)),
                     some(layer.macs, theme::magnitude(static_cast<double>(layer.macs))),
                     some(layer.macs, QString::number(share * 100, 'f', 1) + QStringLiteral(" %"))};
        if (layer.macs > 0)
            row.cells.back().raw = share * 100;
        // The bar is relative to the heaviest layer; relative to the sum, all bars of a deep network would look alike.
        row.cells.back().share = layer.macs > 0 ? static_cast<double>(layer.macs) / static_cast<double>(most) : -1;
        row.toolTip = QObject::tr("%1 (%2)\n%3 parameters · %4 multiply-accumulates a sample")
                          .arg(theme::toQt(layer.name), theme::toQt(layer.type), theme::count(layer.parameters),
                               theme::count(layer.macs));
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace

std::vector<ModelChoice> modelChoices(const std::vector<model::ModelRef>& models)
{
    std::vector<ModelChoice> choices;
    for (const model::ModelRef& model : models)
        choices.push_back({theme::toQt(model.name), theme::toQt(model.source), true});
    for (const models::ZooEntry& entry : models::zoo()) {
        // Names are free, sources are not: a model of the user may have the name of one in the zoo.
        const bool known = std::any_of(models.begin(), models.end(), [&entry](const model::ModelRef& model) {
            return model.source == entry.source && model.name == entry.name;
        });
        if (!known)
            choices.push_back({theme::toQt(entry.name), theme::toQt(entry.source), false});
    }
    return choices;
}

std::vector<Row> choiceRows(const std::vector<ModelChoice>& choices, const std::vector<model::ModelRef>& models)
{
    std::vector<Row> rows;
    for (const ModelChoice& choice : choices) {
        std::int64_t parameters = 0;
        if (choice.imported) {
            const auto model = std::find_if(models.begin(), models.end(),
                                            [&choice](const auto& m) { return theme::toQt(m.name) == choice.name; });
            parameters = model == models.end() ? 0 : model->parameters;
        } else if (const models::ZooEntry* entry = zooEntry(choice.source)) {
            parameters = entry->parameters;
        }
        Row row;
        row.key = static_cast<qint64>(rows.size()) + 1;
        row.cells = {{choice.name, {}, Tone::text, choice.imported ? QStringLiteral("check") : QStringLiteral("plus")},
                     {parameters > 0 ? theme::magnitude(static_cast<double>(parameters)) : QString(),
                      parameters > 0 ? QVariant(static_cast<double>(parameters)) : QVariant(), Tone::secondary},
                     {choice.imported ? QObject::tr("imported") : QObject::tr("zoo"), {}, Tone::secondary}};
        row.toolTip = choice.imported ? QObject::tr("%1, imported from %2").arg(choice.name, choice.source)
                                      : QObject::tr("%1, in the zoo, not imported yet").arg(choice.source);
        rows.push_back(std::move(row));
    }
    return rows;
}

ModelView makeModelView(const model::ModelRef& model)
{
    return {makeFigures(model), makeFacts(model), makeLayers(model)};
}

std::vector<tables::TextTableModel::Column> layerColumns()
{
    return {{QStringLiteral("#"), true, QObject::tr("Place in execution order")},
            {QObject::tr("Layer"), false, QObject::tr("Name inside the model"), true},
            {QObject::tr("Type"), false, QObject::tr("Class of the layer")},
            {QObject::tr("Output"), false, QObject::tr("Shape of its output at batch 1")},
            {QObject::tr("Parameters"), true, QObject::tr("Learned values of this layer")},
            {QObject::tr("MACs"), true, QObject::tr("Multiply-accumulates of one sample")},
            {QObject::tr("Share of MACs"),
             true,
             QObject::tr("Share of the multiply-accumulates of all layers; the bar compares with the heaviest layer"),
             false,
             {QObject::tr("Share of MACs (%)")}}};
}

QString taskWord(model::TaskType task)
{
    switch (task) {
    case model::TaskType::classification:
        return QObject::tr("classification");
    case model::TaskType::segmentation:
        return QObject::tr("segmentation");
    case model::TaskType::detection:
        return QObject::tr("detection");
    case model::TaskType::other:
        return QObject::tr("other");
    case model::TaskType::unknown:
        break;
    }
    return {};
}

QString modelFacts(const model::ModelRef& model)
{
    QStringList parts{theme::toQt(model.source), taskWord(model.taskType)};
    if (model.parameters > 0)
        parts << QObject::tr("%1 parameters").arg(theme::magnitude(static_cast<double>(model.parameters)));
    if (model.macs)
        parts << QObject::tr("%1 MAC a sample").arg(theme::magnitude(static_cast<double>(*model.macs)));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

const models::ZooEntry* zooEntry(const QString& source)
{
    const std::vector<models::ZooEntry>& zoo = models::zoo();
    const auto found = std::find_if(zoo.begin(), zoo.end(),
                                    [&source](const auto& entry) { return theme::toQt(entry.source) == source; });
    return found == zoo.end() ? nullptr : &*found;
}

} // namespace apertune::gui
