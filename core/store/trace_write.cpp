// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_write.h"

#include "core/base/clock.h"
#include "core/sentences/sentences.h"
#include "core/store/errors.h"
#include "core/store/failure.h"
#include "core/store/json_text.h"
#include "core/store/trace_read.h"

#include <algorithm>
#include <limits>
#include <map>

namespace apertune::store {

using base::ErrorCode;

namespace {

template <typename T>
std::int64_t number(T value)
{
    return static_cast<std::int64_t>(value); // a cast keeps all bits of a 64-bit address
}

/// Calls `insert` with the index and value of each row from `first` on.
template <typename Row, typename Insert>
void insertFrom(const std::vector<Row>& rows, std::size_t first, Insert&& insert)
{
    for (std::size_t row = first; row < rows.size(); ++row)
        insert(number(row), rows[row]);
}

/// Returns whether a number in [first, first + count) is not below the limit. Testing all of them without a branch
/// takes a quarter of the time in the usual case, in which none is.
bool anyFrom(const std::vector<std::uint32_t>& column, std::size_t first, std::size_t count, std::size_t limit)
{
    std::uint32_t largest = 0;
    for (std::size_t i = first; i < first + count && !column.empty(); ++i)
        largest = std::max(largest, column[i]);
    return !column.empty() && largest >= limit;
}

[[noreturn]] void failUnsound(base::Message why)
{
    fail({ErrorCode::invalidArgument,
          base::message<errors::kUnsoundTrace>(std::move(why)),
          {},
          base::message<errors::kReportRecording>()});
}

} // namespace

TraceId insertTrace(const Database& db, const trace::Trace& head, std::optional<model::TrialId> trial)
{
    std::optional<std::int64_t> trialId;
    if (trial) {
        trialId = trial->value;
        if (!db.query("SELECT 1 FROM trial WHERE id = ?1", *trialId).step())
            fail({ErrorCode::invalidArgument,
                  base::message<errors::kNoTrialOfTrace>(*trialId),
                  {},
                  base::message<errors::kCheckTrialNumber>()});
    }
    db.run("INSERT INTO trace (trial_id, name, source, recorder_version, origin_monotonic_ns, origin_epoch_ns, state, "
           "created_utc, events, begin_ns, end_ns, rank, world_size) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0, 0, "
           "?9, ?10)",
           trialId, head.name, head.source, head.recorderVersion, head.originMonotonic, head.originEpoch,
           number(TraceState::recording), base::utcNow(), head.rank, head.worldSize);
    return {db.lastInsertId()};
}

void insertRows(const Database& db, TraceId id, const trace::Trace& trace)
{
    const std::int64_t key = id.value;
    Statement text = db.prepare("INSERT INTO string VALUES (?1, ?2, ?3)");
    insertFrom(trace.strings, 1, [&](std::int64_t row, const std::string& s) { text.bind(key, row, s).run(); });
    Statement track = db.prepare("INSERT INTO track VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    insertFrom(trace.tracks, 0, [&](std::int64_t row, const trace::Track& t) {
        track.bind(key, row, number(t.type), t.process, t.thread, t.device, t.context, t.stream, t.label, t.unit).run();
    });
    const trace::Details& details = trace.details;
    Statement kernel =
        db.prepare("INSERT INTO kernel_detail VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
                   "?13, ?14, ?15, ?16, ?17, ?18)");
    insertFrom(details.kernels, 1, [&](std::int64_t row, const trace::KernelDetail& d) {
        const std::optional<double> occupancy =
            d.recordedOccupancy < 0 ? std::nullopt : std::optional(static_cast<double>(d.recordedOccupancy));
        kernel
            .bind(key, row, number(d.grid[0]), number(d.grid[1]), number(d.grid[2]), number(d.block[0]),
                  number(d.block[1]), number(d.block[2]), number(d.cluster[0]), number(d.cluster[1]),
                  number(d.cluster[2]), number(d.registersPerThread), number(d.staticSharedBytes),
                  number(d.dynamicSharedBytes), number(d.localBytesPerThread), number(d.graph), number(d.graphNode),
                  occupancy)
            .run();
    });
    Statement copy = db.prepare("INSERT INTO copy_detail VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    insertFrom(details.copies, 1, [&](std::int64_t row, const trace::CopyDetail& d) {
        copy.bind(key, row, number(d.direction), number(d.source), number(d.target), d.asynchronous,
                  number(d.sourceDevice), number(d.targetDevice), number(d.graph), number(d.graphNode))
            .run();
    });
    Statement synchronization = db.prepare("INSERT INTO synchronization_detail VALUES (?1, ?2, ?3, ?4, ?5)");
    insertFrom(details.synchronizations, 1, [&](std::int64_t row, const trace::SynchronizationDetail& d) {
        synchronization.bind(key, row, number(d.type), number(d.event), d.stream).run();
    });
    Statement op = db.prepare("INSERT INTO operator_detail VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    insertFrom(details.operators, 1, [&](std::int64_t row, const trace::OperatorDetail& d) {
        op.bind(key, row, number(d.inputShapes.value), number(d.inputTypes.value), number(d.module.value), d.sequence,
                number(d.inputStrides.value), number(d.collective.value))
            .run();
    });
    Statement memory = db.prepare("INSERT INTO memory_detail VALUES (?1, ?2, ?3, ?4, ?5)");
    insertFrom(details.memory, 1, [&](std::int64_t row, const trace::MemoryDetail& d) {
        memory.bind(key, row, number(d.kind), number(d.device), number(d.owner.value)).run();
    });
    Statement note = db.prepare("INSERT INTO note_detail VALUES (?1, ?2, ?3)");
    insertFrom(details.notes, 1,
               [&](std::int64_t row, const trace::NoteDetail& d) { note.bind(key, row, number(d.note.value)).run(); });
}

