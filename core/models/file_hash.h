// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace apertune::models {

/// Returns the SHA-256 of a file. The process reads the file once while its inode, size and times stay the same.
/// Threads: any.
/// Failures: those of base::sha256File().
base::Result<std::string> fileHash(const std::filesystem::path& file);

} // namespace apertune::models
