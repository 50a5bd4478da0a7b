// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/nsys/nsys_events.h"

#include "core/interchange/nsys/errors.h"
#include "core/interchange/nsys/nsys_facts.h"
#include "core/interchange/nsys/nsys_places.h"
#include "core/interchange/nsys/nsys_tables.h"
#include "core/interchange/nsys/reasons.h"
#include "core/interchange/sqlite/foreign_database.h"
#include "core/interchange/sqlite/table_reader.h"
#include "core/store/failure.h"
#include "core/trace/counter_unit.h"
#include "core/trace/import_options.h"
#include "core/trace/reasons.h"
#include "core/trace/recorder.h"
#include "core/trace/trace_builder.h"
#include "core/trace/untrusted_events.h"
#include "core/trace/wide_ids.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

namespace apertune::interchange::nsys {

namespace fs = std::filesystem;
using base::ErrorCode;
using trace::EventKind;
using trace::StringId;
using trace::TrackId;
using trace::TrackType;

namespace {

class Importer
{
public:
    Importer(const store::Database& db, const fs::path& file, const trace::ImportOptions& options)
        : m_db(db), m_file(file), m_options(options)
    {
    }

    trace::Trace run()
    {
        readTables();
        readHead();
        m_places.read(m_tables);
        readKernels();
        readCopies();
        readFills();
        readGraphs();
        readCalls("CUPTI_ACTIVITY_KIND_RUNTIME", true);
        readCalls("CUPTI_ACTIVITY_KIND_DRIVER", true);
        for (const char* table : {"OSRT_API", "CUDNN_EVENTS", "CUBLAS_EVENTS", "CUSOLVER_EVENTS", "CUFFT_API"})
            readCalls(table, false);
        readSynchronizations();
        readMemory();
        readRanges();
        readOverhead("CUPTI_ACTIVITY_KIND_OVERHEAD");
        readOverhead("PROFILER_OVERHEAD");
        readMetrics();
        closeOpenRanges();
        noteSkipped();
        if (m_correlations.ambiguous())
            m_builder.addLoss({.reason = base::message<trace::reasons::kSharedIds>()});
        if (m_builder.eventCount() == 0)
            store::fail({ErrorCode::invalidArgument, base::message<errors::kNoEvents>(), m_file.string(),
                         base::message<errors::kRecordAgain>()});
        return m_builder.finish();
    }

private:
    struct OpenRange
    {
        std::int64_t globalTid;
        std::int64_t start;
        StringId name;
    };

    bool has(const std::string& table)
    {
        m_used.insert(table);
        return m_tables.contains(table);
    }

    void readTables()
    {
        m_tables = sqlite::plainTables(m_db);
        if (!has("StringIds") && !has("CUPTI_ACTIVITY_KIND_KERNEL") && !has("NVTX_EVENTS"))
            store::fail({ErrorCode::invalidArgument, base::message<errors::kNoExport>(), m_file.string(),
                         base::message<errors::kMakeExport>()});
        std::error_code ignored;
        m_size = static_cast<std::int64_t>(fs::file_size(m_file, ignored));
        // The largest rowid is read at once, while count(*) would read each table. It only serves the progress.
        for (const std::string& table : m_tables)
            if (table.find("KIND_") != std::string::npos || table.ends_with("EVENTS") || table.ends_with("_API") ||
                table == "GPU_METRICS")
                m_rows +=
                    std::max<std::int64_t>(m_db.integer("SELECT max(rowid) FROM main." + sqlite::sqlName(table)), 0);
    }

    void readHead()
    {
        trace::Trace& head = m_builder.head();
        head.source = toString(trace::Recorder::nsys);
        head.name = m_file.stem().string();
        readFacts(m_db, m_tables, m_builder);
    }

    /// Adds an event and reports the progress now and then.
    void add(TrackId track, EventKind kind, std::int64_t start, std::int64_t end, const trace::Event& event)
    {
        if ((++m_done & 0xffff) == 0)
            report();
        m_events.add(track, kind, start, end, event);
    }

    std::uint32_t correlation(const sqlite::TableReader& row, int column)
    {
        return m_correlations.number(static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer(column))));
    }

    void report()
    {
        sqlite::checkStop(m_options);
        if (m_options.progress)
            m_options.progress({m_rows > 0 ? static_cast<std::int64_t>(static_cast<double>(m_size) *
                                                                       std::min(1.0, static_cast<double>(m_done) /
                                                                                         static_cast<double>(m_rows)))
                                           : 0,
                                m_size, m_builder.eventCount()});
    }

