// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"

#include <string>
#include <vector>

namespace apertune::report {

struct ExportPlan;

/// The configuration of a trial as a command line of an engine's own measuring program.
struct ToolLine
{
    std::string engine;    ///< "tensorrt"
    std::string title;     ///< "TensorRT"
    std::string program;   ///< "trtexec"
    std::string command;   ///< for a shell
    bool measured = false; ///< it was this engine that the trial measured
};

/// One line for each engine that brings plugins/ENGINE/tool.json and whose tool can read a file of the exported model.
/// What tool.json says: the format of the model file; the options for it and for the shapes of its inputs, which are
/// left out where the file has one batch alone; the option for each precision, without which there is no line
/// (`own_precisions`: those for which only the engine's own file will do); `one_of`, the first whose switch is on (""
/// in any case), and `switches`, when the trial is the engine's own; else what comes nearest to its level, and the
/// switches of the same name.
std::vector<ToolLine> toolLines(const ExportPlan& plan);

/// The part of an export's README about them; empty without any.
std::string toolSection(const std::vector<ToolLine>& lines);

} // namespace apertune::report
