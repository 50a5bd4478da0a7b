// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apertune::models {

/// The source of a model that is not yet imported. Private to this folder.
struct ModelSource
{
    std::string text;               ///< the source as the exporter and the manifest have it; paths are absolute
    std::string name;               ///< the model's name unless another is given
    std::filesystem::path file{};   ///< the file of a python: source, or the file that the source is
    std::filesystem::path folder{}; ///< the folder of an hf: or diffusers: source, which holds no code that runs
};

/// Reads a source: torchvision:NAME, timm:NAME, zoo:NAME, hf:FOLDER, diffusers:NAME#PART, diffusers:FOLDER#PART,
/// python:FILE.py:CALLABLE, an existing file, a bare zoo name, or a variant of one of them (core/model/variant.h).
///
///  - A zoo entry is replaced by its own source, so that two spellings are one model.
///  - @N behind a name asks for images of N by N.
///
/// Failures: invalidArgument (malformed, or an unknown kind; the message names the nearest one), notFound (no such
/// file, name or source). A word that could be a mistyped name is notFound with an empty hint, which the caller fills
/// in.
base::Result<ModelSource> identifySource(const std::string& text);

/// Splits "resnet50@160" into "resnet50" and "160". Returns nothing without an @ after the last / and :, because an
/// earlier @ belongs to a path.
std::optional<std::pair<std::string, std::string>> splitSize(const std::string& text);

/// The files of a source: its file, or those in its folder and in the folders there. Without either, none.
std::vector<std::filesystem::path> filesOf(const ModelSource& source);

/// Returns the folder that an argument of the exporter names as hf:FOLDER[@N] or diffusers:FOLDER[#PART][@N]; empty for
/// any other argument, and where there is no such folder.
std::filesystem::path folderNamedBy(const std::string& argument);

/// Returns whether the model can be used as it is: its artifact exists, and no file of its source has changed
/// since.
bool isFresh(const model::ModelRef& model, const ModelSource& source);

} // namespace apertune::models
