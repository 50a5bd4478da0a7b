// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::probe {

/// Small helpers for the text files of /proc and /sys, for modules that read them.

/// Reads a whole file without surrounding blanks; "" when it cannot be read.
std::string readText(const std::filesystem::path& file);

/// Returns the lines of a text, without their line ends.
std::vector<std::string_view> linesOf(std::string_view text);

/// Reads a decimal number at the start of the text.
std::optional<std::int64_t> parseInteger(std::string_view text);

/// Returns whether a process with that number exists.
bool isRunning(int pid);

} // namespace apertune::probe
