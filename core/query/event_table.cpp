// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/event_table.h"

#include "core/base/errors.h"
#include "core/query/errors.h"
#include "core/query/event_source.h"
#include "core/sentences/sentences.h"
#include "core/store/failure.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <new>

namespace apertune::query {

namespace {

constexpr const char* kDeclaration =
    "CREATE TABLE event (trace_id INTEGER, track_id INTEGER, kind INTEGER, kind_name TEXT, start_ns INTEGER, "
    "duration_ns INTEGER, end_ns INTEGER, name TEXT, name_id INTEGER, correlation INTEGER, link INTEGER, "
    "detail_id INTEGER, value INTEGER, address INTEGER, track TEXT, process INTEGER, thread INTEGER, device INTEGER, "
    "context INTEGER, stream INTEGER)";
enum TableColumn {
    kTraceId,
    kTrackId,
    kKind,
    kKindName,
    kStart,
    kDuration,
    kEnd,
    kName,
    kNameId,
    kCorrelation,
    kLink,
    kDetailId,
    kValue,
    kAddress,
    kTrack,
    kProcess,
    kThread,
    kDevice,
    kContext,
    kStream,
};

trace::ColumnSet columnsFor(unsigned used)
{
    trace::ColumnSet columns;
    const auto add = [&](int column, trace::Column needed) {
        if (used & (1u << column))
            columns.add(needed);
    };
    // The end is computed from start and duration, so a query for it needs both columns.
    add(kStart, trace::Column::start);
    add(kEnd, trace::Column::start);
    add(kEnd, trace::Column::duration);
    add(kDuration, trace::Column::duration);
    add(kName, trace::Column::name);
    add(kNameId, trace::Column::name);
    add(kCorrelation, trace::Column::correlation);
    add(kLink, trace::Column::link);
    add(kDetailId, trace::Column::detail);
    add(kValue, trace::Column::value);
    add(kAddress, trace::Column::address);
    return columns;
}

/// An inclusive range of integers. The operators are '=', '>', ']' (at least), '<' and '[' (at most).
struct Range
{
    std::int64_t low = std::numeric_limits<std::int64_t>::min();
    std::int64_t high = std::numeric_limits<std::int64_t>::max();
    bool contains(std::int64_t value) const { return low <= value && value <= high; }
    bool empty() const { return low > high; }
    void restrict(char op, std::int64_t value)
    {
        constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
        // `> max` and `< min` hold for no integer. Adding or subtracting 1 would overflow there, so the range becomes
        // empty.
        constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
        switch (op) {
        case '=':
            low = std::max(low, value);
            high = std::min(high, value);
            break;
        case '>':
            value == kMax ? void(high = kMin) : void(low = std::max(low, value + 1));
            break;
        case ']':
            low = std::max(low, value);
            break;
        case '<':
            value == kMin ? void(low = kMax) : void(high = std::min(high, value - 1));
            break;
        case '[':
            high = std::min(high, value);
            break;
        default:
            break;
        }
    }
};

char operatorOf(unsigned char op)
{
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
        return '=';
    case SQLITE_INDEX_CONSTRAINT_GT:
        return '>';
    case SQLITE_INDEX_CONSTRAINT_GE:
        return ']';
    case SQLITE_INDEX_CONSTRAINT_LT:
        return '<';
    case SQLITE_INDEX_CONSTRAINT_LE:
        return '[';
    default:
        return 0;
    }
}

/// The arguments of registerEventTable(), for SQLite's callbacks.
struct Registration
{
    const store::Database& db;
    std::optional<store::TraceId> trace;
};

struct Table : sqlite3_vtab
{
    explicit Table(const Registration& of) : sqlite3_vtab{}, source(of.db, of.trace) {}
    EventSource source;
};

struct Cursor : sqlite3_vtab_cursor
{
    Cursor() : sqlite3_vtab_cursor{} {}
    trace::ColumnSet columns;
    std::vector<const EventSource::ChunkRow*> chunks; ///< the chunks to scan, unless `fetching`
    std::vector<EventSource::Place> places;           ///< the events to fetch one by one, when `fetching`
    bool fetching = false;
    std::size_t at = 0; ///< index in `chunks` or `places`
    std::uint32_t row = 0;
    const EventSource::ChunkRow* chunk = nullptr; ///< nullptr at the end
    std::shared_ptr<const trace::EventColumns> events;
    const trace::Trace* head = nullptr;
};

/// Runs C++ code behind the C interface and turns its exceptions into SQLite's errors.
template <typename Work>
int translateExceptions(sqlite3_vtab* table, Work&& work)
{
    const auto result = store::guarded(work);
    if (result)
        return SQLITE_OK;
    // SQLite frees this text with its own allocator, so it must come from sqlite3_mprintf().
    sqlite3_free(table->zErrMsg);
    table->zErrMsg = sqlite3_mprintf("%s", sentences::sentence(result.error().message).c_str());
    switch (result.error().code) {
    case base::ErrorCode::outOfMemory:
        return SQLITE_NOMEM;
    case base::ErrorCode::corrupt:
        return SQLITE_CORRUPT_VTAB;
    default:
        return SQLITE_ERROR;
    }
}

int connect(sqlite3* handle, void* registration, int, const char* const*, sqlite3_vtab** result, char**)
{
    const int code = sqlite3_declare_vtab(handle, kDeclaration);
    if (code != SQLITE_OK)
        return code;
    // The connection does not trust its schema. Without this, the views could not use the table.
    sqlite3_vtab_config(handle, SQLITE_VTAB_INNOCUOUS);
    *result = new (std::nothrow) Table(*static_cast<const Registration*>(registration));
    return *result ? SQLITE_OK : SQLITE_NOMEM;
}

int disconnect(sqlite3_vtab* table)
{
    delete static_cast<Table*>(table);
    return SQLITE_OK;
}

int bestIndex(sqlite3_vtab*, sqlite3_index_info* info)
{
    std::string plan;
    // About the size of a large trace. Only the ratio between plans counts.
    double rows = 1e7;
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto& constraint = info->aConstraint[i];
        const char op = operatorOf(constraint.op);
        const int column = constraint.iColumn;
        // A chunk has one trace, track and kind, and a range of times; correlations have an index. Only restrictions
        // on these columns select chunks. SQLite checks every row again in any case.
        const bool exact = column == kTraceId || column == kTrackId || column == kKind || column == kCorrelation;
        if (op == 0 || !(exact ? op == '=' : column == kStart || column == kEnd))
            continue;
        // An unusable constraint belongs to a join order in which its right side is not known yet.
        if (!constraint.usable)
            continue;
        // SQLite hands this text to filter(): a letter for the column and the operator, for each of its arguments.
        plan += static_cast<char>('a' + column);
        plan += op;
        info->aConstraintUsage[i].argvIndex = static_cast<int>(plan.size() / 2);
        // Rough shares: they only have to make SQLite prefer the plan that decodes fewest chunks.
        rows *= column == kCorrelation ? 1e-6 : exact ? 0.1 : 0.3;
    }
    info->idxStr = sqlite3_mprintf("%s", plan.c_str());
    if (!info->idxStr)
        return SQLITE_NOMEM;
    info->needToFreeIdxStr = 1;
    // idxNum is an int, and the table has fewer than 31 columns.
    info->idxNum = static_cast<int>(info->colUsed & 0x7fffffff);
    info->estimatedRows = static_cast<sqlite3_int64>(std::max(rows, 1.0));
    // Opening a scan costs a little even where no row is expected, so that plans with fewer scans win.
    info->estimatedCost = rows + 100;
    return SQLITE_OK;
}

