// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace apertune::profilers {

/// Maps a correlation id to its operator (external id). Nearly every call has an operator, so the links are a flat
/// array, which is filled, sorted once and then searched.
class OperatorLinks
{
public:
    void add(std::uint32_t correlation, std::uint32_t external) { m_links.push_back({correlation, external}); }
    std::size_t size() const { return m_links.size(); }

    /// Sorts the links.
    ///
    /// REQUIRES: it is called once, after the last add() and before the first of().
    void close()
    {
        const auto earlier = [](const Link& a, const Link& b) { return a.correlation < b.correlation; };
        if (!std::is_sorted(m_links.begin(), m_links.end(), earlier))
            std::stable_sort(m_links.begin(), m_links.end(), earlier);
    }

    /// Returns the operator of a correlation id, or 0. The last link of a correlation wins. Lookups in ascending order,
    /// as for the events of a track, take constant time.
    std::uint32_t of(std::uint32_t correlation)
    {
        const auto reaches = [&](std::size_t i) { return i < m_links.size() && m_links[i].correlation <= correlation; };
        const bool back = m_at > 0 && !reaches(m_at - 1);
        for (int near = 0; near < 8 && !back && reaches(m_at); ++near)
            ++m_at;
        if (back || reaches(m_at)) {
            const auto at = std::upper_bound(m_links.begin(), m_links.end(), correlation,
                                             [](std::uint32_t c, const Link& link) { return c < link.correlation; });
            m_at = static_cast<std::size_t>(at - m_links.begin());
        }
        return m_at > 0 && m_links[m_at - 1].correlation == correlation ? m_links[m_at - 1].external : 0;
    }

private:
    struct Link
    {
        std::uint32_t correlation;
        std::uint32_t external;
    };
    std::vector<Link> m_links;
    std::size_t m_at = 0; ///< index behind the link that was found last
};

} // namespace apertune::profilers
