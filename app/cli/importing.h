// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/terminal.h"
#include "core/engine/workbench.h"
#include "core/models/model_library.h"

#include <filesystem>
#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace apertune::cli {

/// Adds --import-timeout and --import-memory.
void addImportLimits(CLI::App& verb, models::ImportLimits& limits, const std::string& group = "Options");

/// An observer that shows the progress of the exporter.
models::ExporterObserver importObserver(Terminal& terminal);

/// Opens an existing workspace for reading, so that errors in the arguments are reported before anything is written.
/// Where there is none that can be read, it is opened for writing.
base::Result<std::unique_ptr<engine::Workbench>> openToAsk(const std::filesystem::path& workspace);

} // namespace apertune::cli
