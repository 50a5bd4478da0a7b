// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/engine/workbench.h"
#include "core/model/json_codec.h"
#include "core/models/artifact_users.h"
#include "core/report/format.h"
#include "core/report/text_table.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

std::string shapeText(const model::TensorSpec& tensor)
{
    std::vector<std::string> sizes;
    for (std::size_t i = 0; i < tensor.shape.size(); ++i)
        sizes.push_back(tensor.batchDim == static_cast<int>(i) ? "N" : std::to_string(tensor.shape[i]));
    return base::join(sizes, "×");
}

Json summaryDocument(const model::ModelRef& m)
{
    Json document = {{"schema", "apertune.model-summary/1"}};
    document.update(model::summaryJson(m));
    return document;
}

std::string countText(std::int64_t count)
{
    return base::formatMagnitude(static_cast<double>(count));
}

std::string macsText(const model::ModelRef& m)
{
    return m.macs ? countText(*m.macs) : "–";
}

std::string modelSheet(const model::ModelRef& m)
{
    std::string text = m.name + "  (" + m.source + ")\n";
    text += "  Task type        " + m.taskType + "\n";
    text += "  Weights       " + (m.weights.empty() ? std::string("–") : m.weights) + "\n";
    text += "  Parameters    " + countText(m.parameters) + " (" + base::formatBytes(m.parameterBytes) + ")\n";
    text += "  MACs a sample " + macsText(m) + "\n";
    for (const auto& [title, tensors] : {std::pair{"  Input         ", &m.inputs}, {"  Output        ", &m.outputs}})
        for (const model::TensorSpec& t : *tensors)
            text += title + t.name + "  " + t.dtype + "  " + shapeText(t) + "\n";
    text += std::string("  Batch         ") + (m.dynamicBatch ? "any" : "fixed: only batch 1 can run") + "\n";
    text += std::string("  Compilable    ") + (m.hasExportedProgram ? "yes" : "no: level O3 is not possible") + "\n";
    for (const std::string& note : m.notes)
        text += "  Note          " + note + "\n";
    text += "  Artifact      " + m.artifact.string() + "\n";
    return text;
}

base::Error unknownModel(const std::string& name, const std::vector<model::ModelRef>& models)
{
    std::vector<std::string> names;
    for (const model::ModelRef& m : models)
        names.push_back(m.name);
    const std::string nearest = base::closestMatch(name, names);
    return {base::ErrorCode::notFound,
            "There is no model \"" + name + "\" in the workspace.",
            {},
            nearest.empty() ? "`apertune model list` shows what there is; `apertune model import SOURCE` adds one."
                            : "Did you mean " + nearest + "?"};
}

/// The model of that name, or the failure already told.
base::Result<model::ModelRef> find(const store::Store& store, const std::string& name)
{
    const auto models = store.models();
    if (!models)
        return models.error();
    for (const model::ModelRef& m : *models)
        if (m.name == name)
            return m;
    return unknownModel(name, *models);
}

} // namespace

models::ExporterObserver importObserver(Terminal& terminal)
{
    return [&terminal](const models::ExporterProgress& progress) {
        if (progress.isLog) {
            terminal.note("  " + progress.text);
            return;
        }
        const std::string step = progress.total > 0 ? "[" + std::to_string(progress.step) + "/" +
                                                          std::to_string(progress.total) + "] " + progress.text
                                                    : progress.text;
        if (terminal.hasStatusLine())
            terminal.status(step);
        else
            terminal.note(step);
    };
}

int run(const ModelImport& options, Session& session)
{
    auto workbench = engine::Workbench::open(options.common.store);
    if (!workbench)
        return session.terminal.fail(workbench.error());
    (*workbench)->models().setLimits(options.limits);
    const auto model = (*workbench)
                           ->models()
                           .importModel(options.request, importObserver(session.terminal), session.interrupt.token());
    if (!model)
        return session.terminal.fail(model.error());
    session.terminal.document(summaryDocument(*model));
    session.terminal.text("Imported " + modelSheet(*model) + "\nNext:\n  apertune tune " +
                          base::shellQuoted(model->name));
    return kDone;
}

