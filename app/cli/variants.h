// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "app/cli/tune_options.h"
#include "core/engine/workbench.h"

namespace apertune::cli {

/// Runs a study of the model and one of each variant, dividing the budget among them, and compares them. Variants are
/// imported before anything is measured, so that one that does not fit is told at once. Each study holds one model, as
/// the store has it; the quality of all is measured against the outputs of the model itself. Returns the exit code.
int tuneVariants(engine::Workbench& workbench, const Tune& options, Session& session);

} // namespace apertune::cli
