// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/shape_recall.h"

#include <algorithm>

namespace apertune::libtorch::recording {

bool ShapeRecall::passBegins(const void* input)
{
    passEnds();
    m_current = &m_known[input];
    const Pass& known = m_current->pass;
    m_reads = m_always || known.empty() || --m_current->untilCheck == 0;
    m_next = m_reads ? nullptr : known.data();
    m_end = m_reads ? nullptr : known.data() + known.size();
    m_left = false;
    m_pass.clear();
    return m_reads;
}

void ShapeRecall::passEnds()
{
    if (!m_current)
        return;
    Pass& known = m_current->pass;
    if (!m_reads) {
        if (m_left || m_next != m_end)
            known.clear();
        return;
    }
    const bool sameNames = std::equal(m_pass.begin(), m_pass.end(), known.begin(), known.end(),
                                      [](const auto& a, const auto& b) { return a.name == b.name; });
    const bool sameShapes = std::equal(m_pass.begin(), m_pass.end(), known.begin(), known.end(),
                                       [](const auto& a, const auto& b) { return a.shapes == b.shapes; });
    if (sameNames && !sameShapes)
        m_always = m_refuted = true;
    m_current->checkAfter = known.empty() || !sameNames ? kFirstCheck : kGrowth * m_current->checkAfter;
    m_current->untilCheck = m_current->checkAfter;
    known.swap(m_pass);
}

} // namespace apertune::libtorch::recording
