// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/triton_repository.h"

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/exports/engine_tool.h"
#include "core/exports/errors.h"
#include "core/model/precision.h"
#include "core/text/format.h"
#include "core/text/mustache.h"

#include <export_templates.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace apertune::exports {

using base::Error;
using base::ErrorCode;
using base::Json;

namespace {

/// The order of an engine's triton.json: its settings in the form of config.pbtxt.
struct Settings
{
    std::map<std::string, std::string> parameters;
    std::vector<std::string> optimization; ///< members of the message `optimization`
    NamedTexts without;                    ///< settings that Triton does not have, with the reason
};

std::optional<Json> descriptionOf(const std::string& engine)
{
    for (const auto& [known, text] : engineFiles("triton.json"))
        if (known == engine)
            return Json::parse(text);
    return std::nullopt;
}

/// Returns the model's name as a folder, which clients have to write in addresses.
std::string folderName(const std::string& modelName)
{
    std::string name = modelName;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-')
            c = '_';
    return name.empty() ? "model" : name;
}

/// Returns a text as a string of protobuf's text format, which has the escapes of JSON for what is in names.
std::string quoted(const std::string& text)
{
    return Json(base::printableLine(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::string> tritonType(const std::string& dtype)
{
    static const std::map<std::string, std::string> kTypes{
        {"bool", "BOOL"},    {"uint8", "UINT8"},  {"uint16", "UINT16"}, {"uint32", "UINT32"}, {"uint64", "UINT64"},
        {"int8", "INT8"},    {"int16", "INT16"},  {"int32", "INT32"},   {"int64", "INT64"},   {"float16", "FP16"},
        {"float32", "FP32"}, {"float64", "FP64"}, {"bfloat16", "BF16"}};
    const auto known = kTypes.find(dtype);
    return known != kTypes.end() ? std::optional("TYPE_" + known->second) : std::nullopt;
}

bool lists(const Json& description, const char* member, std::string_view word)
{
    const Json list = description.value(member, Json::array());
    return std::find(list.begin(), list.end(), word) != list.end();
}

std::vector<model::TensorSpec> inputsOf(const ExportPlan& plan)
{
    std::vector<model::TensorSpec> inputs;
    for (const ArtifactFiles::Input& input : plan.artifact.inputs)
        inputs.push_back(input.spec);
    return inputs;
}

/// Whether Triton may join requests: every tensor begins with the batch, and the file takes any batch.
bool joinsRequests(const ExportPlan& plan, const Json& description)
{
    const model::ModelRef& model = plan.snapshot.study.model;
    const auto beginsWithBatch = [](const model::TensorSpec& tensor) { return tensor.batchDim == 0; };
    const std::vector<model::TensorSpec> inputs = inputsOf(plan);
    if (!std::all_of(inputs.begin(), inputs.end(), beginsWithBatch) ||
        !std::all_of(model.outputs.begin(), model.outputs.end(), beginsWithBatch))
        return false;
    if (const auto name = description.find("any_batch"); name != description.end())
        return plan.ran.config.isOn(name->get<std::string>());
    return takesAnyBatch(plan.opened).value_or(model.dynamicBatch);
}

/// Adds what an entry of triton.json sets.
void apply(const Json& entry, const model::Config& config, Settings& settings)
{
    const Json parameters = entry.value("parameters", Json::object());
    for (const auto& [name, value] : parameters.items())
        settings.parameters[name] = value.get<std::string>();
    if (config.threads > 0)
        for (const Json& name : entry.value("threads", Json::array()))
            settings.parameters[name.get<std::string>()] = std::to_string(config.threads);
    if (const auto text = entry.find("optimization"); text != entry.end())
        settings.optimization.push_back(text->get<std::string>());
}

/// Applies the first entry of `one_of` whose switch is on, and names the switches of all entries as known.
void applyChoice(const Json& description, const model::Config& config, Settings& settings,
                 std::vector<std::string>& known)
{
    bool chosen = false;
    for (const Json& choice : description.value("one_of", Json::array())) {
        const auto name = choice.at(0).get<std::string>();
        known.push_back(name);
        if (!chosen && (name.empty() || config.isOn(name))) {
            apply(choice.at(1), config, settings);
            chosen = true;
        }
    }
}

/// Returns the options of the backend's provider for a GPU as a member of `optimization`; empty without any.
std::string gpuOptions(const Json& description, const model::Config& config, std::vector<std::string>& known)
{
    std::string parameters;
    for (const Json& option : description.value("gpu", Json::array())) {
        const auto name = option.at(0).get<std::string>();
        known.push_back(name);
        parameters += " parameters { key: " + quoted(option.at(1).get<std::string>()) +
                      " value: " + quoted(option.at(config.isOn(name) ? 2 : 3).get<std::string>()) + " }";
    }
    return parameters.empty()
               ? parameters
               : "execution_accelerators { gpu_execution_accelerator { name: \"cuda\"" + parameters + " } }";
}

Settings settingsOf(const ExportPlan& plan, const Json& description)
{
    const model::Config& config = plan.ran.config;
    const std::string precision(toString(config.precision));
    Settings settings;
    apply(description, config, settings);
    std::vector<std::string> known;
    applyChoice(description, config, settings, known);
    if (joinsRequests(plan, description))
        apply({{"parameters", description.value("batched", Json::object())}}, config, settings);
    const Json ofPrecision = description.value("of_precision", Json::object());
    apply({{"parameters", ofPrecision.value(precision, Json::object())}}, config, settings);
    if (plan.device.type.isNvidiaGpu())
        if (const std::string options = gpuOptions(description, config, known); !options.empty())
            settings.optimization.push_back(options);
    const Json notes = description.value("precision_notes", Json::object());
    if (const auto note = notes.find(precision); note != notes.end())
        settings.without.emplace_back("precision " + precision, note->get<std::string>());
    const Json switches = description.value("switches", Json::object());
    const Json without = description.value("without", Json::object());
    const std::string otherwise = description.value("otherwise", "Triton's backend has no parameter for it");
    for (const auto& [name, on] : config.switches) {
        if (!on)
            continue;
        if (const auto entry = switches.find(name); entry != switches.end())
            apply(*entry, config, settings);
        else if (std::find(known.begin(), known.end(), name) == known.end())
            settings.without.emplace_back(name, without.value(name, otherwise));
    }
    // Without a parameter for them, the number of threads is Triton's own choice.
    if (config.threads > 0 && !description.contains("threads"))
        settings.without.emplace_back(base::counted(config.threads, "thread"), otherwise);
    return settings;
}

/// Returns the messages `input` or `output`.
base::Result<std::string> tensorsText(const char* field, const std::vector<model::TensorSpec>& tensors, bool numbered,
                                      bool joins, int batch)
{
    std::string text;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const model::TensorSpec& tensor = tensors[i];
        const auto type = tritonType(tensor.dtype);
        if (!type)
            return Error{ErrorCode::unsupported,
                         base::message<errors::kTritonType>(tensor.name, tensor.dtype),
                         {},
                         base::message<errors::kExportServer>()};
        std::vector<std::string> dims;
        for (std::size_t d = 0; d < tensor.shape.size(); ++d)
            if (const bool isBatch = tensor.batchDim == static_cast<int>(d); !isBatch || !joins)
                dims.push_back(std::to_string(isBatch ? batch : tensor.shape[d]));
        std::string word = field;
        std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::toupper(c); });
        const std::string name = numbered ? word + "__" + std::to_string(i) : tensor.name;
        text += std::string(field) + " {\n  name: " + quoted(name) + "\n  data_type: " + *type + "\n  dims: [ " +
                base::join(dims) + " ]\n}\n";
    }
    return text;
}

std::string instanceText(const model::Device& device)
{
    if (!device.type.isNvidiaGpu())
        return "instance_group {\n  count: 1\n  kind: KIND_CPU\n}\n";
    return "instance_group {\n  count: 1\n  kind: KIND_GPU\n  gpus: [ " + device.id.substr(device.id.find(':') + 1) +
           " ]\n}\n";
}

/// Returns the command that makes the file in Triton's form, with the line of the engine's own tool; null where the
/// export has the file.
Json makingCommand(const ExportPlan& plan, const Json& description, const std::string& folder)
{
    const std::string made = description.value("made", "");
    if (made.empty())
        return nullptr;
    for (const ToolLine& line : toolLines(plan))
        if (line.measured)
            return "mkdir -p " + folder + "\n" + line.command + " --saveEngine=" + folder + "/" + made +
                   " --skipInference";
    return nullptr;
}

std::string repositoryFolder(const ExportPlan& plan)
{
    return "model_repository/" + folderName(plan.snapshot.study.model.name);
}

} // namespace

