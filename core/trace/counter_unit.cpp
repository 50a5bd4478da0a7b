// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/counter_unit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace apertune::trace {

namespace {

constexpr std::array<std::int64_t, kMostDecimals + 1> kPowers = {
    1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

std::int64_t power(int decimals)
{
    return kPowers[static_cast<std::size_t>(decimals)];
}

/// Divides and rounds half away from zero.
std::int64_t divided(std::int64_t value, std::int64_t by)
{
    const std::int64_t rest = value % by;
    return value / by + (rest * 2 >= by ? 1 : rest * 2 <= -by ? -1 : 0);
}

} // namespace

std::string unitWithDecimals(std::string_view unit, int decimals)
{
    std::string text;
    if (decimals > 0) {
        text = "1e-" + std::to_string(decimals);
        text += unit.empty() ? "" : " ";
    }
    return text.append(unit);
}

CounterUnit readCounterUnit(std::string_view unit)
{
    constexpr std::string_view kBegin = "1e-";
    // Only the form that unitWithDecimals() writes counts; other units may begin alike.
    const bool scaled = unit.starts_with(kBegin) && unit.size() > kBegin.size() && unit[3] >= '1' && unit[3] <= '9' &&
                        (unit.size() == 4 || (unit.size() > 5 && unit[4] == ' '));
    if (!scaled)
        return {0, unit};
    return {unit[3] - '0', unit.substr(std::min<std::size_t>(unit.size(), 5))};
}

double CounterUnit::factor() const
{
    return 1.0 / static_cast<double>(power(decimals));
}

std::optional<Sample> sampleOf(double number)
{
    constexpr double kLargest = 9e18; // safely below 2^63, which a double cannot miss by rounding
    if (!std::isfinite(number) || std::abs(number) > kLargest)
        return std::nullopt;
    Sample sample;
    // The fewest decimals that give the number back exactly are taken.
    for (int decimals = 0; decimals <= kMostDecimals; ++decimals) {
        const double scaled = std::round(number * static_cast<double>(power(decimals)));
        if (std::abs(scaled) > kLargest)
            break;
        sample = {static_cast<std::int64_t>(scaled), decimals};
        if (scaled / static_cast<double>(power(decimals)) == number)
            break;
    }
    return sample;
}

void appendSample(std::string& out, const Sample& sample)
{
    if (sample.decimals == 0) {
        out += std::to_string(sample.value);
        return;
    }
    const auto places = static_cast<std::uint64_t>(power(sample.decimals));
    const std::uint64_t size =
        sample.value < 0 ? 0 - static_cast<std::uint64_t>(sample.value) : static_cast<std::uint64_t>(sample.value);
    // The added power keeps the zeros behind the point. Its leading 1 becomes the point.
    std::string fraction = std::to_string(places + size % places);
    fraction.front() = '.';
    out += (sample.value < 0 ? "-" : "") + std::to_string(size / places) + fraction;
}

std::int64_t alignSamples(EventColumns& samples, std::string& unit, bool fixed)
{
    constexpr std::int64_t kLimit = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t>& values = samples.value;
    values.resize(samples.size());
    const auto decimalsOf = [&](std::size_t i) {
        return samples.detail.empty() ? 0 : static_cast<int>(std::min<std::uint32_t>(samples.detail[i], kMostDecimals));
    };
    const CounterUnit known = readCounterUnit(unit);
    int decimals = known.decimals;
    fixed = fixed || decimals > 0;
    // Without a fixed unit, the finest sample decides.
    for (std::size_t i = 0; i < values.size() && !fixed; ++i)
        decimals = std::max(decimals, decimalsOf(i));
    // Decimals are given up again where the largest value would overflow.
    for (std::size_t i = 0; i < values.size() && !fixed; ++i) {
        // The smallest integer has no positive counterpart, hence the + 1.
        const std::int64_t size = values[i] < 0 ? -(values[i] + 1) : values[i];
        while (decimals > decimalsOf(i) && size >= kLimit / power(decimals - decimalsOf(i)))
            --decimals;
    }
    std::int64_t rounded = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const int more = decimals - decimalsOf(i);
        const std::int64_t value = values[i];
        if (more < 0) {
            rounded += value % power(-more) != 0;
            values[i] = divided(value, power(-more));
            // Only a unit that the caller gave can overflow.
        } else if (__builtin_mul_overflow(value, power(more), &values[i])) {
            values[i] = value < 0 ? std::numeric_limits<std::int64_t>::min() : kLimit;
            ++rounded;
        }
    }
    samples.detail.clear();
    if (!fixed)
        unit = unitWithDecimals(std::string(known.unit), decimals);
    return rounded;
}

} // namespace apertune::trace
