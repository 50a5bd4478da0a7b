// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::workload::stage_errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kNoDecoders{"pipeline.no_decoders"};
inline constexpr MessageKind kNoAhead{"pipeline.no_ahead"};
inline constexpr MessageKind kTooLargeBatch{"pipeline.too_large_batch", {"batch"}};
inline constexpr MessageKind kNegativeWait{"pipeline.negative_wait"};
inline constexpr MessageKind kNoRate{"pipeline.no_rate"};
inline constexpr MessageKind kNoDuration{"pipeline.no_duration"};
inline constexpr MessageKind kUnreadablePlan{"pipeline.unreadable_plan"};
inline constexpr MessageKind kUnreadableSummary{"pipeline.unreadable_summary"};
inline constexpr MessageKind kUnreadableRun{"pipeline.unreadable_run"};
inline constexpr MessageKind kCancelled{"pipeline.cancelled"};

// Hints on what to do.
inline constexpr MessageKind kAsManyAsSpare{"pipeline.as_many_as_spare"};
inline constexpr MessageKind kTwoAhead{"pipeline.two_ahead"};
inline constexpr MessageKind kBatchLimit{"pipeline.batch_limit", {"batch"}};
inline constexpr MessageKind kZeroWait{"pipeline.zero_wait"};
inline constexpr MessageKind kRateInImages{"pipeline.rate_in_images"};
inline constexpr MessageKind kTenSeconds{"pipeline.ten_seconds"};
inline constexpr MessageKind kVersionThatWrote{"pipeline.version_that_wrote"};
inline constexpr MessageKind kRunPipelineAgain{"pipeline.run_pipeline_again"};

inline constexpr std::array kAll{kNoDecoders,    kNoAhead,          kTooLargeBatch,     kNegativeWait,  kNoRate,
                                 kNoDuration,    kUnreadablePlan,   kUnreadableSummary, kUnreadableRun, kCancelled,
                                 kAsManyAsSpare, kTwoAhead,         kBatchLimit,        kZeroWait,      kRateInImages,
                                 kTenSeconds,    kVersionThatWrote, kRunPipelineAgain};

} // namespace apertune::workload::stage_errors
