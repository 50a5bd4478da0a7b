// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune_options.h"

#include "app/cli/importing.h"
#include "app/cli/values.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/search/defaults.h"
#include "core/search/grid.h"

#include <filesystem>

namespace apertune::cli {

namespace {

/// The options, with the texts that can be converted only when the whole line is known.
struct TuneTexts
{
    Tune tune;
    std::string backends;
    std::vector<std::string> switches;
    std::vector<std::string> variants;
    std::string resume;
    CLI::Option* resumeOption = nullptr;
    CLI::Option* budget = nullptr;
    CLI::Option* scenario = nullptr;
    LoadTexts load;
    const CLI::App* verb = nullptr;
};

/// The load scenarios of `--scenario`. A server's bound is that of the goal.
base::Result<std::vector<workload::Scenario>> loadsOf(const TuneTexts& texts, const model::Goal& goal)
{
    // The options of loads are texts, so the goal's bound becomes one.
    const auto inWords = [](base::Nanoseconds time) { return std::to_string(time.count) + "ns"; };
    std::vector<workload::Scenario> loads;
    for (const std::string& kind : base::splitList(texts.load.kind)) {
        LoadTexts one = texts.load;
        one.kind = kind;
        if (kind == toString(workload::ScenarioKind::server)) {
            // A bound on a percentile is stricter than one on the median, so it comes first.
            if (!goal.maxPercentiles.empty() && one.percentile.empty()) {
                const auto& [percent, most] = *goal.maxPercentiles.rbegin();
                one.percentile = std::to_string(percent);
                one.bound = inWords(most);
            } else if (const auto bound = model::medianBound(goal)) {
                one.bound = inWords(*bound);
            }
        }
        auto scenario = scenarioOf(one);
        if (!scenario)
            return scenario.error();
        loads.push_back(std::move(*scenario));
    }
    return loads;
}

void convert(TuneTexts& texts)
{
    Tune& tune = texts.tune;
    model::SearchSpace& space = tune.request.space;
    for (const std::string& text : texts.switches)
        requireValue("--switch", text);
    auto switches = parseSwitches(texts.switches);
    if (!switches)
        throw UsageError(switches.error());
    space.switches = std::move(*switches);
    for (const std::string& text : texts.variants)
        requireValue("--variant", text);
    auto variants = parseVariants(texts.variants);
    if (!variants)
        throw UsageError(variants.error());
    tune.variants = std::move(*variants);
    auto loads = loadsOf(texts, tune.request.goal);
    if (!loads)
        throw UsageError(loads.error());
    tune.scenarios = std::move(*loads);
    if (!space.calibration.empty())
        space.calibration = std::filesystem::weakly_canonical(space.calibration)
                                .string(); // absolute, because a study may be resumed from another folder
    space.backends = texts.backends.empty() ? search::defaultBackends(space) : base::splitList(texts.backends);

    // A resumed study is only compared with the options that the user wrote, not with defaults.
    for (const CLI::Option* option : texts.verb->get_options())
        if (option->count() > 0)
            tune.given.insert(option->get_name());
    if (space.memoryShare && *space.memoryShare <= 0)
        throw UsageError(base::plainError(base::ErrorCode::invalidArgument, "A --memory-share of 0 leaves no memory.",
                                          {}, "Use a share above 0, for example --memory-share 90%."));
    if (space.memoryShare && space.batches != std::vector{model::SearchSpace::kAutoBatch})
        throw UsageError(base::plainError(base::ErrorCode::invalidArgument,
                                          "--memory-share says how far automatic batches go, and the batches are not "
                                          "automatic.",
                                          {}, "Add --batches auto, or leave out --memory-share."));
    tune.resume = texts.resumeOption && texts.resumeOption->count() > 0;
    // "last" and no name mean the same.
    if (texts.resume != "last")
        tune.resumeStudy = texts.resume;
    // A resumed study names its model itself.
    if (tune.model.empty() && !tune.resume)
        throw UsageError(base::plainError(base::ErrorCode::invalidArgument, "MODEL is missing.", {},
                                          "Use a model of the workspace or a source, for example `apertune tune "
                                          "torchvision:resnet50`; `apertune model zoo` lists built-in ones."));
    tune.sweep = sweepOfOptions(*texts.verb);
}

void finish(TuneTexts& texts)
{
    try {
        convert(texts);
    } catch (const UsageError& failure) {
        // What fails only together with other options has no line of its own in the file.
        base::Error error = failure.error();
        if (error.context.empty() && !texts.tune.config.file.empty())
            error.context = "with the values of " + texts.tune.config.file.string();
        throw UsageError(std::move(error));
    }
}

/// The options that are declared.
enum class Scope {
    tune, ///< all
    study ///< those that describe a study
};

void addSpace(CLI::App& app, TuneTexts& texts, Scope scope)
{
    const char* const group = "What to measure";
    model::SearchSpace& space = texts.tune.request.space;
    addParsed(app, "--levels", space.levels, "Optimization levels: O0,O1,O2,O3 (default: all)", parseLevels)
        ->type_name("LIST")
        ->group(group);
    addParsed(app, "--precisions", space.precisions,
              "Precisions: fp32,tf32,bf16,fp16,int8,fp8 (default: each level's own, and fp32)", parsePrecisions)
        ->type_name("LIST")
        ->group(group);
    addParsed(app, "--batches", space.batches,
              "Batch sizes (default: 1,2,4,8), or auto: doubles from 1 until memory is full and then bisects; ends "
              "earlier where throughput no longer grows",
              parseBatches)
        ->type_name("LIST")
        ->group(group);
    addShare(app, "--memory-share", space.memoryShare,
             "Share of device memory to fill, with --batches auto, even where throughput no longer grows (default: 80% "
             "of a host, all of a GPU)")
        ->group(group);
    if (scope == Scope::tune) {
        CLI::Option* const sizes =
            addParsed(app, "--image-sizes", texts.tune.imageSizes,
                      "Image sizes in pixels, one study each, for models by name (default: the model's own)",
                      parseImageSizes)
                ->type_name("LIST")
                ->group(group);
        app.add_option("--variant", texts.variants,
                       "Other ways to run the model, one study each, compared with the model itself: slice=2,4 "
                       "(attention in so many slices), tile=128x16,256x32 (images on tiles of a size, with an "
                       "overlap); repeatable")
            ->type_name("NAME=LIST")
            ->allow_extra_args(false)
            ->group(group)
            ->excludes(sizes);
    }
    app.add_option("--switch", texts.switches,
                   "Switch to set on every level; repeatable (`apertune device list` has the names)")
        ->type_name("NAME=on,off")
        ->allow_extra_args(false)
        ->group(group);
    app.add_flag("--emulated", space.emulated, "Also try precisions that the device would only emulate")->group(group);
    Choices<model::SearchAlgorithm> searches;
    for (const auto algorithm :
         {model::SearchAlgorithm::racing, model::SearchAlgorithm::grid, model::SearchAlgorithm::random})
        searches.emplace_back(toString(algorithm), algorithm);
    addChoice<model::SearchAlgorithm>(app, "--search", space.search, searches,
                                      "Search: grid measures every configuration in full, racing stops weak ones early "
                                      "(default: grid for small sweeps, else racing)")
        ->group(group);
}

void addGoal(CLI::App& app, TuneTexts& texts)
{
    const char* const group = "Goal and budget";
    model::Goal& goal = texts.tune.request.goal;
    Tune& tune = texts.tune;
    addText(app, "--goal",
            "Objective: throughput (default), latency, memory or energy (of a sample); of several, the first decides "
            "(throughput,memory)",
            [&goal](const std::string& text) { return model::setObjectives(goal, "--goal", text); })
        ->type_name("GOAL")
        ->group(group);
    addText(app, "--max-latency",
            "Bound of a pass's median latency (20ms), of a percentile (p99=25ms; p50, p90, p95, p99) or both",
            [&goal](const std::string& text) { return model::setMaxLatency(goal, "--max-latency", text); })
        ->type_name("TIME")
        ->group(group);
    addText(app, "--max-memory", "Bound of the peak memory, for example 4GiB; --batches auto tries nothing beyond it",
            [&goal](const std::string& text) { return model::setMaxMemory(goal, "--max-memory", text); })
        ->type_name("SIZE")
        ->group(group);
    addText(app, "--max-energy", "Bound of the energy of a sample, for example 50mJ",
            [&goal](const std::string& text) { return model::setMaxEnergy(goal, "--max-energy", text); })
        ->type_name("ENERGY")
        ->group(group);
    addText(app, "--max-first",
            "Bound of the time from the model's files to the first answer in a fresh process, for example 500ms",
            [&goal](const std::string& text) { return model::setMaxFirst(goal, "--max-first", text); })
        ->type_name("TIME")
        ->group(group);
    texts.budget =
        addTime(app, "--budget", tune.request.budget,
                "Time that the sweep may take, all included: loading, converting, compiling, measuring and confirming "
                "the winner, but not the import of a new model; 0 for no limit (default: 2m)")
            ->group(group);
    addText(app, "--measuring-budget", "Measuring time, confirmation included, without converting and compiling",
            [&request = texts.tune.request](const std::string& text) -> base::Status {
                auto time = base::parseDuration("--measuring-budget", text);
                if (!time)
                    return time.error();
                request.budget = *time;
                request.budgetKind = model::BudgetKind::measuring;
                return {};
            })
        ->type_name("TIME")
        ->group(group)
        ->excludes(texts.budget);
    addParsed(app, "--target", tune.request.target,
              "Precision at which to stop measuring: quick (±2%), normal (±1%, the default), publish (±0.5%) or a "
              "share",
              [](const std::string& text) { return model::targetFromText("--target", text); })
        ->type_name("SHARE")
        ->group(group);
}

void addQuality(CLI::App& app, TuneTexts& texts)
{
    const char* const group = "Quality";
    model::Goal& goal = texts.tune.request.goal;
    model::SearchSpace& space = texts.tune.request.space;
    addText(app, "--min-quality", "Least cosine similarity to the O0 fp32 outputs (default: 0.99)",
            [&goal](const std::string& text) { return model::setMinQuality(goal, "--min-quality", text); })
        ->type_name("COSINE")
        ->group(group);
    addText(app, "--max-rel-error",
            "Largest difference from the O0 fp32 outputs, as a share of their largest value (default: 0.3 for "
            "classification and segmentation, none for detection, else 0.2)",
            [&goal](const std::string& text) { return model::setMaxRelError(goal, "--max-rel-error", text); })
        ->type_name("SHARE")
        ->group(group);
    addText(app, "--max-abs-error", "Largest difference from the O0 fp32 outputs (default: none)",
            [&goal](const std::string& text) { return model::setMaxAbsError(goal, "--max-abs-error", text); })
        ->type_name("NUMBER")
        ->group(group);
    app.add_option("--calibration", space.calibration, "Images to calibrate int8 with (default: generated samples)")
        ->type_name("DIR")
        ->check([](const std::string& folder) { return CLI::ExistingDirectory(folder); })
        ->group(group);
    addCount(app, "--calibration-samples", space.calibrationSamples, "Number of calibration images (default: 64)", 1,
             100'000)
        ->group(group);
}

void addEngines(CLI::App& app, TuneTexts& texts)
{
    const char* const group = "Engines and devices";
    model::SearchSpace& space = texts.tune.request.space;
    app.add_option("--backends", texts.backends,
                   "Engines to try, as `apertune device list` names them (default: all; libtorch when levels or its "
                   "switches are named)")
        ->type_name("LIST")
        ->group(group);
    addParsed(app, "--devices", space.devices, "Devices: all, cpu, cuda:N, … (default: the fastest kind there is)",
              parseDevices)
        ->type_name("LIST")
        ->group(group);
    addParsed(app, "--threads", space.threads,
              "Numbers of CPU threads (default: one per physical core, and fewer for the best configuration)",
              parseThreads)
        ->type_name("LIST")
        ->group(group);
    app.add_flag("--spread", space.spread,
                 "Equal GPUs share the configurations: each is measured on one of them, O0 fp32 on all")
        ->group(group);
}

void addResuming(CLI::App& app, TuneTexts& texts)
{
    const char* const group = kPlanningGroup;
    Tune& tune = texts.tune;
    app.add_flag("--dry-run", tune.dryRun,
                 "Show the plan and its estimated time, and measure nothing; a model that is new is imported")
        ->group(group)
        ->excludes("--image-sizes")
        ->excludes("--variant");
    texts.resumeOption =
        app.add_option("--resume", texts.resume,
                       "Study to continue, or a finished one to confirm (default: the newest unfinished of MODEL)")
            ->expected(0, 1)
            ->type_name("[STUDY]")
            ->group(group)
            ->excludes("--image-sizes")
            ->excludes("--variant");
    addTime(app, "--when-quiet", tune.whenQuiet,
            "Longest wait for other programs to leave the processors alone, before a study is resumed")
        ->group(group)
        ->needs(texts.resumeOption);
    app.add_flag("--retry-failed", tune.retryFailed, "Retry packages that failed to compile before")->group(group);
}

void addAfterwards(CLI::App& app, TuneTexts& texts)
{
    const char* const group = "After the sweep";
    texts.scenario = app.add_option("--scenario", texts.load.kind,
                                    "Load scenarios for the best trials: " + base::join(workload::scenarioKindWords()) +
                                        "; the bound of server is --max-latency")
                         ->type_name("LIST")
                         ->group(group)
                         ->excludes("--image-sizes")
                         ->excludes("--variant");
    app.add_flag("--robust", texts.tune.robust,
                 "Measure the best configuration, its rivals and fewer threads beside a program that computes on "
                 "half of the cores")
        ->group(group)
        ->excludes("--image-sizes")
        ->excludes("--variant");
    addCount(app, "--load-trials", texts.tune.loadTrials,
             "Number of trials to put under load, the recommended one first (default: 3)", 1, 1000)
        ->group(group)
        ->needs(texts.scenario);
    for (CLI::Option* option : addLoadOptions(app, texts.load, "Details of --scenario"))
        option->needs(texts.scenario);
}

std::shared_ptr<const Tune> declare(CLI::App& app, Scope scope)
{
    auto texts = std::make_shared<TuneTexts>();
    texts->verb = &app;
    addSweepFile(app, texts->tune.config);
    if (scope == Scope::tune)
        app.add_option("--write-config", texts->tune.writeConfig,
                       "Write the options of this call and of --config as a sweep file: JSON where the name ends in "
                       ".json, else YAML")
            ->type_name("FILE")
            ->group(kSweepFileGroup);
    app.add_option("MODEL", texts->tune.model,
                   "Model of the workspace, or a source: torchvision:NAME, timm:NAME, zoo:NAME, hf:FOLDER, "
                   "diffusers:NAME#PART, python:FILE.py:CALLABLE, or a TorchScript, torch.export, ONNX or OpenVINO IR "
                   "file")
        ->type_name("")
        ->required(scope == Scope::study);
    // Help lists groups in the order of their first options.
    addSpace(app, *texts, scope);
    addGoal(app, *texts);
    addQuality(app, *texts);
    addEngines(app, *texts);
    if (scope == Scope::tune)
        addResuming(app, *texts);
    addImportLimits(app, texts->tune.importLimits, "Import of a new model");
    if (scope == Scope::tune)
        addAfterwards(app, *texts);
    app.final_callback([texts] { finish(*texts); });
    return {texts, &texts->tune};
}

} // namespace

std::string repeatLine(const Tune& options, std::string line)
{
    for (const std::string& word : options.config.words)
        line += ' ' + base::shellQuoted(word);
    return line;
}

std::shared_ptr<const Tune> declareTuneOptions(CLI::App& app)
{
    return declare(app, Scope::tune);
}

std::shared_ptr<const Tune> declareStudyOptions(CLI::App& app)
{
    return declare(app, Scope::study);
}

} // namespace apertune::cli
