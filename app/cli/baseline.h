// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/base/result.h"
#include "core/store/store.h"

#include <functional>
#include <string>

namespace apertune::cli {

/// Changes the star of the trial that `text` names, and shows the trials that are baselines then. `change` stores the
/// change and `said` is the sentence about it after the trial's id. Returns the exit code.
int changeBaseline(const std::string& text, const std::function<base::Status(store::Store&, model::TrialId)>& change,
                   const std::string& said, Session& session);

} // namespace apertune::cli
