// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/pipeline_run.h"

#include "core/base/files.h"
#include "core/runs/errors.h"
#include "core/stats/block_stats.h"
#include "core/study/trial_request.h"
#include "core/worker/worker_process.h"
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

struct PipelineWorker::State
{
    std::unique_ptr<worker::WorkerProcess> worker{};
    Json command{};              ///< the worker's command but for its plan
    workload::PipelineRun run{}; ///< members that all runs have in common
    worker::RunLimits limits{};
    Nanoseconds pass{}; ///< estimated time of a pass
};

PipelineWorker::PipelineWorker(std::unique_ptr<State> state) : m_state(std::move(state))
{
}
PipelineWorker::PipelineWorker(PipelineWorker&&) noexcept = default;
PipelineWorker& PipelineWorker::operator=(PipelineWorker&&) noexcept = default;
PipelineWorker::~PipelineWorker() = default;

base::Result<PipelineWorker> PipelineWorker::open(const study::RunContext& context, const model::Study& study,
                                                  const model::Trial& trial, int threads, const PipelineImages& images,
                                                  const study::PhaseSink& phase, std::stop_token stop)
{
    const auto port = imagePort(study.model);
    if (!port)
        return Error{ErrorCode::unsupported,
                     base::message<errors::kTakesNoImage>(study.model.name),
                     {},
                     base::message<errors::kUseImageModel>()};
    model::Trial used = trial;
    if (threads > 0)
        used.config.threads = threads;
    auto state = std::make_unique<State>();
    State& opened = *state;
    opened.limits = context.limits;
    opened.run.batch = used.config.batch;
    opened.run.threads = used.config.threads;
    opened.command = Json{{"t", "stages"},
                          {"session", study::kSession},
                          {"recipe", recipeOf(study.model, study.model.inputs[*port])},
                          {"family", toString(study.model.taskType)},
                          {"port", *port},
                          {"sets", context.limits.inputSets},
                          {"generate", images.generate},
                          {"width", kWidth},
                          {"height", kHeight}};
    opened.run.source = "made, " + std::to_string(kWidth) + " x " + std::to_string(kHeight);
    if (!images.folder.empty()) {
        auto files = jpegsIn(images.folder);
        if (!files)
            return files.error();
        opened.command["files"] = std::move(*files);
        opened.run.source = fs::absolute(images.folder).lexically_normal().string();
    }

    const auto configuration = study::requestOf(context, study, used, phase, stop);
    if (!configuration)
        return configuration.error();
    worker::LaunchRequest launch = study::launchRequest(*configuration);
    // The sandbox must let the worker read the folder of images.
    launch.reads.push_back(images.folder);
    auto started = worker::WorkerProcess::start(context.launcher, launch, stop, opened.limits.worker);
    if (!started)
        return study::toError(started.error());
    opened.worker = std::move(*started);
    const auto prepared = study::prepareConfiguration(*opened.worker, *configuration, opened.limits,
                                                      opened.limits.trialMost, stop, phase);
    if (!prepared)
        return study::toError(prepared.error());
    opened.pass = prepared->iteration;
    phase(study::Phase::measure, {});
    // The model alone is measured first, in the same process: the stages are compared with it.
    const worker::RunLimits& limits = opened.limits;
    const study::BlockRequest alone{limits.minBlocks, limits.maxBlocks, limits.minTime, limits.trialMost, 0.01, 0};
    const auto measured = study::measureConfiguration(*opened.worker, alone, limits, stop, phase);
    if (!measured)
        return study::toError(measured.error());
    // The unit of a pipeline is the image, not the pass.
    std::vector<double> perImage;
    for (const model::Block& block : measured->blocks)
        perImage.push_back(block.nsPerIteration() / opened.run.batch);
    opened.run.modelOnlyNs = stats::medianInterval(perImage);
    return PipelineWorker(std::move(state));
}

base::Result<workload::PipelineRun> PipelineWorker::run(const workload::PipelinePlan& plan,
                                                        const study::PhaseSink& phase, std::stop_token stop)
{
    if (auto status = workload::check(plan, m_state->run.batch); !status)
        return status.error();
    Json command = m_state->command;
    command["plan"] = toJson(plan);
    command["seed"] = plan.seed;
    // The worker runs at least kLeastPasses passes, for at most kMostDurations. The limit allows for a machine that
    // becomes ten times slower, because that is not a hang.
    const Nanoseconds limit{plan.duration.count * (workload::kMostDurations + 2) +
                            m_state->pass.count * 10 * workload::kLeastPasses + m_state->limits.first.count +
                            m_state->limits.load.count};
    const auto reply = m_state->worker->call(command, limit, std::move(stop), [&](const Json& message) {
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
    workload::PipelineRun result = m_state->run;
    result.plan = plan;
    result.summary = *summary;
    result.reading = answer.value("reading", "");
    result.answered = answer.value("answered", std::int64_t{0});
    result.images = answer.value("images", std::int64_t{0});
    result.imageBytes = answer.value("image_bytes", std::int64_t{0});
    return result;
}

base::Result<workload::PipelineRun> runPipeline(const study::RunContext& context, const model::Study& study,
                                                const model::Trial& trial, const PipelineRequest& request,
                                                const study::PhaseSink& phase, std::stop_token stop)
{
    if (auto status = workload::check(request.plan, trial.config.batch); !status)
        return status.error();
    auto worker = PipelineWorker::open(context, study, trial, request.threads, request.images, phase, stop);
    if (!worker)
        return worker.error();
    return worker->run(request.plan, phase, std::move(stop));
}

} // namespace apertune::runs
