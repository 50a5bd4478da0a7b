// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workload/stages/flow.h"

#include <algorithm>
#include <cmath>

namespace apertune::workload {

using base::Nanoseconds;

Nanoseconds PipelineItem::unaccounted() const
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
        // Exponential gaps make a Poisson process. uniform() may be 0 but not 1.
        m_arrival += -std::log(1 - m_random.uniform()) / m_plan.rate;
}

std::optional<PipelineItem> Flow::admit(Nanoseconds now)
{
    if (!m_open || m_free.empty())
        return std::nullopt;
    // With a rate, images arrive at their own times whether or not the system is ready (an open load); without one,
    // each free slot asks for the next image (a closed load).
    const Nanoseconds due = m_plan.rate > 0 ? base::fromSeconds(m_arrival) : now;
    if (due > now)
        return std::nullopt;
    PipelineItem item;
    item.image = m_nextImage++;
    item.slot = m_free.back();
    item.due = due;
    m_free.pop_back();
    ++m_preparing;
    ++m_inFlight;
    drawArrival();
    return item;
}

void Flow::prepared(PipelineItem item)
{
    --m_preparing;
    m_ready.push_back(std::move(item));
}

std::vector<PipelineItem> Flow::batch(Nanoseconds now)
{
    // Slow postprocessing shall delay the admission of images instead of filling memory.
    if (m_ready.empty() || m_answers.size() >= kMostWaitingBatches * m_full)
        return {};
    const bool more = m_open || m_preparing > 0;
    // A batch that is not full waits for more images, unless none can come or its first image has waited long enough.
    if (m_ready.size() < m_full && more) {
        if (!m_plan.queueWait || now < m_ready.front()[Stage::preprocess].end + *m_plan.queueWait)
            return {};
    }
    const std::size_t count = std::min(m_full, m_ready.size());
    std::vector<PipelineItem> taken(m_ready.begin(), m_ready.begin() + static_cast<std::ptrdiff_t>(count));
    m_ready.erase(m_ready.begin(), m_ready.begin() + static_cast<std::ptrdiff_t>(count));
    for (PipelineItem& item : taken) {
        // The pass number lets the summary count the stages of a batch once, though each of its images carries them.
        item.pass = m_nextPass;
        item.inPass = static_cast<int>(count);
    }
    ++m_nextPass;
    return taken;
}

void Flow::copied(const std::vector<PipelineItem>& batch)
{
    // With prefetching, the engine reads a copy, and the slot can be filled again at once.
    if (m_plan.prefetch > 0)
        for (const PipelineItem& item : batch)
            m_free.push_back(item.slot);
}

void Flow::inferred(const std::vector<PipelineItem>& batch)
{
    for (const PipelineItem& item : batch) {
        if (m_plan.prefetch == 0)
            m_free.push_back(item.slot);
        m_answers.push_back(item);
    }
}

std::optional<PipelineItem> Flow::answer()
{
    if (m_answers.empty())
        return std::nullopt;
    PipelineItem item = std::move(m_answers.front());
    m_answers.pop_front();
    return item;
}

void Flow::finished(PipelineItem item)
{
    --m_inFlight;
    m_done.push_back(std::move(item));
}

std::optional<Nanoseconds> Flow::wakeAt(Nanoseconds now) const
{
    std::optional<Nanoseconds> next;
    const auto consider = [&](Nanoseconds time) {
        // Times that have passed need no wake-up: batch() and admit() have been asked for `now` already.
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
