// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/presenters/job_state.h"
#include "core/model/study.h"
#include "widgets/plots/sample_plots.h"

#include <QString>

#include <vector>

namespace apertune::gui {

/// The best throughput after each measured trial, in the order in which they finished. Only trials within the goal
/// count as best.
std::vector<plots::ProgressPlot::Step> bestSoFar(const model::StudySnapshot& snapshot);

/// The number of configurations of a study that were planned to run.
int runnableConfigurations(const model::StudySnapshot& snapshot);

/// The events of a study, derived from its trials, oldest first. For sweeps that another program runs or ran.
std::vector<JobEvent> eventsOf(const model::StudySnapshot& snapshot);

/// The progress of a sweep, from a job of this window or, when another program runs it, from the study itself.
struct LiveProgress
{
    bool active = false; ///< a sweep runs, here or elsewhere
    bool ours = false;   ///< this window can stop it
    int done = 0;
    int total = 0;
    QString headline; ///< "7 of 16 configurations · 2–3 min left"
    QString detail;   ///< "O2 bf16 b4 on cpu · measure"
};

LiveProgress makeLiveProgress(const JobState& job, const model::StudySnapshot* snapshot);

/// The summary of a sweep that does not run: it was interrupted or has finished.
struct LiveSummary
{
    int done = 0; ///< configurations in a final state
    int total = 0;
    QString headline; ///< "Finished: 10 of 24 configurations measured"
    QString detail;   ///< reason why configurations were left out, and what to do; may be empty
};

LiveSummary makeLiveSummary(const model::StudySnapshot& snapshot);

/// "2–3 min left", or "estimating …" without an estimate.
QString etaText(const std::optional<base::Nanoseconds>& low, const std::optional<base::Nanoseconds>& high);

/// "Measuring claims · 3 of 12: resnet50 · 2–5 min left"
QString claimsJobText(const JobState& job);

} // namespace apertune::gui
