// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::perfetto::errors {

using base::MessageKind;

// Statements of what happened, and why.
inline constexpr MessageKind kNoPackets{"perfetto.no_packets"};
inline constexpr MessageKind kNoEvents{"perfetto.no_events"};
inline constexpr MessageKind kCutOffEarly{"perfetto.cut_off_early"};
inline constexpr MessageKind kTooMuchText{"perfetto.too_much_text"};

// Hints on what to do.
inline constexpr MessageKind kRecordTrackEvents{"perfetto.record_track_events"};

inline constexpr std::array kAll{kNoPackets, kNoEvents, kCutOffEarly, kTooMuchText, kRecordTrackEvents};

} // namespace apertune::interchange::perfetto::errors
