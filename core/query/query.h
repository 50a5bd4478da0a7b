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
/// A value of a result: NULL, an integer, a number, a text or bytes.
using QueryCell = std::variant<std::monostate, std::int64_t, double, std::string, QueryBlob>;

struct QueryOptions
{
    std::optional<store::TraceId> trace;       ///< restricts tables and views about traces to this one; see schema.md
    base::Nanoseconds timeout{10'000'000'000}; ///< time limit of the whole call
    std::int64_t maxRows = 1'000'000;          ///< row limit of the result; further rows are cut off
    /// Size limit of the result, which is cut off there, and of the state of hist() and percentile(). One value may
    /// take a quarter of it. SQLite's own memory may take twice as much.
    base::Bytes maxBytes{128 << 20};
    std::stop_token stop{};
    std::function<base::Nanoseconds()> clock = base::monotonicNow; ///< tests put a scripted clock here
};

struct QueryResult
{
    std::vector<std::string> columns;
    std::vector<std::vector<QueryCell>> rows; ///< each row is as long as `columns`
    bool truncated = false;                   ///< maxRows or maxBytes cut the result off
    bool tooLarge = false;                    ///< maxBytes cut the result off
    base::Nanoseconds elapsed{};
};

/// Runs one SELECT of a person or a script on a workspace. schema.md documents the tables and views.
///
/// The statement cannot change the workspace: the connection is read-only, and an authorizer allows only reading.
/// The time limit is checked between the steps of the statement. One call of a built-in function is one step: instr(),
/// replace() and LIKE on two long texts take the product of their lengths.
///
/// Threads: any; each call opens a connection.
///
/// Failures:
///  - invalidArgument: the SQL is wrong, does more than read, or is more than one statement (the message is SQLite's);
///    or it holds more than maxBytes.
///  - notFound: no such file or trace.
///  - timeout, cancelled, corrupt, busy, io, outOfMemory.
base::Result<QueryResult> query(const std::filesystem::path& workspace, const std::string& sql,
                                const QueryOptions& options = {});

/// A table or view that queries can read, with its columns in order.
struct QueryTable
{
    std::string name;
    std::vector<std::string> columns;
    bool view = false;
};
/// Returns the views, then the tables. Failures: those of query().
base::Result<std::vector<QueryTable>> queryTables(const std::filesystem::path& workspace);

} // namespace apertune::query
