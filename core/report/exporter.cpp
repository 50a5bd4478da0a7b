// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/exporter.h"

#include "core/base/text.h"
#include "core/report/engine_tool.h"
#include "core/report/export_config.h"
#include "core/report/format.h"

#include <export_templates.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::report {

namespace fs = std::filesystem;

using base::Error;
using base::ErrorCode;

namespace {

/// How much the cosine of a later run may fall below the measured one: another machine sums in another order.
constexpr double kCosineSlack = 1e-3;
constexpr std::size_t kMaxRank = 8; ///< of an input, in the C++ program

using Values = std::vector<std::pair<std::string, std::string>>;

std::string filled(std::string_view text, const Values& values)
{
    std::string out(text);
    for (const auto& [name, value] : values)
        for (std::size_t at = 0; (at = out.find("{{" + name + "}}", at)) != std::string::npos; at += value.size())
            out.replace(at, name.size() + 4, value);
    return out;
}

/// What programs for another engine are made of.
struct EngineTexts
{
    std::string_view python;   ///< the part that opens a model
    std::string_view cpp;      ///< the same in C++
    std::string_view includes; ///< of that part
    std::string_view library;  ///< in the engine's package
};

/// nullopt: there are no programs for the backend.
std::optional<EngineTexts> engineTexts(const std::string& backend)
{
    if (backend == "openvino")
        return EngineTexts{templates::kLoadOpenvinoPy, templates::kLoadOpenvinoCpp, "#include <openvino/openvino.hpp>",
                           "libs/libopenvino.so.*"};
    if (backend == "onnxruntime")
        return EngineTexts{templates::kLoadOnnxruntimePy, templates::kLoadOnnxruntimeCpp,
                           "#include \"onnxruntime_api.h\"", "capi/libonnxruntime.so.*"};
    return std::nullopt;
}

/// Our own declarations of ONNX Runtime's interface, as a part of somebody's program.
std::string onnxruntimeDeclarations()
{
    std::string text(templates::kOnnxruntimeApi);
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"GPL-3.0-or-later", "0BSD"},
                                   {"namespace apertune::ort", "namespace ort"}})
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
    return text;
}

std::string torchVersion(const ExportPlan& plan)
{
    for (const auto& [name, version] : plan.snapshot.study.environment.engines)
        if (name == plan.trial.config.backend)
            return version.substr(0, version.find('+'));
    return plan.artifact.torch.substr(0, plan.artifact.torch.find('+'));
}

/// Boxes and a score for each: their ranks change places with the last digit of a score. Exported programs compare
/// value by value, which then says nothing; that nothing is NaN, and the time, they still verify.
bool givesDetections(const model::ModelRef& model)
{
    const auto isFloat = [](const model::TensorSpec& output) { return output.dtype.starts_with("float"); };
    for (const model::TensorSpec& boxes : model.outputs)
        for (const model::TensorSpec& scores : model.outputs)
            if (isFloat(boxes) && isFloat(scores) && boxes.shape.size() >= 2 && boxes.shape.back() == 4 &&
                std::equal(scores.shape.begin(), scores.shape.end(), boxes.shape.begin(), boxes.shape.end() - 1))
                return true;
    return false;
}

std::string fileList(const std::vector<ExportFile>& files)
{
    static const std::vector<std::pair<std::string, std::string>> kMeanings{
        {"apertune-config.json", "configuration, device and what to expect, for programs"},
        {"run.py", "loads, applies, runs, verifies"},
        {"main.cpp", "loads, applies, runs, verifies"},
        {"apertune_config.h", "the configuration as constants"},
        {"measuring.h", "measures, and compares with what was measured"},
        {"onnxruntime_api.h", "what main.cpp uses of ONNX Runtime, whose package has no headers"},
        {"CMakeLists.txt", "builds main.cpp against the engine's Python package"},
        {"model/model.pt", "the model as TorchScript"},
        {"model/model.pt2",
         "the model compiled ahead of time, for this device and batch, or each that `--batch` takes"},
        {"model/model.onnx", "the model as ONNX"},
        {"model/model.xml", "the model as OpenVINO IR, with its weights in model.bin"}};
    std::string list;
    for (const ExportFile& file : files)
        for (const auto& [name, meaning] : kMeanings)
            if (file.path == name)
                list += "* `" + name + "`: " + meaning + "\n";
    if (std::any_of(files.begin(), files.end(), [](const ExportFile& f) { return f.path.parent_path() == "inputs"; }))
        list += "* `inputs/`: the reference inputs\n";
    list.pop_back();
    return list;
}

