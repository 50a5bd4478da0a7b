// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/exporter.h"

#include "core/base/contained_path.h"
#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/exports/detection_outputs.h"
#include "core/exports/engine_tool.h"
#include "core/exports/errors.h"
#include "core/exports/export_config.h"
#include "core/exports/serving_files.h"
#include "core/exports/triton_repository.h"
#include "core/sweeps/sweep_file.h"
#include "core/sweeps/sweep_of.h"
#include "core/text/format.h"
#include "core/text/mustache.h"

#include <export_templates.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::exports {

namespace fs = std::filesystem;

using base::Error;
using base::ErrorCode;

namespace {

/// The amount by which the cosine of a later run may be lower than measured: another machine adds in another order.
constexpr double kCosineSlack = 1e-3;
constexpr const char* kSweepFile = "apertune-sweep.yaml";
constexpr std::size_t kMaxRank = 8; ///< largest rank of an input in the C++ program

std::string engineVersion(const ExportPlan& plan)
{
    // What follows a "+" names a build ("2.8.0+cpu"), which is not part of the version that a user installs.
    const std::string* known = model::engineVersion(plan.snapshot.study.environment, plan.trial.config.backend);
    const std::string& version = known ? *known : plan.artifact.torch;
    return version.substr(0, version.find('+'));
}

std::string fileList(const std::vector<ExportFile>& files, const NamedTexts& own)
{
    static const NamedTexts kMeanings{
        {"apertune-config.json", "configuration, device and what to expect, for programs"},
        {kSweepFile, "the sweep that found the configuration; `apertune tune --config` measures it again"},
        {"run.py", "loads, applies, runs, verifies"},
        {"server.py", "serves the model over HTTP, with figures for Prometheus"},
        {"check_files.py", "compares the files with their hashes"},
        {"requirements.txt", "the Python packages of server.py"},
        {"Dockerfile", "the server as a container"},
        {"prometheus-rules.yml", "alert rules with the bounds that were measured"},
        {"main.cpp", "loads, applies, runs, verifies"},
        {"apertune_config.h", "the configuration as constants"},
        {"measuring.h", "measures, and compares with what was measured"},
        {"CMakeLists.txt", "builds main.cpp against the engine's Python package"},
        {"model/model.pt", "the model as TorchScript"},
        {"model/model.pt2",
         "the model compiled ahead of time, for this device and batch, or each that `--batch` takes"},
        {"model/model.onnx", "the model as ONNX"},
        {"model/model.xml", "the model as OpenVINO IR, with its weights in model.bin"}};
    std::string list;
    for (const ExportFile& file : files)
        // The engine knows its file better than the common list does.
        for (const NamedTexts* meanings : {&own, &kMeanings})
            if (const auto known = std::find_if(meanings->begin(), meanings->end(),
                                                [&](const auto& meant) { return file.path == meant.first; });
                known != meanings->end()) {
                list += "* `" + known->first + "`: " + known->second + "\n";
                break;
            }
    const auto holds = [&](const char* folder) {
        return std::any_of(files.begin(), files.end(),
                           [&](const ExportFile& file) { return *file.path.begin() == folder; });
    };
    if (holds("model_repository"))
        list += "* `model_repository/`: the model and its configuration for Triton\n";
    if (holds("inputs"))
        list += "* `inputs/`: the reference inputs\n";
    list.pop_back(); // the template ends the last line
    return list;
}

std::string howToRun(const ExportPlan& plan)
{
    if (plan.target == ExportTarget::json || !plan.program)
        return text::filled(templates::kHowJson, {{"TRIAL", text::toText(plan.trial.id)}}, text::Escape::none);
    if (plan.target == ExportTarget::cpp)
        return cppPage(*plan.program, engineVersion(plan));
    const std::string python = pythonPage(*plan.program, engineVersion(plan));
    if (plan.target == ExportTarget::server)
        return python + "\n" + serverPage(plan);
    return plan.target == ExportTarget::triton ? tritonPage(plan) + python : python;
}

/// Returns a section about switches that were asked for and are not in the export; empty without any.
std::string leftOutSection(const std::vector<model::LeftOut>& leftOut)
{
    if (leftOut.empty())
        return {};
    std::string section = "\n\n## Left out\n\nThese switches were asked for and did not take effect when the trial was "
                          "measured, so this export leaves them off:\n";
    for (const model::LeftOut& left : leftOut)
        section +=
            "\n* `" + base::printableLine(base::replaced(left.name, "`", "'")) + "`: " + base::markdownText(left.why);
    return section;
}

std::string readme(const ExportPlan& plan, const std::vector<ExportFile>& files)
{
    const model::Trial& trial = plan.trial;
    const model::Measurement& m = trial.measurement;
    return text::filled(
        templates::kReadme,
        {{"HOW", howToRun(plan)},
         {"MODEL", base::markdownText(plan.snapshot.study.model.name)},
         {"CONFIGURATION", base::markdownText(text::ConfigurationNames(plan.snapshot).longName(trial))},
         {"TRIAL", text::toText(trial.id)},
         {"STUDY", text::toText(plan.snapshot.study.id)},
         {"DEVICE_NAME", base::markdownText(plan.device.name)},
         {"LATENCY", base::formatSignificant(m.latencyNs.value * 1e-6)},
         {"INTERVAL", text::formatCertainty(m.latencyNs, m.blocks.size())},
         {"THROUGHPUT", text::formatGrouped(m.throughput.value, text::decimalsFor(m.throughput.value, 0)) + " " +
                            std::string(base::toString(plan.snapshot.study.model.rateUnit()))},
         {"BATCH", std::to_string(trial.config.batch)},
         {"QUALITY", m.quality ? ", cosine " + metrics::similarityText(metrics::find("cosine").read(m, {})) +
                                     " to the model as loaded"
                               : ""},
         {"TOLERANCE", base::formatSignificant(plan.tolerance * 100, 2) + " %"},
         {"MIN_COSINE", base::formatSignificant(plan.minCosine, 6)},
         {"THREADS",
          trial.config.threads > 0 ? " with " + std::to_string(trial.config.threads) + " threads" : std::string()},
         {"LEFT_OUT", leftOutSection(plan.ran.leftOut)},
         {"TOOLS", toolSection(toolLines(plan))},
         {"FILES", fileList(files, plan.program ? plan.program->files : NamedTexts())}},
        text::Escape::none);
}

base::Status checkExportable(const model::StudySnapshot& snapshot, const model::Trial& trial, ExportTarget target,
                             const fs::path& compiledPackage, const std::optional<EngineProgram>& program)
{
    if (trial.state != model::TrialState::ok)
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNothingToExport>(text::toText(trial.id), text::reasonText(trial)),
                     {},
                     base::message<errors::kChooseOk>(text::toText(snapshot.study.id))};
    if (!hasProgram(trial.config, target))
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNoProgram>(trial.config.backend),
                     {},
                     base::message<errors::kExportJson>()};
    if (target == ExportTarget::cpp && !program->cppRunsOn(text::deviceType(snapshot, trial)))
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNoCppProgram>(program->title, trial.device),
                     {},
                     base::message<errors::kExportPython>()};
    if (target == ExportTarget::triton) {
        model::Device device;
        device.id = trial.device;
        device.type = text::deviceType(snapshot, trial);
        if (const auto possible = checkTriton(*program, model::inEffect(trial).config, device); !possible)
            return possible.error();
    }
    std::error_code ignored;
    if (target != ExportTarget::json && !program->torchscript && !fs::is_regular_file(compiledPackage, ignored))
        return Error{ErrorCode::notFound,
                     base::message<errors::kEngineFileGone>(text::toText(trial.id), trial.config.backend),
                     compiledPackage.string(), base::message<errors::kMeasureToWrite>()};
    if (trial.config.isCompiled() && target != ExportTarget::json && !fs::is_regular_file(compiledPackage, ignored))
        return Error{ErrorCode::notFound, base::message<errors::kPackageGone>(text::toText(trial.id)),
                     compiledPackage.string(), base::message<errors::kMeasureToCompile>()};
    return {};
}

