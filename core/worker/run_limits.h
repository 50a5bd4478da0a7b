// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

namespace apertune::worker {

/// How long a supervisor waits. Tests shorten these.
struct WorkerLimits
{
    base::Nanoseconds start = base::fromSeconds(120);  ///< exec to hello
    base::Nanoseconds silence = base::fromSeconds(30); ///< no sign of life
    base::Nanoseconds soft = base::fromSeconds(0.7);   ///< after quit, before SIGTERM
    base::Nanoseconds term = base::fromSeconds(0.8);   ///< after SIGTERM, before SIGKILL
};

/// How long things may take and how finely they are measured. Tests shorten these.
struct RunLimits
{
    WorkerLimits worker{};
    base::Nanoseconds load = base::fromSeconds(120);    ///< artifact to ready
    base::Nanoseconds first = base::fromSeconds(60);    ///< first forward pass; also a phase's grace over its plan
    base::Nanoseconds quality = base::fromSeconds(120); ///< outputs and their comparison
    base::Nanoseconds warmUpLeast = base::fromSeconds(0.2);
    base::Nanoseconds warmUpMost = base::fromSeconds(10); ///< at most a quarter of the measuring time, too
    base::Nanoseconds trialLeast = base::fromSeconds(1);  ///< measuring time of a trial, whatever the budget
    base::Nanoseconds trialMost = base::fromSeconds(15);
    base::Nanoseconds minBlock = base::fromMilliseconds(20);
    base::Nanoseconds minTime = base::fromSeconds(0.5); ///< measured at least this long before converging counts
    int minBlocks = 10;
    int maxBlocks = 200;
    bool everyTrial = false; ///< a comparison: no trial is left out for the budget or because its passes are slow
    base::Nanoseconds confirmMost = base::fromSeconds(30); ///< usually; 0: no confirmation
    double confirmShare = 0.2; ///< share of the budget kept for the confirmation until its time is known
    int confirmProcesses = 5;  ///< fresh ones a trial, at most; at least 2
    /// After the confirmation, when the workspace knows too few comparisons of this machine with itself
    /// (kEnoughComparisons) and time is left: up to so many pairs more. 0: none.
    int noisePairs = 3;
    /// One configuration (the first O0 fp32 that was measured) is measured again after so many trials or sentinelTime,
    /// to tell how the machine's speed drifts. Not in studies with fewer trials left, and not when 0.
    int driftReadingEvery = 10;
    base::Nanoseconds driftReadingTime = base::fromSeconds(60);
    int inputSets = 4;
};

} // namespace apertune::worker
