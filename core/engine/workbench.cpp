// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/workbench.h"

#include "core/engine/errors.h"
#include "core/model/json_codec.h"
#include "core/probe/backend_probe.h"
#include "core/probe/device_probe.h"
#include "core/probe/environment_probe.h"
#include "core/runs/experiments.h"
#include "core/study/trial_request.h"
#include "core/worker/local_launcher.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace apertune::engine {

namespace {

/// The limits of a study. Waiting and measuring again are most of the time of a sweep of scripted or small models.
worker::RunLimits limitsOfStudies()
{
    worker::RunLimits limits;
    if (std::getenv(kBriefVariable)) {
        limits.confirmMost = base::fromSeconds(1);
        limits.confirmProcesses = 2;
        limits.fewerThreads = false;
        limits.usesRest = false;
        limits.noisePairs = 0;
        limits.quietShare = 0;
    }
    return limits;
}

} // namespace

base::Result<std::unique_ptr<Workbench>> Workbench::open(const std::filesystem::path& workspace, store::OpenMode mode)
{
    auto store = store::Store::open(workspace, mode);
    if (!store)
        return store.error();
    return std::unique_ptr<Workbench>(new Workbench(std::move(store).value(), worker::Installation::locate()));
}

Workbench::Workbench(store::Store store, worker::Installation installation)
    : m_store(std::move(store)), m_installation(std::move(installation)), m_devices(probe::probeDevices()),
      m_launcher(worker::makeLocalLauncher(m_installation)), m_models(m_store, m_installation),
      m_cache(m_store, m_installation)
{
}

Workbench::~Workbench() = default;

base::Status Workbench::openForWriting()
{
    if (!m_store.readOnly())
        return {};
    auto writable = store::Store::open(m_store.file(), store::OpenMode::readWrite);
    if (!writable)
        return writable.error();
    m_store = std::move(writable).value();
    return {};
}

base::Status Workbench::checkSpace(const model::SearchSpace& space)
{
    // The grid is planned for its failures alone.
    const auto& known = backends();
    const auto planned = search::planGrid(space, m_devices, known, {});
    return planned ? base::Status() : planned.error();
}

store::Store& Workbench::store()
{
    return m_store;
}

const std::vector<model::Device>& Workbench::devices() const
{
    return m_devices;
}

models::ModelLibrary& Workbench::models()
{
    return m_models;
}

models::CompileCache& Workbench::compileCache()
{
    return m_cache;
}

const std::vector<search::BackendInfo>& Workbench::backends()
{
    if (!m_backends) {
        probe::ProbedBackends probed = probe::probeBackends(*m_launcher, m_installation, m_devices);
        m_devices = std::move(probed.devices);
        m_backends = std::move(probed.backends);
    }
    return *m_backends;
}

model::Environment Workbench::environment()
{
    const auto& known = backends();
    return probe::probeEnvironment(m_devices, known);
}

study::RunContext Workbench::runContext(const std::string& device)
{
    if (!model::typeOfDevice(device).isProbed())
        backends(); // Only they show the device, and they add it to m_devices.
    return {*m_launcher, &m_cache, m_devices};
}

std::unique_ptr<study::StudyRunner> Workbench::makeRunner()
{
    const auto& known = backends(); // This call must come first, because it completes m_devices.
    auto runner = std::make_unique<study::StudyRunner>(m_store, *m_launcher, &m_cache, m_devices, known, environment());
    runner->setLimits(limitsOfStudies());
    return runner;
}

base::Result<model::DeviceCeilings> Workbench::ceilings(const model::Device& device, bool refresh, std::stop_token stop,
                                                        const std::string& backend)
{
    if (!refresh) {
        auto kept = m_store.ceilings(device);
        if (!kept)
            return kept.error();
        if (*kept)
            return std::move(**kept);
    }
    base::Error last{base::ErrorCode::unsupported,
                     base::message<errors::kNoBackendMeasures>(device.id),
                     {},
                     base::message<errors::kSeeBackends>()};
    std::vector<std::string> names;
    if (!backend.empty())
        names.push_back(backend);
    else
        for (const search::BackendInfo& info : backends())
            if (!info.forTests)
                names.push_back(info.name);
    // The first backend that can measure the device decides. Those for tests make their numbers up.
    for (const std::string& name : names) {
        auto measured = runs::measureCeilings(*m_launcher, name, device, stop);
        if (measured) {
            if (auto status = m_store.putCeilings(*measured); !status)
                return status.error();
            return measured;
        }
        last = measured.error();
        if (last.code == base::ErrorCode::cancelled)
            break;
    }
    return last;
}

