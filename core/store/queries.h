// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/failure.h"
#include "core/store/sqlite_database.h"
#include "core/store/store.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace apertune::store {

/// The typed queries behind Store, one source file a subject. Private to core/store. Each throws store::Failure.
/// REQUIRES: the caller has begun a transaction.

// catalog_queries.cpp
/// Finds the model or stores it, and returns its id. This does not list it: see listModel().
std::int64_t insertModel(const Database& db, const model::ModelRef& model);
void listModel(const Database& db, const model::ModelRef& model);
std::vector<model::ModelRef> listedModels(const Database& db);
std::optional<model::ModelRef> listedModel(const Database& db, const std::string& name);
model::ModelRef modelById(const Database& db, std::int64_t id);
void unlistModel(const Database& db, const std::string& name);
void removeUnusedModels(const Database& db);
std::optional<Store::Artifact> findArtifact(const Database& db, const std::string& key);
void replaceArtifact(const Database& db, const Store::Artifact& artifact);
std::optional<model::DeviceCeilings> findCeilings(const Database& db, const std::string& device);
void replaceCeilings(const Database& db, const model::DeviceCeilings& ceilings);
void insertNoise(const Database& db, const Store::Noise& noise);
std::vector<Store::Noise> noiseOf(const Database& db, const std::string& machine, int newest);

enum class DocumentTable { scenario, evaluation };
std::int64_t insertDocument(const Database& db, DocumentTable table, model::TrialId trial, const std::string& kind,
                            const std::string& document);
std::vector<Store::Document> documentsOf(const Database& db, DocumentTable table, model::TrialId trial);
std::int64_t insertPipeline(const Database& db, model::TrialId trial, const std::string& document);
std::vector<Store::Pipeline> pipelinesOf(const Database& db, model::TrialId trial);

// environment_queries.cpp
std::int64_t insertEnvironment(const Database& db, const model::Environment& environment);
/// Reads an environment without load and clocks: they change from study to study, and the study's row keeps them.
model::Environment environmentById(const Database& db, std::int64_t id);
void removeUnusedEnvironments(const Database& db);

// study_queries.cpp
void insertStudy(const Database& db, model::Study& study, std::vector<model::Trial>& trials);
void updateStudyState(const Database& db, model::StudyId id, model::StudyState state);
std::vector<StudySummary> listStudies(const Database& db);
model::Study studyById(const Database& db, model::StudyId id);
void requireStudy(const Database& db, model::StudyId id);
void removeStudy(const Database& db, model::StudyId id);

// trial_queries.cpp
void insertTrials(const Database& db, model::StudyId study, std::vector<model::Trial>& trials);
std::vector<model::Trial> trialsOfStudy(const Database& db, model::StudyId study, bool withSamples);
model::Trial trialById(const Database& db, model::TrialId id);
void moveTrial(const Database& db, const model::Trial& trial, model::TrialState to);
void replaceTrialMeasurement(const Database& db, const model::Trial& trial);
int requeueTrials(const Database& db, model::StudyId study);
void starTrial(const Database& db, model::TrialId trial, bool starred);
std::vector<model::TrialId> starredTrials(const Database& db);

// measurement_queries.cpp
void storeMeasurement(const Database& db, model::TrialId trial, const model::Measurement& measurement);
void removeMeasurement(const Database& db, model::TrialId trial);

/// Reads the columns of a row from left to right.
class RowReader
{
public:
    explicit RowReader(const Statement& statement) : m_statement(statement) {}
    bool nextIsNull() const { return m_statement.isNull(m_at); }
    void skip(int columns) { m_at += columns; }
    std::int64_t integer() { return m_statement.integer(m_at++); }
    int small() { return static_cast<int>(integer()); }
    double real() { return m_statement.real(m_at++); }
    std::string text() { return m_statement.text(m_at++); }
    std::optional<double> optionalReal();
    std::optional<std::int64_t> optionalInteger();
    /// Reads an enum that is stored by value. Failures: corrupt (negative or above `last`).
    template <typename Enum>
    Enum enumerator(Enum last)
    {
        const auto value = optionalEnumerator(last);
        if (!value)
            failUnknownValue(m_statement.integer(m_at - 1));
        return *value;
    }
    /// Reads an enum that is stored by value; nullopt when it is negative or above `last`.
    template <typename Enum>
    std::optional<Enum> optionalEnumerator(Enum last)
    {
        const std::int64_t value = integer();
        return value < 0 || value > static_cast<std::int64_t>(last) ? std::nullopt
                                                                    : std::optional(static_cast<Enum>(value));
    }

private:
    [[noreturn]] static void failUnknownValue(std::int64_t value);
    const Statement& m_statement;
    int m_at = 0;
};

/// The columns of measurement and quality in the queries about trials. readMeasurement() reads them.
extern const char* const kMeasurementColumns;
extern const char* const kMeasurementJoins; ///< the joins of these tables to "trial t"
/// The JSON texts of a measurement, for readTexts(). Empty: there is no measurement.
struct MeasurementTexts
{
    std::string applied, flags, conditions;
};
model::Measurement readMeasurement(RowReader& row, MeasurementTexts& texts);
/// Parsed texts of "applied". Many trials of a study have the same one, so each is parsed once.
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
/// Runs `read`; returns false when it fails because its data are damaged. Only outOfMemory is thrown on.
template <typename Read>
bool isReadable(Read&& read)
{
    const auto result = guarded(std::forward<Read>(read));
    if (!result && result.error().code == base::ErrorCode::outOfMemory)
        fail(result.error());
    return result.ok();
}

} // namespace apertune::store
