// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.h"

#include "app/cli/terminal.h"

#include <unistd.h>

#include <csignal>
#include <ctime>

namespace apertune::cli {

namespace {

sigset_t stopSignals()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    // Signals that are ignored are not blocked: under nohup the hang-up has to stay ignored.
    struct sigaction hangUp = {};
    if (::sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN)
        sigaddset(&set, SIGHUP);
    return set;
}

} // namespace

Interrupt::Interrupt(std::function<void()> onFirst)
{
    const sigset_t set = stopSignals();
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    m_thread = std::jthread([this, set, onFirst = std::move(onFirst)](std::stop_token ended) {
        while (!ended.stop_requested()) {
            const timespec wait{0, 50'000'000};
            if (::sigtimedwait(&set, nullptr, &wait) < 0)
                continue;
            if (m_stop.stop_requested())
                ::_exit(kInterrupted); // a second signal means at once
            m_stop.request_stop();
            onFirst();
        }
    });
}

Interrupt::~Interrupt()
{
    // The thread is joined here, because it uses m_stop.
    m_thread.request_stop();
    m_thread.join();
}

} // namespace apertune::cli
