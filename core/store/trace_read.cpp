// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_read.h"

#include "core/base/errors.h"
#include "core/base/parallel.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/json_text.h"
#include "core/store/reasons.h"
#include "core/store/row_reader.h"
#include "core/store/trace_state.h"
#include "core/trace/errors.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <thread>

namespace apertune::store {

using base::Error;
using base::ErrorCode;
using base::Result;
using trace::EventKind;

namespace {

Error damaged(base::Message why)
{
    return {ErrorCode::corrupt,
            base::message<errors::kTraceDamaged>(std::move(why)),
            {},
            base::message<trace::errors::kImportRecordingAgain>()};
}

std::uint32_t u32(std::int64_t value)
{
    if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
        fail(damaged(base::message<errors::kNumberOutOfRange>()));
    return static_cast<std::uint32_t>(value);
}

std::int32_t i32(std::int64_t value)
{
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max())
        fail(damaged(base::message<errors::kNumberOutOfRange>()));
    return static_cast<std::int32_t>(value);
}

EventKind kindOf(std::int64_t value)
{
    for (const EventKind kind : trace::kEventKinds)
        if (static_cast<std::int64_t>(kind) == value)
            return kind;
    fail({ErrorCode::corrupt,
          base::message<errors::kUnknownEvents>(value),
          {},
          base::message<errors::kUpdateOrImport>()});
}

/// Reads the rows of one list. Their ids have to continue the numbers of the existing entries.
template <typename Row, typename Read>
void readList(const Database& db, const char* sql, TraceId id, std::vector<Row>& list, Read&& read)
{
    Statement rows = db.query(sql, id.value);
    while (rows.step()) {
        RowReader row(rows);
        if (row.integer() != static_cast<std::int64_t>(list.size()))
            fail(damaged(base::message<errors::kPartsMissing>()));
        list.push_back(read(row));
    }
}

void readDetails(const Database& db, TraceId id, trace::Trace& head)
{
    trace::Details& details = head.details;
    const auto text = [&](RowReader& row) {
        const trace::StringId string{u32(row.integer())};
        if (string.value >= head.strings.size())
            fail(damaged(base::message<trace::errors::kTextMissing>()));
        return string;
    };
    readList(
        db,
        "SELECT id, grid_x, grid_y, grid_z, block_x, block_y, block_z, cluster_x, cluster_y, cluster_z, registers, "
        "static_shared, dynamic_shared, local_bytes, graph, graph_node, recorded_occupancy FROM kernel_detail "
        "WHERE trace_id = ?1 ORDER BY id",
        id, details.kernels, [](RowReader& row) {
            trace::KernelDetail d;
            for (auto* const shape : {&d.grid, &d.block, &d.cluster})
                for (std::uint32_t& n : *shape)
                    n = u32(row.integer());
            d.registersPerThread = u32(row.integer());
            d.staticSharedBytes = i32(row.integer());
            d.dynamicSharedBytes = i32(row.integer());
            d.localBytesPerThread = u32(row.integer());
            d.graph = u32(row.integer());
            d.graphNode = static_cast<std::uint64_t>(row.integer());
            d.recordedOccupancy = static_cast<float>(row.optionalReal().value_or(-1));
            return d;
        });
    readList(db,
             "SELECT id, direction, source, target, asynchronous, source_device, target_device, graph, graph_node "
             "FROM copy_detail WHERE trace_id = ?1 ORDER BY id",
             id, details.copies, [](RowReader& row) {
                 trace::CopyDetail d;
                 d.direction = row.enumerator(trace::CopyDirection::array);
                 d.source = row.enumerator(trace::MemoryKind::managedStatic);
                 d.target = row.enumerator(trace::MemoryKind::managedStatic);
                 d.asynchronous = row.integer() != 0;
                 d.sourceDevice = i32(row.integer());
                 d.targetDevice = i32(row.integer());
                 d.graph = u32(row.integer());
                 d.graphNode = static_cast<std::uint64_t>(row.integer());
                 return d;
             });
    readList(db, "SELECT id, type, event, stream FROM synchronization_detail WHERE trace_id = ?1 ORDER BY id", id,
             details.synchronizations, [](RowReader& row) {
                 trace::SynchronizationDetail d;
                 d.type = row.enumerator(trace::SynchronizationType::context);
                 d.event = u32(row.integer());
                 d.stream = row.integer();
                 return d;
             });
    readList(db,
             "SELECT id, input_shapes, input_types, module, sequence, input_strides, collective FROM operator_detail "
             "WHERE trace_id = ?1 ORDER BY id",
             id, details.operators, [&](RowReader& row) {
                 trace::OperatorDetail d;
                 d.inputShapes = text(row);
                 d.inputTypes = text(row);
                 d.module = text(row);
                 d.sequence = row.integer();
                 d.inputStrides = text(row);
                 d.collective = text(row);
                 return d;
             });
    readList(db, "SELECT id, kind, device, owner FROM memory_detail WHERE trace_id = ?1 ORDER BY id", id,
             details.memory, [&](RowReader& row) {
                 trace::MemoryDetail d;
                 d.kind = row.enumerator(trace::MemoryKind::managedStatic);
                 d.device = i32(row.integer());
                 d.owner = text(row);
                 return d;
             });
    readList(db, "SELECT id, note FROM note_detail WHERE trace_id = ?1 ORDER BY id", id, details.notes,
             [&](RowReader& row) { return trace::NoteDetail{text(row)}; });
}

void readDevicesAndLosses(const Database& db, TraceId id, trace::Trace& head)
{
    Statement devices = db.query(
        "SELECT id, name, compute_major, compute_minor, multiprocessors, warp_size, max_threads_block, "
        "max_threads_multiprocessor, registers_multiprocessor, shared_bytes_block, shared_bytes_multiprocessor, "
        "total_memory, memory_bandwidth, link_bandwidth FROM trace_device WHERE trace_id = ?1 ORDER BY ordinal",
        id.value);
    while (devices.step()) {
        RowReader row(devices);
        trace::DeviceProperties d;
        d.id = row.integer();
        d.name = row.text();
        for (int* const n : {&d.computeMajor, &d.computeMinor, &d.multiprocessors, &d.warpSize, &d.maxThreadsPerBlock,
                             &d.maxThreadsPerMultiprocessor, &d.registersPerMultiprocessor})
            *n = i32(row.integer());
        for (std::int64_t* const n : {&d.sharedBytesPerBlock, &d.sharedBytesPerMultiprocessor, &d.totalMemory,
                                      &d.memoryBandwidth, &d.linkBandwidth})
            *n = row.integer();
        head.devices.push_back(std::move(d));
    }
    Statement losses = db.query(
        "SELECT time_ns, kind, count, severity, reason, reason_message FROM loss WHERE trace_id = ?1 ORDER BY ordinal",
        id.value);
    while (losses.step()) {
        RowReader row(losses);
        trace::Loss loss;
        loss.time = {row.integer()};
        loss.kind = kindOf(row.integer());
        loss.count = row.integer();
        loss.severity = row.enumerator(trace::LossSeverity::error);
        std::string english = row.text();
        loss.reason = messageFromText(row.text(), std::move(english));
        head.losses.push_back(std::move(loss));
    }
    Statement costs =
        db.query("SELECT bare_ns, bare_lo_ns, bare_hi_ns, bare_confidence, traced_ns, traced_lo_ns, traced_hi_ns, "
                 "traced_confidence, ratio, ratio_lo, ratio_hi, ratio_confidence, bare_iterations, traced_iterations "
                 "FROM trace_cost WHERE trace_id = ?1",
                 id.value);
    if (costs.step()) {
        RowReader row(costs);
        trace::RecordingCost& cost = head.cost.emplace();
        for (model::Interval* const interval : {&cost.bareNs, &cost.tracedNs, &cost.ratio})
            for (double* const n : {&interval->value, &interval->lo, &interval->hi, &interval->confidence})
                *n = row.real();
        cost.bareIterations = row.integer();
        cost.tracedIterations = row.integer();
    }
}

std::string listOf(const auto& values, auto&& numberOf)
{
    std::string list;
    for (const auto& value : values)
        list += (list.empty() ? "" : ", ") + std::to_string(numberOf(value));
    return list;
}

/// Returns the fault of the decoded events [at, at + size); empty without one.
base::Message problemIn(const trace::EventColumns& events, std::size_t at, std::size_t size, std::size_t strings,
                        std::size_t details)
{
    std::uint32_t name = 0;
    // The largest number is enough to know whether all are inside of the table, and the loop has no branch.
    for (std::size_t i = at; i < at + size; ++i)
        name = std::max(name, events.name[i]);
    if (name >= strings)
        return base::message<errors::kNameOfEventMissing>();
    if (events.detail.empty())
        return {};
    std::uint32_t detail = 0;
    for (std::size_t i = at; i < at + size; ++i)
        detail = std::max(detail, events.detail[i]);
    return detail >= details ? base::message<errors::kDetailsOfEventMissing>() : base::Message();
}

/// A chunk and its place in a trace.
struct ChunkJob
{
    std::size_t series;
    std::size_t at; ///< first of its events in the series
    trace::ChunkReader reader;
};

/// Opens the chunks from `first` on that belong to one series, and adds that series with room for their events. Returns
/// the position after them.
Result<std::size_t> placeSeries(const std::vector<trace::Chunk>& chunks, std::size_t first, trace::ColumnSet columns,
                                trace::Trace& trace, std::vector<ChunkJob>& jobs)
{
    const trace::Chunk& key = chunks[first];
    if (key.track.value >= trace.tracks.size())
        return damaged(base::message<trace::errors::kTrackMissing>());
    std::size_t size = 0;
    trace::ColumnSet present;
    std::size_t last = first;
    for (; last < chunks.size() && chunks[last].track == key.track && chunks[last].kind == key.kind; ++last) {
        auto reader = trace::ChunkReader::open(chunks[last].data);
        if (!reader)
            return reader.error();
        // Sizes were taken from the table, and a chunk that says otherwise would write beyond its place.
        if (reader->size() != chunks[last].events)
            return damaged(base::message<errors::kOtherCount>());
        for (const trace::Column column : trace::kColumns)
            if (reader->has(column) && columns.contains(column))
                present.add(column);
        jobs.push_back({trace.series.size(), size, *reader});
        size += reader->size();
    }
    if (size == 0) { // a trace has no empty series
        jobs.erase(jobs.end() - static_cast<std::ptrdiff_t>(last - first), jobs.end());
        return last;
    }
    trace.series.push_back({key.track, key.kind, {}});
    trace::EventColumns& events = trace.series.back().events;
    events.start.resize(size);
    events.duration.resize(size);
    events.name.resize(size);
    const auto resize = [&](trace::Column column, auto& values) {
        if (present.contains(column))
            values.resize(size);
    };
    resize(trace::Column::correlation, events.correlation);
    resize(trace::Column::link, events.link);
    resize(trace::Column::detail, events.detail);
    resize(trace::Column::value, events.value);
    resize(trace::Column::address, events.address);
    return last;
}

/// Decodes the chunks into their places, in parallel.
base::Status decodeChunks(const std::vector<ChunkJob>& jobs, trace::ColumnSet columns, const TraceTask& task,
                          trace::Trace& trace)
{
    std::vector<base::Status> results(jobs.size());
    std::atomic<std::size_t> done = 0;
    const auto caller = std::this_thread::get_id();
    const auto decode = [&](std::size_t i) {
        if (task.stop.stop_requested())
            return;
        const ChunkJob& job = jobs[i];
        trace::Series& series = trace.series[job.series];
        results[i] = job.reader.read(columns, series.events, job.at);
        if (results[i])
            if (base::Message problem = problemIn(series.events, job.at, job.reader.size(), trace.strings.size(),
                                                  detailCount(trace.details, series.kind));
                !problem.empty())
                results[i] = damaged(std::move(problem));
        const std::size_t finished = ++done;
        // Only the caller's thread reports, so that the callback needs no lock.
        if (task.progress && std::this_thread::get_id() == caller)
            task.progress(static_cast<double>(finished) / static_cast<double>(jobs.size()));
    };
    std::vector<std::function<void()>> tasks;
    tasks.reserve(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i)
        tasks.emplace_back([&decode, i] { decode(i); });
    // The start of a thread pays when it gets several chunks.
    const std::size_t useful = std::min<std::size_t>(std::thread::hardware_concurrency(), jobs.size() / 8);
    base::runInParallel(tasks, static_cast<unsigned>(std::clamp<std::size_t>(useful, 1, 8)));
    if (task.stop.stop_requested())
        return Error{ErrorCode::cancelled, base::message<base::errors::kCancelled>()};
    for (const base::Status& result : results)
        if (!result)
            return result.error();
    return {};
}

} // namespace

