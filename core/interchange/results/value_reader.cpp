// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/results/value_reader.h"

#include "core/base/text.h"
#include "core/interchange/results/errors.h"
#include "core/interchange/results/reasons.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace apertune::interchange::results {

std::optional<double> numberOf(std::string_view text)
{
    text = base::trimmed(text);
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<double> timeOf(std::optional<double> number, double nsPerUnit)
{
    constexpr double kLongest = 1e18; // 31 years, which fits base::Nanoseconds
    if (!number || !(*number * nsPerUnit > 0) || *number * nsPerUnit > kLongest)
        return std::nullopt;
    return *number * nsPerUnit;
}

int countOf(std::optional<double> number)
{
    constexpr double kMost = 1e6;
    return number && *number >= 1 && *number <= kMost ? static_cast<int>(*number) : 0;
}

std::optional<double> ValueReader::read(std::string_view name, std::string_view text)
{
    const auto value = numberOf(text);
    if (!value && !m_refusal && text.find(',') != std::string_view::npos &&
        text.find_first_not_of("+-0123456789.,") == std::string_view::npos)
        m_refusal = base::Error{base::ErrorCode::corrupt,
                                base::message<errors::kComma>(m_tool, std::string(text), std::string(name)),
                                {},
                                base::message<errors::kDecimalPoint>()};
    return value;
}

std::optional<double> ValueReader::number(std::string_view name, std::string_view text)
{
    constexpr double kMost = 1e15; // more than any machine does in a second
    text = base::trimmed(text);
    const auto value = read(name, text);
    if (value && *value >= 0 && *value <= kMost)
        return value;
    if (!text.empty())
        m_result.remarks.push_back(base::message<reasons::kUnreadValue>(std::string(text), std::string(name)));
    return std::nullopt;
}

std::optional<double> ValueReader::time(std::string_view name, std::string_view text, double nsPerUnit)
{
    text = base::trimmed(text);
    const auto value = timeOf(read(name, text), nsPerUnit);
    if (!value && !text.empty())
        m_result.remarks.push_back(base::message<reasons::kUnreadValue>(std::string(text), std::string(name)));
    return value;
}

void remarkContradictions(ForeignResult& result)
{
    const std::array<std::pair<const char*, std::optional<double>>, 4> percentiles{
        {{"median", result.median}, {"p90", result.p90}, {"p95", result.p95}, {"p99", result.p99}}};
    const std::pair<const char*, std::optional<double>>* below = nullptr;
    for (const auto& percentile : percentiles) {
        if (!percentile.second)
            continue;
        if (below && *percentile.second < *below->second)
            result.remarks.push_back(
                base::message<reasons::kDisorder>(std::string(percentile.first), std::string(below->first)));
        below = &percentile;
    }
    if (!result.passes.empty()) {
        const auto [shortest, longest] = std::minmax_element(result.passes.begin(), result.passes.end());
        constexpr double kRounding = 1e-3;
        for (const auto& [name, value] : {std::pair{"median", result.median}, {"mean", result.mean}})
            if (value && (*value < *shortest * (1 - kRounding) || *value > *longest * (1 + kRounding)))
                result.remarks.push_back(base::message<reasons::kOutsidePasses>(std::string(name)));
    }
    // By Little's law, as many samples are in flight as the throughput times the latency.
    constexpr double kTolerated = 1.5;
    const std::optional<double> latency = result.mean ? result.mean : result.median;
    const std::int64_t told = std::int64_t{result.concurrency} * std::max(1, result.batch);
    if (result.concurrency > 0 && result.perSecond && latency) {
        const double needed = *result.perSecond * *latency / kSecond;
        if (needed > kTolerated * static_cast<double>(told))
            result.remarks.push_back(
                base::message<reasons::kRateContradicts>(base::formatSignificant(needed, 3), told));
    }
}

} // namespace apertune::interchange::results
