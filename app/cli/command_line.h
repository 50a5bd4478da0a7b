// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "core/base/result.h"

#include <string>
#include <vector>

namespace apertune::cli {

/// Reads the arguments that follow the program's name. Failures: invalidArgument, with the nearest valid word where
/// the text looks like a typing slip, and the verb's --help otherwise.
base::Result<Invocation> parseCommandLine(const std::vector<std::string>& arguments);

/// "apertune tune 'my model.pt' --batches 1": the line that repeats a call, quoted for a shell. Options that only
/// shape the output (--json, --quiet) or select the place (--store FILE, --resume) are left out.
std::string repeatableLine(const std::vector<std::string>& arguments);

} // namespace apertune::cli
