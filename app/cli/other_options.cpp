// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verb_options.h"
#include "core/base/text.h"

namespace apertune::cli {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

constexpr const char* kStudyHelp = "s3, a uuid's beginning, or last";
constexpr const char* kTrialHelp = "t12, best (of the last study) or s3:best";

Verb declareCompare(CLI::App& app)
{
    auto [verb, compare] =
        declare<Compare>(app, "compare", "What differs between two studies or trials, and how surely",
                         "  apertune compare t12 t14\n"
                         "  apertune compare s3 s7 --gate 3%      exit code 1 when a configuration got slower\n"
                         "  apertune compare before.apertune after.apertune");
    verb->add_option("A", compare->a, "Baseline: t12, s3, last, or a workspace file (its last study)")
        ->type_name("")
        ->required();
    verb->add_option("B", compare->b, "Candidate")->type_name("")->required();
    auto gate = std::make_shared<std::string>();
    verb->add_option("--gate", *gate,
                     "Fail (exit code 1) when a configuration of B is surely slower than this share; 3 when it "
                     "may be")
        ->type_name("SHARE");
    auto floor = std::make_shared<std::string>();
    verb->add_option("--noise-floor", *floor,
                     "Smallest effect this machine can show (default: what `apertune noise-floor` found, or the runs "
                     "themselves where that is more); "
                     "a smaller gate fails only on what is slower than this, and cannot judge the rest (exit code 3)")
        ->type_name("SHARE");
    return {verb, [compare = compare, gate, floor]() -> Result<Invocation> {
                if (!floor->empty()) {
                    const auto share = base::parseShare("--noise-floor", *floor);
                    if (!share)
                        return share.error();
                    compare->noiseFloor = *share;
                }
                if (!gate->empty()) {
                    const auto share = base::parseShare("--gate", *gate);
                    if (!share)
                        return share.error();
                    compare->gate = *share;
                }
                return Invocation(*compare);
            }};
}

Verb declareNoiseFloor(CLI::App& app)
{
    auto [verb, options] =
        declare<NoiseFloor>(app, "noise-floor", "The smallest difference that this machine can show",
                            "  apertune noise-floor                   the last study's best trial against itself\n"
                            "  apertune noise-floor t12 --protocol publish --pairs 40");
    addTrustOption(*verb, options->common);
    verb->add_option("TRIAL", options->trial, std::string(kTrialHelp) + " (default: best)")->type_name("");
    verb->add_option("--protocol", options->protocol,
                     "quick, normal or publish: 10, 20 or 40 blocks of each process (default: normal)")
        ->type_name("NAME");
    verb->add_option("--pairs", options->pairs, "Pairs of fresh processes (default: 20)")->type_name("N");
    return {verb, [options = options]() -> Result<Invocation> {
                const std::string& name = options->protocol;
                if (name != "quick" && name != "normal" && name != "publish")
                    return Error{ErrorCode::invalidArgument,
                                 "--protocol: \"" + name + "\" is not a protocol.",
                                 {},
                                 "Known: quick, normal, publish."};
                if (options->pairs < 1 || options->pairs > 1000)
                    return Error{ErrorCode::invalidArgument,
                                 "--pairs must be 1 to 1000.",
                                 {},
                                 "20 pairs are the fewest of which the largest but one is left out."};
                return Invocation(*options);
            }};
}

Verb declareTrace(CLI::App& app)
{
    auto [verb, options] =
        declare<TraceTrial>(app, "trace", "Run a trial's configuration again and record what it does",
                            "  apertune trace best\n"
                            "  apertune trace t12 --iterations 50\n"
                            "  apertune trace best --graphs launch    CUDA graphs as a whole: it costs less\n"
                            "  apertune traces                        what has been recorded");
    addTrustOption(*verb, options->common);
    verb->add_option("TRIAL", options->trial, kTrialHelp)->type_name("")->required();
    verb->add_option("--iterations", options->options.iterations, "Forward passes to record")
        ->type_name("N")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    auto most = std::make_shared<std::string>();
    verb->add_option("--max-time", *most,
                     "Stop recording after this time, at least one pass is recorded (default: 60s)")
        ->type_name("TIME");
    struct Without
    {
        bool shapes = false;
        bool memory = false;
        bool telemetry = false;
    };
    auto plain = std::make_shared<Without>();
    verb->add_flag("--no-shapes", plain->shapes, "Without the shapes of operators' inputs");
    verb->add_flag("--no-memory", plain->memory, "Without tensor allocations");
    verb->add_flag("--no-telemetry", plain->telemetry, "Without memory, CPU use, clock and power of the host");
    verb->add_flag("--metrics", options->metrics,
                   "Hardware counters of the GPU too (SM, tensor pipe, DRAM, L2): two more passes, each a trace");
    auto graphs = std::make_shared<std::string>();
    verb->add_option("--graphs", *graphs,
                     "Of CUDA graphs: node, every kernel inside, or launch, one record a launch (default: node)")
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"node", "launch"}));
    verb->add_flag("--nvtx", options->options.nvtx, "Operators also as NVTX ranges, for a tool that is attached");
    return {verb, [options = options, most, plain, graphs]() -> Result<Invocation> {
                options->graphs = !graphs->empty();
                if (*graphs == "launch")
                    options->options.graphs = trace::GraphRecords::launches;
                if (!most->empty()) {
                    const auto time = base::parseDuration(*most);
                    if (!time)
                        return time.error();
                    options->options.most = *time;
                }
                options->options.shapes = !plain->shapes;
                options->options.memory = !plain->memory;
                options->options.telemetry = !plain->telemetry;
                return Invocation(*options);
            }};
}

