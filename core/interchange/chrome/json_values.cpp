// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/json_values.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace apertune::interchange::chrome {

namespace {

std::string_view unquoted(std::string_view token)
{
    if (token.size() >= 2 && token.front() == '"' && token.back() == '"')
        token = token.substr(1, token.size() - 2);
    return token;
}

/// A decimal number as digits · 10^exponent. It is exact up to 19 digits.
struct Decimal
{
    bool negative = false;
    std::uint64_t digits = 0;
    int exponent = 0;
};

std::optional<Decimal> parseDecimal(std::string_view text)
{
    Decimal d;
    std::size_t i = 0;
    if (i < text.size() && (text[i] == '-' || text[i] == '+'))
        d.negative = text[i++] == '-';
    bool any = false;
    bool fraction = false;
    for (; i < text.size() && (isDigit(text[i]) || (text[i] == '.' && !fraction)); ++i) {
        if (text[i] == '.') {
            fraction = true;
            continue;
        }
        any = true;
        // Below 10^18, one more digit still fits into 64 bits.
        if (d.digits < 1'000'000'000'000'000'000u) {
            d.digits = d.digits * 10 + static_cast<std::uint64_t>(text[i] - '0');
            d.exponent -= fraction;
        } else {
            // Digits beyond 19 are far below a nanosecond, or the number is out of range anyway.
            d.exponent += !fraction;
        }
    }
    if (!any)
        return std::nullopt;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        if (i < text.size() && text[i] == '+')
            ++i;
        int exponent = 0;
        const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), exponent);
        if (error != std::errc() || exponent > 10'000 || exponent < -10'000)
            return std::nullopt;
        d.exponent += exponent;
        i = static_cast<std::size_t>(end - text.data());
    }
    return i == text.size() ? std::optional(d) : std::nullopt;
}

/// Returns digits · 10^exponent, rounded half away from zero; nullopt above `limit`.
std::optional<std::int64_t> toInteger(Decimal d, std::uint64_t limit, bool* exact = nullptr)
{
    if (exact)
        *exact = true;
    for (; d.exponent > 0 && d.digits != 0; --d.exponent) {
        if (d.digits > limit / 10)
            return std::nullopt;
        d.digits *= 10;
    }
    std::uint64_t last = 0;
    for (; d.exponent < 0 && (d.digits != 0 || last != 0); ++d.exponent) {
        if (exact && last != 0)
            *exact = false;
        last = d.digits % 10;
        d.digits /= 10;
    }
    if (exact && last != 0)
        *exact = false;
    d.digits += last >= 5;
    if (d.digits > limit)
        return std::nullopt;
    const auto value = static_cast<std::int64_t>(d.digits);
    return d.negative ? -value : value;
}

void appendUtf8(std::string& out, std::uint32_t c)
{
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xc0 | (c >> 6));
        out += static_cast<char>(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xe0 | (c >> 12));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
        out += static_cast<char>(0x80 | (c & 0x3f));
    } else {
        out += static_cast<char>(0xf0 | (c >> 18));
        out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
        out += static_cast<char>(0x80 | (c & 0x3f));
    }
}

/// Reads the four hexadecimal digits of \uXXXX at `i`.
std::optional<std::uint32_t> hexUnit(std::string_view text, std::size_t i)
{
    std::uint32_t unit = 0;
    if (i + 4 > text.size())
        return std::nullopt;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + i + 4, unit, 16);
    return error == std::errc() && end == text.data() + i + 4 ? std::optional(unit) : std::nullopt;
}

/// Decodes the escape after a backslash at `i` and returns the index after it. An escape that JSON does not know is
/// kept as text, because recorders on Windows write paths unchanged.
std::size_t appendEscape(std::string& out, std::string_view text, std::size_t i)
{
    switch (text[i]) {
    case 'n':
        out += '\n';
        return i + 1;
    case 't':
        out += '\t';
        return i + 1;
    case 'r':
        out += '\r';
        return i + 1;
    case 'b':
        out += '\b';
        return i + 1;
    case 'f':
        out += '\f';
        return i + 1;
    case '"':
    case '\\':
    case '/':
        out += text[i];
        return i + 1;
    case 'u':
        break;
    default:
        out += '\\';
        out += text[i];
        return i + 1;
    }
    const auto unit = hexUnit(text, i + 1);
    if (!unit) {
        out += "\\u";
        return i + 1;
    }
    if (*unit >= 0xd800 && *unit < 0xdc00 && text.substr(i + 5, 2) == "\\u") {
        const auto low = hexUnit(text, i + 7);
        if (low && *low >= 0xdc00 && *low < 0xe000) {
            appendUtf8(out, 0x10000 + ((*unit - 0xd800) << 10) + (*low - 0xdc00));
            return i + 11;
        }
    }
    // Half of a surrogate pair is no character. Unicode has a replacement for it.
    appendUtf8(out, *unit >= 0xd800 && *unit < 0xe000 ? 0xfffd : *unit);
    return i + 5;
}

} // namespace

