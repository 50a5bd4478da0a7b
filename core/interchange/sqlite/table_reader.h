// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/errors.h"
#include "core/base/text.h"
#include "core/interchange/sqlite/errors.h"
#include "core/store/failure.h"
#include "core/store/sqlite_database.h"
#include "core/trace/import_options.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::interchange::sqlite {

/// Quotes a name from the file as an SQL identifier.
inline std::string sqlName(std::string_view name)
{
    std::string text = "\"";
    for (const char c : name)
        text += c == '"' ? "\"\"" : std::string(1, c);
    return text + '"';
}

/// Returns a bound for the rows of a table: the file's size, because a row has several bytes. It ends the reading of
/// damaged pages that form a circle.
inline std::int64_t mostRows(const store::Database& db)
{
    return db.integer("PRAGMA page_count") * db.integer("PRAGMA page_size");
}

/// Counts the rows of a table. Counting stops at mostRows(), because pages that form a circle have no end.
inline std::int64_t countRows(const store::Database& db, const std::string& table)
{
    return db.integer("SELECT count(*) FROM (SELECT 1 FROM main." + sqlName(table) + " LIMIT " +
                      std::to_string(mostRows(db)) + ")");
}

/// Reads one table. Columns that the file does not have read as NULL, because versions differ.
class TableReader
{
public:
    /// `columns` is a comma-separated list; its columns count from 0.
    TableReader(const store::Database& db, const std::string& table, std::string_view columns) : m_left(mostRows(db))
    {
        std::set<std::string> known;
        store::Statement info = db.query("SELECT name FROM pragma_table_info(?1)", table);
        while (info.step())
            known.insert(info.text(0));
        std::string sql;
        for (const std::string& column : base::splitList(columns)) {
            m_has.push_back(known.contains(column));
            sql += (sql.empty() ? "SELECT " : ", ") + (m_has.back() ? '"' + column + '"' : "NULL");
        }
        m_rows.emplace(db.prepare(sql + " FROM main." + sqlName(table)));
    }
    /// Goes to the next row. Throws store::Failure, also when there are more rows than the file can hold.
    bool step()
    {
        if (--m_left < 0)
            store::fail({base::ErrorCode::corrupt, base::message<errors::kDamaged>()});
        return m_rows->step();
    }
    bool has(int column) const { return m_has[static_cast<std::size_t>(column)]; }
    bool isNull(int column) const { return m_rows->isNull(column); }
    std::int64_t integer(int column, std::int64_t otherwise = 0) const
    {
        return m_rows->isNull(column) ? otherwise : m_rows->integer(column);
    }
    std::uint32_t u32(int column) const { return static_cast<std::uint32_t>(integer(column)); }
    double real(int column) const { return m_rows->isNull(column) ? 0 : m_rows->real(column); }
    std::string text(int column) const { return m_rows->text(column); }

private:
    std::int64_t m_left;
    std::vector<bool> m_has;
    std::optional<store::Statement> m_rows;
};

/// Throws store::Failure when the import was cancelled.
inline void checkStop(const trace::ImportOptions& options)
{
    if (options.cancel.stop_requested())
        store::fail({base::ErrorCode::cancelled, base::message<base::errors::kCancelled>()});
}

} // namespace apertune::interchange::sqlite
