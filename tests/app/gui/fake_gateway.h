// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/gateway.h"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>

namespace apertune::testing {

/// A Gateway whose answers a test sets. Members are set before use, the state also later through change(); the counters
/// may be read at any time.
class FakeGateway final : public gui::Gateway
{
public:
    gui::WorkspaceState state; ///< answer of read(), unless the caller knows its version
    /// Further studies for study(), by workspace and id; anything else is the state's snapshot.
    std::map<std::pair<std::filesystem::path, std::int64_t>, std::shared_ptr<const model::StudySnapshot>> stored;
    std::map<std::filesystem::path, std::vector<store::StudySummary>> otherWorkspaces;
    std::optional<base::Error> studyError;
    std::optional<base::Error> readError;
    gui::Machine machine;
    base::Result<study::StudyPlan> planResult = study::StudyPlan{};
    study::StudyRequest planned; ///< the last one
    base::Result<std::vector<study::MemoryForecast>> memoryResult{std::vector<study::MemoryForecast>{}};
    std::vector<models::ImportRequest> imports;
    base::Result<model::ModelRef> importResult = base::plainError(base::ErrorCode::internal, "not set");
    std::function<base::Result<base::Outcome>(const std::variant<study::StudyRequest, study::ResumeRequest>&,
                                              const study::StudyObserver&, std::stop_token)>
        sweepScript;
    std::function<base::Status(model::TrialId, const workload::Scenario&, const gui::LoadWatch&, std::stop_token)>
        loadScript;
    std::function<base::Result<runs::MeasuredClaims>(const claims::ClaimPlan&, base::Nanoseconds,
                                                     const runs::ClaimWatch&, std::stop_token)>
        claimScript;
    std::optional<base::Error> claimError;
    std::atomic<int> claimReads{0};
    base::Result<std::vector<exports::ExportFile>> exportResult = std::vector<exports::ExportFile>{};
    std::atomic<int> readDelayMs{0};      ///< delay of read() after it took the answer
    std::atomic<std::int64_t> deleted{0}; ///< the study deleted last
    base::Result<trace::TracePtr> traceResult = base::plainError(base::ErrorCode::notFound, "There is no such trace.");
    advice::Context traceContext;
    std::optional<gui::CaptureExtent> captured; ///< extent of the last capture
    bool ofTrial = false;                       ///< stored traces are of a trial
    base::Result<runs::Verification> verificationResult =
        base::plainError(base::ErrorCode::busy, "Somebody else measures.");
    std::string verifiedRule; ///< the rule that was tried last
    std::string verifiedBy;   ///< the command line that repeats it
    base::Result<std::vector<comparison::Trend>> trendsResult{std::vector<comparison::Trend>{}};
    std::function<base::Result<worker::AddedEngine>(const worker::EngineState&, const worker::AddObserver&,
                                                    std::stop_token)>
        addScript;                                                             ///< answers addEngine()
    std::function<base::Result<base::Bytes>(const std::string&)> removeScript; ///< answers removeEngine()
    bool withoutMips = false;                                                  ///< stored traces lack them
    std::vector<store::TraceSummary> traceList;
    std::vector<store::Scenario> loads;              ///< returned for every trial
    std::vector<store::Evaluation> trialEvaluations; ///< returned for every trial
    std::vector<store::Pipeline> stages;             ///< returned for every trial
    std::atomic<std::int64_t> mipsKept{0};           ///< the trace whose mips were kept last
    std::atomic<int> reads{0};
    std::atomic<int> plans{0};

    /// Changes what read() gives while the poller may be asking.
    void change(const std::function<void(gui::WorkspaceState&)>& how);

