// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/catalog_queries.h"

#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/base/hash.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/json_text.h"
#include "core/store/row_reader.h"

namespace apertune::store {

using base::ErrorCode;

namespace {

constexpr const char* kModelColumns = "artifact, document";

model::ModelRef readModel(const Statement& row)
{
    model::ModelRef model = unwrap(model::modelFromJson(jsonFromText(row.text(1))));
    model.artifact = row.text(0); // JSON cannot hold a path that is not UTF-8
    return model;
}

} // namespace

std::int64_t insertModel(const Database& db, const model::ModelRef& model)
{
    const std::string artifact = model.artifact.string();
    const std::string document = jsonText(model::toJson(model));
    // A study keeps the model that it measured. So a model that has changed in any respect gets a row of its own.
    const std::string identity = base::sha256(artifact + '\n' + document);
    Statement found = db.query("SELECT id FROM model WHERE identity = ?1", identity);
    if (found.step())
        return found.integer(0);
    db.run(
        "INSERT INTO model (identity, listed, name, artifact, content_hash, document) VALUES (?1, 0, ?2, ?3, ?4, ?5)",
        identity, model.name, artifact, model.contentHash, document);
    return db.lastInsertId();
}

void listModel(const Database& db, const model::ModelRef& model)
{
    if (model.name.empty())
        fail({ErrorCode::invalidArgument,
              base::message<errors::kModelWithoutName>(),
              {},
              base::message<errors::kGiveName>()});
    const std::int64_t id = insertModel(db, model);
    // A name means one model. The earlier model of this name stays as long as studies refer to it.
    db.run("UPDATE model SET listed = 0 WHERE name = ?1 AND listed = 1 AND id != ?2", model.name, id);
    db.run("UPDATE model SET listed = 1 WHERE id = ?1", id);
    removeUnusedModels(db);
}

std::vector<model::ModelRef> listedModels(const Database& db)
{
    std::vector<model::ModelRef> models;
    Statement rows = db.prepare(std::string("SELECT ") + kModelColumns + " FROM model WHERE listed = 1 ORDER BY name");
    while (rows.step())
        models.push_back(readModel(rows));
    return models;
}

std::optional<model::ModelRef> listedModel(const Database& db, const std::string& name)
{
    Statement rows =
        db.query(std::string("SELECT ") + kModelColumns + " FROM model WHERE listed = 1 AND name = ?1", name);
    return rows.step() ? std::optional(readModel(rows)) : std::nullopt;
}

model::ModelRef modelById(const Database& db, std::int64_t id)
{
    Statement rows = db.query(std::string("SELECT ") + kModelColumns + " FROM model WHERE id = ?1", id);
    if (!rows.step())
        fail({ErrorCode::corrupt, base::message<errors::kModelLost>(), {}, base::message<errors::kRestoreCopy>()});
    return readModel(rows);
}

void unlistModel(const Database& db, const std::string& name)
{
    db.run("UPDATE model SET listed = 0 WHERE name = ?1 AND listed = 1", name);
    if (db.changes() == 0)
        fail({ErrorCode::notFound, base::message<errors::kNoModel>(name), {}, base::message<errors::kListModels>()});
    removeUnusedModels(db);
}

void removeUnusedModels(const Database& db)
{
    db.run("DELETE FROM model WHERE listed = 0 AND NOT EXISTS (SELECT 1 FROM study WHERE study.model_id = model.id)");
}

std::optional<Artifact> findArtifact(const Database& db, const std::string& key)
{
    Statement rows = db.query("SELECT key, kind, path, compile_ns, size, error FROM artifact WHERE key = ?1", key);
    if (!rows.step())
        return std::nullopt;
    return Artifact{rows.text(0), rows.text(1), rows.text(2), {rows.integer(3)}, {rows.integer(4)}, rows.text(5)};
}

void replaceArtifact(const Database& db, const Artifact& artifact)
{
    if (artifact.key.empty())
        fail({ErrorCode::invalidArgument,
              base::message<errors::kArtifactWithoutKey>(),
              {},
              base::message<base::errors::kPleaseReport>()});
    db.run("INSERT OR REPLACE INTO artifact (key, kind, path, compile_ns, size, error, created_utc) "
           "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
           artifact.key, artifact.kind, artifact.path.string(), artifact.compile.count, artifact.size.count,
           artifact.error, base::utcNow());
}

std::optional<model::DeviceCeilings> findCeilings(const Database& db, const std::string& device)
{
    model::DeviceCeilings found;
    // The order is that of the measurement.
    Statement rows = db.query("SELECT device, backend, measured_utc, quantity, rate, rate_lo, rate_hi, confidence, "
                              "samples, how FROM ceiling WHERE device = ?1 ORDER BY ordinal",
                              device);
    while (rows.step()) {
        RowReader row(rows);
        found.device = row.text();
        found.backend = row.text();
        found.measuredUtc = row.text();
        model::Ceiling& c = found.rates.emplace_back();
        c.quantity = row.text();
        c.rate.value = row.real();
        c.rate.lo = row.real();
        c.rate.hi = row.real();
        c.rate.confidence = row.real();
        c.samples = row.small();
        c.how = row.text();
    }
    return found.rates.empty() ? std::nullopt : std::optional(std::move(found));
}

void replaceCeilings(const Database& db, const model::DeviceCeilings& ceilings)
{
    if (ceilings.device.empty() || ceilings.rates.empty())
        fail({ErrorCode::invalidArgument,
              base::message<errors::kCeilingsIncomplete>(),
              {},
              base::message<base::errors::kPleaseReport>()});
    // Ceilings are replaced as a whole, so no rate of an earlier measurement is left.
    db.run("DELETE FROM ceiling WHERE device = ?1", ceilings.device);
    int ordinal = 0;
    for (const model::Ceiling& c : ceilings.rates)
        db.run("INSERT INTO ceiling (device, ordinal, quantity, rate, rate_lo, rate_hi, confidence, samples, how, "
               "backend, measured_utc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
               ceilings.device, ++ordinal, c.quantity, c.rate.value, c.rate.lo, c.rate.hi, c.rate.confidence, c.samples,
               c.how, ceilings.backend, ceilings.measuredUtc.empty() ? base::utcNow() : ceilings.measuredUtc);
}

void insertNoise(const Database& db, const Noise& noise)
{
    for (const double ratio : noise.ratios)
        db.run("INSERT INTO noise (machine, protocol, configuration, ratio, measured_utc) VALUES (?1, ?2, ?3, ?4, ?5)",
               noise.machine, noise.protocol, noise.configuration, ratio,
               noise.measuredUtc.empty() ? base::utcNow() : noise.measuredUtc);
}

std::vector<Noise> noiseOf(const Database& db, const std::string& machine, int newest)
{
    std::vector<Noise> found;
    // The window function ranks the values of each protocol by age, so that one query limits all protocols.
    Statement rows = db.query("SELECT protocol, configuration, ratio, measured_utc FROM (SELECT *, row_number() OVER "
                              "(PARTITION BY protocol ORDER BY id DESC) AS age FROM noise WHERE machine = ?1) "
                              "WHERE age <= ?2 ORDER BY protocol, id DESC",
                              machine, newest);
    while (rows.step()) {
        if (found.empty() || found.back().protocol != rows.text(0))
            found.push_back({machine, rows.text(0), rows.text(1), {}, rows.text(3)});
        found.back().ratios.push_back(rows.real(2));
    }
    return found;
}

} // namespace apertune::store