int run(const ModelList& options, Session& session)
{
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return session.terminal.fail(store.error());
    const auto models = store->models();
    if (!models)
        return session.terminal.fail(models.error());
    Json list = Json::array();
    report::TextTable table({{"Name"},
                             {"Source", report::Align::left, true},
                             {"Family"},
                             {"Parameters", report::Align::right},
                             {"MACs", report::Align::right}});
    for (const model::ModelRef& m : *models) {
        list.push_back(model::summaryJson(m));
        table.addRow({m.name, m.source, m.taskType, countText(m.parameters), macsText(m)});
    }
    session.terminal.document({{"schema", "apertune.models/1"}, {"models", list}});
    session.terminal.text(models->empty() ? "No models yet. Import one: apertune model import torchvision:resnet50"
                                          : table.render(session.terminal.width()));
    return kDone;
}

int run(const ModelZoo&, Session& session)
{
    Json list = Json::array();
    report::TextTable table({{"Name"},
                             {"Source", report::Align::left, true},
                             {"Family"},
                             {"Parameters", report::Align::right},
                             {"Summary", report::Align::left, true}});
    for (const models::ZooEntry& entry : models::ModelLibrary::zoo()) {
        list.push_back({{"name", entry.name},
                        {"source", entry.source},
                        {"family", entry.taskType},
                        {"summary", entry.summary},
                        {"parameters", entry.parameters}});
        table.addRow({entry.name, entry.source, entry.taskType, countText(entry.parameters), entry.summary});
    }
    session.terminal.document({{"schema", "apertune.zoo/1"}, {"models", list}});
    session.terminal.text(table.render(session.terminal.width()));
    return kDone;
}

int run(const ModelShow& options, Session& session)
{
    const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
    if (!store)
        return session.terminal.fail(store.error());
    const auto model = find(*store, options.name);
    if (!model)
        return session.terminal.fail(model.error());
    session.terminal.document(summaryDocument(*model));
    session.terminal.text(modelSheet(*model));
    return kDone;
}

int run(const ModelDelete& options, Session& session)
{
    auto store = store::Store::open(options.common.store, store::OpenMode::readWrite);
    if (!store)
        return session.terminal.fail(store.error());
    const auto model = find(*store, options.name);
    if (!model)
        return session.terminal.fail(model.error());
    if (const auto deleted = store->deleteModel(options.name); !deleted)
        return session.terminal.fail(deleted.error());
    const auto removal = models::removeUnusedArtifact(*store, *model);
    if (!removal)
        return session.terminal.fail(removal.error());
    session.terminal.document({{"schema", "apertune.deleted/1"},
                               {"kind", "model"},
                               {"ids", Json::array({options.name})},
                               {"freed_bytes", removal->freed.count}});
    session.terminal.text("Deleted " + options.name + ". " + removalText(*removal, *model));
    return kDone;
}

std::string removalText(const models::ArtifactRemoval& removal, const model::ModelRef& model)
{
    using Kept = models::ArtifactRemoval::Kept;
    const std::string where = model.artifact.string();
    const std::string stays = "Its files stay in " + where;
    const std::string users = base::join(removal.users);
    switch (removal.kept) {
    case Kept::no:
        return removal.freed.count > 0
                   ? "Its files are removed: " + base::formatBytes(removal.freed) + " are free again."
                   : "Its files were gone already.";
    case Kept::foreign:
        return stays + ", where they were imported from.";
    case Kept::models:
        return stays + ", for the model " + users + " uses them, too.";
    case Kept::studies:
        return stays + ", for " + users +
               " use them (export, verify, trace). They go with the last of these: apertune delete " +
               base::join(removal.users, " ");
    case Kept::otherWorkspaces:
        return stays + ", for other workspaces use them: " + users + ".";
    case Kept::unknownUsers:
        return stays +
               ": they are older than the list of the workspaces that use them. When no other workspace does, "
               "remove the folder: rm -r " +
               where;
    case Kept::error:
        break;
    }
    return stays + ", for they cannot be removed: " + users + ".";
}

} // namespace apertune::cli
