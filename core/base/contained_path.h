// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace apertune::base {

/// Fails with `corrupt` unless `file` lies below `folder` when all symbolic links on the way to both are followed. For
/// files that a document of somebody else names: a link out of its folder would read, copy or publish any file of the
/// user. A file that does not exist is judged by its path.
Status requireWithin(const std::filesystem::path& folder, const std::filesystem::path& file);

} // namespace apertune::base
