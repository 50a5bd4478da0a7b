// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace apertune::cli {

/// Runs a program in place of this process, with all signals unblocked, so that the program handles its own. `words`
/// are the program, which is looked for in PATH unless it is a path, and its arguments.
///
/// Returns only where the program cannot be started, with the system's reason.
/// REQUIRES: `words` is not empty.
std::string replaceProcess(std::vector<std::string> words);

} // namespace apertune::cli
