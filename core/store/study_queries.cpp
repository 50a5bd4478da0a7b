// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/study_queries.h"

#include "core/base/clock.h"
#include "core/store/catalog_queries.h"
#include "core/store/environment_queries.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/json_text.h"
#include "core/store/row_reader.h"
#include "core/store/study_state.h"
#include "core/store/trial_queries.h"

#include <array>
#include <random>

namespace apertune::store {

using base::ErrorCode;
using base::Json;

namespace {

/// Returns a random (version 4) UUID.
std::string newUuid()
{
    std::random_device source;
    std::string text;
    // RFC 9562: digit 12 is the version, and the two highest bits of digit 16 are the variant.
    for (int i = 0; i < 32; ++i) {
        auto digit = source() & 15u;
        if (i == 12)
            digit = 4;
        if (i == 16)
            digit = 8 | (digit & 3u);
        if (i == 8 || i == 12 || i == 16 || i == 20)
            text += '-';
        text += "0123456789abcdef"[digit];
    }
    return text;
}

std::string clocksText(const model::Environment& environment)
{
    Json json = Json::array();
    for (const model::Device& device : environment.devices)
        json.push_back(device.clockMhz);
    return jsonText(json);
}

void addVolatile(model::Environment& environment, double loadAverage, const std::string& clocks)
{
    environment.loadAverage = loadAverage;
    const auto values = valueFromText<std::vector<int>>(clocks);
    for (std::size_t i = 0; i < std::min(values.size(), environment.devices.size()); ++i)
        environment.devices[i].clockMhz = values[i];
}

} // namespace

void insertStudy(const Database& db, model::Study& study, std::vector<model::Trial>& trials)
{
    if (study.uuid.empty())
        study.uuid = newUuid();
    if (study.createdUtc.empty())
        study.createdUtc = base::utcNow();
    if (db.query("SELECT 1 FROM study WHERE uuid = ?1", study.uuid).step())
        fail({ErrorCode::invalidArgument,
              base::message<errors::kStudyIsThere>(study.uuid),
              {},
              base::message<errors::kResumeOrNew>()});
    db.run("INSERT INTO study (uuid, name, model_id, environment_id, load_average, clocks_mhz, goal, space, budget_ns, "
           "target, state, created_utc, finished_utc, command_line, budget_kind, interference, purpose) "
           "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
           study.uuid, study.name, insertModel(db, study.model), insertEnvironment(db, study.environment),
           study.environment.loadAverage, clocksText(study.environment), jsonText(model::toJson(study.goal)),
           jsonText(model::toJson(study.space)), study.budget.count, study.target, static_cast<int>(study.state),
           study.createdUtc, study.finishedUtc, study.commandLine, static_cast<int>(study.budgetKind),
           study.interference ? jsonText(model::toJson(*study.interference)) : std::string(),
           static_cast<int>(study.purpose));
    study.id.value = db.lastInsertId();
    if (study.name.empty()) {
        study.name = study.model.name + " · study " + std::to_string(study.id.value);
        db.run("UPDATE study SET name = ?2 WHERE id = ?1", study.id.value, study.name);
    }
    insertTrials(db, study.id, trials);
}

void updateInterference(const Database& db, model::StudyId id, const model::Interference& interference)
{
    requireStudy(db, id);
    db.run("UPDATE study SET interference = ?2 WHERE id = ?1", id.value, jsonText(model::toJson(interference)));
}

std::vector<StudySummary> listStudies(const Database& db)
{
    std::vector<StudySummary> studies;
    // The numbers are trial states (a test checks them): 3 ok, 4 failed, below 3 not final.
    Statement rows = db.prepare("SELECT s.id, s.uuid, s.name, m.name, s.state, s.purpose, s.created_utc, count(t.id), "
                                "count(t.id) FILTER (WHERE t.state = 3), count(t.id) FILTER (WHERE t.state = 4), "
                                "count(t.id) FILTER (WHERE t.state < 3) "
                                "FROM study s JOIN model m ON m.id = s.model_id LEFT JOIN trial t ON t.study_id = s.id "
                                "GROUP BY s.id ORDER BY s.id DESC");
    while (rows.step()) {
        RowReader row(rows);
        StudySummary summary;
        summary.id.value = row.integer();
        summary.uuid = row.text();
        summary.name = row.text();
        summary.modelName = row.text();
        // One damaged study does not hide the others.
        const auto state = row.optionalEnumerator(model::StudyState::interrupted);
        const auto purpose = row.optionalEnumerator(model::StudyPurpose::imported);
        summary.damaged = !state || !purpose;
        summary.state = summary.damaged ? model::StudyState::interrupted : *state;
        summary.purpose = summary.damaged ? model::StudyPurpose::imported : *purpose;
        summary.createdUtc = row.text();
        summary.trials = row.small();
        summary.ok = row.small();
        summary.failed = row.small();
        summary.remaining = row.small();
        studies.push_back(std::move(summary));
    }
    return studies;
}

model::Study studyById(const Database& db, model::StudyId id)
{
    requireStudy(db, id);
    Statement rows =
        db.query("SELECT uuid, name, model_id, environment_id, load_average, clocks_mhz, goal, space, "
                 "budget_ns, target, state, created_utc, finished_utc, command_line, budget_kind, interference, "
                 "purpose FROM study "
                 "WHERE id = ?1",
                 id.value);
    rows.step();
    RowReader row(rows);
    model::Study study;
    study.id = id;
    study.uuid = row.text();
    study.name = row.text();
    study.model = modelById(db, row.integer());
    study.environment = environmentById(db, row.integer());
    const double load = row.real();
    addVolatile(study.environment, load, row.text());
    study.goal = unwrap(model::goalFromJson(jsonFromText(row.text())));
    study.space = unwrap(model::searchSpaceFromJson(jsonFromText(row.text())));
    study.budget.count = row.integer();
    study.target = row.real();
    study.state = row.enumerator(model::StudyState::interrupted);
    study.createdUtc = row.text();
    study.finishedUtc = row.text();
    study.commandLine = row.text();
    study.budgetKind = row.enumerator(model::BudgetKind::measuring);
    if (const std::string interference = row.text(); !interference.empty())
        study.interference = unwrap(model::interferenceFromJson(jsonFromText(interference)));
    study.purpose = row.enumerator(model::StudyPurpose::imported);
    return study;
}

void removeStudy(const Database& db, model::StudyId id)
{
    requireStudy(db, id);
    db.run("DELETE FROM study WHERE id = ?1", id.value);
    removeUnusedModels(db);
    removeUnusedEnvironments(db);
}

} // namespace apertune::store
