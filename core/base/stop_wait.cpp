// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/stop_wait.h"

#include "core/base/mutex.h"

#include <chrono>
#include <condition_variable>

namespace apertune::base {

bool waitForStop(const std::stop_token& stop, Nanoseconds time)
{
    if (time.count <= 0)
        return stop.stop_requested();
    // The standard library waits for a stop token only with a condition variable and its mutex. Nobody else has these,
    // so nothing but the time and the token ends the wait.
    Mutex mutex;
    std::condition_variable_any never;
    Lock lock(mutex);
    never.wait_for(lock, stop, std::chrono::nanoseconds(time.count), [] { return false; });
    return stop.stop_requested();
}

} // namespace apertune::base
