// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apertune::trace {

// Samples of a counter are integers in the unit of its track, so that they compress well and are restored exactly. The
// unit of fractions begins with a power of ten: 54123 in "1e-3 %" is 54.123 %. Value and unit are correct together,
// even for a reader that does not know this rule.

inline constexpr int kMostDecimals = 9;

/// The labels of counters that hold what the framework's allocator has handed out and what it holds back from the
/// driver, in bytes, of the device of the track (-1: the host). They include what was there before the recording.
inline constexpr std::string_view kAllocatedMemory = "Memory allocated";
inline constexpr std::string_view kReservedMemory = "Memory reserved";

/// "%" with 3 decimals is "1e-3 %", "" is "1e-3"; with 0 decimals the unit itself. REQUIRES: 0..kMostDecimals
std::string unitWithDecimals(std::string_view unit, int decimals);

struct CounterUnit
{
    int decimals = 0;
    std::string_view unit; ///< without the power of ten
    double factor() const; ///< factor that converts an integer sample to `unit`
};
/// Parses a text of unitWithDecimals(). Any other text is a unit with 0 decimals.
CounterUnit readCounterUnit(std::string_view unit);

/// A decimal number: value · 10^-decimals.
struct Sample
{
    std::int64_t value = 0;
    int decimals = 0;
    bool operator==(const Sample&) const = default;
};
/// The shortest decimal that is the number, or the nearest with kMostDecimals. nullopt: none fits (infinite, too
/// large).
std::optional<Sample> sampleOf(double number);

/// Appends value · 10^-decimals as text: "54.123".
void appendSample(std::string& out, const Sample& sample);

/// Brings the samples of one track to the same decimals: those of `unit` when it has some or is `fixed`, and otherwise
/// the most that any sample has (fewer where a large one leaves no room for them), which `unit` then says. While they
/// are collected, Event::detail holds the decimals of each; afterwards it is 0. Returns how many samples lost digits.
std::int64_t alignSamples(EventColumns& samples, std::string& unit, bool fixed = false);

} // namespace apertune::trace
