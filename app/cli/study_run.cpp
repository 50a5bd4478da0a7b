// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_run.h"

#include "app/cli/progress.h"

namespace apertune::cli {

using base::Outcome;

base::Result<StudyRun> studyRunOf(const base::Result<Outcome>& outcome, const study::StudyRunner& runner,
                                  engine::Workbench& workbench)
{
    if (!outcome)
        return outcome.error();
    // It was interrupted before there was a study, so there is nothing to show.
    if (!runner.studyId())
        return base::plainError(base::ErrorCode::cancelled, "Interrupted.");
    auto snapshot = study::loadStudy(workbench.store(), runner.studyId());
    if (!snapshot)
        return snapshot.error();
    return StudyRun{std::move(*snapshot), *outcome == Outcome::cancelled};
}

base::Result<StudyRun> runStudy(engine::Workbench& workbench, const study::StudyRequest& request, Session& session)
{
    const auto runner = workbench.makeRunner();
    Progress progress(session.terminal);
    const auto outcome = runner->run(request, std::ref(progress), session.interrupt.token());
    return studyRunOf(outcome, *runner, workbench);
}

} // namespace apertune::cli
