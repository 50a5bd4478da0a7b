// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/engine/workbench.h"

namespace apertune::cli {

/// A measured study.
struct StudyRun
{
    model::StudySnapshot snapshot;
    bool interrupted = false; ///< stopped by Ctrl-C; the results so far are stored
};

/// Runs a study and shows its progress. Failures: those of the runner; cancelled if it was stopped before there was a
/// study.
base::Result<StudyRun> runStudy(engine::Workbench& workbench, const study::StudyRequest& request, Session& session);

/// Loads the study that a runner left after `outcome`. Failures: as above.
base::Result<StudyRun> studyRunOf(const base::Result<base::Outcome>& outcome, const study::StudyRunner& runner,
                                  engine::Workbench& workbench);

} // namespace apertune::cli
