// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace apertune::base {

/// Returns whether `path` is `folder` or lies below it, by their text alone: no link is followed.
/// REQUIRES: both are absolute, or both are relative.
bool isWithin(const std::filesystem::path& folder, const std::filesystem::path& path);

/// Checks that `file` lies below `folder` after all symbolic links in both paths are followed. A file that does not
/// exist is checked by its path.
/// It protects against documents from others: a link out of their folder could read, copy or publish any user file.
/// Failures: corrupt.
Status requireWithin(const std::filesystem::path& folder, const std::filesystem::path& file);

} // namespace apertune::base