Verb declareExport(CLI::App& app)
{
    auto [verb, options] = declare<Export>(app, "export", "Write a trial's configuration as a folder that runs",
                                           "  apertune export best --target python --out r50\n"
                                           "  apertune export t14 --target cpp --out r50-cpp --force\n"
                                           "  apertune verify r50                    still as fast as measured?");
    addTrustOption(*verb, options->common);
    verb->add_option("TRIAL", options->trial, kTrialHelp)->type_name("")->required();
    auto target = std::make_shared<std::string>();
    verb->add_option(
            "--target", *target,
            "python or cpp: a folder that runs by itself; json: the configuration alone, for programs of your own, "
            "which finds the model in the workspace's files")
        ->type_name("TARGET")
        ->required();
    verb->add_option("--out", options->dir, "The folder to write")->type_name("DIR")->required();
    verb->add_flag("--force", options->force, "Write into a folder that is not empty");
    verb->add_flag("--no-check", options->noCheck,
                   "Do not run the program before the folder is written; otherwise it is built where it has to be, and "
                   "run once, and a folder that does not run is not written");
    verb->add_flag("--all-batches", options->allBatches,
                   "Of a compiled trial: every batch that was measured so, in one package; the program takes --batch");
    return {verb, [options = options, target]() -> Result<Invocation> {
                const auto known = report::exportTargetFromString(*target);
                if (!known)
                    return Error{ErrorCode::invalidArgument,
                                 "--target: \"" + *target + "\" is not a target.",
                                 {},
                                 "Known: json, cpp, python."};
                options->target = *known;
                return Invocation(*options);
            }};
}

Verb declareReport(CLI::App& app)
{
    auto [verb, options] = declare<Report>(app, "report", "Write a study as one self-contained file",
                                           "  apertune report last --out report.html\n"
                                           "  apertune report s3 --format csv > s3.csv");
    verb->add_option("STUDY", options->study, kStudyHelp)->type_name("")->required();
    verb->add_option("--out", options->out, "File to write (default: stdout)")->type_name("FILE");
    auto format = std::make_shared<std::string>();
    verb->add_option("--format", *format, "html, csv or json (default: by the file's name, else html)")
        ->type_name("FORMAT");
    return {verb, [options = options, format]() -> Result<Invocation> {
                std::string word = *format;
                if (word.empty())
                    word = options->out.extension() == ".csv"    ? "csv"
                           : options->out.extension() == ".json" ? "json"
                                                                 : "html";
                if (word != "html" && word != "csv" && word != "json")
                    return Error{ErrorCode::invalidArgument,
                                 "--format: \"" + word + "\" is not a format.",
                                 {},
                                 "Known: html, csv, json."};
                options->format = word == "csv"    ? Report::Format::csv
                                  : word == "json" ? Report::Format::json
                                                   : Report::Format::html;
                return Invocation(*options);
            }};
}

} // namespace

