// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trial_run.h"

namespace apertune::cli {

engine::PhaseSink statusOf(Terminal& terminal)
{
    return [&terminal](const std::string& phase, const std::string& text) {
        terminal.status(phase + (text.empty() ? std::string(" …") : " " + text + " …"));
    };
}

int failRun(Terminal& terminal, const base::Error& error)
{
    using enum base::ErrorCode;
    const int exit = terminal.fail(error);
    const auto code = error.code;
    return code == outOfMemory || code == crashed || code == timeout || code == modelThrew || code == compileFailed
               ? kNothingMeasured
               : exit;
}

} // namespace apertune::cli
