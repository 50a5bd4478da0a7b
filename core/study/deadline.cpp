// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/deadline.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace apertune::study {

Deadline::Deadline(const std::stop_token& outer, std::optional<base::Nanoseconds> time)
    : m_forward(outer, [this] { m_source.request_stop(); })
{
    if (time)
        m_clock = std::jthread([this, time = *time](const std::stop_token& end) { expireAfter(time, end); });
}

void Deadline::expireAfter(base::Nanoseconds time, const std::stop_token& end)
{
    // Nobody else has this mutex: the thread only waits for its own end or for the time.
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    const auto most = std::chrono::nanoseconds(std::max<std::int64_t>(0, time.count));
    ended.wait_for(lock, end, most, [&end] { return end.stop_requested(); });
    if (end.stop_requested() || m_source.stop_requested())
        return;
    m_expired = true;
    m_source.request_stop();
}

} // namespace apertune::study
