// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/device.h"
#include "core/models/compile_cache.h"
#include "core/models/model_library.h"
#include "core/runs/ceilings.h"
#include "core/runs/evaluation.h"
#include "core/runs/mixed_precision.h"
#include "core/runs/pipeline_run.h"
#include "core/runs/remeasure.h"
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

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace apertune::engine {

/// A workspace with everything that works on it: what a program has to hold to import models and to run studies. The
/// command line and the window wire the engine through this class alone, so that they measure alike.
///
/// Threads: belongs to one thread at a time, like the Store inside. A view that only reads opens its own read-only
/// Store instead. Two Workbenches may read one workspace; only one process at a time may write to it.
class Workbench
{
public:
    /// Opens the workspace, finds the installation and reads the devices: milliseconds, nothing is started.
    /// Failures: those of store::Store::open.
    static base::Result<std::unique_ptr<Workbench>> open(const std::filesystem::path& workspace,
                                                         store::OpenMode mode = store::OpenMode::readWrite);
    ~Workbench();

    /// Opens the workspace again, for writing; does nothing when it is. What was asked of the backends stays known.
    /// Failures: those of store::Store::open, among them busy while another process writes it.
    base::Status openForWriting();

    /// Whether a study of the space could be planned here, whatever the model; calls backends().
    /// Failures: those of search::planGrid.
    base::Status checkSpace(const model::SearchSpace& space);

    store::Store& store();
    const worker::Installation& installation() const;
    const std::vector<model::Device>& devices() const;
    models::ModelLibrary& models();
    models::CompileCache& compileCache();

    /// What each backend of the installation can do. The first call starts every backend once to ask it, which
    /// takes seconds; later calls give the same answer at once.
    const std::vector<search::BackendInfo>& backends();

    /// The surroundings as they are now (the load average changes); calls backends().
    model::Environment environment();

    /// What runs of stored trials work with here; the Workbench must outlive it.
    study::RunContext runContext(const std::string& device);

    /// A runner over this workspace; the Workbench must outlive it. Calls backends().
    std::unique_ptr<study::StudyRunner> makeRunner();

    /// What the device was measured to reach: what the workspace keeps, or, when it keeps nothing or `refresh`,
    /// measured now and kept. Takes seconds then. Without `backend` the first that can.
    /// Failures: those of measureCeilings() and of the store, unsupported (no backend can).
    base::Result<model::DeviceCeilings> ceilings(const model::Device& device, bool refresh, std::stop_token stop,
                                                 const std::string& backend = {});

    /// Captures a trace of the trial (captureTrial()) and keeps it in the workspace with that trial; `phase` also gets
    /// "ceilings", when the workspace keeps no steady ones of the device yet (a failure of that is no failure of this),
    /// and "store". Blocks for as long as the model loads, warms up and runs twice options.iterations passes.
    /// `telemetry` records the device from this process meanwhile.
    /// Failures: those of captureTrial() and of the store; a cancelled or failed capture leaves nothing behind.
    base::Result<store::TraceId> traceTrial(model::TrialId trial, const runs::TraceOptions& options,
                                            const study::PhaseSink& phase, std::stop_token stop,
                                            const runs::TelemetryMaker& telemetry = {});

    /// Puts the trial under load (runScenario()) and keeps the result in the workspace with that trial.
    /// Failures: those of runScenario() and of the store.
    base::Result<runs::ScenarioResult> runTrialScenario(model::TrialId trial, const workload::Scenario& scenario,
                                                        const study::PhaseSink& phase, std::stop_token stop,
                                                        const runs::LoadSink& progress = {});

    /// Runs the trial from image to answer (runPipeline()) and keeps the result in the workspace with that trial.
    /// Failures: those of runPipeline() and of the store.
    base::Result<runs::PipelineResult> runTrialPipeline(model::TrialId trial, const runs::PipelineRequest& request,
                                                        const study::PhaseSink& phase, std::stop_token stop);

    /// Measures the trial's configuration against itself (measureNoise()) and adds the ratios to what the workspace
    /// knows of this machine. The result is the certificate with them in it. Failures: those of requestOf(), of a
    /// worker and of the store; ratios that were measured before one are kept.
    base::Result<model::NoiseCertificate> measureNoiseFloor(model::TrialId trial, const std::string& protocol,
                                                            int pairs, const study::PhaseSink& phase,
                                                            std::stop_token stop);

    /// Tries on the trial what a finding of its trace asks for (verificationStudyOf()) and keeps the verification as a
    /// study. Cancelled or cut off, the study can be resumed. Failures: notFound, invalidArgument (the trace has no
    /// trial), those of verificationStudyOf() and of StudyRunner, cancelled.
    base::Result<runs::Verification> prove(store::TraceId trace, const advice::Finding& finding,
                                           base::Nanoseconds budget, const study::StudyObserver& observer,
                                           std::stop_token stop);

    /// evaluateAccuracy() of a stored trial; the result is kept with it.
    base::Result<model::Accuracy> accuracy(model::TrialId trial, const runs::LabelledPictures& pictures,
                                           const study::PhaseSink& phase, std::stop_token stop);

    /// What the workspace keeps of the trial's layers, or, when it keeps nothing or `refresh`, evaluateSensitivity(),
    /// kept.
    base::Result<model::Sensitivity> sensitivity(model::TrialId trial, bool refresh, const study::PhaseSink& phase,
                                                 std::stop_token stop);

    /// Looks for the fastest int8 mix that keeps the bound (mixOn()): a study of its own; one of the same that was cut
    /// off goes on. `commandLine` is kept with it. Failures: those of sensitivity() and of StudyRunner, cancelled (the
    /// study can be resumed).
    base::Result<runs::MixedPrecision> mixedPrecision(model::TrialId trial, const runs::MixedPrecisionOptions& options,
                                                      const study::PhaseSink& phase,
                                                      const study::StudyObserver& observer, std::stop_token stop);

    /// What a trial opens instead of the model: its compiled package or its engine's file, from the cache or made
    /// again; empty when it needs none. With `others`, trials that differ from it by their batch alone, one package of
    /// all (CompileCache::joined()). Failures: notFound (the study does not know the device), those of the cache.
    base::Result<std::filesystem::path> packageOf(const model::StudySnapshot& study, const model::Trial& trial,
                                                  const std::vector<const model::Trial*>& others,
                                                  const models::ExporterObserver& observer, std::stop_token stop);

    /// remeasureTrial() of a stored trial. Nothing is stored.
    base::Result<runs::Remeasured> remeasure(model::TrialId trial, const study::PhaseSink& phase, std::stop_token stop);

private:
    Workbench(store::Store store, worker::Installation installation);

    // In the order in which each needs those before it.
    store::Store m_store;
    worker::Installation m_installation;
    std::vector<model::Device> m_devices;
    std::unique_ptr<worker::Launcher> m_launcher;
    models::ModelLibrary m_models;
    models::CompileCache m_cache;
    std::optional<std::vector<search::BackendInfo>> m_backends;
};

} // namespace apertune::engine