void replaceDevices(const Database& db, TraceId id, const std::vector<trace::DeviceProperties>& devices)
{
    db.run("DELETE FROM trace_device WHERE trace_id = ?1", id.value);
    Statement insert = db.prepare("INSERT INTO trace_device VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
                                  "?13, ?14, ?15, ?16)");
    std::int64_t ordinal = 0;
    for (const trace::DeviceProperties& d : devices)
        insert
            .bind(id.value, ++ordinal, d.id, d.name, d.computeMajor, d.computeMinor, d.multiprocessors, d.warpSize,
                  d.maxThreadsPerBlock, d.maxThreadsPerMultiprocessor, d.registersPerMultiprocessor,
                  d.sharedBytesPerBlock, d.sharedBytesPerMultiprocessor, d.totalMemory, d.memoryBandwidth,
                  d.linkBandwidth)
            .run();
}

void replaceLosses(const Database& db, TraceId id, const std::vector<trace::Loss>& losses)
{
    db.run("DELETE FROM loss WHERE trace_id = ?1", id.value);
    Statement insert = db.prepare("INSERT INTO loss VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    std::int64_t ordinal = 0;
    for (const trace::Loss& loss : losses)
        insert
            .bind(id.value, ++ordinal, loss.time.count, number(loss.kind), loss.count, number(loss.severity),
                  sentences::sentence(loss.reason), messageText(loss.reason))
            .run();
}

void replaceCost(const Database& db, TraceId id, const std::optional<trace::RecordingCost>& cost)
{
    db.run("DELETE FROM trace_cost WHERE trace_id = ?1", id.value);
    if (!cost)
        return;
    const model::Interval& bare = cost->bareNs;
    const model::Interval& traced = cost->tracedNs;
    const model::Interval& ratio = cost->ratio;
    db.run("INSERT INTO trace_cost VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)", id.value,
           bare.value, bare.lo, bare.hi, bare.confidence, traced.value, traced.lo, traced.hi, traced.confidence,
           ratio.value, ratio.lo, ratio.hi, ratio.confidence, cost->bareIterations, cost->tracedIterations);
}

Statement chunkInsertion(const Database& db)
{
    return db.prepare("INSERT INTO chunk (trace_id, track_id, kind, events, begin_ns, end_ns, data) "
                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
}

void insertChunk(Statement& insertion, TraceId id, const trace::Chunk& chunk)
{
    insertion
        .bind(id.value, number(chunk.track.value), number(chunk.kind), number(chunk.events), chunk.begin, chunk.end,
              Blob{chunk.data})
        .run();
}

void updateTrace(const Database& db, TraceId id, TraceState state)
{
    db.run("UPDATE trace SET (state, events, begin_ns, end_ns) = (SELECT ?2, coalesce(sum(events), 0), "
           "coalesce(min(begin_ns), 0), coalesce(max(end_ns), 0) FROM chunk WHERE trace_id = ?1) WHERE id = ?1",
           id.value, number(state));
}

void renameTrace(const Database& db, TraceId id, const std::string& name)
{
    // Fails with notFound when there is no such trace.
    static_cast<void>(traceSummaryById(db, id));
    db.run("UPDATE trace SET name = ?2 WHERE id = ?1", id.value, name);
}

void removeTrace(const Database& db, TraceId id)
{
    // Fails with notFound when there is no such trace.
    static_cast<void>(traceSummaryById(db, id));
    db.run("DELETE FROM trace WHERE id = ?1", id.value);
}

void requireSoundShape(const trace::Trace& trace)
{
    if (trace.strings.empty() || !trace.strings.front().empty())
        failUnsound(base::message<errors::kFirstTextNotEmpty>());
    for (const trace::Series& series : trace.series) {
        const trace::EventColumns& events = series.events;
        const std::size_t size = events.size();
        const auto odd = [size](const auto& column) { return !column.empty() && column.size() != size; };
        if (events.duration.size() != size || events.name.size() != size || odd(events.correlation) ||
            odd(events.link) || odd(events.detail) || odd(events.value) || odd(events.address))
            failUnsound(base::message<errors::kColumnsDiffer>());
        if (series.track.value >= trace.tracks.size())
            failUnsound(base::message<errors::kSeriesWithoutTrack>());
    }
}

void requireSoundEvents(const trace::Trace& trace, const trace::Series& series, std::size_t first, std::size_t count)
{
    const trace::EventColumns& events = series.events;
    if (anyFrom(events.name, first, count, trace.strings.size()))
        failUnsound(base::message<errors::kNameMissing>());
    if (anyFrom(events.detail, first, count, detailCount(trace.details, series.kind)))
        failUnsound(base::message<errors::kDetailMissing>());
    // Checking all events without a branch is faster than stopping at the first bad one.
    // The highest bit is set when a duration is negative, or when an end is negative although its start is not.
    std::uint64_t negative = 0;
    for (std::size_t i = first; i < first + count; ++i) {
        const auto start = static_cast<std::uint64_t>(events.start[i]);
        const auto duration = static_cast<std::uint64_t>(events.duration[i]);
        negative |= duration | (~start & (start + duration));
    }
    if (negative >> 63 != 0)
        failUnsound(base::message<errors::kEndsBeforeStart>());
}

void replaceMips(const Database& db, TraceId id, const std::vector<StoredMip>& mips)
{
    static_cast<void>(traceSummaryById(db, id));
    db.run("DELETE FROM trace_mip WHERE trace_id = ?1", id.value);
    for (const StoredMip& mip : mips)
        db.run("INSERT INTO trace_mip VALUES (?1, ?2, ?3, ?4)", id.value, number(mip.track.value), number(mip.kind),
               Blob{mip.data});
}

} // namespace apertune::store
