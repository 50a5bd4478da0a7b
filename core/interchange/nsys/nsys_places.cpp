// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/nsys/nsys_places.h"

#include "core/interchange/nsys/nsys_tables.h"
#include "core/interchange/sqlite/table_reader.h"

namespace apertune::interchange::nsys {

using trace::StringId;
using trace::TrackId;
using trace::TrackType;

Places::Places(const store::Database& db, const trace::ImportOptions& options, trace::TraceBuilder& builder)
    : m_db(db), m_options(options), m_builder(builder)
{
}

void Places::read(const std::set<std::string>& tables)
{
    if (tables.contains("StringIds"))
        readStrings();
    if (tables.contains("ThreadNames"))
        readThreads();
    // Every process numbers its streams from the start. When several used a device, the process is part of the track.
    m_severalProcesses = severalProcesses(tables);
}

void Places::readStrings()
{
    sqlite::TableReader row(m_db, "StringIds", "id, value");
    while (row.step()) {
        m_strings[row.integer(0)] = row.text(1);
        sqlite::checkStop(m_options);
    }
}

void Places::readThreads()
{
    sqlite::TableReader row(m_db, "ThreadNames", "nameId, globalTid");
    while (row.step())
        if (const auto found = m_strings.find(row.integer(0)); found != m_strings.end())
            m_threadNames[row.integer(1)] = found->second;
}

bool Places::severalProcesses(const std::set<std::string>& tables) const
{
    std::set<std::int64_t> pids;
    for (const char* table : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY"}) {
        if (!tables.contains(table))
            continue;
        sqlite::TableReader row(m_db, table, "globalPid");
        for (std::int64_t last = 0; row.has(0) && row.step();)
            if (const std::int64_t pid = row.integer(0); pid != last && pids.size() < 2)
                pids.insert(last = pid);
    }
    return pids.size() > 1;
}

std::string_view Places::string(std::int64_t id) const
{
    const auto found = m_strings.find(id);
    return found == m_strings.end() ? std::string_view() : found->second;
}

StringId Places::text(std::int64_t id, bool isCall)
{
    const auto [at, added] = (isCall ? m_callIds : m_ids).try_emplace(id);
    if (added)
        if (const auto found = m_strings.find(id); found != m_strings.end())
            at->second = m_builder.intern(isCall ? withoutVersion(found->second) : std::string_view(found->second));
    return at->second;
}

TrackId Places::thread(std::int64_t globalTid)
{
    const auto [at, added] = m_threads.try_emplace(globalTid);
    if (added) {
        trace::Track track;
        track.process = (globalTid >> 24) & 0xffffff;
        track.thread = globalTid & 0xffffff;
        const auto name = m_threadNames.find(globalTid);
        track.label = (name == m_threadNames.end() ? "thread" : name->second) + " " + std::to_string(track.thread);
        at->second = m_builder.track(track);
    }
    return at->second;
}

TrackId Places::stream(std::int64_t device, std::int64_t context, std::int64_t stream, std::int64_t globalPid)
{
    const bool whole = stream < 0 || stream == kNoStream;
    const std::array key{device, context, stream, globalPid};
    const auto [at, added] = m_streams.try_emplace(key);
    if (added) {
        trace::Track track;
        track.type = whole ? TrackType::device : TrackType::stream;
        track.device = device;
        if (m_severalProcesses)
            track.process = (globalPid >> 24) & 0xffffff;
        if (!whole) {
            track.context = context;
            track.stream = stream;
        }
        track.label = whole ? "GPU " + std::to_string(device) : "stream " + std::to_string(stream);
        at->second = m_builder.track(track);
    }
    return at->second;
}

} // namespace apertune::interchange::nsys
