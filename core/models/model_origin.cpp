// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/model_origin.h"

#include "core/base/escape.h"
#include "core/models/errors.h"

namespace apertune::models {

namespace fs = std::filesystem;

bool hasOrigin(const model::ModelRef& model, const std::string& source, const fs::path& weights)
{
    if (model.source != source)
        return false;
    if (!weights.empty())
        return model.weights == "file " + weights.filename().string();
    // A model in an engine's format has its weights in the same file.
    return !model.weights.starts_with("file ") || model.weights == "file " + fs::path(source).filename().string();
}

base::Message importByCommand(const model::ModelRef& model, bool otherWeights)
{
    const std::string source = base::shellQuoted(model.source);
    const std::string name = base::shellQuoted(model.name);
    return otherWeights ? base::message<errors::kImportByCommandWeights>(source, name)
                        : base::message<errors::kImportByCommand>(source, name);
}

} // namespace apertune::models
