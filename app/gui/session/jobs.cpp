// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/jobs.h"

#include "app/gui/presenters/phase_word.h"
#include "app/gui/presenters/translate.h"
#include "app/gui/session/session.h"
#include "app/gui/session/task_runner.h"
#include "widgets/tables/trial_columns.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

namespace apertune::gui {
namespace {

using controls::Tone;
constexpr std::size_t kMaxEvents = 500;

/// The part of a StudyEvent that the window shows. It outlives the call, in which the event itself ends.
struct StudyUpdate
{
    study::StudyEvent::Kind kind = study::StudyEvent::Kind::message;
    model::StudyId study{};
    QString configuration;
    QString phase;
    QString text;
    QString result;
    bool failed = false;
    int done = 0;
    int total = 0;
    std::optional<base::Nanoseconds> etaLow;
    std::optional<base::Nanoseconds> etaHigh;
};

StudyUpdate copyOf(const study::StudyEvent& event)
{
    StudyUpdate update{event.kind,
                       event.study,
                       {},
                       event.phase ? phaseWord(*event.phase) : QString(),
                       theme::fromCore(event.message),
                       {},
                       false,
                       event.done,
                       event.total,
                       event.etaLow,
                       event.etaHigh};
    if (event.trial) {
        const model::Trial& trial = *event.trial;
        update.configuration = QObject::tr("%1 on %2").arg(theme::toQt(event.configuration), theme::toQt(trial.device));
        update.failed = trial.state == model::TrialState::failed;
        update.result = trial.state == model::TrialState::ok
                            ? QObject::tr("%1 ms/pass %2")
                                  .arg(theme::number(trial.measurement.latencyNs.value * 1e-6),
                                       theme::certainty(trial.measurement.latencyNs, 1e-6, QObject::tr("ms")))
                            : tables::stateText(trial);
    }
    return update;
}

} // namespace

Jobs::Jobs(Session& session, TaskRunner& tasks, std::shared_ptr<JobGateway> gateway, QObject* parent)
    : QObject(parent), m_session(session), m_tasks(tasks), m_gateway(std::move(gateway))
{
}

bool Jobs::begin(JobState::Kind kind, const QString& title)
{
    m_state = {};
    m_state.kind = kind;
    m_state.title = title;
    m_state.started = QDateTime::currentDateTime();
    Q_EMIT stateChanged();
    return true;
}

void Jobs::end(base::Outcome outcome, const base::Error& error)
{
    m_state.kind = JobState::Kind::none;
    m_state.stop = JobState::Stop::no;
    m_state.phase.clear();
    m_state.current.clear();
    // The job has just committed; without this the window would show it only after the next poll.
    m_session.requestReading();
    Q_EMIT stateChanged();
    Q_EMIT finished(outcome, error);
}

void Jobs::add(Tone tone, const QString& text, bool isFailure)
{
    m_events.push_back({QDateTime::currentDateTime(), tone, text, isFailure});
    if (m_events.size() > kMaxEvents)
        m_events.pop_front();
    Q_EMIT eventAdded();
}

bool Jobs::importModel(const models::ImportRequest& request)
{
    if (m_state.busy())
        return false;
    runImport(request, std::nullopt);
    return true;
}

bool Jobs::tune(const models::ImportRequest& source, const study::StudyRequest& request)
{
    if (m_state.busy())
        return false;
    runImport(source, request);
    return true;
}

bool Jobs::startSweep(const study::StudyRequest& request)
{
    if (m_state.busy())
        return false;
    runSweep(request, theme::toQt(request.model.name));
    return true;
}

bool Jobs::resume(const study::ResumeRequest& request, const QString& title)
{
    if (m_state.busy())
        return false;
    runSweep(request, title);
    return true;
}

void Jobs::requestStop(JobState::Stop stop)
{
    if (!m_state.busy() || !m_switch)
        // A study still finishes the configuration that runs and checks afterCurrent then. Other jobs have no such
        // point.
        return;
    m_state.stop = stop;
    m_switch->afterCurrent = true;
    if (stop == JobState::Stop::now || m_state.kind != JobState::Kind::sweeping)
        m_switch->source.request_stop();
    add(Tone::warn,
        m_switch->source.stop_requested() ? tr("Stopping now.") : tr("Stopping after the current configuration."));
    Q_EMIT stateChanged();
}

void Jobs::runImport(const models::ImportRequest& request, std::optional<study::StudyRequest> then)
{
    m_import = request;
    const QString name = theme::toQt(request.name.empty() ? request.source : request.name);
    begin(JobState::Kind::importing, name);
    add(Tone::secondary, tr("Importing %1.").arg(theme::toQt(request.source)));
    m_switch = std::make_shared<StopSwitch>();
    m_tasks.start(
        this, QStringLiteral("job"),
        [this, gateway = m_gateway, file = m_session.file(), request, stop = m_switch](const TaskRunner::Scope& scope) {
            // The task has a stop token, too: it is stopped when the window closes.
            const std::stop_callback chain(scope.stop(), [stop] { stop->source.request_stop(); });
            const models::ExporterObserver observer = [this, &scope](const models::ExporterProgress& progress) {
                scope.post([this, progress] {
                    if (progress.isLog) {
                        add(Tone::tertiary, theme::toQt(progress.text));
                        return;
                    }
                    m_state.phase = theme::toQt(progress.text);
                    m_state.done = progress.step;
                    m_state.total = progress.total;
                    Q_EMIT stateChanged();
                });
            };
            return gateway->importModel(file, request, observer, stop->source.get_token());
        },
        [this, then = std::move(then)](base::Result<model::ModelRef> imported) {
            if (!imported) {
                const bool cancelled = imported.error().code == base::ErrorCode::cancelled;
                add(cancelled ? Tone::warn : Tone::bad,
                    cancelled ? tr("Import stopped.") : theme::fromCore(imported.error()), !cancelled);
                end(cancelled ? base::Outcome::cancelled : base::Outcome::failed, imported.error());
                return;
            }
            add(Tone::good, tr("Imported %1.").arg(theme::toQt(imported->name)));
            m_session.selectModel(imported->name);
            Q_EMIT modelImported(theme::toQt(imported->name));
            if (then) {
                study::StudyRequest sweep = *then;
                sweep.model = *imported;
                runSweep(sweep, theme::toQt(imported->name));
            } else {
                end(base::Outcome::done, {});
            }
        });
}

void Jobs::runSweep(std::variant<study::StudyRequest, study::ResumeRequest> what, const QString& title)
{
    begin(JobState::Kind::sweeping, title);
    m_switch = std::make_shared<StopSwitch>();
    m_tasks.start(
        this, QStringLiteral("job"),
        [this, gateway = m_gateway, file = m_session.file(), what = std::move(what),
         stop = m_switch](const TaskRunner::Scope& scope) {
            const std::stop_callback chain(scope.stop(), [stop] { stop->source.request_stop(); });
            const study::StudyObserver observer = [this, &scope, &stop](const study::StudyEvent& event) {
                if (event.kind == study::StudyEvent::Kind::trialFinished && stop->afterCurrent)
                    stop->source.request_stop();
                scope.post([this, update = copyOf(event)] {
                    using Kind = study::StudyEvent::Kind;
                    m_state.done = update.done;
                    m_state.total = update.total;
                    m_state.etaLow = update.etaLow;
                    m_state.etaHigh = update.etaHigh;
                    m_state.phase = update.phase.isEmpty() ? m_state.phase : update.phase;
                    m_state.current = update.configuration.isEmpty() ? m_state.current : update.configuration;
                    if (update.study)
                        m_state.study = update.study;
                    if (update.kind == Kind::studyStarted) {
                        add(Tone::secondary,
                            tr("Sweep started: %1.")
                                .arg(theme::counted(update.total, tr("configuration"), tr("configurations"))));
                        Q_EMIT sweepStarted(update.study);
                    } else if (update.kind == Kind::trialFinished) {
                        add(update.failed ? Tone::bad : Tone::text,
                            tr("%1: %2").arg(update.configuration, update.result), update.failed);
                    } else if (update.kind != Kind::studyFinished &&
                               !update.text.isEmpty()) { // the delivery below reports the end
                        add(Tone::secondary, update.text);
                    }
                    Q_EMIT stateChanged();
                });
            };
            return gateway->sweep(file, what, observer, stop->source.get_token());
        },
        [this](base::Result<base::Outcome> outcome) {
            if (!outcome) {
                add(Tone::bad, theme::fromCore(outcome.error()), true);
                end(base::Outcome::failed, outcome.error());
                return;
            }
            add(Tone::secondary, *outcome == base::Outcome::done ? tr("Sweep finished.") : tr("Sweep stopped."));
            end(*outcome, {});
        });
}

bool Jobs::confirmWhenQuiet(const model::StudySnapshot& snapshot)
{
    // What the study kept of its own budget was too little where nothing was confirmed.
    const auto budget =
        snapshot.shortlist.empty() ? std::optional<base::Nanoseconds>() : std::optional(model::kMoreBudget);
    return resume({snapshot.study.id, budget, model::kQuietWait}, theme::toQt(snapshot.study.name));
}

bool Jobs::putUnderLoad(model::TrialId trial, const QString& title, const workload::Scenario& scenario)
{
    if (m_state.busy())
        return false;
    begin(JobState::Kind::underLoad, title);
    m_state.trial = trial;
    const QString kind = fromCore(std::string(toString(scenario.kind)));
    add(Tone::secondary, tr("%1 is put under load: %2.").arg(title, kind));
    m_switch = std::make_shared<StopSwitch>();
    Q_EMIT stateChanged();
    m_tasks.start(
        this, QStringLiteral("job"),
        [this, gateway = m_gateway, file = m_session.file(), trial, scenario,
         stop = m_switch](const TaskRunner::Scope& scope) {
            // The job goes on as a sweep, without end(): no other job may begin in between.
            const std::stop_callback chain(scope.stop(), [stop] { stop->source.request_stop(); });
            LoadWatch watch;
            watch.phase = [this, &scope](study::Phase phase, const base::Message& figure) {
                scope.post([this, shown = figure.empty() || phase != study::Phase::serve ? phaseWord(phase)
                                                                                         : theme::fromCore(figure)] {
                    m_state.phase = shown;
                    Q_EMIT stateChanged();
                });
            };
            watch.progress = [this, &scope](double part, base::Nanoseconds least, base::Nanoseconds most) {
                scope.post([this, part, least, most] {
                    constexpr int kWhole = 1000;
                    m_state.done = static_cast<int>(part * kWhole);
                    m_state.total = kWhole;
                    m_state.etaLow = least;
                    m_state.etaHigh = most;
                    Q_EMIT stateChanged();
                });
            };
            return gateway->putUnderLoad(file, trial, scenario, watch, stop->source.get_token());
        },
        [this, title](base::Status result) {
            if (result) {
                add(Tone::good, tr("%1 was put under load; the Trial page shows the result.").arg(title));
                end(base::Outcome::done, {});
                return;
            }
            const bool cancelled = result.error().code == base::ErrorCode::cancelled;
            add(cancelled ? Tone::warn : Tone::bad,
                cancelled ? tr("The run under load was stopped.") : theme::fromCore(result.error()), !cancelled);
            end(cancelled ? base::Outcome::cancelled : base::Outcome::failed, result.error());
        });
    return true;
}

bool Jobs::measureClaims(const claims::ClaimPlan& plan, base::Nanoseconds budget)
{
    if (m_state.busy())
        return false;
    begin(JobState::Kind::measuringClaims, tr("Claims of guides"));
    add(Tone::secondary, tr("Measuring what claims of guides lack."));
    m_switch = std::make_shared<StopSwitch>();
    m_tasks.start(
        this, QStringLiteral("job"),
        [this, gateway = m_gateway, file = m_session.file(), plan, budget,
         stop = m_switch](const TaskRunner::Scope& scope) {
            const std::stop_callback chain(scope.stop(), [stop] { stop->source.request_stop(); });
            base::Nanoseconds after{}; // the most that the steps behind the running one take
            runs::ClaimWatch watch;
            watch.step = [&](std::size_t number, std::size_t total, const std::string& subject) {
                after = runs::timeAfterStep(plan, budget, number);
                scope.post([this, number, total, shown = theme::toQt(subject)] { showStep(number, total, shown); });
            };
            const auto showPhase = [this, &scope](const QString& phase) {
                scope.post([this, shown = phase] {
                    m_state.phase = shown;
                    Q_EMIT stateChanged();
                });
            };
            watch.import = [&showPhase](const models::ExporterProgress& progress) {
                if (!progress.isLog)
                    showPhase(theme::toQt(progress.text));
            };
            watch.phase = [&showPhase](study::Phase phase, const base::Message&) { showPhase(phaseWord(phase)); };
            watch.study = [this, &scope, &after](const study::StudyEvent& event) {
                scope.post([this, update = copyOf(event), after] {
                    m_state.phase = update.phase.isEmpty() ? m_state.phase : update.phase;
                    if (update.etaHigh) {
                        m_state.etaLow = update.etaLow;
                        m_state.etaHigh = base::Nanoseconds{update.etaHigh->count + after.count};
                    }
                    if (update.kind == study::StudyEvent::Kind::trialFinished)
                        add(update.failed ? Tone::bad : Tone::text,
                            tr("%1: %2").arg(update.configuration, update.result), update.failed);
                    Q_EMIT stateChanged();
                });
            };
            return gateway->measureClaims(file, plan, budget, watch, stop->source.get_token());
        },
        [this](base::Result<runs::MeasuredClaims> measured) { endClaims(measured); });
    return true;
}

void Jobs::showStep(std::size_t number, std::size_t total, const QString& subject)
{
    m_state.done = static_cast<int>(number) - 1;
    m_state.total = static_cast<int>(total);
    m_state.current = subject;
    m_state.phase.clear();
    m_state.etaLow.reset();
    m_state.etaHigh.reset();
    add(Tone::secondary, tr("%1 of %2: %3").arg(number).arg(m_state.total).arg(subject));
    Q_EMIT stateChanged();
}

void Jobs::endClaims(const base::Result<runs::MeasuredClaims>& measured)
{
    if (!measured) {
        add(Tone::bad, theme::fromCore(measured.error()), true);
        end(base::Outcome::failed, measured.error());
        return;
    }
    for (const auto& [subject, error] : measured->failures)
        add(Tone::bad, tr("%1: %2").arg(theme::toQt(subject), theme::fromCore(error)), true);
    add(measured->interrupted ? Tone::warn : Tone::good,
        measured->interrupted
            ? tr("Stopped. What was measured is stored; the claims that are left can be measured later.")
            : tr("Measured; the page Claims shows the result."));
    if (measured->interrupted)
        end(base::Outcome::cancelled, {});
    else if (!measured->failures.empty())
        end(base::Outcome::failed, measured->failures.front().second);
    else
        end(base::Outcome::done, {});
}

} // namespace apertune::gui
