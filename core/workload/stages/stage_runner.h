// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/workload/stages/flow.h"

#include <atomic>
#include <functional>
#include <vector>

namespace apertune::workload {

/// The work of each stage. The runner calls and times it; a failure of one stage ends the run.
class StageWork
{
public:
    virtual ~StageWork() = default;
    // Called on decoding thread `worker`, 0 … decodeThreads − 1. Different workers run at the same time.
    virtual base::Status decode(int worker, const PipelineItem& item) = 0;
    virtual base::Status preprocess(int worker, const PipelineItem& item) = 0;
    // Called on the thread that called runPlan(). Each returns when its work is done, on the device too.
    virtual base::Status copyIn(const std::vector<PipelineItem>& batch) = 0;
    virtual base::Status infer(const std::vector<PipelineItem>& batch) = 0;
    virtual base::Status copyBack(const std::vector<PipelineItem>& batch) = 0;
    /// Called on one thread of its own. `place` is the position of the image in its pass.
    virtual base::Status postprocess(const PipelineItem& item, int place) = 0;
};

/// A run continues after its duration until it has kLeastPasses passes, at most for kMostDurations durations.
inline constexpr std::int64_t kLeastPasses = 12;
inline constexpr int kMostDurations = 4;

/// Sends images through the stages of `work` until the duration of the plan is over, then waits until the last image is
/// postprocessed. Returns all admitted images in the order in which they finished.
///  - Times count from the beginning of the run, on CLOCK_MONOTONIC.
///  - After each pass, `onProgress` (may be empty) receives the share of the duration that is over, 0…1.
///
/// Failures: those of `work`; cancelled when `stop` became true.
/// REQUIRES: check(plan, batch) succeeds.
base::Result<std::vector<PipelineItem>> runPlan(const PipelinePlan& plan, int batch, StageWork& work,
                                                const std::atomic<bool>& stop,
                                                const std::function<void(double)>& onProgress);

} // namespace apertune::workload
