// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/trial_run.h"
#include "app/cli/verb.h"
#include "core/report/pipeline_report.h"
#include "core/runs/pipeline_run.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;

namespace {

struct RunPipeline
{
    std::string trial;
    runs::PipelineRequest request;
};

int run(const RunPipeline& options, Session& session)
{
    Terminal& terminal = session.terminal;
    const auto trial = openTrial(session.common, options.trial);
    if (!trial)
        return terminal.fail(trial.error());
    const auto result = trial->workbench->runTrialPipeline(trial->found.id, options.request, statusOf(terminal),
                                                           session.interrupt.token());
    terminal.status({});
    if (!result)
        return failRun(terminal, result.error());
    Json document{{"schema", "apertune.pipeline/1"}, {"trial", text::toText(trial->found.id)}};
    document.update(toJson(result.value()));
    terminal.document(document);
    terminal.text(trial->name() + ", from JPEG to answer\n\n" + report::pipelineText(result.value()));
    return kDone;
}

/// Parses "50ms", or "full" for no limit.
base::Result<std::optional<base::Nanoseconds>> parseWait(const std::string& text)
{
    if (text == "full")
        return std::optional<base::Nanoseconds>();
    const auto time = base::parseDuration("--queue-wait", text);
    if (!time)
        return time.error();
    return std::optional(*time);
}

Action declarePipeline(CLI::App& app)
{
    using namespace apertune::workload; // NOLINT: the words of the plan
    auto options = std::make_shared<RunPipeline>();
    runs::PipelineRequest& request = options->request;
    PipelinePlan& plan = request.plan;
    addArgument(app, "TRIAL", options->trial, kTrialHelp);
    auto* const images =
        app.add_option("--images", request.images, "Folder of JPEGs (default: generated images)")->type_name("DIR");
    addCount(app, "--generate", request.generate, "Number of generated images (default: 64)", 1, 1000)
        ->excludes(images);
    app.add_option("--decode-threads", plan.decodeThreads, "Threads for decoding and preprocessing (default: 1)")
        ->type_name("N");
    app.add_option("--prefetch", plan.prefetch, "Batches prepared ahead; 0 for stages that take turns (default: 2)")
        ->type_name("N");
    app.add_option("--queue-batch", plan.queueBatch, "Largest number of images in a pass (default: the trial's batch)")
        ->type_name("N");
    addParsed(app, "--queue-wait", plan.queueWait,
              "Longest wait of an image for its batch to fill, or full for no limit (default: full)", parseWait)
        ->type_name("TIME");
    app.add_option("--rate", plan.rate, "Images per second, at random times (default: as many as there is room for)")
        ->type_name("N");
    addTime(app, "--duration", plan.duration, "Duration of the run (default: 10s)");
    addChoice<Place>(app, "--normalize", plan.normalize, {{"host", Place::host}, {"device", Place::device}},
                     "Processor that normalizes the pixels (default: host)");
    addChoice<HostMemory>(app, "--memory", plan.memory,
                          {{"pageable", HostMemory::pageable}, {"pinned", HostMemory::pinned}},
                          "Memory that a GPU copies from (default: pageable)");
    addChoice<Suppression>(
        app, "--nms", plan.suppression,
        {{"batched", Suppression::batched}, {"plain", Suppression::plain}, {"none", Suppression::none}},
        "Suppression of a detector's boxes (default: batched)");
    app.add_option("--seed", plan.seed, "Seed of generated images and arrivals (default: 1)")->type_name("N");
    app.final_callback([options] {
        // The trial, and with it the batch, is not known yet. Everything else is checked now.
        const PipelinePlan& read = options->request.plan;
        if (const auto status = check(read, std::max(1, read.queueBatch)); !status)
            throw UsageError(status.error());
    });
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb pipelineVerb()
{
    return {.path = {"pipeline"},
            .group = Group::explain,
            .summary = "Run a trial from JPEG to answer and time each stage",
            .examples =
                R"(  apertune pipeline best                                  64 generated images, again and again
  apertune pipeline t12 --images photos --decode-threads 4 --prefetch 3
  apertune pipeline best --rate 20 --queue-batch 4 --queue-wait 50ms)",
            .takes = Takes::untrustedCode,
            .declare = declarePipeline};
}

} // namespace apertune::cli
