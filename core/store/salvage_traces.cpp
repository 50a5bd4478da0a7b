// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/salvage_traces.h"

#include "core/sentences/sentences.h"
#include "core/store/failure.h"
#include "core/store/json_text.h"
#include "core/store/reasons.h"
#include "core/store/trace_read.h"
#include "core/store/trace_write.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace apertune::store {

using trace::EventKind;

namespace {

/// The largest number of placeholder rows that damaged numbers can cause in a workspace.
constexpr std::int64_t kMostPlaceholders = 1 << 22;

/// The table of a kind's details; nullptr when it has none.
const char* detailTable(EventKind kind)
{
    switch (kind) {
    case EventKind::kernel:
    case EventKind::graphLaunch:
        return "kernel_detail";
    case EventKind::copy:
    case EventKind::memset:
        return "copy_detail";
    case EventKind::synchronization:
        return "synchronization_detail";
    case EventKind::operatorCall:
        return "operator_detail";
    case EventKind::deviceMemory:
    case EventKind::tensorMemory:
        return "memory_detail";
    case EventKind::compilation:
    case EventKind::overhead:
        return "note_detail";
    default:
        return nullptr;
    }
}

bool decodes(const Database& db, TraceId id)
{
    return guarded([&] { unwrap(decodeTrace(readRawTrace(db, id, {}, {}), {}, {})); }).ok();
}

std::int64_t number(const Database& db, const std::string& sql, TraceId id)
{
    Statement row = db.query(sql, id.value);
    return row.step() ? row.integer(0) : 0;
}

/// The largest row numbers that decodable chunks refer to, and the number of chunks that were
/// removed because they cannot be decoded.
struct References
{
    std::int64_t name = 0;
    std::int64_t track = -1;
    std::map<std::string, std::int64_t> details;
    std::int64_t removed = 0;
};

References checkChunks(const Database& db, TraceId id)
{
    References found;
    std::vector<std::int64_t> bad;
    Statement rows = db.query("SELECT id, track_id, kind, events, data FROM chunk WHERE trace_id = ?1", id.value);
    while (rows.step()) {
        trace::EventColumns events;
        const auto decoded = guarded(
            [&] { unwrap(unwrap(trace::ChunkReader::open(rows.blob(4))).append(trace::ColumnSet::all(), events)); });
        const auto kind = static_cast<EventKind>(rows.integer(2));
        const bool known =
            std::find(trace::kEventKinds.begin(), trace::kEventKinds.end(), kind) != trace::kEventKinds.end() &&
            rows.integer(2) == static_cast<std::int64_t>(kind);
        const auto largest = [](const std::vector<std::uint32_t>& column) {
            return column.empty() ? std::int64_t{0} : std::int64_t{*std::max_element(column.begin(), column.end())};
        };
        const char* const table = detailTable(kind);
        const std::int64_t track = rows.integer(1);
        if (!decoded || !known || static_cast<std::int64_t>(events.size()) != rows.integer(3) || track < 0 ||
            track > kMostPlaceholders || largest(events.name) > kMostPlaceholders ||
            (table && largest(events.detail) > kMostPlaceholders)) {
            bad.push_back(rows.integer(0));
            continue;
        }
        found.name = std::max(found.name, largest(events.name));
        found.track = std::max(found.track, track);
        if (table)
            found.details[table] = std::max(found.details[table], largest(events.detail));
    }
    for (const std::int64_t chunk : bad)
        db.run("DELETE FROM chunk WHERE id = ?1", chunk);
    found.removed = static_cast<std::int64_t>(bad.size());
    return found;
}

/// Columns whose numbers have to lie in a range for a trace to be readable.
struct Range
{
    const char* table;
    const char* columns;
    std::int64_t least;
    std::int64_t most;
};

constexpr std::int64_t kMostUnsigned = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t kLeastSigned = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kMostSigned = std::numeric_limits<std::int32_t>::max();

template <typename Enum>
constexpr std::int64_t last(Enum value)
{
    return static_cast<std::int64_t>(value);
}

constexpr std::array kRanges{
    Range{"kernel_detail",
          "grid_x, grid_y, grid_z, block_x, block_y, block_z, cluster_x, cluster_y, cluster_z, registers, local_bytes, "
          "graph",
          0, kMostUnsigned},
    Range{"kernel_detail", "static_shared, dynamic_shared", kLeastSigned, kMostSigned},
    Range{"copy_detail", "direction, direction", 0, last(trace::CopyDirection::array)},
    Range{"copy_detail", "source, target", 0, last(trace::MemoryKind::managedStatic)},
    Range{"copy_detail", "source_device, target_device", kLeastSigned, kMostSigned},
    Range{"copy_detail", "graph, graph", 0, kMostUnsigned},
    Range{"synchronization_detail", "type, type", 0, last(trace::SynchronizationType::context)},
    Range{"synchronization_detail", "event, event", 0, kMostUnsigned},
    Range{"operator_detail", "input_shapes, input_types, module, input_strides, collective", 0, kMostPlaceholders},
    Range{"memory_detail", "kind, kind", 0, last(trace::MemoryKind::managedStatic)},
    Range{"memory_detail", "device, device", kLeastSigned, kMostSigned},
    Range{"memory_detail", "owner, owner", 0, kMostPlaceholders},
    Range{"note_detail", "note, note", 0, kMostPlaceholders},
    Range{"track", "type, type", 0, last(trace::TrackType::counter)},
    Range{"trace_device",
          "compute_major, compute_minor, multiprocessors, warp_size, max_threads_block, max_threads_multiprocessor, "
          "registers_multiprocessor",
          kLeastSigned, kMostSigned},
    Range{"loss", "severity, severity", 0, last(trace::LossSeverity::error)},
};

/// Removes the rows with numbers that cannot be read.
void removeOutOfRange(const Database& db, TraceId id)
{
    for (const Range& range : kRanges) {
        const std::string columns = range.columns;
        db.run(std::string("DELETE FROM ") + range.table + " WHERE trace_id = ?1 AND (min(" + columns +
                   ") < ?2 OR max(" + columns + ") > ?3)",
               id.value, range.least, range.most);
    }
    std::string kinds;
    for (const EventKind kind : trace::kEventKinds)
        kinds += (kinds.empty() ? "" : ", ") + std::to_string(static_cast<int>(kind));
    db.run("DELETE FROM loss WHERE trace_id = ?1 AND kind NOT IN (" + kinds + ")", id.value);
}

/// Adds rows for all missing ids from `first` to the largest one that is stored or wanted.
/// `room` is the number of rows that may still be added.
void fillGaps(const Database& db, TraceId id, const std::string& table, std::int64_t first, std::int64_t wanted,
              std::int64_t& room)
{
    std::string names;
    std::string values;
    Statement columns = db.query("SELECT name, type FROM pragma_table_info(?1) WHERE pk = 0 ORDER BY cid", table);
    while (columns.step()) {
        const std::string name = columns.text(0);
        // A placeholder says "unknown" in the way of each column: -1, 0, NULL or a text. A track becomes that of a
        // process (4), which needs no device.
        const bool none = name == "sequence" || name.ends_with("device") || name == "stream" || name == "process" ||
                          name == "thread" || name == "context";
        names += ", " + name;
        values += columns.text(1) == "TEXT"            ? (name == "unit" ? ", ''" : ", '(lost)'")
                  : columns.text(1) == "REAL"          ? ", NULL"
                  : table == "track" && name == "type" ? ", 4"
                  : none                               ? ", -1"
                                                       : ", 0";
    }
    const std::int64_t last = std::min(
        std::max(wanted, number(db, "SELECT max(id) FROM " + table + " WHERE trace_id = ?1", id)), kMostPlaceholders);
    db.run("DELETE FROM " + table + " WHERE trace_id = ?1 AND (id < ?2 OR id > ?3)", id.value, first, last);
    const std::int64_t missing =
        last + 1 - first - number(db, "SELECT count(*) FROM " + table + " WHERE trace_id = ?1", id);
    if (missing <= 0 || missing > room)
        return;
    room -= missing;
    db.run("INSERT INTO " + table + " (trace_id, id" + names +
               ") WITH RECURSIVE n (i) AS (SELECT ?2 WHERE ?2 <= ?3 UNION ALL SELECT i + 1 FROM n WHERE i < ?3) "
               "SELECT ?1, i" +
               values + " FROM n WHERE i NOT IN (SELECT id FROM " + table + " WHERE trace_id = ?1)",
           id.value, first, last);
}

/// Notes with the trace that events were lost.
void addLoss(const Database& db, TraceId id, std::int64_t events)
{
    const base::Message reason = base::message<reasons::kPartLost>();
    db.run("INSERT INTO loss VALUES (?1, 1 + (SELECT coalesce(max(ordinal), 0) FROM loss WHERE trace_id = ?1), 0, "
           "?2, ?3, ?4, ?5, ?6)",
           id.value, static_cast<std::int64_t>(EventKind::other), events,
           static_cast<std::int64_t>(trace::LossSeverity::error), sentences::sentence(reason), messageText(reason));
}

} // namespace

