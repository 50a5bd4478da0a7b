// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace apertune::base {

/// A duration or a point on CLOCK_MONOTONIC, in integer nanoseconds.
struct Nanoseconds
{
    std::int64_t count = 0;

    constexpr auto operator<=>(const Nanoseconds&) const = default;
    constexpr Nanoseconds operator+(Nanoseconds o) const { return {count + o.count}; }
    constexpr Nanoseconds operator-(Nanoseconds o) const { return {count - o.count}; }
    constexpr Nanoseconds& operator+=(Nanoseconds o)
    {
        count += o.count;
        return *this;
    }
    constexpr double seconds() const { return static_cast<double>(count) * 1e-9; }
    constexpr double milliseconds() const { return static_cast<double>(count) * 1e-6; }
};

/// Rounds to the nearest nanosecond. A value that does not fit becomes about ±292 years. NaN becomes 0.
constexpr Nanoseconds roundedNanoseconds(double ns)
{
    constexpr double kMost = 9.2e18;
    if (ns >= kMost || ns <= -kMost)
        return {static_cast<std::int64_t>(ns < 0 ? -kMost : kMost)};
    return {ns == ns ? static_cast<std::int64_t>(ns + (ns < 0 ? -0.5 : 0.5)) : 0};
}
/// Converts seconds. Rounding makes 1.001 s exactly 1,001,000,000 ns, although the double is a little less.
constexpr Nanoseconds fromSeconds(double s)
{
    return roundedNanoseconds(s * 1e9);
}
constexpr Nanoseconds fromMilliseconds(double ms)
{
    return roundedNanoseconds(ms * 1e6);
}

// Factors between a unit and the one that people read.
inline constexpr double kMsPerNs = 1e-6;
inline constexpr double kMilli = 1e-3; ///< watts of a milliwatt, joules of a millijoule

/// A size in memory or on disk.
struct Bytes
{
    std::int64_t count = 0;

    constexpr auto operator<=>(const Bytes&) const = default;
    constexpr Bytes operator+(Bytes o) const { return {count + o.count}; }
    constexpr Bytes operator-(Bytes o) const { return {count - o.count}; }
};

/// What a rate counts: a model's samples are images or something else (model::ModelRef::rateUnit()).
enum class RateUnit { samples, images };

/// Returns the word behind a rate in all forms: "samples/s" or "img/s".
constexpr std::string_view toString(RateUnit unit)
{
    return unit == RateUnit::images ? "img/s" : "samples/s";
}

/// A row number of one table, which cannot be confused with that of another table. 0 means "not stored yet".
template <typename Tag>
struct StrongId
{
    std::int64_t value = 0;
    constexpr auto operator<=>(const StrongId&) const = default;
    constexpr explicit operator bool() const { return value != 0; }
};

/// Baseline and Candidate are distinct types, so a caller cannot swap the two sides of a comparison.
template <typename T>
struct Baseline
{
    const T& value;
};
template <typename T>
struct Candidate
{
    const T& value;
};

} // namespace apertune::base
