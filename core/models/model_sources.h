// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace apertune::models {

/// What a person may write for a model that is not yet imported. Private to this folder.
struct ModelSource
{
    std::string text;             ///< as the exporter takes it and the manifest keeps it; paths are absolute
    std::string name;             ///< the name it gets when none is given
    std::filesystem::path file{}; ///< the file behind it, for python: and TorchScript sources
};

/// torchvision:NAME, timm:NAME, zoo:NAME, python:FILE.py:CALLABLE, an existing file, or a bare zoo name; a zoo entry is
/// always told by its own source, so that two spellings are one model. Behind a name, @N asks for images of N by N.
/// Failures: invalidArgument (malformed, unknown kind with the nearest one), notFound (no such file, name or source);
/// a word that could be a mistyped name is notFound with an empty hint, for the caller to fill in.
base::Result<ModelSource> identifySource(const std::string& text);

/// "resnet50@160" as "resnet50" and "160"; nothing where no @ stands behind the last / and :, which are a path's.
std::optional<std::pair<std::string, std::string>> splitSize(const std::string& text);

/// A model name made of `text`: letters, digits, '.', '_' and '-', at most 100 of them, not empty.
std::string sanitizedName(const std::string& text);

/// Failure: invalidArgument when it is not a name that sanitizedName() leaves alone.
base::Status checkName(const std::string& name);

/// Was the model imported from that source with those weights (empty: the source's own)?
bool hasOrigin(const model::ModelRef& model, const std::string& source, const std::filesystem::path& weights);

/// Can the model still be used as it is: its artifact is there, and the file it came from has not changed since?
bool isFresh(const model::ModelRef& model, const ModelSource& source);

} // namespace apertune::models
