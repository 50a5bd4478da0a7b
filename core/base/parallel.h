// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mutex.h"

#include <atomic>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace apertune::base {

/// Runs independent tasks in parallel and returns when all have ended.
///  - It uses at most `processors` threads, including the calling thread.
///  - Tasks begin in order, so put the longest first.
///  - The first exception that leaves a task is thrown again after all tasks have ended.
inline void runInParallel(const std::vector<std::function<void()>>& tasks,
                          unsigned processors = std::thread::hardware_concurrency())
{
    std::atomic<std::size_t> next{0};
    Mutex mutex; // guards failure: the analysis of locks knows members only
    std::exception_ptr failure;
    const auto work = [&] {
        for (std::size_t i = next++; i < tasks.size(); i = next++) {
            try {
                tasks[i]();
            } catch (...) {
                const Lock lock(mutex);
                if (!failure)
                    failure = std::current_exception();
            }
        }
    };
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < tasks.size() && i < processors; ++i)
        others.emplace_back(work);
    work();
    others.clear(); // waits
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace apertune::base
