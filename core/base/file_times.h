// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace apertune::base {

/// Now, by the coarse clock that file systems stamp by: nanoseconds since 1970.
std::int64_t fileClockNow();

/// Whether a folder is as mkdtemp() leaves it, the user's own and closed to others, and was made no earlier than
/// `since` (fileClockNow()). False where the file system does not tell when it was made, and of a link to one.
bool isTemporaryDirSince(const std::filesystem::path& folder, std::int64_t since);

} // namespace apertune::base
