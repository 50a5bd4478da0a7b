// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_sheet.h"

#include "core/base/text.h"
#include "core/model/json_codec.h"

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

std::string batchText(const model::ModelRef& m)
{
    if (!m.dynamicBatch)
        return "fixed: only batch 1 can run";
    std::vector<std::string> failing;
    for (const auto& [batch, why] : m.failingBatches)
        failing.push_back(std::to_string(batch));
    return failing.empty() ? "any" : "any but " + base::join(failing);
}

base::Error unknownModel(const std::string& name, const std::vector<model::ModelRef>& models)
{
    std::vector<std::string> names;
    for (const model::ModelRef& m : models)
        names.push_back(m.name);
    const std::string nearest = base::closestMatch(name, names);
    return base::plainError(base::ErrorCode::notFound, "There is no model \"" + name + "\" in the workspace.", {},
                            nearest.empty()
                                ? "`apertune model list` shows what there is; `apertune model import SOURCE` adds one."
                                : "Did you mean " + nearest + "?");
}

} // namespace

Json modelDocument(const model::ModelRef& m)
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
    text += "  Task type     " + std::string(model::toString(m.taskType)) + "\n";
    text += "  Weights       " + (m.weights.empty() ? std::string("–") : m.weights) + "\n";
    text += "  Parameters    " + countText(m.parameters) + " (" + base::formatBytes(m.parameterBytes) + ")\n";
    text += "  MACs a sample " + macsText(m) + "\n";
    for (const auto& [title, tensors] : {std::pair{"  Input         ", &m.inputs}, {"  Output        ", &m.outputs}})
        for (const model::TensorSpec& t : *tensors)
            text += title + t.name + "  " + t.dtype + "  " + shapeText(t) + "\n";
    text += std::string("  Batch         ") + batchText(m) + "\n";
    text += std::string("  Compilable    ") +
            (m.hasExportedProgram ? "yes" : "no: LibTorch cannot run it at level O3") + "\n";
    for (const std::string& note : m.notes)
        text += "  Note          " + note + "\n";
    text += "  Artifact      " + m.artifact.string() + "\n";
    return text;
}

base::Result<model::ModelRef> findModel(const store::Store& store, const std::string& name)
{
    const auto models = store.models();
    if (!models)
        return models.error();
    for (const model::ModelRef& m : *models)
        if (m.name == name)
            return m;
    return unknownModel(name, *models);
}

} // namespace apertune::cli
