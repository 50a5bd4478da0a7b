// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/comparison/trace_difference.h"

#include <string>

namespace apertune::comparison {

/// Returns "apertune.trace-comparison/1" of one difference, "apertune.trace-comparisons/1" of several.
base::Json traceDifferenceDocument(Differences differences);

/// Returns a table with a line for each part of each difference.
std::string traceDifferenceCsv(Differences differences);

} // namespace apertune::comparison
