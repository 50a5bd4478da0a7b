// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace apertune::interchange::chrome {

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

/// Finds the tokens of one text after another.
///
/// A library's parser would not do: simdjson's DOM reads times as doubles, which do not hold their nanoseconds, and
/// refuses whole blocks for the NaN and the paths that recorders write. Its on-demand parser needs a sixth more time
/// for an import, and an event that is not JSON ends its reading of a block.
class TokenIndex
{
public:
    enum class Status {
        ok,
        openString, ///< the text ends within a string
        badText,    ///< the text has bytes that are not UTF-8, or control characters within a string
    };

    /// Finds the tokens of a text.
    /// REQUIRES: text.size() < 4 GiB.
    Status index(std::string_view text);
    /// Returns the tokens of the last text for which index() returned ok.
    const Tokens& tokens() const { return m_tokens; }

private:
    std::unique_ptr<std::uint32_t[]> m_places;
    std::size_t m_capacity = 0;
    Tokens m_tokens;
};

} // namespace apertune::interchange::chrome
