// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <filesystem>
#include <vector>

namespace apertune::sandbox {

/// The rights of a child. Besides, every child may read the system's libraries and the machine's facts (/usr, /proc,
/// /sys, the harmless part of /etc). Paths that do not exist are left out. Symbolic links stand for their targets.
struct Profile
{
    std::vector<std::filesystem::path> read{}; ///< files, and folders with all that is below them
    /// Folders with code of the user. Entries of them whose names begin with a dot, which often hold keys and
    /// passwords, cannot be read.
    std::vector<std::filesystem::path> projects{};
    /// Files, and folders with all that is below them. Files may be created and removed there, but not executed.
    std::vector<std::filesystem::path> write{};
    bool programs = false; ///< it may start other programs and processes (a compiler, say)
    bool gpu = false;      ///< it may open the devices of GPUs
    base::Bytes memory{};  ///< largest private memory of one process; 0: no limit
};

} // namespace apertune::sandbox
