// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include "core/base/errors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>

namespace apertune::base {

namespace {

struct Suffix
{
    std::string_view text; ///< in lower case
    double factor;
};

/// A number with its unit, taken from the front of a text.
struct Scaled
{
    double value = 0;
    double factor = 0;
    std::string_view rest; ///< remaining text, behind the unit
};

/// Takes "<number><suffix>" from the front of `text`. Suffixes are compared without case. nullopt: there is none.
template <std::size_t N>
std::optional<Scaled> takeScaled(std::string_view text, const std::array<Suffix, N>& suffixes)
{
    text = trimmed(text);
    double number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || number < 0 || !std::isfinite(number))
        return std::nullopt;
    const std::string_view unit = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto letters = static_cast<std::size_t>(std::find_if_not(unit.begin(), unit.end(), isLetter) - unit.begin());
    for (const Suffix& s : suffixes)
        if (lower(unit.substr(0, letters)) == s.text)
            return Scaled{number * s.factor, s.factor, trimmed(unit.substr(letters))};
    return std::nullopt;
}

/// Returns the Levenshtein distance. One row of its table is enough, because a row depends on the previous one alone.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0u);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

template <typename T>
Result<T> named(const std::string& name, Result<T> value)
{
    if (value)
        return value;
    Error error = value.error();
    error.message = message<errors::kOfOption>(name, std::move(error.message));
    return error;
}

} // namespace

std::vector<std::string> splitList(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto at = text.find(separator);
        if (const std::string_view part = trimmed(text.substr(0, at)); !part.empty())
            parts.emplace_back(part);
        text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
    }
    return parts;
}

std::string_view trimmed(std::string_view text, std::string_view blanks)
{
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lower(std::string_view text)
{
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator)
{
    std::string text;
    for (const std::string& part : parts) {
        if (!text.empty())
            text += separator;
        text += part;
    }
    return text;
}

std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

std::string formatSignificant(double value, int digits)
{
    if (!std::isfinite(value))
        return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
    std::array<char, 64> buffer{};
    auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::scientific, digits - 1).ptr;
    const double magnitude = std::abs(value);
    if (magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e9))
        return {buffer.begin(), end};
    // The exponent after rounding: 9.9996 with four digits is 1.000e+01.
    int exponent = 0;
    const char* sign = std::find(buffer.begin(), end, 'e') + 1;
    std::from_chars(sign + (*sign == '+' ? 1 : 0), end, exponent);
    const int decimals = std::max(0, digits - 1 - exponent);
    end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::fixed, decimals).ptr;
    return {buffer.begin(), end};
}

std::string formatBytes(Bytes bytes)
{
    constexpr std::array<std::string_view, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes.count);
    std::size_t unit = 0;
    // 1023.7 KiB would read "1024 KiB".
    while (std::abs(value) >= (unit == 0 ? 1024 : 1023.5) && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    return (unit == 0 ? std::to_string(bytes.count) : formatSignificant(value, 3)) + " " + std::string(kUnits[unit]);
}

std::string counted(std::int64_t number, const std::string& one, const std::string& many)
{
    return std::to_string(number) + " " + (number == 1 ? one : many.empty() ? one + "s" : many);
}

std::string formatMagnitude(double value)
{
    for (const auto& [unit, letter] : {std::pair{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}})
        if (std::abs(value) >= unit)
            return formatSignificant(value / unit, 3) + letter;
    return value == std::floor(value) ? std::to_string(static_cast<long long>(value)) : formatSignificant(value, 3);
}

std::string formatPercent(double share)
{
    constexpr double kLeast = 1e-5;
    if (share != 0 && std::abs(share) < kLeast)
        return share > 0 ? "< 0.001 %" : "> -0.001 %";
    return formatSignificant(share * 100, std::abs(share) < 0.1 ? 2 : 3) + " %";
}

std::string lastLine(std::string_view text)
{
    constexpr std::string_view kBlanks = " \r\n\t";
    const std::size_t end = text.find_last_not_of(kBlanks);
    if (end == std::string_view::npos)
        return {};
    const std::size_t before = text.find_last_of("\r\n", end);
    const std::size_t begin = text.find_first_not_of(kBlanks, before == std::string_view::npos ? 0 : before);
    return std::string(text.substr(begin, end + 1 - begin));
}

