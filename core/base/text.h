// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::base {

/// Splits a list: "a,b,,c" -> {"a","b","c"}. Empty parts are dropped, and blanks around parts are trimmed.
std::vector<std::string> splitList(std::string_view text, char separator = ',');

/// Returns a view of `text` without leading and trailing characters of `blanks`.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");

/// Converts ASCII letters to lower case. Other bytes do not change.
std::string lower(std::string_view text);

/// Joins the parts with the separator.
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

/// Replaces every `from` of the text.
/// REQUIRES: `from` is not empty.
std::string replaced(std::string text, std::string_view from, std::string_view to);

/// Formats a number with `digits` significant digits and no exponent for 1e-4 … 1e9: 21.93, 0.0412, 2914.
/// The decimal point is always '.', whatever the locale.
std::string formatSignificant(double value, int digits = 4);

/// Formats a share: 0.4512 -> "45.1 %", 0.0412 -> "4.1 %" (two digits below ten per cent). A share below 0.001 % is "<
/// 0.001 %".
std::string formatPercent(double share);

/// Formats a size: "1.5 GiB", "312 MiB", "17 B".
std::string formatBytes(Bytes bytes);

/// Formats a count: "1 event", "3 events", "2 copies". Give `many` when the plural is not `one` with an s.
std::string counted(std::int64_t number, const std::string& one, const std::string& many = {});

/// Formats a count with the symbol of its power of a thousand: "25.6 M", "4.09 G", "650", "0".
std::string formatMagnitude(double value);

/// Returns the last line with words, without the blanks around it: what a program that failed says mostly stands there.
std::string lastLine(std::string_view text);

/// Formats a duration: "850 ms", "12.3 s", "2 min 05 s", "1 h 03 min".
std::string formatDuration(Nanoseconds duration);

/// Parses "20ms", "2m", "1.5s", "1m30s". Larger units precede smaller ones. The case of units does not matter. Only "0"
/// needs no unit.
/// Failures: invalidArgument with an example.
Result<Nanoseconds> parseDuration(std::string_view text);

/// Parses "4GiB", "4G" (the same), "500MB", "17B". The case of units does not matter. Only "0" needs no unit.
/// Failures: invalidArgument with an example.
Result<Bytes> parseBytes(std::string_view text);

/// Parse the value of an option or a field. The message of a failure begins with `name`: --budget: "2x" is not a
/// duration.
Result<Nanoseconds> parseDuration(const std::string& name, std::string_view text);
Result<Bytes> parseBytes(const std::string& name, std::string_view text);

/// Parses "3%" or "0.03" as a share within [0, 1].
/// Failures: invalidArgument with an example.
Result<double> parseShare(const std::string& name, const std::string& text);

/// Returns the candidate closest to `text` by edit distance. Where none is close enough to be a typing error, returns
/// the only candidate that contains `text` (three characters at least), else "".
std::string closestMatch(std::string_view text, const std::vector<std::string>& candidates);

/// Returns the sentence "Did you mean NAME?"; empty for an empty name.
Message didYouMean(const std::string& name);

} // namespace apertune::base
