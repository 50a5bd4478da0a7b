// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/store/sqlite_database.h"
#include "core/trace/import_options.h"
#include "core/trace/trace_builder.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace apertune::interchange::nsys {

/// The texts and tracks of an nsys export, by the numbers that its events have for them. Private to core/store.
/// REQUIRES: what the constructor is given outlives it.
class Places
{
public:
    Places(const store::Database& db, const trace::ImportOptions& options, trace::TraceBuilder& builder);

    /// Reads texts, names of threads and what tells streams apart, of these tables as far as they are there. To be
    /// called once, before all others. Throws store::Failure.
    void read(const std::set<std::string>& tables);

    std::string_view string(std::int64_t id) const;             ///< empty for a number that is not there
    trace::StringId text(std::int64_t id, bool isCall = false); ///< names of calls lose their version
    trace::TrackId thread(std::int64_t globalTid);
    /// Of the whole device for a stream that is none.
    trace::TrackId stream(std::int64_t device, std::int64_t context, std::int64_t stream, std::int64_t globalPid);

private:
    void readStrings();
    void readThreads();
    bool severalProcesses(const std::set<std::string>& tables) const;

    const store::Database& m_db;
    const trace::ImportOptions& m_options;
    trace::TraceBuilder& m_builder;
    std::unordered_map<std::int64_t, std::string> m_strings;
    std::unordered_map<std::int64_t, trace::StringId> m_ids;
    std::unordered_map<std::int64_t, trace::StringId> m_callIds;
    std::unordered_map<std::int64_t, std::string> m_threadNames;
    std::unordered_map<std::int64_t, trace::TrackId> m_threads;
    std::map<std::array<std::int64_t, 4>, trace::TrackId> m_streams;
    bool m_severalProcesses = false; ///< used a device
};

} // namespace apertune::interchange::nsys
