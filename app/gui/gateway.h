// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/facts.h"
#include "core/model/study.h"
#include "core/models/exported_program.h"
#include "core/models/model_library.h"
#include "core/report/exporter.h"
#include "core/runs/scenario_run.h"
#include "core/runs/verification.h"
#include "core/store/store.h"
#include "core/study/study_event.h"
#include "core/study/study_plan.h"
#include "core/study/study_request.h"
#include "core/timeline/timeline.h"
#include "core/trace/profiler.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

namespace apertune::gui {

/// What this computer is: devices, surroundings, and what can be recorded here.
struct Machine
{
    std::vector<model::Device> devices;
    model::Environment environment;
    std::vector<model::Capability> capabilities;
    std::vector<std::string> engines{}; ///< backends besides LibTorch that can be started here
};

/// What a workspace holds at one moment, for the list views, with the study that is being looked at.
struct WorkspaceState
{
    std::int64_t version = 0; ///< Store::dataVersion of this state
    bool exists = true;       ///< false: no such file yet; it is made by the first import
    std::vector<store::StudySummary> studies;
    std::vector<model::ModelRef> models;
    std::shared_ptr<const model::StudySnapshot> snapshot; ///< of the study asked for, else of the latest; may be null
};

/// What a capture records beside what every one does.
struct CaptureExtent
{
    bool counters = false; ///< the GPU's hardware counters too, in passes of their own
    trace::GraphRecords graphs = trace::GraphRecords::nodes;
};

/// How opening a trace is watched and stopped. `progress` takes 0…1, on the task's thread.
struct LoadTask
{
    std::stop_token stop{};
    std::function<void(double)> progress{};
    std::function<void(const std::string& phase)> phase{}; ///< of a capture: "load", "warm-up", "trace" …
};

/// A trace as the gateway gives it.
struct OpenedTrace
{
    trace::TracePtr trace;
    timeline::TimelinePtr timeline{};            ///< null: the caller makes it
    std::optional<store::TraceId> withoutMips{}; ///< a stored trace whose mips are not kept yet
    advice::Context context{};                   ///< of the trial that was traced, and of its machine
    std::optional<store::TraceId> ofTrial{};     ///< a stored trace of a trial: what it advises can be tried
    std::optional<base::Error> noCounters{};     ///< why hardware counters that were asked for are not there
};

/// Where the window meets disk and engine. Every call blocks and is made on a task's thread, never on the GUI thread;
/// different threads may call at once. Failures are Results as the engine gives them.
class Gateway
{
public:
    virtual ~Gateway() = default;

    virtual Machine probe() = 0;

    /// The state of the workspace when it differs from `known`, else nothing. `study` 0: the latest one.
    virtual base::Result<std::optional<WorkspaceState>> read(const std::filesystem::path& file, model::StudyId study,
                                                             std::optional<std::int64_t> known) = 0;

    /// A study of any workspace, with its recommendation. `study` 0: the latest one.
    virtual base::Result<std::shared_ptr<const model::StudySnapshot>> study(const std::filesystem::path& file,
                                                                            model::StudyId study) = 0;

    /// The studies of any workspace, newest first. Does not disturb what read() keeps open.
    virtual base::Result<std::vector<store::StudySummary>> studies(const std::filesystem::path& file) = 0;

    virtual base::Result<study::StudyPlan> plan(const std::filesystem::path& file,
                                                const study::StudyRequest& request) = 0;

    virtual base::Result<model::ModelRef> importModel(const std::filesystem::path& file,
                                                      const models::ImportRequest& request,
                                                      const models::ExporterObserver& observer,
                                                      std::stop_token stop) = 0;

    /// Runs a new study, or goes on with an interrupted one. Cancelled is not an error.
    virtual base::Result<base::Outcome> sweep(const std::filesystem::path& file,
                                              const std::variant<study::StudyRequest, model::StudyId>& what,
                                              const study::StudyObserver& observer, std::stop_token stop) = 0;

    /// Tries what a finding of a trial's trace asks for, and keeps the verification as a study.
    virtual base::Result<runs::Verification> prove(const std::filesystem::path& file, store::TraceId trace,
                                                   const advice::Finding& finding, const LoadTask& task) = 0;

    virtual base::Status deleteStudy(const std::filesystem::path& file, model::StudyId study) = 0;

    /// The files an export of a trial would consist of; compiles the package of an O3 trial when it is not cached.
    /// `allBatches`: with those of report::otherBatches() in it.
    virtual base::Result<std::vector<report::ExportFile>> planExport(const std::filesystem::path& file,
                                                                     const model::StudySnapshot& snapshot,
                                                                     model::TrialId trial, report::ExportTarget target,
                                                                     bool allBatches, std::stop_token stop) = 0;

    /// Writes those files and runs the program that they are once, before the folder has its name: one that does not
    /// run is not written. `task.phase` is told what goes on. What came of the run.
    virtual base::Result<models::ExportCheck> writeExport(const std::vector<report::ExportFile>& files,
                                                          const model::StudySnapshot& snapshot, model::TrialId trial,
                                                          const std::filesystem::path& dir, bool overwrite,
                                                          const LoadTask& task) = 0;

    /// A recording of this or another tool: what importers there are decide by its content.
    virtual base::Result<OpenedTrace> importTrace(const std::filesystem::path& recording, const LoadTask& task) = 0;

    /// The traces of a workspace, newest first.
    virtual base::Result<std::vector<store::TraceSummary>> traces(const std::filesystem::path& file) = 0;

    /// The runs of a trial from image to answer, oldest first.
    virtual base::Result<std::vector<store::Store::Pipeline>> pipelines(const std::filesystem::path& file,
                                                                        model::TrialId trial) = 0;

    /// What the trial did under load, in the order in which it was run.
    virtual base::Result<std::vector<store::Store::Scenario>> scenarios(const std::filesystem::path& file,
                                                                        model::TrialId trial) = 0;

    /// Puts the trial under load and keeps the result with it.
    virtual base::Result<runs::ScenarioResult> putUnderLoad(const std::filesystem::path& file, model::TrialId trial,
                                                            const scenario::Scenario& scenario,
                                                            const study::PhaseSink& phase,
                                                            const runs::LoadSink& progress, std::stop_token stop) = 0;

    /// What the trial's answers were found to be worth, oldest first.
    virtual base::Result<std::vector<store::Store::Evaluation>> evaluations(const std::filesystem::path& file,
                                                                            model::TrialId trial) = 0;

    /// Runs the trial once more while everything is recorded, and keeps the recording in the workspace. With
    /// counters two more passes read the GPU's hardware counters; each is kept as a trace beside the one that opens.
    virtual base::Result<OpenedTrace> traceTrial(const std::filesystem::path& file, model::TrialId trial,
                                                 const CaptureExtent& extent, const LoadTask& task) = 0;

    virtual base::Result<OpenedTrace> storedTrace(const std::filesystem::path& file, store::TraceId trace,
                                                  const LoadTask& task) = 0;

    /// Keeps a timeline's mips beside its trace, so that it opens faster next time. A workspace that is being written
    /// by somebody else stays as it is.
    virtual base::Status keepMips(const std::filesystem::path& file, store::TraceId trace,
                                  const timeline::Timeline& timeline) = 0;
};

} // namespace apertune::gui
