// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/gui/fake_gateway.h"

#include "core/exports/write_export.h"
#include "core/probe/reasons.h"
#include "core/worker/errors.h"
#include "tests/widgets/synthetic_study.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace apertune::testing {

using base::Result;

Result<std::optional<gui::WorkspaceState>> FakeGateway::read(const std::filesystem::path&, model::StudyId,
                                                             std::optional<std::int64_t> known)
{
    ++reads;
    if (readError)
        return *readError;
    std::optional<gui::WorkspaceState> answer;
    {
        const std::lock_guard lock(m_mutex);
        if (known != state.version)
            answer = state;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(readDelayMs));
    return answer;
}

void FakeGateway::change(const std::function<void(gui::WorkspaceState&)>& how)
{
    const std::lock_guard lock(m_mutex);
    how(state);
}

Result<std::shared_ptr<const model::StudySnapshot>> FakeGateway::study(const std::filesystem::path& file,
                                                                       model::StudyId id)
{
    if (studyError)
        return *studyError;
    const auto found = stored.find({file, id.value});
    return found == stored.end() ? state.snapshot : found->second;
}

Result<std::vector<store::StudySummary>> FakeGateway::studies(const std::filesystem::path& file)
{
    const auto found = otherWorkspaces.find(file);
    return found == otherWorkspaces.end() ? state.studies : found->second;
}

Result<study::StudyPlan> FakeGateway::plan(const std::filesystem::path&, const study::StudyRequest& request)
{
    ++plans;
    planned = request;
    return planResult;
}

Result<model::ModelRef> FakeGateway::importModel(const std::filesystem::path&, const models::ImportRequest& request,
                                                 const models::ExporterObserver& observer, std::stop_token)
{
    imports.push_back(request);
    observer({"Tracing the model", 2, 5, false});
    observer({"a line the exporter printed", 0, 0, true});
    return importResult;
}

Result<base::Outcome> FakeGateway::sweep(const std::filesystem::path&,
                                         const std::variant<study::StudyRequest, study::ResumeRequest>& what,
                                         const study::StudyObserver& observer, std::stop_token stop)
{
    return sweepScript ? sweepScript(what, observer, stop) : Result<base::Outcome>(base::Outcome::done);
}

Result<std::vector<exports::ExportFile>> FakeGateway::planExport(const std::filesystem::path&,
                                                                 const model::StudySnapshot&, model::TrialId,
                                                                 exports::ExportTarget, bool allBatches,
                                                                 std::stop_token)
{
    exportedAll = allBatches;
    return exportResult;
}

Result<models::ExportCheck> FakeGateway::writeExport(const std::vector<exports::ExportFile>& files,
                                                     const model::StudySnapshot&, model::TrialId,
                                                     const std::filesystem::path& dir, bool overwrite,
                                                     const gui::LoadTask&)
{
    if (!checkResult)
        return checkResult;
    const auto written = exports::writeExport(files, dir, overwrite);
    return written ? checkResult : Result<models::ExportCheck>(written.error());
}

std::vector<study::MemoryForecast> makeSyntheticMemory()
{
    const model::ModelRef model = makeSyntheticModel();
    std::vector<study::MemoryForecast> forecasts;
    for (const char* engine : {"libtorch", "openvino"}) {
        study::MemoryForecast& forecast = forecasts.emplace_back();
        forecast.device = "cpu";
        forecast.backend = engine;
        forecast.measuredAs = "O2 fp32";
        const std::vector<search::PeakOfBatch> peaks{{1, base::Bytes{std::int64_t{500} << 20}},
                                                     {4, base::Bytes{std::int64_t{580} << 20}}};
        const search::MemoryModel line(model, model::Precision::fp32, search::assumedEngineMemory(), peaks);
        forecast.basis = line.basis();
        for (const int batch : {1, 2, 4, 8, 16, 32, 64})
            forecast.points.push_back({batch, line.at(batch), {}});
        forecast.points[0].measured = peaks[0].peak;
        forecast.points[2].measured = peaks[1].peak;
        forecast.limit = base::Bytes{std::int64_t{4} << 30};
        forecast.largestBatch = line.largestBatch(*forecast.limit);
        forecast.surelyFits = line.surelyFits(*forecast.limit);
    }
    return forecasts;
}

Result<std::vector<claims::ClaimCheck>> FakeGateway::claimChecks(const std::filesystem::path&,
                                                                 const std::vector<model::Device>& devices)
{
    ++claimReads;
    if (claimError)
        return *claimError;
    claims::ClaimEvidence evidence;
    evidence.devices = devices;
    const std::lock_guard lock(m_mutex);
    if (state.snapshot)
        evidence.studies = {state.snapshot};
    evidence.models = state.models;
    return claims::checkClaims(evidence);
}

Result<runs::MeasuredClaims> FakeGateway::measureClaims(const std::filesystem::path&, const claims::ClaimPlan& plan,
                                                        base::Nanoseconds budget, const runs::ClaimWatch& watch,
                                                        std::stop_token stop)
{
    return claimScript ? claimScript(plan, budget, watch, stop) : Result<runs::MeasuredClaims>(runs::MeasuredClaims{});
}

