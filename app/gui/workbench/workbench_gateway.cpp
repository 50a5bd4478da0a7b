// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workbench/workbench_gateway.h"

#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/engine/errors.h"
#include "core/engine/measured_studies.h"
#include "core/exports/write_export.h"
#include "core/interchange/recording_import.h"
#include "core/models/trust.h"
#include "core/probe/capability_probe.h"
#include "core/probe/device_probe.h"
#include "core/probe/environment_probe.h"
#include "core/runs/claim_evidence.h"
#include "core/runs/trace_context.h"
#include "core/sandbox/sandbox.h"
#include "core/store/repaired_name.h"
#include "core/store/sample.h"
#include "core/store/timeline_store.h"
#include "core/worker/backend_manifest.h"
#include "core/worker/engine_packages.h"
#include "core/worker/local_launcher.h"
#include "profilers/nvml/nvml_profiler.h"

#include <algorithm>
#include <utility>

namespace apertune::gui {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using SharedSnapshot = std::shared_ptr<const model::StudySnapshot>;

/// The version of a file that does not exist. No store has it.
constexpr std::int64_t kAbsent = -1;

/// The state of a study now. A running study without a writer of the workspace was interrupted and can be resumed.
model::StudyState stateNow(model::StudyState stored, bool beingWritten)
{
    return stored == model::StudyState::running && !beingWritten ? model::StudyState::interrupted : stored;
}

Result<SharedSnapshot> load(const store::Store& store, model::StudyId id)
{
    auto snapshot = study::loadStudy(store, id);
    if (!snapshot)
        return snapshot.error();
    snapshot->study.state = stateNow(snapshot->study.state, store::Store::isBeingWritten(store.file()));
    return SharedSnapshot(std::make_shared<const model::StudySnapshot>(std::move(*snapshot)));
}

Result<OpenedTrace> openStored(const store::Store& store, store::TraceId id, const LoadTask& task)
{
    bool kept = false;
    auto timeline = store::openTimeline(store, id, {task.stop, task.progress}, &kept);
    if (!timeline)
        return timeline.error();
    const auto summary = store.traceSummary(id);
    OpenedTrace opened{(*timeline)->tracePtr(),
                       std::move(*timeline),
                       {},
                       summary ? runs::contextOf(store, *summary) : advice::Context(),
                       summary && summary->trial ? std::optional(id) : std::nullopt};
    // A trace that was opened without its stored pyramid is drawn at once; the caller keeps the pyramid later, in the
    // background.
    if (!kept)
        opened.withoutMips = id;
    return opened;
}

} // namespace

Machine WorkbenchGateway::probe()
{
    Machine machine;
    machine.devices = probe::probeDevices();
    machine.environment = probe::probeEnvironment(machine.devices, {});
    const auto installation = worker::Installation::locate();
    machine.capabilities =
        probe::probeCapabilities(*worker::makeLocalLauncher(installation), installation, machine.devices);
    machine.engines = worker::installedEngines(installation);
    machine.engineStates = worker::engineStates(installation);
    const std::set<sandbox::Layer> off = sandbox::settings().off;
    for (const sandbox::LayerState& layer : sandbox::layerStates())
        machine.sandbox.push_back({std::string(sandbox::toString(layer.layer)),
                                   layer.available && !off.contains(layer.layer),
                                   layer.remark,
                                   {}});
    return machine;
}

