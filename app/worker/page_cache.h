// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace apertune::worker {

/// Asks the kernel to drop a file, or all files of a folder, from the page cache (posix_fadvise DONTNEED), which needs
/// no privilege. Returns the share of their bytes that stayed in memory, by mincore(2): pages that another process has
/// mapped stay, and so does everything on a file system in memory (tmpfs). 1 where nothing could be asked.
double dropFromPageCache(const std::filesystem::path& path);

/// A start counts as cold when at most this share of the model's bytes stayed in memory.
inline constexpr double kMostResident = 0.02;

} // namespace apertune::worker