std::string readme(const ExportPlan& plan, ExportTarget target, const std::vector<ExportFile>& files)
{
    const model::Trial& trial = plan.trial;
    const model::Measurement& m = trial.measurement;
    const bool engine = engineTexts(trial.config.backend).has_value();
    const std::string_view how = target == ExportTarget::python && engine ? templates::kHowEngine
                                 : target == ExportTarget::python         ? templates::kHowPython
                                 : target == ExportTarget::cpp && engine  ? templates::kHowEngineCpp
                                 : target == ExportTarget::cpp            ? templates::kHowCpp
                                                                          : templates::kHowJson;
    std::string text = filled(templates::kReadme, {{"HOW", std::string(how)}});
    return filled(
        text,
        {{"MODEL", plan.snapshot.study.model.name},
         {"CELL", CellNames(plan.snapshot).longName(trial)},
         {"TRIAL", toText(trial.id)},
         {"STUDY", toText(plan.snapshot.study.id)},
         {"DEVICE_NAME", plan.device.name},
         {"LATENCY", base::formatSignificant(m.latencyNs.value * 1e-6)},
         {"INTERVAL", formatCertainty(m.latencyNs, m.blocks.size())},
         {"THROUGHPUT", formatGrouped(m.throughput.value, decimalsFor(m.throughput.value, 0))},
         {"BATCH", std::to_string(trial.config.batch)},
         {"QUALITY", m.quality ? ", cosine " + formatGrouped(m.quality->cosine, 6) + " to the model as loaded" : ""},
         {"TOLERANCE", base::formatSignificant(plan.tolerance * 100, 2) + " %"},
         {"MIN_COSINE", base::formatSignificant(plan.minCosine, 6)},
         {"THREADS",
          trial.config.threads > 0 ? " with " + std::to_string(trial.config.threads) + " threads" : std::string()},
         {"TORCH_VERSION", torchVersion(plan)},
         {"BACKEND", trial.config.backend},
         {"TOOLS", toolSection(toolLines(plan))},
         {"FILES", fileList(files)}});
}

/// The files that an engine's file cannot do without: weights lie beside it, under its name.
std::vector<fs::path> companionsOf(const fs::path& file)
{
    std::vector<fs::path> found;
    std::error_code ignored;
    for (fs::path companion : {fs::path(file).replace_extension(".bin"), fs::path(file.string() + ".data")})
        if ((file.extension() == ".xml" || file.extension() == ".onnx") && fs::is_regular_file(companion, ignored))
            found.push_back(std::move(companion));
    return found;
}

