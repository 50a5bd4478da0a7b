// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/mutex.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <thread>

namespace apertune::worker {

/// The worker's end of the connection to the supervisor (core/worker/protocol.md).
///
/// * Any thread may call send(); only the measuring thread calls next().
/// * A reader thread reads commands from stdin, so that the end of the supervisor is noticed while a model runs. At end
///   of file it removes what a loaded model left under /tmp and ends the process at once.
/// * A heartbeat thread sends a message once a second.
class Channel
{
public:
    /// Moves the original stdout away, points descriptor 1 at stderr and starts both threads.
    ///
    /// REQUIRES: it is called once, before anything prints.
    Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    void send(const base::Json& message);

    /// Returns the next command. Blocks until there is one.
    base::Json next();

    /// True once `quit` was received, also while a command runs.
    const std::atomic<bool>& quitting() const { return m_quit; }

    /// Sets the phase that heartbeats report.
    ///
    /// REQUIRES: `phase` is a literal.
    void setPhase(const char* phase) { m_phase = phase; }

private:
    void readLoop();
    void heartbeatLoop();

    int m_out = -1;
    base::Mutex m_sendMutex; ///< guards writing to m_out; never held together with m_queueMutex
    base::Mutex m_queueMutex;
    base::Condition m_arrived;
    std::deque<base::Json> m_queue APERTUNE_GUARDED_BY(m_queueMutex);
    std::atomic<bool> m_quit = false;
    std::atomic<const char*> m_phase = "start";
};

/// Ends the process without the destructors of libraries, because their order at exit is not reliable.
[[noreturn]] void endProcess(int code);

} // namespace apertune::worker
