// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/query.h"

#include "app/cli/lookup.h"
#include "app/cli/verbs.h"
#include "core/base/clock.h"
#include "core/base/csv.h"
#include "core/base/text.h"
#include "core/report/text_table.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace apertune::cli {

using base::Json;
using query::QueryCell;
using report::TextTable;

namespace {

template <typename... Works>
struct Overload : Works...
{
    using Works::operator()...;
};
template <typename... Works>
Overload(Works...) -> Overload<Works...>; // clang 14 and 15 deduce no aggregates

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

/// The shortest text that reads back as the same number.
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
                               [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); },
                               [](const std::string& text) { return Json(text); },
                               [](const query::QueryBlob& blob) {
                                   return Json({{"hex", hex(blob.bytes)}});
                               }},
                      cell);
}

/// Ends a rendering whose time is over; a result of many rows takes as long to print as to find.
class Deadline
{
public:
    explicit Deadline(base::Nanoseconds limit) : m_end(base::monotonicNow() + limit) {}
    bool isOver() const { return base::monotonicNow() >= m_end; }

private:
    base::Nanoseconds m_end;
};

/// Each of these is nullopt when the time was over first.
std::optional<std::string> csvText(const query::QueryResult& result, const Deadline& deadline)
{
    std::string text;
    const auto line = [&text](const auto& cells, const auto& toField) {
        base::CsvLine fields;
        for (const auto& cell : cells)
            fields.text(toField(cell));
        text += fields.take();
    };
    line(result.columns, [](const std::string& name) { return name; });
    for (const auto& row : result.rows) {
        if (deadline.isOver())
            return std::nullopt;
        line(row, [](const QueryCell& cell) { return cellText(cell, false); });
    }
    return text;
}

std::optional<Json> jsonDocument(const query::QueryResult& result, const Deadline& deadline)
{
    Json rows = Json::array();
    for (const auto& row : result.rows) {
        if (deadline.isOver())
            return std::nullopt;
        Json cells = Json::array();
        for (const QueryCell& cell : row)
            cells.push_back(cellJson(cell));
        rows.push_back(std::move(cells));
    }
    return Json{{"schema", "apertune.query/1"},
                {"columns", result.columns},
                {"rows", std::move(rows)},
                {"truncated", result.truncated},
                {"elapsed_ms", result.elapsed.milliseconds()}};
}

std::optional<TextTable> tableOf(const query::QueryResult& result, const Deadline& deadline)
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
        if (deadline.isOver())
            return std::nullopt;
        std::vector<std::string> cells;
        for (const QueryCell& cell : row)
            cells.push_back(cellText(cell, true));
        table.addRow(std::move(cells));
    }
    return table;
}

/// False when the time was over first.
bool print(const query::QueryResult& result, const Query& options, const Deadline& deadline, Terminal& terminal)
{
    if (options.csv) {
        const auto text = csvText(result, deadline);
        if (text)
            terminal.raw(*text);
        return text.has_value();
    }
    if (terminal.json()) {
        auto document = jsonDocument(result, deadline);
        if (document)
            terminal.document(std::move(*document));
        return document.has_value();
    }
    const auto table = tableOf(result, deadline);
    if (!table)
        return false;
    terminal.text(table->render(terminal.width()));
    if (!table->fits(terminal.width()))
        terminal.note("The columns do not fit the terminal: name fewer, or print all of them with --csv or --json.");
    return true;
}

int listTables(const Query& options, Session& session)
{
    const auto tables = query::queryTables(options.common.store);
    if (!tables)
        return session.terminal.fail(tables.error());
    Json list = Json::array();
    std::string text;
    for (const query::QueryTable& table : *tables) {
        list.push_back({{"name", table.name}, {"view", table.view}, {"columns", table.columns}});
        text += table.name + "\n  " + report::wrapPieces(table.columns, ", ", session.terminal.width() - 2, 2) + "\n";
    }
    session.terminal.document({{"schema", "apertune.query_tables/1"}, {"tables", list}});
    session.terminal.text(text);
    return kDone;
}

} // namespace

int run(const Query& options, Session& session)
{
    if (options.tables)
        return listTables(options, session);
    query::QueryOptions query;
    query.timeout = options.timeout;
    query.maxRows = options.rows;
    query.maxBytes = options.bytes;
    query.stop = session.interrupt.token();
    if (!options.trace.empty()) {
        const auto store = store::Store::open(options.common.store, store::OpenMode::readOnly);
        if (!store)
            return session.terminal.fail(store.error());
        const auto trace = findTrace(*store, options.trace);
        if (!trace)
            return session.terminal.fail(trace.error());
        query.trace = trace->id;
    }
    const Deadline deadline(options.timeout);
    const auto result = query::query(options.common.store, options.sql, query);
    if (!result)
        return result.error().code == base::ErrorCode::cancelled ? kInterrupted : session.terminal.fail(result.error());
    if (!print(*result, options, deadline, session.terminal))
        return session.terminal.fail({base::ErrorCode::timeout,
                                      "The query found " + std::to_string(result->rows.size()) +
                                          " rows and could not print them within " +
                                          base::formatDuration(options.timeout) + ".",
                                      {},
                                      "Restrict it (WHERE, LIMIT), or allow more time with --timeout."});
    if (result->tooLarge)
        session.terminal.note("Only the first " + std::to_string(result->rows.size()) +
                              " rows are shown: the result is larger than " + base::formatBytes(options.bytes) +
                              "; --bytes allows more.");
    else if (result->truncated)
        session.terminal.note("Only the first " + std::to_string(options.rows) +
                              " rows are shown; --rows allows more.");
    return kDone;
}

} // namespace apertune::cli