base::Status checkTriton(const EngineProgram& program, const model::Config& config, const model::Device& device)
{
    const base::Message hint = base::message<errors::kExportServer>();
    const auto description = descriptionOf(program.engine);
    if (!description)
        return Error{ErrorCode::unsupported, base::message<errors::kTritonHasNoBackend>(program.title), {}, hint};
    if (!lists(*description, "devices", toString(device.type)))
        return Error{ErrorCode::unsupported, base::message<errors::kTritonDevice>(device.id), {}, hint};
    const Json refused = description->value("refused", Json::object());
    for (const auto& [name, why] : refused.items())
        if (config.isOn(name))
            return Error{
                ErrorCode::unsupported,
                base::message<errors::kTritonCannotRun>(program.title, base::foreignText(why.get<std::string>())),
                {},
                hint};
    const std::string precision(toString(config.precision));
    if (!lists(*description, "precisions", precision))
        return Error{
            ErrorCode::unsupported, base::message<errors::kTritonPrecision>(program.title, precision), {}, hint};
    return {};
}

std::string tritonFolder(const EngineProgram& program, const std::string& modelName)
{
    const auto description = descriptionOf(program.engine);
    return description && description->contains("made") ? "model" : "model_repository/" + folderName(modelName) + "/1";
}

base::Result<ExportFile> tritonConfig(const ExportPlan& plan)
{
    const Json description = descriptionOf(plan.program->engine).value();
    const model::ModelRef& model = plan.snapshot.study.model;
    const int batch = plan.ran.config.batch;
    const bool joins = joinsRequests(plan, description);
    const bool numbered = description.value("numbered", false);
    const auto inputs = tensorsText("input", inputsOf(plan), numbered, joins, batch);
    if (!inputs)
        return inputs.error();
    const auto outputs = tensorsText("output", model.outputs, numbered, joins, batch);
    if (!outputs)
        return outputs.error();
    const Settings settings = settingsOf(plan, description);
    const std::string opened = plan.program->torchscript ? plan.torchscript : plan.package;
    const std::string file = description.value("made", std::filesystem::path(opened).filename().string());

    std::string text =
        "# Trial " + text::toText(plan.trial.id) + " of Apertune; README.md says what it has of the trial.\n";
    text += "name: " + quoted(folderName(model.name)) + "\nbackend: " + quoted(description.at("backend")) + "\n";
    if (const auto platform = description.find("platform"); platform != description.end())
        text += "platform: " + quoted(*platform) + "\n";
    text += "default_model_filename: " + quoted(file) + "\nmax_batch_size: " + std::to_string(joins ? batch : 0) +
            "\n" + *inputs + *outputs + instanceText(plan.device);
    if (joins && batch > 1)
        text += "dynamic_batching {\n  preferred_batch_size: [ " + std::to_string(batch) +
                " ]\n  max_queue_delay_microseconds: " + std::to_string(plan.serving.batchWait.count / 1000) + "\n}\n";
    if (!settings.optimization.empty())
        text += "optimization {\n  " + base::join(settings.optimization, "\n  ") + "\n}\n";
    for (const auto& [name, value] : settings.parameters)
        text += "parameters {\n  key: " + quoted(name) + "\n  value { string_value: " + quoted(value) + " }\n}\n";
    return ExportFile{repositoryFolder(plan) + "/config.pbtxt", std::move(text)};
}

std::string tritonPage(const ExportPlan& plan)
{
    const Json description = descriptionOf(plan.program->engine).value();
    const int batch = plan.ran.config.batch;
    Json without = Json::array();
    for (const auto& [name, why] : settingsOf(plan, description).without)
        without.push_back({{"NAME", base::printableLine(name)}, {"WHY", why}});
    const bool joins = joinsRequests(plan, description);
    return text::filled(templates::kHowTriton,
                        {{"NAME", folderName(plan.snapshot.study.model.name)},
                         {"FOLDER", repositoryFolder(plan)},
                         {"MAKE", makingCommand(plan, description, repositoryFolder(plan) + "/1")},
                         {"GPUS", plan.device.type.isNvidiaGpu() ? " --gpus all" : ""},
                         {"BATCH", std::to_string(batch)},
                         {"JOINS", joins && batch > 1},
                         {"ALONE", !joins},
                         {"WAIT", base::formatSignificant(plan.serving.batchWait.milliseconds())},
                         {"REASON", plan.serving.origin},
                         {"ANY_WITHOUT", !without.empty()},
                         {"WITHOUT", std::move(without)}},
                        text::Escape::none);
}

} // namespace apertune::exports
