// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::profilers::nvml::reasons {

using base::MessageKind;

// What a trace lacks, and why.
inline constexpr MessageKind kClockHeldBack{"nvml.clock_held_back", {"why", "count", "samples"}};

inline constexpr std::array kAll{kClockHeldBack};

} // namespace apertune::profilers::nvml::reasons
