// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/store/sqlite_database.h"

#include <cstdint>

namespace apertune::store {

/// The queries about environments. Private to core/store. Each throws store::Failure.
/// REQUIRES: the caller has begun a transaction.

std::int64_t insertEnvironment(const Database& db, const model::Environment& environment);
/// Reads an environment without load and clocks: they change from study to study, and the study's row keeps them.
model::Environment environmentById(const Database& db, std::int64_t id);
void removeUnusedEnvironments(const Database& db);

} // namespace apertune::store
