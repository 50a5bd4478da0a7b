// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/shell/stop_signals.h"

#include <QSocketNotifier>

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>

namespace apertune::gui {

namespace {

constexpr int kInterrupted = 130;
constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};

std::atomic<int> event{-1}; ///< written by the handler, read on the GUI thread
std::atomic<bool> arrived{false};

/// Only calls that are safe in a signal handler.
void onSignal(int /*number*/)
{
    if (arrived.exchange(true))
        ::_exit(kInterrupted);
    const std::uint64_t one = 1;
    if (::write(event, &one, sizeof one) != sizeof one)
        ::_exit(kInterrupted); // Nobody could be told, so the signal has its usual effect.
}

} // namespace

StopSignals::StopSignals(std::function<void()> onFirst)
{
    event = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (event < 0)
        return;
    m_notifier = new QSocketNotifier(event, QSocketNotifier::Read);
    QObject::connect(m_notifier, &QSocketNotifier::activated, m_notifier,
                     [notifier = m_notifier, onFirst = std::move(onFirst)] {
                         notifier->setEnabled(false); // The event stays readable, and one call is enough.
                         onFirst();
                     });
    for (const int number : kSignals) {
        struct sigaction current = {};
        // Under nohup the hang-up has to stay ignored.
        if (::sigaction(number, nullptr, &current) != 0 || current.sa_handler == SIG_IGN)
            continue;
        struct sigaction action = {};
        action.sa_handler = onSignal;
        action.sa_flags = SA_RESTART;
        ::sigaction(number, &action, nullptr);
    }
}

StopSignals::~StopSignals()
{
    if (!m_notifier)
        return;
    for (const int number : kSignals) {
        struct sigaction current = {};
        if (::sigaction(number, nullptr, &current) == 0 && current.sa_handler == onSignal)
            ::signal(number, SIG_DFL);
    }
    delete m_notifier;
    ::close(event.exchange(-1));
}

} // namespace apertune::gui
