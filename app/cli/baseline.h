// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <string>

namespace apertune::cli {

/// Marks the trial that `text` names as a baseline, or takes the mark away. Returns the exit code.
int setBaseline(const std::string& text, bool starred, Session& session);

} // namespace apertune::cli
