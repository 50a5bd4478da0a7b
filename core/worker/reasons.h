// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::worker::reasons {

using base::MessageKind;

inline constexpr MessageKind kUnreadable{"worker.unreadable", {"why"}};
inline constexpr MessageKind kClosedOutput{"worker.closed_output"};
inline constexpr MessageKind kSilent{"worker.silent", {"time", "phase"}};
inline constexpr MessageKind kTooLong{"worker.too_long", {"time", "phase"}};
inline constexpr MessageKind kProtocol{"worker.protocol", {"worker", "program"}};
inline constexpr MessageKind kEnded{"worker.ended"};
inline constexpr MessageKind kNoReason{"worker.no_reason"};
inline constexpr MessageKind kKilledForMemory{"worker.killed_for_memory"};
inline constexpr MessageKind kOutOfMemory{"worker.out_of_memory", {"how"}};
inline constexpr MessageKind kKilled{"worker.killed"};
inline constexpr MessageKind kCrashed{"worker.crashed", {"how"}};
inline constexpr MessageKind kExited{"worker.exited", {"how"}};

inline constexpr std::array kAll{kUnreadable, kClosedOutput,    kSilent,      kTooLong, kProtocol, kEnded,
                                 kNoReason,   kKilledForMemory, kOutOfMemory, kKilled,  kCrashed,  kExited};

} // namespace apertune::worker::reasons
