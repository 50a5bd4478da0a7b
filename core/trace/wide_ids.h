// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>

namespace apertune::trace {

/// Maps the ids of a recording to the 32 bits of an event's field. Ids that fit do not change. Larger ids get numbers
/// from the largest 32-bit number down; equal ids get equal numbers, so events stay joined.
class WideIds
{
public:
    std::uint32_t number(std::uint64_t id)
    {
        if (id <= kMost) {
            m_largest = std::max(m_largest, id);
            return static_cast<std::uint32_t>(id);
        }
        const auto at = m_numbers.try_emplace(id, static_cast<std::uint32_t>(kMost - m_numbers.size())).first;
        return at->second;
    }

    /// Returns whether an assigned number may also be an id of the recording. Events with that id may be joined
    /// wrongly.
    bool ambiguous() const { return !m_numbers.empty() && m_largest > kMost - m_numbers.size(); }

private:
    static constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    std::unordered_map<std::uint64_t, std::uint32_t> m_numbers;
    std::uint64_t m_largest = 0; ///< largest id that did not change
};

} // namespace apertune::trace
