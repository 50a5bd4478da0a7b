// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/lookup.h"
#include "app/cli/session.h"
#include "core/engine/workbench.h"

namespace apertune::cli {

// Helpers of verbs that run a stored trial once more.

/// A workspace, and the trial in it that a verb works on.
struct OpenedTrial
{
    std::unique_ptr<engine::Workbench> workbench;
    FoundTrial found;
    std::string name() const; ///< "t3  O1 fp32 batch 4"
};

/// Opens the workspace and finds the trial. Failures: those of Workbench::open() and of findTrial(), unsupported (an
/// imported trial).
base::Result<OpenedTrial> openTrial(const Common& common, const std::string& trial,
                                    store::OpenMode mode = store::OpenMode::readWrite);

/// Shows the phases of a run in the status line: "measure …", "pair 3 of 20 …". They stand behind `what` if it is
/// given.
///
/// REQUIRES: `terminal` outlives the result.
study::PhaseSink statusOf(Terminal& terminal, const std::string& what = {});

/// Shows an error and returns the exit code. A model that started and then failed is no error of the call.
int failRun(Terminal& terminal, const base::Error& error);

} // namespace apertune::cli
