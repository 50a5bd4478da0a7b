// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <string>

namespace apertune::cli {

/// Stars the trial that `text` names, or removes its star. Returns the exit code.
int setBaseline(const std::string& text, bool starred, Session& session);

} // namespace apertune::cli
