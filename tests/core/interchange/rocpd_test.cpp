// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/temporary_dir.h"
#include "core/interchange/recording_import.h"
#include "core/interchange/rocprof/rocpd.h"
#include "core/sentences/sentences.h"
#include "core/store/sqlite_database.h"
#include "tests/core/interchange/event_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace apertune::interchange {
namespace {

using test::eventLines;
using trace::EventKind;

/// A database of rocprofv3, cut down to a few events. The names of its tables end with `suffix`.
std::string sampleSql(const std::string& suffix)
{
    std::string sql = R"sql(
CREATE TABLE `rocpd_metadata@` (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
CREATE TABLE `rocpd_string@` (id INTEGER PRIMARY KEY, guid TEXT, string TEXT);
INSERT INTO `rocpd_string@` VALUES (1, '', 'HIP_RUNTIME_API'), (2, '', 'hipLaunchKernel'), (3, '', 'KERNEL_DISPATCH'),
    (4, '', 'MEMORY_COPY'), (5, '', 'MEMORY_COPY_DEVICE_TO_HOST'), (6, '', 'MARKER_CORE_API'), (7, '', 'roctxRangePushA'),
    (8, '', 'HSA_CORE_API'), (9, '', 'hsa_signal_wait_scacquire');
CREATE TABLE `rocpd_info_process@` (id INTEGER PRIMARY KEY, guid TEXT, nid INTEGER, ppid INTEGER, pid INTEGER);
INSERT INTO `rocpd_info_process@` VALUES (1, '', 1, 1, 4321);
CREATE TABLE `rocpd_info_thread@` (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, tid INTEGER, name TEXT);
INSERT INTO `rocpd_info_thread@` VALUES (1, 1, 1, 4325, 'main');
CREATE TABLE `rocpd_info_agent@` (id INTEGER PRIMARY KEY, nid INTEGER, type TEXT, absolute_index INTEGER, type_index INTEGER,
    name TEXT, product_name TEXT, extdata TEXT);
INSERT INTO `rocpd_info_agent@` VALUES (1, 1, 'CPU', 0, 0, 'EPYC', 'AMD EPYC', '{}'),
    (2, 1, 'GPU', 1, 0, 'gfx942', 'AMD Instinct MI300X', '{"cu_count": 304, "wave_front_size": 64, "gfx_target_version": 90402}'),
    (3, 1, 'GPU', 2, 1, 'gfx942', '', 'no json');
CREATE TABLE `rocpd_info_kernel_symbol@` (id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT);
INSERT INTO `rocpd_info_kernel_symbol@` VALUES (1, '_Z3addPf.kd', 'add(float*)'), (2, 'fill.kd', NULL);
CREATE TABLE `rocpd_event@` (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER,
    correlation_id INTEGER, extdata TEXT);
INSERT INTO `rocpd_event@` VALUES (1, 1, 10, 10, 0, '{}'), (2, 3, 10, 10, 0, '{}'), (3, 4, 11, 11, 0, '{}'),
    (4, 6, 12, 12, 0, '{"message": "step 1"}'), (5, 8, 13, 13, 0, '{}'), (6, 3, 14, 14, 0, '{}');
CREATE TABLE `rocpd_kernel_dispatch@` (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, tid INTEGER, agent_id INTEGER,
    kernel_id INTEGER, dispatch_id INTEGER, queue_id INTEGER, stream_id INTEGER, start INTEGER, end INTEGER,
    private_segment_size INTEGER, group_segment_size INTEGER, workgroup_size_x INTEGER, workgroup_size_y INTEGER,
    workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z INTEGER, event_id INTEGER);
INSERT INTO `rocpd_kernel_dispatch@` VALUES (1, 1, 1, 1, 2, 1, 1, 16, 3, 1300, 1500, 4, 2048, 256, 1, 1, 1000, 2, 1, 2),
    (2, 1, 1, 1, 3, 2, 2, 17, NULL, 1600, 1650, 0, 0, 64, 1, 1, 64, 1, 1, 6),
    (3, 1, 1, 1, 2, 1, 3, 16, 3, 1800, 1700, 0, 0, 64, 1, 1, 64, 1, 1, 6);
CREATE TABLE `rocpd_memory_copy@` (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
    name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER, queue_id INTEGER, stream_id INTEGER,
    event_id INTEGER);
INSERT INTO `rocpd_memory_copy@` VALUES (1, 1, 1, 2200, 2300, 5, 1, 2, 64, NULL, 3, 3);
CREATE TABLE `rocpd_memory_allocate@` (id INTEGER PRIMARY KEY, pid INTEGER, agent_id INTEGER, type TEXT, level TEXT,
    start INTEGER, end INTEGER, address INTEGER, size INTEGER, event_id INTEGER);
INSERT INTO `rocpd_memory_allocate@` VALUES (1, 1, 2, 'ALLOC', 'REAL', 1010, 1020, 4096, 512, 1),
    (2, 1, 2, 'ALLOC', 'SCRATCH', 1010, 1020, 8192, 99, 1), (3, 1, NULL, 'FREE', 'REAL', 2400, 2410, 4096, NULL, 1);
CREATE TABLE `rocpd_region@` (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
    name_id INTEGER, event_id INTEGER);
INSERT INTO `rocpd_region@` VALUES (1, 1, 1, 1, 1000, 1030, 2, 1), (2, 1, 1, 1, 1000, 2500, 7, 4),
    (3, 1, 1, 1, 1040, 1060, 9, 5);
CREATE TABLE `rocpd_pmc_event@` (id INTEGER PRIMARY KEY, event_id INTEGER, value REAL);
INSERT INTO `rocpd_pmc_event@` VALUES (1, 2, 7), (2, 2, 8);
)sql";
    for (std::size_t at = sql.find('@'); at != std::string::npos; at = sql.find('@', at))
        sql.replace(at, 1, suffix);
    return sql;
}

struct Rocpd : ::testing::Test
{
    base::TemporaryDir dir = base::TemporaryDir::create("rocpd").value();

