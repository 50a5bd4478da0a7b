// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/counter_statistics.h"
#include "core/timeline/timeline.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace apertune::timeline {

/// Statistics of all events of one kind and name that begin in a range.
struct NameStatistics
{
    trace::EventKind kind = trace::EventKind::other;
    analysis::WorkClass workClass = analysis::WorkClass::other;
    trace::StringId name;
    std::int64_t count = 0;
    std::int64_t total = 0; ///< ns; a nested event also counts in its caller
    std::int64_t busy = 0;  ///< ns of the range in which at least one of the events runs, on whatever track
    std::int64_t shortest = 0;
    std::int64_t median = 0; ///< nearest rank
    std::int64_t longest = 0;
    std::optional<std::int64_t> p99; ///< nearest rank; needs at least 299 values
    std::int64_t bytes = 0;          ///< bytes of copies and memsets
    EventRef outlier;                ///< the longest event
    double mean() const { return count > 0 ? static_cast<double>(total) / static_cast<double>(count) : 0; }
};

/// Statistics of a counter, or of allocated memory, in a range.
struct RowCounter
{
    std::uint32_t row = 0;
    analysis::CounterStatistics statistics;
};

/// Statistics of all events in a range.
struct RangeStatistics
{
    trace::TimeRange range;
    std::int64_t events = 0;       ///< events that begin in the range
    std::int64_t deviceWork = 0;   ///< kernels, copies, memsets and graphs among `events`
    std::int64_t deviceBusy = 0;   ///< ns in which at least one device works
    std::int64_t deviceTotal = 0;  ///< ns; sum over all device work, clipped to the range
    trace::TimeRange largestGap;   ///< longest time without work on any device; empty without device work
    std::int64_t toDevice = 0;     ///< bytes of copies
    std::int64_t toDeviceTime = 0; ///< ns
    std::int64_t fromDevice = 0;
    std::int64_t fromDeviceTime = 0;
    std::vector<NameStatistics> names; ///< kernels first, then by total; curves have none
    std::vector<RowCounter> counters;  ///< curves with a value in the range, in the order of rows
};

/// Computes the statistics of a range, of all rows or of `rows` (in order) alone. Returns nullptr when stopped.
/// The cost is O(n log n) in the events that overlap the range.
std::shared_ptr<const RangeStatistics> rangeStatistics(const Timeline& timeline, trace::TimeRange range,
                                                       std::stop_token stop = {},
                                                       const std::vector<std::uint32_t>& rows = {});

/// Returns the durations (ns) of the events behind one line of the statistics, unordered. Empty when stopped.
std::vector<double> durationsOf(const Timeline& timeline, trace::EventKind kind, trace::StringId name,
                                trace::TimeRange range, std::stop_token stop = {});

} // namespace apertune::timeline
