// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/study.h"
#include "core/store/records.h"
#include "core/store/sqlite_database.h"

#include <vector>

namespace apertune::store {

/// The queries about studies. Private to core/store. Each throws store::Failure.
/// REQUIRES: the caller has begun a transaction.

void insertStudy(const Database& db, model::Study& study, std::vector<model::Trial>& trials);
void updateInterference(const Database& db, model::StudyId id, const model::Interference& interference);
std::vector<StudySummary> listStudies(const Database& db);
model::Study studyById(const Database& db, model::StudyId id);
void removeStudy(const Database& db, model::StudyId id);

} // namespace apertune::store