Result<std::optional<WorkspaceState>> WorkbenchGateway::read(const std::filesystem::path& file, model::StudyId study,
                                                             std::optional<std::int64_t> known)
{
    // Pages ask from several threads, and the connection is for one at a time.
    const base::Lock lock(m_readMutex);
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {
        m_reader.reset();
        // The answer "nothing new" spares the pages from being filled again at each poll.
        if (known == kAbsent)
            return std::optional<WorkspaceState>();
        WorkspaceState state;
        state.version = kAbsent;
        state.exists = false;
        return std::optional(std::move(state));
    }
    if (!m_reader || m_reader->file() != file) {
        auto opened = store::Store::open(file, store::OpenMode::readOnly);
        if (!opened)
            return opened.error();
        m_reader.emplace(std::move(*opened));
        // The version of another connection says nothing about this one.
        known.reset();
    }
    // A commit changes the data version. A writer that ends changes only the state of its study, so it counts as well.
    const auto version = m_reader->dataVersion();
    if (!version) {
        // A connection that failed is not asked again; the next call opens the file anew.
        m_reader.reset();
        return version.error();
    }
    const bool beingWritten = store::Store::isBeingWritten(file);
    const bool sameWriter = std::exchange(m_beingWritten, beingWritten) == beingWritten;
    if (known == *version && sameWriter)
        return std::optional<WorkspaceState>();
    WorkspaceState state;
    state.version = *version;
    auto studies = m_reader->studies();
    auto models = m_reader->models();
    if (!studies || !models)
        return studies ? models.error() : studies.error();
    state.studies = std::move(*studies);
    for (store::StudySummary& summary : state.studies)
        summary.state = stateNow(summary.state, beingWritten);
    state.models = std::move(*models);
    const auto baselines = m_reader->baselines();
    if (!baselines)
        return baselines.error();
    for (const model::Baseline& baseline : *baselines) {
        const auto trial = m_reader->trial(baseline.trial);
        if (!trial)
            return trial.error();
        state.baselines.push_back({baseline, trial->study});
    }
    if (const store::StudySummary* const last = store::lastStudy(state.studies); last && !study)
        study = last->id;
    if (study) {
        auto snapshot = load(*m_reader, study);
        if (!snapshot)
            return snapshot.error();
        state.snapshot = std::move(*snapshot);
    }
    return std::optional(std::move(state));
}

Result<SharedSnapshot> WorkbenchGateway::study(const std::filesystem::path& file, model::StudyId study)
{
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    if (!store)
        return store.error();
    if (!study) {
        const auto last = store->lastStudy();
        if (!last)
            return last.error();
        if (!*last)
            return Error{ErrorCode::notFound, base::message<engine::errors::kNoStudies>(), file.string(),
                         base::message<engine::errors::kRunSweep>()};
        study = **last;
    }
    return load(*store, study);
}

Result<std::vector<store::StudySummary>> WorkbenchGateway::studies(const std::filesystem::path& file)
{
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    return store ? store->studies() : store.error();
}

Result<study::StudyPlan> WorkbenchGateway::plan(const std::filesystem::path& file, const study::StudyRequest& request)
{
    const base::Lock lock(m_planMutex);
    const auto planner = plannerOf(file);
    return planner ? (*planner)->makeRunner()->plan(request) : Result<study::StudyPlan>(planner.error());
}

Result<std::vector<study::MemoryForecast>> WorkbenchGateway::memory(const std::filesystem::path& file,
                                                                    const model::ModelRef& model)
{
    const base::Lock lock(m_planMutex);
    const auto planner = plannerOf(file);
    return planner ? (*planner)->makeRunner()->memory(model, {})
                   : Result<std::vector<study::MemoryForecast>>(planner.error());
}

Result<engine::Workbench*> WorkbenchGateway::plannerOf(const std::filesystem::path& file)
{
    std::error_code ignored;
    const bool exists = std::filesystem::exists(file, ignored);
    // A scratch workbench stands in for a workspace that does not exist yet, so that a plan can be shown before the
    // file is created.
    if (!m_planner || m_planned != file || m_planner->store().readOnly() != exists) {
        m_planner.reset();
        auto opened = exists ? engine::Workbench::open(file, store::OpenMode::readOnly) : makeScratchWorkbench();
        if (!opened)
            return opened.error();
        m_planner = std::move(*opened);
        m_planned = file;
    }
    return m_planner.get();
}

Result<std::unique_ptr<engine::Workbench>> WorkbenchGateway::makeScratchWorkbench()
{
    if (!m_scratch) {
        auto made = base::TemporaryDir::create("plan");
        if (!made)
            return made.error();
        m_scratch.emplace(std::move(*made));
    }
    return engine::Workbench::open(m_scratch->path() / "plan.apertune");
}

