// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::rocprof::reasons {

using base::MessageKind;

// Reasons why a trace is incomplete.
inline constexpr MessageKind kRecordsNotRead{"rocprof.records_not_read", {"records"}};

inline constexpr std::array kAll{kRecordsNotRead};

} // namespace apertune::interchange::rocprof::reasons