namespace {

struct StoredTrial
{
    model::Trial trial;
    model::Study study;
};

base::Result<StoredTrial> storedTrial(const store::Store& store, model::TrialId id)
{
    auto trial = store.trial(id);
    if (!trial)
        return trial.error();
    auto study = store.study(trial->study);
    if (!study)
        return study.error();
    return StoredTrial{std::move(*trial), std::move(*study)};
}

/// Runs a stored trial again and stores the result as a JSON document.
template <typename Result, typename Run, typename Keep>
base::Result<Result> runAndKeep(const store::Store& store, model::TrialId id, Run run, Keep keep)
{
    const auto stored = storedTrial(store, id);
    if (!stored)
        return stored.error();
    base::Result<Result> result = run(stored->study, stored->trial);
    if (!result)
        return result;
    if (const auto kept = keep(toJson(*result).dump()); !kept)
        return kept.error();
    return result;
}

} // namespace

base::Result<store::TraceId> Workbench::traceTrial(model::TrialId id, const runs::TraceOptions& options,
                                                   const study::PhaseSink& phase, std::stop_token stop,
                                                   const runs::TelemetryMaker& telemetry)
{
    const auto stored = storedTrial(m_store, id);
    if (!stored)
        return stored.error();
    const auto& [trial, study] = *stored;
    const study::RunContext context = runContext(trial.device);
    if (const model::Device* device = model::findDevice(m_devices, trial.device)) {
        // Ceilings from a busy moment are too low, so they are measured again until they are steady.
        const auto kept = m_store.ceilings(*device);
        if (kept && (!*kept || !(*kept)->steady())) {
            phase(study::Phase::ceilings, {});
            const auto measured = runs::measureCeilings(*m_launcher, trial.config.backend, *device, stop);
            if (measured) // A trace without ceilings is still useful, so failures are ignored.
                static_cast<void>(m_store.putCeilings(*kept ? model::higherOf(**kept, *measured) : *measured));
        }
    }
    const auto trace = runs::captureTrial(context, study, trial, options, phase, stop, telemetry);
    if (!trace)
        return trace.error();
    phase(study::Phase::store, {});
    return m_store.addTrace(*trace, id, {stop});
}

base::Result<model::NoiseCertificate> Workbench::measureNoiseFloor(model::TrialId id, const std::string& protocol,
                                                                   int pairs, const study::PhaseSink& phase,
                                                                   std::stop_token stop)
{
    const auto stored = storedTrial(m_store, id);
    if (!stored)
        return stored.error();
    const auto& [trial, study] = *stored;
    const auto configuration = study::requestOf(runContext(trial.device), study, trial, phase, stop);
    if (!configuration)
        return configuration.error();
    study::NoisePlan plan = study::noisePlan(protocol);
    plan.pairs = pairs;
    const auto measured = study::measureNoise(*m_launcher, *configuration, plan, worker::RunLimits{}, stop, phase);
    if (!measured)
        return study::toError(measured.error());
    const std::string machine = model::machineKey(probe::probeEnvironment(m_devices, {}), configuration->device);
    const std::string what = study.model.name + " " + model::shortName(trial.config, configuration->device.type);
    if (auto kept = m_store.addNoise({machine, protocol, what, *measured}); !kept)
        return kept.error();
    // Earlier measurements of this machine in the workspace may count, too.
    auto certificate = study::noiseCertificate(m_store, machine, protocol);
    if (!certificate)
        return certificate.error();
    return std::move(**certificate);
}

base::Result<runs::Verification> Workbench::verifyFinding(store::TraceId id, const advice::Finding& finding,
                                                          base::Nanoseconds budget,
                                                          const study::StudyObserver& observer, std::stop_token stop,
                                                          std::string commandLine)
{
    const auto trace = m_store.traceSummary(id);
    if (!trace)
        return trace.error();
    // The change is made to a trial, and imported recordings have none.
    if (!trace->trial)
        return base::Error{base::ErrorCode::invalidArgument,
                           base::message<errors::kNoTrialToTry>(),
                           {},
                           base::message<errors::kTraceATrial>()};
    const auto stored = storedTrial(m_store, *trace->trial);
    if (!stored)
        return stored.error();
    const auto& [trial, study] = *stored;
    auto request = runs::verificationStudyOf(study, trial, finding.knob, budget);
    if (!request)
        return request.error();
    request->commandLine = !commandLine.empty()
                               ? std::move(commandLine)
                               : "apertune trace verify tr" + std::to_string(id.value) + " " + finding.rule;
    const auto runner = makeRunner();
    runner->setLimits(runs::verificationLimits());
    const auto outcome = runner->run(*request, observer, std::move(stop));
    if (!outcome)
        return outcome.error();
    if (*outcome == base::Outcome::cancelled)
        return base::Error{base::ErrorCode::cancelled, base::message<errors::kVerificationCancelled>()};
    const auto verification = study::loadStudy(m_store, runner->studyId());
    if (!verification)
        return verification.error();
    auto verified = runs::verificationOf(*verification, trial.config, finding);
    if (auto kept = m_store.putExperiment(runs::experimentOf(*verification, finding, verified)); !kept)
        return kept.error();
    return verified;
}

