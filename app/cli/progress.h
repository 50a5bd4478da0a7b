// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/terminal.h"
#include "core/engine/study_runner.h"

#include <string>

namespace apertune::cli {

/// Shows a running study on stderr: one line that is rewritten on a terminal, a line a finished trial elsewhere. Called
/// by the runner, one event at a time.
class Progress
{
public:
    explicit Progress(Terminal& terminal) : m_terminal(terminal) {}

    void operator()(const engine::StudyEvent& event);

private:
    Terminal& m_terminal;
};

/// "[ 5/16]", the counter with the width of the total.
std::string counterText(int done, int total);

/// "about 2 min 05 s – 3 min 10 s left", or "estimating …" until there is an estimate.
std::string etaText(const engine::StudyEvent& event);

/// "O2 fp32 b4: 56.13 ± 0.22 ms", or the state and the reason.
std::string finishedText(const model::Trial& trial);

} // namespace apertune::cli