int openCursor(sqlite3_vtab*, sqlite3_vtab_cursor** cursor)
{
    *cursor = new (std::nothrow) Cursor;
    return *cursor ? SQLITE_OK : SQLITE_NOMEM;
}

int closeCursor(sqlite3_vtab_cursor* cursor)
{
    delete static_cast<Cursor*>(cursor);
    return SQLITE_OK;
}

void moveTo(Cursor& cursor, const EventSource::ChunkRow* chunk)
{
    EventSource& source = static_cast<Table*>(cursor.pVtab)->source;
    cursor.chunk = chunk;
    if (!chunk)
        return;
    cursor.events = source.events(*chunk, cursor.columns);
    cursor.head = &source.head(chunk->trace);
}

/// Goes to the first event at the current position or after it.
void settle(Cursor& cursor)
{
    if (cursor.fetching) {
        const bool ended = cursor.at >= cursor.places.size();
        cursor.row = ended ? 0 : cursor.places[cursor.at].row;
        moveTo(cursor, ended ? nullptr : cursor.places[cursor.at].chunk);
        return;
    }
    // Chunks without events are passed over here, so a cursor stands on an event or at the end.
    while (cursor.at < cursor.chunks.size() && cursor.row >= cursor.chunks[cursor.at]->events) {
        ++cursor.at;
        cursor.row = 0;
    }
    moveTo(cursor, cursor.at < cursor.chunks.size() ? cursor.chunks[cursor.at] : nullptr);
}