base::Status FakeGateway::changeBaseline(const std::filesystem::path&, const gui::BaselineChange& what)
{
    const std::lock_guard lock(m_mutex);
    ++state.version;
    if (what.replace)
        for (gui::StarredTrial& starred : state.baselines)
            if (starred.baseline.name == what.name)
                starred.baseline.name.clear();
    std::erase_if(state.baselines, [&](const gui::StarredTrial& s) { return s.baseline.trial == what.trial; });
    if (what.starred)
        state.baselines.push_back({{what.trial, what.name, "2026-07-01T12:00:00Z"}, state.snapshot->study.id});
    return {};
}

std::vector<comparison::Trend> makeSyntheticTrends(const model::StudySnapshot& study)
{
    constexpr int kStudies = 8;
    constexpr int kSlower = 4; // the study that the engine's new version begins at
    std::vector<model::StudySnapshot> studies;
    for (int i = 0; i < kStudies; ++i) {
        model::StudySnapshot& copy = studies.emplace_back(study);
        copy.study.id = {study.study.id.value + i};
        copy.study.environment.engines = {{"libtorch", i < kSlower ? "2.12" : "2.13"}};
        for (model::Trial& trial : copy.trials) {
            trial.id.value += 1000 * i;
            trial.study = copy.study.id;
            trial.finishedUtc = "2026-0" + std::to_string(i + 1) + "-03T10:00:00Z";
            trial.measurement.flags.clear();
            if (i == 2)
                trial.measurement.flags = {model::TrialFlag::contended};
            model::Interval& latency = trial.measurement.latencyNs;
            // Small differences, so that the histories have a spread.
            const double factor = (i < kSlower ? 1 : 1.2) * (1 + 0.001 * (i % 3));
            latency = {latency.value * factor, latency.value * factor * 0.995, latency.value * factor * 1.005, 0.95};
        }
    }
    return comparison::trendsOf(studies);
}

std::shared_ptr<FakeGateway> makeFakeGateway()
{
    auto gateway = std::make_shared<FakeGateway>();
    const auto snapshot = makeSyntheticStudy();
    gateway->state.version = 1;
    gateway->state.snapshot = snapshot;
    gateway->state.models = {snapshot->study.model};
    store::StudySummary summary;
    summary.id = snapshot->study.id;
    summary.name = snapshot->study.name;
    summary.modelName = snapshot->study.model.name;
    summary.createdUtc = snapshot->study.createdUtc;
    summary.state = snapshot->study.state;
    for (const model::Trial& trial : snapshot->trials) {
        ++summary.trials;
        summary.ok += trial.state == model::TrialState::ok ? 1 : 0;
        summary.failed += trial.state == model::TrialState::failed ? 1 : 0;
    }
    gateway->state.studies = {summary};
    gateway->trendsResult = makeSyntheticTrends(*snapshot);
    gateway->machine.devices = {makeSyntheticCpu()};
    model::SearchSpace space;
    space.precisions = {model::Precision::fp32, model::Precision::bf16, model::Precision::fp16};
    search::BackendInfo backend{"libtorch", {}, {"fp32", "bf16", "fp16"}, {"cpu"}, true, {}};
    for (const model::SwitchInfo& info : model::switchCatalogue())
        backend.switches.push_back(info.name);
    study::StudyPlan plan;
    plan.configurations = *search::planGrid(space, gateway->machine.devices, {backend}, snapshot->study.model);
    for (const search::PlannedConfiguration& configuration : plan.configurations)
        plan.runnable += configuration.impossible.empty() ? 1 : 0;
    plan.compiles = 8;
    plan.estimateLow = base::fromSeconds(110);
    plan.estimateHigh = base::fromSeconds(190);
    plan.memory = makeSyntheticMemory();
    gateway->memoryResult = plan.memory;
    gateway->planResult = plan;
    gateway->machine.environment = snapshot->study.environment;
    worker::EngineState libtorch;
    libtorch.backend = "libtorch";
    libtorch.title = "LibTorch";
    libtorch.version = "2.11.0";
    worker::EngineState openvino;
    openvino.backend = "openvino";
    openvino.title = "OpenVINO";
    openvino.requirements = {"openvino==2026.2.0"};
    openvino.missing =
        base::Error{base::ErrorCode::notFound, base::message<worker::errors::kNotInstalled>("OpenVINO"), {}, {}};
    gateway->machine.engineStates = {libtorch, openvino};
    gateway->machine.capabilities = {{"CPU timing", true, {}, {}},
                                     {"operators", true, {}, {}},
                                     {"hardware counters", false,
                                      base::message<probe::reasons::kPerfForAdministrators>(3),
                                      base::message<probe::reasons::kLowerParanoid>()},
                                     {"kernel trace", false, base::message<probe::reasons::kNoGpuSeen>(), {}}};
    return gateway;
}

} // namespace apertune::testing
