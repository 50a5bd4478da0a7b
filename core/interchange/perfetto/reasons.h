// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::perfetto::reasons {

using base::MessageKind;

// Reasons why a trace is incomplete.
inline constexpr MessageKind kCutOff{"perfetto.cut_off"};
inline constexpr MessageKind kDamagedPackets{"perfetto.damaged_packets"};
inline constexpr MessageKind kDroppedPackets{"perfetto.dropped_packets"};
inline constexpr MessageKind kLostNames{"perfetto.lost_names"};
inline constexpr MessageKind kPacketsNotRead{"perfetto.packets_not_read", {"packets"}};
inline constexpr MessageKind kUnrelatedClocks{"perfetto.unrelated_clocks"};

inline constexpr std::array kAll{kCutOff,    kDamagedPackets, kDroppedPackets,
                                 kLostNames, kPacketsNotRead, kUnrelatedClocks};

} // namespace apertune::interchange::perfetto::reasons
