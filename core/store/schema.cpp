// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include "core/store/failure.h"

#include <array>
#include <cerrno>
#include <compare>
#include <cstring>
#include <fcntl.h>
#include <ranges>
#include <set>
#include <unistd.h>

namespace apertune::store {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

namespace {

/// What a schema consists of: the type, name and table of each object, and the text that defines it.
struct Definition
{
    std::string type, name, table, sql;
    auto operator<=>(const Definition&) const = default;
};

/// Without differences of layout.
std::string oneLine(const std::string& sql)
{
    std::string line;
    for (const char c : sql)
        if (std::strchr(" \t\r\n", c) == nullptr || c == '\0')
            line += c;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    return line;
}

std::set<Definition> definitionsOf(const Database& database)
{
    std::set<Definition> found;
    Statement rows = database.prepare("SELECT type, name, tbl_name, sql FROM main.sqlite_schema");
    while (rows.step())
        found.insert({rows.text(0), rows.text(1), rows.text(2), oneLine(rows.text(3))});
    // SQLite makes these by itself: the index of a key has no text, and the tables have always the same one.
    std::erase_if(found, [](const Definition& d) {
        return (d.type == "index" && d.sql.empty()) ||
               (d.type == "table" && (d.sql == "CREATE TABLE sqlite_sequence(name,seq)" ||
                                      d.sql == "CREATE TABLE sqlite_stat1(tbl,idx,stat)" ||
                                      d.sql == "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"));
    });
    return found;
}

std::set<Definition> definitionsOf(std::span<const Migration> migrations)
{
    const Database database = Database::inMemory();
    for (const Migration& step : migrations)
        database.execute(std::string(step.sql));
    return definitionsOf(database);
}

/// A name from the file as it may be shown.
std::string shown(const std::string& name)
{
    std::string text = name.substr(0, 60);
    for (char& c : text)
        if (c < 0x20 || c > 0x7e)
            c = '?';
    return '"' + text + '"';
}

[[noreturn]] void refuseSchema(const Database& database, const std::string& what)
{
    fail({ErrorCode::corrupt,
          "The workspace was not opened: " + what + ". It is damaged, or another program has changed it.",
          database.file().string(),
          "`apertune repair` saves the rows of Apertune's own tables to a new file, and runs nothing of this one."});
}

/// The first object that is not a plain table or index, or nullptr.
const Definition* firstActive(const Database& database, const std::set<Definition>& definitions)
{
    for (const Definition& d : definitions) {
        const bool table = d.type == "table" && d.sql.starts_with("CREATE TABLE ");
        const bool index =
            d.type == "index" && (d.sql.starts_with("CREATE INDEX ") || d.sql.starts_with("CREATE UNIQUE INDEX "));
        if (!table && !index)
            return &d;
        // A hidden column is computed; an index column without a number is an expression.
        const std::string_view computed = table ? "SELECT 1 FROM pragma_table_xinfo(?1, 'main') WHERE hidden != 0"
                                                : "SELECT 1 FROM pragma_index_xinfo(?1, 'main') WHERE cid = -2";
        if (database.query(computed, d.name).step())
            return &d;
    }
    return nullptr;
}

void setVersion(const Database& database, int version)
{
    database.execute("PRAGMA user_version = " + std::to_string(version));
}

fs::path backupPath(const fs::path& file, int version)
{
    const std::string name = file.string() + ".bak-v" + std::to_string(version);
    fs::path candidate = name;
    for (int n = 2; fs::exists(candidate); ++n)
        candidate = name + "-" + std::to_string(n);
    return candidate;
}

void syncFile(const fs::path& file)
{
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    const int code = ::fsync(fd);
    const int failure = errno;
    ::close(fd);
    if (code != 0)
        fail({ErrorCode::io, std::string("The copy could not be written to the disk: ") + std::strerror(failure) + ".",
              file.string(), "Check the disk and its free space."});
}

} // namespace

std::span<const Migration> schemaMigrations()
{
    static const std::array migrations{Migration{1, kSchemaVersion1}, Migration{2, kSchemaVersion2},
                                       Migration{3, kSchemaVersion3}, Migration{4, kSchemaVersion4},
                                       Migration{5, kSchemaVersion5}, Migration{6, kSchemaVersion6},
                                       Migration{7, kSchemaVersion7}};
    return migrations;
}

FileIdentity identify(const Database& database)
{
    // One transaction, or a creation that ends between the statements would look like a foreign database.
    const Transaction transaction(database, Transaction::Kind::read);
    FileIdentity identity;
    identity.empty = database.integer("SELECT count(*) FROM sqlite_schema") == 0;
    identity.applicationId = database.integer("PRAGMA application_id");
    identity.version = static_cast<int>(database.integer("PRAGMA user_version"));
    return identity;
}

void requireOwnSchema(const Database& database, std::span<const Migration> migrations)
{
    const Transaction transaction(database, Transaction::Kind::read); // another process may be upgrading the file
    const std::int64_t version = database.integer("PRAGMA user_version");
    const std::set<Definition> found = definitionsOf(database);
    if (version > migrations.back().version) {
        if (const Definition* const active = firstActive(database, found))
            refuseSchema(database, "its object " + shown(active->name) + " is not a plain table or index");
        return;
    }
    const std::set<Definition> own = definitionsOf(migrations.first(static_cast<std::size_t>(version)));
    for (const Definition& d : std::views::reverse(found)) // views and triggers before tables and indexes
        if (!own.contains(d))
            refuseSchema(database,
                         "Apertune did not make its " +
                             (d.type == "table" || d.type == "index" || d.type == "view" || d.type == "trigger"
                                  ? d.type
                                  : "object") +
                             " " + shown(d.name));
    for (const Definition& d : std::views::reverse(own))
        if (!found.contains(d))
            refuseSchema(database, "its " + d.type + " " + shown(d.name) + " is missing");
}

void useWriteAheadLog(const Database& database)
{
    Statement wal = database.prepare("PRAGMA journal_mode = WAL");
    if (!wal.step() || wal.text(0) != "wal")
        fail({ErrorCode::io, "The file system does not support the workspace's write-ahead log.",
              database.file().string(), "Put the workspace on a local file system."});
}

void createSchema(const Database& database, std::span<const Migration> migrations)
{
    // These three have to precede the first table. A process that is killed here leaves an empty database, which the
    // next open finds and completes.
    database.execute("PRAGMA page_size = " + std::to_string(kPageSize));
    database.execute("PRAGMA auto_vacuum = INCREMENTAL");
    useWriteAheadLog(database);

    Transaction transaction(database, Transaction::Kind::write);
    for (const Migration& step : migrations)
        database.execute(std::string(step.sql));
    database.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
    setVersion(database, migrations.back().version);
    transaction.commit();
}

void applyMigrations(const Database& database, int fromVersion, std::span<const Migration> migrations)
{
    // A step may rebuild a table that others refer to; the check at the end finds what it broke. The setting cannot
    // change inside a transaction.
    database.execute("PRAGMA foreign_keys = OFF");
    Transaction transaction(database, Transaction::Kind::write);
    for (const Migration& step : migrations)
        if (step.version > fromVersion)
            database.execute(std::string(step.sql));
    if (database.prepare("PRAGMA foreign_key_check").step())
        fail({ErrorCode::corrupt, "References between tables do not match.", database.file().string(), {}});
    setVersion(database, migrations.back().version);
    transaction.commit();
    database.execute("PRAGMA foreign_keys = ON");
}

void migrate(const Database& database, int fromVersion, std::span<const Migration> migrations)
{
    const fs::path backup = backupPath(database.file(), fromVersion);
    copyDatabase(database, backup);
    try {
        applyMigrations(database, fromVersion, migrations);
    } catch (Failure& failure) {
        failure.error.message = "Upgrading the workspace from schema " + std::to_string(fromVersion) + " to " +
                                std::to_string(migrations.back().version) +
                                " failed; the file is unchanged: " + failure.error.message;
        failure.error.hint = "A copy is at " + backup.string() + ". " + failure.error.hint;
        throw;
    }
}

void copyDatabase(const Database& database, const fs::path& target)
{
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(target, ignored)))
        fail({ErrorCode::invalidArgument,
              "There is a file at " + target.string() + " already.",
              {},
              "Choose another name, or remove it first."});
    const fs::path part = target.string() + ".part-" + std::to_string(::getpid());
    fs::remove(part, ignored);
    try {
        database.run("VACUUM INTO ?1", part.string());
    } catch (...) {
        fs::remove(part, ignored);
        throw;
    }
    renameSynced(part, target);
}

void renameSynced(const fs::path& part, const fs::path& target)
{
    try {
        syncFile(part);
        if (::rename(part.c_str(), target.c_str()) != 0)
            fail({ErrorCode::io,
                  "Cannot write " + target.string() + ": " + std::strerror(errno) + ".",
                  {},
                  "Check the permissions and the free space of the folder."});
    } catch (...) {
        std::error_code ignored;
        fs::remove(part, ignored);
        throw;
    }
}

} // namespace apertune::store
