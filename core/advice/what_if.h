// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/advice/verdict.h"
#include "core/advice/what_if_change.h"
#include "core/advice/what_if_effect.h"
#include "core/base/result.h"
#include "core/model/measurement.h"

#include <cstdint>
#include <vector>

namespace apertune::advice {

/// The answer to a what-if.
struct WhatIfReport
{
    model::Interval before{}; ///< ns of an iteration; without recording, where that was measured
    bool bare = false;        ///< whether `before` is the time without recording
    double replayError = 0;   ///< |replayed / recorded − 1| without a change
    std::int64_t iterations = 0;
    std::vector<ChangeEffect> effects{}; ///< one for each change
    ChangeEffect together{};
    Verdict verdict{};      ///< says what limits the trace
    Verdict verdictAfter{}; ///< says what limits the simulated trace

    model::Interval after(const ChangeEffect& effect) const; ///< ns of an iteration, with the expected band
};

/// Predicts what changes would do to the iterations of a trace: the dependency graph of the recording is simulated
/// again (analysis::Replay), with each change and with all of them.
///
/// The effect of each change on the graph:
///  - A factor scales the time of the matching work of a device. Of an operator or a layer, the time of the host
///    changes where it ran on the host alone, or where the factor is 0.
///  - copies=pin: pageable copies run at the link's measured rate for pinned memory (else in 0.6 of their time), and
///    their calls return at once. copies=overlap: copies run on streams of their own, those to the device an iteration
///    ahead. Then the time between two results falls, not the time to one result.
///  - graph: the host launches all kernels of an iteration that no wait separates with the first of them.
///  - streams=N: see ReplayChange::streams; a kernel fills the device as far as its blocks do (else all of it).
///  - On a CPU the operators of the busiest thread follow each other, so every change of them is on the critical path.
///    The recorder's own time for each operator, by the trace's cost, counts in none of them.
///  - threads=N: Amdahl's law, with the parallel part by the processors that were kept busy, else by the share of the
///    operators that threads share.
///  - switch:NAME: the gain that a finding predicts for it.
///
/// The band is that of the median over iterations (stats::medianInterval), widened by the error of the unchanged
/// replay and by the range of a rule or of Amdahl's parallel part. It ends where the device works without a pause.
/// With earlier experiments of the same kind of change, `correction` says what to expect.
/// Failures: invalidArgument (nothing matches, or the trace does not allow such a change), unsupported (the recording
/// does not determine a replay, or lacks the kernels that it launches).
/// REQUIRES: !changes.empty()
base::Result<WhatIfReport> whatIf(const Facts& facts, const std::vector<Change>& changes);

/// Returns a finding with which the change can be verified on the traced trial.
Finding findingOf(const ChangeEffect& effect);

} // namespace apertune::advice
