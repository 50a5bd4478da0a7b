// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study_runner.h"

#include "core/base/clock.h"
#include "core/base/temporary_dir.h"
#include "core/base/text.h"
#include "core/model/device.h"
#include "core/model/experiment.h"
#include "core/model/left_out.h"
#include "core/models/package_source.h"
#include "core/models/usable_model.h"
#include "core/search/algorithm.h"
#include "core/search/recommend.h"
#include "core/search/searcher.h"
#include "core/study/confirmation.h"
#include "core/study/device_sweep.h"
#include "core/study/earlier_studies.h"
#include "core/study/errors.h"
#include "core/study/interference_check.h"
#include "core/study/loaded_configuration.h"
#include "core/study/noise_run.h"
#include "core/study/percentiles.h"
#include "core/study/quiet_wait.h"
#include "core/study/reasons.h"
#include "core/study/rest_of_budget.h"
#include "core/study/sweep_context.h"

#include <algorithm>
#include <set>
#include <thread>

namespace apertune::study {

using base::Error;
using base::ErrorCode;
using base::Nanoseconds;
using base::Outcome;
using model::StudyState;
using model::Trial;
using model::TrialState;

namespace {

/// Largest batch that the lower estimate of a plan counts: automatic batches may end this early.
constexpr int kFewBatches = 4;

/// Time for the confirmation and the noise floor after the sweep.
Nanoseconds timeToConfirm(const TrialTracker& tracker, const worker::RunLimits& limits)
{
    const auto left = tracker.wholeBudgetLeft();
    if (!left) {
        constexpr int kFactorWithoutBudget = 10; // Without a budget, a model with long passes may take its time.
        return {kFactorWithoutBudget * limits.confirmMost.count};
    }
    // A study of two configurations is worth nothing without its confirmation, so the budget may be exceeded.
    return limits.everyTrial ? std::max(*left, confirmationReserve(*tracker.budget(), limits)) : *left;
}

/// The winner, or its baseline where the winner is compiled; nullopt where both are. Loading a compiled package in many
/// processes would take too long.
std::optional<Trial> winnerOf(const SweepContext& context)
{
    return context.tracker.read([&](const std::vector<Trial>& trials) -> std::optional<Trial> {
        const auto best = search::recommend(trials, context.study.goal, context.noiseFloor);
        if (best)
            // The winner is best, because its noise limits the recommendation.
            for (const model::TrialId id : {best->trial, best->against})
                if (const Trial* trial = model::findTrial(trials, id); trial && !trial->config.isCompiled())
                    return *trial;
        return std::nullopt;
    });
}

/// Measures the machine's noise floor with the winner (an A/A test) within `limit`, unless the workspace knows it or
/// the time is too short for one pair.
void measureNoiseFloor(const SweepContext& context, store::Store& store, Nanoseconds limit)
{
    const auto trial = winnerOf(context);
    const model::Device* device = trial ? model::findDevice(context.run.devices, trial->device) : nullptr;
    if (!device)
        return;
    const std::string protocol = model::protocolOf(context.target);
    const std::string machine = model::machineKey(context.study.environment, *device);
    const auto known = noiseCertificate(store, machine, protocol);
    // A certificate of this protocol with enough comparisons is not made again.
    if (!known || (*known && (*known)->protocol == protocol && (*known)->comparisons >= kEnoughComparisons))
        return;
    NoisePlan plan = noisePlan(protocol);
    plan.pairs = context.run.limits.noisePairs;
    plan.most = limit;
    const Nanoseconds pass{static_cast<std::int64_t>(trial->measurement.latencyNs.value)};
    const Nanoseconds perBlock{settlingPasses(pass) * pass.count + std::max(pass, context.run.limits.minBlock).count};
    // The start of a process is not part of Measurement::load.
    constexpr Nanoseconds kWorkerStart{1'000'000'000};
    const model::Measurement& m = trial->measurement;
    const Nanoseconds opening = kWorkerStart + m.load + m.first + m.warmup;
    if (2 * (opening.count + perBlock.count * plan.blocks) > limit.count) // Not even one pair of processes fits.
        return;
    context.tracker.message(base::message<reasons::kNoiseFloor>());
    const ConfigurationRequest configuration = requestFor(context.study, trial->config, *device);
    const auto measured = measureNoise(context.run.launcher, configuration, plan, context.run.limits, context.stop, {});
    if (measured)
        // If the store refuses, only the certificate is lost, not the study.
        static_cast<void>(store.addNoise(
            {machine, protocol, context.study.model.name + " " + model::shortName(trial->config, device->type),
             *measured}));
}

/// The part of a study's budget for its open trials, with the confirmation.
Nanoseconds budgetOfRest(const model::Study& study, const std::vector<Trial>& trials, const worker::RunLimits& limits)
{
    // Pruned trials cost nothing, so the budget is divided by the trials that ran or will run.
    const auto ran = [](const Trial& t) { return t.state != TrialState::pruned; };
    const auto open = [](const Trial& t) { return !model::isFinal(t.state); };
    const auto all = std::max<std::ptrdiff_t>(1, std::count_if(trials.begin(), trials.end(), ran));
    const auto left = std::count_if(trials.begin(), trials.end(), open);
    return std::min(study.budget,
                    // The confirmation of the earlier run may not have happened, so its share is added.
                    Nanoseconds{study.budget.count / all * left} + confirmationReserve(study.budget, limits));
}

} // namespace

struct StudyRunner::Impl
{
    store::Store& store;
    worker::Launcher& launcher;
    models::PackageSource* packages;
    std::vector<model::Device> devices;
    std::vector<search::BackendInfo> backends;
    model::Environment environment;
    worker::RunLimits limits{};
    model::StudyId studyId{};
    DriftReferences driftReferences{};

