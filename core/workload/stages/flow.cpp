// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/stages/flow.h"

#include <algorithm>
#include <cmath>

namespace apertune::workload {

using base::Nanoseconds;

Nanoseconds Trip::unaccounted() const
{
    Nanoseconds known = waitedToBegin() + waitedForBatch() + waitedToAnswer();
    for (const StageSpan& span : stages)
        known += span.length();
    return latency() - known;
}

Flow::Flow(const PipelinePlan& plan, int batch)
    : m_plan(plan), m_full(static_cast<std::size_t>(plan.queueBatch > 0 ? plan.queueBatch : batch)), m_random(plan.seed)
{
    for (int slot = plan.slots(static_cast<int>(m_full)); slot > 0; --slot)
        m_free.push_back(slot - 1);
    drawArrival();
}

void Flow::drawArrival()
{
    if (m_plan.rate > 0)
        m_arrival += -std::log(1 - m_random.uniform()) / m_plan.rate;
}

std::optional<Trip> Flow::admit(Nanoseconds now)
{
    if (!m_open || m_free.empty())
        return std::nullopt;
    const Nanoseconds due = m_plan.rate > 0 ? base::fromSeconds(m_arrival) : now;
    if (due > now)
        return std::nullopt;
    Trip trip;
    trip.image = m_nextImage++;
    trip.slot = m_free.back();
    trip.due = due;
    m_free.pop_back();
    ++m_preparing;
    ++m_underWay;
    drawArrival();
    return trip;
}

void Flow::prepared(Trip trip)
{
    --m_preparing;
    m_ready.push_back(std::move(trip));
}

std::vector<Trip> Flow::batch(Nanoseconds now)
{
    if (m_ready.empty() || m_answers.size() >= kMostAnswers * m_full)
        return {};
    const bool more = m_open || m_preparing > 0;
    if (m_ready.size() < m_full && more) {
        if (!m_plan.queueWait || now < m_ready.front()[Stage::preprocess].end + *m_plan.queueWait)
            return {};
    }
    const std::size_t count = std::min(m_full, m_ready.size());
    std::vector<Trip> taken(m_ready.begin(), m_ready.begin() + static_cast<std::ptrdiff_t>(count));
    m_ready.erase(m_ready.begin(), m_ready.begin() + static_cast<std::ptrdiff_t>(count));
    for (Trip& trip : taken) {
        trip.pass = m_nextPass;
        trip.inPass = static_cast<int>(count);
    }
    ++m_nextPass;
    return taken;
}

void Flow::copied(const std::vector<Trip>& batch)
{
    if (m_plan.prefetch > 0)
        for (const Trip& trip : batch)
            m_free.push_back(trip.slot);
}

void Flow::inferred(const std::vector<Trip>& batch)
{
    for (const Trip& trip : batch) {
        if (m_plan.prefetch == 0)
            m_free.push_back(trip.slot);
        m_answers.push_back(trip);
    }
}

std::optional<Trip> Flow::answer()
{
    if (m_answers.empty())
        return std::nullopt;
    Trip trip = std::move(m_answers.front());
    m_answers.pop_front();
    return trip;
}

void Flow::finished(Trip trip)
{
    --m_underWay;
    m_done.push_back(std::move(trip));
}

std::optional<Nanoseconds> Flow::wakeAt(Nanoseconds now) const
{
    std::optional<Nanoseconds> next;
    const auto consider = [&](Nanoseconds time) {
        if (time > now && (!next || time < *next))
            next = time;
    };
    if (m_open && m_plan.rate > 0 && !m_free.empty())
        consider(base::fromSeconds(m_arrival));
    if (!m_ready.empty() && m_plan.queueWait)
        consider(m_ready.front()[Stage::preprocess].end + *m_plan.queueWait);
    return next;
}

} // namespace apertune::workload