void addImportLimits(CLI::App& verb, ImportLimitTexts& texts, const std::string& group)
{
    verb.add_option("--import-timeout", texts.time, "Stop an import after this time (default: 30m); 0: never")
        ->type_name("TIME")
        ->group(group);
    verb.add_option("--import-memory", texts.memory,
                    "Stop an import that takes more memory (default: nine tenths of the machine's)")
        ->type_name("SIZE")
        ->group(group);
}

base::Result<models::ImportLimits> importLimitsOf(const ImportLimitTexts& texts)
{
    models::ImportLimits limits;
    const auto time = base::parseDuration("--import-timeout", texts.time);
    if (!time)
        return time.error();
    limits.time = *time;
    if (texts.memory.empty())
        return limits;
    const auto memory = base::parseBytes("--import-memory", texts.memory);
    if (!memory)
        return memory.error();
    limits.memory = *memory;
    return limits;
}

std::vector<Verb> declareModelVerbs(CLI::App& app)
{
    CLI::App* const group = app.add_subcommand("model", "Import, list, show and delete models");
    group->require_subcommand(1);
    group->footer("Examples:\n"
                  "  apertune model import timm:convnext_tiny\n"
                  "  apertune model zoo");
    std::vector<Verb> verbs;

    auto [importVerb, importOptions] = declare<ModelImport>(
        *group, "import", "Make an artifact of a model and keep it by name",
        "  apertune model import torchvision:resnet50\n"
        "  apertune model import torchvision:resnet50@160\n"
        "  apertune model import timm:convnext_tiny --name convnext --weights convnext.safetensors\n"
        "  apertune model import python:net.py:make\n"
        "  apertune model import scripted.pt --input-shape x:float32:1x3x224x224");
    importVerb
        ->add_option(
            "SOURCE", importOptions->request.source,
            "torchvision:NAME, timm:NAME, zoo:NAME, python:FILE.py:CALLABLE, or a TorchScript, .onnx or OpenVINO IR "
            "(.xml) file")
        ->type_name("")
        ->required();
    importVerb->add_option("--name", importOptions->request.name, "Name in the workspace (default: from the source)");
    importVerb
        ->add_option("--weights", importOptions->request.weights, "state_dict or safetensors instead of random weights")
        ->type_name("FILE");
    importVerb
        ->add_option("--input-shape", importOptions->request.inputShapes,
                     "An input of a TorchScript file; once an input")
        ->type_name("NAME:DTYPE:1x3x224x224")
        ->allow_extra_args(false);
    const auto limits = std::make_shared<ImportLimitTexts>();
    addImportLimits(*importVerb, *limits);
    verbs.push_back({importVerb, [importOptions = importOptions, limits]() -> base::Result<Invocation> {
                         const auto parsed = importLimitsOf(*limits);
                         if (!parsed)
                             return parsed.error();
                         importOptions->limits = *parsed;
                         return Invocation(*importOptions);
                     }});

    auto [list, listOptions] = declare<ModelList>(*group, "list", "Models of the workspace", "  apertune model list");
    verbs.push_back(simpleVerb(list, listOptions));

    auto [zoo, zooOptions] =
        declare<ModelZoo>(*group, "zoo", "Built-in models, ready without a network", "  apertune model zoo", false);
    verbs.push_back(simpleVerb(zoo, zooOptions));

    auto [show, showOptions] = declare<ModelShow>(*group, "show", "Inputs, outputs, size and work of a model",
                                                  "  apertune model show resnet50");
    show->add_option("NAME", showOptions->name, "Name in the workspace")->type_name("")->required();
    verbs.push_back(simpleVerb(show, showOptions));

    auto [drop, dropOptions] = declare<ModelDelete>(
        *group, "delete", "Delete a model and, once no study needs them, its files; its studies stay",
        "  apertune model delete resnet50");
    drop->add_option("NAME", dropOptions->name, "Name in the workspace")->type_name("")->required();
    verbs.push_back(simpleVerb(drop, dropOptions));

    auto [repair, repairOptions] =
        declare<Repair>(app, "repair", "Check a workspace, and save what is readable of a damaged one",
                        "  apertune repair\n"
                        "  apertune repair --store lab.apertune --out lab-saved.apertune");
    repair->add_option("--out", repairOptions->out, "New workspace for what is saved (default: beside the damaged one)")
        ->type_name("FILE");
    verbs.push_back(simpleVerb(repair, repairOptions));
    return verbs;
}

