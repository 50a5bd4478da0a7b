// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::interchange::results::reasons {

using base::MessageKind;

// What was recognised in a file without results that can be read.
inline constexpr MessageKind kBlank{"results.blank"};
inline constexpr MessageKind kNoText{"results.no_text"};
inline constexpr MessageKind kBrokenJson{"results.broken_json", {"line", "column"}};
inline constexpr MessageKind kBrokenJsonOf{"results.broken_json_of", {"tool", "line", "column"}};
inline constexpr MessageKind kDeepJson{"results.deep_json"};
inline constexpr MessageKind kOtherMembers{"results.other_members", {"members"}};
inline constexpr MessageKind kOtherJson{"results.other_json"};
inline constexpr MessageKind kOtherTable{"results.other_table", {"columns"}};
inline constexpr MessageKind kOtherText{"results.other_text", {"line"}};
inline constexpr MessageKind kNoSummary{"results.no_summary"};

// Why the trials of a measuring kit are refused.
inline constexpr MessageKind kNotOfKit{"results.not_of_kit"};
inline constexpr MessageKind kKitMember{"results.kit_member", {"member"}};
inline constexpr MessageKind kKitContradicts{"results.kit_contradicts", {"trial", "told", "blocks"}};

// Why a run of another tool failed.
inline constexpr MessageKind kToolFailed{"results.tool_failed", {"tool"}};
inline constexpr MessageKind kToolStopped{"results.tool_stopped", {"tool"}};
inline constexpr MessageKind kAllRunsFailed{"results.all_runs_failed", {"runs"}};

// Remarks about the values of a result.
inline constexpr MessageKind kUnreadValue{"results.unread_value", {"text", "name"}};
inline constexpr MessageKind kCutLine{"results.cut_line", {"line"}};
inline constexpr MessageKind kUnreadPasses{"results.unread_passes", {"passes", "all"}};
inline constexpr MessageKind kRunsFailed{"results.runs_failed", {"failed", "all"}};
inline constexpr MessageKind kDisorder{"results.disorder", {"high", "low"}};
inline constexpr MessageKind kRateContradicts{"results.rate_contradicts", {"needed", "told"}};
inline constexpr MessageKind kOutsidePasses{"results.outside_passes", {"name"}};

inline constexpr std::array kAll{kBlank,        kNoText,      kBrokenJson,    kBrokenJsonOf,    kDeepJson,
                                 kOtherMembers, kOtherJson,   kOtherTable,    kOtherText,       kNoSummary,
                                 kToolFailed,   kToolStopped, kAllRunsFailed, kUnreadValue,     kCutLine,
                                 kUnreadPasses, kRunsFailed,  kDisorder,      kRateContradicts, kOutsidePasses,
                                 kNotOfKit,     kKitMember,   kKitContradicts};

} // namespace apertune::interchange::results::reasons
