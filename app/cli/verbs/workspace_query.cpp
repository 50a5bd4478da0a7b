// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/lookup.h"
#include "app/cli/options.h"
#include "app/cli/verb.h"
#include "core/base/csv.h"
#include "core/base/stop_wait.h"
#include "core/base/text.h"
#include "core/query/errors.h"
#include "core/query/query.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <thread>

namespace apertune::cli {

using base::Json;
using query::QueryCell;
using text::TextTable;

namespace {

constexpr int kWidestCell = 10'000; ///< characters of a cell in a table for people; longer ones are cut

struct Query
{
    std::string workspaceOrSql; ///< the first argument
    std::string second;         ///< the SQL, if the first argument is the workspace
    std::string sql;
    std::filesystem::path store; ///< empty: the workspace of the session
    std::string trace;           ///< empty: all traces, or the newest where only one is possible
    base::Nanoseconds timeout = base::fromSeconds(10);
    std::int64_t rows = 1'000'000;
    base::Bytes bytes{128 << 20};
    bool csv = false;
    bool tables = false; ///< list the tables; sql is empty then
};

template <typename... Works>
struct Overload : Works...
{
    using Works::operator()...;
};
template <typename... Works>
Overload(Works...) -> Overload<Works...>; // clang 14 and 15 need this guide

std::string hex(const std::string& bytes)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const char c : bytes) {
        text += kDigits[static_cast<unsigned char>(c) >> 4];
        text += kDigits[static_cast<unsigned char>(c) & 15];
    }
    return text;
}

/// The shortest text that converts back to the same number.
std::string exact(double value)
{
    if (!std::isfinite(value))
        return std::isnan(value) ? "" : value > 0 ? "inf" : "-inf";
    std::array<char, 32> buffer{};
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

std::string cellText(const QueryCell& cell, bool forPeople)
{
    return std::visit(
        Overload{[](std::monostate) { return std::string(); }, [](std::int64_t value) { return std::to_string(value); },
                 [&](double value) {
                     return forPeople && std::isfinite(value) ? base::formatSignificant(value, 6) : exact(value);
                 },
                 [](const std::string& text) { return text; },
                 [&](const query::QueryBlob& blob) {
                     return forPeople && blob.bytes.size() > 16 ? "(" + std::to_string(blob.bytes.size()) + " bytes)"
                                                                : hex(blob.bytes);
                 }},
        cell);
}

Json cellJson(const QueryCell& cell)
{
    return std::visit(Overload{[](std::monostate) { return Json(nullptr); },
                               [](std::int64_t value) { return Json(value); },
                               // JSON has neither NaN nor infinity.
                               [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); },
                               [](const std::string& text) { return Json(text); },
                               [](const query::QueryBlob& blob) {
                                   return Json({{"hex", hex(blob.bytes)}});
                               }},
                      cell);
}

/// Ends the process a little after the time limit, while it exists: a single step of a statement, and making the output
/// of a large result, end no earlier by themselves. A query only reads, so nothing is left half done.
class HardLimit
{
public:
    HardLimit(base::Nanoseconds limit, Terminal& terminal)
        : m_thread([limit, &terminal](std::stop_token over) {
              const std::int64_t grace = std::max<std::int64_t>(limit.count / 40, 50'000'000);
              if (base::waitForStop(over, {limit.count + grace}))
                  return;
              terminal.fail({base::ErrorCode::timeout,
                             base::message<query::errors::kTooLong>(limit),
                             {},
                             base::message<query::errors::kRestrictOrLonger>()});
              std::_Exit(kBadInput);
          })
    {
    }

private:
    std::jthread m_thread;
};

std::string csvText(const query::QueryResult& result)
{
    std::string text;
    const auto line = [&text](const auto& cells, const auto& toField) {
        base::CsvLine fields;
        for (const auto& cell : cells)
            fields.text(toField(cell));
        text += fields.take();
    };
    line(result.columns, [](const std::string& name) { return name; });
    for (const auto& row : result.rows)
        line(row, [](const QueryCell& cell) { return cellText(cell, false); });
    return text;
}

std::string jsonText(const query::QueryResult& result)
{
    Json rows = Json::array();
    for (const auto& row : result.rows) {
        Json cells = Json::array();
        for (const QueryCell& cell : row)
            cells.push_back(cellJson(cell));
        rows.push_back(std::move(cells));
    }
    return documentText({{"schema", "apertune.query/1"},
                         {"columns", result.columns},
                         {"rows", std::move(rows)},
                         {"truncated", result.truncated},
                         {"elapsed_ms", result.elapsed.milliseconds()}});
}

TextTable tableOf(const query::QueryResult& result)
{
    std::vector<TextTable::Column> columns;
    for (std::size_t i = 0; i < result.columns.size(); ++i) {
        bool numbers = !result.rows.empty();
        for (const auto& row : result.rows)
            numbers &=
                !std::holds_alternative<std::string>(row[i]) && !std::holds_alternative<query::QueryBlob>(row[i]);
        columns.push_back({result.columns[i], numbers ? TextTable::Align::right : TextTable::Align::left, !numbers});
    }
    TextTable table(std::move(columns));
    for (const auto& row : result.rows) {
        std::vector<std::string> cells;
        for (const QueryCell& cell : row)
            cells.push_back(text::elide(cellText(cell, true), kWidestCell));
        table.addRow(std::move(cells));
    }
    return table;
}

