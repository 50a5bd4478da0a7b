// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/environment_queries.h"

#include "core/base/hash.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/json_text.h"
#include "core/store/row_reader.h"

namespace apertune::store {

using base::Json;

namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Returns pairs as [["OMP_NUM_THREADS","4"],…]. A JSON object would lose their order and repeated names.
std::string pairsText(const Pairs& pairs)
{
    Json json = Json::array();
    for (const auto& [name, value] : pairs)
        json.push_back({name, value});
    return jsonText(json);
}

Pairs pairsFromText(const std::string& text)
{
    return valueFromText<Pairs>(text);
}

std::string contentHash(model::Environment environment)
{
    // Load and clocks change from minute to minute. Each study stores its own, so they are no part of the identity.
    environment.loadAverage = 0;
    for (model::Device& device : environment.devices)
        device.clockMhz = 0;
    // The JSON of an environment has its pairs sorted by name. Their order is part of the identity.
    std::string text = pairsText(environment.engines) + pairsText(environment.settings);
    environment.engines.clear();
    environment.settings.clear();
    return base::sha256(jsonText(model::toJson(environment)) + text);
}

void insertDevices(const Database& db, std::int64_t environment, const std::vector<model::Device>& devices)
{
    int ordinal = 0;
    for (const model::Device& d : devices)
        db.run("INSERT INTO device (environment_id, ordinal, id, kind, name, uuid, memory, cores, threads, isa, "
               "compute_major, compute_minor, driver, max_clock_mhz) "
               "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
               environment, ++ordinal, d.id, static_cast<int>(d.type.kind), d.name, d.uuid, d.memory.count, d.cores,
               d.threads, jsonText(Json(d.isa)), d.computeMajor, d.computeMinor, d.driver, d.maxClockMhz);
}

std::vector<model::Device> readDevices(const Database& db, std::int64_t environment)
{
    std::vector<model::Device> devices;
    Statement rows = db.query("SELECT id, kind, name, uuid, memory, cores, threads, isa, compute_major, compute_minor, "
                              "driver, max_clock_mhz FROM device WHERE environment_id = ?1 ORDER BY ordinal",
                              environment);
    while (rows.step()) {
        RowReader row(rows);
        model::Device d;
        d.id = row.text();
        // The id names the vendor, which has no column.
        d.type = model::typeOfDevice(d.id);
        d.type.kind = row.enumerator(model::DeviceKind::npu);
        d.name = row.text();
        d.uuid = row.text();
        d.memory.count = row.integer();
        d.cores = row.small();
        d.threads = row.small();
        d.isa = valueFromText<std::vector<std::string>>(row.text());
        d.computeMajor = row.small();
        d.computeMinor = row.small();
        d.driver = row.text();
        d.maxClockMhz = row.small();
        devices.push_back(std::move(d));
    }
    return devices;
}

} // namespace

std::int64_t insertEnvironment(const Database& db, const model::Environment& environment)
{
    const std::string hash = contentHash(environment);
    // Equal environments share a row, as most studies of a machine do.
    Statement found = db.query("SELECT id FROM environment WHERE hash = ?1", hash);
    if (found.step())
        return found.integer(0);
    db.run("INSERT INTO environment (hash, host, os, kernel, apertune, engines, settings) "
           "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
           hash, environment.host, environment.os, environment.kernel, environment.apertune,
           pairsText(environment.engines), pairsText(environment.settings));
    const std::int64_t id = db.lastInsertId();
    insertDevices(db, id, environment.devices);
    return id;
}

model::Environment environmentById(const Database& db, std::int64_t id)
{
    Statement rows =
        db.query("SELECT host, os, kernel, apertune, engines, settings FROM environment WHERE id = ?1", id);
    if (!rows.step())
        fail({base::ErrorCode::corrupt,
              base::message<errors::kEnvironmentLost>(),
              {},
              base::message<errors::kRestoreCopy>()});
    RowReader row(rows);
    model::Environment environment;
    environment.host = row.text();
    environment.os = row.text();
    environment.kernel = row.text();
    environment.apertune = row.text();
    environment.engines = pairsFromText(row.text());
    environment.settings = pairsFromText(row.text());
    environment.devices = readDevices(db, id);
    return environment;
}

void removeUnusedEnvironments(const Database& db)
{
    db.run("DELETE FROM environment "
           "WHERE NOT EXISTS (SELECT 1 FROM study WHERE study.environment_id = environment.id)");
}

} // namespace apertune::store
