// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::trace::reasons {

using base::MessageKind;

// Reasons why a trace is incomplete.
inline constexpr MessageKind kProfilerMissing{"trace.profiler_missing", {"profiler", "reason"}};
inline constexpr MessageKind kGpuNotRecorded{"trace.gpu_not_recorded", {"reason"}};
inline constexpr MessageKind kNoOperators{"trace.no_operators"};
inline constexpr MessageKind kBackendBuffersFull{"trace.backend_buffers_full"};
inline constexpr MessageKind kBackendEventsSenseless{"trace.backend_events_senseless"};
inline constexpr MessageKind kNoNumbers{"trace.no_numbers"};
inline constexpr MessageKind kMoreSamplesThanFit{"trace.more_samples_than_fit"};
inline constexpr MessageKind kSharedIds{"trace.shared_ids"};
inline constexpr MessageKind kLargeSizes{"trace.large_sizes"};
inline constexpr MessageKind kImpossibleTimes{"nsys.impossible_times"}; // workspaces keep the id

inline constexpr std::array kAll{
    kProfilerMissing, kGpuNotRecorded,     kNoOperators, kBackendBuffersFull, kBackendEventsSenseless,
    kNoNumbers,       kMoreSamplesThanFit, kSharedIds,   kLargeSizes,         kImpossibleTimes};

} // namespace apertune::trace::reasons