void addLostTrace(const Database& db, TraceId id)
{
    db.run("INSERT INTO trace (id, trial_id, name, source, recorder_version, origin_monotonic_ns, origin_epoch_ns, "
           "state, created_utc, events, begin_ns, end_ns) VALUES (?1, NULL, '(lost)', '', '', 0, 0, 0, '', 0, 0, 0)",
           id.value);
    updateTrace(db, id, TraceState::complete);
    addLoss(db, id, 0);
}

std::int64_t repairTraces(const Database& db)
{
    std::int64_t room = kMostPlaceholders;
    std::vector<TraceId> ids;
    Statement rows = db.prepare("SELECT id FROM trace");
    while (rows.step())
        ids.push_back({rows.integer(0)});
    std::int64_t removed = 0;
    for (const TraceId id : ids) {
        const std::int64_t expected = number(db, "SELECT events FROM trace WHERE id = ?1", id);
        const std::string stored = "SELECT coalesce(sum(events), 0) FROM chunk WHERE trace_id = ?1";
        // A trace whose chunks all decode may still have lost whole chunks, which only the count shows.
        if (decodes(db, id) && number(db, stored, id) >= expected)
            continue;
        removeOutOfRange(db, id);
        const References found = checkChunks(db, id);
        removed += found.removed;
        for (const char* table : {"kernel_detail", "copy_detail", "synchronization_detail", "operator_detail",
                                  "memory_detail", "note_detail"}) {
            const auto wanted = found.details.find(table);
            fillGaps(db, id, table, 1, wanted == found.details.end() ? 0 : wanted->second, room);
        }
        const std::int64_t text =
            std::max({found.name,
                      number(db,
                             "SELECT max(max(input_shapes, input_types, module, input_strides, collective)) "
                             "FROM operator_detail WHERE trace_id = ?1",
                             id),
                      number(db, "SELECT max(owner) FROM memory_detail WHERE trace_id = ?1", id),
                      number(db, "SELECT max(note) FROM note_detail WHERE trace_id = ?1", id)});
        fillGaps(db, id, "string", 1, text, room);
        fillGaps(db, id, "track", 0, found.track, room);
        const std::int64_t lost = std::max<std::int64_t>(expected - number(db, stored, id), 0);
        addLoss(db, id, lost);
        const auto state = static_cast<TraceState>(number(db, "SELECT state FROM trace WHERE id = ?1", id) != 0);
        updateTrace(db, id, state);
        if (decodes(db, id))
            continue;
        db.run("DELETE FROM chunk WHERE trace_id = ?1", id.value);
        db.run("DELETE FROM trace WHERE id = ?1", id.value);
        ++removed;
    }
    return removed;
}

} // namespace apertune::store
