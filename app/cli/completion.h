// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_line.h"

#include <string>

namespace apertune::cli {

enum class Shell { bash, zsh, fish };

/// The script with which a shell completes verbs, options, their words and file names of `apertune`.
std::string completionScript(const CommandTree& tree, Shell shell);

} // namespace apertune::cli
