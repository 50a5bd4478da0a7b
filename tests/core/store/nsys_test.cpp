// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/failure.h"
#include "core/store/nsys_export.h"
#include "core/store/nsys_import.h"
#include "core/store/sqlite_database.h"
#include "core/trace/trace_file.h"
#include "tests/core/store/sample_trace.h"
#include "tests/core/store/sample_values.h"
#include "tests/core/trace/support/hostile_input.h"

#include <fstream>
#include <random>

namespace apertune::store::test {

namespace fs = std::filesystem;
using base::ErrorCode;
using trace::EventKind;

namespace {

/// What a recent nsys writes, cut down to a few events.
constexpr const char* kRecent = R"sql(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'void gemm<float>(float*)'), (2, 'gemm'), (3, 'cudaLaunchKernel_v7000'),
    (4, 'cuMemAlloc_v2'), (5, 'forward'), (6, 'python3'), (7, 'poll'), (8, 'cudaMemcpyAsync_ptsz_v7000');
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
INSERT INTO ThreadNames VALUES (6, 0, 281474976710656 | (1234 << 24) | 1240);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1790000000000000000, 'x', 'x');
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2025.6.3'), ('EXPORT_SCHEMA_VERSION', '3.20');
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, totalMemory INTEGER,
    memoryBandwidth INTEGER, smCount INTEGER, cuDevice INTEGER, threadsPerWarp INTEGER, maxWarpsPerSm INTEGER,
    computeMajor INTEGER, computeMinor INTEGER);
INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'NVIDIA H100', 85000000000, 3350000000000, 132, 0, 32, 64, 9, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER,
    globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL,
    gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL,
    blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL,
    dynamicSharedMemory INTEGER NOT NULL, localMemoryPerThread INTEGER NOT NULL, graphNodeId INTEGER,
    graphId INTEGER, clusterX INTEGER, clusterY INTEGER, clusterZ INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
    (10300, 10420, 0, 1, NULL, 7, 11, 1234 << 24, 1, 2, 64, 80, 2, 1, 128, 1, 1, 1024, 4096, 0, NULL, NULL, 2, 1, 1),
    (10500, 10540, 0, 1, NULL, 7, 12, 1234 << 24, 1, 2, 64, 80, 2, 1, 128, 1, 1, 1024, 4096, 0, NULL, NULL, 2, 1, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER, copyCount INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10100, 10200, 0, 1, 7, 10, 1234 << 24, 602112, 1, 0, 2, 1);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
    contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
    value INTEGER NOT NULL, bytes INTEGER NOT NULL, memKind INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (10210, 10220, 0, 1, 7, 13, 1234 << 24, 0, 4096, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
    globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
    (10000, 10050, 0, 281474976710656 | (1234 << 24) | 1240, 11, 3, 0),
    (10060, 10090, 1, 281474976710656 | (1234 << 24) | 1240, 0, 4, 2),
    (10095, 10099, 0, 281474976710656 | (1234 << 24) | 1240, 10, 8, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT NULL,
    deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER,
    globalPid INTEGER, syncType INTEGER NOT NULL, eventId INTEGER NOT NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (10430, 10600, 0, 1, 4294967295, 14, 1234 << 24, 4, 0);
CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER NOT NULL, globalPid INTEGER NOT NULL,
    deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, address INTEGER NOT NULL, bytes INTEGER NOT NULL,
    memKind INTEGER NOT NULL, memoryOperationType INTEGER NOT NULL, name TEXT);
INSERT INTO CUDA_GPU_MEMORY_USAGE_EVENTS VALUES (10060, 1234 << 24, 0, 1, 140000000000000, 1048576, 2, 0, NULL),
    (10700, 1234 << 24, 0, 1, 140000000000000, 1048576, 2, 1, NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, text TEXT,
    globalTid INTEGER, textId INTEGER);
INSERT INTO NVTX_EVENTS VALUES (9990, 10800, 59, NULL, 281474976710656 | (1234 << 24) | 1240, 5),
    (10001, 10020, 60, 'load', 281474976710656 | (1234 << 24) | 1240, NULL),
    (10002, NULL, 34, 'here', 281474976710656 | (1234 << 24) | 1240, NULL),
    (10003, NULL, 59, 'open', 281474976710656 | (1234 << 24) | 1240, NULL),
    (0, NULL, 75, 'NCCL', 281474976710656 | (1234 << 24) | 1240, NULL);
CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, nameId INTEGER NOT NULL,
    returnValue INTEGER);
