// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/results/parsed.h"

#include <string_view>

namespace apertune::interchange::results {

/// Reads the tables of perf_analyzer and benchmark_app. Private to this folder.
Parsed fromTable(std::string_view text);

} // namespace apertune::interchange::results
