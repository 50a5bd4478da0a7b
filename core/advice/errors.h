// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <array>

namespace apertune::advice::errors {

using base::MessageKind;

// Messages: each states the failure and its cause.
inline constexpr MessageKind kRulesNoJson{"advice.rules_no_json", {"problem"}};
inline constexpr MessageKind kNoRulesFile{"advice.no_rules_file"};
inline constexpr MessageKind kUnknownMember{"advice.unknown_member", {"name"}};
inline constexpr MessageKind kUnknownRule{"advice.unknown_rule", {"rule"}};
inline constexpr MessageKind kNoThresholdsOf{"advice.no_thresholds_of", {"rule"}};
inline constexpr MessageKind kRuleHasNoThresholds{"advice.rule_has_no_thresholds", {"rule"}};
inline constexpr MessageKind kUnknownThreshold{"advice.unknown_threshold", {"rule", "name"}};
inline constexpr MessageKind kInvalidThreshold{"advice.invalid_threshold", {"rule", "name", "value"}};

// Hints: each states the remedy.
inline constexpr MessageKind kThresholdFormat{"advice.threshold_format", {"example"}};
inline constexpr MessageKind kSeeRules{"advice.see_rules"};
inline constexpr MessageKind kValidNames{"advice.valid_names", {"names"}};
inline constexpr MessageKind kExpectedRange{"advice.expected_range", {"range"}};

// Changes of a what-if.
inline constexpr MessageKind kNoSuchChange{"advice.no_such_change", {"change"}};
inline constexpr MessageKind kNoFactor{"advice.no_factor", {"change"}};
inline constexpr MessageKind kNoRegularExpression{"advice.no_regular_expression", {"pattern"}};
inline constexpr MessageKind kNothingMatches{"advice.nothing_matches", {"pattern"}};
inline constexpr MessageKind kNothingToChange{"advice.nothing_to_change", {"change"}};
inline constexpr MessageKind kNotReplayable{"advice.not_replayable"};
inline constexpr MessageKind kNoRulePredicts{"advice.no_rule_predicts", {"change"}};
inline constexpr MessageKind kThreadsUnknown{"advice.threads_unknown"};
inline constexpr MessageKind kHasTheseThreads{"advice.has_these_threads", {"threads"}};
inline constexpr MessageKind kFewerProcessors{"advice.fewer_processors", {"processors"}};
inline constexpr MessageKind kNothingToReplay{"advice.nothing_to_replay", {"verdict"}};
inline constexpr MessageKind kChangesAre{"advice.changes_are"};
inline constexpr MessageKind kLongestAre{"advice.longest_are", {"names"}};
inline constexpr MessageKind kRecordWithCalls{"advice.record_with_calls"};
inline constexpr MessageKind kVerifyIt{"advice.verify_it"};
inline constexpr MessageKind kTraceATrialOfACpu{"advice.trace_a_trial_of_a_cpu"};

inline constexpr std::array kAll{
    kRulesNoJson,         kNoRulesFile,      kUnknownMember,    kUnknownRule,     kNoThresholdsOf,
    kRuleHasNoThresholds, kUnknownThreshold, kInvalidThreshold, kThresholdFormat, kSeeRules,
    kValidNames,          kExpectedRange,    kNoSuchChange,     kNoFactor,        kNoRegularExpression,
    kNothingMatches,      kNothingToChange,  kNotReplayable,    kNoRulePredicts,  kThreadsUnknown,
    kHasTheseThreads,     kFewerProcessors,  kNothingToReplay,  kChangesAre,      kLongestAre,
    kRecordWithCalls,     kVerifyIt,         kTraceATrialOfACpu};

} // namespace apertune::advice::errors
