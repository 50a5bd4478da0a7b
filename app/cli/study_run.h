// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/engine/workbench.h"

namespace apertune::cli {

/// A study that was measured.
struct StudyRun
{
    model::StudySnapshot snapshot;
    bool interrupted = false; ///< by Ctrl-C; what was measured is kept
};

/// Measures `request` and shows progress. Failures: those of the runner; cancelled before there was a study.
base::Result<StudyRun> runStudy(engine::Workbench& workbench, const study::StudyRequest& request, Session& session);

/// The study that a runner left after `outcome`. Failures: as above.
base::Result<StudyRun> studyRunOf(const base::Result<base::Outcome>& outcome, const study::StudyRunner& runner,
                                  engine::Workbench& workbench);

} // namespace apertune::cli
