// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/pipeline_run.h"

#include "core/base/files.h"
#include "core/runs/errors.h"
#include "core/stats/block_stats.h"
#include "core/study/trial_request.h"
#include "core/workload/stages/stage_runner.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::runs {

using base::Error;
using base::ErrorCode;
using base::Json;
using base::Nanoseconds;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFiles = 1000; ///< largest number of JPEGs read from a folder
constexpr int kWidth = 640;              ///< pixels of a generated image
constexpr int kHeight = 480;

/// Position of the first input for an image of three colours: float32, batch x 3 x height x width.
std::optional<std::size_t> imagePort(const model::ModelRef& model)
{
    for (std::size_t i = 0; i < model.inputs.size(); ++i) {
        const model::TensorSpec& input = model.inputs[i];
        // The batch must come first, because images are written one after the other.
        if (input.dtype == "float32" && input.shape.size() == 4 && input.shape[1] == 3 && input.batchDim == 0)
            return i;
    }
    return std::nullopt;
}

/// Preprocessing of images as the model's manifest says. Where it says nothing, classification models get the usual
/// normalization of ImageNet, and detectors get the whole image.
Json recipeOf(const model::ModelRef& model, const model::TensorSpec& input)
{
    const auto height = input.shape[2];
    const auto width = input.shape[3];
    Json recipe{{"resize", 0}, {"height", height}, {"width", width}};
    const auto text = base::readFile(model.artifact / "manifest.json");
    const Json manifest = text ? Json::parse(*text, nullptr, false) : Json();
    const Json preprocessing = manifest.is_object() ? manifest.value("preprocessing", Json()) : Json();
    if (model.taskType != model::TaskType::detection) { // A detector must see the whole image, so it is not cropped.
        // A size without a mean belongs to an older manifest, whose values are not those of the training.
        const std::int64_t resize = preprocessing.is_object() && preprocessing.contains("mean")
                                        ? preprocessing.value("resize", std::int64_t{0})
                                        : 0;
        // The shorter side must be at least as long as the crop.
        recipe["resize"] = std::max({resize, height, width});
        recipe["mean"] = {0.485, 0.456, 0.406}; // ImageNet
        recipe["std"] = {0.229, 0.224, 0.225};
    }
    if (preprocessing.is_object())
        for (const char* name : {"mean", "std", "interpolation"})
            if (preprocessing.contains(name))
                recipe[name] = preprocessing[name];
    return recipe;
}

base::Result<std::vector<std::string>> jpegsIn(const fs::path& folder)
{
    std::vector<std::string> files;
    std::error_code error;
    // A folder without permission hides its images only; the others still count.
    for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && it != end; it.increment(error)) {
        std::string extension = it->path().extension().string();
        std::transform(extension.begin(), extension.end(), extension.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        std::error_code ignored;
        if ((extension == ".jpg" || extension == ".jpeg") && it->is_regular_file(ignored))
            files.push_back(fs::absolute(it->path()).string());
    }
    if (error)
        return Error{ErrorCode::notFound, base::message<errors::kUnreadableFolder>(folder.string()), error.message(),
                     base::message<errors::kCheckName>()};
    if (files.empty())
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoJpeg>(folder.string()),
                     {},
                     base::message<errors::kNameJpegs>()};
    std::sort(files.begin(), files.end()); // A limit then selects the same images on every file system.
    files.resize(std::min(files.size(), kMostFiles));
    return files;
}

} // namespace

base::Result<workload::PipelineRun> runPipeline(const study::RunContext& context, const model::Study& study,
                                                const model::Trial& trial, const PipelineRequest& request,
                                                const study::PhaseSink& phase, std::stop_token stop)
{
    workload::PipelineRun result;
    result.plan = request.plan;
    result.batch = trial.config.batch;
    if (auto status = workload::check(request.plan, result.batch); !status)
        return status.error();
    const auto port = imagePort(study.model);
    if (!port)
        return Error{ErrorCode::unsupported,
                     base::message<errors::kTakesNoImage>(study.model.name),
                     {},
                     base::message<errors::kUseImageModel>()};
    const worker::RunLimits& limits = context.limits;
    Json command{{"t", "stages"},
                 {"session", study::kSession},
                 {"plan", toJson(request.plan)},
                 {"recipe", recipeOf(study.model, study.model.inputs[*port])},
                 {"family", toString(study.model.taskType)},
                 {"port", *port},
                 {"sets", limits.inputSets},
                 {"generate", request.generate},
                 {"width", kWidth},
                 {"height", kHeight},
                 {"seed", request.plan.seed}};
    result.source = "made, " + std::to_string(kWidth) + " x " + std::to_string(kHeight);
    if (!request.images.empty()) {
        auto files = jpegsIn(request.images);
        if (!files)
            return files.error();
        command["files"] = std::move(*files);
        result.source = fs::absolute(request.images).lexically_normal().string();
    }

    const auto configuration = study::requestOf(context, study, trial, phase, stop);
    if (!configuration)
        return configuration.error();
    worker::LaunchRequest launch = study::launchRequest(*configuration);
    // The sandbox must let the worker read the folder of images.
    launch.reads.push_back(request.images);
    auto started = worker::WorkerProcess::start(context.launcher, launch, stop, limits.worker);
    if (!started)
        return study::toError(started.error());
    worker::WorkerProcess& worker = **started;
    const auto prepared =
        study::prepareConfiguration(worker, configuration.value(), limits, limits.trialMost, stop, phase);
    if (!prepared)
        return study::toError(prepared.error());
    phase(study::Phase::measure, {});
    // The model alone is measured first, in the same process: the stages are compared with it.
    const study::BlockRequest alone{limits.minBlocks, limits.maxBlocks, limits.minTime, limits.trialMost, 0.01, 0};
    const auto measured = study::measureConfiguration(worker, alone, limits, stop, phase);
    if (!measured)
        return study::toError(measured.error());
    // The unit of a pipeline is the image, not the pass.
    std::vector<double> perImage;
    for (const model::Block& block : measured->blocks)
        perImage.push_back(block.nsPerIteration() / result.batch);
    result.modelOnlyNs = stats::medianInterval(perImage);

    // The worker runs at least kLeastPasses passes, for at most kMostDurations. The limit allows for a machine that
    // becomes ten times slower, because that is not a hang.
    const Nanoseconds pass = prepared->iteration;
    const Nanoseconds limit{request.plan.duration.count * (workload::kMostDurations + 2) +
                            pass.count * 10 * workload::kLeastPasses + limits.first.count + limits.load.count};
    const auto reply = worker.call(command, limit, stop, [&](const Json& message) {
        if (const auto known = study::phaseFromString(message.value("phase", "")))
            phase(*known,
                  message.contains("part")
                      ? base::foreignText(std::to_string(static_cast<int>(message["part"].get<double>() * 100)) + " %")
                      : base::Message());
    });
    if (!reply)
        return study::toError(reply.error());
    const Json& answer = *reply;
    auto summary = workload::pipelineSummaryFromJson(answer.value("summary", Json::object()));
    if (!summary)
        return summary.error();
    result.summary = *summary;
    result.reading = answer.value("reading", "");
    result.answered = answer.value("answered", std::int64_t{0});
    result.images = answer.value("images", std::int64_t{0});
    result.imageBytes = answer.value("image_bytes", std::int64_t{0});
    return result;
}

} // namespace apertune::runs
