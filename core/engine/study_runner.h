// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/engine/worker_process.h"
#include "core/model/study.h"
#include "core/model/switches.h"
#include "core/search/grid.h"
#include "core/store/store.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::engine {

class PackageSource;

/// What a person asked for: the arguments of `apertune tune`.
struct StudyRequest
{
    model::ModelRef model;
    model::Goal goal;
    model::SearchSpace space;
    /// Time for the sweep and its confirmation, compiling not counted; 0 = unlimited
    base::Nanoseconds budget = base::fromSeconds(120);
    double target = model::kDefaultTarget; ///< relative half-width of the median's interval to stop at
    std::string commandLine;
};

/// A plan without side effects: what would run, what cannot, and how long it takes about.
struct StudyPlan
{
    std::vector<search::Cell> cells;
    int runnable = 0;
    int compiles = 0;     ///< packages that are not in the cache yet
    int largestBatch = 0; ///< that automatic batches may reach; 0: batches were named
    std::string search{}; ///< as the request names it, or what is suitable
    base::Nanoseconds estimateLow{};
    base::Nanoseconds estimateHigh{};
    /// What may be laid over the cells beside core's own switches: those that the planned engines tell of themselves.
    std::vector<model::SwitchInfo> engineSwitches{};
};

/// A change worth showing. Delivered on the runner's thread(s), serialised; copy what you keep.
struct StudyEvent
{
    enum class Kind { studyStarted, trialStarted, trialPhase, trialFinished, studyFinished, message };
    Kind kind = Kind::message;
    model::StudyId study{};
    const model::Trial* trial = nullptr; ///< trial events; valid during the call
    std::string phase{};                 ///< "compile", "load", "warm-up", "measure", "quality"
    std::string text{};
    int done = 0; ///< trials in a final state
    int total = 0;
    std::optional<base::Nanoseconds> etaLow{}; ///< none until three trials are done
    std::optional<base::Nanoseconds> etaHigh{};
};

using StudyObserver = std::function<void(const StudyEvent&)>;

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
    double confirmShare = 0.2; ///< of the budget, kept for it before it is known what it takes
    int confirmProcesses = 5;  ///< fresh ones a trial, at most; at least 2
    /// After the confirmation, when the workspace knows too few comparisons of this machine with itself
    /// (kEnoughComparisons) and time is left: up to so many pairs more. 0: none.
    int noisePairs = 3;
    /// One cell (the first O0 fp32 that was measured) is measured again after so many trials or sentinelTime, to tell
    /// how the machine's speed drifts. Not in studies with fewer trials left, and not when 0.
    int sentinelEvery = 10;
    base::Nanoseconds sentinelTime = base::fromSeconds(60);
    int inputSets = 4;
};

/// Runs studies: the only writer of the workspace. One study at a time per runner; run() blocks its thread and
/// uses one more thread per further device, so that devices are measured side by side, one worker each.
///
/// For each family (all cells equal but for the batch) a fresh worker; O0 fp32 outputs of each batch are made
/// first, as the quality reference. A trial is queued → leased → running → final, one transaction each. When a
/// worker dies its trial fails with the reason and the family goes on in a fresh worker; a crash is retried once.
/// An out-of-memory batch prunes the larger batches of its family ("batch_edge"); with automatic batches so does the
/// growth of memory, and throughput that no longer grows ("dominated": search::ladderEnd()). With a budget, a cell
/// whose first passes take over four times what O0 fp32 takes for as many samples is pruned ("too_slow") unless the
/// goal is memory. When the budget is spent the remaining cells are pruned ("budget"); the O0 fp32 baseline and one
/// cell of each family come first, so that the budget spreads over families before it spreads over batches. The budget
/// left bounds each trial's measuring time. Where the goal bounds a percentile, passes of the best are timed until it
/// is known (percentiles.h). A share of the budget is kept for the confirmation, more where opening the cells takes
/// long, and the confirmation ends with the budget. Last, the winner, the runner-up and their baseline are measured
/// again, interleaved block by block in several fresh workers each, and these blocks replace their samples for the
/// recommendation when the budget allows ("confirmed" flag, confirmation.h). Where the workspace has no certificate of
/// this machine's noise floor, the winner is then measured against itself in what is left of that time, a quarter of
/// which is kept for it.
///
/// Budget and time apply to each device by itself. Ways to end of a trial: ok; failed with the worker's reason, with
/// "compile_failed", or with "nan" when its outputs have NaN or Inf where the reference has none; pruned. Where no
/// reference could be made the trial has no quality and the flag "quality_unavailable". An interrupted study that is
/// resumed gets the share of its budget that its open trials are of all, and what a confirmation is kept.
///
/// Stop token: the trial in flight goes back to queued, the study becomes interrupted, workers end.
class StudyRunner
{
public:
    /// `store` must be open for writing and outlive the runner. `packages` (the compile cache) may be null: compiled
    /// cells are impossible then.
    StudyRunner(store::Store& store, Launcher& launcher, PackageSource* packages, std::vector<model::Device> devices,
                std::vector<search::BackendInfo> backends, model::Environment environment);
    ~StudyRunner();

    /// Before run() or resume().
    void setLimits(const RunLimits& limits);

    base::Result<StudyPlan> plan(const StudyRequest& request) const;

    /// Plans, stores and runs a new study. done: all cells final; cancelled: interrupted, resumable;
    /// failed: the study could not be set up or the store refused (error() tells).
    base::Outcome run(const StudyRequest& request, const StudyObserver& observer, std::stop_token stop);

    /// Goes on with an interrupted study: finished trials are kept, the others run.
    /// `budget`: measuring time of what is left, 0 = unlimited; none: its share of the study's.
    base::Outcome resume(model::StudyId study, const StudyObserver& observer, std::stop_token stop,
                         std::optional<base::Nanoseconds> budget = {});

    model::StudyId studyId() const; ///< of the last run() or resume()
    const base::Error& error() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// store::loadSnapshot with the recommendation and the noise certificates filled in: what views, reports and exports
/// read.
base::Result<model::StudySnapshot> loadStudy(const store::Store& store, model::StudyId id);

} // namespace apertune::engine
