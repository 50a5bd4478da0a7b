// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apertune::report {

/// (name, text)
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

/// What the programs of an export need to know of an engine. All of it lies in the engine's folder, as
/// plugins/export.md says, and is part of every build, whether the engine's library is or not: core names no engine.
struct EngineProgram
{
    std::string engine;        ///< of its folder under plugins/
    std::string title;         ///< for people
    bool torchscript = false;  ///< they read the TorchScript model; otherwise they open the engine's file alone
    std::string package;       ///< what that file is called in an export; empty: as it is, by which others may name it
    bool asynchronous = false; ///< a pass may return before it ended; finish() waits
    bool python = false;       ///< there is a Python program
    bool cpp = false;          ///< there is a C++ program
    std::vector<std::string> includes;   ///< of main.cpp: "<vendor/engine.hpp>"
    std::string library;                 ///< below the engine's folder: "libs/libengine.so.*"
    std::vector<std::string> cppDevices; ///< "cpu", "cuda": where that runs; empty: everywhere
    std::string rootOption;              ///< of its CMakeLists.txt: "ENGINE_ROOT"
    std::string rootExample;             ///< "…/site-packages/engine"
    NamedTexts constants;                ///< of apertune_config.h: (name, switch)
    NamedTexts files;                    ///< (name, what it is for) of files of its own, or in other words than usual

    /// Whether the C++ program runs on such a device.
    bool cppRunsOn(model::DeviceType device) const;
};

/// nullopt: the engine brings none.
std::optional<EngineProgram> engineProgram(const std::string& engine);

/// run.py
std::string pythonProgram(const EngineProgram& program);

/// main.cpp, CMakeLists.txt and what else main.cpp includes of the engine's own. `version` is the engine's.
NamedTexts cppProgram(const EngineProgram& program, const std::string& version, model::DeviceType device);

/// What an export's README says about how to run it.
std::string pythonPage(const EngineProgram& program, const std::string& version);
std::string cppPage(const EngineProgram& program, const std::string& version);

/// The file of that name of each engine that brings one, by engine.
std::vector<std::pair<std::string, std::string_view>> engineFiles(std::string_view name);

} // namespace apertune::report
