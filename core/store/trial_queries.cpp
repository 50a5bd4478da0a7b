// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trial_queries.h"

#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/base/mutex.h"
#include "core/sentences/sentences.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/json_text.h"
#include "core/store/measurement_queries.h"
#include "core/store/row_reader.h"
#include "core/store/study_state.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>

namespace apertune::store {

using base::ErrorCode;
using model::TrialState;

namespace {

std::string trialSelect(const char* where)
{
    return std::string(
               "SELECT t.id, t.study_id, t.ordinal, t.device, t.config, t.config_hash, t.state, t.attempt, "
               "t.reason_kind, t.reason_text, t.reason_detail, t.reason_message, t.started_utc, t.finished_utc, ") +
           kMeasurementColumns + " FROM trial t " + kMeasurementJoins + " WHERE " + where + " ORDER BY t.ordinal";
}

/// Rows are read first, and their JSON afterwards, because parsing takes longest.
struct TrialTexts
{
    std::string config;
    MeasurementTexts measurement;
};

struct TrialRows
{
    std::vector<model::Trial> trials;
    std::vector<TrialTexts> texts;
};

void readTrial(const Statement& statement, TrialRows& rows)
{
    RowReader row(statement);
    model::Trial& trial = rows.trials.emplace_back();
    TrialTexts& texts = rows.texts.emplace_back();
    trial.id.value = row.integer();
    trial.study.value = row.integer();
    trial.ordinal = row.small();
    trial.device = row.text();
    texts.config = row.text();
    trial.hash = row.text();
    const auto state = row.optionalEnumerator(TrialState::cancelled);
    trial.attempt = row.small();
    trial.reason.kind = model::knownReasonKind(row.text());
    std::string reason = row.text();
    trial.reason.detail = row.text();
    trial.reason.message = messageFromText(row.text(), std::move(reason));
    if (state)
        trial.state = *state;
    else
        noteDamage(trial, "state");
    trial.startedUtc = row.text();
    trial.finishedUtc = row.text();
    trial.measurement = readMeasurement(row, texts.measurement);
}

/// Parses the JSON of trials while their rows are still being read. It uses a few threads when there are enough trials.
class TextReader
{
public:
    /// REQUIRES: `rows` has room for `count` trials, because adding rows must not move them.
    TextReader(TrialRows& rows, std::size_t count) : m_rows(rows), m_count(count)
    {
        constexpr std::size_t kLeastRowsPerThread = 512;
        const std::size_t cores = std::thread::hardware_concurrency();
        // SQLite reads rows on one thread, which feeds about three parsers.
        const std::size_t useful = std::min<std::size_t>(3, count / kLeastRowsPerThread);
        for (std::size_t i = 0; i + 1 < cores && i < useful; ++i)
            m_helpers.emplace_back([this] { take(); });
    }
    /// After a failure of the caller, it only waits for the batches that are being parsed.
    ~TextReader()
    {
        // Nobody takes another batch, and helpers that wait for rows wake up.
        m_next = m_count;
        m_stopped = true;
        setRowCount(m_count);
    }
    TextReader(const TextReader&) = delete;
    TextReader& operator=(const TextReader&) = delete;

    /// Allows the helpers to parse the first `count` rows.
    void setRowCount(std::size_t count)
    {
        if (count % kAtOnce != 0 && count < m_count)
            return; // helpers wait for a whole batch
        m_ready = count;
        m_ready.notify_all();
    }
    /// Parses the remaining rows. Rethrows the exception of a helper.
    /// REQUIRES: setRowCount() has been called for all rows.
    void finish()
    {
        take();
        m_helpers.clear();
        const base::Lock lock(m_mutex);
        if (m_failure)
            std::rethrow_exception(m_failure);
    }

private:
    void take()
    {
        AppliedMemo memo;
        try {
            for (std::size_t from = m_next.fetch_add(kAtOnce); from < m_count; from = m_next.fetch_add(kAtOnce)) {
                const std::size_t to = std::min(from + kAtOnce, m_count);
                for (std::size_t ready = m_ready; ready < to; ready = m_ready)
                    m_ready.wait(ready);
                if (m_stopped)
                    return;
                for (std::size_t i = from; i < to; ++i) {
                    model::Trial& trial = m_rows.trials[i];
                    if (!isReadable([&] {
                            trial.config = unwrap(model::configFromJson(jsonFromText(m_rows.texts[i].config)));
                        })) {
                        trial.config = {};
                        trial.config.backend = "(unreadable)";
                        noteDamage(trial, "config");
                    }
                    readTexts(m_rows.texts[i].measurement, trial, memo);
                }
            }
        } catch (...) {
            m_next = m_count;
            const base::Lock lock(m_mutex);
            m_failure = std::current_exception();
        }
    }

