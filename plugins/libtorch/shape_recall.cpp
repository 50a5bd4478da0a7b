// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugins/libtorch/shape_recall.h"

#include <algorithm>

namespace apertune::libtorch::recording {

bool ShapeRecall::passBegins(const void* input)
{
    passEnds();
    m_current = &m_known[input];
    const bool reads = m_always || m_current->pass.empty() || --m_current->untilCheck == 0;
    m_recalled = reads ? nullptr : &m_current->pass;
    m_at = 0;
    m_pass.clear();
    return reads;
}

void ShapeRecall::passEnds()
{
    if (!m_current)
        return;
    Pass& known = m_current->pass;
    if (m_recalled) {
        if (m_at != known.size())
            known.clear();
        return;
    }
    const bool sameNames = std::equal(m_pass.begin(), m_pass.end(), known.begin(), known.end(),
                                      [](const auto& a, const auto& b) { return a.first == b.first; });
    if (sameNames && m_pass != known)
        m_always = m_refuted = true;
    m_current->checkAfter = known.empty() || !sameNames ? kFirstCheck : 2 * m_current->checkAfter;
    m_current->untilCheck = m_current->checkAfter;
    known.swap(m_pass);
}

} // namespace apertune::libtorch::recording
