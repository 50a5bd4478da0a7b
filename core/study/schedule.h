// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/study.h"
#include "core/model/trial.h"
#include "core/search/searcher.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::study {

/// Trials of one configuration group, in planned order. They share one worker.
struct WorkerRun
{
    std::string group;               ///< model::groupKey
    std::vector<std::size_t> trials; ///< positions in the study's list of trials
};

/// The first open trial of every group that has no result yet, so that each group is measured once before any of them
/// gets more of the budget. The reference group comes first if it is planned first; the others follow from the last to
/// the first, because those planned last promise most and the budget may end early; compiled groups come last.
/// REQUIRES: `trials` are in planned order.
std::vector<WorkerRun> breadthFirstPass(const std::vector<model::Trial>& trials, const std::string& device);

/// All open trials by group. The reference group comes first, because others are compared with it; then groups by the
/// best time per sample of their finished trials, the shortest first; then groups without a result, in planned order.
std::vector<WorkerRun> refinementPass(const std::vector<model::Trial>& trials, const std::string& device);

/// Measuring time of the next trial: the budget left divided by the number of open trials, less `overhead` (the time of
/// a trial besides measuring), within [least, most]. Without a budget it is `most`.
base::Nanoseconds measuringTime(std::optional<base::Nanoseconds> budgetLeft, int open, base::Nanoseconds overhead,
                                base::Nanoseconds least, base::Nanoseconds most);

struct Eta
{
    base::Nanoseconds low{};
    base::Nanoseconds high{};
};

/// The known and expected times of a device's trials.
struct TrialTimes
{
    std::vector<base::Nanoseconds> trials;   ///< times of the finished trials, in their order
    std::vector<base::Nanoseconds> compiles; ///< times of the finished compiles
    Eta planned{};                           ///< expected time of a trial, until three are finished
    int open = 0;
    int openCompiles = 0;
};

/// Time until a device's trials are done: the lower and upper quartile of its finished trials (before three are
/// finished, what was planned) times the number of open ones, bounded by the budget, plus the same for compiles. Only a
/// budget of wall time bounds those, too.
Eta estimateRemaining(TrialTimes times, std::optional<base::Nanoseconds> budgetLeft, model::BudgetKind kind);

/// A device's trials in the form of a search task.
struct SearchSpace
{
    search::SearchTask task;
    std::vector<std::size_t> trials; ///< position in the study of each configuration of the task
};

/// Returns the search task over the trials of a device that are open or ok; failed and pruned ones are left out.
/// `memoryShare` is the share of memory that the study's space names (search::memoryLimit).
///
/// The plain sibling of a compiled group is the uncompiled group of highest level with the same engine, precision,
/// threads and quantization.
SearchSpace searchSpace(const std::vector<model::Trial>& trials, const model::Device& device, const model::Goal& goal,
                        std::optional<double> memoryShare = {});

/// Assumed time of a compile while none was seen.
inline constexpr base::Nanoseconds kTypicalCompile{30'000'000'000};

/// Largest speed-up by compiling where the package runs as a CUDA graph, which has no launches to wait for. ResNet-18
/// at batch 1 gained 6.4× on an H200, from O0 fp32 to O3 fp16.
inline constexpr double kCompileGainWithGraph = 10;

} // namespace apertune::study
