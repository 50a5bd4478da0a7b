// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scenario_options.h"
#include "app/cli/values.h"
#include "core/base/text.h"
#include "core/search/grid.h"

#include <algorithm>
#include <filesystem>

namespace apertune::cli {

namespace {

constexpr const char* kTuneFooter =
    R"(MODEL is a name in the workspace or any source: torchvision:NAME, timm:NAME, zoo:NAME,
python:FILE.py:CALLABLE or a TorchScript, ONNX or OpenVINO IR file.

Examples:
  apertune tune resnet50
  apertune tune torchvision:vit_b_16 --devices cuda:0 --precisions fp16,bf16 --batches 1,8,32
  apertune tune resnet50 --goal latency --max-latency 20ms --switch channels_last=on,off
  apertune tune resnet50 --image-sizes 160,224,288
  apertune tune resnet50 --backends all --precisions fp32,bf16,int8
  apertune tune resnet50 --scenario server --max-latency 50ms   and what rate the best ones hold
  apertune tune resnet50 --dry-run                what would run, and about how long
  apertune tune --resume                          go on with the newest interrupted study)";

/// Options as typed; converted when the line is known to be complete.
struct TuneTexts
{
    ImportLimitTexts importLimits;
    Tune tune;
    std::string levels, precisions, batches, imageSizes, devices, backends, threads, goal, maxLatency, maxMemory,
        minQuality, budget, target;
    std::vector<std::string> switches;
    std::string resume;
    CLI::Option* resumeOption = nullptr;
    ScenarioTexts load;
    const CLI::App* verb = nullptr;
};

base::Error missingModel()
{
    std::vector<std::string> examples{"apertune tune torchvision:resnet50"};
    return {base::ErrorCode::invalidArgument,
            "MODEL is missing.",
            {},
            "Name a model of the workspace or a source, for example `" + examples.front() +
                "`; `apertune model zoo` lists built-in ones."};
}

/// Stores a converted value, or the first failure.
class Converter
{
public:
    template <typename T, typename Field>
    void operator()(base::Result<T> value, Field& field)
    {
        if (value)
            field = std::move(value).value();
        else if (!m_error)
            m_error = value.error();
    }
    void operator()(const base::Status& status)
    {
        if (!status && !m_error)
            m_error = status.error();
    }
    const std::optional<base::Error>& error() const { return m_error; }

private:
    std::optional<base::Error> m_error;
};

/// The loads of `--scenario`; a server's bound is the goal's.
base::Result<std::vector<scenario::Scenario>> loadsOf(const TuneTexts& texts, const model::Goal& goal)
{
    const auto inWords = [](base::Nanoseconds time) { return std::to_string(time.count) + "ns"; };
    std::vector<scenario::Scenario> loads;
    for (const std::string& kind : base::splitList(texts.load.kind)) {
        ScenarioTexts one = texts.load;
        one.kind = kind;
        if (kind == toString(scenario::Kind::server)) {
            // A percentile that is bounded is what a server is asked for, before the median.
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

base::Result<Invocation> finish(const TuneTexts& texts)
{
    Tune tune = texts.tune;
    model::SearchSpace& space = tune.request.space;
    model::Goal& goal = tune.request.goal;
    Converter take;
    if (!texts.levels.empty())
        take(parseLevels(texts.levels), space.levels);
    if (!texts.precisions.empty())
        take(parsePrecisions(texts.precisions), space.precisions);
    if (!texts.batches.empty())
        take(parseBatches(texts.batches), space.batches);
    if (!texts.imageSizes.empty())
        take(parseImageSizes(texts.imageSizes), tune.imageSizes);
    if (!texts.devices.empty())
        take(parseDevices(texts.devices), space.devices);
    if (!texts.threads.empty())
        take(parseThreads(texts.threads), space.threads);
    if (!texts.goal.empty())
        take(model::setObjectives(goal, "--goal", texts.goal));
    if (!texts.maxLatency.empty())
        take(model::setMaxLatency(goal, "--max-latency", texts.maxLatency));
    if (!texts.maxMemory.empty())
        take(model::setMaxMemory(goal, "--max-memory", texts.maxMemory));
    if (!texts.minQuality.empty())
        take(model::setMinQuality(goal, "--min-quality", texts.minQuality));
    if (!texts.budget.empty())
        take(base::parseDuration("--budget", texts.budget), tune.request.budget);
    if (!texts.target.empty())
        take(model::targetFromText("--target", texts.target), tune.request.target);
    take(parseSwitches(texts.switches), space.switches);
    take(importLimitsOf(texts.importLimits), tune.importLimits);
    take(loadsOf(texts, goal), tune.scenarios);
    if (take.error())
        return *take.error();
    if (!space.calibration.empty())
        space.calibration =
            std::filesystem::weakly_canonical(space.calibration).string(); // a study outlives its folder
    space.backends = texts.backends.empty() ? search::defaultBackends(space) : base::splitList(texts.backends);

    for (const CLI::Option* option : texts.verb->get_options())
        if (option->count() > 0)
            tune.given.insert(option->get_name());
    tune.resume = texts.resumeOption->count() > 0;
    if (texts.resume != "last")
        tune.resumeStudy = texts.resume;
    if (tune.model.empty() && !tune.resume)
        return missingModel();
    return Invocation(std::move(tune));
}

void addSpace(CLI::App& app, TuneTexts& texts)
{
    const char* const group = "What to try";
    app.add_option("--levels", texts.levels, "Levels: O0,O1,O2,O3 (default: all)")->type_name("LIST")->group(group);
    app.add_option("--precisions", texts.precisions,
                   "Precisions: fp32,tf32,bf16,fp16,int8,fp8 (default: each level's own, and fp32)")
        ->type_name("LIST")
        ->group(group);
    app.add_option(
           "--batches", texts.batches,
           "Batch sizes (default: 1,2,4,8), or auto: 1, 2, 4, … to the memory edge, as long as throughput grows")
        ->type_name("LIST")
        ->group(group);
    app.add_option("--image-sizes", texts.imageSizes,
                   "Pixels of a side, for models by name: a study for each (default: the model's own)")
        ->type_name("LIST")
        ->group(group);
    app.add_option("--devices", texts.devices, "all, cpu, cuda:N … (default: the fastest kind there is)")
        ->type_name("LIST")
        ->group(group);
    app.add_option("--threads", texts.threads, "CPU threads (default: one a physical core)")
        ->type_name("LIST")
        ->group(group);
    app.add_option("--switch", texts.switches, "Lay a switch over every level; repeatable (see `apertune devices`)")
        ->type_name("NAME=on,off")
        ->allow_extra_args(false)
        ->group(group);
    app.add_option(
           "--backends", texts.backends,
           "Engines by the names that `apertune devices` lists, or all that are here (default: all; libtorch when "
           "levels or its switches are named)")
        ->type_name("LIST")
        ->group(group);
    app.add_option("--calibration", texts.tune.request.space.calibration,
                   "Images that int8 is calibrated with (default: generated samples)")
        ->type_name("DIR")
        ->check(CLI::ExistingDirectory)
        ->group(group);
    app.add_option("--calibration-samples", texts.tune.request.space.calibrationSamples,
                   "How many of them at most (default: 64)")
        ->type_name("N")
        ->check(CLI::Range(1, 100'000))
        ->group(group);
    app.add_flag("--emulated", texts.tune.request.space.emulated,
                 "Also try precisions that the device would only emulate")
        ->group(group);
}

void addGoal(CLI::App& app, TuneTexts& texts)
{
    const char* const group = "Goal";
    app.add_option("--goal", texts.goal,
                   "throughput (default), latency or memory; several, the one to decide by first: throughput,memory")
        ->type_name("GOAL")
        ->group(group);
    app.add_option("--max-latency", texts.maxLatency,
                   "Bound of the median latency of a pass, for example 20ms; of a percentile: p99=25ms (p50, p90, p95, "
                   "p99); both: 20ms,p99=25ms")
        ->type_name("TIME")
        ->group(group);
    app.add_option("--max-memory", texts.maxMemory, "Bound of the peak memory, for example 4GiB")
        ->type_name("SIZE")
        ->group(group);
    app.add_option("--min-quality", texts.minQuality, "Least cosine similarity to the O0 fp32 outputs (default: 0.99)")
        ->type_name("COSINE")
        ->group(group);
}

void addRun(CLI::App& app, TuneTexts& texts)
{
    const char* const group = "How to run";
    app.add_option("--budget", texts.budget,
                   "Time to measure and to confirm the winner in, compiling not counted (default: 2m; 0: unlimited); a "
                   "fifth to a half is kept for the confirmation; with --resume, that of what is left")
        ->type_name("TIME")
        ->group(group);
    app.add_option("--target", texts.target,
                   "Stop measuring a configuration at ± this much: quick (2%), normal (1%, the default), publish "
                   "(0.5%) or a share")
        ->type_name("SHARE")
        ->group(group);
    app.add_option(
           "--search", texts.tune.request.space.search,
           "racing: short looks, then a race of the near-best (default); grid: every configuration in full "
           "(default up to 16 configurations a device when --budget has 5 s for each, and with --budget 0); random")
        ->type_name("HOW")
        ->group(group)
        ->check(CLI::IsMember({"grid", "racing", "random"}));
    app.add_flag("--dry-run", texts.tune.dryRun, "Only show what would run, what cannot, and how long it takes")
        ->group(group)
        ->excludes("--image-sizes");
    addImportLimits(app, texts.importLimits, group);
    app.add_flag("--retry-failed", texts.tune.retryFailed, "Compile again what failed to compile before")->group(group);
    texts.resumeOption =
        app.add_option("--resume", texts.resume,
                       "Go on with an interrupted study (default: the newest of MODEL), or confirm a finished one")
            ->expected(0, 1)
            ->type_name("[STUDY]")
            ->group(group)
            ->excludes("--image-sizes")
            ->excludes("--dry-run");
}

void addLoad(CLI::App& app, TuneTexts& texts)
{
    const char* const group = "Under load, after the sweep";
    CLI::Option* const kind =
        app.add_option("--scenario", texts.load.kind,
                       base::join(scenario::kindWords()) + ": puts the best trials under it; a server's percentile "
                                                           "keeps --max-latency")
            ->type_name("LIST")
            ->group(group)
            ->excludes("--image-sizes");
    app.add_option("--load-trials", texts.tune.loadTrials, "The recommended trial and others of the front, at most")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str()
        ->group(group)
        ->needs(kind);
    for (CLI::Option* option : addLoadOptions(app, texts.load, group))
        option->needs(kind);
}

} // namespace

std::vector<Verb> declareTune(CLI::App& app)
{
    auto texts = std::make_shared<TuneTexts>();
    CLI::App* const verb = app.add_subcommand("tune", "Sweep a model on this machine and recommend a configuration");
    texts->verb = verb;
    verb->footer(kTuneFooter);
    verb->add_option("MODEL", texts->tune.model, "Name or source")->type_name("");
    addSpace(*verb, *texts);
    addGoal(*verb, *texts);
    addRun(*verb, *texts);
    addLoad(*verb, *texts);
    addCommonOptions(*verb, texts->tune.common);
    addTrustOption(*verb, texts->tune.common);
    return {{verb, [texts] { return finish(*texts); }}};
}

} // namespace apertune::cli
