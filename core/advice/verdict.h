// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/advice/rules.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::advice {

/// The verdict as one word. The numbers are persistent, so they never change.
enum class VerdictKind : std::uint8_t {
    abstained = 0, ///< the evidence is missing; `needs` says what to record
    balanced = 1,  ///< nothing stands out: the device is busy nearly all the time, with arithmetic and traffic alike
    launchBound = 2,
    hostBound = 3,
    transferBound = 4,
    synchronizationBound = 5,
    memoryBound = 6,
    computeBound = 7,
    allocationBound = 8,
    communicationBound = 9, ///< collectives: sending or waiting for another rank
    warmingUp = 10,         ///< first calls: the recording began before modules were loaded and kernels compiled
};
/// "launch-bound", "balanced", "abstained", …
std::string_view toString(VerdictKind kind);

/// One part of the bar that divides the window by cause.
struct CauseShare
{
    Cause cause = Cause::other;
    std::int64_t time = 0; ///< ns of the window
    double share = 0;      ///< share of Facts::whole()
    Evidence evidence;
};

/// The conclusion about a trace, for the top of a page.
struct Verdict
{
    VerdictKind kind = VerdictKind::abstained;
    /// "Launch-bound: 41 % of the iteration the device waits for launches; 38 % is arithmetic."
    base::Message sentence;
    Confidence confidence = Confidence::trace;
    std::vector<CauseShare> parts;    ///< all causes with any time, largest first; the shares add up to 1
    std::vector<Knob> knobs;          ///< one or two changes that could help; empty when balanced or abstained
    std::vector<base::Message> needs; ///< abstained: what to record; otherwise: what would make it more certain
};

/// Verdict and findings of one trace.
struct FindingReport
{
    Verdict verdict;
    std::vector<RuleResult> rules;
    std::vector<Finding> findings; ///< sorted as findings() says; empty when the verdict abstains
};

/// Derives the verdict from Facts::causes. With several devices, the one with the most kernel time counts.
///
/// 1. It abstains in these cases:
///    - neither device work nor an operator was recorded, or fewer than ten of them;
///    - kernels were launched, but more than half of them were not recorded;
///    - a loss of kernels or operators has severity error;
///    - unrecorded causes, or work of an unknown kind, take more than 40 %;
///    - allocations take 15 % of a device's recording in which nothing repeats.
/// 2. Overheads are launch, host, transfer, communication, synchronisation, first calls and allocation. The largest one
///    names the verdict from 15 % on, or from 10 % on when they take 25 % together. On a CPU, launch and host count
///    from 30 % on.
/// 3. Otherwise the time of arithmetic and traffic decides: 60 % traffic is memory-bound, 70 % arithmetic is
///    compute-bound, and anything between is balanced.
///
/// Time in fused or compiled code of a CPU counts as arithmetic or traffic when FusedWork::bound says so, otherwise as
/// other.
///
/// A verdict is backed by a finding of its cause (Finding::cause); without one, its sentence says that nothing to act
/// on was recorded. When the cause that names the verdict is not the largest part, the sentence says why.
Verdict verdictOf(const Facts& facts, const std::vector<Finding>& findings);

/// Evaluates rules and verdict in one call.
FindingReport reportFindings(const Facts& facts);

/// Something that was not recorded, with the rules that could not be evaluated without it.
struct UnevaluatedRules
{
    base::Message need; ///< missing data and the way to get it
    std::vector<const RuleResult*> rules{};
};
/// Returns one entry for each need, in the order of the rules. It is empty when the verdict abstains, because its needs
/// say it all.
/// REQUIRES: `findingReport` outlives the result.
std::vector<UnevaluatedRules> unevaluatedRules(const FindingReport& findingReport);

} // namespace apertune::advice
