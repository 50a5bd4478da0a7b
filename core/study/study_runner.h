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

/// Runs studies. It is the only writer of the workspace.
///
/// Threads. A runner runs one study at a time, and run() blocks its thread. Devices that follow each other are measured
/// on that thread; those that are measured side by side have a thread each. Each device has one measuring worker at a
/// time.
///
/// Steps of a study:
///   0. Where several devices could be measured side by side: a check whether they slow each other down
///      (interference_check.h), which the workspace keeps with the study.
///   1. Sweep of each device (device_sweep.h). A search decides which configurations are measured, unless it is "grid".
///   2. Where the goal bounds a percentile, passes of the best trials are timed until it is known (percentiles.h).
///   3. Confirmation: the best trials and the baseline are measured again, interleaved, in fresh workers
///      (confirmation.h).
///   4. Where the workspace has no certificate of the machine's noise floor, the winner is measured against itself in
///      the time that is left (noise_run.h). A quarter of the confirmation's time is kept for this.
///   5. Of a budget of wall time, what is left then measures untried neighbours of the winner (rest_of_budget.h).
///
/// Trials. A trial goes from queued to leased, running and a final state, with one transaction each. Final states:
///   - ok: it was measured. The flag "quality_unavailable" is set when the reference outputs could not be made.
///   - failed: the reason is the worker's, "compile_failed", or "nan" (its outputs have NaN or Inf where the reference
///     has none). The group goes on in a fresh worker. A crash is retried once.
///   - pruned: the reason is one of these, or another one of the search:
///      - "batch_edge": a smaller batch ran out of memory, or automatic batches reached the memory edge.
///      - "dominated": a larger batch has no more throughput (search::endOfGrowth()), or a search gave the group up.
///      - "too_slow": with a budget, a pass takes over four times as long a sample as O0 fp32 (not if the goal is
///        memory or energy).
///      - "budget": the budget was spent.
///      - "compile_cost": compiling or converting would take longer than what is left, or cannot pay.
///
/// Devices. GPUs are swept side by side if they were measured not to slow each other down, else one after the other.
/// The CPU and devices that share its memory follow one after the other.
///
/// Machines. A trial of a study that was begun on a machine of another class is stored with the class of this one
/// (model::Conditions::machine). Of a study whose trials are of several classes, the confirmation measures the best
/// trial of each class on this machine.
///
/// Budget. A budget of wall time counts everything, and sweeps that follow each other share it. A measuring budget
/// holds for each device and counts neither converting nor compiling (model::BudgetKind). A sweep without a search
/// spreads it over all groups before it spreads it over batches. A share is kept for the confirmation, and the
/// confirmation ends with the budget.
///
/// Stop token: the running trial goes back to queued, the study becomes interrupted, and the workers end.
class StudyRunner
{
public:
    /// `store` must be open for writing and outlive the runner, and so must `launcher` and `packages` (the cache of
    /// compiled packages). When `packages` is null, compiled configurations are impossible.
    StudyRunner(store::Store& store, worker::Launcher& launcher, models::PackageSource* packages,
                std::vector<model::Device> devices, std::vector<search::BackendInfo> backends,
                model::Environment environment);
    ~StudyRunner();

    /// REQUIRES: neither run() nor resume() is running.
    void setLimits(const worker::RunLimits& limits);
    const worker::RunLimits& limits() const;

    /// Plans without running or storing anything. A goal that needs the energy is planned as a grid. Failures: those of
    /// search::planGrid(); unsupported (the goal needs the energy, and no device reports it); invalidArgument (a race
    /// for energy).
    base::Result<StudyPlan> plan(const StudyRequest& request) const;

    /// Estimates the memory of a model on this machine. Failures: those of memoryForecast().
    base::Result<std::vector<MemoryForecast>> memory(const model::ModelRef& model,
                                                     const MemoryQuestion& question) const;

    /// Plans the rest of a stored study: the configurations that resume() would measure. The confirmation follows them.
    /// Failures: those of the store.
    base::Result<StudyPlan> plan(const ResumeRequest& request) const;

    /// Plans, stores and runs a new study. Returns done when all trials are final, cancelled when the study was
    /// interrupted and can be resumed.
    /// Failures: those of plan(), of models::requireUsable() and of the store.
    base::Result<base::Outcome> run(const StudyRequest& request, const StudyObserver& observer, std::stop_token stop);

    /// Continues a study: finished trials are kept, the others run. In a finished study the confirmation is made where
    /// it is missing, and again where other programs kept its trials waiting.
    /// Failures: notFound (the model's files are gone), busy (the machine was not quiet within request.quietWait),
    /// those of models::requireUsable() and of the store.
    base::Result<base::Outcome> resume(const ResumeRequest& request, const StudyObserver& observer,
                                       std::stop_token stop);

    model::StudyId studyId() const; ///< study of the last run() or resume()

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Loads a study for views, reports and exports: store::loadSnapshot() with the noise certificates and the
/// recommendations filled in. Failures: those of the store.
base::Result<model::StudySnapshot> loadStudy(const store::Store& store, model::StudyId id);

} // namespace apertune::study
