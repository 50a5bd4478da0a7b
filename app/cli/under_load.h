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

/// A number as a person types it, without the zeros of a measured one: 25, 99.9.
std::string plainNumber(double value);
/// "p99"
std::string percentileName(double p);

/// Remarks, before the time is spent, that a run is too short for its percentile.
void noteTooFew(Terminal& terminal, const workload::Scenario& scenario);

/// What came of putUnderLoad().
struct UnderLoad
{
    std::string table; ///< empty: nothing was run
    bool interrupted = false;
};

/// Puts the best trials of a study under each load of `tune --scenario` and keeps the results in the workspace. Trials
/// that cannot be put under a load are noted on the terminal.
UnderLoad putUnderLoad(engine::Workbench& workbench, const model::StudySnapshot& snapshot, const Tune& options,
                       Session& session, base::Json& documents);

} // namespace apertune::cli