Result<model::ModelRef> WorkbenchGateway::importModel(const std::filesystem::path& file,
                                                      const models::ImportRequest& request,
                                                      const models::ExporterObserver& observer, std::stop_token stop)
{
    const auto workbench = engine::Workbench::open(file);
    if (!workbench)
        return workbench.error();
    return (*workbench)->models().importModel(request, observer, stop);
}

Result<base::Outcome> WorkbenchGateway::sweep(const std::filesystem::path& file,
                                              const std::variant<study::StudyRequest, study::ResumeRequest>& what,
                                              const study::StudyObserver& observer, std::stop_token stop)
{
    const auto workbench = engine::Workbench::open(file);
    if (!workbench)
        return workbench.error();
    const auto runner = (*workbench)->makeRunner();
    return std::holds_alternative<study::ResumeRequest>(what)
               ? runner->resume(std::get<study::ResumeRequest>(what), observer, stop)
               : runner->run(std::get<study::StudyRequest>(what), observer, stop);
}

Result<runs::Verification> WorkbenchGateway::verifyFinding(const std::filesystem::path& file, store::TraceId trace,
                                                           const advice::Finding& finding,
                                                           const std::string& commandLine, const LoadTask& task)
{
    const auto workbench = engine::Workbench::open(file);
    if (!workbench)
        return workbench.error();
    const auto onEvent = [&task](const study::StudyEvent& event) {
        if (task.phase && event.phase)
            task.phase(*event.phase);
    };
    return (*workbench)->verifyFinding(trace, finding, runs::kVerificationBudget, onEvent, task.stop, commandLine);
}

Result<RepairedWorkspace> WorkbenchGateway::repair(const std::filesystem::path& file)
{
    const std::filesystem::path out = store::repairedName(file);
    const auto saved = store::Store::salvage(file, out);
    return saved ? Result<RepairedWorkspace>({out, *saved}) : saved.error();
}

Result<std::filesystem::path> WorkbenchGateway::sample()
{
    const std::filesystem::path file = base::userDataDir() / "sample.apertune";
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
        return file;
    const base::Status copied = store::copySample(file);
    return copied ? Result<std::filesystem::path>(file) : copied.error();
}

base::Status WorkbenchGateway::deleteStudy(const std::filesystem::path& file, model::StudyId study)
{
    auto store = store::Store::open(file, store::OpenMode::readWrite);
    return store ? store->deleteStudy(study) : base::Status(store.error());
}

Result<std::vector<comparison::Trend>> WorkbenchGateway::trends(const std::filesystem::path& file)
{
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    if (!store)
        return store.error();
    const auto studies = engine::measuredStudies(*store, [](const store::StudySummary&) { return true; });
    return studies ? Result<std::vector<comparison::Trend>>(comparison::trendsOf(*studies)) : studies.error();
}

base::Status WorkbenchGateway::changeBaseline(const std::filesystem::path& file, const BaselineChange& change)
{
    auto store = store::Store::open(file, store::OpenMode::readWrite);
    if (!store)
        return store.error();
    return change.starred ? store->nameBaseline(change.trial, change.name, change.replace)
                          : store->setBaseline(change.trial, false);
}

Result<std::vector<exports::ExportFile>> WorkbenchGateway::planExport(const std::filesystem::path& file,
                                                                      const model::StudySnapshot& snapshot,
                                                                      model::TrialId id, exports::ExportTarget target,
                                                                      bool allBatches, std::stop_token stop)
{
    const model::Trial* trial = snapshot.find(id);
    if (!trial)
        return Error{ErrorCode::notFound,
                     base::message<engine::errors::kTrialGone>(),
                     {},
                     base::message<engine::errors::kChooseOther>()};
    const auto others = allBatches ? exports::otherBatches(snapshot, *trial) : std::vector<const model::Trial*>();
    // Only targets that ship a compiled package need one; making it takes minutes.
    std::filesystem::path package;
    if (exports::needsPackage(trial->config) && target != exports::ExportTarget::json &&
        exports::hasProgram(trial->config, target)) {
        // Only reading: the page asks while a sweep writes to the workspace, and for several targets at once.
        const auto workbench = engine::Workbench::open(file, store::OpenMode::readOnly);
        if (!workbench)
            return workbench.error();
        auto made = (*workbench)->packageOf(snapshot, *trial, others, {}, stop);
        if (!made)
            return made.error();
        package = std::move(*made);
    }
    const auto converted = [&](const std::string& format) {
        return models::convertedFile(snapshot.study.model, format, trial->config.batch);
    };
    exports::ServingChoice serving;
    if (exports::servesRequests(target)) {
        const auto store = store::Store::open(file, store::OpenMode::readOnly);
        if (!store)
            return store.error();
        auto load = exports::bestServedLoad(*store, id);
        if (!load)
            return load.error();
        serving.load = std::move(*load);
    }
    return exports::planExport(snapshot, *trial, target, package, others, converted, serving);
}

