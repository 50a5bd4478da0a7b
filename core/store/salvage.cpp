// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/salvage.h"

#include "core/store/catalog_queries.h"
#include "core/store/copy_database.h"
#include "core/store/environment_queries.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/json_text.h"
#include "core/store/migration.h"
#include "core/store/open_workspace.h"
#include "core/store/raw_pages.h"
#include "core/store/salvage_rows.h"
#include "core/store/salvage_traces.h"
#include "core/store/sample_codec.h"
#include "core/store/study_queries.h"
#include "core/store/trial_queries.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace apertune::store {

namespace fs = std::filesystem;
using base::ErrorCode;

namespace {

/// Inserts rows with one statement per number of columns. Columns that a row does not store get their default.
class Inserter
{
public:
    explicit Inserter(const Database& to) : m_to(to) {}

    void insert(const TreeShape& table, const std::vector<SqlValue>& values)
    {
        Statement& statement = prepared(table, values.size());
        try {
            statement.bindValues(values).run();
            m_rows += m_to.changes();
        } catch (const Failure& failure) {
            if (failure.error.code == ErrorCode::io)
                throw;
            // A row that does not fit its table is damaged and left out. Only a failure to write ends the salvage.
        }
    }
    std::int64_t rows() const { return m_rows; }

private:
    Statement& prepared(const TreeShape& table, std::size_t count)
    {
        // Rows from before a migration have fewer columns.
        const auto key = std::pair(table.name, count);
        if (const auto known = m_statements.find(key); known != m_statements.end())
            return known->second;
        std::string columns;
        std::string parameters;
        // Only the first columns are named, so the others get their defaults.
        for (std::size_t i = 0; i < count; ++i) {
            columns += (i > 0 ? ", " : "") + table.columns[i].name;
            parameters += (i > 0 ? ", ?" : "?") + std::to_string(i + 1);
        }
        return m_statements
            .emplace(key, m_to.prepare("INSERT OR IGNORE INTO " + table.name + " (" + columns + ") VALUES (" +
                                       parameters + ")"))
            .first->second;
    }

