// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/terminal.h"
#include "core/engine/study_runner.h"

#include <string>

namespace apertune::cli {

/// Shows a running study on stderr: one line that is rewritten on a terminal, a line a finished trial elsewhere. Called
/// by the runner, one event at a time. Cells that are left out in a row for one reason are one line.
class Progress
{
public:
    explicit Progress(Terminal& terminal) : m_terminal(terminal) {}

    void operator()(const engine::StudyEvent& event);

private:
    void finished(const std::string& counter, const model::Trial& trial);
    void tellLeftOut();

    Terminal& m_terminal;
    std::string m_reason{};    ///< why the last cell was left out; empty: it was not
    std::string m_counter{};   ///< with it
    std::size_t m_leftOut = 0; ///< after the one that was told
};

/// "[ 5/16]", the counter with the width of the total.
std::string counterText(int done, int total);

/// "about 2 min 05 s – 3 min 10 s left", or "estimating …" until there is an estimate.
std::string etaText(const engine::StudyEvent& event);

/// "O2 fp32 b4: 56.13 ± 0.22 ms", or the state and the reason.
std::string finishedText(const model::Trial& trial);

} // namespace apertune::cli
