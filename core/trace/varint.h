// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

// Varints hold seven bits per byte, the low ones first. The high bit is set on all bytes but the last. A value takes at
// most ten bytes. Only the sources of the codec include this file.
namespace apertune::trace {

static_assert(std::endian::native == std::endian::little, "swap the words of putShortVarints()");

/// 0, -1, 1, -2 … become 0, 1, 2, 3 ….
constexpr std::uint64_t zigzag(std::uint64_t value)
{
    return (value << 1) ^ (0 - (value >> 63));
}
constexpr std::uint64_t unzigzag(std::uint64_t value)
{
    return (value >> 1) ^ (0 - (value & 1));
}

/// The bytes that a varint takes: a seventh of its bits, rounded up.
constexpr std::size_t varintSize(std::uint64_t value)
{
    return (static_cast<std::size_t>(std::bit_width(value | 1)) * 9 + 64) / 64;
}

/// Writes one varint and returns the end of the written bytes.
inline char* putVarint(char* out, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *out++ = static_cast<char>(value | 0x80);
    *out++ = static_cast<char>(value);
    return out;
}

/// The number of values that one step writes.
inline constexpr std::size_t kVarintGroup = 16;

/// Writes varints of up to four bytes and returns their end. Contents and lengths are computed in parallel
/// (vectorized); only the positions depend on each other. May write up to three bytes behind the returned end.
inline char* putShortVarints(char* out, const std::array<std::int32_t, kVarintGroup>& values)
{
    std::array<std::int32_t, kVarintGroup> words;
    std::array<std::int32_t, kVarintGroup> lengths;
    for (std::size_t i = 0; i < kVarintGroup; ++i) {
        const std::int32_t v = values[i];
        const std::int32_t two = v > 0x7f ? 1 : 0;
        const std::int32_t three = v > 0x3fff ? 1 : 0;
        const std::int32_t four = v > 0x1fffff ? 1 : 0;
        words[i] = (v & 0x7f) | (v & 0x3f80) << 1 | (v & 0x1fc000) << 2 | (v & 0xfe00000) << 3 | two << 7 |
                   three << 15 | four << 23;
        lengths[i] = 1 + two + three + four;
    }
    for (std::size_t i = 0; i < kVarintGroup; ++i) {
        std::memcpy(out, &words[i], sizeof words[i]);
        out += lengths[i];
    }
    return out;
}

/// Neighbours in most columns have equal lengths. The two fast paths for that case are vectorized by the compiler.
template <typename T>
char* putGroup(char* out, const T* values)
{
    std::uint64_t all = 0;
    std::uint64_t below = 0; // the highest bit, once one value is shorter than two bytes
    for (std::size_t i = 0; i < kVarintGroup; ++i) {
        all |= static_cast<std::uint64_t>(values[i]);
        below |= static_cast<std::uint64_t>(values[i]) - 0x80;
    }
    if (all < 1u << 7) {
        for (std::size_t i = 0; i < kVarintGroup; ++i)
            out[i] = static_cast<char>(values[i]);
        return out + kVarintGroup;
    }
    if (all < 1u << 14 && below >> 63 == 0) {
        for (std::size_t i = 0; i < kVarintGroup; ++i) {
            out[2 * i] = static_cast<char>(values[i] | 0x80);
            out[2 * i + 1] = static_cast<char>(values[i] >> 7);
        }
        return out + 2 * kVarintGroup;
    }
    if (all < 1u << 28) {
        std::array<std::int32_t, kVarintGroup> narrow;
        for (std::size_t i = 0; i < kVarintGroup; ++i)
            narrow[i] = static_cast<std::int32_t>(values[i]);
        return putShortVarints(out, narrow);
    }
    for (std::size_t i = 0; i < kVarintGroup; ++i)
        out = putVarint(out, static_cast<std::uint64_t>(values[i]));
    return out;
}

/// Writes the values one after the other and returns their end. May write up to three bytes behind it.
template <typename T>
char* putVarints(char* out, std::span<const T> values)
{
    std::size_t i = 0;
    for (; i + kVarintGroup <= values.size(); i += kVarintGroup)
        out = putGroup(out, values.data() + i);
    for (; i < values.size(); ++i)
        out = putVarint(out, static_cast<std::uint64_t>(values[i]));
    return out;
}

/// Reads the first varint of [in, end) and returns the position behind it. Returns nullptr when the bytes end early or
/// the value does not fit into 64 bits.
inline const char* getVarint(const char* in, const char* end, std::uint64_t& value)
{
    std::uint64_t result = 0;
    for (int shift = 0; shift < 64 && in != end; shift += 7) {
        const auto byte = static_cast<unsigned char>(*in++);
        if (shift == 63 && byte > 1)
            return nullptr;
        result |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) {
            value = result;
            return in;
        }
    }
    return nullptr;
}

} // namespace apertune::trace
