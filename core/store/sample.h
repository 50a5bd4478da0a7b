// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace apertune::store {

/// Returns the workspace that is installed to be looked at: a finished study and traces (resources/sample).
std::filesystem::path sampleWorkspace();

/// Writes a copy of it, because the installed file is not written to. Missing folders are created.
/// Failures: those of Store::open, invalidArgument (`target` exists), io.
base::Status copySample(const std::filesystem::path& target);

} // namespace apertune::store
