// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/terminal.h"
#include "core/engine/cell_run.h"

namespace apertune::cli {

/// What verbs that run a stored trial once more have in common.

/// Shows what a run is doing in the status line: "measure …", "pair 3 of 20 …". `terminal` outlives it.
engine::PhaseSink statusOf(Terminal& terminal);

/// The error on stderr, and the exit code: a model that was started and did not get through is no mistake of the call.
int failRun(Terminal& terminal, const base::Error& error);

} // namespace apertune::cli
