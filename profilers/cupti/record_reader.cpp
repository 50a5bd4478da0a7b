// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilers/cupti/record_reader.h"

namespace apertune::profilers {

CUptiResult RecordReader::ask()
{
    auto* const before = reinterpret_cast<std::uint8_t*>(m_record);
    if (const CUptiResult result = m_api.activityGetNextRecord(m_buffer, m_valid, &m_record); result != CUPTI_SUCCESS)
        return result;
    auto* const at = reinterpret_cast<std::uint8_t*>(m_record);
    if (m_following && at != m_following)
        return CUPTI_ERROR_UNKNOWN; // the length of a kind can vary, so the last record may have been none
    if (before) {
        const auto kind = static_cast<std::size_t>(reinterpret_cast<CUpti_Activity*>(before)->kind);
        if (kind < m_lengths.size())
            m_lengths[kind] = static_cast<std::uint32_t>(at - before);
    }
    const std::size_t length = lengthOf(at);
    m_following = length != 0 ? at + length : nullptr;
    return CUPTI_SUCCESS;
}

} // namespace apertune::profilers
