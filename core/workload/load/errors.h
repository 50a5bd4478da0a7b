// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::workload::load_errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kNoTime{"scenario.no_time"};
inline constexpr MessageKind kPercentileRange{"scenario.percentile_range"};
inline constexpr MessageKind kNegativeWait{"scenario.negative_wait"};
inline constexpr MessageKind kNoSamples{"scenario.no_samples"};
inline constexpr MessageKind kNoBoundNorRate{"scenario.no_bound_nor_rate"};
inline constexpr MessageKind kNoCamera{"scenario.no_camera"};
inline constexpr MessageKind kJitterRange{"scenario.jitter_range"};
inline constexpr MessageKind kNoQueue{"scenario.no_queue"};
inline constexpr MessageKind kNoPercentile{"scenario.no_percentile", {"name", "text"}};
inline constexpr MessageKind kUnknownKind{"scenario.unknown_kind"};
inline constexpr MessageKind kUnreadable{"scenario.unreadable", {"why"}};
inline constexpr MessageKind kCancelled{"scenario.cancelled"};

// Hints on what to do.
inline constexpr MessageKind kGiveDuration{"scenario.give_duration"};
inline constexpr MessageKind kForExamplePercentile{"scenario.for_example_percentile"};
inline constexpr MessageKind kZeroOrMore{"scenario.zero_or_more"};
inline constexpr MessageKind kAsMlperf{"scenario.as_mlperf"};
inline constexpr MessageKind kRateIsSearched{"scenario.rate_is_searched"};
inline constexpr MessageKind kForExampleCameras{"scenario.for_example_cameras"};
inline constexpr MessageKind kForExampleJitter{"scenario.for_example_jitter"};
inline constexpr MessageKind kNewestFrame{"scenario.newest_frame"};
inline constexpr MessageKind kWritePercentile{"scenario.write_percentile"};

inline constexpr std::array kAll{kNoTime,           kPercentileRange,
                                 kNegativeWait,     kNoSamples,
                                 kNoBoundNorRate,   kNoCamera,
                                 kJitterRange,      kNoQueue,
                                 kNoPercentile,     kUnknownKind,
                                 kUnreadable,       kCancelled,
                                 kGiveDuration,     kForExamplePercentile,
                                 kZeroOrMore,       kAsMlperf,
                                 kRateIsSearched,   kForExampleCameras,
                                 kForExampleJitter, kNewestFrame,
                                 kWritePercentile};

} // namespace apertune::workload::load_errors