    std::filesystem::path put(const std::string& sql) const
    {
        auto path = dir.path() / "results.db";
        std::filesystem::remove(path);
        store::Database::open(path, store::Database::Access::create).execute(sql);
        return path;
    }
};

TEST_F(Rocpd, ADatabaseIsReadWithItsGpusCallsAndMarkers)
{
    const auto file = put(sampleSql("_00001f2e_0000_7777"));
    ASSERT_TRUE(looksLikeRocpd(file));
    const auto trace = importRecording(file);
    ASSERT_TRUE(trace) << sentences::describe(trace.error());
    EXPECT_EQ(trace->source, "rocpd");
    EXPECT_THAT(eventLines(*trace, EventKind::kernel),
                ::testing::UnorderedElementsAre("add(float*) 300+200 on GPU 0 stream 3 #10",
                                                "fill 600+50 on GPU 1 queue 17 #14"));
    EXPECT_THAT(eventLines(*trace, EventKind::copy),
                ::testing::ElementsAre("Memcpy DtoH 1200+100 on GPU 0 stream 3 of 64 #11"));
    EXPECT_THAT(
        eventLines(*trace, EventKind::deviceMemory),
        ::testing::UnorderedElementsAre(" 10+0 on GPU 0 GPU 0 of 512 #10", " 1400+0 on GPU 0 GPU 0 of -512 #10"));
    EXPECT_THAT(eventLines(*trace, EventKind::runtimeCall),
                ::testing::ElementsAre("hipLaunchKernel 0+30 on thread 4325 #10"));
    EXPECT_THAT(eventLines(*trace, EventKind::driverCall),
                ::testing::ElementsAre("hsa_signal_wait_scacquire 40+20 on thread 4325 #13"));
    EXPECT_THAT(eventLines(*trace, EventKind::range), ::testing::ElementsAre("step 1 0+1500 on thread 4325"));
    ASSERT_EQ(trace->devices.size(), 2u);
    EXPECT_EQ(trace->devices[0].name, "AMD Instinct MI300X");
    EXPECT_EQ(trace->devices[0].multiprocessors, 304);
    EXPECT_EQ(trace->devices[1].name, "gfx942");
    EXPECT_EQ(trace->details.kernels.at(1).grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
    std::vector<std::string> losses;
    for (const trace::Loss& loss : trace->losses)
        losses.push_back(sentences::sentence(loss.reason) + " " + std::to_string(loss.count));
    EXPECT_THAT(losses, ::testing::UnorderedElementsAre(
                            "Events that end before they start, or at no possible time, were left out. 1",
                            "Records of the kind rocpd_pmc_event were not read: a trace cannot hold them. 2"));
}

TEST_F(Rocpd, TwoProcessesOfOneFileAreBothRead)
{
    const auto trace = importRocpd(put(sampleSql("_a") + sampleSql("_b")));
    ASSERT_TRUE(trace) << sentences::describe(trace.error());
    EXPECT_EQ(eventLines(*trace, EventKind::kernel).size(), 4u);
}

TEST_F(Rocpd, RowsWithoutATimeAreLeftOutAndCounted)
{
    for (const std::string value : {"NULL", "'abc'", "0", "-1"}) {
        const auto trace =
            importRocpd(put(sampleSql("") + "UPDATE rocpd_kernel_dispatch SET start = " + value + " WHERE id = 1;"));
        ASSERT_TRUE(trace) << value;
        EXPECT_LT((trace->end() - trace->begin()).count, 2000) << value << ": no event at the start of the machine";
        ASSERT_FALSE(trace->losses.empty());
        EXPECT_EQ(eventLines(*trace, EventKind::kernel).size(), 1u) << value;
    }
}

TEST_F(Rocpd, TablesAndColumnsThatAreMissingAreSkipped)
{
    const std::string whole = sampleSql("");
    for (const std::string table : {"info_process", "info_thread", "info_agent", "info_kernel_symbol", "event",
                                    "memory_copy", "memory_allocate", "region", "kernel_dispatch", "pmc_event"}) {
        const auto trace = importRocpd(put(whole + "DROP TABLE rocpd_" + table + ";"));
        EXPECT_TRUE(trace) << table << ": " << sentences::describe(trace.error());
    }
    EXPECT_TRUE(importRocpd(put(whole + "ALTER TABLE rocpd_kernel_dispatch DROP COLUMN stream_id;")));
}

TEST_F(Rocpd, DamagedAndForeignFilesGiveASentenceAndNoTrace)
{
    const std::string bytes = *base::readFile(put(sampleSql("")));
    const auto cut = dir.path() / "cut.db";
    std::ofstream(cut, std::ios::binary) << bytes.substr(0, bytes.size() / 2);
    EXPECT_FALSE(importRecording(cut));
    EXPECT_EQ(importRocpd(put("CREATE TABLE rocpd_string (id INTEGER, string TEXT);")).error().code,
              base::ErrorCode::corrupt)
        << "no event";
    EXPECT_EQ(importRocpd(dir.path()).error().code, base::ErrorCode::invalidArgument);
    EXPECT_EQ(importRocpd(dir.path() / "missing").error().code, base::ErrorCode::notFound);
    EXPECT_FALSE(looksLikeRocpd(put("CREATE VIEW rocpd_string AS SELECT 1; CREATE TABLE other (id INTEGER);")))
        << "a view runs what its writer wants";
}

TEST_F(Rocpd, ADatabaseIsRefusedWhileChangesOfItStandBesideIt)
{
    const auto file = put(sampleSql(""));
    std::ofstream(dir.path() / "results.db-wal") << "changes";
    const auto refused = importRecording(file);
    ASSERT_FALSE(refused);
    EXPECT_NE(sentences::describe(refused.error()).find("results.db-wal"), std::string::npos);
    std::filesystem::resize_file(dir.path() / "results.db-wal", 0);
    EXPECT_TRUE(importRecording(file)) << "an empty log holds none";
}

} // namespace
} // namespace apertune::interchange
