// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::profilers::cupti::reasons {

using base::MessageKind;

// Reasons why a trace is incomplete.
inline constexpr MessageKind kDropped{"cupti.dropped"};
inline constexpr MessageKind kMemoryCap{"cupti.memory_cap"};
inline constexpr MessageKind kBuffersKept{"cupti.buffers_kept"};
inline constexpr MessageKind kStopped{"cupti.stopped", {"why"}};
inline constexpr MessageKind kNvtxElsewhere{"cupti.nvtx_elsewhere", {"receiver"}};
inline constexpr MessageKind kWholeGraphs{"cupti.whole_graphs"};
inline constexpr MessageKind kDoesNotRecord{"cupti.does_not_record", {"what", "why"}};
inline constexpr MessageKind kOwnClock{"cupti.own_clock"};
inline constexpr MessageKind kRecordsNotKept{"cupti.records_not_kept", {"problem"}};
inline constexpr MessageKind kOpenRanges{"cupti.open_ranges"};
inline constexpr MessageKind kMoreThanKept{"cupti.more_than_kept", {"most"}};
inline constexpr MessageKind kUnknownKind{"cupti.unknown_kind", {"kind"}};
inline constexpr MessageKind kUntimed{"cupti.untimed"};
inline constexpr MessageKind kUnreadableBuffers{"cupti.unreadable_buffers"};
inline constexpr MessageKind kSampleClock{"cupti.sample_clock"};
inline constexpr MessageKind kNotSampled{"cupti.not_sampled", {"metrics"}};
inline constexpr MessageKind kSampleBufferFull{"cupti.sample_buffer_full"};
inline constexpr MessageKind kSamplingEnded{"cupti.sampling_ended", {"why"}};
inline constexpr MessageKind kNoSamples{"cupti.no_samples"};
inline constexpr MessageKind kNotCounted{"cupti.not_counted", {"metrics"}};
inline constexpr MessageKind kPassesMissing{"cupti.passes_missing"};
inline constexpr MessageKind kKernelsDropped{"cupti.kernels_dropped"};
inline constexpr MessageKind kKernelsInOrder{"cupti.kernels_in_order"};
inline constexpr MessageKind kKernelsInOrderUntimed{"cupti.kernels_in_order_untimed"};
inline constexpr MessageKind kNoNumbers{"cupti.no_numbers"};

// Names of requests to CUPTI, as parts of sentences.
inline constexpr MessageKind kDeviceProperties{"cupti.device_properties"};
inline constexpr MessageKind kContexts{"cupti.contexts"};
inline constexpr MessageKind kStreams{"cupti.streams"};
inline constexpr MessageKind kRuntimeCalls{"cupti.runtime_calls"};
inline constexpr MessageKind kDriverCalls{"cupti.driver_calls"};
inline constexpr MessageKind kOperatorsBehind{"cupti.operators_behind"};
inline constexpr MessageKind kKernels{"cupti.kernels"};
inline constexpr MessageKind kCopies{"cupti.copies"};
inline constexpr MessageKind kFills{"cupti.fills"};
inline constexpr MessageKind kSynchronisation{"cupti.synchronisation"};
inline constexpr MessageKind kCudaEvents{"cupti.cuda_events"};
inline constexpr MessageKind kAllocations{"cupti.allocations"};
inline constexpr MessageKind kMemoryPools{"cupti.memory_pools"};
inline constexpr MessageKind kOverhead{"cupti.overhead"};
inline constexpr MessageKind kNvtxRanges{"cupti.nvtx_ranges"};
inline constexpr MessageKind kNames{"cupti.names"};
inline constexpr MessageKind kCompilation{"cupti.compilation"};
inline constexpr MessageKind kLinkSpeed{"cupti.link_speed"};
inline constexpr MessageKind kCudaGraphs{"cupti.cuda_graphs"};
inline constexpr MessageKind kSubscriber{"cupti.subscriber"};
inline constexpr MessageKind kItsBuffers{"cupti.its_buffers"};

inline constexpr std::array kAll{kDropped,
                                 kMemoryCap,
                                 kBuffersKept,
                                 kStopped,
                                 kNvtxElsewhere,
                                 kWholeGraphs,
                                 kDoesNotRecord,
                                 kOwnClock,
                                 kRecordsNotKept,
                                 kOpenRanges,
                                 kMoreThanKept,
                                 kUnknownKind,
                                 kUntimed,
                                 kUnreadableBuffers,
                                 kSampleClock,
                                 kNotSampled,
                                 kSampleBufferFull,
                                 kSamplingEnded,
                                 kNoSamples,
                                 kNotCounted,
                                 kPassesMissing,
                                 kKernelsDropped,
                                 kKernelsInOrder,
                                 kKernelsInOrderUntimed,
                                 kNoNumbers,
                                 kDeviceProperties,
                                 kContexts,
                                 kStreams,
                                 kRuntimeCalls,
                                 kDriverCalls,
                                 kOperatorsBehind,
                                 kKernels,
                                 kCopies,
                                 kFills,
                                 kSynchronisation,
                                 kCudaEvents,
                                 kAllocations,
                                 kMemoryPools,
                                 kOverhead,
                                 kNvtxRanges,
                                 kNames,
                                 kCompilation,
                                 kLinkSpeed,
                                 kCudaGraphs,
                                 kSubscriber,
                                 kItsBuffers};

} // namespace apertune::profilers::cupti::reasons
