// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::runs::reasons {

using base::MessageKind;

inline constexpr MessageKind kSwitchChange{"runs.switch_change", {"switch", "state"}};
inline constexpr MessageKind kThreadsChange{"runs.threads_change", {"threads"}};
inline constexpr MessageKind kRangePredicted{"runs.predicted_range", {"lo", "hi"}};
inline constexpr MessageKind kOnePredicted{"runs.predicted", {"hi"}};
inline constexpr MessageKind kNotOfThisMachine{"runs.not_of_this_machine"};
inline constexpr MessageKind kPrunedForBudget{"runs.pruned_for_budget", {"reason"}};
inline constexpr MessageKind kChangedNotRun{"runs.changed_not_run", {"change", "reason"}};
inline constexpr MessageKind kUnchangedNotRun{"runs.unchanged_not_run", {"reason"}};
inline constexpr MessageKind kNotInEffect{"runs.not_in_effect", {"change"}};
inline constexpr MessageKind kNotInEffectBecause{"runs.not_in_effect_because", {"change", "how"}};
inline constexpr MessageKind kProved{"runs.proved", {"saved", "lo", "hi", "predicted"}};
inline constexpr MessageKind kProvedMore{"runs.proved_more", {"saved", "lo", "hi", "predicted"}};
inline constexpr MessageKind kProvedLess{"runs.proved_less", {"saved", "lo", "hi", "predicted"}};
inline constexpr MessageKind kRefutedFarLess{"runs.refuted_far_less", {"lo", "hi", "predicted"}};
inline constexpr MessageKind kRefutedSlower{"runs.refuted_slower", {"lo", "hi", "predicted"}};
inline constexpr MessageKind kRefutedNothing{"runs.refuted_nothing", {"lo", "hi", "predicted"}};
inline constexpr MessageKind kTooFewBlocks{"runs.too_few_blocks", {"blocks"}};
inline constexpr MessageKind kCannotTell{"runs.cannot_tell", {"lo", "hi", "predicted"}};
inline constexpr MessageKind kCosine{"runs.cosine", {"cosine"}};
inline constexpr MessageKind kQualityUnknown{"runs.quality_unknown"};
inline constexpr MessageKind kNoMix{"runs.no_mix"};
inline constexpr MessageKind kNoMixInBound{"runs.no_mix_in_bound", {"measured", "quality", "bound", "kept", "layers"}};
inline constexpr MessageKind kFastestMix{"runs.fastest_mix", {"kept", "layers", "time", "quality", "bound"}};
inline constexpr MessageKind kFloatUndecided{"runs.float_undecided", {"time"}};
inline constexpr MessageKind kFasterThanFloat{"runs.faster_than_float", {"ratio"}};
inline constexpr MessageKind kSlowerThanFloat{"runs.slower_than_float", {"ratio"}};
inline constexpr MessageKind kAsFastAsFloat{"runs.as_fast_as_float", {"ratio"}};
inline constexpr MessageKind kFloatCannotTell{"runs.float_cannot_tell", {"ratio"}};

inline constexpr MessageKind kServingPasses{"runs.serving_passes", {"percent"}};
inline constexpr MessageKind kServingRate{"runs.serving_rate", {"rate", "percent"}};
inline constexpr MessageKind kServingSingleStream{"runs.serving_single_stream", {"percent"}};
inline constexpr MessageKind kServingMultiStream{"runs.serving_multi_stream", {"percent"}};
inline constexpr MessageKind kServingOffline{"runs.serving_offline", {"percent"}};
inline constexpr MessageKind kServingServer{"runs.serving_server", {"percent"}};
inline constexpr MessageKind kServingCamera{"runs.serving_camera", {"percent"}};

inline constexpr std::array kAll{kSwitchChange,
                                 kThreadsChange,
                                 kRangePredicted,
                                 kOnePredicted,
                                 kNotOfThisMachine,
                                 kPrunedForBudget,
                                 kChangedNotRun,
                                 kUnchangedNotRun,
                                 kNotInEffect,
                                 kNotInEffectBecause,
                                 kProved,
                                 kProvedMore,
                                 kProvedLess,
                                 kRefutedFarLess,
                                 kRefutedSlower,
                                 kRefutedNothing,
                                 kTooFewBlocks,
                                 kCannotTell,
                                 kCosine,
                                 kQualityUnknown,
                                 kNoMix,
                                 kNoMixInBound,
                                 kFastestMix,
                                 kFloatUndecided,
                                 kFasterThanFloat,
                                 kSlowerThanFloat,
                                 kAsFastAsFloat,
                                 kFloatCannotTell,
                                 kServingPasses,
                                 kServingRate,
                                 kServingSingleStream,
                                 kServingMultiStream,
                                 kServingOffline,
                                 kServingServer,
                                 kServingCamera};

} // namespace apertune::runs::reasons
