// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

#include <ctime>

namespace apertune::base {

namespace {
Nanoseconds read(clockid_t id)
{
    timespec ts{};
    clock_gettime(id, &ts);
    return {static_cast<std::int64_t>(ts.tv_sec) * 1'000'000'000 + ts.tv_nsec};
}
} // namespace

Nanoseconds monotonicNow()
{
    return read(CLOCK_MONOTONIC);
}

Nanoseconds processCpuTime()
{
    return read(CLOCK_PROCESS_CPUTIME_ID);
}

Nanoseconds threadCpuTime()
{
    return read(CLOCK_THREAD_CPUTIME_ID);
}

std::string utcNow()
{
    const std::time_t now = std::time(nullptr);
    std::tm tm{};
    gmtime_r(&now, &tm);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return text;
}

} // namespace apertune::base