base::Status checkExportable(const model::StudySnapshot& snapshot, const model::Trial& trial, ExportTarget target,
                             const fs::path& compiledPackage)
{
    const std::string others = "`apertune trials " + toText(snapshot.study.id) + "` lists the others.";
    if (trial.state != model::TrialState::ok)
        return Error{ErrorCode::invalidArgument,
                     "Trial " + toText(trial.id) + " has no measurement to export (" + reasonText(trial) + ").",
                     {},
                     "Choose one that is ok; " + others};
    if (!hasProgram(trial.config, target))
        return Error{ErrorCode::unsupported,
                     "There is no program for the backend " + trial.config.backend + ".",
                     {},
                     "Export with --target json."};
    if (target == ExportTarget::cpp && trial.config.backend == "onnxruntime" &&
        deviceKind(snapshot, trial) == model::DeviceKind::cuda)
        return Error{ErrorCode::unsupported,
                     "There is no C++ program for ONNX Runtime on a GPU.",
                     {},
                     "Export with --target python."};
    std::error_code ignored;
    if (engineTexts(trial.config.backend) && target != ExportTarget::json &&
        !fs::is_regular_file(compiledPackage, ignored))
        return Error{ErrorCode::notFound,
                     "The file of trial " + toText(trial.id) + " that " + trial.config.backend + " opens is gone.",
                     compiledPackage.string(), "Measure it again with `apertune tune`, which writes it."};
    if (trial.config.isOn("aoti") && target != ExportTarget::json && !fs::is_regular_file(compiledPackage, ignored))
        return Error{ErrorCode::notFound,
                     "The compiled package of trial " + toText(trial.id) + " is not in the cache any more.",
                     compiledPackage.string(), "Measure it again with `apertune tune`, which compiles it."};
    return {};
}

ExportPlan makePlan(const model::StudySnapshot& snapshot, const model::Trial& trial, ArtifactFiles artifact,
                    ExportTarget target, const fs::path& compiledPackage)
{
    const fs::path folder = snapshot.study.model.artifact;
    ExportPlan plan{snapshot, trial, {}, std::move(artifact)};
    if (const model::Device* device = snapshot.device(trial.device))
        plan.device = *device;
    plan.device.id = trial.device;
    plan.device.kind = deviceKind(snapshot, trial);
    const bool engine = engineTexts(trial.config.backend).has_value();
    plan.compiled = trial.config.isOn("aoti") || (needsPackage(trial.config) && !compiledPackage.empty());
    plan.selfContained = target != ExportTarget::json;
    plan.tolerance = envelopeTolerance(trial.measurement);
    const double cosine =
        trial.measurement.quality ? trial.measurement.quality->cosine : snapshot.study.goal.minQuality;
    plan.minCosine = givesDetections(snapshot.study.model) ? 0 : std::max(0.0, cosine - kCosineSlack);
    if (!plan.artifact.torchscript.empty() && !(engine && plan.selfContained))
        plan.torchscript = plan.selfContained ? "model/model.pt" : (folder / plan.artifact.torchscript).string();
    if (plan.compiled && plan.selfContained)
        plan.package = engine ? "model/" + compiledPackage.filename().string() : "model/model.pt2";
    else if (plan.compiled)
        plan.package = compiledPackage.string();
    for (std::size_t i = 0; i < plan.artifact.inputs.size(); ++i)
        plan.inputs.push_back(plan.selfContained ? "inputs/" + std::to_string(i) + ".bin"
                                                 : (folder / plan.artifact.inputs[i].file).string());
    return plan;
}

void addCppProgram(const ExportPlan& plan, std::vector<ExportFile>& files)
{
    const std::string& backend = plan.trial.config.backend;
    files.push_back({"apertune_config.h", configHeader(plan)});
    files.push_back({"measuring.h", std::string(templates::kMeasuringH)});
    if (const auto texts = engineTexts(backend)) {
        files.push_back({"main.cpp", filled(templates::kMainEngineCpp, {{"ENGINE", backend},
                                                                        {"INCLUDES", std::string(texts->includes)},
                                                                        {"LOADING", std::string(texts->cpp)}})});
        files.push_back(
            {"CMakeLists.txt",
             filled(templates::kCMakeListsEngine,
                    {{"ENGINE", backend}, {"VERSION", torchVersion(plan)}, {"LIBRARY", std::string(texts->library)}})});
        if (backend == "onnxruntime")
            files.push_back({"onnxruntime_api.h", onnxruntimeDeclarations()});
        return;
    }
    const bool cuda = plan.device.kind == model::DeviceKind::cuda;
    files.push_back({"main.cpp", std::string(templates::kMainCpp)});
    files.push_back({"CMakeLists.txt", filled(templates::kCMakeLists, {{"TORCH_VERSION", torchVersion(plan)},
                                                                       {"CUDA", cuda ? "TRUE" : "FALSE"}})});
}

} // namespace

