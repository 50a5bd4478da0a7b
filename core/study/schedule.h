// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/device.h"
#include "core/model/trial.h"
#include "core/search/searcher.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::study {

/// Trials (as positions in the study's list) that share one worker: the same group, in planned order.
struct WorkerRun
{
    std::string group; ///< model::groupKey
    std::vector<std::size_t> trials;
};

/// O0 fp32 with nothing switched on: what quality and speed-up refer to.
bool isReferenceConfiguration(const model::Config& config);

/// The open trials of a device, the first of each group: a look at everything before anything is looked at closely.
/// The first group is the plain baseline; then from the last to the second, since what is planned last promises most
/// and a budget may end before all had their turn; what has to be compiled comes last. REQUIRES: trials in planned
/// order.
std::vector<WorkerRun> breadthFirstPass(const std::vector<model::Trial>& trials, const std::string& device);

/// What is open after that, group by group: the reference group first (the others are judged by it), then by what
/// their finished trials promise, the shortest time per sample first; groups without a result in planned order.
std::vector<WorkerRun> refinementPass(const std::vector<model::Trial>& trials, const std::string& device);

/// Measuring time of the next trial: an even share of what the budget has left, less what trials cost besides
/// measuring, within [least, most]. Without a budget: `most`.
base::Nanoseconds measuringTime(std::optional<base::Nanoseconds> budgetLeft, int open, base::Nanoseconds overhead,
                                base::Nanoseconds least, base::Nanoseconds most);

struct Eta
{
    base::Nanoseconds low{};
    base::Nanoseconds high{};
};

/// Time until a device is done, from the durations of its finished trials (quartiles), the compiles that are left and
/// the budget. Nothing before three trials are done.
std::optional<Eta> estimateRemaining(std::vector<base::Nanoseconds> durations, int open,
                                     std::vector<base::Nanoseconds> compiles, int openCompiles,
                                     std::optional<base::Nanoseconds> budgetLeft);

/// The device's trials that can run, as a searcher sees them.
struct SearchSpace
{
    search::SearchTask task;
    std::vector<std::size_t> trials; ///< of each configuration, its position in the study
};
/// What is finished and ran answers from what it has; what failed or was left out is no configuration. A group that
/// compiles knows the one that differs least from it by not compiling, of the same engine, precision and threads.
SearchSpace searchSpace(const std::vector<model::Trial>& trials, const model::Device& device, const model::Goal& goal);

/// What a compile takes before one was seen here.
inline constexpr base::Nanoseconds kTypicalCompile{30'000'000'000};

} // namespace apertune::study
