// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "app/cli/tune_options.h"
#include "core/engine/workbench.h"

namespace apertune::cli {

/// Measures the same model at one image size after the other, with the budget shared out, and shows what each size
/// allows. Each size is a study of its own, because outputs of different sizes cannot be compared. Returns the exit
/// code.
int tuneSizes(engine::Workbench& workbench, const Tune& options, Session& session);

} // namespace apertune::cli