int filter(sqlite3_vtab_cursor* base, int used, const char* plan, int count, sqlite3_value** values)
{
    auto& cursor = static_cast<Cursor&>(*base);
    return translateExceptions(base->pVtab, [&] {
        EventSource& source = static_cast<Table*>(base->pVtab)->source;
        cursor.columns = columnsFor(static_cast<unsigned>(used));
        cursor.chunks.clear();
        cursor.places.clear();
        cursor.at = 0;
        cursor.row = 0;
        Range trace;
        Range track;
        Range kind;
        Range start;
        Range end;
        Range correlation;
        bool none = false;
        bool correlated = false;
        for (int i = 0; i < count; ++i) {
            none |= sqlite3_value_type(values[i]) == SQLITE_NULL; // nothing equals or follows NULL
            // SQLite compares the row again, so a bound of another type may be left out of the selection of chunks.
            if (sqlite3_value_type(values[i]) != SQLITE_INTEGER)
                continue; // SQLite compares the rows itself
            const int column = plan[2 * i] - 'a';
            Range& range = column == kTraceId   ? trace
                           : column == kTrackId ? track
                           : column == kKind    ? kind
                           : column == kStart   ? start
                           : column == kEnd     ? end
                                                : correlation;
            range.restrict(plan[2 * i + 1], sqlite3_value_int64(values[i]));
            correlated |= column == kCorrelation;
        }
        // Correlations have 32 bits, and 0 means "none".
        none |= correlated && (correlation.empty() || correlation.low < 1 ||
                               correlation.low > std::numeric_limits<std::uint32_t>::max());
        // Chunks overlap the range when they begin before its end and end after its begin.
        const auto wanted = [&](const EventSource::ChunkRow& chunk) {
            return track.contains(chunk.track.value) && kind.contains(static_cast<std::int64_t>(chunk.kind)) &&
                   chunk.begin <= start.high && chunk.end >= start.low && chunk.begin <= end.high &&
                   chunk.end >= end.low;
        };
        cursor.fetching = correlated;
        if (!none)
            for (const store::TraceId id : source.traces()) {
                if (!trace.contains(id.value))
                    continue;
                if (!correlated) {
                    for (const EventSource::ChunkRow& chunk : source.chunks(id))
                        if (wanted(chunk))
                            cursor.chunks.push_back(&chunk);
                    continue;
                }
                for (const EventSource::Place& place :
                     source.withCorrelation(id, static_cast<std::uint32_t>(correlation.low)))
                    if (wanted(*place.chunk))
                        cursor.places.push_back(place);
            }
        settle(cursor);
    });
}

int next(sqlite3_vtab_cursor* base)
{
    auto& cursor = static_cast<Cursor&>(*base);
    if (!cursor.fetching && ++cursor.row < cursor.chunk->events)
        return SQLITE_OK;
    return translateExceptions(base->pVtab, [&] {
        if (cursor.fetching)
            ++cursor.at;
        settle(cursor);
    });
}

int atEnd(sqlite3_vtab_cursor* base)
{
    return static_cast<Cursor&>(*base).chunk == nullptr;
}

/// Returns NULL when the stored number means "none".
void resultUnless(sqlite3_context* context, bool none, std::int64_t value)
{
    if (none)
        sqlite3_result_null(context);
    else
        sqlite3_result_int64(context, value);
}

