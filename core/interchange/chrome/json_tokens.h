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

/// JSON text with the places of its brackets, commas, colons, and first characters of strings and scalars. A view:
/// valid as long as the text and the TokenIndex that made it. No tree is built and nothing recurses, so that neither
/// size nor depth of hostile text matters.
struct Tokens
{
    std::string_view text;
    const std::uint32_t* at = nullptr;
    std::uint32_t count = 0;

    /// The first character of token i.
    char first(std::uint32_t i) const { return text[at[i]]; }
    /// The whole of a scalar or string, with its quotes.
    std::string_view token(std::uint32_t i) const
    {
        std::size_t end = i + 1 < count ? at[i + 1] : text.size();
        while (end > at[i] + 1 && static_cast<unsigned char>(text[end - 1]) <= ' ')
            --end;
        return text.substr(at[i], end - at[i]);
    }
    /// The token after the value that begins at i; `count` when the value does not end in this text.
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

/// Finds the tokens of texts, one text after the other, with the widest vector instructions of the machine.
class TokenIndex
{
public:
    enum class Status {
        ok,
        openString, ///< the text ends within a string
        badText,    ///< bytes that are no UTF-8, or control characters within a string
    };

    TokenIndex();
    ~TokenIndex();
    TokenIndex(TokenIndex&&) noexcept;

    /// REQUIRES: text.size() < 4 GiB
    Status index(std::string_view text);
    /// Of the last text that was ok.
    const Tokens& tokens() const { return m_tokens; }

private:
    struct Parser;
    std::unique_ptr<Parser> m_parser;
    Tokens m_tokens;
};

/// Bytes of the UTF-8 character at `i`; 0 when there is none. REQUIRES: i < text.size()
std::size_t utf8Length(std::string_view text, std::size_t i);

/// Replaces what makes a text badText, in place and without changing its length. Returns the number of bytes replaced.
std::size_t repairText(std::string& text);

/// Microseconds as decimal text to nanoseconds, exactly; what is beyond a nanosecond is rounded. Also within quotes.
/// nullopt: no number, or beyond ±73 years.
std::optional<std::int64_t> parseMicroseconds(std::string_view token);

/// An integer as decimal or 0x text, within quotes or not, rounded when it has a fraction; `exact` (when given) tells.
/// nullopt: no number or outside of 64 bits. Unsigned values above 2^63 come back as their bit pattern.
std::optional<std::int64_t> parseInteger(std::string_view token, bool* exact = nullptr);
/// With its fraction; `exact` is false when digits were rounded away.
std::optional<trace::Sample> parseSample(std::string_view token, bool& exact);

/// nullopt: no number.
std::optional<double> parseNumber(std::string_view token);

/// A string token without its quotes and escapes; lone surrogates become U+FFFD. Anything else comes back as it is.
std::string unescape(std::string_view token);

/// An array or object on one line: "[[1, 3], [64]]".
std::string onOneLine(std::string_view json);

} // namespace apertune::interchange::chrome
