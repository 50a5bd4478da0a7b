// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sample_codec.h"

#include "core/store/errors.h"

namespace apertune::store {

std::string encodeTimes(const std::vector<base::Nanoseconds>& times)
{
    std::string bytes;
    // Times of passes resemble their neighbours. A difference below 1 ms takes three bytes.
    bytes.reserve(times.size() * 3);
    std::uint64_t before = 0;
    for (const base::Nanoseconds time : times) {
        // Unsigned arithmetic wraps, so any two values have a difference.
        const auto value = static_cast<std::uint64_t>(time.count);
        const std::uint64_t difference = value - before;
        // The sign moves to the lowest bit, so that small negative differences are short, too (zigzag).
        const std::uint64_t sign = difference >> 63;
        std::uint64_t rest = (difference << 1) ^ (0 - sign);
        for (; rest >= 0x80; rest >>= 7)
            bytes += static_cast<char>((rest & 0x7f) | 0x80);
        bytes += static_cast<char>(rest);
        before = value;
    }
    return bytes;
}

base::Result<std::vector<base::Nanoseconds>> decodeTimes(std::string_view bytes, std::int64_t count)
{
    const base::Error damaged{base::ErrorCode::corrupt,
                              base::message<errors::kTimesDamaged>(),
                              {},
                              base::message<errors::kRestoreOrMeasure>()};
    if (count < 0 || static_cast<std::uint64_t>(count) > bytes.size())
        return damaged;
    std::vector<base::Nanoseconds> times;
    times.reserve(static_cast<std::size_t>(count));
    std::uint64_t before = 0;
    std::uint64_t rest = 0;
    int shift = 0;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        // The tenth byte has only the highest bit of the number.
        if (shift > 63 || (shift == 63 && byte > 1))
            return damaged;
        rest |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        shift += 7;
        if (byte & 0x80)
            continue;
        before += (rest >> 1) ^ (0 - (rest & 1));
        times.push_back({static_cast<std::int64_t>(before)});
        rest = 0;
        shift = 0;
    }
    if (shift != 0 || times.size() != static_cast<std::size_t>(count))
        return damaged;
    return times;
}

} // namespace apertune::store
