// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/nsys/nsys_export.h"

#include "core/analysis/names.h"
#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/interchange/nsys/errors.h"
#include "core/interchange/nsys/nsys_enums.h"
#include "core/store/copy_database.h"
#include "core/store/failure.h"
#include "core/store/sqlite_database.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>

namespace apertune::interchange {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;
using trace::EventKind;

namespace {

constexpr const char* kHead = R"sql(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
)sql";

constexpr const char* kPlaceColumns =
    "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId "
    "INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId "
    "INTEGER, globalPid INTEGER, ";

/// A table of the export. It is created with its first event, as nsys does.
class ExportTable
{
public:
    ExportTable(const store::Database& db, std::string name, std::string columns)
        : m_db(db), m_name(std::move(name)), m_columns(std::move(columns))
    {
    }
    template <typename... Values>
    void add(const Values&... values)
    {
        // A table is made with its first row, as Nsight Systems does: queries ask which tables are there.
        if (!m_insert) {
            m_db.execute("CREATE TABLE " + m_name + " (" + m_columns + ")");
            std::string marks;
            for (std::size_t i = 0; i < sizeof...(values); ++i)
                marks += marks.empty() ? "?" : ", ?";
            m_insert.emplace(m_db.prepare("INSERT INTO " + m_name + " VALUES (" + marks + ")"));
        }
        m_insert->bind(values...).run();
    }

private:
    const store::Database& m_db;
    std::string m_name;
    std::string m_columns;
    std::optional<store::Statement> m_insert;
};

const std::optional<std::int64_t> kNull;

template <typename T>
std::int64_t number(T value)
{
    return static_cast<std::int64_t>(value);
}

/// nsys counts CUPTI's memory kinds from 0; 7 is "unknown".
std::int64_t memoryKind(trace::MemoryKind kind)
{
    return kind == trace::MemoryKind::unknown ? 7 : number(kind) - 1;
}

std::int64_t copyKind(trace::CopyDirection direction)
{
    return direction == trace::CopyDirection::array ? 5 : number(direction);
}

std::optional<std::int64_t> unlessZero(std::uint64_t value)
{
    return value == 0 ? std::nullopt : std::optional(number(value));
}

class Exporter
{
public:
    Exporter(const store::Database& db, const trace::Trace& trace, const trace::ExportOptions& options)
        : m_db(db), m_trace(trace), m_options(options)
    {
        for (const trace::Track& track : trace.tracks)
            if (m_process < 0 && track.process >= 0)
                m_process = track.process;
        m_process = std::max<std::int64_t>(m_process, 0);
    }

    void run()
    {
        m_db.execute(nsys::enumTablesSql() + kHead);
        for (std::size_t i = 0; i < m_trace.strings.size(); ++i)
            m_db.run("INSERT INTO StringIds VALUES (?1, ?2)", number(i), m_trace.strings[i]);
        m_nextString = number(m_trace.strings.size());
        writeHead();
        const auto total = static_cast<double>(std::max<std::size_t>(m_trace.eventCount(), 1));
        std::size_t done = 0;
        for (const trace::Series& series : m_trace.series)
            for (std::size_t i = 0; i < series.events.size(); ++i) {
                // Asked every 16,384 events, because asking costs more than writing one.
                if ((done++ & 0x3fff) == 0) {
                    if (m_options.cancel.stop_requested())
                        store::fail({ErrorCode::cancelled, base::message<base::errors::kCancelled>()});
                    if (m_options.progress)
                        m_options.progress(static_cast<double>(done) / total);
                }
                write(series.kind, m_trace.track(series), series.events.at(i));
            }
        for (const auto& [kind, events] : leftOutByNsys(m_trace))
            m_db.run("INSERT INTO META_DATA_EXPORT VALUES (?1, ?2)", "LEFT_OUT_" + std::string(toString(kind)),
                     std::to_string(events));
    }

private:
    std::int64_t processOf(const trace::Track& track) const { return track.process >= 0 ? track.process : m_process; }
    // Nsight Systems packs the process into bits 24 and up, the thread below.
    std::int64_t globalPid(const trace::Track& track) const { return processOf(track) << 24; }
    std::int64_t globalTid(const trace::Track& track) const
    {
        return globalPid(track) | (std::max<std::int64_t>(track.thread, 0) & 0xffffff);
    }