base::Result<std::filesystem::path> Workbench::packageOf(const model::StudySnapshot& study, const model::Trial& trial,
                                                         const std::vector<const model::Trial*>& others,
                                                         const models::ExporterObserver& observer, std::stop_token stop)
{
    const model::ModelRef& model = study.study.model;
    if (!m_cache.needed(model, trial.config))
        return std::filesystem::path();
    const model::Device* device = study.device(trial.device);
    if (!device)
        return base::Error{base::ErrorCode::notFound, base::message<errors::kDeviceUnknown>(), trial.device,
                           base::message<errors::kMeasureHere>()};
    if (others.empty()) {
        const auto package = m_cache.get(model, trial.config, *device, observer, stop);
        if (!package)
            return package.error();
        return package->path;
    }
    std::vector<model::Config> configs{trial.config};
    for (const model::Trial* other : others)
        configs.push_back(other->config);
    return m_cache.joined(model, configs, *device, observer, stop);
}

base::Result<runs::Remeasured> Workbench::remeasure(model::TrialId id, const study::PhaseSink& phase,
                                                    std::stop_token stop)
{
    const auto trial = m_store.trial(id);
    if (!trial)
        return trial.error();
    const auto snapshot = study::loadStudy(m_store, trial->study);
    if (!snapshot)
        return snapshot.error();
    return runs::remeasureTrial(runContext(trial->device), *snapshot, *trial, phase, stop);
}

base::Result<runs::ScenarioResult> Workbench::runTrialScenario(model::TrialId id, const workload::Scenario& scenario,
                                                               const study::PhaseSink& phase, std::stop_token stop,
                                                               const runs::LoadSink& progress)
{
    return runAndKeep<runs::ScenarioResult>(
        m_store, id,
        [&](const model::Study& study, const model::Trial& trial) {
            return runs::runScenario(runContext(trial.device), study, trial, scenario, phase, stop, progress);
        },
        [&](const std::string& document) {
            return m_store.addScenario(id, std::string(toString(scenario.kind)), document);
        });
}

base::Result<workload::PipelineRun> Workbench::runTrialPipeline(model::TrialId id, const runs::PipelineRequest& request,
                                                                const study::PhaseSink& phase, std::stop_token stop)
{
    return runAndKeep<workload::PipelineRun>(
        m_store, id,
        [&](const model::Study& study, const model::Trial& trial) {
            return runs::runPipeline(runContext(trial.device), study, trial, request, phase, stop);
        },
        [&](const std::string& document) { return m_store.addPipeline(id, document); });
}

base::Result<workload::PipelineSweep> Workbench::sweepPipeline(const std::vector<model::TrialId>& trials,
                                                               const runs::PipelineSweepRequest& request,
                                                               const runs::PipelineSweepSink& progress,
                                                               const study::PhaseSink& phase, std::stop_token stop)
{
    std::vector<model::Trial> all;
    std::optional<model::Study> study;
    for (const model::TrialId id : trials) {
        auto stored = storedTrial(m_store, id);
        if (!stored)
            return stored.error();
        all.push_back(std::move(stored->trial));
        if (!study)
            study = std::move(stored->study);
        if (all.back().study != all.front().study || all.back().device != all.front().device)
            return base::Error{base::ErrorCode::invalidArgument,
                               base::message<errors::kTrialsOfSeveral>(trials.front().value, id.value),
                               {},
                               base::message<errors::kTrialsOfOne>()};
    }
    auto sweep =
        runs::sweepPipeline(runContext(all.front().device), *study, all, request, progress, phase, std::move(stop));
    if (!sweep)
        return sweep;
    const auto keep = [&](const workload::PipelineContender& contender) {
        return m_store.addPipeline(trials[contender.setting.trial], toJson(*contender.run).dump());
    };
    const auto isRecommended = [&](std::size_t i) { return sweep->recommended == i; };
    for (std::size_t i = 0; i < sweep->contenders.size(); ++i)
        if (!sweep->contenders[i].confirmation.empty() && !isRecommended(i))
            if (const auto kept = keep(sweep->contenders[i]); !kept)
                return kept.error();
    if (sweep->recommended)
        if (const auto kept = keep(sweep->contenders[*sweep->recommended]); !kept)
            return kept.error();
    return sweep;
}

