// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"
#include "app/cli/trial_run.h"
#include "app/cli/values.h"
#include "app/cli/verb.h"
#include "core/model/device.h"
#include "core/report/pipeline_report.h"
#include "core/report/pipeline_sweep_report.h"
#include "core/runs/pipeline_sweep.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

namespace apertune::cli {

using base::Json;
using workload::PipelineAxes;
using workload::PipelinePlan;

namespace {

struct PipelineOptions
{
    std::vector<std::string> trials{};
    PipelinePlan plan{};
    PipelineAxes axes{};
    runs::PipelineImages images{};
    bool sweep = false; ///< usual values for the axes without a list
    std::optional<base::Nanoseconds> budget{};
    std::optional<workload::PipelineGoal> goal{};
    std::optional<base::Nanoseconds> duration{};

    bool isSweep() const { return sweep || trials.size() > 1 || axes.varies(); }
};

/// The setting of a run that is no sweep: the first value of each axis.
workload::PipelineSetting settingOf(const PipelineOptions& options)
{
    // Its own batch and threads do not matter for the first setting.
    constexpr workload::PipelineTrial kAnyTrial{0, 0};
    return workload::settingsOf(options.axes, options.plan, {kAnyTrial}).front();
}

int runOnce(const PipelineOptions& options, const OpenedTrial& trial, Session& session)
{
    Terminal& terminal = session.terminal;
    const workload::PipelineSetting setting = settingOf(options);
    runs::PipelineRequest request{setting.plan, options.images, setting.threads};
    request.plan.duration = options.duration.value_or(request.plan.duration);
    const auto result =
        trial.workbench->runTrialPipeline(trial.found.id, request, statusOf(terminal), session.interrupt.token());
    terminal.status({});
    if (!result)
        return failRun(terminal, result.error());
    Json document{{"schema", "apertune.pipeline/1"}, {"trial", text::toText(trial.found.id)}};
    document.update(toJson(result.value()));
    terminal.document(document);
    terminal.text(trial.name() + ", from JPEG to answer\n\n" + report::pipelineText(result.value()));
    return kDone;
}

/// The axes of a sweep. --sweep gives usual values to those that were not named.
PipelineAxes axesOf(const PipelineOptions& options, const OpenedTrial& trial)
{
    if (!options.sweep)
        return options.axes;
    workload::PipelineMachine machine;
    machine.onCpu = model::typeOfDevice(trial.found.trial().device).isCpu();
    for (const model::Device& device : trial.workbench->devices())
        if (device.type.isCpu())
            machine.cores = std::max(1, device.cores);
    return withUsualValues(options.axes, machine);
}

int runSweep(const PipelineOptions& options, const OpenedTrial& trial, Session& session)
{
    Terminal& terminal = session.terminal;
    std::vector<model::TrialId> ids;
    std::vector<report::PipelineSweepTrial> trials;
    const auto add = [&](const FoundTrial& found) {
        const model::Config& config = found.trial().config;
        ids.push_back(found.id);
        trials.push_back(
            {found.id, text::ConfigurationNames(found.snapshot).longName(found.trial()), config.batch, config.threads});
    };
    add(trial.found);
    for (std::size_t i = 1; i < options.trials.size(); ++i) {
        const auto found = findTrial(trial.workbench->store(), options.trials[i]);
        if (!found)
            return terminal.fail(found.error());
        add(*found);
    }
    runs::PipelineSweepRequest request;
    request.plan = options.plan;
    constexpr base::Nanoseconds kTurn = base::fromSeconds(1);
    request.plan.duration = options.duration.value_or(kTurn);
    request.axes = axesOf(options, trial);
    request.images = options.images;
    request.budget = options.budget.value_or(request.budget);
    // With a rate, all settings answer equally many images, so they differ in their latency.
    request.goal =
        options.goal.value_or(request.plan.rate > 0 ? workload::PipelineGoal::latency : workload::PipelineGoal::rate);
    const auto progress = [&](base::Nanoseconds over, const workload::PipelineSetting& setting) {
        terminal.status(base::formatDuration(over) + " of " + base::formatDuration(request.budget) + ": " +
                        report::pipelineCommand(setting, trials) + " …");
    };
    const auto sweep = trial.workbench->sweepPipeline(
        ids, request, progress, [](auto...) {}, session.interrupt.token());
    terminal.status({});
    if (!sweep)
        return failRun(terminal, sweep.error());
    Json document{{"schema", "apertune.pipeline_sweep/1"}, {"budget_s", request.budget.seconds()}};
    document.update(report::pipelineSweepJson(*sweep, trials));
    terminal.document(document);
    terminal.text(trial.name() + ", from JPEG to answer\n\n" +
                  report::pipelineSweepText(*sweep, trials, terminal.width()));
    return sweep->recommended ? kDone : kCannotTell;
}

int run(const PipelineOptions& options, Session& session)
{
    const auto trial = openTrial(session.common, options.trials.front());
    if (!trial)
        return session.terminal.fail(trial.error());
    return options.isSweep() ? runSweep(options, *trial, session) : runOnce(options, *trial, session);
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

/// Adds an option that takes a list of values, each read by `parse`.
template <typename Value, typename Parse>
CLI::Option* addAxis(CLI::App& app, const std::string& name, std::vector<Value>& axis, const std::string& help,
                     Parse parse)
{
    return addParsed(app, name, axis, help, [parse](const std::string& text) -> base::Result<std::vector<Value>> {
        std::vector<Value> values;
        for (const std::string& word : base::splitList(text)) {
            auto value = parse(word);
            if (!value)
                return value.error();
            values.push_back(std::move(*value));
        }
        return values;
    });
}

Action declarePipeline(CLI::App& app)
{
    using namespace apertune::workload; // NOLINT: the words of the plan
    auto options = std::make_shared<PipelineOptions>();
    PipelineAxes& axes = options->axes;
    PipelinePlan& plan = options->plan;
    app.add_option("TRIAL", options->trials, std::string(kTrialHelp) + "; several begin a sweep")
        ->type_name("")
        ->required()
        ->expected(1, 16);
    auto* const images =
        app.add_option("--images", options->images.folder, "Folder of JPEGs (default: generated images)")
            ->type_name("DIR");
    addCount(app, "--generate", options->images.generate, "Number of generated images (default: 64)", 1, 1000)
        ->excludes(images);
    addParsed(app, "--threads", axes.threads, "Threads of the model, on a CPU (default: those of the trial)",
              parseThreads)
        ->type_name("N,…");
    const auto counts = [&app](const char* name, std::vector<int>& axis, const char* help, int least) {
        addParsed(app, name, axis, help, [name, least](const std::string& text) {
            return parseCounts(name, text, "1,2", least);
        })->type_name("N,…");
    };
    counts("--decode-threads", axes.decodeThreads, "Threads for decoding and preprocessing (default: 1)", 1);
    counts("--prefetch", axes.prefetch, "Batches prepared ahead; 0 for stages that take turns (default: 2)", 0);
    counts("--queue-batch", axes.queueBatch, "Largest number of images in a pass (default: the trial's batch)", 1);
    addAxis(app, "--queue-wait", axes.queueWait,
            "Longest wait of an image for its batch to fill, or full for no limit (default: full)", parseWait)
        ->type_name("TIME,…");
    app.add_option("--rate", plan.rate, "Images per second, at random times (default: as many as there is room for)")
        ->type_name("N");
    addTime(app, "--duration", options->duration, "Duration of the run (default: 10s), or of a turn of a sweep (1s)");
    addAxis(app, "--normalize", axes.normalize, "Processor that normalizes the pixels (default: host)",
            wordParser<Place>("--normalize", {{"host", Place::host}, {"device", Place::device}}))
        ->type_name("host|device");
    addAxis(app, "--memory", axes.memory, "Memory that a GPU copies from (default: pageable)",
            wordParser<HostMemory>("--memory", {{"pageable", HostMemory::pageable}, {"pinned", HostMemory::pinned}}))
        ->type_name("pageable|pinned");
    addAxis(
        app, "--nms", axes.suppression, "Suppression of a detector's boxes (default: batched)",
        wordParser<Suppression>(
            "--nms", {{"batched", Suppression::batched}, {"plain", Suppression::plain}, {"none", Suppression::none}}))
        ->type_name("batched|plain|none");
    app.add_option("--seed", plan.seed, "Seed of generated images and arrivals (default: 1)")->type_name("N");
    app.add_flag("--sweep", options->sweep, "Find the best settings; those without values get usual ones");
    addChoice<PipelineGoal>(app, "--goal", options->goal,
                            {{"rate", PipelineGoal::rate}, {"latency", PipelineGoal::latency}},
                            "Figure that a sweep improves (default: rate; latency with --rate)");
    addTime(app, "--budget", options->budget, "Time of a sweep, with its confirmation (default: 2m)");
    app.final_callback([options] {
        // The trial, and with it the batch, is not known yet. Everything else is checked now.
        const PipelinePlan read = settingOf(*options).plan;
        if (const auto status = check(read, std::max(1, read.queueBatch)); !status)
            throw UsageError(status.error());
        if (!options->isSweep() && (options->budget || options->goal))
            throw UsageError(base::plainError(base::ErrorCode::invalidArgument,
                                              "--budget and --goal are options of a sweep.", {},
                                              "Add --sweep, or several values to an option."));
    });
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb pipelineVerb()
{
    return {.path = {"pipeline"},
            .group = Group::explain,
            .summary = "Time a trial from JPEG to answer, or find the best settings",
            .examples =
                R"(  apertune pipeline best                                  64 generated images, again and again
  apertune pipeline t12 --images photos --decode-threads 4 --prefetch 3
  apertune pipeline best --rate 20 --queue-batch 4 --queue-wait 50ms
  apertune pipeline best --sweep --images photos          the settings with the most images a second
  apertune pipeline t12 t15 --threads 1,2 --decode-threads 1,2 --budget 1m)",
            .takes = Takes::untrustedCode,
            .documents = {{"apertune.pipeline_sweep/1",
                           "Of a sweep: `budget_s`, `wall_s`, `goal` (`rate`: time between two images; "
                           "`latency`: median time from an image that is due to its answer), `contenders`, the "
                           "first one the baseline: `trial`, `setting` (the plan of a pipeline, and `threads` of"
                           " the model, null: those of the trial), `state` (`confirmed`, `screened`: its turns "
                           "were not compared; `left_out`, `failed`), `reason` or null, `screening_ms` and "
                           "`confirmation_ms` (what the goal makes small, of each turn), `ratio` (of the "
                           "baseline to it, in turns of one round, with `value`, `lo`, `hi`, `confidence`; above"
                           " 1: better; or null), `verdict` (`faster`, `slower`, `same`, `cannot_tell`, "
                           "corrected for their number; or null), `run` (its last turn, as in `pipelines` of "
                           "`apertune.trial/1`, or null), `command` (what runs it alone); `recommended` "
                           "(position, or null)"}},
            .declare = declarePipeline};
}

} // namespace apertune::cli
