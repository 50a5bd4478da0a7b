// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <ctime>

namespace apertune::standin {

/// Nanoseconds of CLOCK_MONOTONIC.
inline std::int64_t monotonicNow()
{
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

} // namespace apertune::standin
