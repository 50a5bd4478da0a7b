// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/escape.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace apertune::base {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

bool isPlain(char c)
{
    return c >= 0x20 && c < 0x7F;
}

struct Character
{
    std::uint32_t value = 0;
    std::size_t bytes = 1;
    bool valid = true;
};

/// Returns the first character of the text by RFC 3629. A byte that begins no character is invalid and returned alone.
Character firstOf(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::uint32_t first = byte(0);
    if (first < 0x80)
        return {first, 1, true};
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    // Bytes below 0xC2 continue a character or begin an overlong form. Those above 0xF4 would exceed U+10FFFF.
    if (first < 0xC2 || first > 0xF4 || length > text.size())
        return {first, 1, false};
    std::uint32_t value = first & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return {first, 1, false};
        value = value << 6 | (byte(i) & 0x3F);
    }
    // An overlong form could carry a control character past a filter.
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < kLeast[length] || value > 0x10FFFF || surrogate)
        return {first, 1, false};
    return {value, length, true};
}

/// Returns whether a character moves the cursor, or changes the terminal or the order of the text around it: C0, DEL
/// and C1, the marks, embeddings, overrides and isolates of direction, and the separators of lines and paragraphs.
bool isHidden(std::uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x061C || c == 0x200E || c == 0x200F || c == 0x2028 ||
           c == 0x2029 || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

void appendEscape(std::string& out, std::uint32_t value)
{
    const int digits = value < 0x100 ? 2 : 4;
    out += digits == 2 ? "\\x" : "\\u";
    for (int i = digits - 1; i >= 0; --i)
        out += kHexDigits[value >> (4 * i) & 15];
}

std::string visible(std::string_view text, std::string_view kept)
{
    if (std::all_of(text.begin(), text.end(), isPlain))
        return std::string(text);
    std::string out;
    while (!text.empty()) {
        const Character c = firstOf(text);
        const bool stays = c.bytes == 1 && kept.find(text.front()) != std::string_view::npos;
        if (c.valid && (stays || !isHidden(c.value)))
            out += text.substr(0, c.bytes);
        else
            appendEscape(out, c.value);
        text.remove_prefix(c.bytes);
    }
    return out;
}

bool isNumber(std::string_view text)
{
    // std::from_chars() accepts no plus sign. Behind one that is removed here it would accept a minus sign.
    if (text.starts_with("+-"))
        return false;
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

} // namespace

std::string printable(std::string_view text)
{
    return visible(text, "\n\t");
}

std::string printableLine(std::string_view text)
{
    return visible(text, {});
}

std::string shellQuoted(std::string_view word)
{
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=,+%@";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
        return std::string(word);
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

std::string csvField(std::string_view text)
{
    constexpr std::string_view kFormula = "=+-@\t\r";
    const bool formula = !text.empty() && kFormula.find(text.front()) != std::string_view::npos && !isNumber(text);
    std::string field = (formula ? "'" : "") + printable(text);
    if (field.find_first_of(",\"\n") == std::string::npos)
        return field;
    std::string quoted = "\"";
    for (const char c : field)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string markdownText(std::string_view text)
{
    constexpr std::string_view kMarkup = "\\`*[]<>&|{}~!";
    const std::string line = printableLine(text);
    const auto isLetter = [&](std::size_t i) {
        return i < line.size() && std::isalnum(static_cast<unsigned char>(line[i])) != 0;
    };
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        // CommonMark begins no emphasis within a word, so names such as batch_norm stay as they are.
        const bool underscore = line[i] == '_' && !(i > 0 && isLetter(i - 1) && isLetter(i + 1));
        if (underscore || kMarkup.find(line[i]) != std::string_view::npos)
            out += '\\';
        out += line[i];
    }
    return out;
}

} // namespace apertune::base
