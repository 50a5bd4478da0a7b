// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/store/row_places.h"

#include "core/base/files.h"
#include "core/store/sqlite_database.h"

#include <algorithm>
#include <stdexcept>

namespace apertune::store::test {

namespace {

std::vector<std::string> tableNames(const Database& db)
{
    std::vector<std::string> names;
    Statement tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    while (tables.step())
        names.push_back(tables.text(0));
    return names;
}

/// Returns the rows of a table as text, in the order of its tree.
std::vector<std::string> texts(const Database& db, const std::string& table)
{
    std::string columns;
    // Repair counts the events of a trace again.
    Statement names = db.query("SELECT name FROM pragma_table_info(?1) WHERE ?1 != 'trace' OR name NOT IN ('events', "
                               "'begin_ns', 'end_ns') ORDER BY cid",
                               table);
    while (names.step())
        columns += (columns.empty() ? "quote(" : " || ',' || quote(") + names.text(0) + ")";
    std::string order;
    Statement keys = db.query("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 AND (SELECT wr FROM "
                              "pragma_table_list(?1) WHERE schema = 'main') ORDER BY pk",
                              table);
    while (keys.step())
        order += (order.empty() ? "" : ", ") + keys.text(0);
    std::vector<std::string> list;
    Statement rows =
        db.prepare("SELECT " + columns + " FROM " + table + " ORDER BY " + (order.empty() ? "rowid" : order));
    while (rows.step())
        list.push_back(rows.text(0));
    return list;
}

/// Walks the trees of a sound file.
class Walker
{
public:
    explicit Walker(std::string_view file) : m_file(file) {}

    /// Returns the bytes that each row of a tree needs, in the order of the tree.
    std::vector<std::vector<Stretch>> rows(std::size_t root)
    {
        m_rows.clear();
        visit(root);
        return m_rows;
    }

private:
    std::size_t big(std::size_t at, int bytes) const
    {
        std::size_t value = 0;
        for (int i = 0; i < bytes; ++i)
            value = value << 8 | static_cast<unsigned char>(m_file.at(at + static_cast<std::size_t>(i)));
        return value;
    }
    std::size_t varint(std::size_t& at) const
    {
        std::size_t value = 0;
        for (int i = 0; i < 9; ++i) {
            const auto byte = static_cast<unsigned char>(m_file.at(at++));
            if (i == 8)
                return value << 8 | byte;
            value = value << 7 | (byte & 0x7f);
            if (byte < 0x80)
                break;
        }
        return value;
    }
    void visit(std::size_t page)
    {
        const std::size_t start = (page - 1) * kPage;
        const std::size_t header = page == 1 ? start + 100 : start;
        const std::size_t kind = big(header, 1);
        if (kind != 2 && kind != 5 && kind != 10 && kind != 13)
            throw std::runtime_error("no node of a tree: page " + std::to_string(page));
        const bool inner = kind == 2 || kind == 5;
        const std::size_t cells = big(header + 3, 2);
        for (std::size_t i = 0; i < cells; ++i) {
            const std::size_t pointer = header + (inner ? 12 : 8) + 2 * i;
            const std::size_t begin = start + big(pointer, 2);
            std::size_t at = begin;
            if (inner) {
                visit(big(at, 4));
                at += 4;
            }
            if (kind == 5)
                continue; // it holds a key alone
            const std::size_t size = varint(at);
            if (kind == 13)
                varint(at);
            std::vector<Stretch> bytes{{header, 1}, {header + 3, 2}, {pointer, 2}};
            const std::size_t most = kind == 13 ? kPage - 35 : (kPage - 12) * 64 / 255 - 23;
            std::size_t local = size;
            if (size > most) {
                const std::size_t least = (kPage - 12) * 32 / 255 - 23;
                local = least + (size - least) % (kPage - 4);
                local = local <= most ? local : least;
            }
            std::size_t next = size > local ? big(at + local, 4) : 0;
            bytes.push_back({begin, at - begin + local + (size > local ? 4 : 0)});
            for (std::size_t left = size - local; left > 0;) {
                const std::size_t part = std::min(left, kPage - 4);
                bytes.push_back({(next - 1) * kPage, part + 4});
                next = big((next - 1) * kPage, 4);
                left -= part;
            }
            m_rows.push_back(std::move(bytes));
        }
        if (inner)
            visit(big(header + 8, 4));
    }

    std::string_view m_file;
    std::vector<std::vector<Stretch>> m_rows;
};

} // namespace

Rows rowsOf(const std::filesystem::path& file)
{
    const Database db = Database::open(file, Database::Access::readOnly);
    Rows rows;
    for (const std::string& table : tableNames(db))
        for (std::string& text : texts(db, table))
            rows[table].insert(std::move(text));
    return rows;
}

std::size_t count(const Rows& rows)
{
    std::size_t sum = 0;
    for (const auto& [table, list] : rows)
        sum += list.size();
    return sum;
}

std::size_t common(const Rows& rows, const Rows& saved, const std::string& only)
{
    std::size_t sum = 0;
    for (const auto& [table, list] : rows)
        if (const auto found = saved.find(table); found != saved.end() && (only.empty() || only == table))
            sum += static_cast<std::size_t>(std::count_if(
                list.begin(), list.end(), [&](const std::string& row) { return found->second.contains(row); }));
    return sum;
}

std::vector<PlacedRow> placedRows(const std::filesystem::path& file)
{
    const std::string bytes = *base::readFile(file);
    const Database db = Database::open(file, Database::Access::readOnly);
    Walker walker(bytes);
    std::vector<PlacedRow> placed;
    for (const std::string& table : tableNames(db)) {
        Statement root = db.query("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?1", table);
        root.step();
        const std::vector<std::string> rows = texts(db, table);
        std::vector<std::vector<Stretch>> places = walker.rows(static_cast<std::size_t>(root.integer(0)));
        if (rows.size() != places.size())
            throw std::runtime_error("the walk through " + table + " found another number of rows than SQLite");
        for (std::size_t i = 0; i < rows.size(); ++i)
            placed.push_back({table, rows[i], std::move(places[i])});
    }
    return placed;
}

Rows intactRows(const std::vector<PlacedRow>& rows, std::string_view good, std::string_view damaged)
{
    Rows intact;
    for (const PlacedRow& row : rows)
        if (std::all_of(row.bytes.begin(), row.bytes.end(), [&](const Stretch& part) {
                return part.begin + part.size <= damaged.size() &&
                       good.substr(part.begin, part.size) == damaged.substr(part.begin, part.size);
            }))
            intact[row.table].insert(row.text);
    return intact;
}

Rows missing(const Rows& wanted, const Rows& saved)
{
    Rows rows;
    for (const auto& [table, list] : wanted) {
        const auto found = saved.find(table);
        for (const std::string& row : list)
            if (found == saved.end() || !found->second.contains(row))
                rows[table].insert(row);
    }
    return rows;
}

} // namespace apertune::store::test
