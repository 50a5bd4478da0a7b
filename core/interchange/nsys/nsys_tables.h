// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/errors.h"
#include "core/base/text.h"
#include "core/interchange/nsys/errors.h"
#include "core/store/failure.h"
#include "core/store/sqlite_database.h"
#include "core/trace/details.h"
#include "core/trace/import_options.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::interchange::nsys {

// Readers of the tables of an nsys export of any version. Private to this folder.

inline constexpr std::int64_t kNoStream = 0xffffffff;

/// Returns "cudaLaunchKernel_v7000" without its version. "cuMemAlloc_v2" is a name of its own and stays.
inline std::string_view withoutVersion(std::string_view name)
{
    const std::size_t at = name.rfind("_v");
    if (at == std::string_view::npos || name.size() - at < 6)
        return name;
    const bool digits = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(at) + 2, name.end(),
                                    [](char c) { return c >= '0' && c <= '9'; });
    return digits ? name.substr(0, at) : name;
}

/// nsys counts CUPTI's memory kinds from 0; 7 is "unknown".
inline trace::MemoryKind memoryKind(std::int64_t number)
{
    return number >= 0 && number < 7 ? static_cast<trace::MemoryKind>(number + 1) : trace::MemoryKind::unknown;
}

inline trace::CopyDirection copyDirection(std::int64_t kind)
{
    switch (kind) {
    case 1:
    case 11: // managed memory
        return trace::CopyDirection::hostToDevice;
    case 2:
    case 12:
        return trace::CopyDirection::deviceToHost;
    case 8:
    case 13:
        return trace::CopyDirection::deviceToDevice;
    case 9:
        return trace::CopyDirection::hostToHost;
    case 10:
        return trace::CopyDirection::peerToPeer;
    default:
        return kind >= 3 && kind <= 7 ? trace::CopyDirection::array : trace::CopyDirection::unknown;
    }
}

/// Quotes a name from the file as an SQL identifier.
inline std::string sqlName(std::string_view name)
{
    std::string text = "\"";
    for (const char c : name)
        text += c == '"' ? "\"\"" : std::string(1, c);
    return text + '"';
}

/// Returns more rows than an intact file can hold: each takes several bytes. Pages that form a circle hold any number.
inline std::int64_t mostRows(const store::Database& db)
{
    return db.integer("PRAGMA page_count") * db.integer("PRAGMA page_size");
}

/// Reads one table. Columns that this version of nsys did not write read as NULL.
class Reader
{
public:
    /// `columns` is a comma-separated list; its columns count from 0.
    Reader(const store::Database& db, const std::string& table, std::string_view columns) : m_left(mostRows(db))
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

} // namespace apertune::interchange::nsys