ExportPlan makePlan(const model::StudySnapshot& snapshot, const model::Trial& trial, ArtifactFiles artifact,
                    ExportTarget target, const fs::path& compiledPackage, std::optional<EngineProgram> program)
{
    const fs::path folder = snapshot.study.model.artifact;
    ExportPlan plan{snapshot, trial, model::inEffect(trial), {}, std::move(artifact), target, {}, std::move(program)};
    if (const model::Device* device = snapshot.deviceOf(trial))
        plan.device = *device;
    plan.device.id = trial.device;
    plan.device.type = text::deviceType(snapshot, trial);
    const bool opensScript = !plan.program || plan.program->torchscript;
    plan.compiled = plan.ran.config.isCompiled() || (needsPackage(plan.ran.config) && !compiledPackage.empty());
    plan.selfContained = target != ExportTarget::json;
    plan.tolerance = envelopeTolerance(trial.measurement);
    const double cosine =
        trial.measurement.quality ? trial.measurement.quality->cosine : snapshot.study.goal.minQuality;
    plan.minCosine = givesDetections(snapshot.study.model) ? 0 : std::max(0.0, cosine - kCosineSlack);
    // Triton and the Python program read the same file.
    const std::string models =
        target == ExportTarget::triton ? tritonFolder(*plan.program, snapshot.study.model.name) : "model";
    if (!plan.artifact.torchscript.empty() && (opensScript || !plan.selfContained))
        plan.torchscript = plan.selfContained ? models + "/model.pt" : (folder / plan.artifact.torchscript).string();
    if (plan.compiled && plan.selfContained)
        plan.package = models + "/" +
                       (plan.program->package.empty() ? compiledPackage.filename().string() : plan.program->package);
    else if (plan.compiled)
        plan.package = compiledPackage.string();
    for (std::size_t i = 0; i < plan.artifact.inputs.size(); ++i)
        plan.inputs.push_back(plan.selfContained ? "inputs/" + std::to_string(i) + ".bin"
                                                 : (folder / plan.artifact.inputs[i].file).string());
    return plan;
}

