// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mutex.h"
#include "core/model/configuration_names.h"
#include "core/store/store.h"
#include "core/study/phase.h"
#include "core/study/schedule.h"
#include "core/study/study_event.h"

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace apertune::study {

/// Owns the trials of a running study: it keeps them in step with the store, reports changes to the observer, and
/// tracks budget and progress. `i` is the position of a trial in the study.
///
/// Thread-safe: the threads of all devices share one tracker. Each trial is changed by the thread of its device alone.
/// There are three locks, taken in this order:
///   1. m_waiting lets one thread wait for the store.
///   2. m_observerMutex puts the observer's calls in sequence.
///   3. m_mutex guards the values. It is not held during a call of the observer.
/// The store has its own lock. It is called while neither m_observerMutex nor m_mutex is held.
///
/// When the store refuses a change for good, error() says why and `abort` is requested, because later results could not
/// be kept either; see keep().
class TrialTracker
{
public:
    ///  - `budget`: time of each device, confirmation included; nullopt when unlimited. A budget of wall time begins
    ///    with this call.
    ///  - `reserve`: part of the budget that is kept for the confirmation until reserve() changes it. Without a budget
    ///    it is the time that the confirmation may take.
    ///  - `planned`: expected time of a trial, for estimates until some are done.
    ///  - `rate`: unit of the rates in the reasons of trials.
    /// REQUIRES: `store` outlives this object.
    TrialTracker(store::Store& store, model::StudyId study, base::RateUnit rate, std::vector<model::Trial> trials,
                 const StudyObserver& observer, std::optional<base::Nanoseconds> budget, model::BudgetKind kind,
                 std::stop_source abort, base::Nanoseconds reserve = {}, Eta planned = {});

    /// Sets what Conditions::machine of the trials that end from now on says.
    /// REQUIRES: no other thread uses the tracker yet.
    void setMachine(std::string machine) { m_machine = std::move(machine); }

    /// Calls `work` with all trials under the lock and returns its result.
    /// REQUIRES: `work` is quick and does not call the tracker.
    template <typename Work>
    auto read(Work work) const
    {
        const base::Lock lock(m_mutex);
        return work(m_trials);
    }

    model::Trial trial(std::size_t i) const;
    const model::ConfigurationNames& names() const { return m_names; }
    std::vector<std::string> devices() const;  ///< devices with open trials, in planned order
    bool isOpen(std::size_t i) const;          ///< whether the trial is not in a final state
    int open(const std::string& device) const; ///< number of open trials of a device

    /// Adds a queued trial of `config` on `device` to the study and returns its position; nullopt when the store
    /// refuses.
    std::optional<std::size_t> add(const std::string& device, const model::Config& config);

    // Transitions of a trial. If the store refuses, the study is aborted; error() keeps the first refusal.
    base::Status lease(std::size_t i);
    base::Status start(std::size_t i);   ///< leased -> running; reports trialStarted
    base::Status requeue(std::size_t i); ///< leased or running -> queued, as a further attempt
    /// Moves the trial to a final state; reports trialFinished.
    void finish(std::size_t i, model::TrialState state, model::Reason reason, model::Measurement measurement);
    void prune(std::size_t i, model::Reason reason);
    base::Status reopen(std::size_t i); ///< pruned -> queued
    /// Replaces the measurement of a finished trial; reports trialFinished again.
    void replaceMeasurement(std::size_t i, model::Measurement measurement);

    /// Adds a finalist of a search, winner first. The confirmation includes it whatever the medians over all blocks
    /// say.
    void nominate(model::TrialId trial);
    std::vector<model::TrialId> nominated() const;

    /// Stores what a check of interference found.
    void keepInterference(const model::Interference& interference);

    void phase(std::size_t i, Phase phase, const base::Message& figure = {});
    void message(const base::Message& message);
    void studyEvent(StudyEvent::Kind kind);

    /// Counts the time of a trial against the budget of its device. The time of compiling counts only against a budget
    /// of wall time; it is kept for estimates.
    void spend(const std::string& device, base::Nanoseconds trial, base::Nanoseconds compile);
    std::optional<base::Nanoseconds> budget() const { return m_budget; }
    model::BudgetKind budgetKind() const { return m_kind; }
    /// Counts time that no trial took, such as that of a check.
    void charge(const std::string& device, base::Nanoseconds time);
    /// Begins the sweep of a device. `groups`: how many groups of devices are still to be swept, with this one. Of a
    /// budget of wall time, the device gets an equal share of the rest.
    void beginDeviceGroup(const std::string& device, int groups);
    /// Sets the part of the device's budget that is kept for the confirmation.
    void reserve(const std::string& device, base::Nanoseconds time);
    /// Budget left for trials, without the reserved part: nullopt when unlimited, negative when overspent.
    std::optional<base::Nanoseconds> budgetLeft(const std::string& device) const;
    /// Budget left for the confirmation: that of the device that spent most, with the reserved part. nullopt when
    /// unlimited.
    std::optional<base::Nanoseconds> wholeBudgetLeft() const;
    /// Returns the time after which whatever still runs is stopped: the rest of the budget of wall time, and a tenth of
    /// the budget. nullopt for any other budget.
    std::optional<base::Nanoseconds> graceLeft() const;

    /// Stores a change of the study. While the workspace cannot be written (disk full, quota, mounted for reading only,
    /// held by another program), it waits up to an hour and tries again; that time is in no budget, and messages tell
    /// of its begin and end. A stop ends the wait. Failures: those of `write`, which error() keeps.
    base::Status keep(const std::function<base::Status()>& write)
        APERTUNE_EXCLUDES(m_waiting, m_observerMutex, m_mutex);
    std::optional<base::Error> error() const; ///< first refusal of the store

private:
    struct Spending
    {
        base::Nanoseconds spent{};
        std::optional<base::Nanoseconds> reserved{}; ///< m_reserve where it is not set
        std::optional<base::Nanoseconds> end{};      ///< the end of the device's share of a budget of wall time
        std::vector<base::Nanoseconds> trials;
        std::vector<base::Nanoseconds> compiles;
    };

    base::Status move(std::size_t i, model::TrialState to, const model::Trial& value);
    void noteWaited(base::Nanoseconds time) APERTUNE_EXCLUDES(m_mutex);
    void notify(StudyEvent event, const model::Trial* trial) APERTUNE_EXCLUDES(m_observerMutex, m_mutex);
    Eta eta() const APERTUNE_REQUIRES(m_mutex);
    base::Nanoseconds spentOf(const Spending& spending) const APERTUNE_REQUIRES(m_mutex);
    /// Returns the budget that is left; nullopt when it is unlimited.
    std::optional<base::Nanoseconds> leftOf(const Spending& spending) const APERTUNE_REQUIRES(m_mutex);

    store::Store& m_store;
    const model::StudyId m_study;
    const base::RateUnit m_rate;
    const model::ConfigurationNames m_names;
    const StudyObserver m_observer;
    const std::optional<base::Nanoseconds> m_budget;
    const model::BudgetKind m_kind;
    const base::Nanoseconds m_begin;
    const base::Nanoseconds m_reserve;
    const Eta m_planned;
    std::string m_machine; ///< changed by setMachine() alone
    std::stop_source m_abort;
    base::Mutex m_waiting; ///< held by the thread that waits for the store
    base::Mutex m_observerMutex;
    mutable base::Mutex m_mutex;
    std::vector<model::Trial> m_trials APERTUNE_GUARDED_BY(m_mutex);
    std::vector<model::TrialId> m_nominated APERTUNE_GUARDED_BY(m_mutex);
    std::map<std::string, Spending> m_spending APERTUNE_GUARDED_BY(m_mutex);
    base::Nanoseconds m_waited APERTUNE_GUARDED_BY(m_mutex){}; ///< time in which the store refused; in no budget
    std::optional<base::Error> m_error APERTUNE_GUARDED_BY(m_mutex);
};

} // namespace apertune::study