Result<models::ExportCheck> WorkbenchGateway::writeExport(const std::vector<exports::ExportFile>& files,
                                                          const model::StudySnapshot& snapshot, model::TrialId id,
                                                          const std::filesystem::path& dir, bool overwrite,
                                                          const LoadTask& task)
{
    const model::Trial* trial = snapshot.find(id);
    if (!trial)
        return Error{ErrorCode::notFound,
                     base::message<engine::errors::kTrialGone>(),
                     {},
                     base::message<engine::errors::kChooseOther>()};
    // The export runs the program once and trusts the folder afterwards, so the model has to be trusted.
    if (const auto allowed = models::requireTrustedModel(snapshot.study.model); !allowed)
        return allowed.error();
    const model::Device* device = snapshot.device(trial->device);
    const std::string& backend = trial->config.backend;
    models::ExportCheck check;
    const auto checkFolder = [&](const std::filesystem::path& written) -> Result<std::vector<exports::ExportFile>> {
        auto ran = models::checkExported(
            {written, backend, exports::rootOption(backend).first, exports::verifierProgram(backend)},
            device ? *device : model::Device(), worker::Installation::locate(), task.step, task.stop);
        if (!ran)
            return ran.error();
        check = std::move(*ran);
        std::vector<exports::ExportFile> record;
        if (!check.record.empty())
            record.push_back({models::kCheckFile, check.record});
        return record;
    };
    if (auto written = exports::writeExport(files, dir, overwrite, checkFolder); !written)
        return written.error();
    // The program was made here from a trusted model, so running it later needs no question.
    models::trustFolder(dir);
    return check;
}

Result<OpenedTrace> WorkbenchGateway::importTrace(const std::filesystem::path& recording, const LoadTask& task)
{
    trace::ImportOptions options;
    options.cancel = task.stop;
    options.progress = [&task](const trace::ImportProgress& progress) {
        if (task.progress && progress.bytesTotal > 0)
            task.progress(static_cast<double>(progress.bytesRead) / static_cast<double>(progress.bytesTotal));
    };
    auto trace = interchange::importRecording(recording, options);
    if (!trace)
        return trace.error();
    return OpenedTrace{std::make_shared<const trace::Trace>(std::move(*trace))};
}

Result<std::vector<store::TraceSummary>> WorkbenchGateway::traces(const std::filesystem::path& file)
{
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    return store ? store->traces() : store.error();
}

Result<std::vector<store::Pipeline>> WorkbenchGateway::pipelines(const std::filesystem::path& file,
                                                                 model::TrialId trial)
{
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    return store ? store->pipelines(trial) : store.error();
}

Result<std::vector<store::Scenario>> WorkbenchGateway::scenarios(const std::filesystem::path& file,
                                                                 model::TrialId trial)
{
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    return store ? store->scenarios(trial) : store.error();
}

base::Status WorkbenchGateway::putUnderLoad(const std::filesystem::path& file, model::TrialId trial,
                                            const workload::Scenario& scenario, const LoadWatch& watch,
                                            std::stop_token stop)
{
    const auto workbench = engine::Workbench::open(file);
    if (!workbench)
        return workbench.error();
    const auto progress = [&watch](const runs::LoadProgress& now) {
        watch.progress(now.part, now.leastLeft, now.mostLeft);
    };
    const auto result = (*workbench)->runTrialScenario(trial, scenario, watch.phase, std::move(stop), progress);
    return result ? base::Status() : base::Status(result.error());
}

