// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

/// What keeps a GPU or its counters from being used, and the remedies. The probe of the machine says it before a
/// measurement, the recorders when they fail. Workspaces hold the ids, so these keep the names of the recorders.
namespace apertune::model::gpu_obstacles {

using base::MessageKind;

inline constexpr MessageKind kDriverDoesNotAnswer{"nvml.does_not_answer", {"why"}};
inline constexpr MessageKind kSplitByMig{"cupti.split_by_mig"};
inline constexpr MessageKind kForAdministrators{"cupti.for_administrators"};

// Hints on what to do.
inline constexpr MessageKind kRunSmi{"cupti.ask_smi"};
inline constexpr MessageKind kRunSmiForGpu{"cupti.see_smi"};
inline constexpr MessageKind kNeedsTuring{"cupti.needs_turing"};
inline constexpr MessageKind kTurnMigOff{"cupti.turn_mig_off"};

inline constexpr std::array kAll{kDriverDoesNotAnswer, kSplitByMig,  kForAdministrators, kRunSmi,
                                 kRunSmiForGpu,        kNeedsTuring, kTurnMigOff};

} // namespace apertune::model::gpu_obstacles
