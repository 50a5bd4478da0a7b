// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/store.h"

namespace apertune::store {

/// What Store::salvage does; throws store::Failure. Pages are read one by one (raw_pages.h, salvage_rows.h). Lost
/// studies, models and environments get stand-ins. Rows that do not fit the schema, cannot be decoded or have lost the
/// trial or trace that they belong to are left out.
Store::Salvage salvageWorkspace(const std::filesystem::path& damaged, const std::filesystem::path& target);

} // namespace apertune::store
