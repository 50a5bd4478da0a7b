// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/options.h"
#include "app/cli/terminal.h"
#include "app/cli/verbs.h"
#include "core/engine/workbench.h"

namespace apertune::cli {

/// What verbs that measure a new study have in common.

struct StudyRun
{
    model::StudySnapshot snapshot;
    bool interrupted = false; ///< by Ctrl-C; what was measured is kept
};

/// Measures `request`, showing progress. Failures: those of the runner; cancelled before there was a study.
base::Result<StudyRun> runStudy(engine::Workbench& workbench, const study::StudyRequest& request, Session& session);

/// The same model at one image size after the other, the budget shared out; tells what each size allows. Each is a
/// study of its own: outputs of different sizes cannot be held against each other. The exit code.
int tuneSizes(engine::Workbench& workbench, const Tune& options, Session& session);

} // namespace apertune::cli
