// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/counter_unit.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace apertune::interchange::chrome {

/// A digit of JSON, whatever the locale.
inline bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// JSON text with the places of its brackets, commas, colons, and first characters of strings and scalars.
///  - It is a view: valid as long as the text and the TokenIndex that made it.
///  - No tree is built and nothing recurses, so size and depth of hostile text do no harm.
struct Tokens
{
    std::string_view text;
    const std::uint32_t* at = nullptr;
    std::uint32_t count = 0;

    /// Returns the first character of token i.
    char first(std::uint32_t i) const { return text[at[i]]; }
    /// Returns the whole scalar or string, with its quotes.
    std::string_view token(std::uint32_t i) const
    {
        std::size_t end = i + 1 < count ? at[i + 1] : text.size();
        while (end > at[i] + 1 && static_cast<unsigned char>(text[end - 1]) <= ' ')
            --end;
        return text.substr(at[i], end - at[i]);
    }
    /// Returns the token after the value that begins at i; a number above `count` when the value does not end here.
    std::uint32_t skipValue(std::uint32_t i) const
    {
        int depth = 0;
        for (; i < count; ++i) {
            const char c = first(i);
            if (c == '{' || c == '[')
                ++depth;
            else if (c == '}' || c == ']')
                --depth;
            if (depth <= 0)
                return i + 1;
        }
        return count + 1;
    }
};

/// Finds the tokens of one text after another, with the widest vector instructions of the machine.
class TokenIndex
{
public:
    enum class Status {
        ok,
        openString, ///< the text ends within a string
        badText,    ///< the text has bytes that are not UTF-8, or control characters within a string
    };

    TokenIndex();
    ~TokenIndex();
    TokenIndex(TokenIndex&&) noexcept;

    /// Finds the tokens of a text.
    /// REQUIRES: text.size() < 4 GiB.
    Status index(std::string_view text);
    /// Returns the tokens of the last text for which index() returned ok.
    const Tokens& tokens() const { return m_tokens; }

private:
    struct Parser;
    std::unique_ptr<Parser> m_parser;
    Tokens m_tokens;
};

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
