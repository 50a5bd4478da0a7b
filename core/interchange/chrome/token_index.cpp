// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/chrome/token_index.h"

#include <simdjson.h>

#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace apertune::interchange::chrome {

namespace {

constexpr std::size_t kBlock = 64;

/// What each of 64 characters is: bit i stands for character i.
struct BlockKinds
{
    std::uint64_t quotes = 0;
    std::uint64_t backslashes = 0;
    std::uint64_t structure = 0; ///< brackets, commas and colons
    std::uint64_t blanks = 0;
    std::uint64_t controls = 0; ///< characters below 0x20
};

#ifdef __SSE2__
BlockKinds kindsOf(const char* block)
{
    constexpr std::size_t kStep = sizeof(__m128i);
    BlockKinds kinds;
    for (std::size_t part = 0; part < kBlock; part += kStep) {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + part));
        const auto is = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
        const auto any = [](__m128i a, __m128i b) { return _mm_or_si128(a, b); };
        const auto bits = [part](__m128i bytes) {
            return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(bytes))) << part;
        };
        // Curly and square brackets differ in one bit.
        const __m128i curly = _mm_or_si128(text, _mm_set1_epi8(0x20));
        const __m128i brackets = any(is(curly, '{'), is(curly, '}'));
        kinds.quotes |= bits(is(text, '"'));
        kinds.backslashes |= bits(is(text, '\\'));
        kinds.structure |= bits(any(brackets, any(is(text, ','), is(text, ':'))));
        kinds.blanks |= bits(any(any(is(text, ' '), is(text, '\t')), any(is(text, '\n'), is(text, '\r'))));
        kinds.controls |= bits(_mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(0x1f)), text));
    }
    return kinds;
}
#else
BlockKinds kindsOf(const char* block)
{
    BlockKinds kinds;
    for (std::size_t i = 0; i < kBlock; ++i) {
        const char c = block[i];
        const auto bit = [i](bool set) { return std::uint64_t{set} << i; };
        kinds.quotes |= bit(c == '"');
        kinds.backslashes |= bit(c == '\\');
        kinds.structure |= bit(c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':');
        kinds.blanks |= bit(c == ' ' || c == '\t' || c == '\n' || c == '\r');
        kinds.controls |= bit(static_cast<unsigned char>(c) < 0x20);
    }
    return kinds;
}
#endif

/// What one block of text leaves to the next.
struct Carry
{
    bool escapes = false;  ///< the last character was a backslash that escapes the next one
    bool inString = false; ///< the block ended within a string
    bool inScalar = false; ///< the last character belongs to a scalar that is no string
};

/// Returns the characters that a backslash before them escapes.
std::uint64_t escapedCharacters(std::uint64_t backslashes, Carry& carry)
{
    std::uint64_t escaped = carry.escapes ? 1 : 0;
    carry.escapes = false;
    backslashes &= ~escaped;
    while (backslashes != 0) {
        const int at = std::countr_zero(backslashes);
        if (at == 63) {
            carry.escapes = true;
            break;
        }
        const std::uint64_t next = std::uint64_t{2} << at;
        escaped |= next;
        backslashes &= backslashes - 1;
        backslashes &= ~next;
    }
    return escaped;
}

/// Returns the characters from each opening quote to the one before its closing quote: bit i is the parity of the
/// quotes up to i.
std::uint64_t insideStrings(std::uint64_t quotes, Carry& carry)
{
    for (int step = 1; step < 64; step *= 2)
        quotes ^= quotes << step;
    if (carry.inString)
        quotes = ~quotes;
    carry.inString = (quotes >> 63) != 0;
    return quotes;
}

/// Returns where tokens of a block begin. Sets `bad` when a string holds a control character.
///
/// The method, masks of 64 characters in place of a loop over each, is that of Langdale and Lemire, "Parsing gigabytes
/// of JSON per second", VLDB Journal 28 (2019), section 3.1.
std::uint64_t tokensOf(const BlockKinds& kinds, Carry& carry, bool& bad)
{
    const std::uint64_t quotes = kinds.quotes & ~escapedCharacters(kinds.backslashes, carry);
    const std::uint64_t strings = insideStrings(quotes, carry);
    bad |= (strings & kinds.controls) != 0;
    const std::uint64_t scalars = ~(kinds.structure | kinds.blanks);
    // A quote that closes a string ends it: text right behind it is a token of its own.
    const std::uint64_t plain = scalars & ~quotes;
    const std::uint64_t behindPlain = plain << 1 | (carry.inScalar ? 1 : 0);
    carry.inScalar = (plain >> 63) != 0;
    const std::uint64_t begins = kinds.structure | (scalars & ~behindPlain);
    // Within a string only its opening quote counts, and its closing quote begins nothing.
    return begins & ~(strings ^ quotes);
}

} // namespace

TokenIndex::Status TokenIndex::index(std::string_view text)
{
    m_tokens = {text, nullptr, 0};
    // Each character can be a token.
    if (m_capacity < text.size()) {
        m_capacity = text.size() + text.size() / 4;
        m_places = std::make_unique_for_overwrite<std::uint32_t[]>(m_capacity);
    }
    std::uint32_t* next = m_places.get();
    Carry carry;
    bool bad = false;
    const auto add = [&](const char* block, std::size_t begin) {
        for (std::uint64_t bits = tokensOf(kindsOf(block), carry, bad); bits != 0; bits &= bits - 1)
            *next++ = static_cast<std::uint32_t>(begin + static_cast<std::size_t>(std::countr_zero(bits)));
    };
    std::size_t begin = 0;
    for (; begin + kBlock <= text.size(); begin += kBlock)
        add(text.data() + begin, begin);
    if (begin < text.size()) {
        char rest[kBlock];
        std::memset(rest, ' ', sizeof(rest));
        std::memcpy(rest, text.data() + begin, text.size() - begin);
        add(rest, begin);
    }
    if (carry.inString)
        return Status::openString;
    if (bad || !simdjson::validate_utf8(text.data(), text.size()))
        return Status::badText;
    m_tokens.at = m_places.get();
    m_tokens.count = static_cast<std::uint32_t>(next - m_places.get());
    return Status::ok;
}

} // namespace apertune::interchange::chrome
