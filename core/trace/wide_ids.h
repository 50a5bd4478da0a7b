// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>

namespace apertune::trace {

/// Ids of a recording as the 32 bits that events have for them. What fits stays as it is; larger ones are numbered from
/// the largest number down, each alike wherever it is met, so that what they join stays joined.
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

    /// Whether a number that was given away may also be an id of the recording: events that have it may be joined
    /// wrongly.
    bool ambiguous() const { return !m_numbers.empty() && m_largest > kMost - m_numbers.size(); }

private:
    static constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    std::unordered_map<std::uint64_t, std::uint32_t> m_numbers;
    std::uint64_t m_largest = 0; ///< of those that stayed
};

} // namespace apertune::trace
