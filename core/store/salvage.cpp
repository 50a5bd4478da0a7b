// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/salvage.h"

#include "core/store/open_workspace.h"
#include "core/store/queries.h"
#include "core/store/trace_queries.h"

#include <unistd.h>

namespace apertune::store {

namespace fs = std::filesystem;
using base::ErrorCode;

namespace {

struct Table
{
    std::string name;
    std::string columns; ///< "a, b, c"
    std::string parameters;
    std::string key; ///< "a" or "a, b": the order of its rows on disk
    std::string descending;
};

std::vector<Table> tablesOf(const Database& db)
{
    std::vector<Table> tables;
    Statement names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
                                 "ORDER BY rowid");
    while (names.step()) {
        Table table{names.text(0), {}, {}, {}, {}};
        Statement columns = db.query("SELECT name, pk FROM pragma_table_info(?1) ORDER BY pk = 0, pk, cid", table.name);
        for (int n = 1; columns.step(); ++n) {
            const std::string comma = n > 1 ? ", " : "";
            table.columns += comma + columns.text(0);
            table.parameters += comma + "?" + std::to_string(n);
            if (columns.integer(1) > 0) {
                table.key += comma + columns.text(0);
                table.descending += comma + columns.text(0) + " DESC";
            }
        }
        tables.push_back(table);
    }
    return tables;
}

/// Copies rows in the given order until the end or the first damage; true when it came to the end.
bool copyRows(const Database& from, const Database& to, const Table& table, const std::string& order,
              std::int64_t& rows)
{
    Statement insert = to.prepare("INSERT OR IGNORE INTO " + table.name + " (" + table.columns + ") VALUES (" +
                                  table.parameters + ")");
    try {
        Statement read = from.prepare("SELECT " + table.columns + " FROM " + table.name + " ORDER BY " + order);
        while (read.step()) {
            try {
                insert.bindRow(read).run();
                rows += to.changes();
            } catch (const Failure& failure) {
                if (failure.error.code == ErrorCode::io)
                    throw;
                // The row does not fit its table: damaged, left out.
            }
        }
        return true;
    } catch (const Failure& failure) {
        if (failure.error.code != ErrorCode::corrupt)
            throw;
        return false;
    }
}

/// Removes rows whose parent was lost. Tables come in the order of creation, parents first.
std::int64_t removeOrphans(const Database& db, const std::vector<Table>& tables)
{
    std::int64_t removed = 0;
    for (const Table& table : tables) {
        Statement keys = db.query("SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?1)", table.name);
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

/// Removes what can be read as rows but not as values, so that one bad trial does not hide its study.
std::int64_t removeUnreadable(const Database& db)
{
    std::int64_t removed = 0;
    const auto drop = [&](const std::string& table, std::int64_t id, const auto& read) {
        const auto result = guarded([&] { read(id); });
        if (result)
            return;
        db.run("DELETE FROM " + table + " WHERE id = ?1", id);
        removed += db.changes();
    };
    for (const std::int64_t id : ids(db, "model"))
        drop("model", id, [&](std::int64_t model) { modelById(db, model); });
    for (const std::int64_t id : ids(db, "environment"))
        drop("environment", id, [&](std::int64_t environment) { environmentById(db, environment); });
    removed += removeOrphans(db, tablesOf(db));
    for (const std::int64_t id : ids(db, "study"))
        drop("study", id, [&](std::int64_t study) { studyById(db, {study}); });
    for (const std::int64_t id : ids(db, "trial"))
        drop("trial", id, [&](std::int64_t trial) { trialById(db, {trial}); });
    return removed;
}

Store::Salvage copyReadable(const Database& from, const fs::path& part)
{
    const FileIdentity identity = identify(from);
    const auto migrations = schemaMigrations();
    if (identity.applicationId != kApplicationId || identity.version < 1 ||
        identity.version > migrations.back().version)
        fail({ErrorCode::unsupported,
              "This version of Apertune cannot salvage schema " + std::to_string(identity.version) + ".",
              from.file().string(), "Use the version that made the file, or a newer one."});

    const Database to = Database::open(part, Database::Access::create);
    createSchema(to, migrations.first(static_cast<std::size_t>(identity.version)));
    const std::vector<Table> tables = tablesOf(to);
    Store::Salvage report;
    to.execute("PRAGMA foreign_keys = OFF"); // a child may come before a parent that is read from the other end
    {
        Transaction transaction(to, Transaction::Kind::write);
        for (const Table& table : tables)
            if (!copyRows(from, to, table, table.key, report.rows)) {
                copyRows(from, to, table, table.descending, report.rows);
                report.damagedTables.push_back(table.name);
            }
        if (identity.version >= 2) // a trace is worth keeping without its trial
            to.execute("UPDATE trace SET trial_id = NULL WHERE trial_id NOT IN (SELECT id FROM trial)");
        report.dropped += removeOrphans(to, tables);
        transaction.commit();
    }
    if (identity.version == migrations.back().version) {
        Transaction transaction(to, Transaction::Kind::write);
        report.dropped += removeUnreadable(to);
        to.execute("UPDATE trace SET trial_id = NULL WHERE trial_id NOT IN (SELECT id FROM trial)");
        report.dropped += removeOrphans(to, tables);
        report.dropped += repairTraces(to);
        removeOrphans(to, tables); // what a trace that could not be saved leaves behind
        transaction.commit();
    }
    report.rows -= report.dropped;
    return report;
}

} // namespace

Store::Salvage salvageWorkspace(const fs::path& damaged, const fs::path& target)
{
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(target, ignored)))
        fail({ErrorCode::invalidArgument,
              "There is a file at " + target.string() + " already.",
              {},
              "Choose another name, or remove it first."});
    const Database from = openConnection(damaged);
    const fs::path part = fs::absolute(target).string() + ".part-" + std::to_string(::getpid());
    Store::Salvage report;
    try {
        report = copyReadable(from, part);
    } catch (...) {
        for (const char* suffix : {"", "-wal", "-shm"})
            fs::remove(part.string() + suffix, ignored);
        throw;
    }
    renameSynced(part, target);
    return report;
}

} // namespace apertune::store
