// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/salvage.h"

#include "core/sentences/sentences.h"
#include "core/store/catalog_queries.h"
#include "core/store/copy_database.h"
#include "core/store/environment_queries.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/json_text.h"
#include "core/store/measurement_queries.h"
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
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>

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

/// Returns the tables whose rows refer to a table, each with the column that does.
std::vector<std::pair<std::string, std::string>> referencesTo(const Database& db, const std::vector<TreeShape>& tables,
                                                              const std::string& parent)
{
    std::vector<std::pair<std::string, std::string>> columns;
    for (const TreeShape& table : tables) {
        Statement keys =
            db.query("SELECT \"from\" FROM pragma_foreign_key_list(?1) WHERE \"table\" = ?2", table.name, parent);
        while (keys.step())
            columns.emplace_back(table.name, keys.text(0));
    }
    return columns;
}

/// Returns the ids that rows refer to and that their table has lost, in ascending order. An id that was never given to
/// a row is damage of the row that refers to it.
std::vector<std::int64_t> lostIds(const Database& db, const std::vector<TreeShape>& tables, const std::string& parent)
{
    std::string sql;
    for (const auto& [table, column] : referencesTo(db, tables, parent))
        sql += (sql.empty() ? "" : " UNION ") + ("SELECT " + column + " AS id FROM " + table);
    std::vector<std::int64_t> lost;
    Statement rows =
        db.query("SELECT DISTINCT id FROM (" + sql + ") WHERE id >= 1 AND id NOT IN (SELECT id FROM " + parent +
                     ") AND id <= coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?1), id) "
                     "ORDER BY id",
                 parent);
    while (rows.step())
        lost.push_back(rows.integer(0));
    return lost;
}

constexpr const char* kLost = "(lost)";

/// `id` 0 is a new one.
std::int64_t addLostModel(const Database& db, std::int64_t id)
{
    model::ModelRef lost;
    lost.name = kLost;
    db.run("INSERT INTO model (id, identity, listed, name, artifact, content_hash, document) "
           "VALUES (nullif(?1, 0), 'lost ' || lower(hex(randomblob(16))), 0, ?2, '', '', ?3)",
           id, kLost, jsonText(model::toJson(lost)));
    return db.lastInsertId();
}

/// `id` 0 is a new one.
std::int64_t addLostEnvironment(const Database& db, std::int64_t id)
{
    db.run("INSERT INTO environment (id, hash, host, os, kernel, apertune, engines, settings) "
           "VALUES (nullif(?1, 0), 'lost ' || lower(hex(randomblob(16))), ?2, '', '', '', '[]', '[]')",
           id, kLost);
    return db.lastInsertId();
}

void addLostStudy(const Database& db, std::int64_t id)
{
    db.run(
        "INSERT INTO study (id, uuid, name, model_id, environment_id, load_average, clocks_mhz, goal, space, "
        "budget_ns, target, state, created_utc, finished_utc, command_line) "
        "VALUES (?1, lower(hex(randomblob(16))), ?2 || ' · study ' || ?1, ?3, ?4, NULL, '[]', ?5, ?6, 0, ?7, ?8, '', "
        "'', '')",
        id, kLost, addLostModel(db, 0), addLostEnvironment(db, 0), jsonText(model::toJson(model::Goal{})),
        jsonText(model::toJson(model::SearchSpace{})), model::Study{}.target,
        static_cast<int>(model::StudyState::interrupted));
}

/// Finds the study of a lost trial: that of its neighbours, because the trials of a study are numbered together;
/// nullopt when they have different ones.
std::optional<std::int64_t> studyOfLostTrial(const Database& db, std::int64_t id)
{
    Statement before = db.query("SELECT study_id FROM trial WHERE id < ?1 ORDER BY id DESC LIMIT 1", id);
    Statement after = db.query("SELECT study_id FROM trial WHERE id > ?1 ORDER BY id LIMIT 1", id);
    if (!before.step())
        return std::nullopt;
    const std::int64_t study = before.integer(0);
    const bool same =
        after.step() ? after.integer(0) == study : !db.query("SELECT 1 FROM study WHERE id > ?1", study).step();
    return same ? std::optional(study) : std::nullopt;
}