INSERT INTO OSRT_API VALUES (10010, 10020, 281474976710656 | (1234 << 24) | 1300, 7, -1);
CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
INSERT INTO GPU_METRICS VALUES (10000, 0, 3, 40), (10500, 0, 3, 95.25), (10500, 0, 4, 7);
CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, metricId INTEGER, metricName TEXT);
INSERT INTO TARGET_INFO_GPU_METRICS VALUES (0, 3, 'SMs Active [Throughput %]');
CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER, address INTEGER);
INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (10000, 5), (10001, 6);
)sql";

class Nsys : public StoreTest
{
protected:
    fs::path put(const std::string& sql, const std::string& name = "report.sqlite") const
    {
        const fs::path path = folder() / name;
        Database::open(path, Database::Access::create).execute(sql);
        return path;
    }
    trace::Trace import(const fs::path& path) const
    {
        auto trace = importNsys(path);
        EXPECT_TRUE(trace.ok()) << (trace ? "" : base::describe(trace.error()));
        return trace ? std::move(trace).value() : trace::Trace{};
    }
};

const trace::Series& seriesOf(const trace::Trace& trace, EventKind kind)
{
    for (const trace::Series& series : trace.series)
        if (series.kind == kind)
            return series;
    ADD_FAILURE() << "no " << toString(kind);
    static const trace::Series none;
    return none;
}

} // namespace

