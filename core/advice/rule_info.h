// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::advice {

/// The subject of a rule.
enum class Subject : std::uint8_t { trace, study };
/// "trace", "study".
std::string_view toString(Subject subject);

/// A rule as data: for lists of rules, for files of thresholds and for findings. Code that evaluates it finds
/// it by its id.
struct RuleInfo
{
    std::string_view id;    ///< names what the rule finds, for example "unfused-batchnorm"
    std::string_view alias; ///< the number of the rule in older versions, for example "R18"
    Subject subject = Subject::trace;
    const base::MessageKind* title = nullptr;
    const base::MessageKind* needs = nullptr; ///< parts that the recording or the study must hold: "copies, iterations"
    const base::MessageKind* change = nullptr; ///< the change that the rule asks for: "pinned memory"
};

/// All rules: those over a trace in the order of their aliases, then those over a study.
const std::vector<RuleInfo>& ruleCatalogue();

/// Returns the rule with this id or alias; nullptr when there is none.
const RuleInfo* findRule(std::string_view idOrAlias);

/// Returns the id for a rule's id or alias. Any other text is returned unchanged.
std::string ruleId(const std::string& idOrAlias);

} // namespace apertune::advice
