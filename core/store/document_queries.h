// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"
#include "core/store/records.h"
#include "core/store/sqlite_database.h"

#include <cstdint>
#include <string>
#include <vector>

namespace apertune::store {

/// The queries about documents of scenarios, evaluations and pipelines. Private to core/store. Each throws
/// store::Failure.
///
/// REQUIRES: the caller has begun a transaction.

enum class DocumentTable { scenario, evaluation };
std::int64_t insertDocument(const Database& db, DocumentTable table, model::TrialId trial, const std::string& kind,
                            const std::string& document);
std::vector<Document> documentsOf(const Database& db, DocumentTable table, model::TrialId trial);
std::int64_t insertPipeline(const Database& db, model::TrialId trial, const std::string& document);
std::vector<Pipeline> pipelinesOf(const Database& db, model::TrialId trial);

} // namespace apertune::store