std::vector<Verb> declareStudyVerbs(CLI::App& app)
{
    std::vector<Verb> verbs;
    auto [devices, devicesOptions] =
        declare<Devices>(app, "devices", "What this machine is, can run and can record", "  apertune devices");
    verbs.push_back(simpleVerb(devices, devicesOptions));

    auto [ceilings, ceilingsOptions] =
        declare<Ceilings>(app, "ceilings", "What the devices really reach: matrix products and copies",
                          "  apertune ceilings                     measured once, then kept in the workspace\n"
                          "  apertune ceilings --device cpu --refresh");
    ceilings->add_option("--device", ceilingsOptions->device, "Only this one (default: all)")->type_name("DEVICE");
    ceilings->add_option("--backend", ceilingsOptions->backend, "That measures (default: the first that can)")
        ->type_name("NAME");
    ceilings->add_flag("--refresh", ceilingsOptions->refresh, "Measure again");
    verbs.push_back(simpleVerb(ceilings, ceilingsOptions));

    auto [studies, studiesOptions] = declare<Studies>(app, "studies", "Studies of the workspace", "  apertune studies");
    verbs.push_back(simpleVerb(studies, studiesOptions));

    auto [trials, trialsOptions] =
        declare<Trials>(app, "trials", "Trials of a study, one a line", "  apertune trials last");
    trials->add_option("STUDY", trialsOptions->study, kStudyHelp)->type_name("")->required();
    verbs.push_back(simpleVerb(trials, trialsOptions));

    auto [show, showOptions] = declare<Show>(app, "show", "A study with its recommendation, or all about one trial",
                                             "  apertune show last\n"
                                             "  apertune show t12\n"
                                             "  apertune show best");
    show->add_option("WHAT", showOptions->what, std::string("A study (") + kStudyHelp + ") or a trial (t12, best)")
        ->type_name("")
        ->required();
    verbs.push_back(simpleVerb(show, showOptions));

    verbs.push_back(declareTrace(app));

    auto [traces, tracesOptions] = declare<TraceList>(app, "traces", "Traces of the workspace", "  apertune traces");
    verbs.push_back(simpleVerb(traces, tracesOptions));

    verbs.push_back(declareCompare(app));
    verbs.push_back(declareNoiseFloor(app));

    auto [drop, dropOptions] = declare<Delete>(app, "delete", "Delete studies with all their trials",
                                               "  apertune delete s3 s4\n"
                                               "  apertune delete last --yes");
    drop->add_option("STUDY", dropOptions->studies, kStudyHelp)->type_name("")->required();
    drop->add_flag("--yes,-y", dropOptions->yes, "Do not ask (asked only on a terminal)");
    verbs.push_back(simpleVerb(drop, dropOptions));
    return verbs;
}

std::vector<Verb> declareOutputVerbs(CLI::App& app)
{
    std::vector<Verb> verbs;
    verbs.push_back(declareReport(app));
    verbs.push_back(declareExport(app));

    auto [verify, verifyOptions] =
        declare<Verify>(app, "verify", "Measure an exported folder or a trial again: as fast as it was?",
                        "  apertune verify r50        exit code 0 inside its envelope, 1 outside, 3 cannot tell\n"
                        "  apertune verify t12        exit code 0 as fast as then, 1 slower, 3 cannot tell");
    addTrustOption(*verify, verifyOptions->common);
    verify
        ->add_option("DIR", verifyOptions->dir, std::string("A folder that `apertune export` wrote, or ") + kTrialHelp)
        ->type_name("")
        ->required();
    verbs.push_back(simpleVerb(verify, verifyOptions));

    auto [gui, guiOptions] = declare<Gui>(app, "gui", "Open the workspace in the window",
                                          "  apertune gui\n"
                                          "  apertune gui --store lab.apertune -- --page compare");
    gui->add_option("ARGUMENT", guiOptions->arguments, "Handed on to apertune-gui (after --)")->type_name("");
    verbs.push_back(simpleVerb(gui, guiOptions));
    return verbs;
}

} // namespace apertune::cli
