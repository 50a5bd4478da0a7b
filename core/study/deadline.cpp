// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/deadline.h"

#include "core/base/stop_wait.h"

namespace apertune::study {

Deadline::Deadline(const std::stop_token& outer, std::optional<base::Nanoseconds> time)
    : m_forward(outer, [this] { m_source.request_stop(); })
{
    if (time)
        m_clock = std::jthread([this, time = *time](const std::stop_token& end) { expireAfter(time, end); });
}

void Deadline::expireAfter(base::Nanoseconds time, const std::stop_token& end)
{
    if (base::waitForStop(end, time) || m_source.stop_requested())
        return;
    m_expired = true;
    m_source.request_stop();
}

} // namespace apertune::study
