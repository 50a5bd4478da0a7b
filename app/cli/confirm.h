// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <string>

namespace apertune::cli {

/// Asks whether to continue, and returns the answer. It asks only on a terminal and without `yes`; otherwise it returns
/// true, because the command itself is the answer. A refusal is noted.
bool confirmed(const std::string& question, bool yes, Session& session);

} // namespace apertune::cli
