// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <csignal>

namespace apertune::base {

/// The signals that end a process when it writes to a pipe without a reader, or beyond its file-size limit.
inline constexpr std::array kWriteSignals{SIGPIPE, SIGXFSZ};

/// Ignores kWriteSignals, so such a write fails with EPIPE or EFBIG and the process continues.
///  - Every program calls this function first in main().
///  - Programs started with ChildProcess get the default dispositions back.
inline void ignoreWriteSignals()
{
    for (const int number : kWriteSignals)
        std::signal(number, SIG_IGN);
}

} // namespace apertune::base
