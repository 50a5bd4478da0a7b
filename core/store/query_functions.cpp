// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"
#include "core/store/failure.h"
#include "core/store/query_views.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <sqlite3.h>
#include <unordered_map>

namespace apertune::store {

namespace {

struct Sum
{
    std::int64_t count = 0;
    double total = 0;
    double min = 0;
    double max = 0;
};
using Histogram = std::unordered_map<std::string, Sum>;

struct Sample
{
    std::vector<double> values;
    double percent = 50;
};

/// The state of one group, made at its first row. nullptr without memory, or when there was no row.
template <typename State>
State** stateOf(sqlite3_context* context, bool make)
{
    auto** state = static_cast<State**>(sqlite3_aggregate_context(context, make ? sizeof(State*) : 0));
    if (state && !*state && make)
        *state = new State;
    return state;
}

/// Runs what may throw behind the C interface.
void shielded(sqlite3_context* context, auto&& work)
{
    const auto result = guarded(work);
    if (!result)
        sqlite3_result_error(context, result.error().message.c_str(), -1);
}

void histStep(sqlite3_context* context, int, sqlite3_value** arguments)
{
    if (sqlite3_value_type(arguments[1]) == SQLITE_NULL)
        return;
    shielded(context, [&] {
        Histogram** state = stateOf<Histogram>(context, true);
        if (!state)
            throw std::bad_alloc();
        const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(arguments[0]));
        const double value = sqlite3_value_double(arguments[1]);
        Sum& sum = (**state)[text ? std::string(text, static_cast<std::size_t>(sqlite3_value_bytes(arguments[0])))
                                  : std::string()];
        sum.min = sum.count == 0 ? value : std::min(sum.min, value);
        sum.max = sum.count == 0 ? value : std::max(sum.max, value);
        sum.total += value;
        ++sum.count;
    });
}

void histFinal(sqlite3_context* context)
{
    shielded(context, [&] {
        Histogram** state = stateOf<Histogram>(context, false);
        const std::unique_ptr<Histogram> histogram(state ? std::exchange(*state, nullptr) : nullptr);
        std::vector<std::pair<std::string, Sum>> rows;
        if (histogram)
            rows.assign(histogram->begin(), histogram->end());
        std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
            return a.second.total != b.second.total ? a.second.total > b.second.total : a.first < b.first;
        });
        base::Json list = base::Json::array();
        for (const auto& [key, sum] : rows)
            list.push_back(
                {{"key", key}, {"count", sum.count}, {"total", sum.total}, {"min", sum.min}, {"max", sum.max}});
        const std::string text = list.dump(-1, ' ', false, base::Json::error_handler_t::replace);
        sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    });
}

void percentileStep(sqlite3_context* context, int, sqlite3_value** arguments)
{
    if (sqlite3_value_type(arguments[0]) == SQLITE_NULL)
        return;
    shielded(context, [&] {
        Sample** state = stateOf<Sample>(context, true);
        if (!state)
            throw std::bad_alloc();
        (*state)->percent = sqlite3_value_double(arguments[1]);
        (*state)->values.push_back(sqlite3_value_double(arguments[0]));
    });
}

void percentileFinal(sqlite3_context* context)
{
    shielded(context, [&] {
        Sample** state = stateOf<Sample>(context, false);
        const std::unique_ptr<Sample> sample(state ? std::exchange(*state, nullptr) : nullptr);
        if (!sample || sample->values.empty())
            return;
        if (!(sample->percent >= 0 && sample->percent <= 100)) {
            sqlite3_result_error(context, "percentile(value, p): p must lie between 0 and 100", -1);
            return;
        }
        std::vector<double>& values = sample->values;
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

void registerFunctions(const Database& db)
{
    constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    if (sqlite3_create_function_v2(db.handle(), "hist", 2, kFlags, nullptr, nullptr, histStep, histFinal, nullptr) !=
            SQLITE_OK ||
        sqlite3_create_function_v2(db.handle(), "percentile", 2, kFlags, nullptr, nullptr, percentileStep,
                                   percentileFinal, nullptr) != SQLITE_OK)
        fail({base::ErrorCode::internal, "The functions of queries cannot be added.", {}, "Please report this."});
}

} // namespace apertune::store
