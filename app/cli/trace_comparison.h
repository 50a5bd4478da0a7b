// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <filesystem>
#include <string>

namespace apertune::cli {

/// How the difference of two traces is shown.
struct TraceComparison
{
    int rows = 20;
    std::filesystem::path out; ///< .html, .csv or .json; empty: the terminal
};

/// Whether `text` names a trace of the workspace or the file of a recording, and not a workspace file.
bool namesTrace(const std::string& text);

/// Compares the traces `a` and `b` and shows where the difference comes from. Returns an exit code.
int compareTraces(const std::string& a, const std::string& b, const TraceComparison& options, Session& session);

} // namespace apertune::cli
