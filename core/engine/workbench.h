// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/device.h"
#include "core/models/compile_cache.h"
#include "core/models/model_library.h"
#include "core/runs/ceilings.h"
#include "core/runs/claim_measuring.h"
#include "core/runs/evaluation.h"
#include "core/runs/mixed_precision.h"
#include "core/runs/pipeline_run.h"
#include "core/runs/pipeline_sweep.h"
#include "core/runs/remeasure.h"
#include "core/runs/robustness_run.h"
#include "core/runs/scenario_run.h"
#include "core/runs/trace_run.h"
#include "core/runs/verification.h"
#include "core/search/grid.h"
#include "core/store/store.h"
#include "core/study/noise_run.h"
#include "core/study/run_context.h"
#include "core/study/study_runner.h"
#include "core/worker/installation.h"
#include "core/worker/launcher.h"
#include "core/workload/stages/pipeline_run.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace apertune::engine {

/// Name of an environment variable for tests. Where it is set, a study confirms its winner as briefly as it can,
/// measures no noise floor, does not wait for a quiet machine, and leaves the rest of its budget unused.
inline constexpr const char* kBriefVariable = "APERTUNE_TEST_BRIEF";

/// A workspace together with everything that works on it: models, caches, devices, backends and runs. The command line
/// and the window use the engine through this class alone, so that both measure in the same way.
///
/// Threads: it is used by one thread at a time, like the Store inside. A view that only reads opens its own read-only
/// Store. Several Workbenches may read one workspace, but only one process at a time may write to it.
/// Calls that run a model block. A stop request ends them with the failure cancelled.
class Workbench
{
public:
    /// Opens the workspace, finds the installation and reads the devices. Takes milliseconds and starts no process.
    /// Failures: those of store::Store::open.
    static base::Result<std::unique_ptr<Workbench>> open(const std::filesystem::path& workspace,
                                                         store::OpenMode mode = store::OpenMode::readWrite);
    ~Workbench();

    /// Opens a read-only workspace again for writing; does nothing when it is writable. Backends are not asked again.
    /// Failures: those of store::Store::open, among them busy while another process writes to it.
    base::Status openForWriting();

    /// Checks that a study of the space can be planned here, for any model. Calls backends().
    /// Failures: those of search::planGrid.
    base::Status checkSpace(const model::SearchSpace& space);

    store::Store& store();
    const std::vector<model::Device>& devices() const; ///< after backends(), also devices that only backends show
    models::ModelLibrary& models();
    models::CompileCache& compileCache();

    /// Capabilities of the installed backends. The first call starts every backend and takes seconds; later calls
    /// return the same answer at once.
    const std::vector<search::BackendInfo>& backends();

    /// The current environment, with the load average of this moment. Calls backends().
    model::Environment environment();

    /// Parameters for runs of stored trials on `device`. Calls backends() for a device that only they show.
    /// The Workbench must outlive the context.
    study::RunContext runContext(const std::string& device);

    /// A runner over this workspace. The Workbench must outlive it. Calls backends(). kBriefVariable changes its
    /// limits.
    std::unique_ptr<study::StudyRunner> makeRunner();

    /// The measured ceilings of a device. They are measured and stored when the workspace has none or `refresh` is
    /// true, which takes seconds. `backend` measures them, or else the first backend that can.
    /// Failures: those of measureCeilings() and of the store, unsupported (no backend can measure the device).
    base::Result<model::DeviceCeilings> ceilings(const model::Device& device, bool refresh, std::stop_token stop,
                                                 const std::string& backend = {});

    /// Records a trace of the trial (captureTrial()) and stores it with the trial. If the workspace has no steady
    /// ceilings of the device, they are measured first; a failure of that is ignored. `phase` also gets "ceilings" and
    /// "store".
    /// Failures: those of captureTrial() and of the store. A cancelled or failed capture stores no trace.
    base::Result<store::TraceId> traceTrial(model::TrialId trial, const runs::TraceOptions& options,
                                            const study::PhaseSink& phase, std::stop_token stop,
                                            const runs::TelemetryMaker& telemetry = {});

    /// Puts the trial under load (runScenario()) and stores the result with the trial.
    /// Failures: those of runScenario() and of the store.
    base::Result<runs::ScenarioResult> runTrialScenario(model::TrialId trial, const workload::Scenario& scenario,
                                                        const study::PhaseSink& phase, std::stop_token stop,
                                                        const runs::LoadSink& progress = {});

    /// Runs the trial from image to answer (runPipeline()) and stores the result with the trial.
    /// Failures: those of runPipeline() and of the store.
    base::Result<workload::PipelineRun> runTrialPipeline(model::TrialId trial, const runs::PipelineRequest& request,
                                                         const study::PhaseSink& phase, std::stop_token stop);

