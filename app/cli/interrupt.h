// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <stop_token>
#include <thread>

namespace apertune::cli {

/// Turns SIGINT, SIGTERM and SIGHUP into a stop token. The first signal asks for a clean stop; a second one ends the
/// process at once with exit code 130. A process has one instance.
///
/// REQUIRES: it is made before any other thread. It blocks the signals in the calling thread, and later threads inherit
/// that.
class Interrupt
{
public:
    /// `onFirst` runs on the signal thread when the first signal arrives.
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
