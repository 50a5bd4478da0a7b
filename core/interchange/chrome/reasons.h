// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::chrome::reasons {

using base::MessageKind;

// Reasons why a trace is incomplete.
inline constexpr MessageKind kMalformed{"chrome.malformed"};
inline constexpr MessageKind kBadTime{"chrome.bad_time"};
inline constexpr MessageKind kNegativeDuration{"chrome.negative_duration"};
inline constexpr MessageKind kNoDuration{"chrome.no_duration"};
inline constexpr MessageKind kRoundedSamples{"chrome.rounded_samples"};
inline constexpr MessageKind kReplacedText{"chrome.replaced_text"};
inline constexpr MessageKind kOtherTools{"chrome.other_tools"};
inline constexpr MessageKind kForeignFlow{"chrome.foreign_flow"};
inline constexpr MessageKind kLongText{"chrome.long_text"};
inline constexpr MessageKind kEndWithoutBegin{"chrome.end_without_begin"};
inline constexpr MessageKind kNeverEnded{"chrome.never_ended"};
inline constexpr MessageKind kOpenList{"chrome.open_list"};
inline constexpr MessageKind kLongTail{"chrome.long_tail"};
inline constexpr MessageKind kAroundDamaged{"chrome.lost_around_damaged"};
inline constexpr MessageKind kSecondList{"chrome.second_list"};
inline constexpr MessageKind kOtherMember{"chrome.other_member", {"name"}};
inline constexpr MessageKind kDroppedArguments{"chrome.dropped_arguments", {"arguments"}};
inline constexpr MessageKind kJoinedDevices{"chrome.joined_devices", {"memory", "work"}};
inline constexpr MessageKind kUnsaid{"chrome.unsaid"};

inline constexpr std::array kAll{kMalformed,    kBadTime,          kNegativeDuration, kNoDuration,    kRoundedSamples,
                                 kReplacedText, kOtherTools,       kForeignFlow,      kLongText,      kEndWithoutBegin,
                                 kNeverEnded,   kOpenList,         kLongTail,         kAroundDamaged, kSecondList,
                                 kOtherMember,  kDroppedArguments, kJoinedDevices,    kUnsaid};

} // namespace apertune::interchange::chrome::reasons
