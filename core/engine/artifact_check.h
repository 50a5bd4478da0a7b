// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/model_ref.h"

#include <filesystem>

namespace apertune::engine {

/// Whether the files that a manifest lists are there and hold what it gives the size and the SHA-256 of. Reads them
/// all, some seconds for a gigabyte, but for those that this process found whole before and whose size and time have
/// not changed since. Failures: those of model::readManifest, corrupt (names the file). Any thread. Private to this
/// folder.
base::Status checkArtifact(const std::filesystem::path& artifact);

/// Before anything is measured: fails with `corrupt`, the name of the damaged file and the command that imports the
/// model again. Files that are not there at all are left to those who open them.
base::Status requireUndamaged(const model::ModelRef& model);

} // namespace apertune::engine
