// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/nsys/nsys_export.h"
#include "core/interchange/nsys/nsys_import.h"
#include "core/sentences/sentences.h"
#include "core/store/failure.h"
#include "core/store/sqlite_database.h"
#include "core/trace/trace_file.h"
#include "tests/core/interchange/nsys_fixture.h"
#include "tests/core/store/sample_trace.h"
#include "tests/core/store/sample_values.h"

namespace apertune::interchange::test {

using base::ErrorCode;
using trace::EventKind;

namespace {

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
    const trace::Trace trace = imported(put(kRecent));
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
    ASSERT_EQ(ranges.events.size(), 4u);
    EXPECT_EQ(trace.nameOf(ranges, 0), "forward");
    EXPECT_EQ(trace.nameOf(ranges, 1), "load");
    EXPECT_EQ(trace.nameOf(ranges, 2), "here");
    EXPECT_EQ(trace.nameOf(ranges, 3), "open");
    EXPECT_EQ(ranges.events.end(3), trace.end().count) << "it is drawn to the end of the recording";
    EXPECT_EQ(trace.nameOf(seriesOf(trace, EventKind::other), 0), "poll");
    const trace::Series& metric = seriesOf(trace, EventKind::counter);
    EXPECT_EQ(trace.track(metric).label, "SMs Active");
    EXPECT_EQ(trace.track(metric).unit, "1e-2 Throughput %");
    EXPECT_EQ(metric.events.value, (std::vector<std::int64_t>{4000, 9525})) << "fractions stay";
    EXPECT_TRUE(metric.events.detail.empty());

    ASSERT_EQ(trace.losses.size(), 2u);
    EXPECT_NE(sentences::sentence(trace.losses[0].reason).find("still open"), std::string::npos);
    EXPECT_EQ(sentences::sentence(trace.losses[1].reason),
              "The table CUDA_UM_GPU_PAGE_FAULT_EVENTS of the export was not read.");
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
CREATE TABLE OSRT_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER, module INTEGER, stackDepth INTEGER NOT NULL);
INSERT INTO OSRT_CALLCHAINS VALUES (1, 3, 3, 0), (1, 3, 3, 1), (2, 3, 3, 0);
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
    const trace::Trace trace = imported(put(kOddities));
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
    const trace::Trace trace = imported(put(kOddities));
    ASSERT_NE(trace.device(0), nullptr);
    EXPECT_EQ(trace.device(0)->name, "the first");
    const trace::Trace newer = imported(
        put(std::string(kOddities) + "CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid "
                                     "INTEGER); INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 1230493);",
            "newer.sqlite"));
    ASSERT_EQ(newer.devices.size(), 1u) << "the one that the program used";
    EXPECT_EQ(newer.device(0)->name, "the fourth");
}

TEST_F(Nsys, WarningsOfTheRecorderAreLosses)
{
    const trace::Trace trace = imported(put(kOddities));
    ASSERT_EQ(trace.losses.size(), 3u);
    EXPECT_EQ(sentences::sentence(trace.losses[2].reason), "The table OSRT_CALLCHAINS of the export was not read.");
    EXPECT_EQ(trace.losses[2].count, 3);
    EXPECT_EQ(sentences::sentence(trace.losses[0].reason), "Nsight Systems says: Unable to collect CPU samples.");
    EXPECT_EQ(trace.losses[0].severity, trace::LossSeverity::notice);
    EXPECT_EQ(sentences::sentence(trace.losses[1].reason), "Nsight Systems says: Not all CUDA events were collected.");
    EXPECT_EQ(trace.losses[1].severity, trace::LossSeverity::warning);
}

TEST_F(Nsys, AnOldExportWithFewColumnsIsReadAsFarAsItGoes)
{
    const trace::Trace trace =
        imported(put("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, shortName INT);"
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
        imported(put("CREATE TABLE StringIds (id INT, value TEXT); CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, "
                     "end INT); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5, 9), (20, 11), (-9223372036854775808, "
                     "9223372036854775807), (4, 9223372036854775807), ('x', 'y');"));
    EXPECT_EQ(seriesOf(trace, EventKind::kernel).events.size(), 2u); // 5…9, and what reads as 0…0
    ASSERT_EQ(trace.losses.size(), 1u);
    EXPECT_EQ(trace.losses[0].count, 3);
}

TEST_F(Nsys, IdsOfMoreThan32BitsStillJoin)
{
    const std::string large = std::to_string((std::int64_t{1} << 33) + 11);
    std::string sql = kRecent;
    for (const char* before :
         {"(10300, 10420, 0, 1, NULL, 7, ", "(10000, 10050, 0, 281474976710656 | (1234 << 24) | 1240, "})
        sql.replace(sql.find(before) + std::string_view(before).size(), 2, large);
    const trace::Trace trace = imported(put(sql));
    const trace::Series& kernels = seriesOf(trace, EventKind::kernel);
    const trace::Series& calls = seriesOf(trace, EventKind::runtimeCall);
    EXPECT_EQ(kernels.events.correlation[0], calls.events.correlation[0]);
    EXPECT_NE(kernels.events.correlation[0], 11u) << "which is another id";
    EXPECT_EQ(kernels.events.correlation[1], 12u);
}

TEST_F(Nsys, AnExportHasTheShortNamesOfKernelsBesideTheWholeOnes)
{
    const fs::path path = folder() / "again.sqlite";
    ASSERT_OK(writeNsys(imported(put(kRecent)), path));
    const store::Database db = store::Database::open(path, store::Database::Access::immutable);
    store::Statement row =
        db.query("SELECT w.value, s.value FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds w ON w.id = "
                 "k.demangledName JOIN StringIds s ON s.id = k.shortName");
    ASSERT_TRUE(row.step());
    EXPECT_EQ(row.text(0), "void gemm<float>(float*)");
    EXPECT_EQ(row.text(1), "gemm");
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
    const trace::Trace trace = store::test::sampleTrace("net", 20);
    const fs::path path = folder() / "out" / "net.sqlite";
    ASSERT_OK(writeNsys(trace, path));
    const trace::Trace back = imported(path);
    // What has no table is counted, here and in the file.
    std::size_t left = 0;
    for (const auto& [kind, events] : leftOutByNsys(trace))
        left += static_cast<std::size_t>(events);
    EXPECT_GT(left, 0u);
    EXPECT_EQ(back.eventCount() + left, trace.eventCount());
    const store::Database db = store::Database::open(path, store::Database::Access::immutable);
    EXPECT_EQ(db.integer("SELECT sum(value) FROM META_DATA_EXPORT WHERE name LIKE 'LEFT_OUT_%'"),
              static_cast<std::int64_t>(left));
    EXPECT_EQ(db.integer("SELECT count(*) FROM META_DATA_EXPORT WHERE name = 'LEFT_OUT_counter'"), 1);
    EXPECT_EQ(back.recorderVersion, trace.recorderVersion);
    EXPECT_EQ(back.devices.size(), trace.devices.size());
    EXPECT_EQ(back.devices[0].name, trace.devices[0].name);
    EXPECT_EQ(back.devices[0].maxThreadsPerMultiprocessor, trace.devices[0].maxThreadsPerMultiprocessor);
    const std::int64_t shift = back.originEpoch - trace.originEpoch;
    for (const EventKind kind : {EventKind::kernel, EventKind::copy, EventKind::memset, EventKind::runtimeCall,
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
    EXPECT_NE(store::test::errorOf(writeNsys(trace, "/proc/none/x.sqlite")).find("could not be written"),
              std::string::npos);
}

} // namespace apertune::interchange::test
