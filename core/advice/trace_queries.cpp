// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/trace_queries.h"

#include "core/analysis/first_calls.h"
#include "core/base/text.h"

#include <algorithm>
#include <unordered_set>

namespace apertune::advice {

using analysis::OpClass;
using trace::CopyDirection;
using trace::EventKind;
using trace::TimeRange;

namespace {

std::string quoted(const std::string& text)
{
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("''") : std::string(1, c);
    return result + "'";
}

template <typename T, typename Text>
std::string in(const std::string& column, const std::vector<T>& values, Text text)
{
    std::vector<std::string> list;
    for (const T& value : values)
        list.push_back(text(value));
    return list.size() == 1 ? column + " = " + list.front() : column + " IN (" + base::join(list) + ")";
}

std::string number(std::int64_t value)
{
    return std::to_string(value);
}

std::string kindNumbers(const std::vector<EventKind>& kinds)
{
    return in("kind", kinds, [](EventKind kind) { return number(static_cast<int>(kind)); });
}

std::string_view word(CopyDirection direction)
{
    switch (direction) {
    case CopyDirection::hostToDevice:
        return "'HtoD'";
    case CopyDirection::deviceToHost:
        return "'DtoH'";
    case CopyDirection::deviceToDevice:
        return "'DtoD'";
    default:
        return "'PtoP'";
    }
}

/// The columns that a query shows for a kind besides time and name.
std::string_view columnsOf(EventKind kind)
{
    switch (kind) {
    case EventKind::kernel:
        return ", stream";
    case EventKind::copy:
        return ", bytes, direction, source, target, correlation";
    case EventKind::operatorCall:
        return ", input_shapes, thread";
    case EventKind::tensorMemory:
    case EventKind::deviceMemory:
        return ", bytes, address, owner";
    default:
        return "";
    }
}

std::vector<std::string> placeOf(const Rows& rows, std::int64_t traceId)
{
    std::vector<std::string> conditions;
    if (traceId > 0)
        conditions.push_back("trace_id = " + number(traceId));
    if (rows.device)
        conditions.push_back("device = " + number(*rows.device));
    if (rows.track)
        conditions.push_back("track_id = " + number(*rows.track));
    return conditions;
}

std::string gapQuery(const Rows& rows, std::int64_t traceId)
{
    std::vector<std::string> conditions = placeOf(rows, traceId);
    conditions.insert(conditions.begin(), kindNumbers(rows.kinds));
    const std::string from = number(rows.window.start);
    const std::string to = number(rows.window.end);
    return "SELECT gap_ns AS start_ns, start_ns - gap_ns AS duration_ns, name AS next FROM (SELECT start_ns, name, "
           "max(end_ns) OVER (ORDER BY start_ns, end_ns ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS gap_ns "
           "FROM (SELECT max(start_ns, " +
           from + ") AS start_ns, min(end_ns, " + to + ") AS end_ns, name FROM event WHERE " +
           base::join(conditions, " AND ") + " AND end_ns > " + from + " AND start_ns < " + to + " UNION ALL SELECT " +
           from + ", " + from + ", NULL UNION ALL SELECT " + to + ", " + to + ", NULL)) WHERE start_ns - gap_ns > " +
           number(*rows.gaps) + " ORDER BY duration_ns DESC";
}

bool isAt(const trace::Track& track, const Rows& rows, std::uint32_t id)
{
    return (!rows.device || track.device == *rows.device) && (!rows.track || id == *rows.track);
}

std::int64_t countGaps(const trace::Trace& trace, const Rows& rows)
{
    std::vector<TimeRange> busy{{rows.window.start, rows.window.start}, {rows.window.end, rows.window.end}};
    for (const trace::Series& series : trace.series) {
        if (std::find(rows.kinds.begin(), rows.kinds.end(), series.kind) == rows.kinds.end() ||
            !isAt(trace.track(series), rows, series.track.value))
            continue;
        for (std::size_t i = 0; i < series.events.size(); ++i)
            if (series.events.end(i) > rows.window.start && series.events.start[i] < rows.window.end)
                busy.push_back({std::max(series.events.start[i], rows.window.start),
                                std::min(series.events.end(i), rows.window.end)});
    }
    std::sort(busy.begin(), busy.end());
    std::int64_t count = 0;
    std::int64_t reached = rows.window.start;
    for (const TimeRange& piece : busy) {
        count += piece.start - reached > *rows.gaps ? 1 : 0;
        reached = std::max(reached, piece.end);
    }
    return count;
}

bool holds(std::string_view text, const std::string& part)
{
    // Ignores the case of letters, like LIKE in SQL.
    const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

/// For each StringId: whether an event of this name can be one of the rows.
std::vector<char> namesWanted(const trace::Trace& trace, const Rows& rows)
{
    std::vector<char> wanted(trace.strings.size());
    const std::unordered_set<std::string> names =
        rows.names ? std::unordered_set<std::string>(rows.names->begin(), rows.names->end())
                   : std::unordered_set<std::string>();
    const auto any = [](std::string_view text, const std::vector<std::string>& parts) {
        return std::any_of(parts.begin(), parts.end(), [text](const std::string& part) { return holds(text, part); });
    };
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::string_view text = trace.strings[i];
        wanted[i] = (!rows.names || names.contains(std::string(text))) &&
                    (rows.parts.empty() || any(text, rows.parts)) && !any(text, rows.without);
    }
    return wanted;
}

std::int64_t countOf(const trace::Trace& trace, const Rows& rows)
{
    if (rows.gaps)
        return countGaps(trace, rows);
    const std::vector<char> named = namesWanted(trace, rows);
    const auto isOneOf = [](const auto& list, const auto& value) {
        return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
    };
    const bool restricted = !rows.directions.empty() || rows.pageable;
    std::int64_t count = 0;
    for (const trace::Series& series : trace.series) {
        if (!isOneOf(rows.kinds, series.kind))
            continue;
        const trace::EventColumns& e = series.events;
        // Views of memory take the device from the event, not from its track.
        const bool memory = series.kind == EventKind::tensorMemory || series.kind == EventKind::deviceMemory;
        if (!memory && !isAt(trace.track(series), rows, series.track.value))
            continue;
        const auto from = std::lower_bound(e.start.begin(), e.start.end(), rows.window.start) - e.start.begin();
        const auto to = std::lower_bound(e.start.begin(), e.start.end(), rows.window.end) - e.start.begin();
        for (auto i = static_cast<std::size_t>(from); i < static_cast<std::size_t>(std::max(from, to)); ++i) {
            if (!named[e.name[i]] || (rows.shorterThan > 0 && e.duration[i] >= rows.shorterThan) ||
                e.duration[i] < rows.longerThan)
                continue;
            if (memory && rows.device && trace.details.memory[trace::valueAt(e.detail, i)].device != *rows.device)
                continue;
            const std::int64_t bytes = trace::valueAt(e.value, i);
            if (!isOneOf(rows.sizes, bytes) || (rows.mostBytes > 0 && (bytes < 1 || bytes > rows.mostBytes)))
                continue;
            if (restricted) {
                const trace::CopyDetail& copy = trace.details.copies[trace::valueAt(e.detail, i)];
                if (!isOneOf(rows.directions, copy.direction) ||
                    (rows.pageable && copy.source != trace::MemoryKind::pageable &&
                     copy.target != trace::MemoryKind::pageable))
                    continue;
            }
            ++count;
        }
    }
    return count;
}

} // namespace

namespace rows {

Rows kernels(const Facts& facts)
{
    Rows rows{{EventKind::kernel}, facts.window};
    rows.device = facts.device;
    if (facts.index.hasKind(EventKind::graphLaunch))
        rows.kinds.push_back(EventKind::graphLaunch);
    return rows;
}

Rows everything(const Facts& facts)
{
    if (!facts.onDevice)
        return operators(facts);
    Rows rows{{EventKind::kernel, EventKind::copy, EventKind::memset, EventKind::graphLaunch}, facts.window};
    rows.device = facts.device;
    return rows;
}

Rows gaps(const Facts& facts, std::int64_t longerThan)
{
    Rows rows = everything(facts);
    rows.gaps = longerThan;
    return rows;
}

Rows calls(const Facts& facts, std::vector<std::string> parts, std::vector<std::string> without)
{
    Rows rows{{EventKind::runtimeCall}, facts.callWindow()};
    if (facts.index.hasKind(EventKind::driverCall))
        rows.kinds.push_back(EventKind::driverCall);
    rows.parts = std::move(parts);
    rows.without = std::move(without);
    return rows;
}

Rows launches(const Facts& facts)
{
    return calls(facts, {"Launch"});
}

Rows firstCalls(const Facts& facts)
{
    Rows rows = calls(facts, {}, {"Synchronize", "Memcpy", "Memset", "Alloc", "HostRegister"});
    rows.longerThan = analysis::kLongLaunch;
    return rows;
}

Rows captures(const Facts& facts)
{
    return calls(facts, {"BeginCapture"});
}

Rows waits(const Facts& facts)
{
    return calls(facts, {"Synchronize"});
}

Rows allocationCalls(const Facts& facts)
{
    return calls(facts, {"Malloc", "Free", "HostAlloc", "MemAlloc", "HostRegister", "HostUnregister", "MemCreate",
                         "MemRelease", "MemUnmap", "MemAddressReserve"});
}

Rows copies(const Facts& facts, std::vector<CopyDirection> directions)
{
    Rows rows{{EventKind::copy}, facts.window};
    rows.directions = std::move(directions);
    return rows;
}

Rows operators(const Facts& facts)
{
    Rows rows{{EventKind::operatorCall}, facts.window};
    if (const auto [first, end] = facts.forest.busiestThread(); first < end)
        rows.track = facts.forest.nodes[static_cast<std::size_t>(first)].track.value;
    return rows;
}

Rows work(const Facts& facts, const std::function<bool(std::uint32_t, OpClass)>& fits)
{
    Rows rows = facts.onDevice ? kernels(facts) : operators(facts);
    std::vector<std::string>& names = rows.names.emplace();
    if (facts.onDevice) {
        for (const analysis::KernelRow& row : facts.kernels)
            if (row.device == facts.device && fits(row.name, row.opClass))
                names.emplace_back(facts.index.text(row.name));
        return rows;
    }
    for (const analysis::OperatorSummary& row : analysis::summarizeOperators(facts.index, facts.forest, facts.window))
        if (fits(row.name, row.opClass))
            names.emplace_back(facts.index.text(row.name));
    return rows;
}

} // namespace rows

std::string queryOf(const Rows& rows, std::int64_t traceId)
{
    if (rows.gaps)
        return gapQuery(rows, traceId);
    std::vector<std::string> conditions = placeOf(rows, traceId);
    const bool one = rows.kinds.size() == 1;
    if (!one)
        conditions.insert(conditions.begin(), kindNumbers(rows.kinds));
    conditions.push_back("start_ns >= " + number(rows.window.start));
    conditions.push_back("start_ns < " + number(rows.window.end));
    if (rows.names)
        conditions.push_back(rows.names->empty() ? "0" : in("name", *rows.names, quoted));
    const auto like = [](const std::string& part) { return "name LIKE '%" + part + "%'"; };
    std::vector<std::string> parts;
    for (const std::string& part : rows.parts)
        parts.push_back(like(part));
    if (!parts.empty())
        conditions.push_back("(" + base::join(parts, " OR ") + ")");
    for (const std::string& part : rows.without)
        conditions.push_back("NOT " + like(part));
    if (rows.shorterThan > 0)
        conditions.push_back("duration_ns < " + number(rows.shorterThan));
    if (rows.longerThan > 0)
        conditions.push_back("duration_ns >= " + number(rows.longerThan));
    if (!rows.directions.empty())
        conditions.push_back(in("direction", rows.directions, [](CopyDirection d) { return std::string(word(d)); }));
    if (!rows.sizes.empty())
        conditions.push_back(in("bytes", rows.sizes, number));
    if (rows.mostBytes > 0)
        conditions.push_back("bytes BETWEEN 1 AND " + number(rows.mostBytes));
    if (rows.pageable)
        conditions.push_back("(source = 'pageable' OR target = 'pageable')");
    return "SELECT start_ns, duration_ns, name" + std::string(one ? columnsOf(rows.kinds.front()) : "") + " FROM " +
           (one ? std::string(trace::toString(rows.kinds.front())) : "event") + " WHERE " +
           base::join(conditions, " AND ") + " ORDER BY duration_ns DESC";
}

Evidence evidence(const Facts& facts, const Rows& rows, TimeRange range)
{
    return {queryOf(rows, facts.context.traceId), range, countOf(facts.trace, rows)};
}

} // namespace apertune::advice
