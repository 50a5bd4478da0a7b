// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"

namespace apertune::store {

/// What Store::salvage does; throws store::Failure. Each table is read from its first row up to the first damage and
/// from its last row back to it; rows that do not fit the schema, cannot be decoded or have lost the row that they
/// belong to are left out.
Store::Salvage salvageWorkspace(const std::filesystem::path& damaged, const std::filesystem::path& target);

} // namespace apertune::store