TEST_F(Nsys, ARecentExportBecomesATrace)
{
    const trace::Trace trace = import(put(kRecent));
    EXPECT_EQ(trace.source, "nsys");
    EXPECT_EQ(trace.name, "report");
    EXPECT_EQ(trace.recorderVersion, "2025.6.3");
    EXPECT_EQ(trace.originEpoch, 1'790'000'000'000'000'000 + 9990);
    ASSERT_EQ(trace.devices.size(), 1u);
    EXPECT_EQ(trace.devices[0].name, "NVIDIA H100");
    EXPECT_EQ(trace.devices[0].multiprocessors, 132);
    EXPECT_EQ(trace.devices[0].maxThreadsPerMultiprocessor, 2048);
    EXPECT_EQ(trace.devices[0].computeMajor, 9);

    const trace::Series& kernels = seriesOf(trace, EventKind::kernel);
    ASSERT_EQ(kernels.events.size(), 2u);
    EXPECT_EQ(trace.nameOf(kernels, 0), "void gemm<float>(float*)");
    EXPECT_EQ(kernels.events.start, (std::vector<std::int64_t>{310, 510}));
    EXPECT_EQ(kernels.events.duration, (std::vector<std::int64_t>{120, 40}));
    EXPECT_EQ(kernels.events.correlation, (std::vector<std::uint32_t>{11, 12}));
    const trace::KernelDetail& launch = trace.details.kernels.at(kernels.events.detail[0]);
    EXPECT_EQ(launch.grid, (std::array<std::uint32_t, 3>{80, 2, 1}));
    EXPECT_EQ(launch.cluster, (std::array<std::uint32_t, 3>{2, 1, 1}));
    EXPECT_EQ(launch.dynamicSharedBytes, 4096);
    EXPECT_EQ(trace.track(kernels).type, trace::TrackType::stream);
    EXPECT_EQ(trace.track(kernels).stream, 7);
    EXPECT_EQ(trace.track(kernels).label, "stream 7");

    const trace::Series& copies = seriesOf(trace, EventKind::copy);
    EXPECT_EQ(trace.nameOf(copies, 0), "Memcpy HtoD");
    EXPECT_EQ(copies.events.value, std::vector<std::int64_t>{602'112});
    const trace::CopyDetail& copy = trace.details.copies.at(copies.events.detail[0]);
    EXPECT_EQ(copy.direction, trace::CopyDirection::hostToDevice);
    EXPECT_EQ(copy.source, trace::MemoryKind::pageable);
    EXPECT_EQ(copy.target, trace::MemoryKind::device);

    const trace::Series& calls = seriesOf(trace, EventKind::runtimeCall);
    EXPECT_EQ(trace.nameOf(calls, 0), "cudaLaunchKernel");
    EXPECT_EQ(trace.nameOf(calls, 1), "cudaMemcpyAsync_ptsz");
    EXPECT_EQ(trace.track(calls).process, 1234);
    EXPECT_EQ(trace.track(calls).thread, 1240);
    EXPECT_EQ(trace.track(calls).label, "python3 1240");
    const trace::Series& driver = seriesOf(trace, EventKind::driverCall);
    EXPECT_EQ(trace.nameOf(driver, 0), "cuMemAlloc_v2");
    EXPECT_EQ(driver.events.value, std::vector<std::int64_t>{2});

    const trace::Series& waits = seriesOf(trace, EventKind::synchronization);
    EXPECT_EQ(trace.details.synchronizations.at(waits.events.detail[0]).type, trace::SynchronizationType::context);
    EXPECT_EQ(trace.track(waits).type, trace::TrackType::device);
    EXPECT_EQ(seriesOf(trace, EventKind::deviceMemory).events.value,
              (std::vector<std::int64_t>{1'048'576, -1'048'576}));
    const trace::Series& ranges = seriesOf(trace, EventKind::range);
    ASSERT_EQ(ranges.events.size(), 3u);
    EXPECT_EQ(trace.nameOf(ranges, 0), "forward");
    EXPECT_EQ(trace.nameOf(ranges, 1), "load");
    EXPECT_EQ(trace.nameOf(ranges, 2), "here");
    EXPECT_EQ(trace.nameOf(seriesOf(trace, EventKind::other), 0), "poll");
    const trace::Series& metric = seriesOf(trace, EventKind::counter);
    EXPECT_EQ(trace.track(metric).label, "SMs Active");
    EXPECT_EQ(trace.track(metric).unit, "1e-2 Throughput %");
    EXPECT_EQ(metric.events.value, (std::vector<std::int64_t>{4000, 9525})) << "fractions stay";
    EXPECT_TRUE(metric.events.detail.empty());

    ASSERT_EQ(trace.losses.size(), 2u);
    EXPECT_NE(trace.losses[0].reason.find("still open"), std::string::npos);
    EXPECT_EQ(trace.losses[1].reason, "The table CUDA_UM_GPU_PAGE_FAULT_EVENTS of the export was not read.");
    EXPECT_EQ(trace.losses[1].count, 2);
    ASSERT_OK(open().addTrace(trace));
}

/// What exports of 2022 to 2025 were found to hold besides what kRecent has: rows among the calls that are none, the
/// recorder's own words, and numbers of devices and events that mean something else than they say.
constexpr const char* kOddities = R"sql(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'cudaMalloc_v3020'), (2, 'cudaMalloc'), (3, 'poll'), (4, 'axpy');
CREATE TABLE EXPORT_META_DATA (name TEXT NOT NULL, value TEXT);
INSERT INTO EXPORT_META_DATA VALUES ('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'),
    ('EXPORT_PRODUCT_VERSION', '2022.2.1.31');
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
    globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL,
    callchainId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 1900, 0, 302119224788637, 107, 1, 0, NULL),
    (1100, 1800, 67, 302119224788637, 107, 2, 0, 12);
CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER, eventClass INTEGER NOT NULL, globalTid INTEGER,
    nameId INTEGER NOT NULL, returnValue INTEGER, nestingLevel INTEGER);
INSERT INTO OSRT_API VALUES (500, 500, 31, 302119223558144, 3, 0, NULL), (600, 700, 27, 302119224788637, 3, 0, 0),
    (3000, 3001, 32, 302119223558144, 3, 0, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (2000, 2100, 0, 1, 7, 108, 302119223558144, 4);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, deprecatedSyncType INTEGER, syncType INTEGER,
    eventId INTEGER, eventSyncId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (2010, 2110, 0, 1, 4294967295, 109, 302119223558144, NULL, 4,
    4294967295, 4294967295);
CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, timestampType INTEGER, source INTEGER, severity INTEGER, text TEXT,
    globalPid INTEGER);
