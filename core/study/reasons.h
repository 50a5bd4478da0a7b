// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::study::reasons {

using base::MessageKind;

inline constexpr MessageKind kBudgetSpent{"study.budget_spent", {"budget"}};
inline constexpr MessageKind kBatchSearchEnded{"study.batch_search_ended"};
inline constexpr MessageKind kLargestBatch{"study.largest_batch", {"batch", "reason", "reach"}};
inline constexpr MessageKind kNotConvertedInTime{"study.not_converted_in_time", {"spent"}};
inline constexpr MessageKind kTooSlow{"study.too_slow", {"pass", "ratio"}};
inline constexpr MessageKind kNotANumber{"study.not_a_number", {"count"}};
inline constexpr MessageKind kBatchOutOfMemory{"study.batch_out_of_memory", {"batch"}};
inline constexpr MessageKind kBatchAboveLimit{"study.batch_above_limit", {"batch", "peak", "limit"}};
inline constexpr MessageKind kDeviceGone{"study.device_gone"};
inline constexpr MessageKind kNoMoreBlocks{"study.no_more_blocks"};
inline constexpr MessageKind kUnreadableAnswer{"study.unreadable_answer", {"why"}};
inline constexpr MessageKind kNothingCompiles{"study.nothing_compiles"};
inline constexpr MessageKind kBelowQualityBound{"study.below_quality_bound", {"cosine", "bound"}};
inline constexpr MessageKind kBeyondRelError{"study.beyond_rel_error", {"error", "bound"}};
inline constexpr MessageKind kBeyondAbsError{"study.beyond_abs_error", {"error", "bound"}};

// Messages of a running sweep.
inline constexpr MessageKind kStaysUnconfirmed{"study.stays_unconfirmed", {"needed", "left"}};
inline constexpr MessageKind kConfirming{"study.confirming", {"winner", "others"}};
inline constexpr MessageKind kNotCompared{"study.not_compared", {"reason"}};
inline constexpr MessageKind kTooFewRounds{"study.too_few_rounds", {"rounds", "needed"}};
inline constexpr MessageKind kTooFewPasses{"study.too_few_passes"};
inline constexpr MessageKind kNotMeasuredAgain{"study.not_measured_again", {"reason"}};
inline constexpr MessageKind kBadTimers{"study.bad_timers", {"problem"}};
inline constexpr MessageKind kNoReference{"study.no_reference", {"batch", "device", "reason"}};
inline constexpr MessageKind kNote{"study.note", {"configuration", "note"}};
inline constexpr MessageKind kTimingPasses{"study.timing_passes", {"passes", "configuration", "percentile"}};
inline constexpr MessageKind kFewPasses{"study.few_passes", {"passes", "needed"}};
inline constexpr MessageKind kPercentileUnknown{"study.percentile_unknown", {"configuration", "reason"}};
inline constexpr MessageKind kDriftStopped{"study.drift_monitoring_stopped", {"reason"}};
inline constexpr MessageKind kWaitingForQuiet{"study.waiting_for_quiet", {"left"}};
inline constexpr MessageKind kFewerThreads{"study.fewer_threads", {"configuration", "threads"}};
inline constexpr MessageKind kUsingRest{"study.using_rest", {"left"}};
inline constexpr MessageKind kPassiveWaits{"study.passive_waits", {"setting"}};
inline constexpr MessageKind kStoreWaits{"study.store_waits", {"problem", "hint"}};
inline constexpr MessageKind kStoreGoesOn{"study.store_goes_on", {"time"}};
inline constexpr MessageKind kGpuInUse{"study.gpu_in_use", {"device", "processes", "memory", "load"}};
inline constexpr MessageKind kCheckingInterference{"study.checking_interference", {"devices"}};
inline constexpr MessageKind kDevicesUndisturbed{"study.devices_undisturbed", {"devices", "figures", "bound"}};
inline constexpr MessageKind kDevicesDisturbed{"study.devices_disturbed", {"figures", "bound"}};
inline constexpr MessageKind kInterferenceUnknown{"study.interference_unknown", {"figures", "bound"}};
inline constexpr MessageKind kInterferenceUnmeasured{"study.interference_unmeasured", {"devices", "reason"}};
inline constexpr MessageKind kInterferenceNeedsTime{"study.interference_needs_time"};
inline constexpr MessageKind kNothingToCheckWith{"study.nothing_to_check_with", {"device"}};
inline constexpr MessageKind kNoiseFloor{"study.measuring_noise_floor"};

// Remarks on an estimate of memory.
inline constexpr MessageKind kMemoryByLayers{"study.memory_by_layers"};
inline constexpr MessageKind kMemoryByEngine{"study.memory_by_engine"};
inline constexpr MessageKind kMemoryByProbe{"study.memory_by_probe", {"configuration"}};
inline constexpr MessageKind kMemoryByProbes{"study.memory_by_probes", {"configuration"}};
inline constexpr MessageKind kMemoryNeedsProbes{"study.memory_needs_probes"};
inline constexpr MessageKind kMemoryUnchecked{"study.memory_unchecked"};
inline constexpr MessageKind kMemoryError{"study.memory_error", {"batches", "largest", "median"}};
inline constexpr MessageKind kMemoryLimit{"study.memory_limit", {"limit"}};
inline constexpr MessageKind kMemoryEdge{"study.memory_edge", {"limit", "batch", "sure"}};
inline constexpr MessageKind kMemoryUnsureEdge{"study.memory_unsure_edge", {"limit", "batch"}};
inline constexpr MessageKind kMemoryFitsNone{"study.memory_fits_none", {"limit"}};

inline constexpr MessageKind kPairOf{"study.pair_of", {"pair", "pairs"}};

inline constexpr std::array kAll{kBudgetSpent,
                                 kBatchSearchEnded,
                                 kLargestBatch,
                                 kNotConvertedInTime,
                                 kTooSlow,
                                 kNotANumber,
                                 kBatchOutOfMemory,
                                 kBatchAboveLimit,
                                 kDeviceGone,
                                 kNoMoreBlocks,
                                 kBelowQualityBound,
                                 kUnreadableAnswer,
                                 kNothingCompiles,
                                 kStaysUnconfirmed,
                                 kConfirming,
                                 kNotCompared,
                                 kTooFewRounds,
                                 kTooFewPasses,
                                 kNotMeasuredAgain,
                                 kBadTimers,
                                 kNoReference,
                                 kNote,
                                 kTimingPasses,
                                 kFewPasses,
                                 kPercentileUnknown,
                                 kDriftStopped,
                                 kWaitingForQuiet,
                                 kFewerThreads,
                                 kUsingRest,
                                 kNoiseFloor,
                                 kCheckingInterference,
                                 kDevicesUndisturbed,
                                 kDevicesDisturbed,
                                 kInterferenceUnknown,
                                 kInterferenceUnmeasured,
                                 kInterferenceNeedsTime,
                                 kNothingToCheckWith,
                                 kPassiveWaits,
                                 kGpuInUse,
                                 kStoreWaits,
                                 kStoreGoesOn,
                                 kBeyondRelError,
                                 kBeyondAbsError,
                                 kMemoryByLayers,
                                 kMemoryByEngine,
                                 kMemoryByProbe,
                                 kMemoryByProbes,
                                 kMemoryNeedsProbes,
                                 kMemoryUnchecked,
                                 kMemoryError,
                                 kMemoryLimit,
                                 kMemoryEdge,
                                 kMemoryUnsureEdge,
                                 kMemoryFitsNone,
                                 kPairOf};

} // namespace apertune::study::reasons
