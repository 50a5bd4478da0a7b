// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/comparison/trace_difference.h"

#include <cstddef>
#include <string>

namespace apertune::comparison {

/// Returns a text for people. Of one difference: a sentence, the steps from A to B as bars, tables of at most `rows`
/// parts, layers and operators that allocate. Of several: a table with a column for each of them.
std::string traceDifferenceText(Differences differences, std::size_t rows, int width);

} // namespace apertune::comparison
