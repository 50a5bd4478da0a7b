// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/report/exporter.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace apertune::report {

/// Checks a folder with the files of an export before it gets its final name.
using ExportFolderCheck = std::function<base::Status(const std::filesystem::path& written)>;

/// Writes the planned files into `dir`, which is created. It has to be empty or absent unless `overwrite` is true.
/// Either all files are written or none: when `checkFolder` fails, its failure is returned and nothing has changed.
base::Status writeExport(const std::vector<ExportFile>& files, const std::filesystem::path& dir, bool overwrite,
                         const ExportFolderCheck& checkFolder = {});

} // namespace apertune::report
