// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/trace_difference.h"

#include <string>

namespace apertune::report {

/// Returns one self-contained HTML file, without scripts.
std::string traceDifferenceHtml(Differences differences);

} // namespace apertune::report
