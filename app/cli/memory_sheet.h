// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/study/memory_forecast.h"

#include <string>
#include <vector>

namespace apertune::cli {

/// Estimated memory as tables, one for each engine and precision, each with the sentences that say what the estimate
/// rests on and how far it can be trusted. `width` is that of the terminal.
std::string memorySheet(const std::vector<study::MemoryForecast>& forecasts, int width);

/// The same as the member `estimates` of the document "apertune.memory-estimate/1".
base::Json memoryDocument(const std::vector<study::MemoryForecast>& forecasts);

} // namespace apertune::cli
