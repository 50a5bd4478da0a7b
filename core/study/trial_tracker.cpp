// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/trial_tracker.h"

#include "core/base/clock.h"
#include "core/base/stop_wait.h"
#include "core/study/reasons.h"

#include <algorithm>

namespace apertune::study {

using base::Nanoseconds;
using model::Trial;
using model::TrialState;

TrialTracker::TrialTracker(store::Store& store, model::StudyId study, base::RateUnit rate, std::vector<Trial> trials,
                           const StudyObserver& observer, std::optional<Nanoseconds> budget, model::BudgetKind kind,
                           std::stop_source abort, Nanoseconds reserve, Eta planned)
    : m_store(store), m_study(study), m_rate(rate), m_names(trials), m_observer(observer), m_budget(budget),
      m_kind(kind), m_begin(base::monotonicNow()), m_reserve(reserve), m_planned(planned), m_abort(std::move(abort)),
      m_trials(std::move(trials))
{
}

Trial TrialTracker::trial(std::size_t i) const
{
    const base::Lock lock(m_mutex);
    return m_trials[i];
}

std::vector<std::string> TrialTracker::devices() const
{
    const base::Lock lock(m_mutex);
    std::vector<std::string> ids;
    for (const Trial& trial : m_trials)
        if (!model::isFinal(trial.state) && std::find(ids.begin(), ids.end(), trial.device) == ids.end())
            ids.push_back(trial.device);
    return ids;
}

bool TrialTracker::isOpen(std::size_t i) const
{
    const base::Lock lock(m_mutex);
    return !model::isFinal(m_trials[i].state);
}

int TrialTracker::open(const std::string& device) const
{
    const base::Lock lock(m_mutex);
    return static_cast<int>(std::count_if(m_trials.begin(), m_trials.end(), [&](const Trial& trial) {
        return trial.device == device && !model::isFinal(trial.state);
    }));
}

std::optional<std::size_t> TrialTracker::add(const std::string& device, const model::Config& config)
{
    Trial trial;
    trial.device = device;
    trial.config = config;
    if (!keep([&] { return m_store.addTrial(m_study, trial); }))
        return std::nullopt;
    const base::Lock lock(m_mutex);
    m_trials.push_back(std::move(trial));
    return m_trials.size() - 1;
}

base::Status TrialTracker::move(std::size_t i, TrialState to, const Trial& value)
{
    // The store comes first: memory must not be ahead of a transaction that failed.
    base::Status status = keep([&] { return m_store.transition(value, to); });
    if (!status)
        return status;
    const base::Lock lock(m_mutex);
    m_trials[i] = value;
    m_trials[i].state = to;
    return status;
}

base::Status TrialTracker::lease(std::size_t i)
{
    return move(i, TrialState::leased, trial(i));
}

base::Status TrialTracker::start(std::size_t i)
{
    Trial value = trial(i);
    value.startedUtc = base::utcNow();
    base::Status status = move(i, TrialState::running, value);
    if (!status)
        return status;
    value = trial(i);
    notify({StudyEvent::Kind::trialStarted}, &value); // A copy, so that no lock is held while the observer reads it.
    return status;
}

base::Status TrialTracker::requeue(std::size_t i)
{
    Trial value = trial(i);
    ++value.attempt;
    value.startedUtc.clear();
    return move(i, TrialState::queued, value);
}

void TrialTracker::finish(std::size_t i, TrialState state, model::Reason reason, model::Measurement measurement)
{
    Trial value = trial(i);
    reason.message = base::withRateUnit(std::move(reason.message), m_rate);
    value.reason = std::move(reason);
    value.measurement = std::move(measurement);
    if (state == TrialState::ok)
        value.measurement.conditions.machine = m_machine;
    value.finishedUtc = base::utcNow();
    if (!move(i, state, value))
        return;
    value = trial(i);
    notify({StudyEvent::Kind::trialFinished}, &value);
}

void TrialTracker::prune(std::size_t i, model::Reason reason)
{
    finish(i, TrialState::pruned, std::move(reason), {});
}

base::Status TrialTracker::reopen(std::size_t i)
{
    Trial value = trial(i);
    value.reason = {};
    value.startedUtc.clear();
    value.finishedUtc.clear();
    return move(i, TrialState::queued, value);
}

void TrialTracker::replaceMeasurement(std::size_t i, model::Measurement measurement)
{
    Trial value = trial(i);
    value.measurement = std::move(measurement);
    value.measurement.conditions.machine = m_machine;
    if (!keep([&] { return m_store.replaceMeasurement(value); }))
        return;
    {
        const base::Lock lock(m_mutex);
        m_trials[i] = value;
    }
    notify({StudyEvent::Kind::trialFinished}, &value);
}

void TrialTracker::keepInterference(const model::Interference& interference)
{
    // error() keeps a failure.
    static_cast<void>(keep([&] { return m_store.setInterference(m_study, interference); }));
}

namespace {

/// Whether the cause of a refusal may end without a change of the workspace: a full disk, a quota, a file system that
/// was remounted for reading only, another program that holds the file.
bool mayPass(const base::Error& error)
{
    return error.code == base::ErrorCode::io || error.code == base::ErrorCode::busy;
}

} // namespace

base::Status TrialTracker::keep(const std::function<base::Status()>& write)
{
    constexpr Nanoseconds kRetry = base::fromSeconds(1);
    constexpr Nanoseconds kLongest = base::fromSeconds(3600);
    base::Status status = write();
    if (!status && mayPass(status.error())) {
        // One device waits for all: what the others want to store meets the same obstacle.
        const base::Lock waiting(m_waiting);
        const Nanoseconds begin = base::monotonicNow();
        status = write();
        if (!status && mayPass(status.error()))
            message(base::message<reasons::kStoreWaits>(status.error().message, status.error().hint));
        while (!status && mayPass(status.error()) && base::monotonicNow() - begin < kLongest &&
               !base::waitForStop(m_abort.get_token(), kRetry))
            status = write();
        const Nanoseconds waited = base::monotonicNow() - begin;
        if (status && waited >= kRetry) {
            noteWaited(waited);
            message(base::message<reasons::kStoreGoesOn>(waited));
        }
    }
    if (!status) {
        {
            const base::Lock lock(m_mutex);
            if (!m_error)
                m_error = status.error();
        }
        m_abort.request_stop();
    }
    return status;
}

void TrialTracker::noteWaited(Nanoseconds time)
{
    const base::Lock lock(m_mutex);
    m_waited += time;
    for (auto& [device, spending] : m_spending)
        if (spending.end)
            *spending.end += time;
}

void TrialTracker::nominate(model::TrialId trial)
{
    const base::Lock lock(m_mutex);
    m_nominated.push_back(trial);
}

std::vector<model::TrialId> TrialTracker::nominated() const
{
    const base::Lock lock(m_mutex);
    return m_nominated;
}

void TrialTracker::phase(std::size_t i, Phase phase, const base::Message& figure)
{
    StudyEvent event{StudyEvent::Kind::trialPhase};
    event.phase = phase;
    event.message = figure;
    const Trial value = trial(i);
    notify(std::move(event), &value);
}

void TrialTracker::message(const base::Message& message)
{
    StudyEvent event{StudyEvent::Kind::message};
    event.message = message;
    notify(std::move(event), nullptr);
}

void TrialTracker::studyEvent(StudyEvent::Kind kind)
{
    notify({kind}, nullptr);
}

void TrialTracker::notify(StudyEvent event, const Trial* trial)
{
    if (!m_observer)
        return;
    event.study = m_study;
    event.trial = trial;
    if (trial)
        event.configuration = m_names.of(*trial);
    const base::Lock serial(m_observerMutex);
    {
        // Progress is read under the observer's lock, so that it never goes back from one event to the next.
        const base::Lock lock(m_mutex);
        event.total = static_cast<int>(m_trials.size());
        event.done = static_cast<int>(
            std::count_if(m_trials.begin(), m_trials.end(), [](const Trial& t) { return model::isFinal(t.state); }));
        const Eta remaining = eta();
        event.etaLow = remaining.low;
        event.etaHigh = remaining.high;
    }
    m_observer(event);
}

Eta TrialTracker::eta() const
{
    std::map<std::string, TrialTimes> devices;
    for (const Trial& trial : m_trials)
        if (!model::isFinal(trial.state)) {
            TrialTimes& times = devices[trial.device];
            ++times.open;
            times.openCompiles += trial.config.isCompiled() ? 1 : 0;
        }
    // Devices run side by side, so the slowest one decides.
    Eta slowest;
    Nanoseconds reserved = m_reserve;
    for (auto& [device, times] : devices) {
        Spending spending;
        if (const auto known = m_spending.find(device); known != m_spending.end())
            spending = known->second;
        times.trials = spending.trials;
        times.compiles = spending.compiles;
        times.planned = m_planned;
        const Eta own = estimateRemaining(std::move(times), leftOf(spending), m_kind);
        if (own.high >= slowest.high)
            slowest = own;
    }
    for (const auto& [device, spending] : m_spending)
        reserved = std::max(reserved, spending.reserved.value_or(m_reserve));
    // The confirmation follows. It may end early.
    return {slowest.low + Nanoseconds{reserved.count / 2}, slowest.high + reserved};
}

void TrialTracker::spend(const std::string& device, Nanoseconds trial, Nanoseconds compile)
{
    const base::Lock lock(m_mutex);
    Spending& spending = m_spending[device];
    spending.spent += trial;
    spending.trials.push_back(trial);
    if (compile.count > 0)
        spending.compiles.push_back(compile);
}

void TrialTracker::charge(const std::string& device, Nanoseconds time)
{
    const base::Lock lock(m_mutex);
    m_spending[device].spent += time;
}

void TrialTracker::beginDeviceGroup(const std::string& device, int groups)
{
    const base::Lock lock(m_mutex);
    Spending& spending = m_spending[device];
    spending.end.reset();
    if (const auto left = leftOf(spending); left && m_kind == model::BudgetKind::wall)
        spending.end = base::monotonicNow() + Nanoseconds{left->count / std::max(1, groups)};
}

void TrialTracker::reserve(const std::string& device, Nanoseconds time)
{
    const base::Lock lock(m_mutex);
    m_spending[device].reserved = time;
}

Nanoseconds TrialTracker::spentOf(const Spending& spending) const
{
    return m_kind == model::BudgetKind::wall ? base::monotonicNow() - m_begin - m_waited : spending.spent;
}

std::optional<Nanoseconds> TrialTracker::leftOf(const Spending& spending) const
{
    if (!m_budget)
        return std::nullopt;
    const Nanoseconds left = *m_budget - spentOf(spending) - spending.reserved.value_or(m_reserve);
    return spending.end ? std::min(left, *spending.end - base::monotonicNow()) : left;
}

std::optional<Nanoseconds> TrialTracker::budgetLeft(const std::string& device) const
{
    const base::Lock lock(m_mutex);
    const auto it = m_spending.find(device);
    return leftOf(it == m_spending.end() ? Spending{} : it->second);
}

std::optional<Nanoseconds> TrialTracker::wholeBudgetLeft() const
{
    if (!m_budget)
        return std::nullopt;
    const base::Lock lock(m_mutex);
    // The confirmation may run on any device, so it gets only the time that every device has left.
    Nanoseconds most = spentOf({});
    for (const auto& [device, spending] : m_spending)
        most = std::max(most, spentOf(spending));
    return std::max(Nanoseconds{}, *m_budget - most);
}

std::optional<Nanoseconds> TrialTracker::graceLeft() const
{
    constexpr std::int64_t kGraceShare = 10;
    if (!m_budget || m_kind != model::BudgetKind::wall)
        return std::nullopt;
    const base::Lock lock(m_mutex);
    return *m_budget + Nanoseconds{m_budget->count / kGraceShare} - spentOf({});
}

std::optional<base::Error> TrialTracker::error() const
{
    const base::Lock lock(m_mutex);
    return m_error;
}

} // namespace apertune::study
