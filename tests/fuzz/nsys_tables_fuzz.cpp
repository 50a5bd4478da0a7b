// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of Nsight Systems. The input is a list of changes to the tables of a valid export: values of any type in any
// cell, additional rows, missing tables and columns.
#include "core/interchange/nsys/nsys_export.h"
#include "core/interchange/nsys/nsys_import.h"
#include "core/store/failure.h"
#include "core/store/sqlite_database.h"
#include "tests/core/interchange/nsys_sample.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/trace_checks.h"

#include <sqlite3.h>

#include <cmath>
#include <fstream>
#include <limits>

namespace apertune::fuzz {

using store::Database;
using store::Statement;

namespace {

/// A table of the sample and its columns, quoted.
struct Table
{
    std::string name;
    std::vector<std::string> columns;
};

/// Returns the SQL of a valid export without constraints, because a writer may omit values.
std::string sampleSql()
{
    std::string sql = std::string(interchange::test::kRecent) +
                      "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, severity INTEGER, text TEXT); "
                      "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 2, 'x');";
    for (const std::string word : {" NOT NULL", " PRIMARY KEY"})
        for (std::size_t at = sql.find(word); at != std::string::npos; at = sql.find(word, at))
            sql.erase(at, word.size());
    return sql;
}

std::string serialized(const Database& db)
{
    sqlite3_int64 size = 0;
    unsigned char* const bytes = sqlite3_serialize(db.handle(), "main", &size, 0);
    require(bytes != nullptr, "a database can be serialized");
    std::string text(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    sqlite3_free(bytes);
    return text;
}

struct Sample
{
    std::string bytes;
    std::vector<Table> tables;
};

const Sample& sample()
{
    static const Sample made = [] {
        Sample s;
        const Database db = Database::inMemory();
        db.execute(sampleSql());
        Statement columns = db.prepare("SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE "
                                       "t.type = 'table' ORDER BY t.name, c.cid");
        while (columns.step()) {
            if (s.tables.empty() || s.tables.back().name != columns.text(0))
                s.tables.push_back({columns.text(0), {}});
            s.tables.back().columns.push_back('"' + columns.text(1) + '"');
        }
        s.bytes = serialized(db);
        return s;
    }();
    return made;
}

/// A copy of the sample that can be changed.
Database copyOfSample()
{
    Database db = Database::inMemory();
    const std::string& bytes = sample().bytes;
    auto* const copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
    std::memcpy(copy, bytes.data(), bytes.size());
    const auto size = static_cast<sqlite3_int64>(bytes.size());
    require(sqlite3_deserialize(db.handle(), "main", copy, size, size,
                                SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK,
            "a copy of the sample can be opened");
    return db;
}

store::SqlValue takeValue(Input& input)
{
    switch (input.take<std::uint8_t>() % 7) {
    case 0:
        return std::monostate{};
    case 1:
        return input.take<std::int64_t>();
    case 2:
        return input.take<double>();
    case 3:
        return std::string(input.text(input.take<std::uint8_t>() % 40));
    case 4:
        return store::SqlBytes{std::string(input.text(input.take<std::uint8_t>() % 20))};
    case 5:
        return std::int64_t{input.take<std::int16_t>()};
    default:
        return input.take<std::uint8_t>() % 2 == 0 ? std::numeric_limits<std::int64_t>::max()
                                                   : std::numeric_limits<std::int64_t>::min();
    }
}

void change(const Database& db, Input& input)
{
    const Table& table = sample().tables[input.take<std::uint8_t>() % sample().tables.size()];
    const std::string& column = table.columns[input.take<std::uint8_t>() % table.columns.size()];
    const int row = input.take<std::uint8_t>() % 6;
    switch (const int what = input.take<std::uint8_t>() % 16; what) {
    case 0:
        db.execute("DROP TABLE IF EXISTS " + table.name);
        break;
    case 1:
        db.execute("ALTER TABLE " + table.name + " RENAME COLUMN " + column + " TO other");
        break;
    case 2:
        db.execute("INSERT INTO " + table.name + " SELECT * FROM " + table.name + " LIMIT 20");
        break;
    default: {
        const std::vector<store::SqlValue> values{takeValue(input)};
        const std::string where = row == 0 ? "" : " WHERE rowid = " + std::to_string(row);
        Statement update = db.prepare("UPDATE " + table.name + " SET " + column + " = ?" + where);
        update.bindValues(values).run();
    }
    }
}

void write(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

} // namespace

void examine(std::string_view bytes)
{
    const Database db = copyOfSample();
    for (Input input(bytes); !input.atEnd();)
        static_cast<void>(store::guarded([&] { change(db, input); })); // a column may be gone by then
    const std::filesystem::path file = scratchFolder() / "report.sqlite";
    write(file, serialized(db));
    const auto imported = interchange::importNsys(file);
    const trace::Trace* const trace = valueOf(imported);
    if (!trace)
        return;
    requireSound(*trace);
    std::int64_t leftOut = 0;
    for (const auto& [kind, count] : interchange::leftOutByNsys(*trace))
        leftOut += count;
    const std::filesystem::path written = scratchFolder() / "written.sqlite";
    require(interchange::writeNsys(*trace, written).ok(), "a trace can be exported");
    const auto again = interchange::importNsys(written);
    if (leftOut < static_cast<std::int64_t>(trace->eventCount()))
        require(again.ok(), "what was exported can be imported");
}

std::vector<std::string> seeds()
{
    const auto table = [](std::string_view name) {
        std::uint8_t number = 0;
        while (sample().tables[number].name != name)
            ++number;
        return number;
    };
    const std::uint8_t kernels = table("CUPTI_ACTIVITY_KIND_KERNEL");
    const std::uint8_t names = table("StringIds");
    const std::uint8_t update = 3;
    return {"", bytesOf(kernels, std::uint8_t{0}, std::uint8_t{1}, update, std::uint8_t{1}, std::int64_t{-5}),
            bytesOf(kernels, std::uint8_t{1}, std::uint8_t{0}, update, std::uint8_t{6}, std::uint8_t{0}),
            bytesOf(names, std::uint8_t{1}, std::uint8_t{1}, update, std::uint8_t{3}, std::uint8_t{3}) + "abc",
            bytesOf(names, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{0})};
}

} // namespace apertune::fuzz
