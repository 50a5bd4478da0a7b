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

/// All events of one kind and name that begin in a range.
struct NameStatistics
{
    trace::EventKind kind = trace::EventKind::other;
    analysis::WorkClass workClass = analysis::WorkClass::other;
    trace::StringId name;
    std::int64_t count = 0;
    std::int64_t total = 0; ///< ns; what nests counts in the caller as well
    std::int64_t shortest = 0;
    std::int64_t median = 0; ///< nearest rank
    std::int64_t longest = 0;
    std::optional<std::int64_t> p99; ///< nearest rank; only of the 299 values that it takes
    std::int64_t bytes = 0;          ///< of copies and fills
    EventRef outlier;                ///< the longest one
    double mean() const { return count > 0 ? static_cast<double>(total) / static_cast<double>(count) : 0; }
};

/// What a counter, or the memory that was held, did in a range.
struct RowCounter
{
    std::uint32_t row = 0;
    analysis::CounterStatistics statistics;
};

/// What happened between two instants.
struct RangeStatistics
{
    trace::TimeRange range;
    std::int64_t events = 0;       ///< that begin in it
    std::int64_t deviceWork = 0;   ///< kernels, copies, fills and graphs of them
    std::int64_t deviceBusy = 0;   ///< ns in which some device works, counted once
    std::int64_t deviceTotal = 0;  ///< sum of the parts of all device work in it
    trace::TimeRange largestGap;   ///< longest time without work on any device; empty without device work
    std::int64_t toDevice = 0;     ///< bytes of copies
    std::int64_t toDeviceTime = 0; ///< ns
    std::int64_t fromDevice = 0;
    std::int64_t fromDeviceTime = 0;
    std::vector<NameStatistics> names; ///< kernels first, then by total; curves have none
    std::vector<RowCounter> counters;  ///< curves that have a value in it, as the rows go
};

/// n log n in the events that touch the range. Of `rows` alone (in order) where any are named. nullptr when stopped.
std::shared_ptr<const RangeStatistics> rangeStatistics(const Timeline& timeline, trace::TimeRange range,
                                                       std::stop_token stop = {},
                                                       const std::vector<std::uint32_t>& rows = {});

/// The durations (ns) behind one line of it, in no order. Empty when stopped.
std::vector<double> durationsOf(const Timeline& timeline, trace::EventKind kind, trace::StringId name,
                                trace::TimeRange range, std::stop_token stop = {});

} // namespace apertune::timeline
