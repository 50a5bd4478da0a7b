// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/evaluation.h"

#include "core/base/errors.h"
#include "core/models/exporter_process.h"
#include "core/models/exporter_request.h"
#include "core/models/format_cache.h"
#include "core/runs/errors.h"
#include "core/study/trial_request.h"
#include "core/worker/backend_manifest.h"

#include <nlohmann/json.hpp>

namespace apertune::runs {

namespace fs = std::filesystem;

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

/// No set of images takes longer; a model that never ends does.
constexpr base::Nanoseconds kEvaluationLimit = base::fromSeconds(24 * 3600);

/// A model file and the exporter's name of its format.
struct ModelFile
{
    fs::path path;
    std::string format;
};

base::Result<ModelFile> fileOf(const study::ConfigurationRequest& configuration, const model::ModelRef& model)
{
    const std::string suffix = configuration.package.extension();
    // The file's ending decides, because a compiled or converted file replaces the model's own.
    for (const auto& [known, format] : {std::pair{".onnx", "onnx"}, {".xml", "openvino_ir"}, {".pt2", "aoti_package"}})
        if (suffix == known)
            return ModelFile{configuration.package, format};
    const auto script = model.files.find("torchscript");
    if (script == model.files.end())
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNoFileToEvaluate>(model.name),
                     {},
                     base::message<base::errors::kImportModelAgain>()};
    return ModelFile{model.artifact / script->second, "torchscript"};
}

base::Result<Json> runEvaluation(const worker::Installation& installation, std::vector<std::string> arguments,
                                 const study::PhaseSink& phase, std::stop_token stop)
{
    phase(study::Phase::evaluate, {});
    models::ExporterRun run;
    run.arguments = std::move(arguments);
    run.limit = kEvaluationLimit;
    run.unpacks = true;                           // The model may be a compiled package.
    run.environment["CUDA_VISIBLE_DEVICES"] = ""; // The reference model must not run on a GPU either.
    const auto observer = [&](const models::ExporterProgress& progress) {
        if (!progress.isLog)
            phase(study::Phase::evaluate, base::foreignText(progress.text));
    };
    return models::runExporter(installation, run, observer, std::move(stop));
}

Error unreadableAnswer(const std::string& why)
{
    return {ErrorCode::internal, base::message<errors::kUnreadableExporter>(), why,
            base::message<errors::kSameVersion>()};
}

} // namespace

base::Result<LabelledImages> labelledImagesAt(const fs::path& data)
{
    std::error_code code;
    if (fs::is_directory(data, code))
        return LabelledImages{data, {}, 0};
    if (!fs::exists(data, code))
        return Error{ErrorCode::notFound,
                     base::message<errors::kNoData>(data.string()),
                     {},
                     base::message<errors::kNameFolderOrCoco>()};
    if (data.extension() != ".json")
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoImages>(data.string()),
                     {},
                     base::message<errors::kGiveFolderOrCoco>()};
    // COCO has its images in "images" beside the annotations, or directly there.
    const fs::path beside = fs::absolute(data, code).parent_path();
    return LabelledImages{fs::is_directory(beside / "images", code) ? beside / "images" : beside, data, 0};
}

base::Result<model::Accuracy> evaluateAccuracy(const study::RunContext& context,
                                               const worker::Installation& installation, const model::Study& study,
                                               const model::Trial& trial, const LabelledImages& labelled,
                                               const study::PhaseSink& phase, std::stop_token stop)
{
    const auto configuration = study::requestOf(context, study, trial, phase, stop);
    if (!configuration)
        return configuration.error();
    // The exporter's Python runs the file on the CPU only.
    if (!configuration->device.type.isCpu())
        return Error{ErrorCode::unsupported,
                     base::message<errors::kCannotEvaluateOnDevice>(configuration->device.id),
                     {},
                     base::message<errors::kChooseCpuTrial>()};
    const auto file = fileOf(*configuration, study.model);
    if (!file)
        return file.error();
    std::vector<std::string> arguments{"accuracy", "--artifact", study.model.artifact.string()};
    arguments.insert(arguments.end(),
                     {"--images", labelled.images.string(), "--file", file->path.string(), "--format", file->format,
                      "--precision", std::string(model::toString(trial.config.precision))});
    if (!labelled.annotations.empty())
        arguments.insert(arguments.end(), {"--annotations", labelled.annotations.string()});
    if (labelled.limit > 0)
        arguments.insert(arguments.end(), {"--limit", std::to_string(labelled.limit)});
    const auto done = runEvaluation(installation, std::move(arguments), phase, std::move(stop));
    if (!done)
        return done.error();
    try {
        // The exporter groups by model and then by metric; an evaluation groups by metric.
        Json metrics = Json::array();
        const Json& answer = done->at("accuracy");
        for (const auto& [name, measured] : answer.at("measured").items())
            metrics.push_back({{"name", name},
                               {"measured", measured},
                               {"imported", answer.at("imported").at(name)},
                               {"change", answer.at("change").at(name)}});
        // The image set is named by what the user gave: the annotations, else the folder.
        const auto accuracy = model::accuracyFromJson(
            {{"pictures", (labelled.annotations.empty() ? labelled.images : labelled.annotations).string()},
             {"samples", done->at("samples")},
             {"skipped", done->at("skipped")},
             {"metrics", metrics}});
        return accuracy ? accuracy : unreadableAnswer(accuracy.error().context);
    } catch (const Json::exception& error) {
        return unreadableAnswer(error.what());
    }
}

base::Result<model::Sensitivity> evaluateSensitivity(const study::RunContext& context,
                                                     const worker::Installation& installation,
                                                     const model::Study& study, const model::Trial& trial,
                                                     const study::PhaseSink& phase, std::stop_token stop)
{
    if (!trial.config.quantization)
        return Error{
            ErrorCode::invalidArgument, base::message<errors::kNotMadeInt8>(), {}, base::message<errors::kTuneInt8>()};
    // A compiled package has no layers that could be switched to float one by one.
    if (trial.config.isCompiled())
        return Error{ErrorCode::unsupported,
                     base::message<errors::kLayersOfPackage>(),
                     {},
                     base::message<errors::kTuneInt8ByEngine>()};
    // The sensitivity compares int8 with the float file that it was made from.
    model::Trial plain = trial;
    plain.config.precision = model::Precision::fp32;
    plain.config.quantization.reset();
    const auto configuration = study::requestOf(context, study, plain, phase, stop);
    if (!configuration)
        return configuration.error();
    const auto file = fileOf(*configuration, study.model);
    if (!file)
        return file.error();
    models::ExporterRequest request;
    request.add({"sensitivity"});
    request.addUncounted("--artifact", study.model.artifact.string());
    request.addUncounted("--file", file->path.string());
    request.add({"--format", file->format});
    request.addCalibration(
        *trial.config.quantization,
        models::int8Recipe(configuration->device, worker::backendManifest(installation.plugins, trial.config.backend)));
    const auto done = runEvaluation(installation, request.arguments(), phase, std::move(stop));
    if (!done)
        return done.error();
    const auto sensitivity = model::sensitivityFromJson(*done);
    return sensitivity ? sensitivity : unreadableAnswer(sensitivity.error().context);
}

} // namespace apertune::runs