INSERT INTO DIAGNOSTIC_EVENT VALUES (-90, 1, 2, 1, 'Dwarf backtraces collected.', 0),
    (-80, 1, 2, 2, 'Unable to collect CPU samples. ' || char(10) || 'Try something.', 0),
    (900, 1, 1, 3, 'Not all CUDA events were collected.', 0);
CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER, cuDevice INTEGER);
INSERT INTO TARGET_INFO_GPU VALUES (0, 'the fourth', 104, 3), (3, 'the first', 108, 0);
)sql";

TEST_F(Nsys, RowsThatAreNoCallsAreNotCalls)
{
    const trace::Trace trace = import(put(kOddities));
    EXPECT_EQ(trace.recorderVersion, "2022.2.1.31");
    const trace::Series& calls = seriesOf(trace, EventKind::runtimeCall);
    ASSERT_EQ(calls.events.size(), 1u) << "the call, and not the copy that has its backtrace";
    EXPECT_EQ(trace.nameOf(calls, 0), "cudaMalloc");
    EXPECT_EQ(calls.events.duration[0], 900);
    EXPECT_EQ(trace.track(calls).process, 1'230'493) << "the middle 24 bits of globalTid";
    EXPECT_EQ(trace.track(calls).thread, 1'230'493);
    EXPECT_EQ(seriesOf(trace, EventKind::other).events.size(), 1u) << "poll, and not the marks of the recorder";
    const trace::Series& waits = seriesOf(trace, EventKind::synchronization);
    const trace::SynchronizationDetail& wait = trace.details.synchronizations.at(waits.events.detail[0]);
    EXPECT_EQ(wait.event, 0u);
    EXPECT_EQ(wait.stream, -1);
}

TEST_F(Nsys, DevicesHaveTheNumbersThatProgramsGiveThem)
{
    const trace::Trace trace = import(put(kOddities));
    ASSERT_NE(trace.device(0), nullptr);
    EXPECT_EQ(trace.device(0)->name, "the first");
    const trace::Trace newer =
        import(put(std::string(kOddities) + "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid "
                                            "INTEGER); INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 1230493);",
                   "newer.sqlite"));
    ASSERT_EQ(newer.devices.size(), 1u) << "the one that the program used";
    EXPECT_EQ(newer.device(0)->name, "the fourth");
}

TEST_F(Nsys, WarningsOfTheRecorderAreLosses)
{
    const trace::Trace trace = import(put(kOddities));
    ASSERT_EQ(trace.losses.size(), 2u);
    EXPECT_EQ(trace.losses[0].reason, "Nsight Systems says: Unable to collect CPU samples.");
    EXPECT_EQ(trace.losses[0].severity, trace::Severity::notice);
    EXPECT_EQ(trace.losses[1].reason, "Nsight Systems says: Not all CUDA events were collected.");
    EXPECT_EQ(trace.losses[1].severity, trace::Severity::warning);
}

TEST_F(Nsys, AnOldExportWithFewColumnsIsReadAsFarAsItGoes)
{
    const trace::Trace trace = import(put("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, shortName INT);"
                                          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, 9, 1), (20, 21, 1);"
                                          "CREATE TABLE StringIds (id INT, value TEXT);"
                                          "INSERT INTO StringIds VALUES (1, 'gemm');"));
    const trace::Series& kernels = seriesOf(trace, EventKind::kernel);
    ASSERT_EQ(kernels.events.size(), 2u);
    EXPECT_EQ(trace.nameOf(kernels, 1), "gemm");
    EXPECT_EQ(kernels.events.duration, (std::vector<std::int64_t>{4, 1}));
}

TEST_F(Nsys, TimesThatMakeNoSenseAreCountedAsLost)
{
    const trace::Trace trace =
        import(put("CREATE TABLE StringIds (id INT, value TEXT); CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, "
                   "end INT); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, 9), (20, 11), (-9223372036854775808, "
                   "9223372036854775807), (4, 9223372036854775807), ('x', 'y');"));
    EXPECT_EQ(seriesOf(trace, EventKind::kernel).events.size(), 2u); // 5…9, and what reads as 0…0
    ASSERT_EQ(trace.losses.size(), 1u);
    EXPECT_EQ(trace.losses[0].count, 3);
}

