// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::cli {

/// How the difference of two traces is shown.
struct TraceComparison
{
    int rows = 20;
    std::filesystem::path out; ///< .html, .csv or .json; empty: the terminal
};

/// Whether `text` names a trace of the workspace or the file of a recording, and not a workspace file.
bool namesTrace(const std::string& text);

/// Compares each of the traces `others` with `baseline` and shows where the differences come from. Returns an exit
/// code.
int compareTraces(const std::string& baseline, const std::vector<std::string>& others, const TraceComparison& options,
                  Session& session);

} // namespace apertune::cli
