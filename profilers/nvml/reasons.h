// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::profilers::nvml::reasons {

using base::MessageKind;

// Reasons why a trace is incomplete.
inline constexpr MessageKind kClockHeldBack{"nvml.clock_held_back", {"why", "count", "samples"}};

inline constexpr std::array kAll{kClockHeldBack};

} // namespace apertune::profilers::nvml::reasons
