// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/serving_files.h"

#include "core/base/escape.h"
#include "core/base/json_optional.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/exports/errors.h"
#include "core/text/format.h"
#include "core/text/mustache.h"

#include <export_templates.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

namespace apertune::exports {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

constexpr double kCallMs = 0.1; ///< time that a call from Python may take beside the pass, as in measuring.py
constexpr std::int64_t kLeastBody = 16 << 20; ///< bytes that every server takes, for images

/// Returns the size of a value in bytes from the digits in the type's name; 1 for a type without, such as bool.
std::int64_t sizeOf(const std::string& dtype)
{
    std::int64_t bits = 0;
    for (const char c : dtype)
        if (std::isdigit(static_cast<unsigned char>(c)))
            bits = bits * 10 + (c - '0');
    return std::max<std::int64_t>(1, bits / 8);
}

/// Returns how many bytes a body may have: twice the arrays of a sample, which leaves room for their headers.
std::int64_t mostBytes(const ArtifactFiles& artifact)
{
    std::int64_t bytes = 0;
    for (const ArtifactFiles::Input& input : artifact.inputs) {
        std::int64_t values = 1;
        for (const std::int64_t extent : input.spec.shape)
            values *= extent;
        bytes += values * sizeOf(input.spec.dtype);
    }
    return std::max(kLeastBody, 2 * bytes);
}

Json recipeDocument(const std::optional<ImageRecipe>& recipe)
{
    if (!recipe)
        return nullptr;
    return {{"resize", base::orNull(recipe->resize)},
            {"interpolation", recipe->interpolation},
            {"mean", recipe->mean},
            {"std", recipe->deviation}};
}

/// Returns the line of a list of the set-up that pins a package.
std::string pinned(std::string_view list, std::string_view package)
{
    const std::string begin = "\n" + std::string(package) + "==";
    const std::size_t at = list.find(begin);
    return std::string(list.substr(at + 1, list.find('\n', at + 1) - at)); // every list ends with a line break
}

/// Returns the packages of the server, without Pillow where no images come.
std::string serverPackages(bool images)
{
    std::string packages;
    for (const std::string& line : base::splitList(templates::kServingPackages, '\n'))
        if (line.front() != '#' && (images || !line.starts_with("pillow==")))
            packages += line + "\n";
    return packages;
}

std::string requirements(const ExportPlan& plan, const std::string& version)
{
    return "# What server.py needs, in the versions that Apertune measured and tested.\n" +
           plan.program->pipPackage(plan.device.type) + "==" + version + "\n" +
           pinned(templates::kTorchPackages, "numpy") + serverPackages(plan.artifact.image.has_value());
}

/// Returns a text as a string of YAML. Prometheus would take two braces for a template of its own.
std::string yamlText(const std::string& text)
{
    return Json(base::replaced(base::printableLine(text), "{{", "{ {"))
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Returns a bound of an alert in seconds: what was measured with the tolerance of the envelope, and the call from
/// Python.
std::string bound(double ms, double tolerance)
{
    return text::plainNumber((ms * (1 + tolerance) + kCallMs) * 1e-3);
}

std::string alertRules(const ExportPlan& plan)
{
    const model::Measurement& m = plan.trial.measurement;
    const double median = m.latencyNs.value * base::kMsPerNs;
    const std::string machine = " on " + plan.device.name + " (" + plan.snapshot.study.environment.host + ")";
    const std::string measured = "Trial " + text::toText(plan.trial.id) + " of study " +
                                 text::toText(plan.snapshot.study.id) + " took " + base::formatSignificant(median) +
                                 " ms a pass " + text::formatCertainty(m.latencyNs, m.blocks.size()) + " at batch " +
                                 std::to_string(plan.trial.config.batch) + machine + ".";
    const std::string added = " The bound adds the tolerance of " + text::plainNumber(plan.tolerance * 100) +
                              " % and " + text::plainNumber(kCallMs) + " ms for the call from Python.";
    Json values{{"NAME", yamlText("apertune " + plan.snapshot.study.model.name)},
                {"MEDIAN_BOUND", bound(median, plan.tolerance)},
                {"MEDIAN_MEASURED", yamlText(measured + added)},
                {"MEASURED", yamlText(measured)},
                {"TAIL", nullptr},
                {"LOAD", nullptr}};
    if (m.p99Ns)
        values["TAIL"] = {
            {"TAIL_BOUND", bound(*m.p99Ns * base::kMsPerNs, plan.tolerance)},
            {"TAIL_MEASURED", yamlText(measured + " The p99 was " + base::formatSignificant(*m.p99Ns * base::kMsPerNs) +
                                       " ms." + added)}};
    if (const auto& load = plan.serving.load)
        values["LOAD"] = {{"PERCENTILE", text::percentileName(load->scenario.percentile)},
                          {"LOAD_BOUND", bound(load->latencyMs, plan.tolerance)},
                          {"LOAD_MEASURED", yamlText(loadSentence(*load) + machine + "." + added)}};
    return text::filled(templates::kAlertRules, values, text::Escape::none);
}

} // namespace

base::Status checkServable(const ExportPlan& plan)
{
    const model::ModelRef& model = plan.snapshot.study.model;
    if (!model.state.empty())
        return Error{ErrorCode::unsupported,
                     base::message<errors::kKeepsState>(std::string(toString(plan.target))),
                     {},
                     base::message<errors::kExportPython>()};
    const int batch = plan.trial.config.batch;
    if (model.outputs.empty())
        return Error{ErrorCode::unsupported,
                     base::message<errors::kUnknownOutputs>(),
                     {},
                     base::message<errors::kExportPython>()};
    std::vector<model::TensorSpec> tensors = model.outputs;
    for (const ArtifactFiles::Input& input : plan.artifact.inputs)
        tensors.push_back(input.spec);
    for (const model::TensorSpec& tensor : tensors)
        if (batch > 1 && !tensor.batchDim)
            return Error{ErrorCode::unsupported,
                         base::message<errors::kFixedBatch>(tensor.name, batch),
                         {},
                         base::message<errors::kExportBatchOne>()};
    return {};
}

Json servingDocument(const ExportPlan& plan)
{
    Json outputs = Json::array();
    for (const model::TensorSpec& output : plan.snapshot.study.model.outputs)
        outputs.push_back({{"name", output.name},
                           {"dtype", output.dtype},
                           {"shape", output.shape},
                           {"batch_dim", base::orNull(output.batchDim)}});
    return {{"batch_wait_ms", plan.serving.batchWait.milliseconds()},
            {"reason", plan.serving.origin},
            {"queue", plan.serving.queue},
            {"most_bytes", mostBytes(plan.artifact)},
            {"outputs", std::move(outputs)},
            {"image", recipeDocument(plan.artifact.image)}};
}

std::vector<ExportFile> serverFiles(const ExportPlan& plan, const std::string& version)
{
    return {{"server.py", std::string(templates::kServerPy)},
            {"check_files.py", std::string(templates::kCheckFilesPy)},
            {"requirements.txt", requirements(plan, version)},
            {"Dockerfile",
             text::filled(templates::kDockerfile, {{"GPU", plan.device.type.isNvidiaGpu()}, {"NAME", "apertune-model"}},
                          text::Escape::none)},
            {"prometheus-rules.yml", alertRules(plan)}};
}

std::string serverPage(const ExportPlan& plan)
{
    return text::filled(templates::kHowServer,
                        {{"BATCH", std::to_string(plan.trial.config.batch)},
                         {"WAIT", base::formatSignificant(plan.serving.batchWait.milliseconds())},
                         {"REASON", plan.serving.origin},
                         {"QUEUE", std::to_string(plan.serving.queue)},
                         {"GPUS", plan.device.type.isNvidiaGpu() ? " --gpus all" : ""},
                         {"ONE_INPUT", plan.artifact.inputs.size() == 1},
                         {"IMAGE", plan.artifact.image.has_value()}},
                        text::Escape::none);
}

} // namespace apertune::exports
