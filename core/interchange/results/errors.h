// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::results::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kUnknownResults{"results.unknown_results"};
inline constexpr MessageKind kNoTimes{"results.no_times", {"tool"}};

// Hints on what to do.
inline constexpr MessageKind kKnownTools{"results.known_tools"};
inline constexpr MessageKind kMeasureAgain{"results.measure_again"};

inline constexpr std::array kAll{kUnknownResults, kNoTimes, kKnownTools, kMeasureAgain};

} // namespace apertune::interchange::results::errors
