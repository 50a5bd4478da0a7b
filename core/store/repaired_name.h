// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace apertune::store {

/// Returns a name beside a damaged workspace for what Store::salvage() saves of it: FILE-repaired.apertune, with a
/// number if that exists already.
std::filesystem::path repairedName(const std::filesystem::path& damaged);

} // namespace apertune::store
