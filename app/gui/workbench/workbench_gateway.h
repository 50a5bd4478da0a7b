// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/gateway.h"
#include "core/base/mutex.h"
#include "core/base/temporary_dir.h"
#include "core/engine/workbench.h"

#include <optional>

namespace apertune::gui {

/// The Gateway of the program, with the engine in this process. Reading uses one read-only connection, planning
/// another. Each job opens the workspace for writing only while it runs, so that the command line can use it in
/// between.
class WorkbenchGateway : public Gateway
{
public:
    Machine probe() override;
    base::Result<std::optional<WorkspaceState>> read(const std::filesystem::path& file, model::StudyId study,
                                                     std::optional<std::int64_t> known) override;
    base::Result<std::shared_ptr<const model::StudySnapshot>> study(const std::filesystem::path& file,
                                                                    model::StudyId study) override;
    base::Result<std::vector<store::StudySummary>> studies(const std::filesystem::path& file) override;
    base::Result<study::StudyPlan> plan(const std::filesystem::path& file, const study::StudyRequest& request) override;
    base::Result<std::vector<study::MemoryForecast>> memory(const std::filesystem::path& file,
                                                            const model::ModelRef& model) override;
    base::Result<model::ModelRef> importModel(const std::filesystem::path& file, const models::ImportRequest& request,
                                              const models::ExporterObserver& observer, std::stop_token stop) override;
    base::Result<base::Outcome> sweep(const std::filesystem::path& file,
                                      const std::variant<study::StudyRequest, study::ResumeRequest>& what,
                                      const study::StudyObserver& observer, std::stop_token stop) override;
    base::Result<runs::Verification> verifyFinding(const std::filesystem::path& file, store::TraceId trace,
                                                   const advice::Finding& finding, const std::string& commandLine,
                                                   const LoadTask& task) override;
    base::Result<RepairedWorkspace> repair(const std::filesystem::path& file) override;
    base::Result<std::filesystem::path> sample() override;
    base::Result<std::vector<comparison::Trend>> trends(const std::filesystem::path& file) override;
    base::Status changeBaseline(const std::filesystem::path& file, const BaselineChange& change) override;
    base::Status deleteStudy(const std::filesystem::path& file, model::StudyId study) override;
    base::Result<std::vector<exports::ExportFile>> planExport(const std::filesystem::path& file,
                                                              const model::StudySnapshot& snapshot,
                                                              model::TrialId trial, exports::ExportTarget target,
                                                              bool allBatches, std::stop_token stop) override;
    base::Result<models::ExportCheck> writeExport(const std::vector<exports::ExportFile>& files,
                                                  const model::StudySnapshot& snapshot, model::TrialId trial,
                                                  const std::filesystem::path& dir, bool overwrite,
                                                  const LoadTask& task) override;
    base::Result<OpenedTrace> importTrace(const std::filesystem::path& recording, const LoadTask& task) override;
    base::Result<std::vector<store::TraceSummary>> traces(const std::filesystem::path& file) override;
    base::Result<std::vector<store::Pipeline>> pipelines(const std::filesystem::path& file,
                                                         model::TrialId trial) override;
    base::Result<std::vector<store::Scenario>> scenarios(const std::filesystem::path& file,
                                                         model::TrialId trial) override;
    base::Status putUnderLoad(const std::filesystem::path& file, model::TrialId trial,
                              const workload::Scenario& scenario, const LoadWatch& watch,
                              std::stop_token stop) override;
    base::Result<std::vector<store::Evaluation>> evaluations(const std::filesystem::path& file,
                                                             model::TrialId trial) override;
    base::Result<std::vector<claims::ClaimCheck>> claimChecks(const std::filesystem::path& file,
                                                              const std::vector<model::Device>& devices) override;
    base::Result<runs::MeasuredClaims> measureClaims(const std::filesystem::path& file, const claims::ClaimPlan& plan,
                                                     base::Nanoseconds budget, const runs::ClaimWatch& watch,
                                                     std::stop_token stop) override;
    base::Result<OpenedTrace> traceTrial(const std::filesystem::path& file, model::TrialId trial,
                                         const CaptureExtent& extent, const LoadTask& task) override;
    base::Result<OpenedTrace> storedTrace(const std::filesystem::path& file, store::TraceId trace,
                                          const LoadTask& task) override;
    base::Result<worker::AddedEngine> addEngine(const worker::EngineState& engine, const worker::AddObserver& observer,
                                                std::stop_token stop) override;
    base::Result<base::Bytes> removeEngine(const std::string& backend) override;
    base::Status keepMips(const std::filesystem::path& file, store::TraceId trace,
                          const timeline::Timeline& timeline) override;

private:
    base::Mutex m_readMutex; ///< no other lock is taken while it is held
    std::optional<store::Store> m_reader APERTUNE_GUARDED_BY(m_readMutex);
    bool m_beingWritten APERTUNE_GUARDED_BY(m_readMutex) = false; ///< value at the last reading
    /// A workbench for planning while the workspace does not exist, because planning must not create it.
    base::Result<std::unique_ptr<engine::Workbench>> makeScratchWorkbench() APERTUNE_REQUIRES(m_planMutex);
    /// The next plan asks the backends again, because the engines have changed.
    void forgetPlanner();
    /// The workbench for planning in a workspace, which stays open.
    base::Result<engine::Workbench*> plannerOf(const std::filesystem::path& file) APERTUNE_REQUIRES(m_planMutex);

    base::Mutex m_planMutex;
    std::optional<base::TemporaryDir> m_scratch APERTUNE_GUARDED_BY(m_planMutex);
    std::filesystem::path m_planned APERTUNE_GUARDED_BY(m_planMutex); ///< the workspace that m_planner was opened for
    std::unique_ptr<engine::Workbench> m_planner APERTUNE_GUARDED_BY(m_planMutex);
};

} // namespace apertune::gui
