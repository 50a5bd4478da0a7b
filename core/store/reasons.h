// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::store::reasons {

using base::MessageKind;

// Reasons why a trace is incomplete.
inline constexpr MessageKind kNotFinished{"store.not_finished"};
inline constexpr MessageKind kPartLost{"store.part_lost"};

// Why a trial has no result.
inline constexpr MessageKind kTrialDamaged{"store.trial_damaged", {"parts"}};

inline constexpr std::array kAll{kNotFinished, kPartLost, kTrialDamaged};

} // namespace apertune::store::reasons
