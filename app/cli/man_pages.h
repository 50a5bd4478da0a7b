// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_line.h"

#include <string>
#include <vector>

namespace apertune::cli {

struct ManPage
{
    std::string file; ///< "apertune-trace-verify.1"
    std::string text; ///< roff with the man macros
};

/// A page for the program and one for each verb, in section 1 of the manual.
std::vector<ManPage> manPages(const CommandTree& tree);

} // namespace apertune::cli
