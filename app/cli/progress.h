// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/terminal.h"
#include "core/study/study_event.h"

#include <optional>
#include <string>

namespace apertune::cli {

/// Shows a running study on stderr. The runner calls it with one event at a time.
///
/// * Each finished trial is a line. Configurations that are pruned in a row for the same reason share a line.
/// * A terminal has a live line below them: what runs, the time that has passed and the time that is left.
class Progress
{
public:
    explicit Progress(Terminal& terminal);
    ~Progress() { m_terminal.status({}); }

    void operator()(const study::StudyEvent& event);

private:
    void finished(const std::string& counter, const study::StudyEvent& event);
    void reportLeftOut();

    Terminal& m_terminal;
    base::Nanoseconds m_begin; ///< time at which the study began
    std::string m_reason{};    ///< reason why the last configuration was pruned; empty: it was not
    std::string m_counter{};   ///< counter of the last pruned configuration
    std::size_t m_leftOut = 0; ///< number of pruned configurations after the one that was shown
};

/// "[ 5/16]". The counter has the width of the total.
std::string counterText(int done, int total);

/// The content of the status line of a running study. Times are those of base::monotonicNow().
struct LiveLine
{
    std::string counter;       ///< counterText()
    std::string configuration; ///< the running configuration with its phase; empty between two
    base::Nanoseconds begin{}; ///< time at which the study began
    base::Nanoseconds at{};    ///< time of the estimate
    base::Nanoseconds etaLow{};
    base::Nanoseconds etaHigh{};
};

/// "[ 3/15] 42 s, about 1 min 05 s – 2 min 10 s left  cpu O2 bf16 b1  measure". The time that is left falls as time
/// passes.
std::string liveText(const LiveLine& line, base::Nanoseconds now);

/// "O2 fp32 b4: 56.13 ± 0.22 ms", or the state with its reason.
/// REQUIRES: the event is about a trial.
std::string finishedText(const study::StudyEvent& event);

} // namespace apertune::cli
