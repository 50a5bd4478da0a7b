// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/host_gate.h"

namespace apertune::study {

HostGate::Permit::Permit(HostGate* gate, Work work, const std::stop_token& stop) : m_gate(gate), m_work(work)
{
    if (!gate)
        return;
    HostGate& shared = *gate;
    base::Lock lock(shared.m_mutex);
    if (work == Work::measure) {
        // A compilation that waits comes first. Otherwise devices that measure without a pause would never let it in.
        if (shared.m_changed.wait(lock, stop, [&shared]() APERTUNE_REQUIRES(shared.m_mutex) {
                return !shared.m_compiling && shared.m_waiting == 0;
            }))
            ++shared.m_measuring;
        else
            m_gate = nullptr;
        return;
    }
    ++shared.m_waiting;
    if (shared.m_changed.wait(lock, stop, [&shared]() APERTUNE_REQUIRES(shared.m_mutex) {
            return !shared.m_compiling && shared.m_measuring == 0;
        }))
        shared.m_compiling = true;
    else
        m_gate = nullptr;
    --shared.m_waiting;
    shared.m_changed.notify_all();
}

HostGate::Permit::~Permit()
{
    if (!m_gate)
        return;
    {
        const base::Lock lock(m_gate->m_mutex);
        if (m_work == Work::measure)
            --m_gate->m_measuring;
        else
            m_gate->m_compiling = false;
    }
    m_gate->m_changed.notify_all();
}

} // namespace apertune::study
