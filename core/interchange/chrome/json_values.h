// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/counter_unit.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apertune::interchange::chrome {

/// A digit of JSON, whatever the locale.
inline bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Returns the size of the UTF-8 character at `i` in bytes; 0 when there is none.
/// REQUIRES: i < text.size().
std::size_t utf8Length(std::string_view text, std::size_t i);

/// Replaces the bytes that make a text badText. Its length stays. Returns the number of replaced bytes.
std::size_t repairText(std::string& text);

/// Converts microseconds as decimal text, with or without quotes, to nanoseconds. Only digits below a nanosecond are
/// rounded. Returns nullopt for text that is no number, and beyond ±73 years.
std::optional<std::int64_t> parseMicroseconds(std::string_view token);

/// Reads an integer as decimal or 0x text, with or without quotes.
///  - A fraction is rounded; `exact` (may be null) receives whether there was none.
///  - Unsigned values of 2^63 and above return as their bit pattern.
///  - Returns nullopt for text that is no number, or does not fit 64 bits.
std::optional<std::int64_t> parseInteger(std::string_view token, bool* exact = nullptr);
/// Reads a number with its fraction. `exact` receives false when digits were rounded away.
std::optional<trace::Sample> parseSample(std::string_view token, bool& exact);

/// Reads a number; nullopt for other text.
std::optional<double> parseNumber(std::string_view token);

/// Returns a string token without its quotes and escapes. Lone surrogates become U+FFFD. Other tokens return unchanged.
std::string unescape(std::string_view token);

/// Returns an array or object on one line: "[[1, 3], [64]]".
std::string onOneLine(std::string_view json);

} // namespace apertune::interchange::chrome
