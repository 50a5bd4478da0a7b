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

/// The worker's end of the conversation (core/worker/protocol.md).
///
/// Threads: send() from any; next() from the measuring thread. A reader thread takes commands off stdin, so that the
/// end of the supervisor is noticed while a model runs: end of file there removes what a loaded model left under /tmp
/// and ends the process at once. A heartbeat thread beats once a second.
class Channel
{
public:
    /// Moves the original stdout away, points descriptor 1 at stderr and starts both threads.
    /// REQUIRES: called once, before anything prints.
    Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    void send(const base::Json& message);

    /// The next command; blocks.
    base::Json next();

    /// True once `quit` came, also while a command runs.
    const std::atomic<bool>& quitting() const { return m_quit; }

    /// What the heartbeat says the worker is doing. `phase` must be a literal.
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

/// Ends the process without running destructors of libraries, whose order at exit is not ours to trust.
[[noreturn]] void endProcess(int code);

} // namespace apertune::worker
