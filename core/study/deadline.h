// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <atomic>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

namespace apertune::study {

/// A stop token that is also requested after some time, for work that only knows how to be cancelled.
class Deadline
{
public:
    /// `time` from now; nullopt: never. Not positive: at once.
    Deadline(const std::stop_token& outer, std::optional<base::Nanoseconds> time);

    std::stop_token token() const { return m_source.get_token(); }
    /// Returns whether the time passed before the outer token was requested.
    bool expired() const { return m_expired; }

private:
    void expireAfter(base::Nanoseconds time, const std::stop_token& end);

    std::stop_source m_source;
    std::stop_callback<std::function<void()>> m_forward;
    std::atomic<bool> m_expired = false;
    std::jthread m_clock; ///< last: it uses the others, and is joined first
};

} // namespace apertune::study