std::size_t detailCount(const trace::Details& details, EventKind kind)
{
    switch (kind) {
    case EventKind::kernel:
    case EventKind::graphLaunch:
        return details.kernels.size();
    case EventKind::copy:
    case EventKind::memset:
        return details.copies.size();
    case EventKind::synchronization:
        return details.synchronizations.size();
    case EventKind::operatorCall:
        return details.operators.size();
    case EventKind::deviceMemory:
    case EventKind::tensorMemory:
        return details.memory.size();
    case EventKind::compilation:
    case EventKind::overhead:
        return details.notes.size();
    default:
        return std::numeric_limits<std::size_t>::max();
    }
}

std::vector<TraceSummary> listTraces(const Database& db, const std::string& where, std::int64_t argument)
{
    std::vector<TraceSummary> traces;
    Statement rows = db.query("SELECT id, trial_id, name, source, recorder_version, created_utc, events, begin_ns, "
                              "end_ns, origin_epoch_ns, rank, "
                              "world_size, state, "
                              "(SELECT coalesce(sum(length(data)), 0) FROM chunk WHERE trace_id = t.id), "
                              "(SELECT count(*) FROM loss WHERE trace_id = t.id AND severity > 1) FROM trace t WHERE " +
                                  where + " ORDER BY id DESC",
                              argument);
    while (rows.step()) {
        RowReader row(rows);
        TraceSummary trace;
        trace.id = {row.integer()};
        if (const auto trial = row.optionalInteger())
            trace.trial = model::TrialId{*trial};
        trace.name = row.text();
        trace.source = row.text();
        trace.recorderVersion = row.text();
        trace.createdUtc = row.text();
        trace.events = row.integer();
        trace.begin = {row.integer()};
        trace.end = {row.integer()};
        trace.originEpoch = row.integer();
        trace.rank = row.integer();
        trace.worldSize = row.integer();
        // A damaged state must not hide the other traces.
        trace.complete = row.optionalEnumerator(TraceState::complete) == TraceState::complete;
        trace.stored = {row.integer()};
        trace.losses = row.small() + (trace.complete ? 0 : 1);
        traces.push_back(std::move(trace));
    }
    return traces;
}

