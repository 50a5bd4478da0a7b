// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::exports {

struct ExportPlan;

/// A trial's configuration as a command line for an engine's own measuring program.
struct ToolLine
{
    std::string engine;    ///< the name of the engine's backend
    std::string title;     ///< the tool's name for people
    std::string program;   ///< the tool
    std::string command;   ///< the line for a shell, quoted
    bool measured = false; ///< true for the engine that the trial was measured with
};

/// Returns a line for each engine that has a tool.json in its folder (plugins/export.md) and whose tool can read a file
/// of the exported model.
std::vector<ToolLine> toolLines(const ExportPlan& plan);

/// Returns the model files that these lines read and that the export does not contain without them. A self-contained
/// export copies them to model/. Empty for an export that names files where they are.
std::vector<std::filesystem::path> toolModels(const ExportPlan& plan);

/// Returns the section of an export's README about these lines; empty without any.
std::string toolSection(const std::vector<ToolLine>& lines);

} // namespace apertune::exports
