// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/sqlite_database.h"

#include "core/store/failure.h"
#include "core/store/sqlite_error.h"

#include <sqlite3.h>

#include <cstring>
#include <limits>

namespace apertune::store {

namespace {

[[noreturn]] void failWith(sqlite3* handle, int code, const std::filesystem::path& file)
{
    if (!handle)
        fail(sqliteError(code, 0, sqlite3_errstr(code), file));
    fail(sqliteError(sqlite3_extended_errcode(handle), sqlite3_system_errno(handle), sqlite3_errmsg(handle), file));
}

/// Escapes a path for a URI, for example "/a b/100%?.apertune". Only plain characters stay.
std::string escapedPath(const std::string& path)
{
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string escaped;
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                           (byte >= '0' && byte <= '9') || std::strchr("/-_.~", c) != nullptr;
        if (plain && c != '\0') {
            escaped += c;
        } else {
            escaped += '%';
            escaped += kDigits[byte >> 4];
            escaped += kDigits[byte & 15];
        }
    }
    return escaped;
}

} // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

void Statement::check(int code) const
{
    if (code != SQLITE_OK)
        failWith(sqlite3_db_handle(m_statement.get()), code, *m_file);
}

void Statement::reset()
{
    sqlite3_reset(m_statement.get());
    sqlite3_clear_bindings(m_statement.get());
}

Statement& Statement::bindValues(const std::vector<SqlValue>& values)
{
    reset();
    int at = 0;
    for (const SqlValue& value : values) {
        ++at;
        if (const auto* integer = std::get_if<std::int64_t>(&value))
            bindOne(at, *integer);
        else if (const auto* number = std::get_if<double>(&value))
            bindOne(at, *number);
        else if (const auto* text = std::get_if<std::string>(&value))
            bindOne(at, *text);
        else if (const auto* blob = std::get_if<SqlBytes>(&value))
            bindOne(at, Blob{blob->bytes});
        // An unbound parameter is NULL.
    }
    return *this;
}

bool Statement::step()
{
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        failWith(sqlite3_db_handle(m_statement.get()), code, *m_file);
    return false;
}

void Statement::run()
{
    while (step()) {
    }
    sqlite3_reset(m_statement.get());
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::real(int column) const
{
    return isNull(column) ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(m_statement.get(), column);
}

std::string Statement::text(int column) const
{
    return std::string(blob(column));
}

std::string_view Statement::blob(int column) const
{
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement.get(), column));
    const int size = sqlite3_column_bytes(m_statement.get(), column);
    return bytes ? std::string_view(bytes, static_cast<std::size_t>(size)) : std::string_view{};
}

void Statement::bindOne(int at, std::int64_t value)
{
    check(sqlite3_bind_int64(m_statement.get(), at, value));
}

void Statement::bindOne(int at, double value)
{
    check(sqlite3_bind_double(m_statement.get(), at, value));
}

void Statement::bindOne(int at, std::string_view value)
{
    // A null pointer would bind NULL, but an empty text is not NULL.
    check(sqlite3_bind_text64(m_statement.get(), at, value.data() ? value.data() : "", value.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8));
}

void Statement::bindOne(int at, Blob value)
{
    // A chunk may have megabytes and is not copied. The caller keeps it until the statement has run.
    check(sqlite3_bind_blob64(m_statement.get(), at, value.bytes.data() ? value.bytes.data() : "", value.bytes.size(),
                              SQLITE_STATIC));
}

void Database::Close::operator()(sqlite3* handle) const
{
    // Unlike sqlite3_close(), it succeeds when a statement lives longer, and closes after that one.
    sqlite3_close_v2(handle);
}

Database Database::open(const std::filesystem::path& file, Access access)
{
    Database database;
    database.m_file = std::make_unique<std::filesystem::path>(file);

    // An absolute path cannot be a URI or a special name such as ":memory:".
    std::string name = file.string();
    // Each connection is used by one thread at a time, so SQLite needs no lock of its own.
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    switch (access) {
    case Access::create:
        flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
        break;
    case Access::write:
        flags |= SQLITE_OPEN_READWRITE;
        break;
    case Access::readOnly:
        flags |= SQLITE_OPEN_READONLY;
        break;
    case Access::immutable:
        flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
        name = "file:" + escapedPath(name) + "?immutable=1";
        break;
    }
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
    database.m_handle.reset(handle);
    if (code != SQLITE_OK)
        failWith(handle, code, file);

    // Files may come from untrusted sources. Nothing in a schema may run functions or change SQLite's internals.
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, static_cast<int>(kLargestValue));
    // Another process may be committing. The wait is in milliseconds.
    sqlite3_busy_timeout(handle, 5000);
    return database;
}

Database Database::inMemory()
{
    return open(":memory:", Access::create);
}

Statement Database::prepare(std::string_view sql) const
{
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(m_handle.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    if (code != SQLITE_OK)
        failWith(m_handle.get(), code, *m_file);
    return {statement, m_file.get()};
}

void Database::execute(const std::string& sql) const
{
    const int code = sqlite3_exec(m_handle.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        failWith(m_handle.get(), code, *m_file);
}

std::int64_t Database::integer(std::string_view sql) const
{
    Statement statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::lastInsertId() const
{
    return sqlite3_last_insert_rowid(m_handle.get());
}

int Database::changes() const
{
    return sqlite3_changes(m_handle.get());
}

std::int64_t Database::totalChanges() const
{
    return sqlite3_total_changes64(m_handle.get());
}

bool Database::writable() const
{
    return sqlite3_db_readonly(m_handle.get(), "main") == 0;
}

bool Database::inTransaction() const
{
    return sqlite3_get_autocommit(m_handle.get()) == 0;
}

Transaction::Transaction(const Database& database, Kind kind) : m_database(database)
{
    database.run(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction()
{
    // After some errors (disk full, I/O) SQLite has rolled back by itself.
    if (!m_database.inTransaction())
        return;
    try {
        m_database.run("ROLLBACK");
    } catch (const Failure&) {
        // The transaction has failed either way, and the first error is already on its way to the caller.
    }
}

void Transaction::commit()
{
    m_database.run("COMMIT");
}

} // namespace apertune::store