TraceSummary traceSummaryById(const Database& db, TraceId id)
{
    auto traces = listTraces(db, "id = ?1", id.value);
    if (traces.empty())
        fail(
            {ErrorCode::notFound, base::message<errors::kNoTrace>(id.value), {}, base::message<errors::kListTraces>()});
    return std::move(traces.front());
}

std::vector<StoredMip> mipsOfTrace(const Database& db, TraceId id)
{
    std::vector<StoredMip> mips;
    Statement rows =
        db.query("SELECT track_id, kind, data FROM trace_mip WHERE trace_id = ?1 ORDER BY track_id, kind", id.value);
    while (rows.step())
        mips.push_back({{u32(rows.integer(0))}, kindOf(rows.integer(1)), rows.text(2)});
    return mips;
}

trace::Trace readTraceHead(const Database& db, TraceId id)
{
    const TraceSummary summary = traceSummaryById(db, id);
    trace::Trace head;
    head.name = summary.name;
    head.source = summary.source;
    head.recorderVersion = summary.recorderVersion;
    head.rank = summary.rank;
    head.worldSize = summary.worldSize;
    Statement origin = db.query("SELECT origin_monotonic_ns, origin_epoch_ns FROM trace WHERE id = ?1", id.value);
    origin.step();
    head.originMonotonic = origin.integer(0);
    head.originEpoch = origin.integer(1);
    readList(db, "SELECT id, value FROM string WHERE trace_id = ?1 ORDER BY id", id, head.strings,
             [](RowReader& row) { return row.text(); });
    readList(db,
             "SELECT id, type, process, thread, device, context, stream, label, unit FROM track WHERE trace_id = ?1 "
             "ORDER BY id",
             id, head.tracks, [](RowReader& row) {
                 trace::Track t;
                 t.type = row.enumerator(trace::TrackType::counter);
                 for (std::int64_t* const n : {&t.process, &t.thread, &t.device, &t.context, &t.stream})
                     *n = row.integer();
                 t.label = row.text();
                 t.unit = row.text();
                 return t;
             });
    readDetails(db, id, head);
    readDevicesAndLosses(db, id, head);
    // Its recorder was killed, or is still recording.
    if (!summary.complete)
        head.losses.push_back(
            {summary.end, EventKind::other, 0, trace::LossSeverity::warning, base::message<reasons::kNotFinished>()});
    return head;
}

