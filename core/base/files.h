// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace apertune::base {

/// Returns the folder above bin/ of the running program. Build tree, installed prefix and bundle have the same layout:
/// bin/, lib/apertune/plugins, share/apertune.
std::filesystem::path installPrefix();

/// Return $XDG_DATA_HOME/apertune and $XDG_CACHE_HOME/apertune, with their usual defaults. They create no folder.
std::filesystem::path userDataDir();
std::filesystem::path userCacheDir();

/// Returns the workspace that commands use where none is named: default.apertune in userDataDir().
std::filesystem::path defaultWorkspace();

/// Reads a whole file as bytes; of a longer one, the first `most` bytes.
/// Failures: notFound, io, invalidArgument (a folder).
Result<std::string> readFile(const std::filesystem::path& file,
                             std::size_t most = std::numeric_limits<std::size_t>::max());

/// Replaces the content of a file. Readers see the old or the new content, never a part of it.
///  - The bytes are written to a temporary file in the same folder, which is synced and renamed.
///  - Missing folders are created.
///  - A symbolic link stays; its target is replaced.
///  - A pipe or a device is not replaced but written to.
///
/// Failures: io (disk full, permission, a folder).
Status writeFileAtomically(const std::filesystem::path& file, std::string_view bytes);

} // namespace apertune::base