int listTables(const Query& options, Session& session)
{
    const auto tables = query::queryTables(options.store);
    if (!tables)
        return session.terminal.fail(tables.error());
    Json list = Json::array();
    std::string text;
    for (const query::QueryTable& table : *tables) {
        list.push_back({{"name", table.name}, {"view", table.view}, {"columns", table.columns}});
        text += table.name + "\n  " + text::wrapPieces(table.columns, ", ", session.terminal.width() - 2, 2) + "\n";
    }
    session.terminal.document({{"schema", "apertune.query_tables/1"}, {"tables", list}});
    session.terminal.text(text);
    return kDone;
}

int run(Query options, Session& session)
{
    if (options.store.empty())
        options.store = session.common.store;
    if (options.csv && session.common.json)
        return session.terminal.fail(base::plainError(
            base::ErrorCode::invalidArgument, "--csv and --json exclude each other.", {}, "Choose one of them."));
    if (options.tables)
        return listTables(options, session);
    query::QueryOptions query;
    query.timeout = options.timeout;
    query.maxRows = options.rows;
    query.maxBytes = options.bytes;
    query.stop = session.interrupt.token();
    if (!options.trace.empty()) {
        const auto store = store::Store::open(options.store, store::OpenMode::readOnly);
        if (!store)
            return session.terminal.fail(store.error());
        const auto trace = findTrace(*store, options.trace);
        if (!trace)
            return session.terminal.fail(trace.error());
        query.trace = trace->id;
    }
    std::optional<HardLimit> limit(std::in_place, options.timeout, session.terminal);
    const auto result = query::query(options.store, options.sql, query);
    if (!result)
        return result.error().code == base::ErrorCode::cancelled ? kInterrupted : session.terminal.fail(result.error());
    bool fits = true;
    std::string output;
    if (options.csv) {
        output = csvText(*result);
    } else if (session.common.json) {
        output = jsonText(*result);
    } else {
        const TextTable table = tableOf(*result);
        output = table.render(session.terminal.width());
        fits = table.fits(session.terminal.width());
    }
    limit.reset(); // A reader may take its time.
    if (options.csv || session.common.json)
        session.terminal.raw(output);
    else
        session.terminal.text(output);
    if (!fits)
        session.terminal.note("The columns do not fit the terminal: name fewer, or print all of them with --csv or "
                              "--json.");
    if (result->tooLarge)
        session.terminal.note("Only the first " + std::to_string(result->rows.size()) +
                              " rows are shown: the result is larger than " + base::formatBytes(options.bytes) +
                              "; --bytes allows more.");
    else if (result->truncated)
        session.terminal.note("Only the first " + std::to_string(options.rows) +
                              " rows are shown; --rows allows more.");
    return kDone;
}

/// Assigns the arguments: one is the SQL; of two the first is the workspace.
void sortArguments(Query& options)
{
    using base::ErrorCode;
    if (options.tables && !options.second.empty())
        throw UsageError(
            base::plainError(ErrorCode::invalidArgument, "--tables runs no SQL.", {}, "Leave one of them out."));
    if (options.tables || !options.second.empty()) {
        options.store = options.workspaceOrSql;
        options.sql = options.second;
    } else {
        options.sql = options.workspaceOrSql;
    }
    if (!options.tables && options.sql.empty())
        throw UsageError(base::plainError(ErrorCode::invalidArgument, "The SQL is missing.", {},
                                          "Use for example `apertune workspace query \"SELECT * FROM trace\"`."));
}

Action declareWorkspaceQuery(CLI::App& app)
{
    auto options = std::make_shared<Query>();
    app.add_option("WORKSPACE", options->workspaceOrSql, "Workspace file (default: that of --store)")->type_name("");
    app.add_option("SQL", options->second,
                   "One SELECT over `event`, a view for each kind (kernel, copy, operator_call, …), or the tables of "
                   "an nsys export")
        ->type_name("");
    app.add_flag("--csv", options->csv, "Print comma-separated values");
    app.add_flag("--tables", options->tables, "List the tables and views with their columns");
    app.add_option("--trace", options->trace, "Trace to query: tr3 or last (default: all)")->type_name("TRACE");
    addTime(app, "--timeout", options->timeout, "Stop after this time (default: 10s)");
    addSize(app, "--bytes", options->bytes,
            "Largest size of the result; a value may have a quarter of it (default: 128MiB)");
    addCount(app, "--rows", options->rows, "Largest number of rows in the result (default: 1000000)", 1, 1'000'000'000);
    app.final_callback([options] { sortArguments(*options); });
    return [options](Session& session) { return run(*options, session); };
}

} // namespace

Verb workspaceQueryVerb()
{
    return {
        .path = {"workspace", "query"},
        .group = Group::manage,
        .summary = "Query a workspace with read-only SQL",
        .examples =
            R"(  apertune workspace query "SELECT name, count(*), sum(duration_ns) / 1e6 AS ms FROM kernel GROUP BY name"
  apertune workspace query runs.apertune "SELECT * FROM trial" --csv > trials.csv
  apertune workspace query "SELECT percentile(duration_ns, 99) FROM operator_call" --trace last --json
  apertune workspace query --tables         what can be asked)",
        .takes = Takes::workspace,
        .documents = {{"apertune.query/1", "`columns`, `rows` (lists of values: null, number, text, or `{\"hex\"}` for "
                                           "bytes), `truncated` (cut off by `--rows`), `elapsed_ms`"},
                      {"apertune.query_tables/1", "`tables` (`name`, `view`, `columns`)", "--tables"}},
        .declare = declareWorkspaceQuery};
}

} // namespace apertune::cli