    void readKernels()
    {
        if (!has("CUPTI_ACTIVITY_KIND_KERNEL"))
            return;
        sqlite::TableReader row(
            m_db, "CUPTI_ACTIVITY_KIND_KERNEL",
            "start, end, deviceId, contextId, streamId, globalPid, correlationId, demangledName, shortName, "
            "gridX, gridY, gridZ, blockX, blockY, blockZ, clusterX, clusterY, clusterZ, registersPerThread, "
            "staticSharedMemory, dynamicSharedMemory, localMemoryPerThread, graphId, graphNodeId");
        while (row.step()) {
            trace::KernelDetail d;
            int column = 9;
            for (auto* const shape : {&d.grid, &d.block, &d.cluster})
                for (std::uint32_t& n : *shape)
                    n = row.u32(column++);
            d.registersPerThread = row.u32(column++);
            d.staticSharedBytes = static_cast<std::int32_t>(row.u32(column++));
            d.dynamicSharedBytes = static_cast<std::int32_t>(row.u32(column++));
            d.localBytesPerThread = row.u32(column++);
            d.graph = row.u32(column++);
            d.graphNode = static_cast<std::uint64_t>(row.integer(column++));
            add(m_places.stream(row.integer(2, -1), row.integer(3, -1), row.integer(4, -1), row.integer(5)),
                EventKind::kernel, row.integer(0), row.integer(1),
                {.name = m_places.text(row.isNull(7) ? row.integer(8) : row.integer(7)),
                 .correlation = correlation(row, 6),
                 .detail = m_builder.detail(d)});
        }
    }

    void readCopies()
    {
        if (!has("CUPTI_ACTIVITY_KIND_MEMCPY"))
            return;
        sqlite::TableReader row(
            m_db, "CUPTI_ACTIVITY_KIND_MEMCPY",
            "start, end, deviceId, contextId, streamId, globalPid, correlationId, bytes, copyKind, srcKind, "
            "dstKind, srcDeviceId, dstDeviceId, graphNodeId");
        while (row.step()) {
            trace::CopyDetail d;
            d.direction = copyDirection(row.integer(8));
            d.source = memoryKind(row.integer(9, -1));
            d.target = memoryKind(row.integer(10, -1));
            if (d.direction == trace::CopyDirection::peerToPeer) {
                d.sourceDevice = static_cast<std::int32_t>(row.u32(11));
                d.targetDevice = static_cast<std::int32_t>(row.u32(12));
            }
            d.graphNode = static_cast<std::uint64_t>(row.integer(13));
            add(m_places.stream(row.integer(2, -1), row.integer(3, -1), row.integer(4, -1), row.integer(5)),
                EventKind::copy, row.integer(0), row.integer(1),
                {.name = m_builder.intern(trace::copyName(d.direction)),
                 .correlation = correlation(row, 6),
                 .detail = m_builder.detail(d),
                 .value = row.integer(7)});
        }
    }

    void readFills()
    {
        if (!has("CUPTI_ACTIVITY_KIND_MEMSET"))
            return;
        sqlite::TableReader row(m_db, "CUPTI_ACTIVITY_KIND_MEMSET",
                                "start, end, deviceId, contextId, streamId, globalPid, correlationId, bytes, memKind, "
                                "graphNodeId");
        while (row.step()) {
            trace::CopyDetail d;
            d.target = memoryKind(row.integer(8, -1));
            d.graphNode = static_cast<std::uint64_t>(row.integer(9));
            add(m_places.stream(row.integer(2, -1), row.integer(3, -1), row.integer(4, -1), row.integer(5)),
                EventKind::memset, row.integer(0), row.integer(1),
                {.name = m_builder.intern("Memset"),
                 .correlation = correlation(row, 6),
                 .detail = m_builder.detail(d),
                 .value = row.integer(7)});
        }
    }

    void readGraphs()
    {
        if (!has("CUPTI_ACTIVITY_KIND_GRAPH_TRACE"))
            return;
        sqlite::TableReader row(m_db, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                                "start, end, deviceId, contextId, streamId, globalPid, correlationId, graphId");
        while (row.step()) {
            trace::KernelDetail d;
            d.graph = row.u32(7);
            add(m_places.stream(row.integer(2, -1), row.integer(3, -1), row.integer(4, -1), row.integer(5)),
                EventKind::graphLaunch, row.integer(0), row.integer(1),
                {.name = m_builder.intern("CUDA graph " + std::to_string(d.graph)),
                 .correlation = correlation(row, 6),
                 .detail = m_builder.detail(d)});
        }
    }

