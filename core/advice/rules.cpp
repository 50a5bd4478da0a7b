// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules.h"

#include "core/advice/rule_parts.h"

#include <algorithm>

namespace apertune::advice {

const std::vector<Rule>& rules()
{
    static const std::vector<Rule> kRules{
        {"R1", "The device idles", r1HostBound},
        {"R2", "Enqueuing takes nearly as long as running, or longer", r2EnqueueBound},
        {"R3", "Tiny kernels", r3TinyKernels},
        {"R4", "Copies from pageable memory", r4PageableCopies},
        {"R5", "Blocking copies", r5BlockingCopies},
        {"R6", "Waits within the iteration", r6HiddenWaits},
        {"R7", "Long gaps", r7Gaps},
        {"R8", "Bound by copies to the device", r8UploadBound},
        {"R9", "Bound by copies to the host", r9DownloadBound},
        {"R10", "A stage off the device", r10RoundTrips},
        {"R11", "Copies that are not needed", r11ExtraCopies},
        {"R12", "Constants sent again", r12RepeatedUploads},
        {"R13", "Copies and kernels do not overlap", r13NoOverlap},
        {"R14", "Communication that nothing hides", r14Communication},
        {"R16", "Layout conversions", r16LayoutConversions},
        {"R17", "Type conversions", r17Casts},
        {"R18", "Batch normalisation not folded", r18BatchNorm},
        {"R19", "Element-wise work not fused", r19Pointwise},
        {"R20", "Arithmetic in wide numbers", r20WideArithmetic},
        {"R24", "Not steady", r24NotSteady},
        {"R28", "Allocation in the loop", r28Allocation},
        {"R29", "Memory near its limit", r29MemoryLimit},
        {"R31", "The device is not filled", r31Underfilled},
        {"R44", "Cores without a thread", r44Threads},
    };
    return kRules;
}

std::vector<RuleResult> evaluateRules(const Facts& facts)
{
    std::vector<RuleResult> results;
    const bool anything = facts.window.length() > 0;
    for (const Rule& rule : rules()) {
        RuleResult result = anything ? rule.evaluate(facts) : RuleResult{};
        result.rule = rule.id;
        result.title = rule.title;
        std::erase_if(result.findings, [&](const Finding& f) {
            return f.share < facts.context.noiseFloor ||
                   (f.stake == Stake::time && f.gain.hi < facts.context.noiseFloor);
        });
        if (result.state == RuleState::fired && result.findings.empty())
            result.state = RuleState::quiet;
        for (Finding& f : result.findings) {
            f.rule = rule.id;
            f.title = rule.title;
        }
        results.push_back(std::move(result));
    }
    return results;
}

std::vector<Finding> findings(const std::vector<RuleResult>& results)
{
    std::vector<Finding> all;
    for (const RuleResult& result : results)
        all.insert(all.end(), result.findings.begin(), result.findings.end());
    std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
        const Severity ofA = severityOf(a), ofB = severityOf(b);
        if (ofA != ofB)
            return ofA > ofB;
        return a.stake != b.stake ? a.stake < b.stake : a.gain.hi > b.gain.hi;
    });
    return all;
}

} // namespace apertune::advice
