// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profilers/cupti/cupti_api.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace apertune::profilers {

/// Iterates over the records of a completed buffer. Only CUPTI knows the length of a record, but asking takes longer
/// than reading the record. So CUPTI is asked once for each kind in a buffer, and again only at a new kind, at the end,
/// and at bytes that are no record.
class RecordReader
{
public:
    /// REQUIRES: `api` and the buffer outlive the reader.
    RecordReader(const CuptiApi& api, std::uint8_t* buffer, std::size_t valid)
        : m_api(api), m_buffer(buffer), m_valid(valid)
    {
    }

    /// Goes to the next record. CUPTI_ERROR_MAX_LIMIT_REACHED means that there is none. Any other failure means that
    /// the rest cannot be read.
    CUptiResult next()
    {
        if (m_following) {
            const auto left = static_cast<std::size_t>(m_buffer + m_valid - m_following);
            const std::size_t length = left < sizeof(CUpti_Activity) ? 0 : lengthOf(m_following);
            if (length != 0 && length <= left) {
                m_record = reinterpret_cast<CUpti_Activity*>(m_following);
                m_following += length;
                // Another thread filled the buffer, and fetching it from memory is most of the cost of decoding. So as
                // many bytes as this record has are prefetched, kAhead bytes ahead.
                for (std::size_t line = 0; line < length; line += 64)
                    __builtin_prefetch(m_following + kAhead + line);
                return CUPTI_SUCCESS;
            }
        }
        return ask();
    }

    /// REQUIRES: next() succeeded.
    const CUpti_Activity* record() const { return m_record; }

private:
    static constexpr std::size_t kAhead = 2048;

    std::size_t lengthOf(const std::uint8_t* record) const
    {
        const auto kind = static_cast<std::size_t>(reinterpret_cast<const CUpti_Activity*>(record)->kind);
        return kind < m_lengths.size() ? m_lengths[kind] : 0;
    }
    CUptiResult ask();

    const CuptiApi& m_api;
    std::uint8_t* m_buffer;
    std::size_t m_valid;
    CUpti_Activity* m_record = nullptr;
    std::uint8_t* m_following = nullptr; ///< end of m_record; nullptr when its length is unknown
    std::array<std::uint32_t, CUPTI_ACTIVITY_KIND_COUNT> m_lengths{}; ///< bytes by kind; 0: unknown
};

} // namespace apertune::profilers
