// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace apertune::exports {

/// One file of an export.
struct ExportFile
{
    std::filesystem::path path;       ///< relative to the export folder
    std::string content;              ///< text; empty when copied
    std::filesystem::path copyFrom{}; ///< a file of the artifact to copy instead
};

} // namespace apertune::exports
