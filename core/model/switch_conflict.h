// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"
#include "core/model/switches.h"

#include <array>

namespace apertune::model {

namespace reasons {

inline constexpr base::MessageKind kGraphOrOptimize{"switch.graph_or_optimize"};
inline constexpr base::MessageKind kReplacedByAoti{"switch.replaced_by_aoti", {"switch"}};
inline constexpr base::MessageKind kOneAttention{"switch.one_attention"};
inline constexpr base::MessageKind kGraphNeedsJit{"switch.graph_needs_jit"};
inline constexpr base::MessageKind kNeedsSwitch{"switch.needs_switch", {"switch", "needed"}};

inline constexpr std::array kAll{kGraphOrOptimize, kReplacedByAoti, kOneAttention, kGraphNeedsJit, kNeedsSwitch};

} // namespace reasons

/// Returns the conflict between switches, when one needs another or excludes it. Empty when there is none.
base::Message switchConflict(const SwitchMap& switches);

} // namespace apertune::model
