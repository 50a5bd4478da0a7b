// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/terminal.h"
#include "core/study/study_event.h"

#include <optional>
#include <string>

namespace apertune::cli {

/// Shows a running study on stderr. A terminal gets one live line with what runs, the time that is left and the last
/// result; anything else gets a line a finished trial, where those that are left out in a row for one reason share a
/// line. Called by the runner, one event at a time.
class Progress
{
public:
    explicit Progress(Terminal& terminal);
    ~Progress() { m_terminal.status({}); }

    void operator()(const study::StudyEvent& event);

private:
    void finished(const std::string& counter, const model::Trial& trial);
    void tellLeftOut();

    Terminal& m_terminal;
    base::Nanoseconds m_begin; ///< of the study
    std::string m_last{};      ///< the last result, where there is a live line
    std::string m_reason{};    ///< why the last configuration was left out; empty: it was not
    std::string m_counter{};   ///< with it
    std::size_t m_leftOut = 0; ///< after the one that was told
};

/// "[ 5/16]", the counter with the width of the total.
std::string counterText(int done, int total);

/// What the status line of a running study shows. Times are those of base::monotonicNow().
struct LiveLine
{
    std::string counter;       ///< counterText()
    std::string configuration; ///< the configuration that runs and its phase; "" between two
    base::Nanoseconds begin{}; ///< of the study
    base::Nanoseconds at{};    ///< of the estimate
    std::optional<base::Nanoseconds> etaLow{};
    std::optional<base::Nanoseconds> etaHigh{};
};

/// "[ 3/15] 42 s, about 1 min 05 s – 2 min 10 s left  cpu O2 bf16 b1  measure"; "estimating …" until there is an
/// estimate. What is left falls as time passes.
std::string liveText(const LiveLine& line, base::Nanoseconds now);

/// "O2 fp32 b4: 56.13 ± 0.22 ms", or the state and the reason.
std::string finishedText(const model::Trial& trial);

} // namespace apertune::cli
