// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::results::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kUnknownResults{"results.unknown_results", {"recognised"}};
inline constexpr MessageKind kNoTimes{"results.no_times", {"tool"}};
inline constexpr MessageKind kIsUtf16{"results.is_utf16"};
inline constexpr MessageKind kComma{"results.comma", {"tool", "text", "name"}};

inline constexpr MessageKind kDamagedTrials{"results.damaged_trials", {"why"}};

// Hints on what to do.
inline constexpr MessageKind kKnownTools{"results.known_tools"};
inline constexpr MessageKind kMeasureAgain{"results.measure_again"};
inline constexpr MessageKind kConvertUtf16{"results.convert_utf16"};
inline constexpr MessageKind kDecimalPoint{"results.decimal_point"};
inline constexpr MessageKind kRunKitAgain{"results.run_kit_again"};

inline constexpr std::array kAll{kUnknownResults, kNoTimes,      kIsUtf16,      kComma,         kKnownTools,
                                 kMeasureAgain,   kConvertUtf16, kDecimalPoint, kDamagedTrials, kRunKitAgain};

} // namespace apertune::interchange::results::errors
