// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace apertune::advice {

/// Selects the names of a trace that a pattern stands for: of those that `occurs`, by StringId.
///  - "/…/" is a regular expression (ECMAScript), which is searched in the first 1000 characters of each name.
///  - Any other text stands for the names that equal it; without any, for those that end with "::" and it; without any
///    of these, for those that contain it.
/// The result has one element for each string of the trace, 1 where it matches.
/// Failures: invalidArgument (no regular expression, or one that takes too long).
base::Result<std::vector<char>> matchingNames(const trace::Trace& trace, const std::vector<char>& occurs,
                                              const std::string& pattern);

} // namespace apertune::advice
