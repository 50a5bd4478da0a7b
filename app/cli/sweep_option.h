// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "core/sweeps/sweep_file.h"

#include <filesystem>
#include <string>
#include <vector>

namespace apertune::cli {

/// Groups of options that are about one call. All other groups, except that of the options which verbs share, describe
/// a sweep, and a sweep file may hold their options.
inline constexpr const char* kSweepFileGroup = "Sweep file";
inline constexpr const char* kPlanningGroup = "Planning and resuming";

/// What a sweep file contributed to a command line.
struct SweepFile
{
    std::filesystem::path file{};     ///< empty: the line names none
    std::vector<std::string> words{}; ///< the words of the command line that say what was taken from it
};

/// Adds --config FILE. While the line is parsed, its values become those of the options that the line leaves out. A
/// budget of the line stands for both kinds of budget.
/// A value that does not fit throws UsageError with the file and the line.
///
/// REQUIRES: The options of the sweep are declared afterwards, because CLI11 converts the values in that order.
/// REQUIRES: `taken` outlives the parse.
void addSweepFile(CLI::App& app, SweepFile& taken);

/// The sweep that the options of a verb state after the parse. What the line left out is not there.
std::vector<sweeps::SweepEntry> sweepOfOptions(const CLI::App& app);

/// The key of an option in a sweep file; empty for one that does not belong to the sweep.
std::string sweepKey(const CLI::Option& option);

/// Whether a sweep file may hold a list for the option.
bool takesList(const CLI::Option& option);

} // namespace apertune::cli
