// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace apertune::trace {

/// How the numbers of a column stand in a chunk, see chunk_format.md. Persistent.
enum class Encoding : std::uint8_t {
    absent = 0,     ///< all are 0, and nothing is stored
    constant = 1,   ///< one for all
    plain = 2,      ///< one after the other
    difference = 3, ///< each to the one before
    ascending = 4,  ///< each to the one before, which is not larger
    plainRuns = 18, ///< as above, but what repeats itself is told once
    differenceRuns = 19,
    ascendingRuns = 20,
};

/// False for what no version so far writes.
bool isKnown(Encoding encoding);

/// Whether numbers may be negative. Those of the unsigned types and durations never are.
enum class Sign { none, either };

/// Whether to look for numbers that repeat themselves. What was measured does not.
enum class Runs { never, seek };

/// Bytes that `count` numbers take at the most, with what encodeColumn() may write behind their end.
constexpr std::size_t longestColumn(std::size_t count)
{
    constexpr std::size_t kLongestVarint = 10;
    return kLongestVarint * (count + 1);
}

/// The end of the bytes, and what they are.
struct EncodedColumn
{
    Encoding encoding = Encoding::absent;
    char* end = nullptr;
};

/// Writes the numbers in the encoding that a sample of them finds the shortest. Pure. T is std::int64_t, std::uint32_t
/// or std::uint64_t.
/// REQUIRES: `values` is not empty; `scratch` has as many entries; `out` has room for longestColumn() of them.
template <std::integral T>
EncodedColumn encodeColumn(std::span<const T> values, Sign sign, Runs runs, std::span<std::uint64_t> scratch,
                           char* out);

/// Reads what encodeColumn() wrote into `out`, whose size tells how many numbers there are. The bytes may come from
/// anywhere. Returns what is wrong with them ("a column ends too early"), or nullptr; then `out` holds all of them.
/// REQUIRES: isKnown(encoding), which is not absent.
template <std::integral T>
const char* decodeColumn(Encoding encoding, std::string_view bytes, Sign sign, std::span<T> out);

} // namespace apertune::trace
