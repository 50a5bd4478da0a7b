// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/thresholds.h"

#include <string>

namespace CLI {
class App;
}

namespace apertune::cli {

/// Adds --rules FILE.
///
/// REQUIRES: `file` outlives the parse.
void addRulesFile(CLI::App& app, std::string& file);

/// Returns the thresholds of that file; the defaults where none was given. Failures: those of
/// advice::readThresholds().
base::Result<advice::Thresholds> thresholdsOf(const std::string& file);

} // namespace apertune::cli
