// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/comparison/trace_difference.h"

#include <string>

namespace apertune::report {

/// Returns one self-contained HTML file, without scripts.
std::string traceDifferenceHtml(comparison::Differences differences);

} // namespace apertune::report
