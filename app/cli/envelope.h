// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/load_watch.h"
#include "core/base/json.h"

namespace apertune::cli {

/// Corrects the verdict of an exported program about its own measurement ("apertune.verification/1") with facts that
/// the program does not have. Writes `verdict`, `tolerance`, `load` and `notes` into the document:
///
/// * A slower time on a busy machine is `cannot_tell`, unless the outputs differ, too.
/// * The tolerance is report::kMostTolerance at most, also for folders that earlier versions wrote. A time beyond it is
///   `outside` if it is also beyond the interval of the trial, else `cannot_tell`.
///
/// Throws base::Json::exception when the document is damaged.
void judgeEnvelope(base::Json& document, const MachineLoad& load);

} // namespace apertune::cli