/// `lostStudy` is the study of trials that none can be found for; 0 until there is one.
void addLostTrial(const Database& db, std::int64_t id, std::int64_t& lostStudy)
{
    auto study = studyOfLostTrial(db, id);
    if (!study) {
        if (lostStudy == 0)
            lostStudy = 1 + db.integer("SELECT max(coalesce((SELECT max(id) FROM study), 0), "
                                       "coalesce((SELECT max(study_id) FROM trial), 0), "
                                       "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'study'), 0))");
        study = lostStudy;
    }
    model::Trial trial;
    noteDamage(trial, "config");
    db.run("INSERT INTO trial (id, study_id, ordinal, device, config, config_hash, state, attempt, reason_kind, "
           "reason_text, reason_detail, reason_message, started_utc, finished_utc) SELECT ?1, ?2, "
           "1 + coalesce(max(ordinal), 0), '', '', 'lost ' || ?1, ?3, 1, ?4, ?5, '', ?6, '', '' "
           "FROM trial WHERE study_id = ?2",
           id, *study, static_cast<int>(trial.state), model::toString(trial.reason.kind),
           sentences::sentence(trial.reason.message), messageText(trial.reason.message));
}

/// Adds placeholders for lost rows that others refer to, so that those are kept. Returns the number of placeholders.
std::int64_t addPlaceholders(const Database& db, const std::vector<TreeShape>& tables)
{
    std::int64_t made = 0;
    std::int64_t lostStudy = 0;
    const auto add = [&](const std::string& table, const auto& addOne) {
        for (const std::int64_t id : lostIds(db, tables, table)) {
            addOne(id);
            ++made;
        }
    };
    // Children first: a placeholder may refer to a row that is lost, too.
    add("trace", [&](std::int64_t id) { addLostTrace(db, {id}); });
    add("trial", [&](std::int64_t id) { addLostTrial(db, id, lostStudy); });
    if (lostStudy != 0) {
        addLostStudy(db, lostStudy);
        ++made;
    }
    add("study", [&](std::int64_t id) { addLostStudy(db, id); });
    add("model", [&](std::int64_t id) { addLostModel(db, id); });
    add("environment", [&](std::int64_t id) { addLostEnvironment(db, id); });
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

/// A column whose text may be damaged, and what replaces it.
struct Replacement
{
    const char* column;
    SqlValue value;
};

/// Replaces the columns of a row that keep `read` from decoding it. Removes the row when that does not help. Returns
/// whether the row was decoded as it is.
bool mendRow(const Database& db, const std::string& table, std::int64_t id,
             const std::vector<Replacement>& replacements, const std::function<void()>& read)
{
    if (isReadable(read))
        return true;
    std::vector<std::pair<std::string, SqlValue>> stored;
    const auto put = [&](const std::string& column, const SqlValue& value) {
        db.prepare("UPDATE " + table + " SET " + column + " = ?1 WHERE id = ?2").bindValues({value, id}).run();
    };
    for (const Replacement& replacement : replacements) {
        Statement row = db.query("SELECT " + std::string(replacement.column) + " FROM " + table + " WHERE id = ?1", id);
        row.step();
        stored.emplace_back(replacement.column, std::holds_alternative<std::int64_t>(replacement.value)
                                                    ? SqlValue(row.integer(0))
                                                    : SqlValue(row.text(0)));
        put(replacement.column, replacement.value);
    }
    if (!isReadable(read)) {
        db.run("DELETE FROM " + table + " WHERE id = ?1", id);
        return false;
    }
    // All columns but the damaged ones get their text back.
    for (std::size_t i = 0; i < stored.size(); ++i) {
        put(stored[i].first, stored[i].second);
        if (!isReadable(read))
            put(stored[i].first, replacements[i].value);
    }
    return false;
}

/// Devices have no id of their own, and a damaged one hides its environment.
std::int64_t mendDevices(const Database& db)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> bad;
    Statement rows = db.prepare("SELECT environment_id, ordinal, isa, kind FROM device");
    while (rows.step())
        if (!isReadable([&] {
                static_cast<void>(valueFromText<std::vector<std::string>>(rows.text(2)));
                if (rows.integer(3) < 0 || rows.integer(3) > static_cast<std::int64_t>(model::DeviceKind::npu))
                    fail({ErrorCode::corrupt, base::message<errors::kUnknownValue>(rows.integer(3))});
            }))
            bad.emplace_back(rows.integer(0), rows.integer(1));
    for (const auto& [environment, ordinal] : bad)
        db.run("UPDATE device SET isa = '[]', kind = ?3 WHERE environment_id = ?1 AND ordinal = ?2", environment,
               ordinal, static_cast<int>(model::DeviceKind::cpu));
    return static_cast<std::int64_t>(bad.size());
}