    const model::Device* device(const std::string& id) const { return model::findDevice(devices, id); }

    /// Fills in everything that follows from the plan's configurations.
    void estimate(StudyPlan& plan, const model::ModelRef& model, const model::SearchSpace& space, Nanoseconds budget,
                  model::BudgetKind kind) const;
    /// Fails where no device that would be measured reports its energy.
    base::Status requireEnergy(const StudyPlan& plan) const;
    /// Whether other programs compute while the plan runs an engine on several threads of the CPU, and the user left
    /// OpenMP's wait policy open.
    bool shouldWaitPassively(const StudyPlan& plan) const;
    /// Waits for ResumeRequest::quietWait; returns whether the machine became quiet.
    static bool waitForQuiet(const ResumeRequest& request, const StudyObserver& observer, const std::stop_token& stop);
    /// Runs the open trials of a stored study and closes it.
    base::Result<Outcome> sweep(const model::Study& study, std::vector<Trial> trials, Nanoseconds budget,
                                const StudyObserver& observer, std::stop_token stop, Confirm confirm = Confirm::open);
    /// The devices with open trials, in groups that are swept one after the other. The devices of a group are measured
    /// side by side.
    std::vector<std::vector<model::Device>> deviceGroupsOf(const SweepContext& context);
    /// Checks whether the devices slow each other down, and keeps what was found. Returns whether they do not.
    bool mayWorkTogether(const SweepContext& context, const std::vector<model::Device>& wanted);
    void sweepDevices(const SweepContext& context, DriftMonitors& monitors);
    void pruneMissingDevices(TrialTracker& tracker) const;
    double knownNoise(const model::Study& study) const;
};

StudyRunner::StudyRunner(store::Store& store, worker::Launcher& launcher, models::PackageSource* packages,
                         std::vector<model::Device> devices, std::vector<search::BackendInfo> backends,
                         model::Environment environment)
    : m_impl(new Impl{store, launcher, packages, std::move(devices), std::move(backends), std::move(environment)})
{
    if (packages)
        return;
    // Without an exporter nothing can be compiled. The reason is shown beside each configuration.
    for (search::BackendInfo& backend : m_impl->backends) {
        backend.canCompile = false;
        if (backend.cannotCompileReason.empty())
            backend.cannotCompileReason = base::message<reasons::kNothingCompiles>();
    }
}

StudyRunner::~StudyRunner() = default;

const worker::RunLimits& StudyRunner::limits() const
{
    return m_impl->limits;
}

void StudyRunner::setLimits(const worker::RunLimits& limits)
{
    m_impl->limits = limits;
}

model::StudyId StudyRunner::studyId() const
{
    return m_impl->studyId;
}

base::Result<StudyPlan> StudyRunner::plan(const StudyRequest& request) const
{
    // The grid is planned first, because every estimate follows from its configurations.
    auto configurations =
        request.configurations.empty()
            ? search::planGrid(request.space, m_impl->devices, m_impl->backends, request.model, request.goal.maxMemory)
            : base::Result<std::vector<search::PlannedConfiguration>>(request.configurations);
    if (!configurations)
        return configurations.error();
    StudyPlan plan;
    plan.configurations = std::move(configurations).value();
    model::SearchSpace space = request.space;
    if (model::needsEnergy(request.goal)) {
        if (auto can = m_impl->requireEnergy(plan); !can)
            return can.error();
        // A race measures too briefly for an energy and leaves out what is slow.
        if (!space.search)
            space.search = search::Algorithm::grid;
        if (space.search == search::Algorithm::racing && request.goal.objective == model::Objective::energy)
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kRaceForEnergy>(),
                         {},
                         base::message<errors::kMeasureAll>()};
    }
    m_impl->estimate(plan, request.model, space, request.budget, request.budgetKind);
    // Of a model that is planned before its import, neither inputs nor layers are known.
    if (!request.model.inputs.empty()) {
        auto forecast = memory(request.model, memoryQuestion(space, request.goal, plan.configurations));
        if (!forecast)
            return forecast.error();
        plan.memory = std::move(forecast).value();
    }
    return plan;
}

base::Result<std::vector<MemoryForecast>> StudyRunner::memory(const model::ModelRef& model,
                                                              const MemoryQuestion& question) const
{
    return memoryForecast(m_impl->store, m_impl->environment, model, m_impl->devices, m_impl->backends, question);
}

base::Result<StudyPlan> StudyRunner::plan(const ResumeRequest& request) const
{
    const auto study = m_impl->store.study(request.study);
    if (!study)
        return study.error();
    const auto trials = m_impl->store.trials(request.study);
    if (!trials)
        return trials.error();
    StudyPlan plan;
    for (const Trial& trial : *trials)
        // A larger budget also reopens what was left out for lack of time.
        if (!model::isFinal(trial.state) || (request.budget && model::isLeftOutForTime(trial)))
            plan.configurations.push_back({trial.device, trial.config, {}});
    m_impl->estimate(plan, study->model, study->space,
                     request.budget.value_or(budgetOfRest(*study, *trials, m_impl->limits)), study->budgetKind);
    return plan;
}

base::Status StudyRunner::Impl::requireEnergy(const StudyPlan& plan) const
{
    const model::Device* silent = nullptr;
    for (const search::PlannedConfiguration& configuration : plan.configurations) {
        const model::Device* wanted = device(configuration.device);
        if (!configuration.impossible.empty() || !wanted)
            continue;
        // One device that reports it is enough: the others have no value for the goal and are no failure.
        if (wanted->noEnergy.empty())
            return {};
        silent = wanted;
    }
    if (!silent)
        return {};
    return Error{ErrorCode::unsupported,
                 base::message<errors::kNoEnergy>(silent->id, silent->noEnergy),
                 {},
                 base::sentencesOf({silent->noEnergyRemedy, base::message<errors::kOtherGoal>()})};
}

void StudyRunner::Impl::estimate(StudyPlan& plan, const model::ModelRef& model, const model::SearchSpace& space,
                                 Nanoseconds budget, model::BudgetKind kind) const
{
    plan.devices = devices;
    std::map<std::string, int> perDevice;
    std::set<std::string> engines;
    for (const search::PlannedConfiguration& configuration : plan.configurations) {
        if (!configuration.impossible.empty())
            continue;
        engines.insert(configuration.config.backend);
        ++plan.runnable;
        ++perDevice[configuration.device];
        const model::Device* target = device(configuration.device);
        // A package that is in the cache already costs no compilation.
        if (configuration.config.isCompiled() && packages && target &&
            !packages->contains(model, configuration.config, *target))
            ++plan.compiles;
    }
    for (const search::BackendInfo& backend : backends)
        if (engines.contains(backend.name))
            for (const auto& [name, summary] : backend.summaries)
                plan.engineSwitches.push_back({name, backend.name + ": " + summary});
    // Devices may run side by side, except those that share the host: the lower estimate counts the slowest one. The
    // upper one counts all, because the check of interference may forbid it.
    int most = 0;
    int onHost = 0;
    int all = 0;
    for (const auto& [id, count] : perDevice) {
        all += count;
        // Devices on the host follow one another, so their counts add up.
        most = std::max(most, model::typeOfDevice(id).sharesTheHost() ? onHost += count : count);
    }
    int least = most; // Automatic batches may end after a few.
    if (space.batches == std::vector{model::SearchSpace::kAutoBatch}) {
        least = 0;
        for (const search::PlannedConfiguration& configuration : plan.configurations) {
            plan.largestBatch = std::max(plan.largestBatch, configuration.config.batch);
            least += configuration.impossible.empty() && configuration.config.batch <= kFewBatches ? 1 : 0;
        }
        least = std::min(least, most);
    }
    plan.search = space.search.value_or(search::suitable(static_cast<std::size_t>(most), budget));
    plan.estimateLow = {limits.trialLeast.count * least};
    plan.estimateHigh = {limits.trialMost.count * all};
    if (plan.search == search::Algorithm::racing) {
        // A race probes some or all configurations, and two to six full protocols cover the race and its final rounds.
        const std::int64_t full = search::kFullBlocks * search::kFullBlock.count;
        plan.estimateLow = {std::min(plan.estimateLow.count / 2 + 2 * full, plan.estimateHigh.count)};
        plan.estimateHigh = {std::min(limits.trialLeast.count * most * 2 + 6 * full, plan.estimateHigh.count)};
    }
    const auto bound = [&] {
        if (budget.count <= 0)
            return;
        plan.estimateLow = std::min(plan.estimateLow, budget);
        plan.estimateHigh = std::min(plan.estimateHigh, budget);
    };
    bound();
    plan.estimateLow += {kTypicalCompile.count * plan.compiles * 2 / 3};
    plan.estimateHigh += {kTypicalCompile.count * plan.compiles * 3 / 2};
    if (kind == model::BudgetKind::wall)
        bound(); // a wall budget holds the compiles, too
}

base::Result<Outcome> StudyRunner::run(const StudyRequest& request, const StudyObserver& observer, std::stop_token stop)
{
    m_impl->studyId = {};
    m_impl->driftReferences = request.references;
    if (auto whole = models::requireUsable(request.model); !whole)
        return whole.error();
    auto planned = plan(request);
    if (!planned)
        return planned.error();

    model::Study study;
    study.uuid = request.uuid;
    study.model = request.model;
    study.goal = request.goal;
    if (!study.goal.maxRelError)
        // A goal that names no bound gets the default one of the model.
        study.goal.maxRelError = model::defaultMaxRelError(study.model);
    study.space = request.space;
    // The planned algorithm is stored, so that a resumed study goes on with the same one.
    study.space.search = planned->search;
    study.budget = request.budget;
    study.budgetKind = request.budgetKind;
    study.purpose = request.purpose;
    study.target = request.target;
    study.environment = m_impl->environment;
    if (m_impl->shouldWaitPassively(*planned))
        study.environment.settings.emplace_back(model::kWaitPolicy, model::kPassiveWaits);
    study.commandLine = request.commandLine;
    std::vector<Trial> trials;
    // Impossible configurations are stored too, as pruned trials, so that reports can say why they did not run.
    for (const search::PlannedConfiguration& configuration : planned->configurations)
        trials.push_back(search::plannedTrial(configuration));
    // The store is the first to know the study. Whatever dies later can be resumed from it.
    if (auto stored = m_impl->store.createStudy(study, trials); !stored)
        return stored.error();
    return m_impl->sweep(study, std::move(trials), request.budget, observer, std::move(stop));
}

base::Result<Outcome> StudyRunner::resume(const ResumeRequest& request, const StudyObserver& observer,
                                          std::stop_token stop)
{
    const model::StudyId id = request.study;
    m_impl->studyId = id;
    m_impl->driftReferences = request.references;
    auto study = m_impl->store.study(id);
    if (!study)
        return study.error();
    std::error_code ignored;
    // Imported files may have been deleted since the study was measured.
    if (!std::filesystem::is_directory(study->model.artifact, ignored))
        return Error{ErrorCode::notFound, base::message<errors::kFilesGone>(study->model.name),
                     study->model.artifact.string(), base::message<errors::kImportAndStart>()};
    if (auto whole = models::requireUsable(study->model); !whole)
        return whole.error();
    // Nothing is stored before the machine is quiet, so the study stays as it is when that takes too long.
    if (request.quietWait.count > 0 && !m_impl->waitForQuiet(request, observer, stop))
        return stop.stop_requested() ? base::Result<Outcome>(Outcome::cancelled)
                                     : Error{ErrorCode::busy,
                                             base::message<errors::kStaysBusy>(request.quietWait),
                                             {},
                                             base::message<errors::kResumeLater>()};
    // Trials that were running when a supervisor died are open again.
    if (auto requeued = m_impl->store.requeueInterrupted(id); !requeued)
        return requeued.error();
    auto trials = m_impl->store.trials(id);
    if (!trials)
        return trials.error();

    bool reopened = false;
    if (request.budget)
        for (Trial& trial : *trials) {
            // Only trials that time alone left out are opened again, not those that lost.
            if (!model::isLeftOutForTime(trial))
                continue;
            // The state is written first; the trial in memory follows it.
            if (auto queued = m_impl->store.transition(trial, TrialState::queued); !queued)
                return queued.error();
            trial.state = TrialState::queued;
            trial.reason = {};
            trial.measurement = {};
            reopened = true;
        }

    if (request.budget)
        study->budget = *request.budget;
    Nanoseconds rest = budgetOfRest(*study, *trials, m_impl->limits);
    // A finished study that is resumed without new trials is confirmed again only where other programs disturbed it.
    const Confirm confirm = study->state == StudyState::finished && !reopened ? Confirm::disturbed : Confirm::open;
    // Such a confirmation is all that runs. The share of a short budget would not be enough for it.
    if (confirm == Confirm::disturbed)
        rest = std::max(rest, m_impl->limits.confirmMost);
    return m_impl->sweep(*study, std::move(trials).value(), request.budget.value_or(rest), observer, std::move(stop),
                         confirm);
}

bool StudyRunner::Impl::shouldWaitPassively(const StudyPlan& plan) const
{
    const auto& settings = environment.settings;
    const bool isChosen =
        std::any_of(settings.begin(), settings.end(), [](const auto& s) { return s.first == model::kWaitPolicy; });
    const auto waits = [&](const search::PlannedConfiguration& configuration) {
        return configuration.impossible.empty() && configuration.config.threads > 1;
    };
    return !isChosen && std::any_of(plan.configurations.begin(), plan.configurations.end(), waits) && othersCompute();
}

bool StudyRunner::Impl::waitForQuiet(const ResumeRequest& request, const StudyObserver& observer,
                                     const std::stop_token& stop)
{
    return QuietWait(request.quietWait).wait(stop, [&] {
        StudyEvent event{StudyEvent::Kind::message, request.study};
        event.message = base::message<reasons::kWaitingForQuiet>(request.quietWait);
        if (observer)
            observer(event);
    });
}

void StudyRunner::Impl::pruneMissingDevices(TrialTracker& tracker) const
{
    const auto missing = tracker.read([&](const std::vector<Trial>& trials) {
        std::vector<std::size_t> found;
        // Trials are collected first, because prune() takes the lock that read() holds.
        for (std::size_t i = 0; i < trials.size(); ++i)
            if (!model::isFinal(trials[i].state) && !device(trials[i].device))
                found.push_back(i);
        return found;
    });
    for (const std::size_t i : missing)
        tracker.prune(i, model::Reason{model::ReasonKind::impossible, base::message<reasons::kDeviceGone>()});
}

double StudyRunner::Impl::knownNoise(const model::Study& study) const
{
    double effect = 0;
    for (const model::Device& d : devices)
        if (const auto known =
                noiseCertificate(store, model::machineKey(study.environment, d), model::protocolOf(study.target));
            known && *known)
            // The device with the most noise counts, because a study may compare across devices.
            effect = std::max(effect, (*known)->effect);
    return effect;
}

bool StudyRunner::Impl::mayWorkTogether(const SweepContext& context, const std::vector<model::Device>& wanted)
{
    // 0 pairs switches the check off, and devices are then measured one after another.
    if (limits.interferencePairs <= 0)
        return false;
    std::vector<std::string> ids;
    std::optional<Nanoseconds> most;
    for (const model::Device& target : wanted) {
        ids.push_back(target.id);
        if (const auto left = context.tracker.budgetLeft(target.id)) {
            const Nanoseconds share{
                static_cast<std::int64_t>(limits.interferenceShare * static_cast<double>(left->count))};
            // The device with the shortest share decides, because all are measured together.
            most = most ? std::min(*most, share) : share;
        }
    }
    context.tracker.message(base::message<reasons::kCheckingInterference>(base::join(ids)));
    const Nanoseconds begin = base::monotonicNow();
    const model::Interference found = checkInterference(context, wanted, most);
    for (const std::string& id : ids)
        // All devices were occupied for the whole time.
        context.tracker.charge(id, base::monotonicNow() - begin);
    if (context.stop.stop_requested())
        return false;
    context.tracker.message(found.text);
    context.tracker.keepInterference(found);
    return found.verdict == model::InterferenceVerdict::undisturbed;
}

std::vector<std::vector<model::Device>> StudyRunner::Impl::deviceGroupsOf(const SweepContext& context)
{
    std::vector<std::vector<model::Device>> groups;
    std::vector<model::Device> apart; // devices with memory and power of their own
    std::vector<model::Device> onHost;
    for (const std::string& id : context.tracker.devices())
        (device(id)->type.sharesTheHost() ? onHost : apart).push_back(*device(id));
    if (apart.size() > 1 && mayWorkTogether(context, apart))
        groups.push_back(apart);
    else
        for (const model::Device& target : apart)
            // Unless they were found undisturbed, they follow one another.
            groups.push_back({target});
    // Devices that share the host's bandwidth and power follow one by one: a CPU at work delays the launches of a GPU.
    for (const model::Device& target : onHost)
        groups.push_back({target});
    return groups;
}

void StudyRunner::Impl::sweepDevices(const SweepContext& context, DriftMonitors& monitors)
{
    const auto groups = deviceGroupsOf(context);
    auto left = static_cast<int>(groups.size());
    for (const std::vector<model::Device>& group : groups) {
        for (const model::Device& target : group)
            // The budget that is left is divided by the groups that are left, with this one.
            context.tracker.beginDeviceGroup(target.id, left);
        --left;
        const auto sweepOne = [&](const model::Device& target) {
            DeviceSweep(context, target, monitors.at(target.id)).run();
        };
        // One device needs no thread of its own.
        if (group.size() == 1) {
            sweepOne(group.front());
            continue;
        }
        // Each thread owns its workers, which end with it, and is joined at the end of the scope.
        std::vector<std::jthread> threads;
        for (const model::Device& target : group)
            threads.emplace_back([&sweepOne, &target] { sweepOne(target); });
    }
}

base::Result<Outcome> StudyRunner::Impl::sweep(const model::Study& study, std::vector<Trial> trials, Nanoseconds budget,
                                               const StudyObserver& observer, std::stop_token stop, Confirm confirm)
{
    studyId = study.id;
    auto folder = base::TemporaryDir::create("scratch");
    if (!folder)
        return folder.error();

    std::stop_source halt; // Requested by the caller, or by the tracker when the store refuses.
    const std::stop_callback forward(stop, [&halt] { halt.request_stop(); });
    EarlierStudies earlier = earlierStudies(store, study, trials);
    // A budget of 0 is none.
    const auto most = study.budget.count > 0 ? std::optional(budget) : std::nullopt;
    TrialTracker tracker(store, study.id, study.model.rateUnit(), std::move(trials), observer, most, study.budgetKind,
                         halt, most ? confirmationReserve(budget, limits) : limits.confirmMost,
                         {limits.trialLeast, limits.trialMost});
    // A study that was begun on a machine of another class keeps both apart.
    if (const std::string here = model::machineClass(environment); here != model::machineClass(study.environment))
        tracker.setMachine(here);
    References references(std::move(folder).value());
    const RunContext run{launcher, packages, devices, limits};
    HostGate hostGate;
    // The noise that is known before the study decides which differences the search takes for real.
    const SweepContext context{run,
                               study,
                               backends,
                               tracker,
                               references,
                               study.target,
                               halt.get_token(),
                               knownNoise(study),
                               &hostGate,
                               std::move(earlier),
                               &driftReferences};

    tracker.studyEvent(StudyEvent::Kind::studyStarted);
    if (model::waitsPassively(study.environment))
        tracker.message(
            base::message<reasons::kPassiveWaits>(std::string(model::kWaitPolicy) + "=" + model::kPassiveWaits));
    // A resumed study may have trials of a device that was removed meanwhile.
    pruneMissingDevices(tracker);
    for (const std::string& id : tracker.devices())
        if (const auto& use = device(id)->use; use && use->isBusy()) {
            constexpr double kPercent = 100;
            tracker.message(
                base::message<reasons::kGpuInUse>(id, use->processes, use->memory, base::Share{use->load / kPercent}));
        }
    DriftMonitors monitors;
    // A monitor for each device lives for the whole study, so that its first reading is the scale of all.
    for (const model::Device& target : devices)
        monitors.try_emplace(target.id, context, target);
    sweepDevices(context, monitors);
    settlePercentiles(context);
    // Confirmation and noise floor come after all sweeps, because they need the winner of all devices.
    const Nanoseconds begin = base::monotonicNow();
    const Nanoseconds time = timeToConfirm(tracker, limits);
    if (!halt.stop_requested() && limits.confirmMost.count > 0) {
        // In little time a confirmation is worth more than a noise floor.
        constexpr Nanoseconds kLittle = base::fromSeconds(10);
        const bool withNoiseFloor = limits.noisePairs > 0 && time > kLittle;
        // A quarter of the time is kept for the noise floor.
        confirmWinner(context, monitors, time, withNoiseFloor ? Nanoseconds{time.count / 4} : Nanoseconds{}, confirm);
        const Nanoseconds rest = std::min(time - (base::monotonicNow() - begin), limits.confirmMost);
        if (withNoiseFloor && rest.count > 0 && !halt.stop_requested())
            measureNoiseFloor(context, store, rest);
        if (study.purpose == model::StudyPurpose::tuning && !halt.stop_requested())
            useRestOfBudget(context, monitors);
    }

    // The tracker requested the stop when the store refused, and that error is the study's result.
    if (const auto refused = tracker.error())
        return *refused;
    const bool cancelled = halt.stop_requested();
    const auto closed = tracker.keep(
        [&] { return store.setStudyState(study.id, cancelled ? StudyState::interrupted : StudyState::finished); });
    if (!closed)
        return closed.error();
    tracker.studyEvent(StudyEvent::Kind::studyFinished);
    return cancelled ? Outcome::cancelled : Outcome::done;
}

base::Result<model::StudySnapshot> loadStudy(const store::Store& store, model::StudyId id)
{
    auto snapshot = store::loadSnapshot(store, id);
    if (!snapshot)
        return snapshot.error();
    // Certificates are looked up when a study is shown, so that a later one counts too.
    const std::string protocol = model::protocolOf(snapshot->study.target);
    for (const model::Device& device : snapshot->study.environment.devices) {
        auto known = noiseCertificate(store, model::machineKey(snapshot->study.environment, device), protocol);
        if (!known)
            return known.error();
        if (*known)
            snapshot->noise.push_back(std::move(**known));
    }
    // Another tool's results stand beside each other: they were not interleaved, and nothing is known of their quality.
    if (snapshot->study.purpose != model::StudyPurpose::imported)
        search::addRecommendations(*snapshot);
    return snapshot;
}

} // namespace apertune::study
