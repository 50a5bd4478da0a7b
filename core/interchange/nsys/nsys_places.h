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

/// The texts and tracks of an nsys export, by the numbers that its events use. Private to this folder.
/// REQUIRES: the constructor's arguments outlive this object.
class Places
{
public:
    Places(const store::Database& db, const trace::ImportOptions& options, trace::TraceBuilder& builder);

    /// Reads texts, names of threads, and whether several processes used a device. Missing tables are skipped.
    /// Throws store::Failure.
    /// REQUIRES: it is called once, before all other functions.
    void read(const std::set<std::string>& tables);

    std::string_view string(std::int64_t id) const;             ///< empty for an unknown number
    trace::StringId text(std::int64_t id, bool isCall = false); ///< removes the version from names of calls
    trace::TrackId thread(std::int64_t globalTid);
    /// Returns the track of a stream, or of the whole device when `stream` is negative or kNoStream.
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
    bool m_severalProcesses = false; ///< several processes used a device
};

} // namespace apertune::interchange::nsys
