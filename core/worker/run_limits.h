// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

namespace apertune::worker {

/// Time limits of a supervisor. Tests shorten them.
struct WorkerLimits
{
    base::Nanoseconds start = base::fromSeconds(120);  ///< time from exec to hello
    base::Nanoseconds silence = base::fromSeconds(30); ///< time without a sign of life
    base::Nanoseconds soft = base::fromSeconds(0.7);   ///< time from quit to SIGTERM
    base::Nanoseconds term = base::fromSeconds(0.8);   ///< time from SIGTERM to SIGKILL
};

/// Limits of the steps of a run, and the precision of its measurements. Tests shorten them.
struct RunLimits
{
    WorkerLimits worker{};
    base::Nanoseconds load = base::fromSeconds(120); ///< loading an artifact until it is ready
    base::Nanoseconds first = base::fromSeconds(60); ///< first forward pass; also the excess of a phase over its plan
    base::Nanoseconds quality = base::fromSeconds(120); ///< computing outputs and comparing them
    base::Nanoseconds warmUpLeast = base::fromSeconds(0.2);
    base::Nanoseconds warmUpMost = base::fromSeconds(10); ///< a quarter of the measuring time is a further limit
    base::Nanoseconds trialLeast = base::fromSeconds(1);  ///< least measuring time of a trial, whatever the budget
    base::Nanoseconds trialMost = base::fromSeconds(15);
    base::Nanoseconds firstTrial = base::fromSeconds(15); ///< until a first trial is given up at the earliest
    base::Nanoseconds minBlock = base::fromMilliseconds(20);
    base::Nanoseconds minTime = base::fromSeconds(0.5); ///< least measuring time before convergence ends a trial
    /// The same on an NVIDIA GPU. It is longer than model::leastEnergyTime(), so that each trial has an energy.
    base::Nanoseconds minTimeOnGpu = base::fromSeconds(1.05);
    int minBlocks = 10;
    int maxBlocks = 200;
    bool everyTrial = false; ///< set for comparisons: no trial is left out for the budget or for slow passes
    base::Nanoseconds confirmMost = base::fromSeconds(30); ///< usual limit of the confirmation; 0: no confirmation
    double confirmShare = 0.2; ///< share of the budget kept for the confirmation until its time is known
    int confirmProcesses = 5;  ///< largest number of fresh processes a trial, at least 2
    bool fewerThreads = true;  ///< whether a search tries its best configurations of a CPU with fewer threads
    bool usesRest = true;      ///< whether the rest of a budget goes into further processes and untried neighbours
    /// Largest number of pairs that measure the noise floor after the confirmation; 0: none. They run when time is left
    /// and the workspace has fewer than kEnoughComparisons of this machine.
    int noisePairs = 3;
    /// 0: no configuration is measured again and again to show how the speed of the machine changes. Otherwise an O0
    /// fp32 configuration takes turns with all trials. On devices with memory of their own it is measured after so many
    /// trials instead, or after driftReadingTime.
    int driftReadingEvery = 10;
    base::Nanoseconds driftReadingTime = base::fromSeconds(60);
    /// Pairs of blocks that show whether devices slow each other down, and the length of a block. 0 pairs: devices are
    /// never measured side by side.
    int interferencePairs = 12;
    base::Nanoseconds interferenceBlock = base::fromMilliseconds(50);
    double interferenceShare = 0.15; ///< share of a budget that this may take
    /// Largest slowdown with which devices are measured side by side. Twice the effect below which two times count as
    /// the same, so that the interference cannot turn a comparison of trials of one device.
    double mostInterference = 0.02;
    /// Share of a budget that waits for other programs and repeats what they disturbed. 0: never.
    double quietShare = 0.2;
    int inputSets = 4;
};

} // namespace apertune::worker
