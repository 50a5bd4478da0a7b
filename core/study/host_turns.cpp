// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/host_turns.h"

namespace apertune::study {

HostTurns::Turn::Turn(HostTurns* turns, Work work, const std::stop_token& stop) : m_turns(turns), m_work(work)
{
    if (!turns)
        return;
    HostTurns& t = *turns;
    base::Lock lock(t.m_mutex);
    if (work == Work::measure) {
        // A compilation that waits comes first. Otherwise devices that measure without a pause would never let it in.
        if (t.m_changed.wait(lock, stop,
                             [&t]() APERTUNE_REQUIRES(t.m_mutex) { return !t.m_compiling && t.m_waiting == 0; }))
            ++t.m_measuring;
        else
            m_turns = nullptr;
        return;
    }
    ++t.m_waiting;
    if (t.m_changed.wait(lock, stop,
                         [&t]() APERTUNE_REQUIRES(t.m_mutex) { return !t.m_compiling && t.m_measuring == 0; }))
        t.m_compiling = true;
    else
        m_turns = nullptr;
    --t.m_waiting;
    t.m_changed.notify_all();
}

HostTurns::Turn::~Turn()
{
    if (!m_turns)
        return;
    {
        const base::Lock lock(m_turns->m_mutex);
        if (m_work == Work::measure)
            --m_turns->m_measuring;
        else
            m_turns->m_compiling = false;
    }
    m_turns->m_changed.notify_all();
}

} // namespace apertune::study