    const Database& m_to;
    std::map<std::pair<std::string, std::size_t>, Statement> m_statements;
    std::int64_t m_rows = 0;
};

/// Removes rows whose parent was lost. Tables come in the order of creation, parents first.
std::int64_t removeOrphans(const Database& db, const std::vector<TreeShape>& tables)
{
    std::int64_t removed = 0;
    for (const TreeShape& table : tables) {
        Statement keys = db.query("SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?1)", table.name);
        // A row that refers to a missing one is an orphan.
        while (keys.step()) {
            db.run("DELETE FROM " + table.name + " WHERE " + keys.text(0) + " IS NOT NULL AND " + keys.text(0) +
                   " NOT IN (SELECT " + keys.text(2) + " FROM " + keys.text(1) + ")");
            removed += db.changes();
        }
    }
    return removed;
}

std::vector<std::int64_t> ids(const Database& db, const std::string& table)
{
    std::vector<std::int64_t> list;
    Statement rows = db.prepare("SELECT id FROM " + table);
    while (rows.step())
        list.push_back(rows.integer(0));
    return list;
}

/// Adds placeholders for lost models, environments and studies, so that the trials that refer to them are kept.
/// Returns the number of placeholders.
std::int64_t addPlaceholders(const Database& db)
{
    std::int64_t made = 0;
    const auto add = [&](const std::string& sql, const auto&... values) {
        db.run(sql, values...);
        made += db.changes();
    };
    model::ModelRef lostModel;
    lostModel.name = "(lost)";
    // Studies first: their placeholders refer to a model and an environment that are made next.
    add("INSERT INTO study (id, uuid, name, model_id, environment_id, load_average, clocks_mhz, goal, space, "
        "budget_ns, target, state, created_utc, finished_utc, command_line) "
        "SELECT study_id, lower(hex(randomblob(16))), '(lost) · study ' || study_id, "
        "1 + (SELECT coalesce(max(id), 0) FROM model), 1 + (SELECT coalesce(max(id), 0) FROM environment), "
        "NULL, '[]', ?1, ?2, 0, ?3, ?4, '', '', '' "
        "FROM (SELECT DISTINCT study_id FROM trial WHERE study_id NOT IN (SELECT id FROM study))",
        jsonText(model::toJson(model::Goal{})), jsonText(model::toJson(model::SearchSpace{})), model::Study{}.target,
        static_cast<int>(model::StudyState::interrupted));
    add("INSERT INTO model (id, identity, listed, name, artifact, content_hash, document) SELECT DISTINCT model_id, "
        "'lost ' || model_id, 0, '(lost)', '', '', ?1 FROM study WHERE model_id NOT IN (SELECT id FROM model)",
        jsonText(model::toJson(lostModel)));
    add("INSERT INTO environment (id, hash, host, os, kernel, apertune, engines, settings) SELECT DISTINCT "
        "environment_id, 'lost ' || environment_id, '(lost)', '', '', '', '[]', '[]' FROM study WHERE environment_id "
        "NOT IN (SELECT id FROM environment)");
    return made;
}

/// Removes the unreadable times of single passes. They are the longest part of a trial, and its measurement is useful
/// without them.
std::int64_t removeUnreadableTimes(const Database& db)
{
    std::vector<std::int64_t> bad;
    Statement rows = db.prepare("SELECT trial_id, count, times FROM iteration");
    while (rows.step())
        if (!decodeTimes(rows.blob(2), rows.integer(1)))
            bad.push_back(rows.integer(0));
    for (const std::int64_t id : bad)
        db.run("DELETE FROM iteration WHERE trial_id = ?1", id);
    return static_cast<std::int64_t>(bad.size());
}

/// Removes rows that can be read but not decoded, so that one bad trial does not hide its study.
std::int64_t removeUnreadable(const Database& db, const std::vector<TreeShape>& tables)
{
    std::int64_t removed = 0;
    const auto drop = [&](const std::string& table, std::int64_t id, const auto& read) {
        const auto result = guarded([&] { read(id); });
        if (result)
            return;
        db.run("DELETE FROM " + table + " WHERE id = ?1", id);
        removed += db.changes();
    };
    // Parents first: removing one orphans its rows, which need no check any more.
    for (const std::int64_t id : ids(db, "model"))
        drop("model", id, [&](std::int64_t model) { modelById(db, model); });
    for (const std::int64_t id : ids(db, "environment"))
        drop("environment", id, [&](std::int64_t environment) { environmentById(db, environment); });
    removed += removeOrphans(db, tables);
    for (const std::int64_t id : ids(db, "study"))
        drop("study", id, [&](std::int64_t study) { studyById(db, {study}); });
    removed += removeUnreadableTimes(db);
    for (const std::int64_t id : ids(db, "trial"))
        drop("trial", id, [&](std::int64_t trial) { trialById(db, {trial}); });
    return removed;
}

Salvage copyReadable(const RawPages& pages, const fs::path& file, const fs::path& part)
{
    const auto migrations = schemaMigrations();
    // Without a header the version is unknown, so the newest schema is assumed.
    const int version = pages.hasHeader() ? pages.version() : migrations.back().version;
    if (pages.hasHeader() && pages.applicationId() != kApplicationId)
        // A file with another application's number holds tables that mean something else.
        fail({ErrorCode::corrupt, base::message<errors::kForeignDatabase>(), file.string(),
              base::message<errors::kNameWorkspace>()});
    if (version < 1 || version > migrations.back().version)
        fail({ErrorCode::unsupported, base::message<errors::kCannotSalvage>(version), file.string(),
              base::message<errors::kVersionThatMade>()});

    const Database to = Database::open(part, Database::Access::create);
    // The rows are stored in the schema that they were written in.
    createSchema(to, migrations.first(static_cast<std::size_t>(version)));
    const std::vector<TreeShape> shapes = treeShapes(to);
    std::vector<TreeShape> tables;
    std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(tables),
                 [](const TreeShape& shape) { return shape.isTable; });
    Salvage report;
    to.execute("PRAGMA foreign_keys = OFF"); // pages come in file order, so a child row may come before its parent
    {
        Transaction transaction(to, Transaction::Kind::write);
        RowFinder finder(pages, shapes);
        Inserter inserter(to);
        finder.visit([&](const TreeShape& table, const std::vector<SqlValue>& row) { inserter.insert(table, row); });
        report.rows = inserter.rows();
        // Without rows and without a header, nothing shows that this was a workspace.
        if (report.rows == 0 && !pages.hasHeader())
            fail({ErrorCode::corrupt, base::message<errors::kNoWorkspaceOrUnreadable>(), file.string(),
                  base::message<errors::kNameWorkspaceOrRestore>()});
        report.damagedTables.assign(finder.damaged().begin(), finder.damaged().end());
        // A trace is useful without its trial.
        to.execute("UPDATE trace SET trial_id = NULL WHERE trial_id NOT IN (SELECT id FROM trial)");
        report.placeholders = addPlaceholders(to);
        report.dropped += removeOrphans(to, tables);
        transaction.commit();
    }
    // Only the newest schema can be decoded. Rows of an older one are kept as they are; opening the file migrates it.
    if (version == migrations.back().version) {
        Transaction transaction(to, Transaction::Kind::write);
        report.dropped += removeUnreadable(to, tables);
        to.execute("UPDATE trace SET trial_id = NULL WHERE trial_id NOT IN (SELECT id FROM trial)");
        report.dropped += removeOrphans(to, tables);
        report.dropped += repairTraces(to);
        removeOrphans(to, tables); // the rows of traces that repairTraces() removed
        transaction.commit();
    }
    report.rows -= report.dropped;
    return report;
}

} // namespace

Salvage salvageWorkspace(const fs::path& damaged, const fs::path& target)
{
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(target, ignored)))
        fail({ErrorCode::invalidArgument,
              base::message<errors::kFileIsThere>(target.string()),
              {},
              base::message<errors::kOtherName>()});
    const RawPages pages(openConnection(damaged));
    const fs::path part = fs::absolute(target).string() + ".part-" + std::to_string(::getpid());
    Salvage report;
    try {
        report = copyReadable(pages, damaged, part);
    } catch (...) {
        // The side files of a part that failed would stay for ever.
        for (const char* suffix : {"", "-wal", "-shm"})
            fs::remove(part.string() + suffix, ignored);
        throw;
    }
    renameSynced(part, target);
    return report;
}

} // namespace apertune::store