RawTrace readRawTrace(const Database& db, TraceId id, const TraceSelection& selection, const std::stop_token& stop)
{
    RawTrace raw{readTraceHead(db, id), {}};
    std::string where;
    if (!selection.tracks.empty())
        where += " AND track_id IN (" + listOf(selection.tracks, [](trace::TrackId t) { return t.value; }) + ")";
    if (!selection.kinds.empty())
        where += " AND kind IN (" + listOf(selection.kinds, [](EventKind k) { return static_cast<int>(k); }) + ")";
    Statement rows =
        db.query("SELECT track_id, kind, events, begin_ns, end_ns, data FROM chunk WHERE trace_id = ?1 AND "
                 "end_ns >= ?2 AND begin_ns < ?3" +
                     where + " ORDER BY track_id, kind, begin_ns, end_ns",
                 id.value, selection.begin.count, selection.end.count);
    while (rows.step()) {
        if (stop.stop_requested())
            fail({ErrorCode::cancelled, base::message<base::errors::kCancelled>()});
        raw.chunks.push_back({{u32(rows.integer(0))},
                              kindOf(rows.integer(1)),
                              u32(rows.integer(2)),
                              rows.integer(3),
                              rows.integer(4),
                              std::string(rows.blob(5))});
    }
    return raw;
}

Result<trace::Trace> decodeTrace(RawTrace raw, const TraceSelection& selection, const TraceTask& task)
{
    trace::ColumnSet columns = selection.columns;
    columns.add(trace::Column::start);
    columns.add(trace::Column::duration);

    // Every chunk gets its place before the first one is decoded: vectors must not grow while threads write to them.
    trace::Trace trace = std::move(raw.head);
    std::vector<ChunkJob> jobs;
    jobs.reserve(raw.chunks.size());
    for (std::size_t first = 0; first < raw.chunks.size();) {
        const Result<std::size_t> next = placeSeries(raw.chunks, first, columns, trace, jobs);
        if (!next)
            return next.error();
        first = *next;
    }
    if (const base::Status decoded = decodeChunks(jobs, columns, task, trace); !decoded)
        return decoded.error();
    // Chunks of a live recording may overlap in time.
    for (trace::Series& series : trace.series)
        series.events.sort();
    return trace;
}

} // namespace apertune::store
