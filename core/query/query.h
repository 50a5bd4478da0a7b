// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/base/units.h"
#include "core/store/traces.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace apertune::query {

/// Bytes that are not text.
struct QueryBlob
{
    std::string bytes;
    bool operator==(const QueryBlob&) const = default;
};
/// A value of a result: nothing, an integer, a number, a text, bytes.
using QueryCell = std::variant<std::monostate, std::int64_t, double, std::string, QueryBlob>;

struct QueryOptions
{
    std::optional<store::TraceId> trace;       ///< everything of traces is of this one; see schema.md
    base::Nanoseconds timeout{10'000'000'000}; ///< for the whole call
    std::int64_t maxRows = 1'000'000;          ///< of the result; what follows is cut off
    /// Of the result, which is cut off there, and of what hist() and percentile() hold. A value can be a quarter of it.
    base::Bytes maxBytes{256 << 20};
    std::stop_token stop{};
    std::function<base::Nanoseconds()> clock = base::monotonicNow; ///< a scripted one in tests
};

struct QueryResult
{
    std::vector<std::string> columns;
    std::vector<std::vector<QueryCell>> rows; ///< each as long as columns
    bool truncated = false;                   ///< maxRows or maxBytes cut it off
    bool tooLarge = false;                    ///< it was maxBytes
    base::Nanoseconds elapsed{};
};

/// Runs one SELECT of a person or a script on a workspace, which it cannot change: it has its own read-only
/// connection, an authorizer that lets nothing but reading through, and a clock. schema.md says what can be asked for.
/// Threads: any; one connection a call.
/// Failures: invalidArgument (SQL that is wrong, does more than read, or is more than one statement; the message is
/// SQLite's; or a function holds more than maxBytes), timeout, cancelled, notFound (file, trace), corrupt, busy, io,
/// outOfMemory.
base::Result<QueryResult> query(const std::filesystem::path& workspace, const std::string& sql,
                                const QueryOptions& options = {});

/// A table or view that can be asked, with its columns in order.
struct QueryTable
{
    std::string name;
    std::vector<std::string> columns;
    bool view = false;
};
/// Views first, then tables. Failures: as query().
base::Result<std::vector<QueryTable>> queryTables(const std::filesystem::path& workspace);

} // namespace apertune::query
