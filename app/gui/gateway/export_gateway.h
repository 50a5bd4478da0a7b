// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/load_task.h"
#include "core/base/result.h"
#include "core/exports/exporter.h"
#include "core/model/study.h"
#include "core/models/exported_program.h"

#include <filesystem>
#include <stop_token>
#include <vector>

namespace apertune::gui {

/// Exports trials as programs. The thread rule and the failures are those of StudyGateway.
class ExportGateway
{
public:
    virtual ~ExportGateway() = default;

    /// The files of an export of a trial. Compiles the package of an O3 trial when it is not cached. With `allBatches`
    /// the program also takes the batches of exports::otherBatches().
    virtual base::Result<std::vector<exports::ExportFile>>
    planExport(const std::filesystem::path& file, const model::StudySnapshot& snapshot, model::TrialId trial,
               exports::ExportTarget target, bool allBatches, std::stop_token stop) = 0;

    /// Writes the files and runs the program once, before the folder gets its name: a program that does not run is not
    /// written. `task.step` is called with each step. Returns the result of the check.
    virtual base::Result<models::ExportCheck> writeExport(const std::vector<exports::ExportFile>& files,
                                                          const model::StudySnapshot& snapshot, model::TrialId trial,
                                                          const std::filesystem::path& dir, bool overwrite,
                                                          const LoadTask& task) = 0;
};

} // namespace apertune::gui