void addCppProgram(const ExportPlan& plan, std::vector<ExportFile>& files)
{
    files.push_back({"apertune_config.h", configHeader(plan)});
    files.push_back({"measuring.h", std::string(templates::kMeasuringH)});
    for (auto& [name, text] : cppProgram(*plan.program, engineVersion(plan), plan.device.type))
        files.push_back({name, std::move(text)});
}

} // namespace

std::pair<std::string, std::string> rootOption(const std::string& backend)
{
    const auto program = engineProgram(backend);
    return program ? std::pair(program->rootOption, program->rootExample) : std::pair<std::string, std::string>();
}

std::string verifierProgram(const std::string& backend)
{
    const auto program = engineProgram(backend);
    return program && program->python ? pythonProgram(*program) : std::string();
}

std::vector<const model::Trial*> otherBatches(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    std::vector<const model::Trial*> found;
    if (!trial.config.isCompiled() || trial.config.servesEveryBatch())
        return found;
    const std::string group = model::groupKey(trial.config, trial.device);
    for (const model::Trial& other : snapshot.trials)
        if (other.state == model::TrialState::ok && other.config.batch != trial.config.batch &&
            model::groupKey(other.config, other.device) == group)
            found.push_back(&other);
    std::sort(found.begin(), found.end(),
              [](const model::Trial* a, const model::Trial* b) { return a->config.batch < b->config.batch; });
    return found;
}

bool needsPackage(const model::Config& config)
{
    const auto program = engineProgram(config.backend);
    return config.isCompiled() || !program || !program->torchscript;
}

bool hasProgram(const model::Config& config, ExportTarget target)
{
    const auto program = engineProgram(config.backend);
    return target == ExportTarget::json || (program && (target == ExportTarget::cpp ? program->cpp : program->python));
}

