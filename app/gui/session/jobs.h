// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/job_gateway.h"
#include "app/gui/presenters/job_state.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <deque>
#include <memory>
#include <optional>

namespace apertune::gui {

class Session;
class TaskRunner;

/// Starts imports, sweeps and runs under load through the gateway, as tasks, and reports their progress. GUI thread.
class Jobs : public QObject
{
    Q_OBJECT
public:
    Jobs(Session& session, TaskRunner& tasks, std::shared_ptr<JobGateway> gateway, QObject* parent = nullptr);

    const JobState& state() const { return m_state; }
    const std::deque<JobEvent>& events() const { return m_events; } ///< oldest first, the last 500

    /// Returns false when another job runs. So do the other functions that start one.
    bool importModel(const models::ImportRequest& request);
    const models::ImportRequest& imported() const { return m_import; } ///< the request of the last import
    bool startSweep(const study::StudyRequest& request);
    /// Imports a model. When that succeeds, runs the sweep of `request` with the imported model.
    bool tune(const models::ImportRequest& source, const study::StudyRequest& request);
    bool resume(const study::ResumeRequest& request, const QString& title);
    /// Waits until other programs leave the processors alone, for ten minutes at most, and then measures the
    /// recommendation or the shortlist of a finished study in turns with its baseline. A shortlist gets a budget of two
    /// minutes, which also measures what was left out for lack of time.
    bool confirmWhenQuiet(const model::StudySnapshot& snapshot);
    /// Runs a load scenario on a trial and stores the result.
    bool putUnderLoad(model::TrialId trial, const QString& title, const workload::Scenario& scenario);
    /// Measures claims of guides; the budget is that of all studies.
    bool measureClaims(const claims::ClaimPlan& plan, base::Nanoseconds budget);
    void requestStop(JobState::Stop stop);

Q_SIGNALS:
    void stateChanged();
    void eventAdded();
    void modelImported(const QString& name);
    void sweepStarted(apertune::model::StudyId study);
    /// Emitted after the last event of a job. `error` is set for Outcome::failed.
    void finished(apertune::base::Outcome outcome, const apertune::base::Error& error);

private:
    struct StopSwitch
    {
        std::atomic<bool> afterCurrent{false};
        std::stop_source source;
    };

    bool begin(JobState::Kind kind, const QString& title);
    void end(base::Outcome outcome, const base::Error& error);
    void runSweep(std::variant<study::StudyRequest, study::ResumeRequest> what, const QString& title);
    void runImport(const models::ImportRequest& request, std::optional<study::StudyRequest> then);
    void showStep(std::size_t number, std::size_t total, const QString& subject);
    void endClaims(const base::Result<runs::MeasuredClaims>& measured);
    void add(controls::Tone tone, const QString& text, bool isFailure = false);

    Session& m_session;
    TaskRunner& m_tasks;
    std::shared_ptr<JobGateway> m_gateway;
    JobState m_state;
    models::ImportRequest m_import;
    std::deque<JobEvent> m_events;
    std::shared_ptr<StopSwitch> m_switch;
};

} // namespace apertune::gui
