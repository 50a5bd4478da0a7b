// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/gateway/load_task.h"
#include "core/base/result.h"
#include "core/model/study.h"
#include "core/models/exported_program.h"
#include "core/report/exporter.h"

#include <filesystem>
#include <stop_token>
#include <vector>

namespace apertune::gui {

/// Turns trials into programs. Threads and failures: as StudyGateway.
class ExportGateway
{
public:
    virtual ~ExportGateway() = default;

    /// The files an export of a trial would consist of; compiles the package of an O3 trial when it is not cached.
    /// `allBatches`: with those of report::otherBatches() in it.
    virtual base::Result<std::vector<report::ExportFile>> planExport(const std::filesystem::path& file,
                                                                     const model::StudySnapshot& snapshot,
                                                                     model::TrialId trial, report::ExportTarget target,
                                                                     bool allBatches, std::stop_token stop) = 0;

    /// Writes those files and runs the program that they are once, before the folder has its name: one that does not
    /// run is not written. `task.phase` names each step. Returns what the check of the program showed.
    virtual base::Result<models::ExportCheck> writeExport(const std::vector<report::ExportFile>& files,
                                                          const model::StudySnapshot& snapshot, model::TrialId trial,
                                                          const std::filesystem::path& dir, bool overwrite,
                                                          const LoadTask& task) = 0;
};

} // namespace apertune::gui
