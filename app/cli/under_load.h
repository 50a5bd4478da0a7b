// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "app/cli/tune_options.h"
#include "core/base/json.h"
#include "core/engine/workbench.h"
#include "core/model/study.h"
#include "core/workload/load/scenario.h"

#include <string>

namespace apertune::cli {

/// Notes before the run if it is too short for its percentile.
void noteTooFew(Terminal& terminal, const workload::Scenario& scenario);

/// The result of putUnderLoad().
struct UnderLoad
{
    std::string table; ///< empty: nothing ran
    bool interrupted = false;
};

/// Measures the best configurations of a study beside a competing program (`tune --robust`) and stores the result.
/// Returns the text to show, and the result's document in `document`. On failure the text is empty and the terminal has
/// a note.
std::string measureRobustness(engine::Workbench& workbench, const model::StudySnapshot& snapshot, Session& session,
                              base::Json& document);

/// Runs each load scenario of `tune --scenario` on the best trials of a study and stores the results in the workspace.
/// Trials that cannot run a scenario are noted on the terminal.
UnderLoad putUnderLoad(engine::Workbench& workbench, const model::StudySnapshot& snapshot, const Tune& options,
                       Session& session, base::Json& documents);

} // namespace apertune::cli
