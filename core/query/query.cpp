// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/query.h"

#include "core/base/clock.h"
#include "core/base/errors.h"
#include "core/base/mutex.h"
#include "core/base/text.h"
#include "core/query/errors.h"
#include "core/query/event_table.h"
#include "core/query/query_functions.h"
#include "core/query/query_views.h"
#include "core/store/failure.h"
#include "core/store/open_workspace.h"
#include "core/store/sqlite_error.h"
#include "core/store/trace_read.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace apertune::query {

using base::Error;
using base::ErrorCode;
using base::Result;

namespace {

/// PRAGMAs that only report something.
constexpr std::array kHarmlessPragmas = {
    "table_info",       "table_xinfo",     "table_list",    "index_list",  "index_info",     "index_xinfo",
    "foreign_key_list", "page_count",      "page_size",     "encoding",    "function_list",  "pragma_list",
    "collation_list",   "compile_options", "database_list", "module_list", "freelist_count",
};
/// PRAGMAs that are allowed without an argument. With an argument they would change a setting.
constexpr std::array kValuePragmas = {"user_version", "application_id", "journal_mode"};

int authorize(void*, int action, const char* first, const char* second, const char*, const char*)
{
    const auto named = [](const auto& list, const char* name) {
        return name && std::any_of(list.begin(), list.end(),
                                   [name](const char* known) { return sqlite3_stricmp(known, name) == 0; });
    };
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_FUNCTION:
        // load_extension() would run code from a file in this process.
        return second && sqlite3_stricmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
        return named(kHarmlessPragmas, first) || (named(kValuePragmas, first) && !second) ? SQLITE_OK : SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

int interrupted(void* watch)
{
    return static_cast<QueryWatch*>(watch)->isOver() ? 1 : 0;
}

[[noreturn]] void failSql(base::Message why, base::Message hint = base::message<errors::kListTables>())
{
    store::fail({ErrorCode::invalidArgument, base::message<errors::kCannotRun>(std::move(why)), {}, std::move(hint)});
}

/// Table-valued functions declare themselves at their first use. The authorizer would refuse that as a CREATE TABLE.
void connectBuiltIns(const store::Database& db)
{
    for (const std::string name :
         {"event", "json_each", "json_tree", "pragma_table_info", "pragma_table_xinfo", "pragma_table_list",
          "pragma_index_list", "pragma_index_info", "pragma_foreign_key_list", "pragma_function_list"})
        static_cast<void>(db.prepare("SELECT * FROM " + name));
}

/// Returns the largest size of a value, in bytes. SQLite holds a whole row of such values before they can be counted.
int largestValue(const QueryOptions& options)
{
    constexpr std::int64_t kLeast = 1 << 20;
    constexpr std::int64_t kMost = 1'000'000'000; // SQLite's own
    return static_cast<int>(std::clamp(options.maxBytes.count / 4, kLeast, kMost));
}

/// Limits SQLite's own memory while queries run: a row of many large values, and the groups and sorters of a statement,
/// which nothing else counts. SQLite knows one limit for the whole process, so the queries that run share it.
class HeapLimit
{
public:
    explicit HeapLimit(base::Bytes result) : m_allowed(2 * result.count + kForPages)
    {
        const base::Lock lock(s_mutex);
        if (s_allowed == 0)
            s_before = sqlite3_memory_used();
        s_allowed += m_allowed;
        sqlite3_hard_heap_limit64(s_before + s_allowed);
    }
    ~HeapLimit()
    {
        const base::Lock lock(s_mutex);
        s_allowed -= m_allowed;
        sqlite3_hard_heap_limit64(s_allowed == 0 ? 0 : s_before + s_allowed);
    }
    HeapLimit(const HeapLimit&) = delete;
    HeapLimit& operator=(const HeapLimit&) = delete;

private:
    static constexpr std::int64_t kForPages = 16 << 20; ///< the pages that SQLite keeps of the file

    static inline base::Mutex s_mutex;
    static inline std::int64_t s_before APERTUNE_GUARDED_BY(s_mutex) = 0;
    static inline std::int64_t s_allowed APERTUNE_GUARDED_BY(s_mutex) = 0;
    std::int64_t m_allowed;
};

/// A read-only connection with all tables, views and functions that queries see.
class Connection
{
public:
    Connection(const std::filesystem::path& file, const QueryOptions& options)
        : m_heap(options.maxBytes), m_opened(store::openWorkspace(file, store::OpenMode::readOnly)),
          m_watch(options.clock, options.clock() + options.timeout, options.maxBytes.count, options.stop)
    {
        const store::Database& db = database();
        if (options.trace)
            static_cast<void>(store::traceSummaryById(db, *options.trace));
        registerEventTable(db, options.trace);
        registerFunctions(db, m_watch);
        createViews(db, options.trace);
        connectBuiltIns(db);
        sqlite3* const handle = db.handle();
        // A query must not open other files, and must not keep the process busy between two looks at the watch: LIKE
        // takes quadratic time in the length of its pattern.
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, largestValue(options));
        sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
        sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000);
        // Last, because the authorizer would refuse the views.
        sqlite3_set_authorizer(handle, authorize, nullptr);
        // One step may copy a value of the largest size, so the clock has to be read often.
        sqlite3_progress_handler(handle, 100, interrupted, &m_watch);
    }
    ~Connection()
    {
        // SQLite's side files can be removed only when this connection no longer uses them.
        m_opened.database.reset();
        store::removeEmptyLog(m_opened.file);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    const store::Database& database() const { return *m_opened.database; }
    QueryWatch& watch() const { return m_watch; }

private:
    HeapLimit m_heap;
    store::OpenedWorkspace m_opened;
    mutable QueryWatch m_watch;
};

struct Finalize
{
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using RawStatement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// Returns the error of the user's failed statement, in their terms.
[[noreturn]] void failQuery(const Connection& connection, int code, const QueryOptions& options)
{
    sqlite3* const handle = connection.database().handle();
    const std::string message = sqlite3_errmsg(handle);
    // An interrupted virtual table reports its own error.
    switch (connection.watch().hasEnded() ? SQLITE_INTERRUPT : code & 0xff) {
    case SQLITE_INTERRUPT:
        if (connection.watch().isFull())
            failSql(base::message<errors::kHoldsTooMuch>(options.maxBytes), base::message<errors::kGroupByFewer>());
        if (!connection.watch().isLate())
            store::fail({ErrorCode::cancelled, base::message<base::errors::kCancelled>()});
        store::fail({ErrorCode::timeout,
                     base::message<errors::kTooLong>(options.timeout),
                     {},
                     base::message<errors::kRestrictOrLonger>()});
    case SQLITE_NOMEM:
        failSql(base::message<errors::kHoldsTooMuch>(options.maxBytes), base::message<errors::kGroupByFewer>());
    case SQLITE_AUTH:
        failSql(base::message<errors::kOnlyReadingBecause>(message), base::message<errors::kUseSelect>());
    case SQLITE_ERROR:
    case SQLITE_RANGE:
    case SQLITE_MISMATCH:
        failSql(base::foreignText(message));
    case SQLITE_TOOBIG:
        failSql(base::message<errors::kValueTooLarge>(base::Bytes{largestValue(options)}),
                base::message<errors::kUseSubstr>());
    default:
        store::fail(store::sqliteError(sqlite3_extended_errcode(handle), sqlite3_system_errno(handle), message.c_str(),
                                       connection.database().file()));
    }
}

bool onlyBlanks(const char* text, const char* end)
{
    return std::all_of(text, end, [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == ';'; });
}

RawStatement prepare(const Connection& connection, const std::string& sql, const QueryOptions& options)
{
    // SQLite would stop at the zero byte and run a part of the statement.
    if (sql.find('\0') != std::string::npos)
        failSql(base::message<errors::kZeroByte>());
    sqlite3_stmt* raw = nullptr;
    const char* tail = nullptr;
    const int code =
        sqlite3_prepare_v2(connection.database().handle(), sql.data(), static_cast<int>(sql.size()), &raw, &tail);
    RawStatement statement(raw);
    if (code != SQLITE_OK)
        failQuery(connection, code, options);
    if (!statement)
        failSql(base::message<errors::kEmpty>());
    if (!onlyBlanks(tail, sql.data() + sql.size())) {
        sqlite3_stmt* second = nullptr; // stays null when only a comment follows the statement
        sqlite3_prepare_v2(connection.database().handle(), tail, -1, &second, nullptr);
        const RawStatement rest(second);
        if (second || sqlite3_errcode(connection.database().handle()) != SQLITE_OK)
            failSql(base::message<errors::kManyStatements>(), base::message<errors::kOneAtATime>());
    }
    // The authorizer already refuses writes; this also covers statements that it does not see, such as VACUUM.
    if (!sqlite3_stmt_readonly(raw))
        failSql(base::message<errors::kOnlyReading>(), base::message<errors::kUseSelect>());
    if (sqlite3_bind_parameter_count(raw) > 0)
        failSql(base::message<errors::kHasParameter>(), base::message<errors::kWriteValue>());
    return statement;
}

QueryCell cellOf(sqlite3_stmt* statement, int column)
{
    const auto bytes = [&](const void* data) {
        return data ? std::string(static_cast<const char*>(data),
                                  static_cast<std::size_t>(sqlite3_column_bytes(statement, column)))
                    : std::string();
    };
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        return sqlite3_column_int64(statement, column);
    case SQLITE_FLOAT:
        return sqlite3_column_double(statement, column);
    case SQLITE_TEXT:
        return bytes(sqlite3_column_text(statement, column));
    case SQLITE_BLOB:
        return QueryBlob{bytes(sqlite3_column_blob(statement, column))};
    default:
        return std::monostate{};
    }
}

QueryResult runQuery(const std::filesystem::path& workspace, const std::string& sql, const QueryOptions& options)
{
    const base::Nanoseconds begin = options.clock();
    const Connection connection(workspace, options);
    const RawStatement statement = prepare(connection, sql, options);
    QueryResult result;
    std::int64_t held = 0;
    const int columns = sqlite3_column_count(statement.get());
    for (int i = 0; i < columns; ++i)
        result.columns.emplace_back(sqlite3_column_name(statement.get(), i));
    for (;;) {
        const int code = sqlite3_step(statement.get());
        if (code == SQLITE_DONE)
            break;
        if (code != SQLITE_ROW)
            failQuery(connection, code, options);
        // One row more than the limit has been read, so it is known that rows were left out.
        if (static_cast<std::int64_t>(result.rows.size()) >= options.maxRows) {
            result.truncated = true;
            break;
        }
        // The progress handler does not run between two cheap rows, so the watch is asked here too.
        if (connection.watch().isOver())
            failQuery(connection, SQLITE_INTERRUPT, options);
        std::int64_t bytes = 0;
        for (int i = 0; i < columns; ++i) {
            // sqlite3_column_bytes() of a number would convert it to text, so only texts and blobs are asked.
            const int type = sqlite3_column_type(statement.get(), i);
            const bool sized = type == SQLITE_TEXT || type == SQLITE_BLOB;
            bytes +=
                static_cast<std::int64_t>(sizeof(QueryCell)) + (sized ? sqlite3_column_bytes(statement.get(), i) : 0);
        }
        held += bytes;
        // Counted before the row is copied, so the limit holds for the memory itself.
        if (held > options.maxBytes.count) {
            result.truncated = true;
            result.tooLarge = true;
            break;
        }
        std::vector<QueryCell>& row = result.rows.emplace_back();
        row.reserve(static_cast<std::size_t>(columns));
        for (int i = 0; i < columns; ++i)
            row.push_back(cellOf(statement.get(), i));
    }
    result.elapsed = options.clock() - begin;
    return result;
}

std::vector<QueryTable> listTables(const std::filesystem::path& workspace)
{
    const Connection connection(workspace, {});
    const store::Database& db = connection.database();
    std::vector<QueryTable> tables;
    store::Statement names =
        // The views come first: they are what queries shall use, and the tables of the schema may change.
        db.prepare("SELECT name, 1 FROM sqlite_temp_schema WHERE type = 'view' UNION ALL SELECT 'event', 1 "
                   "UNION ALL SELECT name, 0 FROM main.sqlite_schema WHERE type = 'table' AND name NOT "
                   "LIKE 'sqlite_%' ORDER BY 2 DESC, 1");
    while (names.step()) {
        QueryTable table{names.text(0), {}, names.integer(1) != 0};
        store::Statement columns = db.query("SELECT name FROM pragma_table_info(?1) ORDER BY cid", table.name);
        while (columns.step())
            table.columns.push_back(columns.text(0));
        tables.push_back(std::move(table));
    }
    return tables;
}

template <typename T>
Result<T> withPlace(Result<T> result, const std::filesystem::path& workspace)
{
    if (result || !result.error().context.empty() || result.error().code == ErrorCode::invalidArgument)
        return result;
    Error error = result.error();
    error.context = workspace.string();
    return error;
}

} // namespace

Result<QueryResult> query(const std::filesystem::path& workspace, const std::string& sql, const QueryOptions& options)
{
    return withPlace(store::guarded([&] { return runQuery(workspace, sql, options); }), workspace);
}

Result<std::vector<QueryTable>> queryTables(const std::filesystem::path& workspace)
{
    return withPlace(store::guarded([&] { return listTables(workspace); }), workspace);
}

} // namespace apertune::query
