// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace apertune::base {

/// Returns the file that execvp() would start for the name of a program, or for a path; empty when there is none.
std::filesystem::path programFile(const std::string& name);

} // namespace apertune::base
