// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "app/cli/tune_options.h"
#include "core/engine/workbench.h"

namespace apertune::cli {

/// Runs a study of the model for each image size, dividing the budget among them, and shows the best result of each
/// size. They are separate studies, because outputs of different sizes cannot be compared. Returns the exit code.
int tuneSizes(engine::Workbench& workbench, const Tune& options, Session& session);

} // namespace apertune::cli