base::Result<std::vector<ExportFile>> planExport(const model::StudySnapshot& snapshot, const model::Trial& trial,
                                                 ExportTarget target, const fs::path& compiledPackage,
                                                 const std::vector<const model::Trial*>& others,
                                                 const FindConverted& converted, const ServingChoice& serving)
{
    auto program = engineProgram(trial.config.backend);
    if (const auto possible = checkExportable(snapshot, trial, target, compiledPackage, program); !possible)
        return possible.error();
    const fs::path folder = snapshot.study.model.artifact;
    auto artifact = readArtifactFiles(folder);
    if (!artifact)
        return artifact.error();
    for (const ArtifactFiles::Input& input : artifact->inputs)
        if (target == ExportTarget::cpp && input.spec.shape.size() > kMaxRank)
            return Error{ErrorCode::unsupported,
                         base::message<errors::kTooManyDimensions>(input.spec.name, kMaxRank),
                         {},
                         base::message<errors::kExportPython>()};
    ExportPlan plan = makePlan(snapshot, trial, std::move(*artifact), target, compiledPackage, std::move(program));
    plan.others = others;
    plan.opened = compiledPackage;
    plan.converted = converted;
    if (servesRequests(target)) {
        if (const auto possible = checkServable(plan); !possible)
            return possible.error();
        plan.serving = servingSettings(serving, plan.ran.config.batch,
                                       base::roundedNanoseconds(trial.measurement.latencyNs.value));
    }

    std::vector<ExportFile> files;
    files.push_back({"apertune-config.json",
                     configDocument(plan).dump(2, ' ', false, base::Json::error_handler_t::replace) + "\n"});
    // What a sweep file cannot say is a study without one.
    const model::Study& study = snapshot.study;
    if (study.purpose == model::StudyPurpose::tuning && study.space.sensitive.empty())
        files.push_back(
            {kSweepFile, sweeps::sweepYaml(sweeps::sweepOf({sweeps::portableName(study.model), study.goal, study.space,
                                                            study.budget, study.budgetKind, study.target}))});
    if (hasPythonProgram(target))
        files.push_back({"run.py", pythonProgram(*plan.program)});
    if (target == ExportTarget::cpp)
        addCppProgram(plan, files);
    if (target == ExportTarget::server)
        for (ExportFile& file : serverFiles(plan, engineVersion(plan)))
            files.push_back(std::move(file));
    if (target == ExportTarget::triton) {
        auto config = tritonConfig(plan);
        if (!config)
            return config.error();
        files.push_back(std::move(*config));
    }
    if (plan.selfContained) {
        if (!plan.torchscript.empty())
            files.push_back({plan.torchscript, {}, folder / plan.artifact.torchscript});
        if (plan.compiled)
            files.push_back({plan.package, {}, compiledPackage});
        std::vector<fs::path> copied = toolModels(plan);
        // A copy of the list, because companions are appended to it meanwhile.
        for (const fs::path& opened : std::vector<fs::path>(copied))
            for (fs::path& companion : companionsOf(opened))
                copied.push_back(std::move(companion));
        std::vector<std::pair<fs::path, fs::path>> places;
        for (fs::path& file : copied)
            places.emplace_back("model", std::move(file));
        for (fs::path& companion : companionsOf(compiledPackage))
            places.emplace_back(fs::path(plan.package).parent_path(), std::move(companion));
        for (const auto& [place, file] : places) {
            // A link in the folder of a converted model may lead out of it.
            if (auto within = base::requireWithin(file.parent_path(), file); !within)
                return within.error();
            files.push_back({place / file.filename(), {}, file});
        }
        for (std::size_t i = 0; i < plan.inputs.size(); ++i)
            files.push_back({plan.inputs[i], {}, folder / plan.artifact.inputs[i].file});
    }
    // Last, because it lists the others.
    files.push_back({"README.md", readme(plan, files)});
    return files;
}

} // namespace apertune::exports
