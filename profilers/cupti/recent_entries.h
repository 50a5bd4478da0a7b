// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace apertune::profilers {

/// Spreads a key of two numbers over 64 bits. RecentEntries uses the highest of them.
constexpr std::uint64_t spread(std::uint64_t a, std::uint64_t b = 0)
{
    return (a + b * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u;
}

/// A set-associative cache of recent lookups. Each hash value has room for several entries, because with one entry two
/// keys of equal hash would replace each other in every iteration of the program's loop. The caller recreates entries
/// that were replaced.
template <typename Entry, std::size_t Values>
class RecentEntries
{
public:
    RecentEntries() : m_entries(Values * kEach) {}

    /// Returns the entry for which `is` is true, and true. Otherwise returns the place for a new entry, which still
    /// holds an older one, and false. Entries that were never filled are default-constructed.
    template <typename Is>
    std::pair<Entry&, bool> find(std::uint64_t hash, const Is& is)
    {
        Entry* const first = &m_entries[(hash >> (64 - kBits)) * kEach];
        for (std::size_t i = 0; i < kEach; ++i)
            if (is(first[i]))
                return {first[i], true};
        std::rotate(first, first + kEach - 1, first + kEach); // the oldest entry is replaced
        return {*first, false};
    }

private:
    static_assert(std::has_single_bit(Values) && Values > 1);
    static constexpr int kBits = std::countr_zero(Values);
    static constexpr std::size_t kEach = 4;
    std::vector<Entry> m_entries;
};

} // namespace apertune::profilers
