// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/document_queries.h"

#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/store/errors.h"
#include "core/store/failure.h"

namespace apertune::store {

using base::ErrorCode;

namespace {

std::string nameOf(DocumentTable table)
{
    return table == DocumentTable::scenario ? "scenario" : "evaluation";
}

void requireTrial(const Database& db, model::TrialId trial)
{
    if (!db.query("SELECT 1 FROM trial WHERE id = ?1", trial.value).step())
        fail({ErrorCode::invalidArgument,
              base::message<errors::kTrialOfRunLost>(),
              {},
              base::message<base::errors::kPleaseReport>()});
}

} // namespace

std::int64_t insertDocument(const Database& db, DocumentTable table, model::TrialId trial, const std::string& kind,
                            const std::string& document)
{
    requireTrial(db, trial);
    db.run("INSERT INTO " + nameOf(table) + " (trial_id, kind, created_utc, document) VALUES (?1, ?2, ?3, ?4)",
           trial.value, kind, base::utcNow(), document);
    return db.lastInsertId();
}

std::vector<Document> documentsOf(const Database& db, DocumentTable table, model::TrialId trial)
{
    std::vector<Document> found;
    Statement rows =
        db.query("SELECT id, kind, created_utc, document FROM " + nameOf(table) + " WHERE trial_id = ?1 ORDER BY id",
                 trial.value);
    while (rows.step())
        found.push_back({rows.integer(0), rows.text(1), rows.text(2), rows.text(3)});
    return found;
}

std::int64_t insertPipeline(const Database& db, model::TrialId trial, const std::string& document)
{
    requireTrial(db, trial);
    db.run("INSERT INTO pipeline (trial_id, created_utc, document) VALUES (?1, ?2, ?3)", trial.value, base::utcNow(),
           document);
    return db.lastInsertId();
}

std::vector<Pipeline> pipelinesOf(const Database& db, model::TrialId trial)
{
    std::vector<Pipeline> found;
    Statement rows =
        db.query("SELECT id, created_utc, document FROM pipeline WHERE trial_id = ?1 ORDER BY id", trial.value);
    while (rows.step())
        found.push_back({rows.integer(0), rows.text(1), rows.text(2)});
    return found;
}

} // namespace apertune::store
