// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/load_watch.h"
#include "core/base/json.h"

namespace apertune::cli {

/// Corrects what an exported program says of its measurement ("apertune.verification/1") by what it does not know, and
/// writes `verdict`, `tolerance`, `load` and `notes` into the document:
///  - a slower time on a busy machine is `cannot_tell`, unless the outputs are others, too;
///  - the tolerance is report::kMostTolerance at most, also of folders that earlier versions wrote. What is beyond it
///  is
///    `outside` when it is beyond the interval of the trial, too, else `cannot_tell`.
/// Throws base::Json::exception when the document is damaged.
void judgeEnvelope(base::Json& document, const MachineLoad& load);

} // namespace apertune::cli
