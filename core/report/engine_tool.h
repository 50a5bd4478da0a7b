// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::report {

struct ExportPlan;

/// The configuration of a trial as a command line of an engine's own measuring program.
struct ToolLine
{
    std::string engine;    ///< the name of its backend
    std::string title;     ///< for people
    std::string program;   ///< the tool
    std::string command;   ///< for a shell
    bool measured = false; ///< it was this engine that the trial measured
};

/// One line for each engine whose folder has a tool.json (plugins/export.md) and whose tool can read a file of the
/// exported model, by what that says.
std::vector<ToolLine> toolLines(const ExportPlan& plan);

/// The model files that those lines read and that are no part of the export without them: a folder that runs by itself
/// takes them along, in model/. Empty for an export that names files where they lie.
std::vector<std::filesystem::path> toolModels(const ExportPlan& plan);

/// The part of an export's README about them; empty without any.
std::string toolSection(const std::vector<ToolLine>& lines);

} // namespace apertune::report
