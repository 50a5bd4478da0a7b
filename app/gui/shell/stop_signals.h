// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QSocketNotifier;

namespace apertune::gui {

/// Turns SIGINT, SIGTERM and SIGHUP into a call on the GUI thread, so that the program ends in order. A second signal
/// ends the process at once with exit code 130. The signals are not blocked, so programs that the window starts (a
/// browser) get their usual effect. A process has one instance at a time. GUI thread.
class StopSignals
{
public:
    /// REQUIRES: a QCoreApplication exists and outlives this object.
    explicit StopSignals(std::function<void()> onFirst);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

private:
    QSocketNotifier* m_notifier = nullptr; ///< null: no descriptor could be had, so the signals keep their effect
};

} // namespace apertune::gui
