// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/terminal.h"
#include "core/models/model_library.h"

#include <string>

namespace CLI {
class App;
}

namespace apertune::cli {

/// Adds --import-timeout and --import-memory.
void addImportLimits(CLI::App& verb, models::ImportLimits& limits, const std::string& group = "Options");

/// An observer that shows the progress of the exporter.
models::ExporterObserver importObserver(Terminal& terminal);

} // namespace apertune::cli
