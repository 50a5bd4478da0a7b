// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace apertune::base {

/// Returns the time of the coarse clock that file systems use for time stamps, in nanoseconds since 1970.
std::int64_t fileClockNow();

/// Returns whether a folder looks as if mkdtemp() created it (owned by the user, closed to others) and was created no
/// earlier than `since` (a time of fileClockNow()). It returns false for a symbolic link, and where the file system
/// does not record creation times.
bool isTemporaryDirSince(const std::filesystem::path& folder, std::int64_t since);

} // namespace apertune::base
