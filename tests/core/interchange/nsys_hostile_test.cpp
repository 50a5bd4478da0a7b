// SPDX-License-Identifier: GPL-3.0-or-later
// Files that look like exports of nsys and are none, or are damaged: a sound trace or a sentence, never half of one.
#include "core/base/files.h"
#include "core/interchange/nsys/nsys_import.h"
#include "core/interchange/sqlite/foreign_database.h"
#include "core/sentences/sentences.h"
#include "tests/core/interchange/nsys_fixture.h"
#include "tests/core/trace/support/hostile_input.h"

#include <fstream>
#include <random>

namespace apertune::interchange::test {

using base::ErrorCode;

TEST_F(Nsys, FilesThatAreNoExportAreRefusedWithASentence)
{
    const auto refused = [&](const fs::path& path) {
        const auto result = importNsys(path);
        EXPECT_FALSE(result.ok()) << path;
        if (result)
            return ErrorCode::internal;
        EXPECT_FALSE(result.error().message.empty());
        EXPECT_FALSE(result.error().hint.empty()) << sentences::sentence(result.error().message);
        return result.error().code;
    };
    EXPECT_EQ(refused(folder() / "missing"), ErrorCode::notFound);
    EXPECT_EQ(refused(folder()), ErrorCode::invalidArgument);
    std::ofstream(folder() / "text") << "{\"traceEvents\": []}";
    EXPECT_EQ(refused(folder() / "text"), ErrorCode::invalidArgument);
    EXPECT_EQ(refused(put("CREATE TABLE notes (x)", "notes.sqlite")), ErrorCode::invalidArgument);
    EXPECT_EQ(refused(put("CREATE TABLE StringIds (id, value)", "empty.sqlite")), ErrorCode::invalidArgument);
    // A view that never ends is not looked at.
    EXPECT_EQ(refused(put("CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL "
                          "SELECT start + 1 FROM n) SELECT start, start AS end FROM n; CREATE TABLE StringIds (id)",
                          "view.sqlite")),
              ErrorCode::invalidArgument);
    static_cast<void>(open());
    EXPECT_EQ(refused(file()), ErrorCode::invalidArgument);
    EXPECT_FALSE(sqlite::looksLikeSqlite(folder() / "text"));
    EXPECT_TRUE(sqlite::looksLikeSqlite(file()));
}

TEST_F(Nsys, DamagedExportsGiveATraceOrASentence)
{
    const std::string good = *base::readFile(put(kRecent));
    std::mt19937 random(20261121);
    int refused = 0;
    for (int round = 0; round < 300; ++round) {
        std::string bytes = good;
        for (int i = 0; i < 1 << (round % 8); ++i)
            bytes[random() % (round % 2 == 0 ? bytes.size() : 4096)] = static_cast<char>(random());
        if (round % 3 == 0)
            bytes.resize(random() % bytes.size());
        const fs::path copy = folder() / "copy.sqlite";
        std::ofstream(copy, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        const auto result = importNsys(copy);
        refused += !result;
        if (result)
            continue;
        EXPECT_NE(result.error().code, ErrorCode::internal) << sentences::describe(result.error());
        EXPECT_FALSE(result.error().hint.empty()) << sentences::describe(result.error());
        EXPECT_EQ(sentences::sentence(result.error().message).find("workspace"), std::string::npos)
            << sentences::sentence(result.error().message);
    }
    EXPECT_GT(refused, 100);
    EXPECT_TRUE(fs::exists(folder() / "report.sqlite"));
    EXPECT_FALSE(fs::exists(folder() / "copy.sqlite-wal"));
}

TEST_F(Nsys, SizesThatNoMemoryHasAreCountedAndAddedToNothing)
{
    const auto result =
        importNsys(put(std::string(kRecent) + "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET bytes = 9223372036854775807;"));
    ASSERT_TRUE(result) << sentences::describe(result.error());
    std::int64_t lost = 0;
    for (const trace::Loss& loss : result->losses)
        lost += sentences::sentence(loss.reason).find("64 TiB") != std::string::npos ? loss.count : 0;
    EXPECT_GT(lost, 0);
    for (const trace::Series& series : result->series)
        for (std::size_t i = 0; series.kind == trace::EventKind::copy && i < series.events.size(); ++i)
            EXPECT_EQ(series.events.value.empty() ? 0 : series.events.value[i], 0);
}

TEST_F(Nsys, ValuesOfTheWrongSortGiveATraceOrASentence)
{
    // Nothing keeps an odd writer from leaving values out.
    std::string sql = std::string(kRecent) + "CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, severity INTEGER, text "
                                             "TEXT); INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 2, 'x');";
    for (const std::string word : {" NOT NULL", " PRIMARY KEY"})
        for (std::size_t at = sql.find(word); at != std::string::npos; at = sql.find(word, at))
            sql.erase(at, word.size());
    const fs::path path = put(sql);
    const std::string good = *base::readFile(path);
    std::vector<std::string> changes;
    const char* const values[] = {
        "NULL",       "-1",   "9223372036854775807", "-9223372036854775808", "1e300", "'text'", "x'00ff'",
        "4294967296", "9e999"};
    {
        const store::Database db = store::Database::open(path, store::Database::Access::write);
        store::Statement columns =
            db.prepare("SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE "
                       "t.type = 'table' ORDER BY 1, 2");
        std::size_t which = 0;
        while (columns.step()) {
            const std::string table = columns.text(0);
            const std::string column = "\"" + columns.text(1) + "\"";
            for (int i = 0; i < 2; ++i)
                changes.push_back("UPDATE " + table + " SET " + column + " = " + values[which++ % std::size(values)]);
            changes.push_back("ALTER TABLE " + table + " RENAME COLUMN " + column + " TO other");
            if (changes.size() % 5 == 0)
                changes.push_back("DROP TABLE " + table);
        }
    }
    ASSERT_GT(changes.size(), 200u);
    for (const std::string& change : changes) {
        SCOPED_TRACE(change);
        std::ofstream(path, std::ios::binary).write(good.data(), static_cast<std::streamsize>(good.size()));
        {
            const store::Database db = store::Database::open(path, store::Database::Access::write);
            db.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; " + change);
        }
        trace::test::expectNoHarm(importNsys(path));
        if (HasFailure())
            return;
    }
}

TEST_F(Nsys, PagesThatLeadInCirclesEndInASentence)
{
    // A tree of pages that all lead to the same next one: a file of some kilobytes with millions of rows.
    const fs::path path = folder() / "circles.sqlite";
    const std::string table = "CUPTI_ACTIVITY_KIND_KERNEL";
    std::size_t root = 0;
    {
        const store::Database db = store::Database::open(path, store::Database::Access::create);
        db.execute(
            "PRAGMA page_size = 512; PRAGMA journal_mode = OFF; VACUUM; CREATE TABLE " + table +
            " (start INTEGER, end INTEGER); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
            "i < 9000) INSERT INTO " +
            table + " SELECT i, i + 1 FROM n");
        ASSERT_EQ(db.integer("PRAGMA page_size"), 512);
        root = static_cast<std::size_t>(db.integer("SELECT rootpage FROM sqlite_schema")) - 1;
    }
    std::string bytes = *base::readFile(path);
    const auto byteAt = [&](std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); };
    const auto leadTo = [&](std::size_t page, std::size_t next) { // every pointer of an inner page
        const std::size_t from = page * 512;
        std::vector<std::size_t> pointers{from + 8};
        for (int cell = 0; cell < byteAt(from + 3) * 256 + byteAt(from + 4); ++cell) {
            const std::size_t at = from + 12 + static_cast<std::size_t>(cell) * 2;
            pointers.push_back(from + byteAt(at) * std::size_t{256} + byteAt(at + 1));
        }
        for (const std::size_t at : pointers)
            for (std::size_t i = 0; i < 4; ++i)
                bytes[at + i] = static_cast<char>((next + 1) >> (24 - 8 * i));
    };
    std::vector<std::size_t> inner;
    std::vector<std::size_t> leaves;
    for (std::size_t page = 1; page < bytes.size() / 512; ++page)
        if (page != root)
            (byteAt(page * 512) == 5 ? inner : leaves).push_back(page);
    ASSERT_GE(inner.size(), 2u);
    ASSERT_GE(leaves.size(), 4u);
    for (std::size_t i = 0; i < 2; ++i) { // two levels more
        bytes.replace(leaves[i] * 512, 512, bytes.substr(inner[0] * 512, 512));
        leadTo(leaves[i], leaves[i + 1]);
    }
    leadTo(root, inner[0]);
    leadTo(inner[0], leaves[0]);
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto result = importNsys(path);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::corrupt) << sentences::describe(result.error());
    trace::test::expectSentence(result.error());
    // A page that leads to itself.
    leadTo(root, root);
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    EXPECT_EQ(importNsys(path).error().code, ErrorCode::corrupt);
}

