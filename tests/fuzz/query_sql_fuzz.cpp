// SPDX-License-Identifier: GPL-3.0-or-later
// A user's SQL on a workspace: the table of events, its views, and the functions of queries.
#include "core/query/query.h"
#include "core/store/store.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/trace_checks.h"

namespace apertune::fuzz {

namespace {

const std::filesystem::path& workspace()
{
    static const std::filesystem::path file = [] {
        std::filesystem::path path = scratchFolder() / "runs.apertune";
        auto store = store::Store::open(path, store::OpenMode::readWrite);
        require(store.ok() && store->addTrace(sampleTrace()).ok(), "a workspace with a trace can be made");
        return path;
    }();
    return file;
}

} // namespace

void examine(std::string_view sql)
{
    const query::QueryOptions options{
        .timeout = base::fromMilliseconds(500), .maxRows = 200, .maxBytes = base::Bytes{1 << 20}};
    const auto answered = query::query(workspace(), std::string(sql), options);
    const query::QueryResult* const result = valueOf(answered);
    if (!result)
        return;
    require(static_cast<std::int64_t>(result->rows.size()) <= options.maxRows, "no more rows than were asked for");
    for (const std::vector<query::QueryCell>& row : result->rows)
        require(row.size() == result->columns.size(), "a row has a value for each column");
}

std::vector<std::string> seeds()
{
    return {"SELECT count(*) FROM event",
            "SELECT * FROM event WHERE start_ns >= 100 AND start_ns < 300.5 AND kind = 1 ORDER BY start_ns LIMIT 5",
            "SELECT name, hist(name, duration_ns), percentile(duration_ns, 90) FROM kernel GROUP BY name",
            "SELECT a.name, b.name FROM event a JOIN event b ON a.correlation = b.correlation WHERE a.trace_id = 1 AND "
            "b.track_id <= 2",
            "SELECT sum(duration_ns) FROM event WHERE track_id IN (0, 1) AND kind_name LIKE 'k%' AND rowid > 3",
            "SELECT value, address FROM event WHERE correlation = '7' OR start_ns IS NULL OR trace_id = 1e300",
            "PRAGMA table_info(event)",
            "SELECT 1; SELECT 2"};
}

} // namespace apertune::fuzz
