// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/thread_annotations.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace apertune::base {

/// std::mutex with annotations. clang checks that members with APERTUNE_GUARDED_BY are used only while it is held.
class APERTUNE_CAPABILITY("mutex") Mutex
{
public:
    void lock() APERTUNE_ACQUIRE() { m_mutex.lock(); }
    void unlock() APERTUNE_RELEASE() { m_mutex.unlock(); }
    bool try_lock() APERTUNE_TRY_ACQUIRE(true) { return m_mutex.try_lock(); }

private:
    friend class Lock;
    std::mutex m_mutex;
};

/// Holds a Mutex until the end of its block, and may release it in between. Condition and std::condition_variable_any
/// wait with it.
class APERTUNE_SCOPED_CAPABILITY Lock
{
public:
    explicit Lock(Mutex& mutex) APERTUNE_ACQUIRE(mutex) : m_lock(mutex.m_mutex) {}
    /// Takes over a mutex that try_lock() locked.
    Lock(Mutex& mutex, std::adopt_lock_t adopt) APERTUNE_REQUIRES(mutex) : m_lock(mutex.m_mutex, adopt) {}
    ~Lock() APERTUNE_RELEASE() {}
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

    void lock() APERTUNE_ACQUIRE() { m_lock.lock(); }
    void unlock() APERTUNE_RELEASE() { m_lock.unlock(); }

private:
    friend class Condition;
    std::unique_lock<std::mutex> m_lock;
};

/// std::condition_variable for a Lock. A predicate that reads guarded members is a lambda with
/// APERTUNE_REQUIRES(mutex) behind its parameter list, because the analysis checks each function by itself.
class Condition
{
public:
    void notify_one() noexcept { m_condition.notify_one(); }
    void notify_all() noexcept { m_condition.notify_all(); }
    void wait(Lock& lock) { m_condition.wait(lock.m_lock); }
    template <typename Predicate>
    void wait(Lock& lock, Predicate predicate)
    {
        m_condition.wait(lock.m_lock, std::move(predicate));
    }
    template <typename Rep, typename Period>
    std::cv_status wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& time)
    {
        return m_condition.wait_for(lock.m_lock, time);
    }
    template <typename Rep, typename Period, typename Predicate>
    bool wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& time, Predicate predicate)
    {
        return m_condition.wait_for(lock.m_lock, time, std::move(predicate));
    }
    template <typename Clock, typename Duration, typename Predicate>
    bool wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& time, Predicate predicate)
    {
        return m_condition.wait_until(lock.m_lock, time, std::move(predicate));
    }

private:
    std::condition_variable m_condition;
};

} // namespace apertune::base