void resultText(sqlite3_context* context, std::string_view text)
{
    // The texts of a head are kept until the connection closes.
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

template <typename T>
T valueAt(const std::vector<T>& column, std::uint32_t row)
{
    return column.empty() ? T{} : column[row];
}

int columnValue(sqlite3_vtab_cursor* base, sqlite3_context* context, int number)
{
    const auto& cursor = static_cast<const Cursor&>(*base);
    const EventSource::ChunkRow& chunk = *cursor.chunk;
    const trace::EventColumns& events = *cursor.events;
    const std::uint32_t row = cursor.row;
    const trace::Track& track = cursor.head->tracks[chunk.track.value];
    switch (number) {
    case kTraceId:
        sqlite3_result_int64(context, chunk.trace.value);
        break;
    case kTrackId:
        sqlite3_result_int64(context, chunk.track.value);
        break;
    case kKind:
        sqlite3_result_int64(context, static_cast<std::int64_t>(chunk.kind));
        break;
    case kKindName:
        resultText(context, trace::toString(chunk.kind));
        break;
    case kStart:
        sqlite3_result_int64(context, events.start[row]);
        break;
    case kDuration:
        sqlite3_result_int64(context, events.duration[row]);
        break;
    case kEnd:
        sqlite3_result_int64(context, events.end(row));
        break;
    case kName: {
        const std::uint32_t name = events.name[row];
        // String 0 is the empty name. A number outside the table can only come from a damaged trace.
        if (name == 0 || name >= cursor.head->strings.size())
            sqlite3_result_null(context);
        else
            resultText(context, cursor.head->strings[name]);
        break;
    }
    case kNameId:
        resultUnless(context, events.name[row] == 0, events.name[row]);
        break;
    case kCorrelation:
        resultUnless(context, valueAt(events.correlation, row) == 0, valueAt(events.correlation, row));
        break;
    case kLink:
        resultUnless(context, valueAt(events.link, row) == 0, valueAt(events.link, row));
        break;
    case kDetailId:
        resultUnless(context, valueAt(events.detail, row) == 0, valueAt(events.detail, row));
        break;
    case kValue:
        sqlite3_result_int64(context, valueAt(events.value, row));
        break;
    case kAddress:
        sqlite3_result_int64(context, static_cast<std::int64_t>(valueAt(events.address, row)));
        break;
    case kTrack:
        resultText(context, track.label);
        break;
    case kProcess:
        resultUnless(context, track.process < 0, track.process);
        break;
    case kThread:
        resultUnless(context, track.thread < 0, track.thread);
        break;
    case kDevice:
        resultUnless(context, track.device < 0, track.device);
        break;
    case kContext:
        resultUnless(context, track.context < 0, track.context);
        break;
    case kStream:
        resultUnless(context, track.stream < 0, track.stream);
        break;
    default:
        sqlite3_result_null(context);
    }
    return SQLITE_OK;
}

int rowId(sqlite3_vtab_cursor* base, sqlite3_int64* id)
{
    const auto& cursor = static_cast<const Cursor&>(*base);
    // A chunk holds at most kChunkEvents events, so the ids are unique.
    *id = cursor.chunk->id * static_cast<std::int64_t>(trace::kChunkEvents) + cursor.row;
    return SQLITE_OK;
}

sqlite3_module makeModule()
{
    sqlite3_module module{};
    module.iVersion = 1;
    module.xCreate = nullptr; // the table exists without CREATE VIRTUAL TABLE, and cannot be created by it
    module.xConnect = connect;
    module.xBestIndex = bestIndex;
    module.xDisconnect = disconnect;
    module.xDestroy = disconnect;
    module.xOpen = openCursor;
    module.xClose = closeCursor;
    module.xFilter = filter;
    module.xNext = next;
    module.xEof = atEnd;
    module.xColumn = columnValue;
    module.xRowid = rowId;
    return module;
}

} // namespace

void registerEventTable(const store::Database& db, std::optional<store::TraceId> trace)
{
    static const sqlite3_module module = makeModule();
    auto* const registration = new Registration{db, trace}; // SQLite deletes it, even when registration fails
    if (sqlite3_create_module_v2(db.handle(), "event", &module, registration,
                                 [](void* of) { delete static_cast<Registration*>(of); }) != SQLITE_OK)
        store::fail({base::ErrorCode::internal,
                     base::message<errors::kNoEventTable>(),
                     {},
                     base::message<base::errors::kPleaseReport>()});
}

} // namespace apertune::query
