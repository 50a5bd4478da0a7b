// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/export_config.h"

#include "core/base/json_optional.h"
#include "core/base/number_text.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/exports/engine_tool.h"
#include "core/exports/export_manifest.h"
#include "core/exports/serving_files.h"
#include "core/model/json_codec.h"
#include "core/report/documents.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::exports {

using base::Json;

namespace {

constexpr double kLeastTolerance = 0.10;

/// Returns a text as a C++ (and JSON) string literal.
std::string literal(const std::string& text)
{
    // ASCII alone: a compiler need not read the header as UTF-8.
    return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

/// Returns the shortest text that reads back as the same double and is a double in C++.
std::string literal(double value)
{
    std::string text = base::roundTripText(value);
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string shapeArray(const std::vector<std::int64_t>& shape)
{
    std::vector<std::string> sizes;
    for (const std::int64_t size : shape)
        sizes.push_back(std::to_string(size));
    return "{" + base::join(sizes) + "}";
}

/// Returns the trials whose batches the package serves, with their names in it. The exported trial comes first.
std::vector<std::pair<const model::Trial*, std::string>> batchesOf(const ExportPlan& plan)
{
    std::vector<std::pair<const model::Trial*, std::string>> all;
    const auto add = [&](const model::Trial& trial) {
        // AOTInductor calls the only model of a package "model".
        all.emplace_back(&trial, plan.others.empty() ? "model" : "batch_" + std::to_string(trial.config.batch));
    };
    add(plan.trial);
    for (const model::Trial* other : plan.others)
        add(*other);
    return all;
}

} // namespace

double envelopeTolerance(const model::Measurement& measurement)
{
    return std::clamp(3 * measurement.latencyNs.relativeHalfWidth(), kLeastTolerance, model::kMostTolerance);
}

Json inputDocument(const ArtifactFiles::Input& input, const std::string& file)
{
    return {{"name", input.spec.name},
            {"dtype", input.spec.dtype},
            {"shape", input.spec.shape},
            {"batch_dim", base::orNull(input.spec.batchDim)},
            {"file", file},
            {"samples", input.samples}};
}

Json configDocument(const ExportPlan& plan)
{
    const model::ModelRef& model = plan.snapshot.study.model;
    const model::Environment& environment = plan.snapshot.study.environment;
    const Json trial = report::trialDocument(plan.trial);
    Json inputs = Json::array();
    for (std::size_t i = 0; i < plan.artifact.inputs.size(); ++i)
        inputs.push_back(inputDocument(plan.artifact.inputs[i], plan.inputs[i]));
    Json batches = Json::array();
    for (const auto& [trialOf, name] : batchesOf(plan))
        batches.push_back({{"batch", trialOf->config.batch},
                           {"package_model", plan.ran.config.isCompiled() ? Json(name) : Json(nullptr)},
                           {"latency_ms", report::trialDocument(*trialOf).at("latency_ms")},
                           {"tolerance", envelopeTolerance(trialOf->measurement)},
                           {"noise_floor", plan.snapshot.noiseFloor()}});
    Json leftOut = Json::array();
    for (const model::LeftOut& left : plan.ran.leftOut)
        leftOut.push_back({{"switch", left.name}, {"why", left.why}});
    Json tools = Json::array();
    for (const ToolLine& line : toolLines(plan))
        tools.push_back({{"engine", line.engine},
                         {"program", line.program},
                         {"command", line.command},
                         {"measured", line.measured}});
    Json engines = Json::object();
    for (const auto& [name, version] : environment.engines)
        engines[name] = version;
    Json document{{"schema", "apertune.config/1"},
                  {"manifest", kManifestFile},
                  {"model",
                   {{"name", model.name},
                    {"source", model.source},
                    {"weights", model.weights},
                    {"content_hash", model.contentHash},
                    {"torchscript", plan.torchscript.empty() ? Json(nullptr) : Json(plan.torchscript)},
                    {"package", plan.compiled ? Json(plan.package) : Json(nullptr)},
                    {"state", model.state},
                    {"random", model.random}}},
                  {"config", model::toJson(plan.ran.config)},
                  {"wait_policy", model::waitsPassively(environment) ? Json(model::kPassiveWaits) : Json(nullptr)},
                  {"left_out", leftOut},
                  {"device", model::toJson(plan.device)},
                  {"inputs", inputs},
                  {"batches", batches},
                  {"expected",
                   {{"throughput_per_s", trial.at("throughput_per_s")},
                    {"memory_bytes", trial.at("memory_bytes")},
                    {"quality", trial.at("quality")},
                    {"min_cosine", plan.minCosine}}},
                  {"applied", trial.at("applied")},
                  {"measured",
                   {{"trial", text::toText(plan.trial.id)},
                    {"study", text::toText(plan.snapshot.study.id)},
                    {"uuid", plan.snapshot.study.uuid},
                    {"when", plan.trial.finishedUtc},
                    {"host", environment.host},
                    {"os", environment.os},
                    {"kernel", environment.kernel},
                    {"apertune", environment.apertune},
                    {"engines", engines}}},
                  {"tools", tools}};
    if (servesRequests(plan.target))
        document["serving"] = servingDocument(plan);
    return document;
}

std::string configHeader(const ExportPlan& plan)
{
    const model::Config& config = plan.ran.config;
    std::string out = "// SPDX-License-Identifier: 0BSD\n"
                      "// What Apertune measured, as constants; apertune-config.json says the same.\n"
                      "#pragma once\n\n#include <cstdint>\n\nnamespace config {\n\n";
    const auto text = [&](const char* name, const std::string& value) {
        out += std::string("constexpr const char* ") + name + " = " + literal(value) + ";\n";
    };
    const auto number = [&](const char* name, double value) {
        out += std::string("constexpr double ") + name + " = " + literal(value) + ";\n";
    };
    const auto flag = [&](const std::string& name, const std::string& switchName) {
        out += "constexpr bool " + name + " = " + (config.isOn(switchName) ? "true" : "false") + ";\n";
    };
    text("kDevice", plan.device.id);
    text("kDeviceName", plan.device.name);
    text("kPrecision", std::string(model::toString(config.precision)));
    out += "constexpr int kBatch = " + std::to_string(config.batch) + ";\n";
    out += "constexpr int kThreads = " + std::to_string(config.threads) + "; // 0: the engine's default\n";
    text("kWaitPolicy", model::waitsPassively(plan.snapshot.study.environment) ? model::kPassiveWaits : "");
    for (const auto& [name, switchName] : plan.program->constants)
        flag(name, switchName);
    out += "constexpr const char* kSwitchesOn[] = {";
    for (const auto& [name, on] : config.switches)
        if (on)
            out += literal(name) + ", ";
    out += "nullptr};\n";
    text("kModelFile", plan.torchscript);
    text("kPackageFile", plan.package);
    out += std::string("constexpr bool kKeepsState = ") + (plan.snapshot.study.model.state.empty() ? "false" : "true") +
           "; // from pass to pass\n";
    number("kMinCosine", plan.minCosine);
    number("kNoiseFloor", plan.snapshot.noiseFloor());

    out += "\nstruct Batch\n{\n    int size;\n    const char* packageModel; // its name in a compiled package\n"
           "    double expectedMs, expectedLoMs, expectedHiMs;\n    double tolerance;\n};\n\n"
           "// The first is that of the configuration.\nconstexpr Batch kBatches[] = {\n";
    for (const auto& [trial, name] : batchesOf(plan)) {
        const model::Interval& latency = trial->measurement.latencyNs;
        out += "    {" + std::to_string(trial->config.batch) + ", " + literal(name) + ", " +
               literal(latency.value * base::kMsPerNs) + ", " + literal(latency.lo * base::kMsPerNs) + ", " +
               literal(latency.hi * base::kMsPerNs) + ", " + literal(envelopeTolerance(trial->measurement)) + "},\n";
    }
    out += "};\n";

    out +=
        "\nstruct Input\n{\n    const char* name;\n    const char* dtype;\n    int rank;\n    std::int64_t shape[8];\n"
        "    int batchDim; // -1: none\n    std::int64_t samples;\n    const char* file;\n};\n\n"
        "constexpr Input kInputs[] = {\n";
    for (std::size_t i = 0; i < plan.artifact.inputs.size(); ++i) {
        const ArtifactFiles::Input& input = plan.artifact.inputs[i];
        out += "    {" + literal(input.spec.name) + ", " + literal(input.spec.dtype) + ", " +
               std::to_string(input.spec.shape.size()) + ", " + shapeArray(input.spec.shape) + ", " +
               std::to_string(input.spec.batchDim.value_or(-1)) + ", " + std::to_string(input.samples) + ", " +
               literal(plan.inputs[i]) + "},\n";
    }
    return out + "};\n\n} // namespace config\n";
}

} // namespace apertune::exports
