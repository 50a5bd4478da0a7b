// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/query_views.h"

#include "core/interchange/nsys/nsys_enums.h"

#include <array>
#include <string>
#include <string_view>

namespace apertune::query {

using trace::EventKind;

namespace {

constexpr std::string_view kDeviceColumns = "e.correlation, e.link, e.device, e.context, e.stream";
constexpr std::string_view kHostColumns = "e.correlation, e.link, e.process, e.thread";

/// Returns SQL for the name of a memory kind or copy direction.
std::string memoryWord(const std::string& column)
{
    return "CASE " + column +
           " WHEN 1 THEN 'pageable' WHEN 2 THEN 'pinned' WHEN 3 THEN 'device' WHEN 4 THEN 'array' WHEN 5 THEN "
           "'managed' WHEN 6 THEN 'device static' WHEN 7 THEN 'managed static' END";
}

// The numbers of memory kinds and directions are CUPTI's; trace/details.h has them, too.
constexpr std::string_view kDirectionWord =
    "CASE d.direction WHEN 1 THEN 'HtoD' WHEN 2 THEN 'DtoH' WHEN 8 THEN 'DtoD' WHEN 9 THEN 'HtoH' WHEN 10 THEN 'PtoP' "
    "WHEN 11 THEN 'array' END";

std::string detailJoin(std::string_view table)
{
    return " LEFT JOIN main." + std::string(table) + " d ON d.trace_id = e.trace_id AND d.id = e.detail_id";
}

std::string textJoin(std::string_view alias, std::string_view id)
{
    return " LEFT JOIN main.string " + std::string(alias) + " ON " + std::string(alias) +
           ".trace_id = e.trace_id AND " + std::string(alias) + ".id = " + std::string(id);
}

/// The columns of one kind's view in addition to the common ones.
struct KindView
{
    std::string columns;
    std::string joins;
};

KindView viewOf(EventKind kind)
{
    switch (kind) {
    case EventKind::kernel:
    case EventKind::graphLaunch:
        return {std::string(kDeviceColumns) +
                    ", d.grid_x, d.grid_y, d.grid_z, d.block_x, d.block_y, d.block_z, d.cluster_x, d.cluster_y, "
                    "d.cluster_z, d.registers, d.static_shared, d.dynamic_shared, d.local_bytes, d.graph, "
                    "d.graph_node, d.recorded_occupancy",
                detailJoin("kernel_detail")};
    case EventKind::copy:
    case EventKind::memset:
        return {std::string(kDeviceColumns) + ", e.value AS bytes, " + std::string(kDirectionWord) + " AS direction, " +
                    memoryWord("d.source") + " AS source, " + memoryWord("d.target") +
                    " AS target, d.asynchronous, d.source_device, d.target_device, d.graph, d.graph_node",
                detailJoin("copy_detail")};
    case EventKind::runtimeCall:
    case EventKind::driverCall:
        return {std::string(kHostColumns) + ", e.value AS status", ""};
    case EventKind::synchronization:
        return {std::string(kHostColumns) +
                    ", e.device, e.context, e.stream, e.value AS status, CASE d.type WHEN 1 THEN 'event' WHEN 2 THEN "
                    "'stream wait' WHEN 3 THEN 'stream' WHEN 4 THEN 'context' END AS type, d.event, d.stream AS "
                    "awaited_stream",
                detailJoin("synchronization_detail")};
    case EventKind::operatorCall:
        return {std::string(kHostColumns) +
                    ", shapes.value AS input_shapes, strides.value AS input_strides, types.value AS input_types, "
                    "modules.value AS module, collectives.value AS collective, d.sequence",
                detailJoin("operator_detail") + textJoin("shapes", "d.input_shapes") +
                    textJoin("strides", "d.input_strides") + textJoin("types", "d.input_types") +
                    textJoin("modules", "d.module") + textJoin("collectives", "d.collective")};
    case EventKind::deviceMemory:
    case EventKind::tensorMemory:
        return {"e.correlation, e.link, e.process, e.thread, e.value AS bytes, e.address, " + memoryWord("d.kind") +
                    " AS memory, d.device, owners.value AS owner",
                detailJoin("memory_detail") + textJoin("owners", "d.owner")};
    case EventKind::compilation:
    case EventKind::overhead:
        return {std::string(kHostColumns) + ", notes.value AS note",
                detailJoin("note_detail") + textJoin("notes", "d.note")};
    case EventKind::counter:
        return {"e.value, e.process, e.device, t.unit",
                " LEFT JOIN main.track t ON t.trace_id = e.trace_id AND t.id = e.track_id"};
    case EventKind::deviceRange:
        return {std::string(kDeviceColumns), ""};
    case EventKind::range:
    case EventKind::scriptCall:
    case EventKind::profilerRange:
    case EventKind::other:
        break;
    }
    return {std::string(kHostColumns) + ", e.value", ""};
}

std::string number(EventKind kind)
{
    return std::to_string(static_cast<int>(kind));
}

/// nsys packs process and thread into one number, with 24 bits for each.
constexpr std::string_view kGlobalPid =
    "(coalesce(e.process, (SELECT max(process) FROM main.track WHERE trace_id = e.trace_id), 0) << 24)";
constexpr std::string_view kGlobalTid = "((e.process << 24) | (e.thread & 16777215))";
constexpr std::string_view kPlace =
    "e.start_ns AS start, e.end_ns AS \"end\", e.device AS deviceId, e.context AS contextId, NULL AS greenContextId, "
    "e.stream AS streamId, e.correlation AS correlationId, ";

struct NsysView
{
    std::string_view name;
    std::string columns;
    std::string kinds;
    std::string joins;
};

std::array<NsysView, 10> nsysViews()
{
    const std::string place(kPlace);
    const std::string pid = std::string(kGlobalPid) + " AS globalPid";
    const std::string tid = std::string(kGlobalTid) + " AS globalTid";
    const std::string kernels = number(EventKind::kernel);
    const auto kind = [](const char* column) { // nsys counts memory kinds from 0; 7 is "unknown"
        std::string sql = "CASE WHEN d.$ > 0 THEN d.$ - 1 ELSE 7 END";
        for (auto at = sql.find('$'); at != std::string::npos; at = sql.find('$'))
            sql.replace(at, 1, column);
        return sql;
    };
    return {{
        {"CUPTI_ACTIVITY_KIND_KERNEL",
         place + pid +
             ", e.name_id AS demangledName, e.name_id AS shortName, NULL AS mangledName, NULL AS launchType, NULL AS "
             "cacheConfig, d.registers AS registersPerThread, d.grid_x AS gridX, d.grid_y AS gridY, d.grid_z AS gridZ, "
             "d.block_x AS blockX, d.block_y AS blockY, d.block_z AS blockZ, d.static_shared AS staticSharedMemory, "
             "d.dynamic_shared AS dynamicSharedMemory, d.local_bytes AS localMemoryPerThread, NULL AS "
             "localMemoryTotal, "
             "NULL AS gridId, NULL AS sharedMemoryExecuted, nullif(d.graph_node, 0) AS graphNodeId, NULL AS "
             "sharedMemoryLimitConfig, nullif(d.graph, 0) AS graphId, d.cluster_x AS clusterX, d.cluster_y AS "
             "clusterY, "
             "d.cluster_z AS clusterZ",
         "= " + kernels, detailJoin("kernel_detail")},
        // nsys has number 5 for copies between arrays, which is 11 here.
        {"CUPTI_ACTIVITY_KIND_MEMCPY",
         place + pid +
             ", e.value AS bytes, CASE d.direction WHEN 11 THEN 5 ELSE coalesce(d.direction, 0) END AS copyKind, NULL "
             "AS deprecatedSrcId, " +
             kind("source") + " AS srcKind, " + kind("target") +
             " AS dstKind, nullif(d.source_device, -1) AS srcDeviceId, NULL AS srcContextId, nullif(d.target_device, "
             "-1) AS dstDeviceId, NULL AS dstContextId, NULL AS migrationCause, nullif(d.graph_node, 0) AS "
             "graphNodeId, NULL AS virtualAddress",
         "= " + number(EventKind::copy), detailJoin("copy_detail")},
        {"CUPTI_ACTIVITY_KIND_MEMSET",
         place + pid + ", NULL AS value, e.value AS bytes, nullif(d.graph_node, 0) AS graphNodeId, " + kind("target") +
             " AS memKind",
         "= " + number(EventKind::memset), detailJoin("copy_detail")},
        {"CUPTI_ACTIVITY_KIND_RUNTIME",
         "e.start_ns AS start, e.end_ns AS \"end\", e.kind = " + number(EventKind::driverCall) + " AS eventClass, " +
             tid + ", e.correlation AS correlationId, e.name_id AS nameId, e.value AS returnValue, NULL AS callchainId",
         "IN (" + number(EventKind::runtimeCall) + ", " + number(EventKind::driverCall) + ")", ""},
        {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
         place + pid + ", coalesce(d.type, 0) AS syncType, coalesce(d.event, 0) AS eventId",
         "= " + number(EventKind::synchronization), detailJoin("synchronization_detail")},
        {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", place + pid + ", nullif(d.graph, 0) AS graphId, NULL AS graphExecId",
         "= " + number(EventKind::graphLaunch), detailJoin("kernel_detail")},
        {"CUPTI_ACTIVITY_KIND_OVERHEAD",
         "e.start_ns AS start, e.end_ns AS \"end\", " + tid +
             ", e.correlation AS correlationId, e.name_id AS nameId, NULL AS overheadType",
         "= " + number(EventKind::overhead), ""},
        {"CUDA_GPU_MEMORY_USAGE_EVENTS",
         "e.start_ns AS start, " + pid +
             ", d.device AS deviceId, e.context AS contextId, e.address, NULL AS pc, abs(e.value) AS bytes, " +
             kind("kind") +
             " AS memKind, e.value < 0 AS memoryOperationType, e.name, e.correlation AS correlationId, e.stream AS "
             "streamId",
         "= " + number(EventKind::deviceMemory), detailJoin("memory_detail")},
        // In ENUM_NSYS_EVENT_TYPE, 34 is a mark and 59 a range of nvtxRangePush().
        {"NVTX_EVENTS",
         "e.start_ns AS start, e.end_ns AS \"end\", CASE WHEN e.duration_ns = 0 THEN 34 ELSE 59 END AS eventType, NULL "
         "AS rangeId, NULL AS category, NULL AS color, e.name AS text, " +
             tid + ", NULL AS endGlobalTid, e.name_id AS textId, NULL AS domainId",
         "= " + number(EventKind::range), ""},
        {"OSRT_API",
         "e.start_ns AS start, e.end_ns AS \"end\", NULL AS eventClass, " + tid +
             ", e.name_id AS nameId, e.value AS returnValue",
         "= " + number(EventKind::other), ""},
    }};
}

} // namespace

void createViews(const store::Database& db, std::optional<store::TraceId> trace)
{
    std::string sql;
    const std::string chosen = trace ? std::to_string(trace->value) : std::string();
    for (const EventKind kind : trace::kEventKinds) {
        const KindView view = viewOf(kind);
        sql += "CREATE TEMP VIEW " + std::string(trace::toString(kind)) +
               " AS SELECT e.trace_id, e.track_id, e.track, e.start_ns, e.duration_ns, e.end_ns, e.name, " +
               view.columns + " FROM event e" + view.joins + " WHERE e.kind = " + number(kind) + ";";
    }
    // A workspace without traces has these views, too. They are empty.
    const std::string one = trace ? chosen : std::to_string(db.integer("SELECT coalesce(max(id), 0) FROM main.trace"));
    for (const NsysView& view : nsysViews())
        sql += "CREATE TEMP VIEW " + std::string(view.name) + " AS SELECT " + view.columns + " FROM event e" +
               view.joins + " WHERE e.trace_id = " + one + " AND e.kind " + view.kinds + ";";
    sql += "CREATE TEMP VIEW StringIds AS SELECT id, value FROM main.string WHERE trace_id = " + one +
           ";CREATE TEMP VIEW ThreadNames AS SELECT label AS name, process << 24 | (thread & 16777215) AS globalTid "
           "FROM main.track WHERE type = 1 AND trace_id = " +
           one +
           ";CREATE TEMP VIEW TARGET_INFO_GPU AS SELECT id, name, total_memory AS totalMemory, memory_bandwidth AS "
           "memoryBandwidth, multiprocessors AS smCount, compute_major AS computeMajor, compute_minor AS computeMinor, "
           "warp_size AS threadsPerWarp, max_threads_block AS maxThreadsPerBlock, shared_bytes_block AS "
           "maxShmemPerBlock, shared_bytes_multiprocessor AS maxShmemPerSm, registers_multiprocessor AS "
           "maxRegistersPerSm FROM main.trace_device WHERE trace_id = " +
           one +
           ";CREATE TEMP VIEW PROCESSES AS SELECT DISTINCT process << 24 AS globalPid, process AS pid, NULL AS "
           "name FROM main.track WHERE process >= 0 AND trace_id = " +
           one + ";" + interchange::nsys::enumViewsSql();
    if (trace) {
        // A temporary view hides the table with its name. So the program's own queries say "main.".
        store::Statement tables =
            db.prepare("SELECT t.name, c.name FROM main.sqlite_schema t, pragma_table_info(t.name) c "
                       "WHERE t.type = 'table' AND (c.name = 'trace_id' OR t.name = 'trace' AND c.name "
                       "= 'id')");
        while (tables.step())
            sql += "CREATE TEMP VIEW \"" + tables.text(0) + "\" AS SELECT * FROM main.\"" + tables.text(0) +
                   "\" WHERE " + tables.text(1) + " = " + chosen + ";";
    }
    db.execute(sql);
}

} // namespace apertune::query