std::string formatDuration(Nanoseconds duration)
{
    const double seconds = duration.seconds();
    if (seconds < 0)
        return "-" + formatDuration(Nanoseconds{} - duration);
    // The borders are where three digits round up to the next unit.
    if (seconds < 0.9995e-3)
        return formatSignificant(seconds * 1e6, 3) + " µs";
    if (seconds < 0.9995)
        return formatSignificant(seconds * 1e3, 3) + " ms";
    if (seconds < 59.95)
        return formatSignificant(seconds, 3) + " s";
    const auto whole = static_cast<long long>(std::llround(seconds));
    std::array<char, 64> buffer{};
    if (whole < 3600)
        std::snprintf(buffer.data(), buffer.size(), "%lld min %02lld s", whole / 60, whole % 60);
    else
        std::snprintf(buffer.data(), buffer.size(), "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
    return buffer.data();
}

Result<Nanoseconds> parseDuration(std::string_view text)
{
    static constexpr std::array<Suffix, 7> kSuffixes{
        {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"m", 60}, {"min", 60}, {"h", 3600}}};
    const Error bad{
        ErrorCode::invalidArgument, message<errors::kNoDuration>(text), {}, message<errors::kWriteDuration>()};
    double seconds = 0;
    double unit = std::numeric_limits<double>::infinity();
    for (std::string_view rest = trimmed(text) == "0" ? "0s" : text;;) {
        const auto part = takeScaled(rest, kSuffixes);
        // The units of "1m30s" fall, so that "30s30s" is refused as a typing error.
        if (!part || part->factor >= unit)
            return bad;
        seconds += part->value;
        unit = part->factor;
        rest = part->rest;
        if (rest.empty())
            break;
    }
    if (seconds > 1e9)
        return bad;
    return fromSeconds(seconds);
}

Result<Bytes> parseBytes(std::string_view text)
{
    // One letter means powers of 1024, as in the options of GNU's tools.
    static constexpr std::array<Suffix, 13> kSuffixes{{{"b", 1},
                                                       {"kb", 1e3},
                                                       {"mb", 1e6},
                                                       {"gb", 1e9},
                                                       {"tb", 1e12},
                                                       {"k", 1024},
                                                       {"kib", 1024},
                                                       {"m", 1048576},
                                                       {"mib", 1048576},
                                                       {"g", 1073741824},
                                                       {"gib", 1073741824},
                                                       {"t", 1099511627776.0},
                                                       {"tib", 1099511627776.0}}};
    const auto size = takeScaled(trimmed(text) == "0" ? "0B" : text, kSuffixes);
    if (!size || !size->rest.empty() || size->value > 9e18)
        return Error{ErrorCode::invalidArgument, message<errors::kNoSize>(text), {}, message<errors::kWriteSize>()};
    return Bytes{std::llround(size->value)};
}

Result<Nanoseconds> parseDuration(const std::string& name, std::string_view text)
{
    return named(name, parseDuration(text));
}

Result<Bytes> parseBytes(const std::string& name, std::string_view text)
{
    return named(name, parseBytes(text));
}

Result<double> parseShare(const std::string& name, const std::string& text)
{
    double value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, code] = std::from_chars(text.data(), last, value);
    const std::string_view rest(end, static_cast<std::size_t>(last - end));
    if (rest == "%")
        value /= 100;
    if (code != std::errc() || (!rest.empty() && rest != "%") || !(value >= 0 && value <= 1))
        return Error{
            ErrorCode::invalidArgument, message<errors::kNoShare>(name, text), {}, message<errors::kWriteShare>()};
    return value;
}

namespace {
constexpr std::size_t kShortestPart = 3; ///< fewest characters of a name that stand for it
} // namespace

std::string closestMatch(std::string_view text, const std::vector<std::string>& candidates)
{
    std::string best;
    // A third of the characters may be wrong, and two in a short text. At least one has to be right.
    std::size_t bestDistance = std::min(std::max<std::size_t>(2, text.size() / 3) + 1, text.size());
    for (const std::string& candidate : candidates) {
        const std::size_t distance = editDistance(text, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    if (!best.empty() || text.size() < kShortestPart)
        return best;
    // "onnx" is no typing error but a part of the name, which says enough where only one name has it.
    const auto holds = [&](const std::string& candidate) { return candidate.find(text) != std::string::npos; };
    return std::count_if(candidates.begin(), candidates.end(), holds) == 1
               ? *std::find_if(candidates.begin(), candidates.end(), holds)
               : std::string();
}

Message didYouMean(const std::string& name)
{
    return name.empty() ? Message{} : message<errors::kDidYouMean>(name);
}

} // namespace apertune::base
