// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/mutex.h"
#include "core/store/store.h"
#include "core/study/schedule.h"
#include "core/study/study_event.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace apertune::study {

/// The trials of a running study: keeps them in step with the store, tells the observer, knows how far things are.
///
/// Thread-safe: the threads of all devices share one. Two locks, taken in this order: m_observerMutex serialises what
/// the observer gets and is the only one held while it is called; m_mutex guards the values. The store locks inside
/// itself and is called with neither held; each trial is moved by the thread of its device alone.
///
/// When the store refuses (disk full), error() says why and `abort` is raised: nothing more can be kept, so nothing
/// more is run.
class TrialTracker
{
public:
    /// `budget`: of each device, confirmation included; nothing: unlimited. `reserve`: see reserve(), of each device.
    TrialTracker(store::Store& store, model::StudyId study, std::vector<model::Trial> trials,
                 const StudyObserver& observer, std::optional<base::Nanoseconds> budget, std::stop_source abort,
                 base::Nanoseconds reserve = {});

    /// What `work` makes of all trials, which do not change meanwhile. It must be quick and call nothing of the trial
    /// tracker.
    template <typename Work>
    auto read(Work work) const
    {
        const base::Lock lock(m_mutex);
        return work(m_trials);
    }

    model::Trial trial(std::size_t i) const;
    std::vector<std::string> devices() const; ///< those with open trials, in planned order
    bool isOpen(std::size_t i) const;
    int open(const std::string& device) const;

    // A refusal of the store aborts the study; error() keeps the first.
    base::Status lease(std::size_t i);
    base::Status start(std::size_t i); ///< leased -> running, reports "trialStarted"
    base::Status requeue(std::size_t i);
    void finish(std::size_t i, model::TrialState state, model::Reason reason, model::Measurement measurement);
    void prune(std::size_t i, model::Reason reason);
    void replaceMeasurement(std::size_t i, model::Measurement measurement);

    /// What a search's own race ended with, winner first: to be confirmed, whatever medians over all blocks say.
    void nominate(model::TrialId trial);
    std::vector<model::TrialId> nominated() const;

    void phase(std::size_t i, const std::string& name, const std::string& text = {});
    void message(const base::Message& message);
    void studyEvent(StudyEvent::Kind kind, const std::string& text = {});

    /// What a trial took of its device's budget, and what compiling took, which the budget does not count.
    void spend(const std::string& device, base::Nanoseconds trial, base::Nanoseconds compile);
    std::optional<base::Nanoseconds> budget() const { return m_budget; }
    /// Keeps so much of the device's budget for the confirmation, in place of what was kept before.
    void reserve(const std::string& device, base::Nanoseconds time);
    /// For trials: without what is reserved. Nothing: unlimited. Negative: overspent.
    std::optional<base::Nanoseconds> budgetLeft(const std::string& device) const;
    /// For the confirmation, on whichever device: what the one that spent most has left of the whole budget.
    std::optional<base::Nanoseconds> wholeBudgetLeft() const;

    std::optional<base::Error> error() const;

private:
    struct Spending
    {
        base::Nanoseconds spent{};
        std::optional<base::Nanoseconds> reserved{}; ///< nothing: m_reserve
        std::vector<base::Nanoseconds> trials;
        std::vector<base::Nanoseconds> compiles;
    };

    base::Status move(std::size_t i, model::TrialState to, const model::Trial& value);
    void refused(const base::Error& error);
    void tell(StudyEvent event, const model::Trial* trial) APERTUNE_EXCLUDES(m_observerMutex, m_mutex);
    std::optional<Eta> eta() const APERTUNE_REQUIRES(m_mutex);

    store::Store& m_store;
    const model::StudyId m_study;
    const StudyObserver m_observer;
    std::optional<base::Nanoseconds> leftOf(const Spending& spending) const;

    const std::optional<base::Nanoseconds> m_budget;
    const base::Nanoseconds m_reserve;
    std::stop_source m_abort;
    base::Mutex m_observerMutex;
    mutable base::Mutex m_mutex;
    std::vector<model::Trial> m_trials APERTUNE_GUARDED_BY(m_mutex);
    std::vector<model::TrialId> m_nominated APERTUNE_GUARDED_BY(m_mutex);
    std::map<std::string, Spending> m_spending APERTUNE_GUARDED_BY(m_mutex);
    std::optional<base::Error> m_error APERTUNE_GUARDED_BY(m_mutex);
};

} // namespace apertune::study