TEST_F(Nsys, FilesThatAreNoExportAreRefusedWithASentence)
{
    const auto refused = [&](const fs::path& path) {
        const auto result = importNsys(path);
        EXPECT_FALSE(result.ok()) << path;
        if (result)
            return ErrorCode::internal;
        EXPECT_FALSE(result.error().message.empty());
        EXPECT_FALSE(result.error().hint.empty()) << result.error().message;
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
    EXPECT_FALSE(looksLikeSqlite(folder() / "text"));
    EXPECT_TRUE(looksLikeSqlite(file()));
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
        EXPECT_NE(result.error().code, ErrorCode::internal) << base::describe(result.error());
        EXPECT_FALSE(result.error().hint.empty()) << base::describe(result.error());
        EXPECT_EQ(result.error().message.find("workspace"), std::string::npos) << result.error().message;
    }
    EXPECT_GT(refused, 100);
    EXPECT_TRUE(fs::exists(folder() / "report.sqlite"));
    EXPECT_FALSE(fs::exists(folder() / "copy.sqlite-wal"));
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
        const Database db = Database::open(path, Database::Access::write);
        Statement columns = db.prepare("SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE "
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
            const Database db = Database::open(path, Database::Access::write);
            db.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; " + change);
        }
        trace::test::expectNoHarm(importNsys(path));
        if (HasFailure())
            return;
    }
}

TEST_F(Nsys, AnImportCanBeStopped)
{
    std::stop_source source;
    source.request_stop();
    trace::ImportOptions options;
    options.cancel = source.get_token();
    EXPECT_EQ(importNsys(put(kRecent), options).error().code, ErrorCode::cancelled);
}

TEST_F(Nsys, AnExportComesBackEqual)
{
    const trace::Trace trace = sampleTrace("net", 20);
    const fs::path path = folder() / "out" / "net.sqlite";
    ASSERT_OK(writeNsys(trace, path));
    const trace::Trace back = import(path);
    EXPECT_EQ(back.recorderVersion, trace.recorderVersion);
    EXPECT_EQ(back.devices.size(), trace.devices.size());
    EXPECT_EQ(back.devices[0].name, trace.devices[0].name);
    EXPECT_EQ(back.devices[0].maxThreadsPerMultiprocessor, trace.devices[0].maxThreadsPerMultiprocessor);
    const std::int64_t shift = back.originEpoch - trace.originEpoch;
    for (const EventKind kind : {EventKind::kernel, EventKind::copy, EventKind::fill, EventKind::runtimeCall,
                                 EventKind::driverCall, EventKind::other}) {
        SCOPED_TRACE(toString(kind));
        const trace::Series& a = seriesOf(trace, kind);
        const trace::Series& b = seriesOf(back, kind);
        ASSERT_EQ(a.events.size(), b.events.size());
        for (std::size_t i = 0; i < a.events.size(); ++i) {
            EXPECT_EQ(a.events.start[i], b.events.start[i] + shift);
            EXPECT_EQ(a.events.duration[i], b.events.duration[i]);
            EXPECT_EQ(a.events.at(i).correlation, b.events.at(i).correlation);
            EXPECT_EQ(a.events.at(i).value, b.events.at(i).value);
            EXPECT_EQ(trace.nameOf(a, i), back.nameOf(b, i));
        }
    }
    const trace::Series& kernels = seriesOf(trace, EventKind::kernel);
    const trace::Series& kernelsBack = seriesOf(back, EventKind::kernel);
    for (std::size_t i = 0; i < kernels.events.size(); ++i) {
        trace::KernelDetail expected = trace.details.kernels.at(kernels.events.detail[i]);
        expected.recordedOccupancy = -1; // nsys has no place for it
        EXPECT_TRUE(back.details.kernels.at(kernelsBack.events.detail[i]) == expected);
    }
    ASSERT_OK(writeNsys(trace, path)); // replaces it
    std::stop_source source;
    source.request_stop();
    EXPECT_EQ(writeNsys(trace, folder() / "no.sqlite", {{}, source.get_token()}).error().code, ErrorCode::cancelled);
    EXPECT_FALSE(fs::exists(folder() / "no.sqlite"));
    EXPECT_NE(errorOf(writeNsys(trace, "/proc/none/x.sqlite")).find("could not be written"), std::string::npos);
}

} // namespace apertune::store::test
