// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exports/engine_program.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/model/switches.h"
#include "core/text/mustache.h"

#include <engine_files.h>
#include <export_templates.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace apertune::exports {

using base::Json;

namespace {

constexpr std::string_view kFolder = "/export/";

/// Returns a file of the engine's export folder; nothing when it has none of that name.
std::optional<std::string_view> engineFile(const std::string& engine, std::string_view name)
{
    for (const auto& [known, text] : engineFiles(name))
        if (known == engine)
            return text;
    return std::nullopt;
}

/// Returns the engine's own file or, without one, the shared one.
std::string_view ownOr(const std::string& engine, std::string_view name, std::string_view shared)
{
    return engineFile(engine, name).value_or(shared);
}

NamedTexts textsOf(const Json& object)
{
    NamedTexts texts;
    for (const auto& [name, text] : object.items())
        texts.emplace_back(name, text.get<std::string>());
    return texts;
}

/// Returns a file of the engine as a part of a user's program.
std::string relicensed(std::string_view text)
{
    return base::replaced(base::replaced(std::string(text), "GPL-3.0-or-later", "0BSD"),
                          "namespace apertune::", "namespace ");
}

std::string page(const EngineProgram& program, std::string_view name, std::string_view shared,
                 const std::string& version)
{
    return text::filled(ownOr(program.engine, name, shared), {{"ENGINE", program.engine}, {"VERSION", version}},
                        text::Escape::none);
}

std::string includeLines(const EngineProgram& program)
{
    std::vector<std::string> lines;
    for (const std::string& header : program.includes)
        lines.push_back("#include " + header);
    return base::join(lines, "\n");
}

} // namespace

std::vector<std::pair<std::string, std::string_view>> engineFiles(std::string_view name)
{
    std::vector<std::pair<std::string, std::string_view>> found;
    for (const auto& [path, text] : templates::kEngineFiles)
        if (const std::size_t at = path.find(kFolder);
            at != std::string_view::npos && path.substr(at + kFolder.size()) == name)
            found.emplace_back(path.substr(0, at), text);
    return found;
}

bool EngineProgram::cppRunsOn(model::DeviceType device) const
{
    return cppDevices.empty() || std::count(cppDevices.begin(), cppDevices.end(), model::toString(device)) > 0;
}

std::string EngineProgram::pipPackage(model::DeviceType device) const
{
    const auto known =
        std::find_if(pip.begin(), pip.end(), [&](const auto& row) { return row.first == toString(device); });
    return known != pip.end() ? known->second : engine;
}

std::optional<EngineProgram> engineProgram(const std::string& engine)
{
    const auto text = engineFile(engine, "program.json");
    if (!text)
        return std::nullopt;
    const Json description = Json::parse(*text);
    EngineProgram program;
    program.engine = engine;
    program.title = description.at("title").get<std::string>();
    program.torchscript = description.value("torchscript", false);
    program.package = description.value("package", "");
    program.asynchronous = description.value("asynchronous", false);
    program.pip = textsOf(description.value("pip", Json::object()));
    program.python = engineFile(engine, "load.py.in") || engineFile(engine, "run.py.in");
    program.cpp = engineFile(engine, "load.cpp.in") || engineFile(engine, "main.cpp.in");
    if (!program.cpp)
        return program;
    const Json& cpp = description.at("cpp");
    program.includes = cpp.value("includes", std::vector<std::string>());
    program.library = cpp.value("library", "");
    program.rootOption = cpp.at("root").at(0).get<std::string>();
    program.rootExample = cpp.at("root").at(1).get<std::string>();
    program.constants = textsOf(cpp.value("constants", Json::object()));
    if (cpp.value("catalogue", false))
        for (const model::SwitchInfo& info : model::switchCatalogue())
            if (info.inPrograms)
                program.constants.emplace_back(model::switchConstant(info.name), info.name);
    program.files = textsOf(cpp.value("files", Json::object()));
    program.cppDevices = cpp.value("devices", std::vector<std::string>());
    return program;
}

std::string pythonProgram(const EngineProgram& program)
{
    const std::array<std::pair<std::string_view, std::string_view>, 2> parts{
        {{"LOADING", engineFile(program.engine, "load.py.in").value_or("")}, {"MEASURING", templates::kMeasuringPy}}};
    return text::filled(ownOr(program.engine, "run.py.in", templates::kRunPy),
                        {{"ENGINE", program.engine}, {"FINISH", program.asynchronous ? ", model.finish" : ""}},
                        text::Escape::none, parts);
}

std::string kitEngineProgram(const EngineProgram& program)
{
    return std::string(engineFile(program.engine, "kit.py.in").value_or(""));
}

NamedTexts cppProgram(const EngineProgram& program, const std::string& version, model::DeviceType device)
{
    const std::string& engine = program.engine;
    const Json values{{"INCLUDES", includeLines(program)},
                      {"ENGINE", engine},
                      {"VERSION", version},
                      {"LIBRARY", program.library},
                      {"FINISH", program.asynchronous ? "[&] { model.finish(); }" : "[] {}"},
                      {"CUDA", device.isNvidiaGpu() ? "TRUE" : "FALSE"}};
    const std::array<std::pair<std::string_view, std::string_view>, 1> parts{
        {{"LOADING", engineFile(engine, "load.cpp.in").value_or("")}}};
    NamedTexts texts{{"main.cpp", text::filled(ownOr(engine, "main.cpp.in", templates::kMainCpp), values,
                                               text::Escape::none, parts)},
                     {"CMakeLists.txt", text::filled(ownOr(engine, "CMakeLists.txt.in", templates::kCMakeLists), values,
                                                     text::Escape::none, parts)}};
    for (const auto& [name, meaning] : program.files)
        if (const auto text = engineFile(engine, name))
            texts.emplace_back(name, relicensed(*text));
    return texts;
}

std::string pythonPage(const EngineProgram& program, const std::string& version)
{
    return page(program, "how_python.md.in", templates::kHowPython, version);
}

std::string cppPage(const EngineProgram& program, const std::string& version)
{
    return page(program, "how_cpp.md.in", templates::kHowCpp, version);
}

} // namespace apertune::exports
