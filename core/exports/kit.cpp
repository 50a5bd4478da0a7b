// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/kit.h"

#include "core/base/contained_path.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/exports/artifact_files.h"
#include "core/exports/detection_outputs.h"
#include "core/exports/engine_program.h"
#include "core/exports/errors.h"
#include "core/exports/export_config.h"
#include "core/exports/export_manifest.h"
#include "core/model/config.h"
#include "core/model/goal.h"
#include "core/model/json_codec.h"
#include "core/text/mustache.h"

#include <export_templates.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace apertune::exports {

namespace fs = std::filesystem;

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

Json protocolDocument(const KitProtocol& protocol)
{
    return {{"warmup_min_ns", protocol.warmUpLeast.count},
            {"warmup_max_ns", protocol.warmUpMost.count},
            {"min_block_ns", protocol.minBlock.count},
            {"min_blocks", protocol.minBlocks},
            {"least_blocks", protocol.leastBlocks},
            {"max_blocks", protocol.maxBlocks},
            {"min_ns", protocol.minTime.count},
            {"max_ns", protocol.maxTime.count},
            {"target", protocol.target}};
}

/// Why the outputs of the model say nothing value by value; empty: they do.
std::string whyNotComparable(const model::ModelRef& model)
{
    if (model.random)
        return "The model draws random numbers, which differ from device to device.";
    if (!model.state.empty())
        return "The model keeps state from pass to pass.";
    if (givesDetections(model))
        return "The model gives lists of detections, whose order changes with the last digit of a score.";
    return {};
}

/// Where the file of each batch lies in the kit. Batches that share a file name it alike.
std::vector<std::string> placesOf(const std::vector<KitBatch>& batches)
{
    std::set<fs::path> distinct;
    for (const KitBatch& batch : batches)
        distinct.insert(batch.opened);
    std::vector<std::string> places;
    for (const KitBatch& batch : batches)
        places.push_back((distinct.size() == 1 ? "model/" : "model/b" + std::to_string(batch.batch) + "/") +
                         batch.opened.filename().string());
    return places;
}

std::string expectedFile(int batch)
{
    return "expected/b" + std::to_string(batch) + ".ref";
}

model::Config configOf(const KitEngine& engine, model::Precision precision, int batch)
{
    model::Config config;
    config.backend = engine.name;
    config.level = engine.level;
    config.precision = precision;
    config.batch = batch;
    for (const std::string& name : engine.switches)
        config.switches[name] = true;
    return config;
}

Json kitDocument(const KitRequest& request, const ArtifactFiles& artifact, bool torchscript)
{
    const model::ModelRef& model = request.model;
    const KitEngine& engine = engineOf(request.platform);
    const Json described = model::toJson(model);
    Json inputs = Json::array();
    for (std::size_t i = 0; i < artifact.inputs.size(); ++i)
        inputs.push_back(inputDocument(artifact.inputs[i], "inputs/" + std::to_string(i) + ".bin"));
    const std::vector<std::string> places = placesOf(request.batches);
    Json cases = Json::array();
    for (const model::Precision precision : request.precisions)
        for (std::size_t i = 0; i < request.batches.size(); ++i)
            cases.push_back({{"config", model::toJson(configOf(engine, precision, request.batches[i].batch))},
                             {"package", torchscript ? Json(nullptr) : Json(places[i])},
                             {"expected", expectedFile(request.batches[i].batch)}});
    return {{"schema", "apertune.kit/1"},
            {"manifest", kManifestFile},
            {"kit",
             {{"platform", request.platform.name},
              {"title", request.platform.title},
              {"device", request.platform.device},
              {"engine", engine.name},
              {"requirement", request.platform.requirement},
              {"remark", request.platform.remark},
              {"apertune", request.apertune}}},
            {"model",
             {{"name", model.name},
              {"source", model.source},
              {"family", toString(model.taskType)},
              {"content_hash", model.contentHash},
              {"torchscript", torchscript ? Json("model/model.pt") : Json(nullptr)},
              {"state", model.state},
              {"random", model.random},
              {"inputs", described.at("inputs")}}},
            {"device", Json::parse(request.platform.target)},
            {"stand_in", Json::parse(engine.standIn)},
            {"wait_policy", nullptr},
            {"inputs", inputs},
            {"cases", cases},
            {"comparable", whyNotComparable(model).empty()},
            {"min_cosine", model::Goal{}.minQuality},
            {"protocol", protocolDocument(request.protocol)}};
}

