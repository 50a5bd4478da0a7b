// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/artifact.h"

#include "plugins/libtorch/fault.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>

namespace apertune::libtorch {

namespace {

using Json = nlohmann::json;

constexpr const char* kImportAgain = "Import the model again.";

[[noreturn]] void bad(const std::string& message, const std::string& detail = {})
{
    throw Fault(APERTUNE_BAD_INPUT, message, kImportAgain, detail);
}

/// The path of `name` inside the artifact, which must be a file of exactly `bytes`.
std::filesystem::path checkedFile(const std::filesystem::path& folder, const std::string& name, std::uintmax_t bytes)
{
    const auto path = folder / name;
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error)
        bad("The model artifact lacks the file " + path.string() + ".", error.message());
    if (size != bytes)
        bad("The file " + path.string() + " has " + std::to_string(size) + " bytes instead of the " +
            std::to_string(bytes) + " that the manifest says: it is truncated or was replaced.");
    return path;
}

InputSpec readInput(const std::filesystem::path& folder, const Json& json)
{
    InputSpec input;
    input.name = json.at("name").get<std::string>();
    input.dtype = json.at("dtype").get<std::string>();
    input.shape = json.at("shape").get<std::vector<std::int64_t>>();
    input.samples = json.at("samples").get<std::int64_t>();
    if (const Json& dim = json.at("batch_dim"); !dim.is_null()) {
        input.batchDim = dim.get<int>();
        if (*input.batchDim < 0 || static_cast<std::size_t>(*input.batchDim) >= input.shape.size())
            bad("The manifest gives the input " + input.name + " a batch dimension it does not have.");
    }
    std::int64_t bytes = elementSize(input.dtype);
    if (bytes == 0)
        bad("The input " + input.name + " has the element type " + input.dtype + ", which is not supported.");
    if (input.samples < 1 || (!input.batchDim && input.samples != 1))
        bad("The manifest gives the input " + input.name + " a wrong number of samples.");
    for (std::int64_t extent : input.shape)
        bytes *= extent;
    input.file =
        checkedFile(folder, json.at("file").get<std::string>(), static_cast<std::uintmax_t>(bytes * input.samples));
    return input;
}

} // namespace

std::int64_t elementSize(const std::string& dtype)
{
    static const std::map<std::string, std::int64_t> kSizes{
        {"float32", 4}, {"float64", 8}, {"float16", 2}, {"bfloat16", 2}, {"int64", 8},
        {"int32", 4},   {"int16", 2},   {"int8", 1},    {"uint8", 1},    {"bool", 1}};
    const auto found = kSizes.find(dtype);
    return found == kSizes.end() ? 0 : found->second;
}

Artifact readArtifact(const std::filesystem::path& folder)
{
    const auto path = folder / "manifest.json";
    std::ifstream stream(path);
    if (!stream)
        bad(folder.string() + " is not a model artifact: it has no readable manifest.json.");
    try {
        const Json manifest = Json::parse(stream);
        const auto schema = manifest.at("schema").get<std::string>();
        if (schema != "apertune.model/1")
            bad("The model artifact has the schema " + schema + "; this backend reads apertune.model/1.");
        Artifact artifact;
        for (const Json& input : manifest.at("inputs"))
            artifact.inputs.push_back(readInput(folder, input));
        if (artifact.inputs.empty())
            bad("The model has no inputs.");
        for (const Json& output : manifest.value("outputs", Json::array()))
            artifact.outputNames.push_back(output.at("name").get<std::string>());
        artifact.contentHash = manifest.value("content_hash", "");
        artifact.dynamicBatch = manifest.value("dynamic_batch", true);
        if (const Json& script = manifest.at("files").at("torchscript"); script.is_object())
            artifact.torchscript =
                checkedFile(folder, script.at("path").get<std::string>(), script.at("bytes").get<std::uintmax_t>());
        return artifact;
    } catch (const Json::exception& e) {
        bad("The manifest " + path.string() + " is not readable.", e.what());
    }
}

} // namespace apertune::libtorch
