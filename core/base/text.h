// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::base {

/// "a,b,,c" -> {"a","b","c"}: empty parts are dropped, blanks around parts trimmed.
std::vector<std::string> splitList(std::string_view text, char separator = ',');

/// The text without those of `blanks` that it begins and ends with; a view of `text`.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");

/// ASCII letters in lower case; every other byte stays.
std::string lower(std::string_view text);

/// Joins with ", " or the given separator.
std::string join(const std::vector<std::string>& parts, std::string_view separator = ", ");

/// A number with `digits` significant digits and no exponent for 1e-4 … 1e9: 21.93, 0.0412, 2914.
/// The decimal point is always '.', whatever the locale.
std::string formatSignificant(double value, int digits = 4);

/// A share as people read it: 0.4512 -> "45.1 %", 0.0412 -> "4.1 %" (two digits below ten per cent).
std::string formatPercent(double share);

/// "1.5 GiB", "312 MiB", "17 B".
std::string formatBytes(Bytes bytes);

/// "1 event", "3 events", "2 copies": `many` is told where it is not `one` with an s.
std::string counted(std::int64_t number, const std::string& one, const std::string& many = {});

/// A count with its power of a thousand: "25.6 M", "4.09 G", "650", "0".
std::string formatMagnitude(double value);

/// "850 ms", "12.3 s", "2 min 05 s", "1 h 03 min".
std::string formatDuration(Nanoseconds duration);

/// "20ms", "2m", "1.5s", "1h" -> nanoseconds; only "0" needs no unit. Failures: invalidArgument with an example.
Result<Nanoseconds> parseDuration(std::string_view text);

/// "4GiB", "500MB", "17B" -> bytes; only "0" needs no unit. Failures: invalidArgument with an example.
Result<Bytes> parseBytes(std::string_view text);

/// The same of an option or a field by its name, which begins the sentence of a failure:
/// --budget: "2x" is not a duration.
Result<Nanoseconds> parseDuration(const std::string& name, std::string_view text);
Result<Bytes> parseBytes(const std::string& name, std::string_view text);

/// "3%" or "0.03" as a share within [0, 1]. Failures: as above.
Result<double> parseShare(const std::string& name, const std::string& text);

/// The candidate closest to `text` by edit distance when it is close enough to be a typing slip, else "".
std::string closestMatch(std::string_view text, const std::vector<std::string>& candidates);

} // namespace apertune::base
