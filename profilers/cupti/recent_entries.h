// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace apertune::profilers {

/// Spreads what tells entries apart over 64 bits, of which RecentEntries uses the highest.
constexpr std::uint64_t spread(std::uint64_t a, std::uint64_t b = 0)
{
    return (a + b * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u;
}

/// What was looked up last, found by a hash. Several entries have room for each value of it: with one alone, two that
/// meet would drive each other out at every turn of the program's loop. What fell out is made again by the caller.
template <typename Entry, std::size_t Values>
class RecentEntries
{
public:
    RecentEntries() : m_entries(Values * kEach) {}

    /// The entry that `is` says yes to, and true; else the room for it, holding an older one, and false. Entries that
    /// nobody has filled yet are default-constructed.
    template <typename Is>
    std::pair<Entry&, bool> find(std::uint64_t hash, const Is& is)
    {
        Entry* const first = &m_entries[(hash >> (64 - kBits)) * kEach];
        for (std::size_t i = 0; i < kEach; ++i)
            if (is(first[i]))
                return {first[i], true};
        std::rotate(first, first + kEach - 1, first + kEach); // the oldest gives way
        return {*first, false};
    }

private:
    static_assert(std::has_single_bit(Values) && Values > 1);
    static constexpr int kBits = std::countr_zero(Values);
    static constexpr std::size_t kEach = 4;
    std::vector<Entry> m_entries;
};

} // namespace apertune::profilers
