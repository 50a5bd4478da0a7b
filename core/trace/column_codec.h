// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace apertune::trace {

/// The encoding of a column's numbers in a chunk (chunk_format.md). The numbers are persistent.
enum class Encoding : std::uint8_t {
    absent = 0,     ///< all are 0, and nothing is stored
    constant = 1,   ///< all are equal
    plain = 2,      ///< each number by itself
    difference = 3, ///< difference to the number before
    ascending = 4,  ///< difference to the number before, which is never larger
    plainRuns = 18, ///< plain, with repetitions stored once
    differenceRuns = 19,
    ascendingRuns = 20,
};

/// False for an encoding that no version so far writes.
bool isKnown(Encoding encoding);

/// The signs that a column may have. Unsigned types and durations are never negative.
enum class Sign { none, either };

/// The search for repetitions. Measured times have none.
enum class Runs { never, seek };

/// The largest number of bytes for `count` numbers, including what encodeColumn() may write behind their end.
constexpr std::size_t longestColumn(std::size_t count)
{
    constexpr std::size_t kLongestVarint = 10;
    return kLongestVarint * (count + 1);
}

/// The result of encodeColumn(): the encoding and the end of the written bytes.
struct EncodedColumn
{
    Encoding encoding = Encoding::absent;
    char* end = nullptr;
};

/// Writes the numbers in the encoding that is the shortest for a sample of them. Pure. T is std::int64_t, std::uint32_t
/// or std::uint64_t.
/// REQUIRES: `values` is not empty, `scratch` has as many entries, and `out` has room for longestColumn() bytes.
template <std::integral T>
EncodedColumn encodeColumn(std::span<const T> values, Sign sign, Runs runs, std::span<std::uint64_t> scratch,
                           char* out);

/// Decodes the bytes of encodeColumn() into `out`, whose size is the number of numbers. The bytes may come from an
/// untrusted source. Returns what is wrong ("a column ends too early"), or an empty message.
/// REQUIRES: isKnown(encoding), and the encoding is not absent.
template <std::integral T>
base::Message decodeColumn(Encoding encoding, std::string_view bytes, Sign sign, std::span<T> out);

} // namespace apertune::trace