    static constexpr std::size_t kAtOnce = 64; ///< rows between two synchronizations of the threads
    TrialRows& m_rows;
    const std::size_t m_count;
    std::atomic<std::size_t> m_ready{0};
    std::atomic<std::size_t> m_next{0};
    std::atomic<bool> m_stopped{false};
    base::Mutex m_mutex; ///< no other lock is taken while it is held
    std::exception_ptr m_failure APERTUNE_GUARDED_BY(m_mutex);
    std::vector<std::jthread> m_helpers; ///< the last member, because the threads use the others until they are joined
};

/// Returns the trials that meet `where`, with `key` for its ?1.
/// REQUIRES: `db` is in a transaction, so that the number of trials does not change.
std::vector<model::Trial> readTrials(const Database& db, const char* where, std::int64_t key, bool withSamples)
{
    Statement counted = db.query(std::string("SELECT count(*) FROM trial t WHERE ") + where, key);
    counted.step();
    const auto count = static_cast<std::size_t>(counted.integer(0));
    TrialRows rows;
    rows.trials.reserve(count);
    rows.texts.reserve(count);
    TextReader texts(rows, count);
    Statement statement = db.query(trialSelect(where), key);
    while (rows.trials.size() < count && statement.step()) {
        readTrial(statement, rows);
        texts.setRowCount(rows.trials.size());
    }
    if (rows.trials.size() < count)
        fail({ErrorCode::corrupt,
              base::message<errors::kTrialsMissing>(count - rows.trials.size()),
              {},
              base::message<errors::kRestoreOrRepair>()});
    std::vector<model::Trial*> withoutTimes;
    if (withSamples)
        withoutTimes = readSamples(db, rows.trials); // writes other members of the trials than the helpers do
    texts.finish();
    for (model::Trial* const trial : withoutTimes)
        noteMissing(*trial, model::TrialFlag::unreadableTimes);
    return std::move(rows.trials);
}

bool isLegal(TrialState from, TrialState to)
{
    if (model::isFinal(from))
        return from == TrialState::pruned && to == TrialState::queued; // a study that goes on with more time
    switch (to) {
    case TrialState::queued:
        return from != TrialState::queued;
    case TrialState::leased:
        return from == TrialState::queued;
    case TrialState::running:
        return from == TrialState::leased;
    case TrialState::ok:
        return from == TrialState::running;
    case TrialState::failed: // a worker may die before its trial runs
        return from != TrialState::queued;
    case TrialState::pruned:
    case TrialState::cancelled:
        return true;
    }
    return false;
}

struct StoredState
{
    TrialState state;
    int attempt;
    std::string startedUtc;
};

[[noreturn]] void failNoTrial(model::TrialId id)
{
    fail({ErrorCode::notFound, base::message<errors::kNoTrial>(id.value), {}, base::message<errors::kListTrials>()});
}

StoredState storedState(const Database& db, model::TrialId id)
{
    Statement rows = db.query("SELECT state, attempt, started_utc FROM trial WHERE id = ?1", id.value);
    if (!rows.step())
        failNoTrial(id);
    RowReader row(rows);
    return {row.enumerator(TrialState::cancelled), row.small(), row.text()};
}

constexpr const char* kInsertTrial =
    "INSERT INTO trial (study_id, ordinal, device, config, config_hash, state, attempt, reason_kind, "
    "reason_text, reason_detail, reason_message, started_utc, finished_utc) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT (study_id, config_hash) "
    "DO NOTHING";

/// Stores a new trial by `insert`, which is kInsertTrial, and fills in its study, ordinal, hash and id.
void insertTrial(const Database& db, Statement& insert, model::StudyId study, int ordinal, model::Trial& trial)
{
    if (trial.state != TrialState::queued && trial.state != TrialState::pruned)
        fail({ErrorCode::internal,
              base::message<errors::kNewTrialState>(),
              {},
              base::message<base::errors::kPleaseReport>()});
    trial.study = study;
    trial.ordinal = ordinal;
    trial.hash = model::configHash(trial.config, trial.device);
    insert
        .bind(study.value, trial.ordinal, trial.device, jsonText(model::toJson(trial.config)), trial.hash,
              static_cast<int>(trial.state), trial.attempt, model::toString(trial.reason.kind),
              sentences::sentence(trial.reason.message), trial.reason.detail, messageText(trial.reason.message),
              trial.startedUtc, trial.finishedUtc)
        .run();
    if (db.changes() == 0)
        fail({ErrorCode::invalidArgument,
              base::message<errors::kConfigurationTwice>(ordinal),
              {},
              base::message<base::errors::kPleaseReport>()});
    trial.id.value = db.lastInsertId();
}

void updateTrial(const Database& db, model::TrialId id, TrialState state, int attempt, const model::Reason& reason,
                 const std::string& started, const std::string& finished)
{
    db.run("UPDATE trial SET state = ?2, attempt = ?3, reason_kind = ?4, reason_text = ?5, reason_detail = ?6, "
           "reason_message = ?7, started_utc = ?8, finished_utc = ?9 WHERE id = ?1",
           id.value, static_cast<int>(state), attempt, model::toString(reason.kind),
           sentences::sentence(reason.message), reason.detail, messageText(reason.message), started, finished);
}

/// Returns the trial that takes over the result of `wanted`: that of the same configuration, or a new one where the
/// study has none. nullopt where it has a result, or where both were left out.
std::optional<model::TrialId> trialWithoutResult(const Database& db, model::StudyId study, const model::Trial& wanted)
{
    Statement known = db.query("SELECT id, state FROM trial WHERE study_id = ?1 AND config_hash = ?2", study.value,
                               model::configHash(wanted.config, wanted.device));
    if (known.step()) {
        RowReader row(known);
        const model::TrialId id{row.integer()};
        const TrialState state = row.enumerator(TrialState::cancelled);
        const bool isOpen = !model::isFinal(state) || (state == TrialState::pruned && wanted.state != state);
        return isOpen ? std::optional(id) : std::nullopt;
    }
    model::Trial added;
    added.device = wanted.device;
    added.config = wanted.config;
    appendTrial(db, study, added);
    return added.id;
}

} // namespace

void insertTrials(const Database& db, model::StudyId study, std::vector<model::Trial>& trials)
{
    Statement insert = db.prepare(kInsertTrial);
    int ordinal = 0;
    for (model::Trial& trial : trials)
        insertTrial(db, insert, study, ++ordinal, trial);
}

void appendTrial(const Database& db, model::StudyId study, model::Trial& trial)
{
    requireStudy(db, study);
    Statement last = db.query("SELECT COALESCE(MAX(ordinal), 0) FROM trial WHERE study_id = ?1", study.value);
    last.step();
    const int ordinal = RowReader(last).small() + 1;
    Statement insert = db.prepare(kInsertTrial);
    insertTrial(db, insert, study, ordinal, trial);
}

std::vector<model::Trial> trialsOfStudy(const Database& db, model::StudyId study, bool withSamples)
{
    requireStudy(db, study);
    return readTrials(db, "t.study_id = ?1", study.value, withSamples);
}

model::Trial trialById(const Database& db, model::TrialId id)
{
    std::vector<model::Trial> found = readTrials(db, "t.id = ?1", id.value, true);
    if (found.empty())
        failNoTrial(id);
    return std::move(found.front());
}

void moveTrial(const Database& db, const model::Trial& trial, TrialState to)
{
    const StoredState stored = storedState(db, trial.id);
    if (!isLegal(stored.state, to))
        fail({ErrorCode::internal,
              base::message<errors::kNoTransition>(trial.id.value, model::toString(stored.state), model::toString(to)),
              {},
              base::message<base::errors::kPleaseReport>()});

    const bool final = model::isFinal(to);
    // The stored attempt counts when the caller has an older copy of the trial.
    const int attempt = std::max(trial.attempt, to == TrialState::queued ? stored.attempt + 1 : stored.attempt);
    std::string started = stored.startedUtc;
    if (to == TrialState::queued)
        started.clear();
    else if (to == TrialState::running)
        started = base::utcNow();
    if (final && !trial.startedUtc.empty())
        started = trial.startedUtc;
    std::string finished;
    if (final)
        finished = trial.finishedUtc.empty() ? base::utcNow() : trial.finishedUtc;
    updateTrial(db, trial.id, to, attempt, final ? trial.reason : model::Reason{}, started, finished);
    // A pruned trial that is queued again must not keep its partial measurement.
    if (model::isFinal(stored.state))
        removeMeasurement(db, trial.id);
    if (final)
        storeMeasurement(db, trial.id, trial.measurement);
}

void replaceTrialMeasurement(const Database& db, const model::Trial& trial)
{
    if (storedState(db, trial.id).state != TrialState::ok)
        fail({ErrorCode::internal,
              base::message<errors::kNothingToReplace>(trial.id.value),
              {},
              base::message<base::errors::kPleaseReport>()});
    removeMeasurement(db, trial.id);
    storeMeasurement(db, trial.id, trial.measurement);
}

int adoptTrials(const Database& db, model::StudyId study, const std::vector<model::Trial>& trials)
{
    requireStudy(db, study);
    int adopted = 0;
    for (const model::Trial& trial : trials) {
        if (!model::isFinal(trial.state))
            continue;
        const auto id = trialWithoutResult(db, study, trial);
        if (!id)
            continue;
        // What was left out may have a part of a measurement.
        removeMeasurement(db, *id);
        updateTrial(db, *id, trial.state, trial.attempt, trial.reason, trial.startedUtc, trial.finishedUtc);
        storeMeasurement(db, *id, trial.measurement);
        ++adopted;
    }
    return adopted;
}

int requeueTrials(const Database& db, model::StudyId study)
{
    requireStudy(db, study);
    db.run("UPDATE trial SET state = ?2, attempt = attempt + 1, started_utc = '' WHERE study_id = ?1 AND state IN (?3, "
           "?4)",
           study.value, static_cast<int>(TrialState::queued), static_cast<int>(TrialState::leased),
           static_cast<int>(TrialState::running));
    const int count = db.changes();
    updateStudyState(db, study, model::StudyState::running);
    return count;
}

void starTrial(const Database& db, model::TrialId trial, bool starred)
{
    storedState(db, trial);
    if (starred)
        db.run("INSERT INTO baseline (trial_id, starred_utc) VALUES (?1, ?2) ON CONFLICT (trial_id) DO NOTHING",
               trial.value, base::utcNow());
    else
        db.run("DELETE FROM baseline WHERE trial_id = ?1", trial.value);
}

void nameStarredTrial(const Database& db, model::TrialId trial, const std::string& name, bool replace)
{
    starTrial(db, trial, true);
    if (!name.empty()) {
        unwrap(model::checkBaselineName(name));
        Statement other =
            db.query("SELECT trial_id FROM baseline WHERE name = ?1 AND trial_id <> ?2", name, trial.value);
        if (other.step()) {
            if (!replace)
                fail({ErrorCode::invalidArgument,
                      base::message<errors::kBaselineNameInUse>(name, other.integer(0)),
                      {},
                      base::message<errors::kReplaceBaseline>()});
            db.run("UPDATE baseline SET name = '' WHERE trial_id = ?1", other.integer(0));
        }
    }
    db.run("UPDATE baseline SET name = ?2 WHERE trial_id = ?1", trial.value, name);
}

std::vector<model::Baseline> starredTrials(const Database& db)
{
    std::vector<model::Baseline> baselines;
    Statement rows = db.prepare("SELECT trial_id, name, starred_utc FROM baseline ORDER BY trial_id");
    while (rows.step())
        baselines.push_back({{rows.integer(0)}, rows.text(1), rows.text(2)});
    return baselines;
}

} // namespace apertune::store
