// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/energy_watch.h"

namespace apertune::worker {

void EnergySum::add(const EnergyReading& before, const EnergyReading& after, std::int64_t passes)
{
    const EnergyReading& begin = m_last ? *m_last : before;
    const base::Nanoseconds time = after.at - begin.at;
    double joules = 0;
    if (begin.joules && after.joules) {
        joules = *after.joules - *begin.joules;
    } else if (begin.watts > 0 && after.watts > 0) {
        joules = (begin.watts + after.watts) / 2 * time.seconds();
        m_integrated = true;
    } else {
        m_broken = true;
    }
    m_open.joules += joules;
    m_open.passes += passes;
    m_open.time += time;
    if (m_open.time >= model::kLeastEnergyStretch && joules > 0) {
        m_stretches.push_back(m_open);
        m_open = {};
    }
    m_last = after;
}

std::optional<model::Energy> EnergySum::result() const
{
    model::Energy energy;
    energy.source = m_integrated ? model::EnergySource::gpuPower : m_counter;
    energy.stretches = m_stretches;
    if (!energy.stretches.empty()) {
        model::EnergyStretch& last = energy.stretches.back();
        last.joules += m_open.joules;
        last.passes += m_open.passes;
        last.time += m_open.time;
    }
    if (m_broken || energy.stretches.empty() || energy.total().time < model::leastEnergyTime(energy.source))
        return std::nullopt;
    return energy;
}

double powerBetween(const EnergyReading& before, const EnergyReading& after)
{
    const double seconds = (after.at - before.at).seconds();
    if (before.joules && after.joules && seconds > 0)
        return (*after.joules - *before.joules) / seconds;
    return before.watts > 0 && after.watts > 0 ? (before.watts + after.watts) / 2 : 0;
}

} // namespace apertune::worker
