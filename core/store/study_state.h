// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/store/sqlite_database.h"

namespace apertune::store {

/// The queries about the state of a study, for those about studies and about trials. Private to core/store. Each throws
/// store::Failure.
/// REQUIRES: the caller has begun a transaction.

/// Failures: notFound (no such study).
void requireStudy(const Database& db, model::StudyId id);
void updateStudyState(const Database& db, model::StudyId id, model::StudyState state);

} // namespace apertune::store