    /// Finds the best settings of a pipeline over the trials (runs::sweepPipeline()), and stores the last run of each
    /// confirmed setting with its trial, that of the recommended one last.
    /// REQUIRES: `trials` is not empty.
    /// Failures: invalidArgument (trials of several studies or devices), those of runs::sweepPipeline() and of the
    /// store.
    base::Result<workload::PipelineSweep> sweepPipeline(const std::vector<model::TrialId>& trials,
                                                        const runs::PipelineSweepRequest& request,
                                                        const runs::PipelineSweepSink& progress,
                                                        const study::PhaseSink& phase, std::stop_token stop);

    /// Measures the trial's configuration against itself (measureNoise()), stores the ratios, and returns the
    /// certificate of this machine with them included. When measuring ends early, the ratios so far are stored.
    /// Failures: those of study::requestOf(), study::measureNoise() and the store.
    base::Result<model::NoiseCertificate> measureNoiseFloor(model::TrialId trial, const std::string& protocol,
                                                            int pairs, const study::PhaseSink& phase,
                                                            std::stop_token stop);

    /// Verifies a finding of a trace on the traced trial (verificationStudyOf()). The verification is stored as a
    /// study, which can be resumed when it was interrupted, and as an experiment of the track record. `commandLine`:
    /// the command that repeats it; empty: that of `apertune trace verify`. Failures: notFound, invalidArgument (the
    /// trace has no trial), those of verificationStudyOf() and of StudyRunner, cancelled.
    base::Result<runs::Verification> verifyFinding(store::TraceId trace, const advice::Finding& finding,
                                                   base::Nanoseconds budget, const study::StudyObserver& observer,
                                                   std::stop_token stop, std::string commandLine = {});

    /// Evaluates the accuracy of a trial (evaluateAccuracy()) and stores the result with the trial.
    /// Failures: those of evaluateAccuracy() and of the store.
    base::Result<model::Accuracy> accuracy(model::TrialId trial, const runs::LabelledImages& labelled,
                                           const study::PhaseSink& phase, std::stop_token stop);

    /// Measures what the leading configuration of a study and its rivals lose beside a competing program
    /// (measureRobustness()) and stores the result with its trial.
    /// Failures: those of measureRobustness() and of the store.
    base::Result<model::Robustness> robustness(const model::StudySnapshot& snapshot, const study::PhaseSink& phase,
                                               std::stop_token stop);

    /// The sensitivity of a trial's layers. It is evaluated (evaluateSensitivity()) and stored when the workspace has
    /// none or `refresh` is true. Failures: those of evaluateSensitivity() and of the store.
    base::Result<model::Sensitivity> sensitivity(model::TrialId trial, bool refresh, const study::PhaseSink& phase,
                                                 std::stop_token stop);

    /// Runs a mixed-precision search for the trial (mixed_precision.h) as a study of its own. An interrupted study of
    /// the same model, space and bound is resumed instead.
    /// Failures: those of sensitivity() and of StudyRunner, cancelled (the study can be resumed).
    base::Result<runs::MixedPrecision> mixedPrecision(model::TrialId trial, const runs::MixedPrecisionOptions& options,
                                                      const study::PhaseSink& phase,
                                                      const study::StudyObserver& observer, std::stop_token stop);

    /// Path of the compiled package or converted model that a trial opens, from the cache or made again; empty when it
    /// opens the imported model. With `others`, which differ from the trial in the batch alone, it is one package for
    /// all of them (CompileCache::joined()).
    /// Failures: notFound (the study does not list the device), those of CompileCache.
    base::Result<std::filesystem::path> packageOf(const model::StudySnapshot& study, const model::Trial& trial,
                                                  const std::vector<const model::Trial*>& others,
                                                  const models::ExporterObserver& observer, std::stop_token stop);

    /// Measures a trial again (remeasureTrial()). Nothing is stored.
    /// Failures: those of remeasureTrial() and of the store.
    base::Result<runs::Remeasured> remeasure(model::TrialId trial, const study::PhaseSink& phase, std::stop_token stop);

    /// Carries out a plan that measures claims (claims::measureClaims()).
    runs::MeasuredClaims measureClaims(const claims::ClaimPlan& plan, base::Nanoseconds budget,
                                       const runs::ClaimWatch& watch, std::stop_token stop);

private:
    Workbench(store::Store store, worker::Installation installation);

    // The order matters: each member uses those before it.
    store::Store m_store;
    worker::Installation m_installation;
    std::vector<model::Device> m_devices;
    std::unique_ptr<worker::Launcher> m_launcher;
    models::ModelLibrary m_models;
    models::CompileCache m_cache;
    std::optional<std::vector<search::BackendInfo>> m_backends;
};

} // namespace apertune::engine
