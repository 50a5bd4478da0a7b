// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::exports {

/// Pairs of a name and a text.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// The facts about an engine that exported programs need. They come from the engine's folder (plugins/export.md) and
/// are part of every build, whether the engine's library was built or not. So core names no engine.
struct EngineProgram
{
    std::string engine; ///< name of its folder under plugins/
    std::string title;  ///< name for people
    /// True: the programs read the TorchScript model; false: they open the engine's own file.
    bool torchscript = false;
    std::string package; ///< name of that file in an export; empty: it keeps its name, because other files refer to it
    bool asynchronous = false;           ///< true: a pass may return before it ends, and finish() waits
    bool python = false;                 ///< there is a Python program
    bool cpp = false;                    ///< there is a C++ program
    std::vector<std::string> includes;   ///< #include lines of main.cpp: "<vendor/engine.hpp>"
    std::string library;                 ///< pattern below the engine's folder: "libs/libengine.so.*"
    std::vector<std::string> cppDevices; ///< "cpu", "cuda": devices of the C++ program; empty: all
    std::string rootOption;              ///< the option of its CMakeLists.txt for the engine's folder: "ENGINE_ROOT"
    std::string rootExample;             ///< an example of that folder: "…/site-packages/engine"
    /// Pairs of a device ("cuda") and the package for pip there; a device without a pair has the name of the engine.
    NamedTexts pip;
    NamedTexts constants; ///< pairs of a constant in apertune_config.h and its switch
    /// Pairs of a file and its purpose; for its own files, and for shared ones that it describes differently.
    NamedTexts files;

    /// Returns whether the C++ program runs on this type of device.
    bool cppRunsOn(model::DeviceType device) const;
    /// Returns the name of the engine's package for pip on this type of device.
    std::string pipPackage(model::DeviceType device) const;
};

/// Returns nullopt when the engine has no programs.
std::optional<EngineProgram> engineProgram(const std::string& engine);

/// Returns the text of run.py.
std::string pythonProgram(const EngineProgram& program);

/// Returns the text of kit_engine.py, which a measuring kit imports beside run.py.
/// REQUIRES: the engine has platforms with kits (kit_platforms.h).
std::string kitEngineProgram(const EngineProgram& program);

/// Returns main.cpp, CMakeLists.txt and the engine's own headers of main.cpp. `version` is the engine's version.
NamedTexts cppProgram(const EngineProgram& program, const std::string& version, model::DeviceType device);

/// Return the sections of an export's README about running the programs.
std::string pythonPage(const EngineProgram& program, const std::string& version);
std::string cppPage(const EngineProgram& program, const std::string& version);

/// Returns the file with this name of every engine that has one, with the engine's name.
std::vector<std::pair<std::string, std::string_view>> engineFiles(std::string_view name);

} // namespace apertune::exports