    void writeHead()
    {
        m_db.run("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_NAME', 'Apertune'), ('TRACE_NAME', ?1), "
                 "('TRACE_SOURCE', ?2), ('EXPORT_PRODUCT_VERSION', ?3)",
                 m_trace.name, m_trace.source, m_trace.recorderVersion);
        m_db.run("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?1, NULL, NULL)", m_trace.originEpoch);
        std::set<std::int64_t> processes;
        for (const trace::Track& track : m_trace.tracks) {
            if (track.process >= 0 && processes.insert(track.process).second)
                m_db.run("INSERT INTO PROCESSES VALUES (?1, ?2, NULL)", track.process << 24, track.process);
            if (track.type != trace::TrackType::hostThread || track.label.empty())
                continue;
            m_db.run("INSERT INTO StringIds VALUES (?1, ?2)", m_nextString, track.label);
            m_db.run("INSERT INTO ThreadNames VALUES (?1, NULL, ?2)", m_nextString++, globalTid(track));
        }
        ExportTable gpu(
            m_db, "TARGET_INFO_GPU",
            "id INTEGER NOT NULL, name TEXT, totalMemory INTEGER, memoryBandwidth INTEGER, smCount INTEGER, "
            "cuDevice INTEGER, maxShmemPerBlock INTEGER, maxShmemPerSm INTEGER, maxRegistersPerSm INTEGER, "
            "threadsPerWarp INTEGER, maxWarpsPerSm INTEGER, maxThreadsPerBlock INTEGER, computeMajor INTEGER, "
            "computeMinor INTEGER");
        for (const trace::DeviceProperties& d : m_trace.devices)
            gpu.add(d.id, d.name, d.totalMemory, d.memoryBandwidth, d.multiprocessors, d.id, d.sharedBytesPerBlock,
                    d.sharedBytesPerMultiprocessor, d.registersPerMultiprocessor, d.warpSize,
                    d.maxThreadsPerMultiprocessor / std::max(d.warpSize, 1), d.maxThreadsPerBlock, d.computeMajor,
                    d.computeMinor);
    }

    /// Returns the id of a kernel's name without template arguments and parameters. nsys stores both names.
    std::int64_t shortName(trace::StringId name)
    {
        const auto [at, added] = m_shortNames.try_emplace(name, number(name.value));
        const std::string text = added ? analysis::shortName(m_trace.text(name)) : std::string();
        if (added && text != m_trace.text(name)) {
            const auto [known, fresh] = m_shortTexts.try_emplace(text, m_nextString);
            if (fresh)
                m_db.run("INSERT INTO StringIds VALUES (?1, ?2)", m_nextString++, text);
            at->second = known->second;
        }
        return at->second;
    }

