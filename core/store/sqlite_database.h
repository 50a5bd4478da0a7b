// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace apertune::store {

/// The only wrapper around SQLite's C interface. Every failure is thrown as store::Failure with a sentence for the
/// user.
/// Threads: one at a time for a connection and its statements.
/// REQUIRES: callers run inside guarded().

/// The size in bytes of the largest value and row that may be read or written. The largest ones that Apertune writes,
/// chunks of traces and lists of samples, have a few MiB. A file with larger ones is to fail before they fill the
/// memory.
inline constexpr std::uint64_t kLargestValue = 64 << 20;

/// Bytes to bind as a BLOB rather than as text.
/// REQUIRES: the bytes live until the statement has run.
struct Blob
{
    std::string_view bytes;
};

/// Bytes that a value owns.
struct SqlBytes
{
    std::string bytes;
};
/// A value of any type that SQLite stores.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string, SqlBytes>;

/// A prepared statement. Destroying it ends its read. Columns count from 0; parameters are bound in their order.
class Statement
{
public:
    template <typename... Values>
    Statement& bind(const Values&... values)
    {
        reset();
        int at = 0;
        (bindOne(++at, values), ...);
        return *this;
    }

    /// REQUIRES: the values live until the statement has run.
    Statement& bindValues(const std::vector<SqlValue>& values);

    /// Goes to the next row. Returns false when there is none.
    bool step();
    /// Runs a statement that returns no rows.
    void run();

    bool isNull(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const; ///< NULL reads as NaN, because SQLite stores NaN as NULL
    std::string text(int column) const;
    std::string_view blob(int column) const; ///< valid until the next step

private:
    friend class Database;
    struct Finalize
    {
        void operator()(sqlite3_stmt* statement) const;
    };
    Statement(sqlite3_stmt* statement, const std::filesystem::path* file) : m_statement(statement), m_file(file) {}
    void reset();
    void check(int code) const;
    void bindOne(int at, std::int64_t value);
    void bindOne(int at, int value) { bindOne(at, static_cast<std::int64_t>(value)); }
    void bindOne(int at, bool value) { bindOne(at, static_cast<std::int64_t>(value)); }
    void bindOne(int at, double value);
    void bindOne(int at, std::string_view value);
    void bindOne(int at, const std::string& value) { bindOne(at, std::string_view(value)); }
    void bindOne(int at, const char* value) { bindOne(at, std::string_view(value)); }
    void bindOne(int at, Blob value);
    template <typename T>
    void bindOne(int at, const std::optional<T>& value)
    {
        if (value)
            bindOne(at, *value);
        // An unbound parameter is NULL.
    }

    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
    const std::filesystem::path* m_file;
};

/// One connection to a database.
class Database
{
public:
    enum class Access {
        create,    ///< reads and writes; a missing file is created
        write,     ///< reads and writes an existing file
        readOnly,  ///< reads a file that others may write meanwhile
        immutable, ///< reads without locks or side files, for media that cannot be written
    };
    /// Opens a connection. Nothing is read yet: a file that is no database makes the first statement fail.
    /// REQUIRES: `file` is absolute.
    static Database open(const std::filesystem::path& file, Access access);

    /// Creates an empty database that lives as long as the object.
    static Database inMemory();

    Statement prepare(std::string_view sql) const;
    template <typename... Values>
    Statement query(std::string_view sql, const Values&... values) const
    {
        Statement statement = prepare(sql);
        statement.bind(values...);
        return statement;
    }
    template <typename... Values>
    void run(std::string_view sql, const Values&... values) const
    {
        query(sql, values...).run();
    }
    /// Runs several statements that have no parameters and return no rows.
    void execute(const std::string& sql) const;
    /// Returns the first column of the first row.
    /// REQUIRES: there is a row.
    std::int64_t integer(std::string_view sql) const;

    std::int64_t lastInsertId() const;
    int changes() const;               ///< rows changed by the last statement
    std::int64_t totalChanges() const; ///< rows that this connection has changed since it was opened
    bool writable() const;             ///< false when the operating system allows only reading
    bool inTransaction() const;
    const std::filesystem::path& file() const { return *m_file; }
    sqlite3* handle() const { return m_handle.get(); } ///< the handle for extensions; this object keeps owning it

private:
    struct Close
    {
        void operator()(sqlite3* handle) const;
    };
    Database() = default;
    std::unique_ptr<sqlite3, Close> m_handle;
    std::unique_ptr<std::filesystem::path> m_file; // on the heap: statements keep its address
};

/// A transaction. Its destructor rolls it back unless commit() was called.
class Transaction
{
public:
    enum class Kind { read, write };
    Transaction(const Database& database, Kind kind);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

private:
    const Database& m_database;
};

} // namespace apertune::store