Result<std::vector<store::Evaluation>> WorkbenchGateway::evaluations(const std::filesystem::path& file,
                                                                     model::TrialId trial)
{
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    return store ? store->evaluations(trial) : store.error();
}

Result<std::vector<claims::ClaimCheck>> WorkbenchGateway::claimChecks(const std::filesystem::path& file,
                                                                      const std::vector<model::Device>& devices)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return claims::checkClaims(runs::claimEvidence(devices));
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    if (!store)
        return store.error();
    const auto evidence = runs::claimEvidence(*store, devices);
    return evidence ? Result<std::vector<claims::ClaimCheck>>(claims::checkClaims(*evidence)) : evidence.error();
}

Result<runs::MeasuredClaims> WorkbenchGateway::measureClaims(const std::filesystem::path& file,
                                                             const claims::ClaimPlan& plan, base::Nanoseconds budget,
                                                             const runs::ClaimWatch& watch, std::stop_token stop)
{
    const auto workbench = engine::Workbench::open(file);
    if (!workbench)
        return workbench.error();
    return (*workbench)->measureClaims(plan, budget, watch, std::move(stop));
}

Result<OpenedTrace> WorkbenchGateway::traceTrial(const std::filesystem::path& file, model::TrialId trial,
                                                 const CaptureExtent& extent, const LoadTask& task)
{
    const auto workbench = engine::Workbench::open(file);
    if (!workbench)
        return workbench.error();
    const auto onPhase = [&task](study::Phase phase, const base::Message&) {
        if (task.phase)
            task.phase(phase);
    };
    const auto capture = [&](runs::TracePass pass) {
        runs::TraceOptions options;
        options.pass = pass;
        options.graphs = extent.graphs;
        return (*workbench)->traceTrial(trial, options, onPhase, task.stop, profilers::telemetryOf);
    };
    const auto id = capture(runs::TracePass::events);
    if (!id)
        return id.error();
    // Counters slow the device, so each kind of them is recorded in passes of its own.
    // Without counters the trace of events is still worth showing, so their failure is a remark.
    std::optional<Error> noCounters;
    for (const runs::TracePass pass : {runs::TracePass::samples, runs::TracePass::kernels}) {
        if (!extent.counters || noCounters || task.stop.stop_requested())
            break; // the second pass would fail for the same reason
        if (const auto counted = capture(pass); !counted)
            noCounters = counted.error();
    }
    auto opened = openStored((*workbench)->store(), *id, task);
    if (opened && store::keepMips((*workbench)->store(), *id, *opened->timeline))
        opened->withoutMips.reset();
    if (opened)
        opened->noCounters = std::move(noCounters);
    return opened;
}

Result<OpenedTrace> WorkbenchGateway::storedTrace(const std::filesystem::path& file, store::TraceId trace,
                                                  const LoadTask& task)
{
    const auto store = store::Store::open(file, store::OpenMode::readOnly);
    if (!store)
        return store.error();
    return openStored(*store, trace, task);
}

Result<worker::AddedEngine> WorkbenchGateway::addEngine(const worker::EngineState& engine,
                                                        const worker::AddObserver& observer, std::stop_token stop)
{
    auto added = worker::addEngine(worker::Installation::locate(), engine, {}, observer, std::move(stop));
    forgetPlanner();
    return added;
}

Result<base::Bytes> WorkbenchGateway::removeEngine(const std::string& backend)
{
    auto removed = worker::removeEngine(backend);
    forgetPlanner();
    return removed;
}

void WorkbenchGateway::forgetPlanner()
{
    const base::Lock lock(m_planMutex);
    m_planner.reset();
}

base::Status WorkbenchGateway::keepMips(const std::filesystem::path& file, store::TraceId trace,
                                        const timeline::Timeline& timeline)
{
    auto store = store::Store::open(file, store::OpenMode::readWrite);
    return store ? store::keepMips(*store, trace, timeline) : base::Status(store.error());
}

} // namespace apertune::gui
