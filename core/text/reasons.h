// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::text::reasons {

using base::MessageKind;

inline constexpr MessageKind kConfiguration{"text.configuration", {"before", "batch"}};
inline constexpr MessageKind kConfigurationWith{"text.configuration_with", {"before", "batch", "more"}};
inline constexpr MessageKind kBoundLatency{"text.bound_latency", {"latency"}};
inline constexpr MessageKind kBoundPercentile{"text.bound_percentile", {"percentile", "latency"}};
inline constexpr MessageKind kBoundEnergy{"text.bound_energy", {"millijoules"}};
inline constexpr MessageKind kBoundFirst{"text.bound_first", {"time"}};
inline constexpr MessageKind kBoundMemory{"text.bound_memory", {"memory"}};
inline constexpr MessageKind kBoundQuality{"text.bound_quality", {"cosine"}};
inline constexpr MessageKind kBoundRelError{"text.bound_rel_error", {"error"}};
inline constexpr MessageKind kBoundAbsError{"text.bound_abs_error", {"error"}};
inline constexpr MessageKind kAgreement{"text.agreement", {"agreeing", "samples"}};
inline constexpr MessageKind kNotRun{"text.not_run", {"study"}};
inline constexpr MessageKind kReasonOfKind{"text.reason_of_kind", {"kind", "reason"}};
inline constexpr MessageKind kModes{"text.modes", {"low", "share", "high"}};
inline constexpr MessageKind kGiveMoreBudget{"text.give_more_budget"};
inline constexpr MessageKind kMeasureWithoutBudget{"text.measure_without_budget"};
inline constexpr MessageKind kUseWiderPrecision{"text.use_wider_precision"};

inline constexpr std::array kAll{kConfiguration,    kConfigurationWith,
                                 kBoundLatency,     kBoundPercentile,
                                 kBoundEnergy,      kBoundFirst,
                                 kBoundMemory,      kBoundQuality,
                                 kBoundRelError,    kBoundAbsError,
                                 kAgreement,        kNotRun,
                                 kReasonOfKind,     kModes,
                                 kGiveMoreBudget,   kMeasureWithoutBudget,
                                 kUseWiderPrecision};

} // namespace apertune::text::reasons
