// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/query/query.h"
#include "core/sentences/sentences.h"
#include "core/store/sqlite_database.h"
#include "tests/core/store/sample_trace.h"
#include "tests/core/store/sample_values.h"

namespace apertune::query::test {

using base::ErrorCode;
using trace::EventKind;

namespace {

class StoreQuery : public store::test::StoreTest
{
protected:
    void SetUp() override
    {
        store::test::StoreTest::SetUp();
        store::Store store = open();
        m_id = *store.addTrace(m_trace);
    }
    /// The time of a query is no matter of these tests, and a sanitizer makes it long.
    static QueryOptions patient()
    {
        QueryOptions options;
        options.timeout = base::Nanoseconds{300'000'000'000};
        return options;
    }
    QueryResult ask(const std::string& sql, const QueryOptions& options = patient()) const
    {
        auto result = query(file(), sql, options);
        EXPECT_TRUE(result.ok()) << sql << "\n" << (result ? "" : sentences::describe(result.error()));
        return result ? std::move(result).value() : QueryResult{};
    }
    std::int64_t number(const std::string& sql, const QueryOptions& options = patient()) const
    {
        const QueryResult result = ask(sql, options);
        const bool one = result.rows.size() == 1 && std::holds_alternative<std::int64_t>(result.rows[0][0]);
        EXPECT_TRUE(one) << sql;
        return one ? std::get<std::int64_t>(result.rows[0][0]) : -1;
    }
    std::string textOf(const std::string& sql) const
    {
        const QueryResult result = ask(sql);
        const bool one = result.rows.size() == 1 && std::holds_alternative<std::string>(result.rows[0][0]);
        EXPECT_TRUE(one) << sql;
        return one ? std::get<std::string>(result.rows[0][0]) : "";
    }
    base::Error refused(const std::string& sql, const QueryOptions& options = {}) const
    {
        const auto result = query(file(), sql, options);
        EXPECT_FALSE(result.ok()) << sql;
        return result ? base::Error{} : result.error();
    }
    const trace::Series& series(EventKind kind) const
    {
        for (const trace::Series& s : m_trace.series)
            if (s.kind == kind)
                return s;
        throw std::out_of_range("no such series");
    }
    std::int64_t total(EventKind kind) const
    {
        std::int64_t sum = 0;
        for (const std::int64_t duration : series(kind).events.duration)
            sum += duration;
        return sum;
    }

    trace::Trace m_trace = store::test::sampleTrace("resnet50", 800); // 40,000 kernels: three chunks
    store::TraceId m_id;
};

} // namespace

TEST_F(StoreQuery, EveryEventIsARow)
{
    EXPECT_EQ(number("SELECT count(*) FROM event"), static_cast<std::int64_t>(m_trace.eventCount()));
    EXPECT_EQ(number("SELECT count(DISTINCT rowid) FROM event"), static_cast<std::int64_t>(m_trace.eventCount()));
    for (const EventKind kind : trace::kEventKinds) {
        std::int64_t events = 0;
        for (const trace::Series& s : m_trace.series)
            events += s.kind == kind ? static_cast<std::int64_t>(s.events.size()) : 0;
        EXPECT_GT(events, 0) << toString(kind);
        EXPECT_EQ(number("SELECT count(*) FROM \"" + std::string(toString(kind)) + "\""), events) << toString(kind);
    }
    EXPECT_EQ(number("SELECT sum(duration_ns) FROM kernel"), total(EventKind::kernel));
    EXPECT_EQ(number("SELECT sum(end_ns - start_ns) FROM event WHERE kind_name = 'kernel'"), total(EventKind::kernel));
}

TEST_F(StoreQuery, AllColumnsOfAnEventAreThere)
{
    const QueryResult result = ask("SELECT * FROM copy");
    ASSERT_EQ(result.rows.size(), 1u);
    const auto at = [&](const std::string& column) {
        for (std::size_t i = 0; i < result.columns.size(); ++i)
            if (result.columns[i] == column)
                return result.rows[0][i];
        ADD_FAILURE() << column;
        return QueryCell{};
    };
    const trace::Event copy = series(EventKind::copy).events.at(0);
    EXPECT_EQ(at("start_ns"), QueryCell(copy.start.count));
    EXPECT_EQ(at("duration_ns"), QueryCell(copy.duration.count));
    EXPECT_EQ(at("end_ns"), QueryCell(copy.start.count + copy.duration.count));
    EXPECT_EQ(at("name"), QueryCell(std::string("Memcpy HtoD")));
    EXPECT_EQ(at("track"), QueryCell(std::string("stream 7")));
    EXPECT_EQ(at("correlation"), QueryCell(std::int64_t{98}));
    EXPECT_EQ(at("link"), QueryCell(std::int64_t{4}));
    EXPECT_EQ(at("bytes"), QueryCell(std::int64_t{602'112}));
    EXPECT_EQ(at("direction"), QueryCell(std::string("HtoD")));
    EXPECT_EQ(at("source"), QueryCell(std::string("pageable")));
    EXPECT_EQ(at("target"), QueryCell(std::string("device")));
    EXPECT_EQ(at("stream"), QueryCell(std::int64_t{7}));
    EXPECT_EQ(textOf("SELECT input_shapes || module FROM operator_call"), "[[1, 3, 224, 224]]layer1.0");
    EXPECT_EQ(textOf("SELECT type || ' ' || name FROM synchronization"), "stream cudaStreamSynchronize");
    EXPECT_EQ(textOf("SELECT note FROM overhead"), "resource");
    EXPECT_EQ(textOf("SELECT group_concat(DISTINCT unit) FROM counter"), "W");
    EXPECT_EQ(number("SELECT sum(bytes) FROM tensor_memory"), 0);
    EXPECT_EQ(number("SELECT max(address) FROM tensor_memory WHERE owner = 'pool'"), -0x8000'0000'0000);
    EXPECT_EQ(number("SELECT count(*) FROM kernel WHERE grid_x = 40 AND block_x = 128 AND recorded_occupancy = 0.5"),
              1000);
    EXPECT_EQ(number("SELECT count(*) FROM range WHERE correlation IS NULL AND link IS NULL"), 1);
}

TEST_F(StoreQuery, RestrictionsGiveWhatAScanGives)
{
    const std::int64_t middle = m_trace.end().count / 2;
    const std::string m = std::to_string(middle);
    for (const std::string& where : {"start_ns > " + m,
                                     "start_ns >= " + m,
                                     "start_ns < " + m,
                                     "start_ns <= " + m,
                                     "end_ns > " + m,
                                     "end_ns <= " + m,
                                     "start_ns BETWEEN " + m + " AND " + m + " + 50000",
                                     "start_ns > " + m + ".5",
                                     std::string("start_ns > 'x'"),
                                     std::string("start_ns > NULL"),
                                     std::string("trace_id = 1"),
                                     std::string("trace_id = 2"),
                                     std::string("track_id = 1 AND kind = 1"),
                                     std::string("correlation = 20000"),
                                     std::string("correlation = 0"),
                                     std::string("correlation = -3"),
                                     std::string("correlation = 99999999999"),
                                     std::string("correlation = 20000 AND kind = 1"),
                                     std::string("correlation = 20000 AND start_ns < 0"),
                                     std::string("start_ns > 9223372036854775807"),
                                     std::string("kind IN (1, 2)"),
                                     "end_ns >= " + m + " AND start_ns <= " + m}) {
        // A unary plus keeps the restriction away from the table.
        std::string plain = where;
        for (const char* column : {"start_ns", "end_ns", "trace_id", "track_id", "kind", "correlation"})
            for (auto at = plain.find(column); at != std::string::npos; at = plain.find(column, at + 2))
                plain.insert(at++, "+");
        const std::string what = "SELECT count(*) * 1000 + coalesce(sum(duration_ns % 997), 0) FROM event WHERE ";
        EXPECT_EQ(number(what + where), number(what + plain)) << where;
    }
    EXPECT_EQ(number("SELECT count(*) FROM event WHERE correlation = 20000"), 2);
    EXPECT_EQ(number("SELECT count(*) FROM event WHERE kind = '1'"), 40'000);
}

TEST_F(StoreQuery, LaunchesFindTheirKernels)
{
    const base::Nanoseconds begin = base::monotonicNow();
    EXPECT_EQ(number("SELECT count(*) FROM runtime_call r JOIN kernel k ON k.correlation = r.correlation"), 40'000);
    EXPECT_EQ(number("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN CUPTI_ACTIVITY_KIND_KERNEL k ON "
                     "r.correlationId = k.correlationId WHERE k.start > r.end"),
              40'000);
    // Without the index of correlations this is 1.6 billion rows.
    EXPECT_LT((base::monotonicNow() - begin).seconds(), 600.0);
}

TEST_F(StoreQuery, NsysUsersFindTheirTables)
{
    EXPECT_EQ(number("SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL"), total(EventKind::kernel));
    EXPECT_EQ(textOf("SELECT value FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.demangledName "
                     "GROUP BY value ORDER BY sum(k.end - k.start) DESC LIMIT 1"),
              textOf("SELECT name FROM kernel GROUP BY name ORDER BY sum(duration_ns) DESC LIMIT 1"));
    EXPECT_EQ(number("SELECT (globalPid >> 24) & 0xFFFFFF FROM CUPTI_ACTIVITY_KIND_MEMCPY"), 10);
    EXPECT_EQ(number("SELECT globalTid & 0xFFFFFF FROM CUPTI_ACTIVITY_KIND_RUNTIME LIMIT 1"), 11);
    EXPECT_EQ(number("SELECT srcKind * 100 + dstKind * 10 + copyKind FROM CUPTI_ACTIVITY_KIND_MEMCPY"), 21);
    EXPECT_EQ(number("SELECT bytes FROM CUPTI_ACTIVITY_KIND_MEMSET"), 4096);
    EXPECT_EQ(number("SELECT syncType FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"), 3);
    EXPECT_EQ(textOf("SELECT text FROM NVTX_EVENTS"), "range");
    EXPECT_EQ(number("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE eventClass = 1"), 1);
    EXPECT_EQ(textOf("SELECT name FROM TARGET_INFO_GPU"), "NVIDIA A100");
    EXPECT_EQ(number("SELECT gridX FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY start LIMIT 1"), 1);
}

TEST_F(StoreQuery, NsysUsersJoinTheTablesOfWordsAndProcesses)
{
    EXPECT_EQ(textOf("SELECT oper.label || ', ' || source.label || ' to ' || target.label "
                     "FROM CUPTI_ACTIVITY_KIND_MEMCPY m JOIN ENUM_CUDA_MEMCPY_OPER oper ON oper.id = m.copyKind "
                     "JOIN ENUM_CUDA_MEM_KIND source ON source.id = m.srcKind "
                     "JOIN ENUM_CUDA_MEM_KIND target ON target.id = m.dstKind"),
              "Host-to-Device, Pageable to Device");
    EXPECT_EQ(textOf("SELECT label FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION s JOIN ENUM_CUPTI_SYNC_TYPE e "
                     "ON e.id = s.syncType"),
              "Stream sync");
    EXPECT_EQ(textOf("SELECT DISTINCT label FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN ENUM_NSYS_EVENT_CLASS e "
                     "ON e.id = r.eventClass WHERE r.eventClass = 1"),
              "CUDA driver");
    EXPECT_EQ(number("SELECT DISTINCT p.pid FROM CUPTI_ACTIVITY_KIND_MEMCPY m JOIN PROCESSES p USING (globalPid)"), 10);
}

TEST_F(StoreQuery, ATraceCanBeChosen)
{
    store::Store store = open();
    const store::TraceId second = *store.addTrace(store::test::sampleTrace("small"));
    const auto all = static_cast<std::int64_t>(series(EventKind::kernel).events.size());
    EXPECT_EQ(number("SELECT count(*) FROM kernel"), all + 50);
    EXPECT_EQ(number("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"), 50); // the newest
    QueryOptions first;
    first.trace = m_id;
    EXPECT_EQ(number("SELECT count(*) FROM kernel", first), all);
    EXPECT_EQ(number("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL", first), all);
    EXPECT_EQ(number("SELECT count(*) FROM kernel WHERE trace_id = " + std::to_string(second.value)), 50);
    // What is not a view of a kind obeys as well.
    EXPECT_EQ(number("SELECT count(*) FROM event", first), static_cast<std::int64_t>(m_trace.eventCount()));
    for (const char* table :
         {"event", "string", "track", "chunk", "kernel_detail", "copy_detail", "operator_detail", "trace_device"}) {
        const std::string rows = std::string("SELECT count(*) FROM ") + table;
        EXPECT_EQ(number(rows + " WHERE trace_id <> 1", first), 0) << table;
        EXPECT_EQ(number(rows, first), number(rows + " WHERE trace_id = 1")) << table;
    }
    EXPECT_GT(number("SELECT count(*) FROM string"), number("SELECT count(*) FROM string", first));
    EXPECT_EQ(number("SELECT count(*) FROM trace", first), 1);
    EXPECT_EQ(number("SELECT count(*) FROM trial", first), number("SELECT count(*) FROM trial"));
    first.trace = store::TraceId{99};
    EXPECT_EQ(refused("SELECT 1", first).code, ErrorCode::notFound);
    EXPECT_EQ(number("SELECT count(*) FROM trace"), 2);
}

TEST_F(StoreQuery, NothingButReadingIsPossible)
{
    const auto version = number("PRAGMA user_version");
    for (const char* sql : {"DELETE FROM trace",
                            "UPDATE trace SET name = 'x'",
                            "INSERT INTO trace (id) VALUES (9)",
                            "DROP TABLE trace",
                            "CREATE TABLE x (a)",
                            "CREATE TEMP TABLE x (a)",
                            "CREATE VIEW v AS SELECT 1",
                            "ATTACH '/tmp/x' AS y",
                            "DETACH main",
                            "VACUUM",
                            "VACUUM INTO '/tmp/x'",
                            "PRAGMA user_version = 1",
                            "PRAGMA journal_mode = DELETE",
                            "PRAGMA writable_schema = 1",
                            "PRAGMA query_only = 0",
                            "PRAGMA temp_store_directory = '/tmp'",
                            "BEGIN",
                            "BEGIN IMMEDIATE",
                            "SAVEPOINT a",
                            "REINDEX",
                            "ANALYZE",
                            "SELECT load_extension('x')",
                            "ALTER TABLE trace RENAME TO x",
                            "EXPLAIN DELETE FROM trace",
                            "PRAGMA wal_checkpoint",
                            "PRAGMA incremental_vacuum"}) {
        const base::Error error = refused(sql);
        EXPECT_EQ(error.code, ErrorCode::invalidArgument) << sql << ": " << sentences::sentence(error.message);
        EXPECT_FALSE(error.hint.empty()) << sql;
    }
    EXPECT_EQ(number("PRAGMA user_version"), version);
    EXPECT_EQ(number("SELECT count(*) FROM pragma_table_info('trace') WHERE name = 'events'"), 1);
    EXPECT_EQ(number("SELECT count(*) FROM trace"), 1);
    ASSERT_OK(open().checkIntegrity());
}

TEST_F(StoreQuery, WhatIsWrongIsSaidInTheUsersTerms)
{
    EXPECT_NE(sentences::sentence(refused("SELEC 1").message).find("near \"SELEC\": syntax error"), std::string::npos);
    EXPECT_NE(sentences::sentence(refused("SELECT x FROM kernel").message).find("no such column: x"),
              std::string::npos);
    EXPECT_NE(sentences::sentence(refused("SELECT 1 FROM kernels").message).find("no such table: kernels"),
              std::string::npos);
    EXPECT_NE(sentences::sentence(refused("SELECT 1; SELECT 2").message).find("more than one statement"),
              std::string::npos);
    EXPECT_NE(sentences::sentence(refused("").message).find("empty"), std::string::npos);
    EXPECT_NE(sentences::sentence(refused(" -- nothing").message).find("empty"), std::string::npos);
    EXPECT_NE(sentences::sentence(refused("SELECT ?1").message).find("parameter"), std::string::npos);
    EXPECT_NE(sentences::sentence(refused(std::string("SELECT 1\0", 9)).message).find("zero byte"), std::string::npos);
    EXPECT_NE(sentences::sentence(refused("SELECT zeroblob(1000000000)").message).find("32.0 MiB"), std::string::npos);
    EXPECT_EQ(number("SELECT 1; -- and nothing else\n"), 1);
    EXPECT_EQ(query(folder() / "missing", "SELECT 1").error().code, ErrorCode::notFound);
}

TEST_F(StoreQuery, AQueryThatTakesTooLongIsStopped)
{
    QueryOptions options;
    options.timeout = base::fromMilliseconds(100);
    const base::Nanoseconds begin = base::monotonicNow();
    const base::Error error =
        refused("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", options);
    EXPECT_EQ(error.code, ErrorCode::timeout);
    EXPECT_NE(sentences::sentence(error.message).find("100 ms"), std::string::npos)
        << sentences::sentence(error.message);
    EXPECT_LT((base::monotonicNow() - begin).seconds(), 600.0);
    EXPECT_EQ(refused("SELECT count(*) FROM event a, event b, event c", options).code, ErrorCode::timeout);

    std::stop_source source;
    source.request_stop();
    QueryOptions stopped;
    stopped.stop = source.get_token();
    EXPECT_EQ(refused("SELECT count(*) FROM event a, event b", stopped).code, ErrorCode::cancelled);
}

TEST_F(StoreQuery, RowsCanBeLimitedAndCellsKeepTheirTypes)
{
    QueryOptions options;
    options.maxRows = 3;
    const QueryResult few = ask("SELECT name FROM kernel", options);
    EXPECT_EQ(few.rows.size(), 3u);
    EXPECT_TRUE(few.truncated);
    EXPECT_FALSE(ask("SELECT name FROM kernel LIMIT 3", options).truncated);
    const QueryResult cells = ask("SELECT NULL AS a, 7, 1.5, 'x', x'00ff'");
    EXPECT_EQ(cells.columns[0], "a");
    EXPECT_EQ(cells.rows[0], (std::vector<QueryCell>{std::monostate{}, std::int64_t{7}, 1.5, std::string("x"),
                                                     QueryBlob{std::string("\0\xff", 2)}}));
}

TEST_F(StoreQuery, SumsByNameNeedNoSorting)
{
    const QueryResult sums = ask("SELECT value ->> 'key', value ->> 'total', value ->> 'count' FROM "
                                 "json_each((SELECT hist(name, duration_ns) FROM kernel))");
    const QueryResult expected =
        ask("SELECT name, sum(duration_ns) * 1.0, count(*) FROM kernel GROUP BY name ORDER BY 2 DESC, 1");
    EXPECT_EQ(sums.rows, expected.rows);
    EXPECT_EQ(textOf("SELECT hist(name, value) FROM event WHERE 0"), "[]");
    const QueryResult median = ask("SELECT percentile(value, 50), percentile(value, 0), percentile(value, 100), "
                                   "percentile(value, 25) FROM (SELECT 1 AS value UNION SELECT 3 UNION SELECT 10)");
    EXPECT_EQ(median.rows[0], (std::vector<QueryCell>{3.0, 1.0, 10.0, 2.0}));
    EXPECT_NE(sentences::sentence(refused("SELECT percentile(1, 101)").message).find("between 0 and 100"),
              std::string::npos);
    EXPECT_EQ(ask("SELECT percentile(NULL, 50)").rows[0][0], QueryCell(std::monostate{}));
}

TEST_F(StoreQuery, DamagedChunksAreAnErrorNotACrash)
{
    store::Database::open(file(), store::Database::Access::write)
        .execute("UPDATE chunk SET data = substr(data, 1, 20) WHERE kind = 1");
    EXPECT_EQ(refused("SELECT sum(duration_ns) FROM kernel").code, ErrorCode::corrupt);
    EXPECT_EQ(refused("SELECT * FROM event WHERE correlation = 5").code, ErrorCode::corrupt);
    EXPECT_EQ(number("SELECT count(*) FROM copy"), 1);
}

TEST_F(StoreQuery, TheListOfTablesIsComplete)
{
    const auto tables = queryTables(file());
    ASSERT_OK(tables);
    const auto find = [&](const std::string& name) -> const QueryTable* {
        for (const QueryTable& table : *tables)
            if (table.name == name)
                return &table;
        return nullptr;
    };
    for (const char* name : {"event", "kernel", "operator_call", "CUPTI_ACTIVITY_KIND_KERNEL", "StringIds"}) {
        ASSERT_NE(find(name), nullptr) << name;
        EXPECT_TRUE(find(name)->view) << name;
        EXPECT_FALSE(find(name)->columns.empty()) << name;
    }
    ASSERT_NE(find("trial"), nullptr);
    EXPECT_FALSE(find("trial")->view);
    for (const QueryTable& table : *tables)
        static_cast<void>(ask("SELECT * FROM \"" + table.name + "\" LIMIT 1"));
}

/// A clock that stands still, and at its n-th reading is past every limit.
struct ScriptedClock
{
    int readings = 0;
    int lateFrom = 0;
    QueryOptions options()
    {
        QueryOptions options;
        options.clock = [this] { return base::Nanoseconds{++readings >= lateFrom ? std::int64_t{1} << 60 : 0}; };
        return options;
    }
};

TEST_F(StoreQuery, ATimeLimitHoldsInEveryPartOfAQueryAlsoWhileAFunctionMakesItsResult)
{
    // The last one has few steps and a function with much to do at its end.
    for (const std::string sql :
         {"SELECT * FROM event", "SELECT percentile(duration_ns, 99) FROM event",
          "SELECT hist(i, 1) FROM (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM "
          "n LIMIT 20000) SELECT i FROM n)"}) {
        SCOPED_TRACE(sql);
        ScriptedClock never{0, 1 << 30};
        ASSERT_OK(query(file(), sql, never.options()));
        const int readings = never.readings;
        EXPECT_GT(readings, 10);
        // The first reading is the begin and the last one the end of a query that has its result.
        for (int at = 3; at < readings; at += std::max(1, readings / 12)) {
            ScriptedClock late{0, at};
            const auto result = query(file(), sql, late.options());
            ASSERT_FALSE(result.ok()) << "reading " << at << " of " << readings;
            EXPECT_EQ(result.error().code, ErrorCode::timeout) << sentences::describe(result.error());
            EXPECT_LE(late.readings, at + 3) << "it went on after its time was over";
        }
    }
    // Sorting and writing the result of a function read the clock, too.
    const std::string keys =
        "(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT i FROM n)";
    ScriptedClock without{0, 1 << 30};
    ASSERT_OK(query(file(), "SELECT hist(1, i) FROM " + keys, without.options()));
    ScriptedClock with{0, 1 << 30};
    ASSERT_OK(query(file(), "SELECT hist(i, i) FROM " + keys, with.options()));
    EXPECT_GT(with.readings, without.readings + 100);
}

TEST_F(StoreQuery, AResultHasALimitInBytesAndSoHasWhatItsFunctionsHold)
{
    QueryOptions options;
    options.maxBytes = base::Bytes{4 << 20};
    const std::string rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000) SELECT ";
    const QueryResult blobs = ask(rows + "zeroblob(1000000) FROM n", options);
    EXPECT_EQ(blobs.rows.size(), 4u);
    EXPECT_TRUE(blobs.truncated && blobs.tooLarge);
    const QueryResult numbers = ask(rows + "i FROM n", options);
    EXPECT_TRUE(numbers.tooLarge);
    EXPECT_GT(numbers.rows.size(), 10'000u);
    EXPECT_LT(numbers.rows.size(), 200'000u);
    for (const std::string function : {"hist(i, 1)", "percentile(i, 50)"}) {
        options.maxBytes = base::Bytes{512 << 10};
        const base::Error error = refused(rows + function + " FROM n", options);
        EXPECT_EQ(error.code, ErrorCode::invalidArgument) << sentences::describe(error);
        EXPECT_NE(sentences::sentence(error.message).find("512 KiB"), std::string::npos)
            << sentences::sentence(error.message);
        EXPECT_NE(sentences::sentence(error.hint).find("--bytes"), std::string::npos)
            << sentences::sentence(error.hint);
    }
    EXPECT_NE(sentences::sentence(refused(rows + "zeroblob(2000000) FROM n", options).hint).find("--bytes"),
              std::string::npos);
    EXPECT_FALSE(ask(rows + "hist(i % 7, 1) FROM n", options).truncated);
}

std::string repeated(const std::string& column, int times)
{
    std::string columns = column;
    for (int i = 1; i < times; ++i)
        columns += ", " + column;
    return columns;
}

TEST_F(StoreQuery, ManyLargeValuesAtOnceAreRefusedBeforeTheyFillTheMemory)
{
    QueryOptions options;
    options.maxBytes = base::Bytes{4 << 20};
    const std::string rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) ";
    const std::string group = "group_concat(printf('%.9000c', 'x'))";
    for (const std::string& sql : {"SELECT " + repeated("randomblob(1000000)", 60),
                                   "SELECT " + repeated("length(randomblob(900000) || randomblob(50000))", 2) + ", " +
                                       repeated("randomblob(1000000)", 58),
                                   "SELECT 1 FROM (SELECT " + repeated("randomblob(1000000)", 60) + " ORDER BY 1, 2)",
                                   rows + "SELECT " + repeated(group, 60) + " FROM n"}) {
        SCOPED_TRACE(sql.substr(0, 60));
        const base::Error error = refused(sql, options);
        EXPECT_EQ(error.code, ErrorCode::invalidArgument) << sentences::describe(error);
        EXPECT_NE(sentences::sentence(error.hint).find("--bytes"), std::string::npos)
            << sentences::sentence(error.hint);
    }
    // The limit ends with the query.
    options.maxBytes = base::Bytes{64 << 20};
    EXPECT_EQ(ask("SELECT " + repeated("randomblob(1000000)", 60), options).rows.size(), 1u);
}

} // namespace apertune::query::test
