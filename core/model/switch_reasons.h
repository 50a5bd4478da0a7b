// SPDX-License-Identifier: GPL-3.0-or-later
// The messages about switches that are in conflict.
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::model::reasons {

inline constexpr base::MessageKind kGraphOrOptimize{"switch.graph_or_optimize"};
inline constexpr base::MessageKind kReplacedByAoti{"switch.replaced_by_aoti", {"switch"}};
inline constexpr base::MessageKind kOneAttention{"switch.one_attention"};
inline constexpr base::MessageKind kGraphNeedsJit{"switch.graph_needs_jit"};
inline constexpr base::MessageKind kNeedsSwitch{"switch.needs_switch", {"switch", "needed"}};
inline constexpr base::MessageKind kExcludes{"switch.excludes", {"switch", "other"}};

inline constexpr std::array kAll{kGraphOrOptimize, kReplacedByAoti, kOneAttention,
                                 kGraphNeedsJit,   kNeedsSwitch,    kExcludes};

} // namespace apertune::model::reasons