base::Result<model::Accuracy> Workbench::accuracy(model::TrialId id, const runs::LabelledImages& labelled,
                                                  const study::PhaseSink& phase, std::stop_token stop)
{
    const auto stored = storedTrial(m_store, id);
    if (!stored)
        return stored.error();
    const auto& [trial, study] = *stored;
    auto result = runs::evaluateAccuracy(runContext(trial.device), m_installation, study, trial, labelled, phase,
                                         std::move(stop));
    if (!result)
        return result;
    if (const auto kept = m_store.addEvaluation(id, model::EvaluationKind::accuracy, toJson(*result).dump()); !kept)
        return kept.error();
    return result;
}

base::Result<model::Robustness> Workbench::robustness(const model::StudySnapshot& snapshot,
                                                      const study::PhaseSink& phase, std::stop_token stop)
{
    const model::Trial* best = snapshot.leadingTrial();
    auto result =
        runs::measureRobustness(runContext(best ? best->device : std::string()), snapshot, phase, std::move(stop));
    if (!result)
        return result;
    if (const auto kept = m_store.addEvaluation(best->id, model::EvaluationKind::robustness, toJson(*result).dump());
        !kept)
        return kept.error();
    return result;
}

base::Result<model::Sensitivity> Workbench::sensitivity(model::TrialId id, bool refresh, const study::PhaseSink& phase,
                                                        std::stop_token stop)
{
    if (!refresh) {
        const auto known = m_store.evaluations(id);
        if (!known)
            return known.error();
        for (auto it = known->rbegin(); it != known->rend(); ++it)
            if (it->kind == toString(model::EvaluationKind::sensitivity))
                if (auto kept = model::sensitivityFromJson(base::Json::parse(it->document, nullptr, false)))
                    return kept;
    }
    const auto stored = storedTrial(m_store, id);
    if (!stored)
        return stored.error();
    const auto& [trial, study] = *stored;
    auto result =
        runs::evaluateSensitivity(runContext(trial.device), m_installation, study, trial, phase, std::move(stop));
    if (!result)
        return result;
    if (const auto kept = m_store.addEvaluation(id, model::EvaluationKind::sensitivity, toJson(*result).dump()); !kept)
        return kept.error();
    return result;
}

base::Result<runs::MixedPrecision> Workbench::mixedPrecision(model::TrialId id,
                                                             const runs::MixedPrecisionOptions& options,
                                                             const study::PhaseSink& phase,
                                                             const study::StudyObserver& observer, std::stop_token stop)
{
    const auto layers = sensitivity(id, false, phase, stop);
    if (!layers)
        return layers.error();
    const auto stored = storedTrial(m_store, id);
    if (!stored)
        return stored.error();
    const auto& [trial, study] = *stored;
    const study::StudyRequest request = runs::mixedPrecisionStudyOf(study, trial, *layers, options);
    const auto known = m_store.studies();
    if (!known)
        return known.error();
    const auto runner = makeRunner();
    // A study of the same model, space and bound that was interrupted has measured a part of this search already.
    model::StudyId interruptedStudy{};
    for (const store::StudySummary& summary : *known)
        if (summary.remaining > 0 && !interruptedStudy)
            if (const auto other = m_store.study(summary.id);
                other && other->model.contentHash == request.model.contentHash &&
                model::toJson(other->space) == model::toJson(request.space) &&
                other->goal.minQuality == request.goal.minQuality)
                interruptedStudy = summary.id;
    const auto outcome = interruptedStudy ? runner->resume({interruptedStudy}, observer, std::move(stop))
                                          : runner->run(request, observer, std::move(stop));
    if (!outcome)
        return outcome.error();
    if (*outcome == base::Outcome::cancelled)
        return base::Error{
            base::ErrorCode::cancelled, base::message<errors::kMixCancelled>(), {}, base::message<errors::kGoOn>()};
    const auto done = study::loadStudy(m_store, runner->studyId());
    if (!done)
        return done.error();
    return runs::mixedPrecisionOf(*done);
}

runs::MeasuredClaims Workbench::measureClaims(const claims::ClaimPlan& plan, base::Nanoseconds budget,
                                              const runs::ClaimWatch& watch, std::stop_token stop)
{
    const runs::ClaimTools tools{
        m_store,
        m_models,
        m_devices,
        [this] { return makeRunner(); },
        [&](model::TrialId trial, const study::PhaseSink& phase, std::stop_token runStop) {
            return runTrialPipeline(trial, {}, phase, std::move(runStop));
        },
        [&](const model::Device& device, std::stop_token runStop) {
            return ceilings(device, true, std::move(runStop));
        },
    };
    return runs::measureClaims(tools, plan, budget, watch, std::move(stop));
}

} // namespace apertune::engine
