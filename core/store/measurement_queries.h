// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/trial.h"
#include "core/store/row_reader.h"
#include "core/store/sqlite_database.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace apertune::store {

/// The queries about measurements of trials. Private to core/store. Each throws store::Failure.
/// REQUIRES: the caller has begun a transaction.

void storeMeasurement(const Database& db, model::TrialId trial, const model::Measurement& measurement);
void removeMeasurement(const Database& db, model::TrialId trial);

/// The columns of measurement and quality in the queries about trials. readMeasurement() reads them.
extern const char* const kMeasurementColumns;
extern const char* const kMeasurementJoins; ///< the joins of these tables to "trial t"
/// The JSON texts of a measurement, for readTexts(). Empty: there is no measurement.
struct MeasurementTexts
{
    std::string applied, flags, conditions;
};
model::Measurement readMeasurement(RowReader& row, MeasurementTexts& texts);
/// Cache of parsed texts of "applied". Many trials of a study have the same text, so each is parsed once.
using AppliedMemo = std::unordered_map<std::string, std::vector<model::Applied>>;
/// Parses the texts into the trial's measurement. Calls noteDamage() or noteMissing() for those that cannot be read.
/// Threads: any, with a trial and a memo of its own.
void readTexts(const MeasurementTexts& texts, model::Trial& trial, AppliedMemo& memo);

/// Adds blocks and iterations to `trials`. Returns the trials whose iterations cannot be read; they get none.
std::vector<model::Trial*> readSamples(const Database& db, std::vector<model::Trial>& trials);

/// Marks a trial as failed because a part that identifies what was measured ("config", "state", "applied") cannot be
/// read. The reason has the kind "damaged" and names the parts. The other trials of the study stay usable.
void noteDamage(model::Trial& trial, const std::string& part);
/// Adds the flag for an unreadable part that the trial's numbers do not need ("times", "flags", "conditions").
void noteMissing(model::Trial& trial, model::TrialFlag part);

} // namespace apertune::store