std::size_t utf8Length(std::string_view text, std::size_t i)
{
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char lead = byte(i);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : (lead & 0xf0) == 0xe0       ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size())
        return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(i + k) & 0xc0) != 0x80)
            return 0;
    // Encodings that are longer than needed, surrogates, and numbers above 0x10ffff are not UTF-8 (RFC 3629).
    const bool bad = (lead == 0xe0 && byte(i + 1) < 0xa0) || (lead == 0xed && byte(i + 1) >= 0xa0) ||
                     (lead == 0xf0 && byte(i + 1) < 0x90) || (lead == 0xf4 && byte(i + 1) >= 0x90);
    return bad ? 0 : length;
}

std::size_t repairText(std::string& text)
{
    std::size_t replaced = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == '\\' && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) >= ' ' &&
            static_cast<unsigned char>(text[i + 1]) < 0x80) {
            i += 2;
            continue;
        }
        if (c == '"')
            inString = !inString;
        const std::size_t length = utf8Length(text, i);
        const bool control = inString && c < ' ';
        if (length == 0 || control) {
            text[i] = length == 0 ? '?' : ' ';
            ++replaced;
        }
        i += length == 0 ? 1 : length;
    }
    return replaced;
}

std::optional<std::int64_t> parseMicroseconds(std::string_view token)
{
    constexpr std::uint64_t kLimit = std::uint64_t{1} << 61; // so that sums and differences of times cannot overflow
    const std::string_view text = unquoted(token);
    // The fast path for the usual form: up to 15 digits, then up to three more.
    std::size_t i = 0;
    std::uint64_t digits = 0;
    while (i < text.size() && isDigit(text[i]))
        digits = digits * 10 + static_cast<std::uint64_t>(text[i++] - '0');
    if (i > 0 && i <= 15) {
        if (i == text.size())
            return static_cast<std::int64_t>(digits * 1000);
        const std::size_t fraction = text.size() - i - 1;
        if (text[i] == '.' && fraction >= 1 && fraction <= 3) {
            static constexpr std::uint64_t kScale[] = {1000, 100, 10, 1};
            std::uint64_t part = 0;
            std::size_t k = i + 1;
            while (k < text.size() && isDigit(text[k]))
                part = part * 10 + static_cast<std::uint64_t>(text[k++] - '0');
            if (k == text.size())
                return static_cast<std::int64_t>(digits * 1000 + part * kScale[fraction]);
        }
    }
    auto decimal = parseDecimal(text);
    if (!decimal)
        return std::nullopt;
    decimal->exponent += 3;
    return toInteger(*decimal, kLimit);
}

std::optional<std::int64_t> parseInteger(std::string_view token, bool* exact)
{
    if (exact)
        *exact = true;
    std::string_view text = unquoted(token);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size())
        return value;
    std::uint64_t bits = 0;
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (hex)
        text.remove_prefix(2);
    const auto [last, failed] = std::from_chars(text.data(), text.data() + text.size(), bits, hex ? 16 : 10);
    if (failed == std::errc() && last == text.data() + text.size())
        return static_cast<std::int64_t>(bits);
    if (hex)
        return std::nullopt;
    const auto decimal = parseDecimal(text);
    if (!decimal)
        return std::nullopt;
    return toInteger(*decimal, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()), exact);
}

std::optional<trace::Sample> parseSample(std::string_view token, bool& exact)
{
    const auto whole = parseInteger(token, &exact);
    if (!whole || exact)
        return whole ? std::optional(trace::Sample{*whole, 0}) : std::nullopt;
    const Decimal decimal = *parseDecimal(unquoted(token));
    // A large number has fewer digits left for its fraction.
    for (int decimals = std::clamp(-decimal.exponent, 0, trace::kMostDecimals); decimals > 0; --decimals) {
        Decimal scaled = decimal;
        scaled.exponent += decimals;
        if (const auto value =
                toInteger(scaled, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()), &exact))
            return trace::Sample{*value, decimals};
    }
    return trace::Sample{*whole, 0};
}

std::optional<double> parseNumber(std::string_view token)
{
    const std::string_view text = unquoted(token);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string unescape(std::string_view token)
{
    if (token.size() < 2 || token.front() != '"' || token.back() != '"')
        return std::string(token);
    const std::string_view text = token.substr(1, token.size() - 2);
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t plain = std::min(text.find('\\', i), text.size());
        out.append(text, i, plain - i);
        i = plain;
        if (i + 1 < text.size())
            i = appendEscape(out, text, i + 1);
        else if (i < text.size())
            out += text[i++];
    }
    return out;
}

std::string onOneLine(std::string_view json)
{
    std::string out;
    bool inString = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (c == '\\' && i + 1 < json.size()) {
            out.append(json, i++, 2);
            continue;
        }
        if (c == '"')
            inString = !inString;
        if (!inString && static_cast<unsigned char>(c) <= ' ')
            continue;
        out += c;
        if (!inString && (c == ',' || c == ':'))
            out += ' ';
    }
    return out;
}

} // namespace apertune::interchange::chrome