    void write(EventKind kind, const trace::Track& track, const trace::Event& e)
    {
        const std::int64_t start = e.start.count;
        const std::int64_t end = (e.start + e.duration).count;
        const std::int64_t correlation = e.correlation;
        const std::int64_t name = e.name.value;
        switch (kind) {
        case EventKind::kernel: {
            const trace::KernelDetail& d = m_trace.details.kernels[e.detail];
            m_kernels.add(start, end, track.device, track.context, kNull, track.stream, correlation, globalPid(track),
                          name, shortName(e.name), kNull, kNull, kNull, number(d.registersPerThread), number(d.grid[0]),
                          number(d.grid[1]), number(d.grid[2]), number(d.block[0]), number(d.block[1]),
                          number(d.block[2]), number(d.staticSharedBytes), number(d.dynamicSharedBytes),
                          number(d.localBytesPerThread), 0, ++m_grid, kNull, unlessZero(d.graphNode), kNull,
                          unlessZero(d.graph), number(d.cluster[0]), number(d.cluster[1]), number(d.cluster[2]));
            break;
        }
        case EventKind::copy: {
            const trace::CopyDetail& d = m_trace.details.copies[e.detail];
            const bool peers = d.direction == trace::CopyDirection::peerToPeer;
            m_copies.add(start, end, track.device, track.context, kNull, track.stream, correlation, globalPid(track),
                         e.value, copyKind(d.direction), kNull, memoryKind(d.source), memoryKind(d.target),
                         peers ? std::optional(number(d.sourceDevice)) : kNull, kNull,
                         peers ? std::optional(number(d.targetDevice)) : kNull, kNull, kNull, unlessZero(d.graphNode),
                         kNull);
            break;
        }
        case EventKind::memset: {
            const trace::CopyDetail& d = m_trace.details.copies[e.detail];
            m_fills.add(start, end, track.device, track.context, kNull, track.stream, correlation, globalPid(track), 0,
                        e.value, unlessZero(d.graphNode), memoryKind(d.target));
            break;
        }
        case EventKind::graphLaunch:
            m_graphs.add(start, end, track.device, track.context, kNull, track.stream, correlation, globalPid(track),
                         number(m_trace.details.kernels[e.detail].graph), kNull);
            break;
        case EventKind::runtimeCall:
        case EventKind::driverCall:
            m_calls.add(start, end, kind == EventKind::driverCall, globalTid(track), correlation, name, e.value, kNull);
            break;
        case EventKind::synchronization: {
            const trace::SynchronizationDetail& d = m_trace.details.synchronizations[e.detail];
            m_synchronizations.add(start, end, track.device, track.context, kNull,
                                   track.stream >= 0 ? track.stream : d.stream, correlation, globalPid(track),
                                   number(d.type), number(d.event));
            break;
        }
        case EventKind::deviceMemory: {
            const trace::MemoryDetail& d = m_trace.details.memory[e.detail];
            m_memory.add(start, globalPid(track), track.device, track.context, number(e.address), 0,
                         e.value < 0 ? -e.value : e.value, memoryKind(d.kind), e.value < 0,
                         e.name ? std::optional(m_trace.strings[e.name.value]) : std::nullopt, correlation);
            break;
        }
        case EventKind::range:
        case EventKind::operatorCall:
        case EventKind::profilerRange:
            m_ranges.add(start, end, e.duration.count == 0 && kind == EventKind::range ? 34 : 59, kNull, kNull, kNull,
                         m_trace.strings[e.name.value], globalTid(track), kNull, name,
                         kind == EventKind::operatorCall ? 1 : 0);
            break;
        case EventKind::overhead:
            m_overhead.add(start, end, globalTid(track), correlation, name, kNull);
            break;
        case EventKind::other:
            m_other.add(start, end, kNull, globalTid(track), name, e.value);
            break;
        case EventKind::deviceRange:
        case EventKind::tensorMemory:
        case EventKind::compilation:
        case EventKind::counter:
        case EventKind::scriptCall:
            break; // see leftOutByNsys()
        }
    }

