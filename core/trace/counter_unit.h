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

/// The labels of the counters of the framework's allocator, in bytes: memory that it handed out, and memory that it
/// holds from the driver. They belong to the device of the track (-1: the host) and include what was allocated before
/// the recording.
inline constexpr std::string_view kAllocatedMemory = "Memory allocated";
inline constexpr std::string_view kReservedMemory = "Memory reserved";

/// Returns "1e-3 %" for "%" with 3 decimals, "1e-3" for "" with 3, and the unit itself with 0 decimals.
/// REQUIRES: decimals is in 0…kMostDecimals.
std::string unitWithDecimals(std::string_view unit, int decimals);

/// A unit in its two parts: a power of ten and a name.
struct CounterUnit
{
    int decimals = 0;
    std::string_view unit; ///< name of the unit, without the power of ten
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
/// Returns the shortest decimal that equals the number, or the nearest one with kMostDecimals. Returns nullopt when
/// none fits (infinite, too large).
std::optional<Sample> sampleOf(double number);

/// Appends value · 10^-decimals as text: "54.123".
void appendSample(std::string& out, const Sample& sample);

/// Brings the samples of one track to the same number of decimals and returns how many samples lost digits.
/// - When `unit` has decimals or is `fixed`, it decides.
/// - Otherwise the largest number of any sample decides (fewer when a large sample leaves no room), and `unit` is
///   changed to it.
/// - On entry, Event::detail of each sample holds its decimals. On return it is 0.
std::int64_t alignSamples(EventColumns& samples, std::string& unit, bool fixed = false);

} // namespace apertune::trace
