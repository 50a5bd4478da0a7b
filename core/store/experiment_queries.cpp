// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/experiment_queries.h"

#include "core/base/clock.h"

namespace apertune::store {

void replaceExperiment(const Database& db, const model::Experiment& e)
{
    db.run("DELETE FROM experiment WHERE study_uuid = ?1", e.study);
    db.run("INSERT INTO experiment (study_uuid, subject, change, machine, task_type, engine, model, others_load, "
           "predicted_lo, predicted_hi, saved, saved_lo, saved_hi, saved_confidence, outcome, created_utc) VALUES "
           "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
           e.study, e.subject, e.change, e.at.machine, std::string(toString(e.at.taskType)), e.at.engine, e.model,
           e.othersLoad, e.predictedLo, e.predictedHi, e.saved.value, e.saved.lo, e.saved.hi, e.saved.confidence,
           std::string(toString(e.outcome)), e.createdUtc.empty() ? base::utcNow() : e.createdUtc);
}

std::vector<model::Experiment> allExperiments(const Database& db)
{
    std::vector<model::Experiment> found;
    Statement rows = db.query("SELECT id, study_uuid, subject, change, machine, task_type, engine, model, others_load, "
                              "predicted_lo, predicted_hi, saved, saved_lo, saved_hi, saved_confidence, outcome, "
                              "created_utc FROM experiment ORDER BY id");
    while (rows.step()) {
        model::Experiment e;
        e.id = rows.integer(0);
        e.study = rows.text(1);
        e.subject = rows.text(2);
        e.change = rows.text(3);
        e.at = {rows.text(4), model::taskTypeFromString(rows.text(5)), rows.text(6)};
        e.model = rows.text(7);
        e.othersLoad = rows.real(8);
        e.predictedLo = rows.real(9);
        e.predictedHi = rows.real(10);
        e.saved = {rows.real(11), rows.real(12), rows.real(13), rows.real(14)};
        e.outcome = model::verificationOutcomeFromString(rows.text(15));
        e.createdUtc = rows.text(16);
        found.push_back(std::move(e));
    }
    return found;
}

} // namespace apertune::store