std::optional<ExportTarget> exportTargetFromString(std::string_view text)
{
    if (text == "json")
        return ExportTarget::json;
    if (text == "cpp" || text == "libtorch-cpp") // the older name
        return ExportTarget::cpp;
    if (text == "python")
        return ExportTarget::python;
    return std::nullopt;
}

std::string verifierProgram(const std::string& backend)
{
    const Values measuring{{"MEASURING", std::string(templates::kMeasuringPy)}};
    if (backend == "libtorch")
        return filled(templates::kRunPy, measuring);
    if (const auto texts = engineTexts(backend))
        return filled(filled(templates::kRunEnginePy, {{"ENGINE", backend}, {"LOADING", std::string(texts->python)}}),
                      measuring);
    return {};
}

std::vector<const model::Trial*> otherBatches(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    std::vector<const model::Trial*> found;
    if (!trial.config.isOn("aoti") || trial.config.isOn("aoti_dynamic_batch"))
        return found;
    const std::string family = model::familyKey(trial.config, trial.device);
    for (const model::Trial& other : snapshot.trials)
        if (other.state == model::TrialState::ok && other.config.batch != trial.config.batch &&
            model::familyKey(other.config, other.device) == family)
            found.push_back(&other);
    std::sort(found.begin(), found.end(),
              [](const model::Trial* a, const model::Trial* b) { return a->config.batch < b->config.batch; });
    return found;
}

bool needsPackage(const model::Config& config)
{
    return config.isOn("aoti") || config.backend != "libtorch";
}

bool hasProgram(const model::Config& config, ExportTarget target)
{
    return target == ExportTarget::json || config.backend == "libtorch" || engineTexts(config.backend);
}

base::Result<std::vector<ExportFile>> planExport(const model::StudySnapshot& snapshot, const model::Trial& trial,
                                                 ExportTarget target, const fs::path& compiledPackage,
                                                 const std::vector<const model::Trial*>& others)
{
    if (const auto possible = checkExportable(snapshot, trial, target, compiledPackage); !possible)
        return possible.error();
    const fs::path folder = snapshot.study.model.artifact;
    auto artifact = readArtifactFiles(folder);
    if (!artifact)
        return artifact.error();
    for (const ArtifactFiles::Input& input : artifact->inputs)
        if (target == ExportTarget::cpp && input.spec.shape.size() > kMaxRank)
            return Error{ErrorCode::unsupported,
                         "Input " + input.spec.name + " has more than " + std::to_string(kMaxRank) + " dimensions.",
                         {},
                         "Export with --target python."};
    ExportPlan plan = makePlan(snapshot, trial, std::move(*artifact), target, compiledPackage);
    plan.others = others;

    std::vector<ExportFile> files;
    files.push_back({"apertune-config.json",
                     configDocument(plan).dump(2, ' ', false, base::Json::error_handler_t::replace) + "\n"});
    if (target == ExportTarget::python)
        files.push_back({"run.py", verifierProgram(trial.config.backend)});
    if (target == ExportTarget::cpp)
        addCppProgram(plan, files);
    if (plan.selfContained) {
        if (!plan.torchscript.empty())
            files.push_back({plan.torchscript, {}, folder / plan.artifact.torchscript});
        if (plan.compiled)
            files.push_back({plan.package, {}, compiledPackage});
        for (const fs::path& companion : companionsOf(compiledPackage))
            files.push_back({"model" / companion.filename(), {}, companion});
        for (std::size_t i = 0; i < plan.inputs.size(); ++i)
            files.push_back({plan.inputs[i], {}, folder / plan.artifact.inputs[i].file});
    }
    files.push_back({"README.md", readme(plan, target, files)});
    return files;
}

} // namespace apertune::report
