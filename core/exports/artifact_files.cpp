// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/artifact_files.h"

#include "core/base/contained_path.h"
#include "core/base/files.h"
#include "core/exports/errors.h"
#include "core/model/errors.h"

#include <nlohmann/json.hpp>

namespace apertune::exports {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

/// Whether this is one image a sample: channels before height and width.
bool takesImage(const model::TensorSpec& input)
{
    return input.dtype == "float32" && input.batchDim == 0 && input.shape.size() == 4 &&
           (input.shape[1] == 1 || input.shape[1] == 3);
}

/// Reads `preprocessing` of a manifest, which FORMAT.md describes. Missing members have the values that the exporter
/// itself takes for them.
std::optional<ImageRecipe> imageRecipe(const Json& manifest, const std::vector<ArtifactFiles::Input>& inputs)
{
    const Json given = manifest.value("preprocessing", Json());
    if (!given.is_object() || inputs.size() != 1 || !takesImage(inputs[0].spec))
        return std::nullopt;
    ImageRecipe recipe;
    // Without a crop the image is stretched, whatever the size is.
    if (const Json resize = given.value("resize", Json()); resize.is_number_integer() && given.contains("crop"))
        recipe.resize = resize.get<int>();
    recipe.interpolation = given.value("interpolation", recipe.interpolation);
    recipe.mean = given.value("mean", recipe.mean);
    recipe.deviation = given.value("std", recipe.deviation);
    return recipe;
}

ArtifactFiles readFiles(const Json& manifest)
{
    ArtifactFiles files;
    // Models in an engine's own format have no TorchScript.
    if (const Json& torchscript = manifest.at("files").at("torchscript"); !torchscript.is_null())
        files.torchscript = torchscript.at("path").get<std::string>();
    if (const auto torch = manifest.find("torch"); torch != manifest.end() && torch->is_string())
        files.torch = torch->get<std::string>();
    for (const Json& json : manifest.at("inputs")) {
        ArtifactFiles::Input input;
        input.spec.name = json.at("name").get<std::string>();
        input.spec.dtype = json.at("dtype").get<std::string>();
        input.spec.shape = json.at("shape").get<std::vector<std::int64_t>>();
        // An input without a batch dimension has the same size for every batch.
        if (const auto dim = json.find("batch_dim"); dim != json.end() && dim->is_number_integer())
            input.spec.batchDim = dim->get<int>();
        input.file = json.at("file").get<std::string>();
        input.samples = json.value("samples", std::int64_t{1});
        files.inputs.push_back(std::move(input));
    }
    files.image = imageRecipe(manifest, files.inputs);
    return files;
}

} // namespace

base::Result<ArtifactFiles> readArtifactFiles(const std::filesystem::path& artifact)
{
    const base::Message again = base::message<errors::kImportByCommand>();
    const auto text = base::readFile(artifact / "manifest.json");
    if (!text)
        return Error{ErrorCode::notFound, base::message<errors::kArtifactGone>(), artifact.string(), again};
    ArtifactFiles files;
    try {
        files = readFiles(Json::parse(*text));
    } catch (const Json::exception& e) {
        return Error{ErrorCode::corrupt, base::message<model::errors::kUnreadableManifest>(e.what()), artifact.string(),
                     again};
    }
    std::vector<std::filesystem::path> needed;
    if (!files.torchscript.empty())
        needed.push_back(files.torchscript);
    for (const ArtifactFiles::Input& input : files.inputs)
        needed.push_back(input.file);
    std::error_code ignored;
    for (const auto& file : needed) {
        // A manifest from elsewhere must not make an export copy files of the user.
        if (auto within = base::requireWithin(artifact, artifact / file); !within)
            return within.error();
        if (!std::filesystem::is_regular_file(artifact / file, ignored))
            return Error{ErrorCode::notFound, base::message<errors::kArtifactLacks>(file.string()), artifact.string(),
                         again};
    }
    return files;
}

std::optional<bool> takesAnyBatch(const std::filesystem::path& file)
{
    const auto text = base::readFile(file.parent_path() / "format.json");
    const Json description = text ? Json::parse(*text, nullptr, false) : Json();
    const auto any = description.is_object() ? description.find("dynamic_batch") : description.end();
    return any != description.end() && any->is_boolean() ? std::optional(any->get<bool>()) : std::nullopt;
}

std::vector<std::filesystem::path> companionsOf(const std::filesystem::path& file)
{
    std::vector<std::filesystem::path> found;
    std::error_code ignored;
    for (std::filesystem::path companion :
         {std::filesystem::path(file).replace_extension(".bin"), std::filesystem::path(file.string() + ".data")})
        if ((file.extension() == ".xml" || file.extension() == ".onnx") &&
            std::filesystem::is_regular_file(companion, ignored))
            found.push_back(std::move(companion));
    return found;
}

} // namespace apertune::exports
