// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/nsys/nsys_import.h"
#include "core/sentences/sentences.h"
#include "core/store/sqlite_database.h"
#include "tests/core/store/sample_values.h"

#include <string>

namespace apertune::interchange::test {

namespace fs = std::filesystem;

/// What a recent nsys writes, cut down to a few events.
inline constexpr const char* kRecent = R"sql(
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

/// Exports of nsys made by SQL, and what becomes of them.
class Nsys : public store::test::StoreTest
{
protected:
    fs::path put(const std::string& sql, const std::string& name = "report.sqlite") const
    {
        const fs::path path = folder() / name;
        store::Database::open(path, store::Database::Access::create).execute(sql);
        return path;
    }
    trace::Trace imported(const fs::path& path) const
    {
        auto trace = importNsys(path);
        EXPECT_TRUE(trace.ok()) << (trace ? "" : sentences::describe(trace.error()));
        return trace ? std::move(trace).value() : trace::Trace{};
    }
};

} // namespace apertune::interchange::test
