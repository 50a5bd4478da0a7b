// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema_check.h"

#include "core/store/errors.h"
#include "core/store/failure.h"

#include <compare>
#include <cstring>
#include <set>
#include <string>

namespace apertune::store {

using base::ErrorCode;

namespace {

/// An object of a schema: its type, name and table, and the text that defines it.
struct Definition
{
    std::string type, name, table, sql;
    auto operator<=>(const Definition&) const = default;
};

/// Returns the text without differences of layout.
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
    // SQLite creates these by itself. The index of a key has no SQL text, and the text of its tables never changes.
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

/// Returns a name from the file in a form that is safe to show.
std::string shown(const std::string& name)
{
    std::string text = name.substr(0, 60);
    for (char& c : text)
        if (c < 0x20 || c > 0x7e)
            c = '?';
    return text;
}

[[noreturn]] void refuseSchema(const Database& database, base::Message why)
{
    fail({ErrorCode::corrupt, base::message<errors::kForeignSchema>(std::move(why)), database.file().string(),
          base::message<errors::kRepairTables>()});
}

/// An object that Apertune did not make.
base::Message foreign(const Definition& d)
{
    if (d.type == "table")
        return base::message<errors::kForeignTable>(shown(d.name));
    if (d.type == "index")
        return base::message<errors::kForeignIndex>(shown(d.name));
    if (d.type == "view")
        return base::message<errors::kForeignView>(shown(d.name));
    if (d.type == "trigger")
        return base::message<errors::kForeignTrigger>(shown(d.name));
    return base::message<errors::kForeignObject>(shown(d.name));
}

/// Returns the first object that is not a plain table or index, or nullptr.
const Definition* firstActive(const Database& database, const std::set<Definition>& definitions)
{
    for (const Definition& d : definitions) {
        const bool table = d.type == "table" && d.sql.starts_with("CREATE TABLE ");
        const bool index =
            d.type == "index" && (d.sql.starts_with("CREATE INDEX ") || d.sql.starts_with("CREATE UNIQUE INDEX "));
        if (!table && !index)
            return &d;
        // A hidden column of a table is computed, and an index column without a number is an expression.
        const std::string_view computed = table ? "SELECT 1 FROM pragma_table_xinfo(?1, 'main') WHERE hidden != 0"
                                                : "SELECT 1 FROM pragma_index_xinfo(?1, 'main') WHERE cid = -2";
        if (database.query(computed, d.name).step())
            return &d;
    }
    return nullptr;
}

} // namespace

FileIdentity identify(const Database& database)
{
    // One transaction, because a workspace that is created between two statements would look like another program's
    // database.
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
            refuseSchema(database, base::message<errors::kNotPlain>(shown(active->name)));
        return;
    }
    const std::set<Definition> own = definitionsOf(migrations.first(static_cast<std::size_t>(version)));
    for (auto d = found.rbegin(); d != found.rend(); ++d) // reports views and triggers before tables and indexes
        if (!own.contains(*d))
            refuseSchema(database, foreign(*d));
    for (auto d = own.rbegin(); d != own.rend(); ++d)
        if (!found.contains(*d))
            refuseSchema(database, d->type == "index" ? base::message<errors::kIndexMissing>(shown(d->name))
                                                      : base::message<errors::kTableMissing>(shown(d->name)));
}

} // namespace apertune::store
