// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_manifest.h"

#include "core/base/errors.h"
#include "core/base/files.h"
#include "core/base/json_optional.h"
#include "core/model/errors.h"
#include "core/model/json_codec.h"

#include <nlohmann/json.hpp>

namespace apertune::model {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

/// Reads an optional member; `fallback` when it is absent or null.
template <typename T>
T valueOr(const Json& json, const char* name, T fallback)
{
    const auto it = json.find(name);
    return it == json.end() || it->is_null() ? fallback : it->get<T>();
}

TensorSpec readTensor(const Json& json)
{
    TensorSpec spec;
    spec.name = json.at("name").get<std::string>();
    spec.dtype = json.at("dtype").get<std::string>();
    spec.shape = json.at("shape").get<std::vector<std::int64_t>>();
    // null stands for an input that has no batch.
    if (const auto it = json.find("batch_dim"); it != json.end() && it->is_number_integer())
        spec.batchDim = it->get<int>();
    return spec;
}

LayerSpec readLayer(const Json& json)
{
    return {valueOr(json, "name", std::string()), valueOr(json, "type", std::string()),
            valueOr(json, "parameters", std::int64_t{0}), valueOr(json, "macs", std::int64_t{0}),
            valueOr(json, "output_shape", std::vector<std::int64_t>{})};
}

Json writeTensor(const TensorSpec& spec)
{
    return {
        {"name", spec.name}, {"dtype", spec.dtype}, {"shape", spec.shape}, {"batch_dim", base::orNull(spec.batchDim)}};
}

Json writeLayer(const LayerSpec& layer)
{
    return {{"name", layer.name},
            {"type", layer.type},
            {"parameters", layer.parameters},
            {"macs", layer.macs},
            {"output_shape", layer.outputShape}};
}

/// The members that begin every JSON form of a model.
Json writeDescription(const ModelRef& m)
{
    Json json = {{"name", m.name},
                 {"source", m.source},
                 {"family", toString(m.taskType)},
                 {"weights", m.weights},
                 {"artifact", m.artifact.string()},
                 {"content_hash", m.contentHash},
                 {"parameters", m.parameters},
                 {"parameter_bytes", m.parameterBytes.count},
                 {"macs", base::orNull(m.macs)},
                 {"inputs", Json::array()},
                 {"outputs", Json::array()},
                 {"failing_batches", Json::array()},
                 {"dynamic_batch", m.dynamicBatch},
                 {"state", m.state},
                 {"random", m.random}};
    for (const TensorSpec& input : m.inputs)
        json["inputs"].push_back(writeTensor(input));
    for (const TensorSpec& output : m.outputs)
        json["outputs"].push_back(writeTensor(output));
    for (const auto& [batch, why] : m.failingBatches)
        json["failing_batches"].push_back({{"batch", batch}, {"why", why}});
    return json;
}

/// Reads the members that manifests and stored models share; the artifact folder and its files differ.
ModelRef readModel(const Json& json)
{
    // Members with a fallback are missing in manifests of earlier exporters.
    ModelRef m;
    m.name = json.at("name").get<std::string>();
    m.source = json.at("source").get<std::string>();
    m.taskType = taskTypeFromString(valueOr(json, "family", std::string("other")));
    m.weights = valueOr(json, "weights", std::string());
    m.contentHash = json.at("content_hash").get<std::string>();
    m.parameters = valueOr(json, "parameters", std::int64_t{0});
    m.parameterBytes.count = valueOr(json, "parameter_bytes", std::int64_t{0});
    if (const auto it = json.find("macs"); it != json.end() && it->is_number())
        m.macs = it->get<std::int64_t>();
    for (const Json& input : json.at("inputs"))
        m.inputs.push_back(readTensor(input));
    for (const Json& output : json.at("outputs"))
        m.outputs.push_back(readTensor(output));
    m.dynamicBatch = valueOr(json, "dynamic_batch", true);
    const auto failing = valueOr(json, "failing_batches", Json::array_t());
    for (const Json& batch : failing)
        m.failingBatches[batch.at("batch").get<int>()] = batch.at("why").get<std::string>();
    m.state = valueOr(json, "state", std::vector<std::string>{});
    m.random = valueOr(json, "random", false);
    const auto layers = valueOr(json, "layers", Json::array_t());
    for (const Json& layer : layers)
        m.layers.push_back(readLayer(layer));
    m.notes = valueOr(json, "notes", std::vector<std::string>{});
    return m;
}

std::filesystem::path manifestOf(const std::filesystem::path& artifact)
{
    return artifact / "manifest.json";
}

Error unreadable(const std::filesystem::path& artifact, const Json::exception& why)
{
    return {ErrorCode::corrupt, base::message<errors::kUnreadableManifest>(why.what()), manifestOf(artifact).string(),
            base::message<base::errors::kImportModelAgain>()};
}

} // namespace

base::Result<ModelRef> readManifest(const std::filesystem::path& artifact)
{
    const auto manifest = readManifestDocument(artifact);
    if (!manifest)
        return manifest.error();
    return modelOfManifest(*manifest, artifact);
}

base::Result<Json> readManifestDocument(const std::filesystem::path& artifact)
{
    const auto text = base::readFile(manifestOf(artifact));
    if (!text)
        return text.error();
    try {
        return Json::parse(*text);
    } catch (const Json::exception& e) {
        return unreadable(artifact, e);
    }
}

base::Result<ModelRef> modelOfManifest(const Json& manifest, const std::filesystem::path& artifact)
{
    try {
        const auto schema = manifest.at("schema").get<std::string>();
        if (schema != "apertune.model/1")
            return Error{ErrorCode::unsupported, base::message<errors::kOtherArtifactSchema>(schema),
                         manifestOf(artifact).string(), base::message<errors::kImportAgainOrUpdate>()};
        ModelRef model = readModel(manifest);
        const Json& files = manifest.at("files");
        model.hasExportedProgram = files.contains("exported") && files.at("exported").is_object();
        model.files.clear();
        // Nothing opens the exported program: packages are compiled from it.
        for (const auto& [format, described] : files.items())
            if (format != "exported" && described.is_object())
                model.files[format] = valueOr(described, "path", std::string());
        model.artifact = artifact;
        return model;
    } catch (const Json::exception& e) {
        return unreadable(artifact, e);
    }
}

Json toJson(const ModelRef& m)
{
    Json json = writeDescription(m);
    json["has_exported_program"] = m.hasExportedProgram;
    json["files"] = m.files;
    json["layers"] = Json::array();
    for (const LayerSpec& layer : m.layers)
        json["layers"].push_back(writeLayer(layer));
    json["notes"] = m.notes;
    return json;
}

Json summaryJson(const ModelRef& m)
{
    Json json = writeDescription(m);
    json["can_compile"] = m.hasExportedProgram;
    json["notes"] = m.notes;
    return json;
}

base::Result<ModelRef> modelFromJson(const Json& json)
{
    try {
        ModelRef model = readModel(json);
        model.artifact = json.at("artifact").get<std::string>();
        model.hasExportedProgram = json.at("has_exported_program").get<bool>();
        model.files = valueOr(json, "files", model.files);
        return model;
    } catch (const Json::exception& e) {
        return Error{ErrorCode::corrupt,
                     base::message<errors::kUnreadableModel>(e.what()),
                     {},
                     base::message<errors::kOtherVersion>()};
    }
}

} // namespace apertune::model
