// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules.h"

#include "core/advice/rule_parts.h"

#include <algorithm>

namespace apertune::advice {

const std::vector<Rule>& rules()
{
    static const std::vector<Rule> kRules{
        {"device-idle", "R1", &reasons::kDeviceIdleTitle, hostBoundRule},
        {"enqueue-bound", "R2", &reasons::kEnqueueBoundTitle, enqueueBoundRule},
        {"tiny-kernels", "R3", &reasons::kTinyKernelsTitle, tinyKernelsRule},
        {"pageable-copies", "R4", &reasons::kPageableCopiesTitle, pageableCopiesRule},
        {"blocking-copies", "R5", &reasons::kBlockingCopiesTitle, blockingCopiesRule},
        {"waits-in-iteration", "R6", &reasons::kWaitsInIterationTitle, hiddenWaitsRule},
        {"long-gaps", "R7", &reasons::kLongGapsTitle, gapsRule},
        {"upload-bound", "R8", &reasons::kUploadBoundTitle, uploadBoundRule},
        {"download-bound", "R9", &reasons::kDownloadBoundTitle, downloadBoundRule},
        {"host-round-trip", "R10", &reasons::kHostRoundTripTitle, roundTripsRule},
        {"needless-copies", "R11", &reasons::kNeedlessCopiesTitle, extraCopiesRule},
        {"repeated-uploads", "R12", &reasons::kRepeatedUploadsTitle, repeatedUploadsRule},
        {"no-overlap", "R13", &reasons::kNoOverlapTitle, noOverlapRule},
        {"exposed-communication", "R14", &reasons::kExposedCommunicationTitle, communicationRule},
        {"layout-conversions", "R16", &reasons::kLayoutConversionsTitle, layoutConversionsRule},
        {"type-conversions", "R17", &reasons::kTypeConversionsTitle, castsRule},
        {"unfused-batchnorm", "R18", &reasons::kUnfusedBatchnormTitle, batchNormRule},
        {"unfused-elementwise", "R19", &reasons::kUnfusedElementwiseTitle, pointwiseRule},
        {"wide-arithmetic", "R20", &reasons::kWideArithmeticTitle, wideArithmeticRule},
        {"unfused-attention", "R21", &reasons::kUnfusedAttentionTitle, unfusedAttentionRule},
        {"unaligned-products", "R22", &reasons::kUnalignedProductsTitle, unalignedProductsRule},
        {"first-calls", "R23", &reasons::kFirstCallsTitle, firstCallsRule},
        {"not-steady", "R24", &reasons::kNotSteadyTitle, notSteadyRule},
        {"allocation-in-loop", "R28", &reasons::kAllocationInLoopTitle, allocationRule},
        {"memory-limit", "R29", &reasons::kMemoryLimitTitle, memoryLimitRule},
        {"underfilled-device", "R31", &reasons::kUnderfilledDeviceTitle, underfilledRule},
        {"idle-cores", "R44", &reasons::kIdleCoresTitle, threadsRule},
    };
    return kRules;
}

std::string ruleId(const std::string& idOrAlias)
{
    for (const Rule& rule : rules())
        if (idOrAlias == rule.alias)
            return rule.id;
    return idOrAlias;
}

std::vector<RuleResult> evaluateRules(const Facts& facts)
{
    std::vector<RuleResult> results;
    const bool anything = facts.window.length() > 0;
    for (const Rule& rule : rules()) {
        RuleResult result = anything ? rule.evaluate(facts) : RuleResult{};
        result.rule = rule.id;
        result.title = {std::string(rule.title->id)};
        std::erase_if(result.findings, [&](const Finding& f) {
            return f.share < facts.context.noiseFloor ||
                   (f.shareOf == ShareOf::time && f.gain.hi < facts.context.noiseFloor);
        });
        if (result.state == RuleState::fired && result.findings.empty())
            result.state = RuleState::quiet;
        for (Finding& f : result.findings) {
            f.rule = rule.id;
            f.title = result.title;
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
        return a.shareOf != b.shareOf ? a.shareOf < b.shareOf : a.gain.hi > b.gain.hi;
    });
    return all;
}

} // namespace apertune::advice
