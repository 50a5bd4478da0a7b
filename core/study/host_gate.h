// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mutex.h"

#include <condition_variable>
#include <stop_token>

namespace apertune::study {

/// Keeps conversions and compilations, which load all processors, apart from the measurements of devices that are swept
/// side by side. Any number of devices measure at once; one that converts or compiles waits until none measures, and
/// those that come after it wait for it. Thread-safe.
class HostGate
{
public:
    enum class Work { measure, compile };

    /// The right to do some work, until it is destroyed.
    class Permit
    {
    public:
        /// Waits for the right, in `gate` unless that is null, or until a stop is requested.
        /// REQUIRES: the calling thread has no other Permit, and `gate` outlives this object.
        Permit(HostGate* gate, Work work, const std::stop_token& stop);
        ~Permit();
        Permit(const Permit&) = delete;
        Permit& operator=(const Permit&) = delete;

    private:
        HostGate* m_gate; ///< null: nothing to give back
        Work m_work;
    };

private:
    base::Mutex m_mutex;
    std::condition_variable_any m_changed;
    int m_measuring APERTUNE_GUARDED_BY(m_mutex) = 0;
    int m_waiting APERTUNE_GUARDED_BY(m_mutex) = 0; ///< compilations that wait for a permit
    bool m_compiling APERTUNE_GUARDED_BY(m_mutex) = false;
};

} // namespace apertune::study