    /// Reads CUDA calls (runtime and driver share a table), or calls of another library.
    void readCalls(const char* table, bool cuda)
    {
        if (!has(table))
            return;
        // The table also holds the start and end of tracing, and copies of calls with a backtrace (class 67). Only rows
        // of these classes are calls.
        constexpr std::array<std::int64_t, 7> kCalls = {0, 1, 13, 26, 27, 28, 29}; // ENUM_NSYS_EVENT_CLASS
        sqlite::TableReader row(m_db, table, "start, end, globalTid, correlationId, nameId, returnValue, eventClass");
        while (row.step()) {
            if (!row.isNull(6) && row.integer(6) < 100 &&
                std::find(kCalls.begin(), kCalls.end(), row.integer(6)) == kCalls.end())
                continue;
            EventKind kind = EventKind::other;
            if (cuda) {
                const std::string_view name = m_places.string(row.integer(4));
                // Old exports have no class, so the name distinguishes the driver (cuLaunchKernel) from the runtime
                // (cudaLaunchKernel).
                const bool named = name.starts_with("cu") && !name.starts_with("cuda");
                const bool driver = row.isNull(6) ? named : row.integer(6) == 1;
                kind = driver ? EventKind::driverCall : EventKind::runtimeCall;
            }
            add(m_places.thread(row.integer(2)), kind, row.integer(0), row.integer(1, row.integer(0)),
                {.name = m_places.text(row.integer(4), true),
                 .correlation = cuda ? correlation(row, 3) : 0,
                 .value = row.integer(5)});
        }
    }

    void readSynchronizations()
    {
        if (!has("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"))
            return;
        constexpr std::array kNames = {"Synchronization", "Event Sync", "Stream Wait Event", "Stream Sync",
                                       "Context Sync"};
        sqlite::TableReader row(
            m_db, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
            "start, end, deviceId, contextId, streamId, globalPid, correlationId, syncType, eventId");
        while (row.step()) {
            trace::SynchronizationDetail d;
            const std::int64_t type = row.integer(7);
            d.type = static_cast<trace::SynchronizationType>(type >= 0 && type <= 4 ? type : 0);
            d.event = row.integer(8) == kNoStream ? 0 : row.u32(8);
            const std::int64_t stream = row.integer(4, -1);
            d.stream = stream == kNoStream ? -1 : stream;
            add(m_places.stream(row.integer(2, -1), row.integer(3, -1), stream, row.integer(5)),
                EventKind::synchronization, row.integer(0), row.integer(1),
                {.name = m_builder.intern(kNames[static_cast<std::size_t>(d.type)]),
                 .correlation = correlation(row, 6),
                 .detail = m_builder.detail(d)});
        }
    }

    void readMemory()
    {
        if (!has("CUDA_GPU_MEMORY_USAGE_EVENTS"))
            return;
        sqlite::TableReader row(m_db, "CUDA_GPU_MEMORY_USAGE_EVENTS",
                                "start, deviceId, address, bytes, memKind, memoryOperationType, name, correlationId");
        while (row.step()) {
            trace::MemoryDetail d;
            d.kind = memoryKind(row.integer(4, -1));
            const bool onHost = d.kind == trace::MemoryKind::pageable || d.kind == trace::MemoryKind::pinned;
            d.device = onHost ? -1 : static_cast<std::int32_t>(row.u32(1));
            const std::int64_t bytes = std::clamp<std::int64_t>(row.integer(3), 0, trace::kLatest);
            trace::Track track;
            track.type = TrackType::device;
            track.device = row.integer(1, -1);
            track.label = "GPU " + std::to_string(track.device);
            add(m_builder.track(track), EventKind::deviceMemory, row.integer(0), row.integer(0),
                {.name = row.isNull(6) ? StringId{} : m_builder.intern(row.text(6)),
                 .correlation = correlation(row, 7),
                 .detail = m_builder.detail(d),
                 .value = row.integer(5) == 1 ? -bytes : bytes,
                 .address = static_cast<std::uint64_t>(row.integer(2))});
        }
    }

    void readRanges()
    {
        if (!has("NVTX_EVENTS"))
            return;
        // Types of ENUM_NSYS_EVENT_TYPE. 70 and 71 are push-pop and start-end ranges of an extended payload.
        constexpr std::int64_t kMark = 34;
        constexpr std::int64_t kPushPop = 59;
        constexpr std::int64_t kStartEnd = 60;
        sqlite::TableReader row(m_db, "NVTX_EVENTS", "start, end, eventType, text, textId, globalTid");
        while (row.step()) {
            const std::int64_t type = row.integer(2, kPushPop);
            const bool open = row.isNull(1);
            if (type != kPushPop && type != kStartEnd && type != kMark && type != 70 && type != 71)
                continue; // this row names a domain, a category or a thread
            const StringId name =
                row.isNull(3) || row.text(3).empty() ? m_places.text(row.integer(4)) : m_builder.intern(row.text(3));
            if (open && type != kMark)
                m_openRanges.push_back({row.integer(5), row.integer(0), name});
            else
                add(m_places.thread(row.integer(5)), EventKind::range, row.integer(0), row.integer(1, row.integer(0)),
                    {.name = name});
        }
    }

