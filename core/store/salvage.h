// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/records.h"

#include <filesystem>

namespace apertune::store {

/// Implements Store::salvage(). Throws store::Failure.
///  - Pages are read one by one (raw_pages.h, salvage_rows.h).
///  - Lost studies, models, environments, trials and traces get placeholders, and so do damaged columns of documents.
///  - A row is left out when it does not fit the schema or cannot be decoded.
Salvage salvageWorkspace(const std::filesystem::path& damaged, const std::filesystem::path& target);

} // namespace apertune::store
