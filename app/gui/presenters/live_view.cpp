// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/live_view.h"

#include "app/gui/presenters/tradeoffs_view.h"
#include "core/search/recommend.h"
#include "core/text/format.h"
#include "widgets/tables/trial_columns.h"
#include "widgets/theme/format.h"

#include <algorithm>

namespace apertune::gui {

std::vector<plots::ProgressPlot::Step> bestSoFar(const model::StudySnapshot& snapshot)
{
    std::vector<const model::Trial*> measured;
    for (const model::Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok)
            measured.push_back(&trial);
    // Trials run side by side on several devices, so their numbers are not the order in which they ended.
    std::stable_sort(measured.begin(), measured.end(),
                     [](const auto* a, const auto* b) { return a->finishedUtc < b->finishedUtc; });
    const QString unit = theme::throughputUnit(snapshot.study.model);
    std::vector<plots::ProgressPlot::Step> steps;
    const model::ConfigurationNames names(snapshot.trials);
    double best = 0;
    for (const model::Trial* trial : measured) {
        const double value = trial->measurement.throughput.value;
        // A fast trial outside of the goal is a point, but not the best one.
        if (search::isEligible(*trial, snapshot.study.goal))
            best = std::max(best, value);
        steps.push_back(
            {trial->id.value, value, best,
             tables::trialToolTip(*trial, theme::toQt(names.of(*trial)), deviceTypeOf(snapshot, *trial), unit)});
    }
    return steps;
}

int runnableConfigurations(const model::StudySnapshot& snapshot)
{
    return static_cast<int>(
        std::count_if(snapshot.trials.begin(), snapshot.trials.end(),
                      [](const model::Trial& trial) { return trial.state != model::TrialState::pruned; }));
}

std::vector<JobEvent> eventsOf(const model::StudySnapshot& snapshot)
{
    std::vector<const model::Trial*> finished;
    for (const model::Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok || trial.state == model::TrialState::failed)
            finished.push_back(&trial);
    std::stable_sort(finished.begin(), finished.end(),
                     [](const auto* a, const auto* b) { return a->finishedUtc < b->finishedUtc; });
    const text::ConfigurationNames names(snapshot);
    std::vector<JobEvent> events;
    for (const model::Trial* trial : finished) {
        const bool failed = trial->state == model::TrialState::failed;
        const QString result = failed
                                   ? tables::stateText(*trial)
                                   : QObject::tr("%1 ms/pass %2")
                                         .arg(theme::number(trial->measurement.latencyNs.value * 1e-6),
                                              theme::certainty(trial->measurement.latencyNs, 1e-6, QObject::tr("ms")));
        events.push_back({theme::parseUtc(trial->finishedUtc).toLocalTime(),
                          failed ? controls::Tone::bad : controls::Tone::text,
                          QObject::tr("%1: %2").arg(theme::toQt(names.shortName(*trial)), result), failed});
    }
    return events;
}

QString etaText(const std::optional<base::Nanoseconds>& low, const std::optional<base::Nanoseconds>& high)
{
    if (!low || !high)
        return QObject::tr("estimating …");
    const double lo = low->seconds();
    const double hi = high->seconds();
    // Above a minute and a half, seconds would claim a precision that the estimate lacks.
    if (hi < 90) {
        return QObject::tr("%1–%2 s left")
            // The lower end is rounded to the nearest second, the upper one up, and neither is 0 while work is left.
            .arg(std::max(1, static_cast<int>(lo + 0.5)))
            .arg(std::max(1, static_cast<int>(hi + 0.999)));
    }
    return QObject::tr("%1–%2 min left").arg(static_cast<int>(lo / 60)).arg(static_cast<int>(hi / 60 + 0.999));
}

QString claimsJobText(const JobState& job)
{
    if (job.stop != JobState::Stop::no)
        return QObject::tr("Measuring claims · stopping");
    if (job.total == 0)
        return QObject::tr("Measuring claims · starting");
    return QObject::tr("Measuring claims · %1 of %2: %3 · %4")
        .arg(job.done + 1)
        .arg(job.total)
        .arg(job.current, etaText(job.etaLow, job.etaHigh));
}

LiveProgress makeLiveProgress(const JobState& job, const model::StudySnapshot* snapshot)
{
    LiveProgress progress;
    progress.ours = job.busy();
    if (job.kind == JobState::Kind::importing) {
        progress.active = true;
        progress.done = job.done;
        progress.total = job.total;
        progress.headline = QObject::tr("Importing %1").arg(job.title);
        progress.detail = job.phase;
        return progress;
    }
    if (job.kind == JobState::Kind::underLoad) {
        progress.active = true;
        progress.done = job.done;
        progress.total = job.total;
        progress.headline = job.stop == JobState::Stop::no
                                ? QObject::tr("%1 under load · %2").arg(job.title, etaText(job.etaLow, job.etaHigh))
                                : QObject::tr("%1 under load · stopping").arg(job.title);
        progress.detail = job.phase;
        return progress;
    }
    if (job.kind == JobState::Kind::measuringClaims) {
        progress.active = true;
        progress.done = job.done;
        progress.total = job.total;
        progress.headline = claimsJobText(job);
        progress.detail = job.phase;
        return progress;
    }
    if (job.kind == JobState::Kind::sweeping) {
        progress.active = true;
        progress.done = job.done;
        progress.total = job.total;
        progress.headline = job.total > 0 ? QObject::tr("%1 of %2 configurations · %3")
                                                .arg(job.done)
                                                .arg(job.total)
                                                .arg(etaText(job.etaLow, job.etaHigh))
                                          : QObject::tr("Planning the sweep");
        if (job.stop == JobState::Stop::afterCurrent)
            progress.headline += QObject::tr(" · stopping after the current configuration");
        else if (job.stop == JobState::Stop::now)
            progress.headline += QObject::tr(" · stopping");
        progress.detail = job.current;
        if (!job.phase.isEmpty())
            progress.detail += (progress.detail.isEmpty() ? QString() : QStringLiteral(" · ")) + job.phase;
        return progress;
    }
    if (snapshot && snapshot->study.state == model::StudyState::running) {
        progress.active = true;
        progress.total = static_cast<int>(snapshot->trials.size());
        for (const model::Trial& trial : snapshot->trials) {
            progress.done += model::isFinal(trial.state) ? 1 : 0;
            if (trial.state == model::TrialState::running)
                progress.detail = configurationName(*snapshot, trial);
        }
        const bool own =
            job.study && job.study == snapshot->study.id; // the study of our own job, whose end was not read yet
        progress.headline = own ? QObject::tr("%1 of %2 configurations · ending").arg(progress.done).arg(progress.total)
                                : QObject::tr("%1 of %2 configurations · run by another program")
                                      .arg(progress.done)
                                      .arg(progress.total);
    }
    return progress;
}

LiveSummary makeLiveSummary(const model::StudySnapshot& snapshot)
{
    LiveSummary summary;
    summary.total = static_cast<int>(snapshot.trials.size());
    int measured = 0;
    int outOfTime = 0;
    for (const model::Trial& trial : snapshot.trials) {
        summary.done += model::isFinal(trial.state) ? 1 : 0;
        measured += trial.state == model::TrialState::ok ? 1 : 0;
        outOfTime += trial.state == model::TrialState::pruned && trial.reason.kind == model::ReasonKind::budget ? 1 : 0;
    }
    if (summary.done < summary.total) {
        summary.headline =
            QObject::tr("Interrupted: %1 of %2 done")
                .arg(summary.done)
                .arg(theme::counted(summary.total, QObject::tr("configuration"), QObject::tr("configurations")));
        return summary;
    }
    summary.headline =
        QObject::tr("Finished: %1 of %2 measured")
            .arg(measured)
            .arg(theme::counted(summary.total, QObject::tr("configuration"), QObject::tr("configurations")));
    if (outOfTime > 0) {
        summary.detail =
            QObject::tr("%1 left out when the measuring time was spent; the Sweep page gives it more")
                .arg(theme::counted(outOfTime, QObject::tr("configuration was"), QObject::tr("configurations were")));
    }
    return summary;
}

} // namespace apertune::gui
