// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"
#include "core/base/result.h"

#include <string>

namespace apertune::cli {

/// Asks on the terminal whether to continue, and returns the answer; a refusal is noted. With `yes` it does not ask and
/// returns true.
/// Failures: invalidArgument (there is no terminal to ask on).
base::Result<bool> confirmed(const std::string& question, bool yes, Session& session);

} // namespace apertune::cli