/// Mends rows that can be read but not decoded, so that one of them does not hide what refers to it.
/// Returns the number of rows that were replaced, in whole or in part.
std::int64_t mendUnreadable(const Database& db, const std::vector<TreeShape>& tables)
{
    std::int64_t mended = 0;
    const auto mend = [&](const std::string& table, const std::vector<Replacement>& replacements, const auto& read) {
        for (const std::int64_t id : ids(db, table))
            mended += !mendRow(db, table, id, replacements, [&] { read(id); });
    };
    mended += mendDevices(db);
    model::ModelRef lost;
    lost.name = kLost;
    const std::string emptyList = "[]";
    mend("model", {{"document", jsonText(model::toJson(lost))}}, [&](std::int64_t id) { modelById(db, id); });
    mend("environment", {{"engines", emptyList}, {"settings", emptyList}},
         [&](std::int64_t id) { environmentById(db, id); });
    // What was removed is replaced before the studies are read.
    mended += addPlaceholders(db, tables);
    mend("study",
         {{"clocks_mhz", emptyList},
          {"goal", jsonText(model::toJson(model::Goal{}))},
          {"space", jsonText(model::toJson(model::SearchSpace{}))},
          {"interference", std::string()},
          {"state", std::int64_t{static_cast<int>(model::StudyState::interrupted)}},
          {"budget_kind", std::int64_t{static_cast<int>(model::BudgetKind::measuring)}},
          {"purpose", std::int64_t{static_cast<int>(model::StudyPurpose::tuning)}}},
         [&](std::int64_t id) { studyById(db, {id}); });
    mended += addPlaceholders(db, tables);
    return mended;
}

/// Keeps the largest ids that were ever given, so that the id of a deleted row is not given again. Without a number in
/// the damaged file, the next id follows the largest one that was saved.
void keepSequences(const Database& db, const std::map<std::string, std::int64_t>& sequences)
{
    // SQLite has noted the largest id of each table that got a row. A number beyond all reason is damage.
    constexpr std::int64_t kMost = std::int64_t{1} << 48;
    db.execute("DELETE FROM sqlite_sequence");
    for (const auto& [table, last] : sequences)
        if (last >= 0 && last <= kMost &&
            db.query("SELECT 1 FROM pragma_table_list(?1) WHERE schema = 'main'", table).step())
            db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", table, last);
}

/// Returns how many entries of a file's schema are exactly those of a version.
std::size_t entriesOfVersion(const RecordedSchema& recorded, std::span<const Migration> migrations)
{
    const Database db = Database::inMemory();
    for (const Migration& step : migrations)
        db.execute(std::string(step.sql));
    std::set<std::array<std::string, 3>> own;
    Statement rows = db.prepare("SELECT type, name, sql FROM sqlite_schema");
    while (rows.step())
        own.insert({rows.text(0), rows.text(1), rows.text(2)});
    return static_cast<std::size_t>(
        std::count_if(recorded.entries.begin(), recorded.entries.end(), [&](const SchemaEntry& e) {
            return own.contains({e.type, e.name, e.sql});
        }));
}

