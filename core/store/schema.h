// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace apertune::store {

/// The application_id of every workspace: the bytes "APTN".
inline constexpr std::int64_t kApplicationId = 0x4150544e;

/// The page size of every workspace.
inline constexpr std::uint32_t kPageSize = 16384;

/// One step from schema version `version` − 1 to `version`. Released steps never change. A new version needs a new step
/// at the end, a line in schema.md and a fixture in tests/golden/workspace.
struct Migration
{
    int version;
    std::string_view sql;
};

/// Returns the steps to versions 1, 2, … in order. This program reads and writes the last version.
std::span<const Migration> schemaMigrations();

} // namespace apertune::store