    gui::Machine probe() override { return machine; }
    base::Result<worker::AddedEngine> addEngine(const worker::EngineState& engine, const worker::AddObserver& observer,
                                                std::stop_token stop) override
    {
        return addScript(engine, observer, std::move(stop));
    }
    base::Result<base::Bytes> removeEngine(const std::string& backend) override { return removeScript(backend); }
    base::Result<std::optional<gui::WorkspaceState>> read(const std::filesystem::path&, model::StudyId,
                                                          std::optional<std::int64_t> known) override;
    base::Result<std::shared_ptr<const model::StudySnapshot>> study(const std::filesystem::path&,
                                                                    model::StudyId) override;
    base::Result<std::vector<store::StudySummary>> studies(const std::filesystem::path& file) override;
    base::Result<study::StudyPlan> plan(const std::filesystem::path&, const study::StudyRequest&) override;
    base::Result<std::vector<study::MemoryForecast>> memory(const std::filesystem::path&,
                                                            const model::ModelRef&) override
    {
        return memoryResult;
    }
    base::Result<model::ModelRef> importModel(const std::filesystem::path&, const models::ImportRequest&,
                                              const models::ExporterObserver&, std::stop_token) override;
    base::Result<base::Outcome> sweep(const std::filesystem::path&,
                                      const std::variant<study::StudyRequest, study::ResumeRequest>&,
                                      const study::StudyObserver&, std::stop_token) override;
    base::Result<runs::Verification> verifyFinding(const std::filesystem::path&, store::TraceId,
                                                   const advice::Finding& finding, const std::string& commandLine,
                                                   const gui::LoadTask& task) override
    {
        task.phase(study::Phase::measure);
        verifiedRule = finding.rule;
        verifiedBy = commandLine;
        return verificationResult;
    }
    base::Result<gui::RepairedWorkspace> repair(const std::filesystem::path& file) override
    {
        repaired = file;
        return repairResult;
    }
    base::Result<std::filesystem::path> sample() override { return sampleResult; }
    base::Result<std::vector<comparison::Trend>> trends(const std::filesystem::path&) override { return trendsResult; }
    base::Status changeBaseline(const std::filesystem::path&, const gui::BaselineChange& what) override;
    base::Status deleteStudy(const std::filesystem::path&, model::StudyId study) override
    {
        deleted = study.value;
        return {};
    }
    base::Result<std::vector<exports::ExportFile>> planExport(const std::filesystem::path&, const model::StudySnapshot&,
                                                              model::TrialId, exports::ExportTarget, bool allBatches,
                                                              std::stop_token) override;
    base::Result<models::ExportCheck> writeExport(const std::vector<exports::ExportFile>&, const model::StudySnapshot&,
                                                  model::TrialId, const std::filesystem::path&, bool,
                                                  const gui::LoadTask&) override;
    base::Result<models::ExportCheck> checkResult = models::ExportCheck{true, {"runs: cosine 1"}};
    base::Result<gui::RepairedWorkspace> repairResult =
        base::plainError(base::ErrorCode::corrupt, "Nothing of it is readable.");
    base::Result<std::filesystem::path> sampleResult = std::filesystem::path("/nowhere/sample.apertune");
    std::filesystem::path repaired; ///< the workspace that repair() was asked for
    bool exportedAll = false;       ///< the last planExport() was of all batches
    base::Result<gui::OpenedTrace> importTrace(const std::filesystem::path&, const gui::LoadTask&) override
    {
        return opened();
    }
    base::Result<std::vector<store::TraceSummary>> traces(const std::filesystem::path&) override { return traceList; }
    base::Result<std::vector<store::Pipeline>> pipelines(const std::filesystem::path&, model::TrialId) override
    {
        return stages;
    }
    base::Result<std::vector<store::Scenario>> scenarios(const std::filesystem::path&, model::TrialId) override
    {
        return loads;
    }
    base::Status putUnderLoad(const std::filesystem::path&, model::TrialId trial, const workload::Scenario& scenario,
                              const gui::LoadWatch& watch, std::stop_token stop) override
    {
        return loadScript(trial, scenario, watch, stop);
    }
    base::Result<std::vector<store::Evaluation>> evaluations(const std::filesystem::path&, model::TrialId) override
    {
        return trialEvaluations;
    }
    base::Result<std::vector<claims::ClaimCheck>> claimChecks(const std::filesystem::path&,
                                                              const std::vector<model::Device>& devices) override;
    base::Result<runs::MeasuredClaims> measureClaims(const std::filesystem::path&, const claims::ClaimPlan& plan,
                                                     base::Nanoseconds budget, const runs::ClaimWatch& watch,
                                                     std::stop_token stop) override;
    base::Result<gui::OpenedTrace> traceTrial(const std::filesystem::path&, model::TrialId,
                                              const gui::CaptureExtent& extent, const gui::LoadTask& task) override
    {
        captured = extent;
        task.phase(study::Phase::warmUp);
        auto result = opened();
        if (result && extent.counters)
            result->noCounters = base::plainError(base::ErrorCode::unsupported, "The driver keeps them to itself.");
        return result;
    }
    base::Result<gui::OpenedTrace> storedTrace(const std::filesystem::path&, store::TraceId trace,
                                               const gui::LoadTask&) override
    {
        auto result = opened();
        if (result && withoutMips)
            result->withoutMips = trace;
        if (result && ofTrial)
            result->ofTrial = trace;
        return result;
    }
    base::Status keepMips(const std::filesystem::path&, store::TraceId trace, const timeline::Timeline&) override
    {
        mipsKept = trace.value;
        return {};
    }

private:
    base::Result<gui::OpenedTrace> opened() const
    {
        if (!traceResult)
            return traceResult.error();
        gui::OpenedTrace opened{*traceResult};
        opened.context = traceContext;
        return opened;
    }
    std::mutex m_mutex; ///< guards `state` from change() on
};

/// Estimates of memory of the synthetic model for two engines, through two measured batches.
std::vector<study::MemoryForecast> makeSyntheticMemory();

/// The histories of a study that was measured eight times: the third time on a busy machine, and with a new version of
/// its engine from the fifth time on, which is a fifth slower. The trials of each next study have ids 1000 higher.
std::vector<comparison::Trend> makeSyntheticTrends(const model::StudySnapshot& study);

/// A workspace with one synthetic study and model, on a machine with one CPU.
std::shared_ptr<FakeGateway> makeFakeGateway();

} // namespace apertune::testing
