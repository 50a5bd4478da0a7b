// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/study.h"
#include "core/search/grid.h"
#include "core/store/store.h"
#include "core/study/study_event.h"
#include "core/study/study_plan.h"
#include "core/study/study_request.h"
#include "core/worker/launcher.h"
#include "core/worker/run_limits.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace apertune::models {
class PackageSource;
}

namespace apertune::study {

/// Runs studies: the only writer of the workspace. One study at a time per runner; run() blocks its thread and
/// uses one more thread per further device, so that devices are measured side by side, one worker each.
///
/// For each group (all configurations equal but for the batch) a fresh worker; O0 fp32 outputs of each batch are made
/// first, as the quality reference. A trial is queued → leased → running → final, one transaction each. When a
/// worker dies its trial fails with the reason and the group goes on in a fresh worker; a crash is retried once.
/// An out-of-memory batch prunes the larger batches of its group ("batch_edge"); with automatic batches so does the
/// growth of memory, and throughput that no longer grows ("dominated": search::ladderEnd()). With a budget, a
/// configuration whose first passes take over four times what O0 fp32 takes for as many samples is pruned ("too_slow")
/// unless the goal is memory. When the budget is spent the remaining configurations are pruned ("budget"); the O0 fp32
/// baseline and one configuration of each group come first, so that the budget spreads over groups before it spreads
/// over batches. The budget left bounds each trial's measuring time. Where the goal bounds a percentile, passes of the
/// best are timed until it is known (percentiles.h). A share of the budget is kept for the confirmation, more where
/// opening the configurations takes long, and the confirmation ends with the budget. Last, the winner, the runner-up
/// and their baseline are measured again, interleaved block by block in several fresh workers each, and these blocks
/// replace their samples for the recommendation when the budget allows ("confirmed" flag, confirmation.h). Where the
/// workspace has no certificate of this machine's noise floor, the winner is then measured against itself in what is
/// left of that time, a quarter of which is kept for it.
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
    /// configurations are impossible then.
    StudyRunner(store::Store& store, worker::Launcher& launcher, models::PackageSource* packages,
                std::vector<model::Device> devices, std::vector<search::BackendInfo> backends,
                model::Environment environment);
    ~StudyRunner();

    /// Before run() or resume().
    void setLimits(const worker::RunLimits& limits);

    base::Result<StudyPlan> plan(const StudyRequest& request) const;

    /// Plans, stores and runs a new study. done: all configurations are final; cancelled: interrupted, it can be
    /// resumed. Failures: the study could not be set up, or the store refused.
    base::Result<base::Outcome> run(const StudyRequest& request, const StudyObserver& observer, std::stop_token stop);

    /// Goes on with an interrupted study: finished trials are kept, the others run.
    /// `budget`: measuring time of what is left, 0 = unlimited; none: its share of the study's.
    base::Result<base::Outcome> resume(model::StudyId study, const StudyObserver& observer, std::stop_token stop,
                                       std::optional<base::Nanoseconds> budget = {});

    model::StudyId studyId() const; ///< of the last run() or resume()

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// store::loadSnapshot with the recommendation and the noise certificates filled in: what views, reports and exports
/// read.
base::Result<model::StudySnapshot> loadStudy(const store::Store& store, model::StudyId id);

} // namespace apertune::study
