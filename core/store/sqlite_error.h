// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <filesystem>

namespace apertune::store {

/// Returns the user's sentence for a failed call of SQLite. `systemError` is the errno behind it, or 0.
base::Error sqliteError(int extendedCode, int systemError, const char* message, const std::filesystem::path& file);

} // namespace apertune::store
