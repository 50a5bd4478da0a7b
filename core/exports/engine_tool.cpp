// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/engine_tool.h"

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/exports/engine_program.h"
#include "core/exports/export_plan.h"
#include "core/text/mustache.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

namespace apertune::exports {

using base::Json;

namespace {

/// Returns the shapes of the inputs as tools take them: "x:4x3x224x224,mask:4x77".
std::string shapesOf(const ExportPlan& plan, int batch)
{
    std::vector<std::string> inputs;
    for (const ArtifactFiles::Input& input : plan.artifact.inputs) {
        std::vector<std::string> extents;
        for (std::size_t i = 0; i < input.spec.shape.size(); ++i)
            extents.push_back(std::to_string(input.spec.batchDim == static_cast<int>(i) ? batch : input.spec.shape[i]));
        inputs.push_back(input.spec.name + ":" + base::join(extents, "x"));
    }
    return base::join(inputs, ",");
}

struct ModelFile
{
    std::string path; ///< the path in the tool's command; empty: no such file
    bool anyBatch = false;
    /// The file to copy into the export; empty: it is there already, or is named where it lies.
    std::filesystem::path copyFrom{};
};

/// Returns a file that is not a part of the export otherwise.
ModelFile fileToCopy(const ExportPlan& plan, const std::filesystem::path& file, bool anyBatch)
{
    if (!plan.selfContained)
        return {file.string(), anyBatch};
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        return {};
    return {(std::filesystem::path("model") / file.filename()).string(), anyBatch, file};
}

/// Returns the model in the tool's format: the file that the trial opened, the artifact's, or one that was converted
/// for another trial.
ModelFile fileOf(const ExportPlan& plan, const std::string& format)
{
    const model::ModelRef& model = plan.snapshot.study.model;
    if (std::filesystem::path(plan.package).extension() == "." + format)
        return {plan.package, takesAnyBatch(plan.opened).value_or(model.dynamicBatch)};
    if (const auto it = model.files.find(format); it != model.files.end())
        return fileToCopy(plan, model.artifact / it->second, model.dynamicBatch);
    const std::filesystem::path made = plan.converted ? plan.converted(format) : std::filesystem::path();
    return fileToCopy(plan, made, takesAnyBatch(made).value_or(model.dynamicBatch));
}

/// Returns the tool's option for a precision; nothing when it has none.
std::optional<std::string> precisionOption(const Json& tool, model::Precision precision, bool own)
{
    for (const char* list : {"precisions", "own_precisions"})
        if (const auto known = tool.find(list); known != tool.end() && (own || list == std::string_view("precisions")))
            if (const auto option = known->find(model::toString(precision)); option != known->end())
                return option->get<std::string>();
    return std::nullopt;
}

/// Returns the file that the engine's tool reads. Its path is empty when the tool cannot run the configuration.
ModelFile toolFile(const ExportPlan& plan, const std::string& engine, const Json& tool)
{
    const model::Config& config = plan.ran.config;
    if (!precisionOption(tool, config.precision, config.backend == engine))
        return {};
    return fileOf(plan, tool.at("format").get<std::string>());
}

/// Returns the tool's options for the configuration, without those for the model.
std::vector<std::string> optionsFor(const Json& tool, const model::Config& config, bool own)
{
    std::vector<std::string> options{precisionOption(tool, config.precision, own).value_or("")};
    // Switches belong to the engine that was measured. For another engine, its own meaning of the level stands in.
    if (own) {
        for (const Json& choice : tool.at("one_of"))
            if (const auto name = choice.at(0).get<std::string>(); name.empty() || config.isOn(name)) {
                options.push_back(choice.at(1).get<std::string>());
                break;
            }
    } else {
        options.push_back(tool.at("levels").value(std::string(model::toString(config.level)), ""));
    }
    for (const auto& [name, option] : tool.at("switches").items())
        if (config.isOn(name))
            options.push_back(option.get<std::string>());
    std::erase(options, "");
    return options;
}

} // namespace

std::vector<std::filesystem::path> toolModels(const ExportPlan& plan)
{
    std::vector<std::filesystem::path> files;
    for (const auto& [engine, text] : engineFiles("tool.json")) {
        const ModelFile file = toolFile(plan, engine, Json::parse(text));
        if (!file.copyFrom.empty() && std::find(files.begin(), files.end(), file.copyFrom) == files.end())
            files.push_back(file.copyFrom);
    }
    return files;
}

std::vector<ToolLine> toolLines(const ExportPlan& plan)
{
    const model::Config& config = plan.ran.config;
    std::vector<ToolLine> lines;
    for (const auto& [engine, text] : engineFiles("tool.json")) {
        const Json tool = Json::parse(text);
        const bool own = config.backend == engine;
        const ModelFile file = toolFile(plan, engine, tool);
        if (file.path.empty())
            continue;
        std::vector<std::string> words{tool.at("program").get<std::string>(),
                                       base::shellQuoted(text::filled(tool.at("model").get<std::string>(),
                                                                      {{"FILE", file.path}}, text::Escape::none))};
        if (file.anyBatch) {
            const Json& any = tool.at("any_batch");
            const bool wide = own && config.isOn(any.at("switch").get<std::string>());
            for (const std::string& option : base::splitList((wide ? any : tool).at("shapes").get<std::string>(), ' '))
                words.push_back(base::shellQuoted(
                    text::filled(option, {{"SHAPES", shapesOf(plan, config.batch)}, {"LEAST", shapesOf(plan, 1)}},
                                 text::Escape::none)));
        }
        for (const std::string& option : optionsFor(tool, config, own))
            words.push_back(option);
        lines.push_back({engine, tool.at("title").get<std::string>(), tool.at("program").get<std::string>(),
                         base::join(words, " "), own});
    }
    return lines;
}

std::string toolSection(const std::vector<ToolLine>& lines)
{
    std::string section;
    for (const ToolLine& line : lines) {
        section += "\n\n## The same for " + line.program + "\n\n```sh\n" + line.command + "\n```\n\n";
        section += line.measured ? "This is what Apertune measured, through " + line.title + "'s libraries."
                                 : "Not measured here: the figures of this page are another engine's. It is what comes "
                                   "nearest in " +
                                       line.title + " to this configuration.";
    }
    return section;
}

} // namespace apertune::exports
