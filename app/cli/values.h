// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/goal.h"
#include "core/model/search_space.h"
#include "core/model/variant.h"

#include <map>
#include <string>
#include <vector>

namespace apertune::cli {

// Conversions of option texts into values. All failures are invalidArgument. They name the option, the error and the
// valid values.
base::Result<std::vector<model::OptLevel>> parseLevels(const std::string& text);
base::Result<std::vector<model::Precision>> parsePrecisions(const std::string& text);
base::Result<std::vector<int>> parseBatches(const std::string& text); ///< numbers, or "auto"
base::Result<std::vector<int>> parseThreads(const std::string& text);
/// Numbers from `least` on. `example` is a text that is right, for the error.
base::Result<std::vector<int>> parseCounts(const std::string& option, const std::string& text,
                                           const std::string& example, int least = 1);
base::Result<std::vector<int>> parseImageSizes(const std::string& text);
base::Result<std::vector<std::string>> parseDevices(const std::string& text);

/// Turns "freeze=on,off", one text for each switch, into axes. It does not check the names, which only the engines
/// know.
base::Result<std::map<std::string, std::vector<bool>>> parseSwitches(const std::vector<std::string>& texts);

/// Turns "slice=2,4", one text for each kind, into variants, in their order.
base::Result<std::vector<model::Variant>> parseVariants(const std::vector<std::string>& texts);

} // namespace apertune::cli