/// Returns the version of the schema that the rows were written in. A bit of the header may be wrong, so the schema's
/// own table decides where the two differ.
int versionOf(const RawPages& pages, const fs::path& file)
{
    const auto migrations = schemaMigrations();
    const int newest = migrations.back().version;
    const RecordedSchema recorded = readSchema(pages);
    std::size_t most = 0;
    int found = newest; // without a header and a schema, nothing says which version it is
    std::vector<std::size_t> entries(static_cast<std::size_t>(newest) + 1);
    for (int version = newest; version >= 1; --version) {
        const auto at = static_cast<std::size_t>(version);
        entries[at] = entriesOfVersion(recorded, migrations.first(at));
        if (entries[at] > most) {
            most = entries[at];
            found = version;
        }
    }
    if (!pages.hasHeader())
        return found;
    const bool known = pages.version() >= 1 && pages.version() <= newest;
    if (pages.applicationId() != kApplicationId && most * 2 <= recorded.entries.size())
        // A file with another application's number holds tables that mean something else.
        fail({ErrorCode::corrupt, base::message<errors::kForeignDatabase>(), file.string(),
              base::message<errors::kNameWorkspace>()});
    // A newer version differs in at least one entry.
    if (!known && (most == 0 || most < recorded.entries.size()))
        fail({ErrorCode::unsupported, base::message<errors::kCannotSalvage>(pages.version()), file.string(),
              base::message<errors::kVersionThatMade>()});
    return known && entries[static_cast<std::size_t>(pages.version())] == most ? pages.version() : found;
}

Salvage copyReadable(const RawPages& pages, const fs::path& file, const fs::path& part)
{
    const auto migrations = schemaMigrations();
    const int version = versionOf(pages, file);

    const Database to = Database::open(part, Database::Access::create);
    // The rows are stored in the schema that they were written in.
    createSchema(to, migrations.first(static_cast<std::size_t>(version)));
    const std::vector<TreeShape> shapes = treeShapes(to);
    std::vector<TreeShape> tables;
    std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(tables),
                 [](const TreeShape& shape) { return shape.isTable; });
    Salvage report;
    to.execute("PRAGMA synchronous = OFF");  // renameSynced() writes the whole file to the disk at the end
    to.execute("PRAGMA foreign_keys = OFF"); // pages come in file order, so a child row may come before its parent
    {
        Transaction transaction(to, Transaction::Kind::write);
        RowFinder finder(pages, shapes);
        Inserter inserter(to);
        std::map<std::string, std::int64_t> sequences;
        finder.visit([&](const TreeShape& table, const std::vector<SqlValue>& row) {
            if (table.isTable)
                inserter.insert(table, row);
            else if (row.size() == 2) // SQLite's own table of the largest ids that were given
                sequences.emplace(std::get<std::string>(row[0]), std::get<std::int64_t>(row[1]));
        });
        report.rows = inserter.rows();
        keepSequences(to, sequences);
        // Without rows and without a header, nothing shows that this was a workspace.
        if (report.rows == 0 && !pages.hasHeader())
            fail({ErrorCode::corrupt, base::message<errors::kNoWorkspaceOrUnreadable>(), file.string(),
                  base::message<errors::kNameWorkspaceOrRestore>()});
        report.damagedTables.assign(finder.damaged().begin(), finder.damaged().end());
        report.placeholders = addPlaceholders(to, tables);
        report.dropped += removeOrphans(to, tables);
        transaction.commit();
    }
    // Only the newest schema can be decoded. Rows of an older one are kept as they are; opening the file migrates it.
    if (version == migrations.back().version) {
        Transaction transaction(to, Transaction::Kind::write);
        report.placeholders += mendUnreadable(to, tables);
        report.dropped += removeUnreadableTimes(to);
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
    const RawPages pages(damaged);
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
