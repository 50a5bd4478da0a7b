// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/lookup.h"
#include "app/cli/session.h"
#include "core/engine/workbench.h"

namespace apertune::cli {

/// What verbs that run a stored trial once more have in common.

/// A workspace, and the trial in it that a verb is about.
struct OpenedTrial
{
    std::unique_ptr<engine::Workbench> workbench;
    FoundTrial found;
    std::string name() const; ///< "t3  O1 fp32 batch 4"
};

/// Failures: those of Workbench::open() and of findTrial().
base::Result<OpenedTrial> openTrial(const Common& common, const std::string& trial,
                                    store::OpenMode mode = store::OpenMode::readWrite);

/// Shows what a run is doing in the status line: "measure …", "pair 3 of 20 …", after `what` where that is given.
/// `terminal` outlives it.
study::PhaseSink statusOf(Terminal& terminal, const std::string& what = {});

/// The error on stderr, and the exit code: a model that was started and did not get through is no mistake of the call.
int failRun(Terminal& terminal, const base::Error& error);

} // namespace apertune::cli