    void closeOpenRanges()
    {
        for (const OpenRange& range : m_openRanges) {
            m_builder.addLoss({{std::clamp(range.start, -trace::kLatest, trace::kLatest)},
                               EventKind::range,
                               1,
                               trace::LossSeverity::notice,
                               base::message<reasons::kOpenRanges>()});
            add(m_places.thread(range.globalTid), EventKind::range, range.start,
                std::max(range.start, m_events.latestEnd()), {.name = range.name});
        }
    }

    void readOverhead(const char* table)
    {
        if (!has(table))
            return;
        sqlite::TableReader row(m_db, table, "start, end, globalTid, nameId, correlationId");
        while (row.step())
            add(m_places.thread(row.integer(2)), EventKind::overhead, row.integer(0), row.integer(1, row.integer(0)),
                {.name = m_places.text(row.integer(3)), .correlation = correlation(row, 4)});
    }

    /// Reads GPU metrics. Each metric becomes one series of samples.
    void readMetrics()
    {
        if (!has("GPU_METRICS"))
            return;
        std::map<std::pair<std::int64_t, std::int64_t>, std::string> names;
        if (has("TARGET_INFO_GPU_METRICS")) {
            sqlite::TableReader row(m_db, "TARGET_INFO_GPU_METRICS", "typeId, metricId, metricName");
            while (row.step())
                names[{row.integer(0), row.integer(1)}] = row.text(2);
        }
        sqlite::TableReader row(m_db, "GPU_METRICS", "timestamp, typeId, metricId, value");
        std::map<std::pair<std::int64_t, std::int64_t>, TrackId> tracks;
        while (row.step()) {
            const std::pair key{row.integer(1), row.integer(2)};
            const auto [at, added] = tracks.try_emplace(key);
            if (added) {
                trace::Track track;
                track.type = TrackType::counter;
                // The lowest byte of a type id is the number of the GPU.
                track.device = key.first & 0xff;
                const auto name = names.find(key);
                track.label = name == names.end() ? "metric " + std::to_string(key.second) : name->second;
                if (const auto unit = track.label.find(" ["); unit != std::string::npos && track.label.ends_with(']')) {
                    track.unit = track.label.substr(unit + 2, track.label.size() - unit - 3);
                    track.label.resize(unit);
                }
                at->second = m_builder.track(track);
            }
            const auto sample = trace::sampleOf(row.real(3));
            if (!sample) {
                m_builder.addLoss({{row.integer(0)},
                                   EventKind::counter,
                                   1,
                                   trace::LossSeverity::warning,
                                   base::message<trace::reasons::kNoNumbers>()});
                continue;
            }
            add(at->second, EventKind::counter, row.integer(0), row.integer(0),
                {.detail = static_cast<std::uint32_t>(sample->decimals), .value = sample->value});
        }
        for (const auto& [key, track] : tracks)
            trace::alignSamples(m_builder.columns(track, EventKind::counter),
                                m_builder.head().tracks[track.value].unit);
    }

    /// Reports tables of events that a trace cannot hold as losses.
    void noteSkipped()
    {
        for (const std::string& table : m_tables) {
            const bool events = table.starts_with("CUPTI_ACTIVITY_KIND_") || table.ends_with("_EVENTS") ||
                                table.ends_with("_CALLCHAINS") || table.ends_with("_API") || table.starts_with("MPI_");
            if (!events || m_used.contains(table))
                continue;
            const std::int64_t rows = sqlite::countRows(m_db, table);
            if (rows > 0)
                m_builder.addLoss({{},
                                   EventKind::other,
                                   rows,
                                   trace::LossSeverity::notice,
                                   base::message<reasons::kTableNotRead>(table)});
        }
    }

    const store::Database& m_db;
    fs::path m_file;
    const trace::ImportOptions& m_options;
    trace::TraceBuilder m_builder;
    trace::UntrustedEvents m_events{m_builder};
    Places m_places{m_db, m_options, m_builder};
    std::set<std::string> m_tables;
    std::set<std::string> m_used;
    trace::WideIds m_correlations;
    std::vector<OpenRange> m_openRanges;
    std::int64_t m_size = 0;
    std::int64_t m_rows = 0;
    std::int64_t m_done = 0;
};

} // namespace

trace::Trace readEvents(const store::Database& db, const fs::path& file, const trace::ImportOptions& options)
{
    return Importer(db, file, options).run();
}

} // namespace apertune::interchange::nsys
