// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include <string>

namespace apertune::cli {

/// Whether to go on: asked on a terminal, unless `yes`; elsewhere the command itself is the answer. A refusal is noted.
bool confirmed(const std::string& question, bool yes, Session& session);

} // namespace apertune::cli
