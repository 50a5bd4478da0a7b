// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/query/query_functions.h"

#include "core/base/errors.h"
#include "core/base/json.h"
#include "core/query/errors.h"
#include "core/sentences/sentences.h"
#include "core/store/failure.h"

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <unordered_map>

namespace apertune::query {

namespace {

struct Sum
{
    std::int64_t count = 0;
    double total = 0;
    double min = 0;
    double max = 0;
};
/// The approximate bytes of a histogram's entry without its key.
constexpr std::int64_t kEntryBytes = 128;

/// The state of one SQL group. Its bytes count against the limit of the query.
struct Held
{
    explicit Held(QueryWatch& w) : watch(w) {}
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    ~Held() { watch.release(bytes); }

    QueryWatch& watch;
    std::int64_t bytes = 0;
};

struct Histogram : Held
{
    using Held::Held;
    std::unordered_map<std::string, Sum> sums;
};

struct Sample : Held
{
    using Held::Held;
    std::vector<double> values;
    double percent = 50;
};

/// Ends the query because its time is over or it holds too much.
struct Interrupted
{
};

void throwIfOver(QueryWatch& watch)
{
    if (watch.isOverThrottled())
        throw Interrupted();
}

void hold(Held& state, std::int64_t bytes)
{
    state.bytes += bytes;
    if (!state.watch.hold(bytes))
        throw Interrupted();
}

QueryWatch& watchOf(sqlite3_context* context)
{
    return *static_cast<QueryWatch*>(sqlite3_user_data(context));
}

/// Returns the state of the current SQL group, created at its first row. Throws std::bad_alloc.
template <typename State>
State& stateOf(sqlite3_context* context)
{
    auto** state = static_cast<State**>(sqlite3_aggregate_context(context, sizeof(State*)));
    if (!state)
        throw std::bad_alloc();
    if (!*state)
        // SQLite keeps only raw memory for a group, which it frees without a destructor. histFinal() and
        // percentileFinal() delete the state.
        *state = new State(watchOf(context));
    return **state;
}

/// Takes the state of an SQL group that ends; null when the group had no rows.
template <typename State>
std::unique_ptr<State> endedState(sqlite3_context* context)
{
    auto** state = static_cast<State**>(sqlite3_aggregate_context(context, 0));
    return std::unique_ptr<State>(state ? std::exchange(*state, nullptr) : nullptr);
}

/// Runs C++ code behind the C interface and turns its exceptions into SQLite's errors.
void translateExceptions(sqlite3_context* context, auto&& work)
{
    try {
        const auto result = store::guarded(work);
        if (!result)
            sqlite3_result_error(context, sentences::sentence(result.error().message).c_str(), -1);
    } catch (const Interrupted&) {
        sqlite3_result_error_code(context, SQLITE_INTERRUPT);
    }
}

void histStep(sqlite3_context* context, int, sqlite3_value** arguments)
{
    if (sqlite3_value_type(arguments[1]) == SQLITE_NULL)
        return;
    translateExceptions(context, [&] {
        auto& state = stateOf<Histogram>(context);
        throwIfOver(state.watch);
        const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(arguments[0]));
        const double value = sqlite3_value_double(arguments[1]);
        const auto [entry, added] = state.sums.try_emplace(
            text ? std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(arguments[0]))) : std::string());
        if (added)
            hold(state, kEntryBytes + static_cast<std::int64_t>(entry->first.size()));
        Sum& sum = entry->second;
        sum.min = sum.count == 0 ? value : std::min(sum.min, value);
        sum.max = sum.count == 0 ? value : std::max(sum.max, value);
        sum.total += value;
        ++sum.count;
    });
}

void histFinal(sqlite3_context* context)
{
    translateExceptions(context, [&] {
        // SQLite also calls this to free the state of an interrupted query.
        const auto histogram = endedState<Histogram>(context);
        QueryWatch& watch = watchOf(context);
        if (watch.isOver())
            throw Interrupted();
        using Entry = std::pair<const std::string, Sum>;
        std::vector<const Entry*> rows;
        if (histogram)
            for (const Entry& entry : histogram->sums)
                rows.push_back(&entry);
        std::sort(rows.begin(), rows.end(), [&](const Entry* a, const Entry* b) {
            throwIfOver(watch);
            return a->second.total != b->second.total ? a->second.total > b->second.total : a->first < b->first;
        });
        std::string text = "[";
        for (const Entry* row : rows) {
            throwIfOver(watch);
            const base::Json json{{"key", row->first},
                                  {"count", row->second.count},
                                  {"total", row->second.total},
                                  {"min", row->second.min},
                                  {"max", row->second.max}};
            text += (text.size() > 1 ? "," : "") + json.dump(-1, ' ', false, base::Json::error_handler_t::replace);
        }
        text += ']';
        sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    });
}

void percentileStep(sqlite3_context* context, int, sqlite3_value** arguments)
{
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    translateExceptions(context, [&] {
        auto& state = stateOf<Sample>(context);
        throwIfOver(state.watch);
        state.percent = sqlite3_value_double(arguments[1]);
        hold(state, sizeof(double));
        state.values.push_back(sqlite3_value_double(arguments[0]));
    });
}

void percentileFinal(sqlite3_context* context)
{
    translateExceptions(context, [&] {
        const auto sample = endedState<Sample>(context);
        if (watchOf(context).isOver())
            throw Interrupted();
        if (!sample || sample->values.empty())
            return;
        if (!(sample->percent >= 0 && sample->percent <= 100)) {
            sqlite3_result_error(context, "percentile(value, p): p must lie between 0 and 100", -1);
            return;
        }
        std::vector<double>& values = sample->values;
        // Linear between the two nearest values, as numpy.percentile() by default.
        const double at = sample->percent / 100 * static_cast<double>(values.size() - 1);
        const auto low = static_cast<std::size_t>(at);
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(low);
        std::nth_element(values.begin(), middle, values.end());
        const double below = *middle;
        const double above = low + 1 < values.size() ? *std::min_element(middle + 1, values.end()) : below;
        sqlite3_result_double(context, below + (at - static_cast<double>(low)) * (above - below));
    });
}

} // namespace

void registerFunctions(const store::Database& db, QueryWatch& watch)
{
    constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    if (sqlite3_create_function_v2(db.handle(), "hist", 2, kFlags, &watch, nullptr, histStep, histFinal, nullptr) !=
            SQLITE_OK ||
        sqlite3_create_function_v2(db.handle(), "percentile", 2, kFlags, &watch, nullptr, percentileStep,
                                   percentileFinal, nullptr) != SQLITE_OK)
        store::fail({base::ErrorCode::internal,
                     base::message<errors::kNoFunctions>(),
                     {},
                     base::message<base::errors::kPleaseReport>()});
}

} // namespace apertune::query
