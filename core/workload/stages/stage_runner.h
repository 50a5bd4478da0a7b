// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/stages/flow.h"

#include <atomic>
#include <functional>
#include <vector>

namespace apertune::workload {

/// What the stages do. The runner calls and times them; a failure of one ends the run.
class StageWork
{
public:
    virtual ~StageWork() = default;
    // On decoding thread `worker`, 0 … decodeThreads − 1; several at once, one after the other on each.
    virtual base::Status decode(int worker, const Trip& trip) = 0;
    virtual base::Status preprocess(int worker, const Trip& trip) = 0;
    // On the calling thread of runPlan(). Each returns when what it does is done, on the device too.
    virtual base::Status copyIn(const std::vector<Trip>& batch) = 0;
    virtual base::Status infer(const std::vector<Trip>& batch) = 0;
    virtual base::Status copyBack(const std::vector<Trip>& batch) = 0;
    /// On a thread of its own. `place`: which of its pass's images it is.
    virtual base::Status postprocess(const Trip& trip, int place) = 0;
};

/// A run that takes less than this many passes within its duration goes on until there are as many.
inline constexpr std::int64_t kLeastPasses = 12;
/// … but not for longer than so many durations.
inline constexpr int kMostDurations = 4;

/// Lets images flow through `work` by the plan until its duration is over, and then until the last has its answer.
/// Everything that was admitted, in order of finishing; times count from the begin of the run, on CLOCK_MONOTONIC.
/// `told` gets the part that is done, between passes.
/// Failures: those of `work`; cancelled when `stop` became true. REQUIRES: check(plan, batch)
base::Result<std::vector<Trip>> runPlan(const PipelinePlan& plan, int batch, StageWork& work,
                                        const std::atomic<bool>& stop, const std::function<void(double)>& told);

} // namespace apertune::workload
