// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::profilers::host::reasons {

using base::MessageKind;

// Reasons why a trace is incomplete.
inline constexpr MessageKind kNoResidentMemory{"host.no_resident_memory"};
inline constexpr MessageKind kNoStolenTime{"host.no_stolen_time"};
inline constexpr MessageKind kNoClock{"host.no_clock"};
inline constexpr MessageKind kNoPower{"host.no_power"};
inline constexpr MessageKind kPowerForRoot{"host.power_for_root"};

inline constexpr std::array kAll{kNoResidentMemory, kNoStolenTime, kNoClock, kNoPower, kPowerForRoot};

} // namespace apertune::profilers::host::reasons
