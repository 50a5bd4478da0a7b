// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/rules.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::advice {

/// The one word for a trace. The numbers are persistent.
enum class VerdictKind : std::uint8_t {
    abstained = 0, ///< the evidence is not there; `needs` says what would be
    balanced = 1,  ///< nothing stands out: the device works nearly all the time, on arithmetic and traffic alike
    launchBound = 2,
    hostBound = 3,
    transferBound = 4,
    synchronizationBound = 5,
    memoryBound = 6,
    computeBound = 7,
    allocationBound = 8,
    communicationBound = 9, ///< collectives: sending or waiting for another rank
};
/// "launch-bound", "balanced", "abstained", …
std::string_view toString(VerdictKind kind);

/// One part of the bar.
struct CauseShare
{
    Cause cause = Cause::other;
    std::int64_t time = 0; ///< ns of the window
    double share = 0;      ///< of the window
    Evidence evidence;
};

/// What a person reads first.
struct Verdict
{
    VerdictKind kind = VerdictKind::abstained;
    /// "Launch-bound: 41 % of the iteration the device waits for launches; 38 % is arithmetic."
    std::string sentence;
    Confidence confidence = Confidence::trace;
    std::vector<CauseShare> parts;  ///< every cause with any time, largest first; shares add up to 1
    std::vector<Knob> knobs;        ///< one or two that could change it; empty when balanced or abstained
    std::vector<std::string> needs; ///< abstained: what to record; otherwise what would make it surer
    // The sentences above without their words: core/sentences shows them in other languages.
    base::Message message{}; ///< of `sentence`
    std::vector<base::Message> needsMessages{};
};

/// A trace judged.
struct FindingReport
{
    Verdict verdict;
    std::vector<RuleResult> rules;
    std::vector<Finding> findings; ///< the most promising first
};

/// The rule of the word, from Facts::causes:
///   1. It abstains when there is neither device work nor an operator; when kernels were launched but most of them not
///      recorded; with fewer than ten pieces of work; when causes that were not recorded and work of unknown sort take
///      more than 40 %; when allocations rule a recording in which nothing repeats; or when a loss of
///      kernels or operators with severity error was counted.
///   2. Overheads: launch, host, transfer, communication, synchronisation, allocation. The largest names the verdict
///   when it takes
///      15 % or more, or when they take 25 % together and it 10 %. On a CPU launch and host count from 30 % on.
///   3. Otherwise, of the time for arithmetic and traffic: 60 % traffic is memory-bound, 70 % arithmetic is
///      compute-bound, anything between is balanced.
/// Time in fused or compiled code of a CPU is arithmetic or traffic where the model's arithmetic, its weights and the
/// ceilings tell (FusedWork); what they do not tell counts as of unknown sort.
/// A verdict rests on a finding of its kind (Finding::cause), or its sentence says that nothing to act on was recorded.
/// Where the cause that names it is not the largest part, the sentence says why it names it.
/// Several devices: the one with most kernel time is judged.
Verdict verdictOf(const Facts& facts, const std::vector<Finding>& findings);

/// Facts, rules and verdict in one call.
FindingReport reportFindings(const Facts& facts);

/// What was not recorded, and the rules that could not be told for the lack of it.
struct Untold
{
    std::string need; ///< what is missing and how to get it
    base::Message needMessage{};
    std::vector<const RuleResult*> rules{};
    /// "Blocking copies; Waits within the iteration"
    std::string names() const;
};
/// One entry a need, in the order of the rules; refers to `findingReport`. None where the verdict abstains: its needs
/// say it all.
std::vector<Untold> untoldRules(const FindingReport& findingReport);

} // namespace apertune::advice
