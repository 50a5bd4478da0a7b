// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <thread>

namespace apertune::cli {

/// SIGINT, SIGTERM and SIGHUP as a stop token. The first asks for a clean stop; a second one ends the process at once
/// with exit code 130. Make it before any other thread: it blocks the signals in the calling thread, and threads
/// started later inherit that. One instance a process.
class Interrupt
{
public:
    /// `onFirst` runs on the signal thread when the first one arrives.
    explicit Interrupt(std::function<void()> onFirst);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }
    bool requested() const { return m_stop.stop_requested(); }

private:
    std::stop_source m_stop;
    std::jthread m_thread;
};

} // namespace apertune::cli
