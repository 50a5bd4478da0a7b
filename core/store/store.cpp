// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store.h"

#include "core/base/errors.h"
#include "core/base/mutex.h"
#include "core/store/catalog_queries.h"
#include "core/store/copy_database.h"
#include "core/store/document_queries.h"
#include "core/store/errors.h"
#include "core/store/experiment_queries.h"
#include "core/store/salvage.h"
#include "core/store/store_state.h"
#include "core/store/study_queries.h"
#include "core/store/study_state.h"
#include "core/store/trace_read.h"
#include "core/store/trace_write.h"
#include "core/store/trial_queries.h"
#include "core/store/writer_lock.h"

#include <algorithm>

namespace apertune::store {

using base::ErrorCode;
using base::Result;
using base::Status;

namespace {

void insertEvents(const Database& db, TraceId id, const trace::Trace& trace, const TraceTask& task)
{
    const auto total = static_cast<double>(std::max<std::size_t>(trace.eventCount(), 1));
    std::size_t done = 0;
    Statement insertion = chunkInsertion(db);
    for (const trace::Series& series : trace.series)
        for (std::size_t first = 0; first < series.events.size(); first += trace::kChunkEvents) {
            if (task.stop.stop_requested())
                fail({ErrorCode::cancelled, base::message<base::errors::kCancelled>()});
            const std::size_t count = std::min(trace::kChunkEvents, series.events.size() - first);
            // Also loads the events into the CPU's cache for the encoder.
            requireSoundEvents(trace, series, first, count);
            insertChunk(insertion, id, trace::makeChunk(series.track, series.kind, series.events, first, count));
            done += count;
            if (task.progress)
                task.progress(static_cast<double>(done) / total);
        }
}

} // namespace

Result<Store> Store::open(const std::filesystem::path& file, OpenMode mode)
{
    auto opened = guarded([&] { return openWorkspace(file, mode); });
    if (!opened)
        return opened.error();
    return Store(std::unique_ptr<StoreState>(new StoreState(std::move(opened).value())));
}

bool Store::isBeingWritten(const std::filesystem::path& file)
{
    return WriterLock::isHeld(file);
}

Store::Store(std::unique_ptr<StoreState> state) : m_state(std::move(state))
{
}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const std::filesystem::path& Store::file() const
{
    return m_state->workspace.file;
}

bool Store::readOnly() const
{
    return !m_state->workspace.readOnlyReason.empty();
}

base::Message Store::readOnlyReason() const
{
    return m_state->workspace.readOnlyReason;
}

Status Store::putModel(const model::ModelRef& model)
{
    return m_state->write([&](const Database& db) { listModel(db, model); });
}

Result<std::vector<model::ModelRef>> Store::models() const
{
    return m_state->read([](const Database& db) { return listedModels(db); });
}

Result<std::optional<model::ModelRef>> Store::findModel(const std::string& name) const
{
    return m_state->read([&](const Database& db) { return listedModel(db, name); });
}

Status Store::deleteModel(const std::string& name)
{
    return m_state->write([&](const Database& db) { unlistModel(db, name); });
}

Status Store::createStudy(model::Study& study, std::vector<model::Trial>& trials)
{
    // Works on copies, so that a failure does not change the caller's values.
    model::Study stored = study;
    std::vector<model::Trial> storedTrials = trials;
    Status status = m_state->write([&](const Database& db) { insertStudy(db, stored, storedTrials); });
    if (status) {
        study = std::move(stored);
        trials = std::move(storedTrials);
    }
    return status;
}

Status Store::addTrial(model::StudyId study, model::Trial& trial)
{
    model::Trial stored = trial;
    Status status = m_state->write([&](const Database& db) { appendTrial(db, study, stored); });
    if (status)
        trial = std::move(stored);
    return status;
}

Status Store::setStudyState(model::StudyId study, model::StudyState state)
{
    return m_state->write([&](const Database& db) { updateStudyState(db, study, state); });
}

Status Store::setInterference(model::StudyId study, const model::Interference& interference)
{
    return m_state->write([&](const Database& db) { updateInterference(db, study, interference); });
}

Result<std::vector<StudySummary>> Store::studies() const
{
    return m_state->read([](const Database& db) { return listStudies(db); });
}

Result<model::Study> Store::study(model::StudyId id) const
{
    return m_state->read([&](const Database& db) { return studyById(db, id); });
}

const StudySummary* lastStudy(const std::vector<StudySummary>& studies)
{
    const auto tuned = std::find_if(studies.begin(), studies.end(), [](const StudySummary& study) {
        return study.purpose == model::StudyPurpose::tuning;
    });
    if (tuned != studies.end())
        return &*tuned;
    return studies.empty() ? nullptr : &studies.front();
}

Result<std::optional<model::StudyId>> Store::lastStudy() const
{
    return m_state->read([](const Database& db) {
        const std::vector<StudySummary> studies = listStudies(db);
        const StudySummary* const last = store::lastStudy(studies);
        return last ? std::optional(last->id) : std::nullopt;
    });
}

Status Store::deleteStudy(model::StudyId id)
{
    Status status = m_state->write([&](const Database& db) { removeStudy(db, id); });
    if (status)
        m_state->releaseFreePages();
    return status;
}

Result<std::vector<model::Trial>> Store::trials(model::StudyId study, bool withSamples) const
{
    return m_state->read([&](const Database& db) { return trialsOfStudy(db, study, withSamples); });
}

Result<model::Trial> Store::trial(model::TrialId id) const
{
    return m_state->read([&](const Database& db) { return trialById(db, id); });
}

Status Store::transition(const model::Trial& trial, model::TrialState to)
{
    return m_state->write([&](const Database& db) { moveTrial(db, trial, to); });
}

Status Store::replaceMeasurement(const model::Trial& trial)
{
    return m_state->write([&](const Database& db) { replaceTrialMeasurement(db, trial); });
}

Result<int> Store::adoptTrials(model::StudyId study, const std::vector<model::Trial>& trials)
{
    return m_state->write([&](const Database& db) { return store::adoptTrials(db, study, trials); });
}

Result<int> Store::requeueInterrupted(model::StudyId study)
{
    return m_state->write([&](const Database& db) { return requeueTrials(db, study); });
}

Status Store::setBaseline(model::TrialId trial, bool starred)
{
    return m_state->write([&](const Database& db) { starTrial(db, trial, starred); });
}

Status Store::nameBaseline(model::TrialId trial, const std::string& name, bool replace)
{
    return m_state->write([&](const Database& db) { nameStarredTrial(db, trial, name, replace); });
}

Result<std::vector<model::Baseline>> Store::baselines() const
{
    return m_state->read([](const Database& db) { return starredTrials(db); });
}

Result<std::optional<Artifact>> Store::artifact(const std::string& key) const
{
    return m_state->read([&](const Database& db) { return findArtifact(db, key); });
}

Status Store::putArtifact(const Artifact& artifact)
{
    return m_state->write([&](const Database& db) { replaceArtifact(db, artifact); });
}

Result<std::optional<model::DeviceCeilings>> Store::ceilings(const model::Device& device) const
{
    return m_state->read([&](const Database& db) { return findCeilings(db, model::ceilingKey(device)); });
}

Status Store::putCeilings(const model::DeviceCeilings& ceilings)
{
    return m_state->write([&](const Database& db) { replaceCeilings(db, ceilings); });
}

Status Store::addNoise(const Noise& noise)
{
    return m_state->write([&](const Database& db) { insertNoise(db, noise); });
}

Result<std::vector<Noise>> Store::noise(const std::string& machine, int newest) const
{
    return m_state->read([&](const Database& db) { return noiseOf(db, machine, newest); });
}

Status Store::putExperiment(const model::Experiment& experiment)
{
    return m_state->write([&](const Database& db) { replaceExperiment(db, experiment); });
}

Result<std::vector<model::Experiment>> Store::experiments() const
{
    return m_state->read([](const Database& db) { return allExperiments(db); });
}

Result<std::int64_t> Store::addScenario(model::TrialId trial, const std::string& kind, const std::string& document)
{
    return m_state->write(
        [&](const Database& db) { return insertDocument(db, DocumentTable::scenario, trial, kind, document); });
}

Result<std::vector<Scenario>> Store::scenarios(model::TrialId trial) const
{
    return m_state->read([&](const Database& db) { return documentsOf(db, DocumentTable::scenario, trial); });
}

Result<std::int64_t> Store::addPipeline(model::TrialId trial, const std::string& document)
{
    return m_state->write([&](const Database& db) { return insertPipeline(db, trial, document); });
}

Result<std::vector<Pipeline>> Store::pipelines(model::TrialId trial) const
{
    return m_state->read([&](const Database& db) { return pipelinesOf(db, trial); });
}

Result<std::int64_t> Store::addEvaluation(model::TrialId trial, model::EvaluationKind kind, const std::string& document)
{
    return m_state->write([&](const Database& db) {
        return insertDocument(db, DocumentTable::evaluation, trial, std::string(model::toString(kind)), document);
    });
}

Result<std::vector<Evaluation>> Store::evaluations(model::TrialId trial) const
{
    return m_state->read([&](const Database& db) { return documentsOf(db, DocumentTable::evaluation, trial); });
}

Result<TraceId> Store::addTrace(const trace::Trace& trace, std::optional<model::TrialId> trial, const TraceTask& task)
{
    if (const Status sound = guarded([&] { requireSoundShape(trace); }); !sound)
        return sound.error();
    return m_state->write([&](const Database& db) {
        const TraceId id = insertTrace(db, trace, trial);
        insertRows(db, id, trace);
        replaceDevices(db, id, trace.devices);
        replaceLosses(db, id, trace.losses);
        replaceCost(db, id, trace.cost);
        insertEvents(db, id, trace, task);
        updateTrace(db, id, TraceState::complete);
        return id;
    });
}

Result<std::vector<TraceSummary>> Store::traces() const
{
    return m_state->read([](const Database& db) { return listTraces(db, "id > ?1", 0); });
}

Result<std::vector<TraceSummary>> Store::traces(model::TrialId trial) const
{
    return m_state->read([&](const Database& db) { return listTraces(db, "trial_id = ?1", trial.value); });
}

Result<TraceSummary> Store::traceSummary(TraceId id) const
{
    return m_state->read([&](const Database& db) { return traceSummaryById(db, id); });
}

Result<trace::TracePtr> Store::trace(TraceId id, const TraceSelection& selection, const TraceTask& task) const
{
    auto raw = m_state->read([&](const Database& db) { return readRawTrace(db, id, selection, task.stop); });
    if (!raw)
        return raw.error();
    // Decoding needs no database. So the lock is released, and the Store serves other threads meanwhile.
    auto decoded = guarded([&] { return unwrap(decodeTrace(std::move(raw).value(), selection, task)); });
    if (!decoded)
        return m_state->withPlace(std::move(decoded)).error();
    return trace::TracePtr(std::make_shared<const trace::Trace>(std::move(decoded).value()));
}

Status Store::renameTrace(TraceId id, const std::string& name)
{
    return m_state->write([&](const Database& db) { store::renameTrace(db, id, name); });
}

Status Store::deleteTrace(TraceId id)
{
    Status status = m_state->write([&](const Database& db) { removeTrace(db, id); });
    if (status)
        m_state->releaseFreePages();
    return status;
}

Status Store::putTraceMips(TraceId id, const std::vector<StoredMip>& mips)
{
    return m_state->write([&](const Database& db) { replaceMips(db, id, mips); });
}

Result<std::vector<StoredMip>> Store::traceMips(TraceId id) const
{
    return m_state->read([&](const Database& db) { return mipsOfTrace(db, id); });
}

Status Store::saveCopy(const std::filesystem::path& target) const
{
    const base::Lock guard(m_state->mutex);
    return m_state->withPlace(
        guarded([&] { copyDatabase(*m_state->workspace.database, std::filesystem::absolute(target)); }));
}

Result<Salvage> Store::salvage(const std::filesystem::path& damaged, const std::filesystem::path& target)
{
    return guarded([&] { return salvageWorkspace(damaged, target); });
}

Result<base::Bytes> Store::compact()
{
    const auto size = [this] {
        const Database& db = *m_state->workspace.database;
        return db.integer("PRAGMA page_count") * db.integer("PRAGMA page_size");
    };
    if (const Status writable = m_state->write([](const Database&) {}); !writable)
        return writable.error();
    const base::Lock guard(m_state->mutex);
    return m_state->withPlace(guarded([&] {
        const std::int64_t before = size();
        m_state->workspace.database->execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
        return base::Bytes{before - size()};
    }));
}

Status Store::checkIntegrity() const
{
    return m_state->read([](const Database& db) {
        Statement check = db.prepare("PRAGMA integrity_check(20)");
        constexpr std::size_t kMostProblems = 80;
        std::vector<base::Message> problems;
        while (check.step())
            if (const std::string line = check.text(0); line != "ok")
                problems.push_back(base::foreignText(line));
        Statement keys = db.prepare("PRAGMA foreign_key_check");
        while (keys.step() && problems.size() < kMostProblems)
            problems.push_back(base::message<errors::kMissingRow>(keys.text(0), keys.text(2)));
        for (std::size_t i = 0; i + 1 < problems.size(); ++i)
            problems[i] = base::message<errors::kListed>(std::move(problems[i]));
        if (!problems.empty())
            fail({ErrorCode::corrupt,
                  base::message<errors::kDamaged>(std::move(problems)),
                  {},
                  base::message<errors::kRestoreOrRepair>()});
    });
}

Result<std::int64_t> Store::dataVersion() const
{
    const base::Lock guard(m_state->mutex);
    return m_state->withPlace(guarded([&] {
        const Database& db = *m_state->workspace.database;
        // SQLite's own counter does not include the commits of this connection.
        return (db.integer("PRAGMA data_version") << 32) + db.totalChanges();
    }));
}

Result<model::StudySnapshot> loadSnapshot(const Store& store, model::StudyId id)
{
    // One transaction, so that the study's state and its trials are from the same instant.
    return store.m_state->read([&](const Database& db) {
        model::StudySnapshot snapshot;
        snapshot.study = studyById(db, id);
        snapshot.trials = trialsOfStudy(db, id, true);
        snapshot.workspace = store.file();
        for (model::Trial& trial : snapshot.trials)
            trial.reason.message = base::withRateUnit(std::move(trial.reason.message), snapshot.study.model.rateUnit());
        return snapshot;
    });
}

} // namespace apertune::store