    const store::Database& m_db;
    const trace::Trace& m_trace;
    const trace::ExportOptions& m_options;
    std::int64_t m_process = -1; ///< process of tracks that have none
    std::int64_t m_nextString = 0;
    std::map<trace::StringId, std::int64_t> m_shortNames; ///< ids of kernels' short names, by their whole name
    std::map<std::string, std::int64_t> m_shortTexts;
    std::int64_t m_grid = 0;
    ExportTable m_kernels{
        m_db, "CUPTI_ACTIVITY_KIND_KERNEL",
        std::string(kPlaceColumns) +
            "demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType "
            "INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, "
            "gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT "
            "NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory "
            "INTEGER NOT NULL, localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL, "
            "gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER, graphNodeId INTEGER, "
            "sharedMemoryLimitConfig INTEGER, graphId INTEGER, clusterX INTEGER, clusterY INTEGER, "
            "clusterZ INTEGER"};
    ExportTable m_copies{
        m_db, "CUPTI_ACTIVITY_KIND_MEMCPY",
        std::string(kPlaceColumns) +
            "bytes INTEGER NOT NULL, copyKind INTEGER NOT NULL, deprecatedSrcId INTEGER, srcKind INTEGER, "
            "dstKind INTEGER, srcDeviceId INTEGER, srcContextId INTEGER, dstDeviceId INTEGER, dstContextId "
            "INTEGER, migrationCause INTEGER, graphNodeId INTEGER, virtualAddress INTEGER"};
    ExportTable m_fills{m_db, "CUPTI_ACTIVITY_KIND_MEMSET",
                        std::string(kPlaceColumns) +
                            "value INTEGER NOT NULL, bytes INTEGER NOT NULL, graphNodeId INTEGER, memKind "
                            "INTEGER"};
    ExportTable m_graphs{m_db, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                         std::string(kPlaceColumns) + "graphId INTEGER NOT NULL, graphExecId INTEGER"};
    ExportTable m_calls{
        m_db, "CUPTI_ACTIVITY_KIND_RUNTIME",
        "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
        "correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER"};
    ExportTable m_synchronizations{m_db, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                   std::string(kPlaceColumns) + "syncType INTEGER NOT NULL, eventId INTEGER NOT NULL"};
    ExportTable m_memory{
        m_db, "CUDA_GPU_MEMORY_USAGE_EVENTS",
        "start INTEGER NOT NULL, globalPid INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER "
        "NOT NULL, address INTEGER NOT NULL, pc INTEGER NOT NULL, bytes INTEGER NOT NULL, memKind INTEGER "
        "NOT NULL, memoryOperationType INTEGER NOT NULL, name TEXT, correlationId INTEGER"};
    ExportTable m_ranges{
        m_db, "NVTX_EVENTS",
        "start INTEGER NOT NULL, \"end\" INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category "
        "INTEGER, color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, "
        "domainId INTEGER"};
    ExportTable m_overhead{
        m_db, "CUPTI_ACTIVITY_KIND_OVERHEAD",
        "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER, "
        "nameId INTEGER, overheadType INTEGER"};
    ExportTable m_other{
        m_db, "OSRT_API",
        "start INTEGER NOT NULL, \"end\" INTEGER NOT NULL, eventClass INTEGER, globalTid INTEGER, nameId "
        "INTEGER NOT NULL, returnValue INTEGER"};
};

void exportFile(const trace::Trace& trace, const fs::path& target, const trace::ExportOptions& options)
{
    std::error_code code;
    const fs::path whole = fs::absolute(target, code);
    const fs::path part = whole.string() + ".part-" + std::to_string(::getpid());
    fs::create_directories(whole.parent_path(), code);
    fs::remove(part, code);
    try {
        {
            const store::Database db = store::Database::open(part, store::Database::Access::create);
            // The file gets its name only when it is complete, so nothing has to be undone.
            db.execute("PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
            store::Transaction transaction(db, store::Transaction::Kind::write);
            Exporter(db, trace, options).run();
            transaction.commit();
        }
        store::renameSynced(part, whole);
    } catch (...) {
        fs::remove(part, code);
        throw;
    }
}

} // namespace

std::map<EventKind, std::int64_t> leftOutByNsys(const trace::Trace& trace)
{
    std::map<EventKind, std::int64_t> events;
    for (const trace::Series& series : trace.series)
        switch (series.kind) {
        case EventKind::deviceRange:
        case EventKind::tensorMemory:
        case EventKind::compilation:
        case EventKind::counter:
        case EventKind::scriptCall:
            events[series.kind] += static_cast<std::int64_t>(series.events.size());
            break;
        default:
            break;
        }
    return events;
}

base::Status writeNsys(const trace::Trace& trace, const fs::path& file, const trace::ExportOptions& options)
{
    const base::Status status = store::guarded([&] { exportFile(trace, file, options); });
    if (status || status.error().code == ErrorCode::cancelled)
        return status;
    const Error& error = status.error();
    return Error{error.code, base::message<nsys::errors::kCannotWriteTo>(file.string(), error.message), {}, error.hint};
}

} // namespace apertune::interchange
