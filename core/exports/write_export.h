// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/exports/exporter.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace apertune::exports {

/// Checks a folder with the files of an export before it gets its final name. Returns files to add: the record of what
/// was checked.
using ExportFolderCheck = std::function<base::Result<std::vector<ExportFile>>(const std::filesystem::path& written)>;

/// Writes the planned files into `dir`, which is created, with those that `checkFolder` adds and a manifest of all of
/// them (export_manifest.h). `dir` has to be empty or absent unless `overwrite` is true. Returns the names of the
/// written files, relative to `dir`.
/// Either all files are written or none: when `checkFolder` fails, its failure is returned and nothing has changed.
base::Result<std::vector<std::filesystem::path>> writeExport(const std::vector<ExportFile>& files,
                                                             const std::filesystem::path& dir, bool overwrite,
                                                             const ExportFolderCheck& checkFolder = {});

} // namespace apertune::exports
