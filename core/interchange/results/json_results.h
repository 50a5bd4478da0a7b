// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/results/parsed.h"

#include <string_view>

namespace apertune::interchange::results {

/// Reads the JSON of trtexec, benchmark_app, NVBench, genai-perf, aiperf and hyperfine. Private to this folder.
Parsed fromJson(std::string_view text);

} // namespace apertune::interchange::results
