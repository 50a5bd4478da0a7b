// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model_ref.h"

#include "core/base/files.h"

#include <nlohmann/json.hpp>

namespace apertune::model {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

TensorSpec readTensor(const Json& json)
{
    TensorSpec spec;
    spec.name = json.at("name").get<std::string>();
    spec.dtype = json.at("dtype").get<std::string>();
    spec.shape = json.at("shape").get<std::vector<std::int64_t>>();
    if (const auto it = json.find("batch_dim"); it != json.end() && it->is_number_integer())
        spec.batchDim = it->get<int>();
    return spec;
}

LayerSpec readLayer(const Json& json)
{
    return {json.value("name", ""), json.value("type", ""), json.value("parameters", std::int64_t{0}),
            json.value("macs", std::int64_t{0}), json.value("output_shape", std::vector<std::int64_t>{})};
}

ModelRef readModel(const Json& json, const std::filesystem::path& artifact)
{
    ModelRef m;
    m.artifact = artifact;
    m.name = json.at("name").get<std::string>();
    m.source = json.at("source").get<std::string>();
    m.family = json.value("family", "other");
    m.weights = json.value("weights", "");
    m.contentHash = json.at("content_hash").get<std::string>();
    m.parameters = json.value("parameters", std::int64_t{0});
    m.parameterBytes.count = json.value("parameter_bytes", std::int64_t{0});
    if (const auto it = json.find("macs"); it != json.end() && it->is_number())
        m.macs = it->get<std::int64_t>();
    for (const Json& input : json.at("inputs"))
        m.inputs.push_back(readTensor(input));
    for (const Json& output : json.at("outputs"))
        m.outputs.push_back(readTensor(output));
    m.dynamicBatch = json.value("dynamic_batch", true);
    const Json& files = json.at("files");
    m.hasExportedProgram = files.contains("exported") && files.at("exported").is_object();
    for (const Json& layer : json.value("layers", Json::array()))
        m.layers.push_back(readLayer(layer));
    m.notes = json.value("notes", std::vector<std::string>{});
    return m;
}

} // namespace

base::Result<ModelRef> readManifest(const std::filesystem::path& artifact)
{
    const auto file = artifact / "manifest.json";
    const auto text = base::readFile(file);
    if (!text)
        return text.error();
    try {
        const Json json = Json::parse(*text);
        const auto schema = json.at("schema").get<std::string>();
        if (schema != "apertune.model/1")
            return Error{ErrorCode::unsupported,
                         "The model artifact has schema \"" + schema + "\"; this version reads apertune.model/1.",
                         file.string(), "Import the model again, or update Apertune."};
        return readModel(json, artifact);
    } catch (const Json::exception& e) {
        return Error{ErrorCode::corrupt, std::string("The model's manifest is unreadable: ") + e.what() + ".",
                     file.string(), "Import the model again."};
    }
}

} // namespace apertune::model
