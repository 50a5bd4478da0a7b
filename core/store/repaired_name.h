// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace apertune::store {

/// Returns the name of the file that Store::salvage() writes beside a damaged workspace: FILE-repaired.apertune, with a
/// number when that file exists already.
std::filesystem::path repairedName(const std::filesystem::path& damaged);

} // namespace apertune::store