std::string readme(const KitRequest& request)
{
    const KitEngine& engine = engineOf(request.platform);
    std::vector<std::string> precisions;
    for (const model::Precision precision : request.precisions)
        precisions.emplace_back(toString(precision));
    std::vector<std::string> batches;
    for (const KitBatch& batch : request.batches)
        batches.push_back(std::to_string(batch.batch));
    const std::string why = whyNotComparable(request.model);
    return text::filled(templates::kKitReadme,
                        {{"MODEL", base::markdownText(request.model.name)},
                         {"PLATFORM", request.platform.title},
                         {"ENGINE", engine.title},
                         {"MODULE", engine.module},
                         {"REQUIREMENT", request.platform.requirement},
                         {"REMARK", request.platform.remark},
                         {"PRECISIONS", base::join(precisions)},
                         {"BATCHES", base::join(batches)},
                         {"NOT_COMPARED", why.empty() ? Json(nullptr) : Json(why)}},
                        text::Escape::none);
}

/// Adds the model as each batch opens it, with the files beside it that it reads.
base::Status addModels(const KitRequest& request, std::vector<ExportFile>& files)
{
    const std::vector<std::string> places = placesOf(request.batches);
    std::set<fs::path> added;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const fs::path& opened = request.batches[i].opened;
        const fs::path place = places[i];
        if (!added.insert(place).second)
            continue;
        files.push_back({place, {}, opened});
        for (const fs::path& companion : companionsOf(opened)) {
            // A link in the folder of a converted model may lead out of it.
            if (auto within = base::requireWithin(companion.parent_path(), companion); !within)
                return within.error();
            files.push_back({place.parent_path() / companion.filename(), {}, companion});
        }
    }
    return {};
}

} // namespace

base::Status checkKit(const model::ModelRef& model, const Platform& platform, const std::vector<int>& batches,
                      const std::vector<model::Precision>& precisions)
{
    if (platform.target.empty())
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNoKit>(platform.title, platform.remark),
                     {},
                     base::message<errors::kSeePlatforms>()};
    const KitEngine& engine = engineOf(platform);
    for (const model::Precision precision : precisions)
        if (std::count(platform.precisions.begin(), platform.precisions.end(), precision) == 0) {
            std::vector<std::string> known;
            for (const model::Precision one : platform.precisions)
                known.emplace_back(toString(one));
            return Error{ErrorCode::unsupported,
                         base::message<errors::kKitPrecision>(platform.title, std::string(toString(precision))),
                         {},
                         base::message<errors::kKitPrecisions>(base::join(known))};
        }
    const bool opens = std::any_of(engine.formats.begin(), engine.formats.end(),
                                   [&](const std::string& format) { return model.files.contains(format); });
    if (!opens && !model.files.contains("torchscript"))
        return Error{ErrorCode::unsupported,
                     base::message<errors::kKitNeedsFormat>(model.name, engine.title),
                     {},
                     base::message<errors::kSeePlatforms>()};
    for (const int batch : batches)
        if (batch != 1 && (!model.dynamicBatch || model.failingBatches.contains(batch)))
            return Error{ErrorCode::unsupported,
                         base::message<errors::kKitBatch>(model.name, batch),
                         {},
                         base::message<errors::kKitOtherBatch>()};
    return {};
}

base::Result<std::vector<ExportFile>> planKit(const KitRequest& request)
{
    std::vector<int> batches;
    for (const KitBatch& batch : request.batches)
        batches.push_back(batch.batch);
    if (const auto possible = checkKit(request.model, request.platform, batches, request.precisions); !possible)
        return possible.error();
    const fs::path folder = request.model.artifact;
    const auto artifact = readArtifactFiles(folder);
    if (!artifact)
        return artifact.error();
    const auto program = engineProgram(request.platform.backend);
    const KitEngine& engine = engineOf(request.platform);
    std::vector<ExportFile> files{
        {"apertune-config.json",
         kitDocument(request, *artifact, program->torchscript).dump(2, ' ', false, Json::error_handler_t::replace) +
             "\n"},
        {"kit.py", text::filled(templates::kKitPy, {{"PLATFORM", request.platform.title}, {"MODULE", engine.module}},
                                text::Escape::none)},
        {"kit_engine.py", kitEngineProgram(*program)},
        {"run.py", pythonProgram(*program)},
        {"check_files.py", std::string(templates::kCheckFilesPy)},
        {"README.md", readme(request)}};
    if (program->torchscript)
        files.push_back({"model/model.pt", {}, folder / artifact->torchscript});
    else if (const auto added = addModels(request, files); !added)
        return added.error();
    for (std::size_t i = 0; i < artifact->inputs.size(); ++i)
        files.push_back({"inputs/" + std::to_string(i) + ".bin", {}, folder / artifact->inputs[i].file});
    for (const KitBatch& batch : request.batches)
        files.push_back({expectedFile(batch.batch), {}, batch.expected});
    return files;
}

} // namespace apertune::exports
