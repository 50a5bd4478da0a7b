// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/importing.h"

#include "app/cli/options.h"

namespace apertune::cli {

void addImportLimits(CLI::App& verb, models::ImportLimits& limits, const std::string& group)
{
    addTime(verb, "--import-timeout", limits.time, "Time limit of an import; 0 for no limit (default: 30m)")
        ->group(group);
    addSize(verb, "--import-memory", limits.memory, "Memory limit of an import (default: 90 % of the machine's)")
        ->group(group);
}

models::ExporterObserver importObserver(Terminal& terminal)
{
    return [&terminal](const models::ExporterProgress& progress) {
        if (progress.isLog) {
            terminal.note("  " + progress.text);
            return;
        }
        const std::string step = progress.total > 0 ? "[" + std::to_string(progress.step) + "/" +
                                                          std::to_string(progress.total) + "] " + progress.text
                                                    : progress.text;
        if (terminal.hasStatusLine())
            terminal.status(step);
        else
            terminal.note(step);
    };
}

base::Result<std::unique_ptr<engine::Workbench>> openToAsk(const std::filesystem::path& workspace)
{
    auto reading = engine::Workbench::open(workspace, store::OpenMode::readOnly);
    return reading ? std::move(reading) : engine::Workbench::open(workspace);
}

} // namespace apertune::cli