TEST_F(Nsys, TablesThatNsysWouldNotWriteGiveATraceOrASentence)
{
    int round = 0;
    store::Store store = open();
    for (const char* odd : {
             "CREATE TABLE X_EVENTS (a PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO X_EVENTS VALUES (1, 2);",
             "CREATE TABLE Y_EVENTS (rowid TEXT, b); INSERT INTO Y_EVENTS VALUES ('x', 2);",
             "CREATE TABLE \"Z\"\"';_EVENTS\" (a); INSERT INTO \"Z\"\"';_EVENTS\" VALUES (1);",
             "DROP TABLE StringIds; CREATE TABLE StringIds (id, value, start AS (zeroblob(1000000000)));",
             "UPDATE StringIds SET value = CAST(x'ff00fe41' AS TEXT);",
             "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 9223372036854775807, streamId = -9223372036854775808;",
             "UPDATE NVTX_EVENTS SET globalTid = -1, textId = globalTid;",
             "UPDATE ThreadNames SET nameId = globalTid, globalTid = nameId;",
             "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL;",
         }) {
        SCOPED_TRACE(odd);
        const auto result = importNsys(put(std::string(kRecent) + odd, std::to_string(round++) + ".sqlite"));
        trace::test::expectNoHarm(result);
        if (result) // an imported trace can be stored
            ASSERT_OK(store.addTrace(*result));
    }
}

} // namespace apertune::interchange::test
