// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::nsys::reasons {

using base::MessageKind;

// Reasons why a trace is incomplete.
inline constexpr MessageKind kOpenRanges{"nsys.open_ranges"};
inline constexpr MessageKind kTableNotRead{"nsys.table_not_read", {"table"}};
inline constexpr MessageKind kSays{"nsys.says", {"text"}};

inline constexpr std::array kAll{kOpenRanges, kTableNotRead, kSays};

} // namespace apertune::interchange::nsys::reasons
