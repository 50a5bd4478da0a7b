// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/results/foreign_results.h"

#include <optional>
#include <string_view>

namespace apertune::interchange::results {

// The readers of the formats. Each returns nullopt when the text is not of its format. Private to this folder.

std::optional<ForeignResults> fromJson(std::string_view text);
std::optional<ForeignResults> fromTable(std::string_view text);
std::optional<ForeignResults> fromLog(std::string_view text);

/// Returns the number that the whole text is; nullopt for other texts, NaN and infinity.
std::optional<double> numberOf(std::string_view text);

/// Returns a time above 0 in nanoseconds; nullopt when there is no number or it is no such time.
std::optional<double> timeOf(std::optional<double> number, double nsPerUnit);

inline constexpr double kSecond = 1e9;
inline constexpr double kMillisecond = 1e6;
inline constexpr double kMicrosecond = 1e3;

} // namespace apertune::interchange::results
