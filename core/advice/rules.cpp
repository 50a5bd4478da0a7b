// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules.h"

#include "core/advice/rules_launch.h"
#include "core/advice/rules_layers.h"
#include "core/advice/rules_memory.h"
#include "core/advice/rules_operators.h"
#include "core/advice/rules_pace.h"
#include "core/advice/rules_transfer.h"

#include <algorithm>

namespace apertune::advice {

const std::vector<Rule>& rules()
{
    static const std::vector<Rule> kRules{
        {"device-idle", hostBoundRule, 3},
        {"enqueue-bound", enqueueBoundRule, 1},
        {"tiny-kernels", tinyKernelsRule},
        {"pageable-copies", pageableCopiesRule},
        {"blocking-copies", blockingCopiesRule},
        {"waits-in-iteration", hiddenWaitsRule},
        {"long-gaps", gapsRule, 4},
        {"upload-bound", uploadBoundRule, 2},
        {"download-bound", downloadBoundRule, 2},
        {"host-round-trip", roundTripsRule},
        {"needless-copies", extraCopiesRule, 1},
        {"repeated-uploads", repeatedUploadsRule},
        {"no-overlap", noOverlapRule, 3},
        {"exposed-communication", communicationRule},
        {"unaligned-channels", unalignedChannelsRule},
        {"layout-conversions", layoutConversionsRule},
        {"type-conversions", castsRule},
        {"unfused-batchnorm", batchNormRule},
        {"unfused-elementwise", pointwiseRule},
        {"wide-arithmetic", wideArithmeticRule},
        {"unfused-attention", unfusedAttentionRule},
        {"unaligned-products", unalignedProductsRule},
        {"first-calls", firstCallsRule},
        {"not-steady", notSteadyRule},
        {"held-clock", heldClockRule},
        {"slow-iterations", slowIterationsRule, 5},
        {"allocation-in-loop", allocationRule},
        {"memory-limit", memoryLimitRule},
        {"underfilled-device", underfilledRule},
        {"image-preparation", imagePreparationRule},
        {"slow-nms", slowNmsRule},
        {"float-layers", floatLayersRule},
        {"idle-cores", threadsRule},
        {"device-copies", deviceCopiesRule},
        {"slow-convolutions", slowConvolutionsRule},
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
        result.title = {std::string(findRule(rule.id)->title->id)};
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
    if (facts.context.record)
        facts.context.record->correct(results);
    return results;
}

namespace {

constexpr double kExplained = 3; // one finding explains another from a third of its share on

int distanceOf(const Finding& finding)
{
    constexpr int kEstimated = 2; // a measured cause explains an assumed one
    const auto rule =
        std::find_if(rules().begin(), rules().end(), [&](const Rule& known) { return known.id == finding.rule; });
    if (rule == rules().end() || rule->distance == 0)
        return 0;
    return rule->distance + (finding.confidence == Confidence::estimate ? kEstimated : 0);
}

/// Returns the finding that explains `finding`: itself, or the one of its cause that is closest to the change.
/// REQUIRES: `all` contains `finding`.
const Finding& leaderOf(const Finding& finding, const std::vector<Finding>& all)
{
    const Finding* leader = &finding;
    if (distanceOf(finding) == 0)
        return *leader;
    for (const Finding& other : all) {
        // Cause::other stands for many causes, of which only the effects can be seen as one.
        const bool same = other.cause == finding.cause && (other.cause != Cause::other || distanceOf(other) > 0);
        const bool explains = kExplained * other.share >= finding.share;
        if (same && explains && distanceOf(other) < distanceOf(*leader))
            leader = &other;
    }
    return *leader;
}

/// Moves each finding behind the one that explains it.
std::vector<Finding> grouped(const std::vector<Finding>& sorted)
{
    std::vector<Finding> all;
    for (const Finding& leader : sorted) {
        if (&leaderOf(leader, sorted) != &leader)
            continue;
        all.push_back(leader);
        for (const Finding& finding : sorted) {
            if (&finding == &leader || &leaderOf(finding, sorted) != &leader)
                continue;
            all.push_back(finding);
            all.back().partOf = leader.rule;
        }
    }
    return all;
}

} // namespace

std::vector<Finding> findings(const std::vector<RuleResult>& results)
{
    std::vector<Finding> all;
    for (const RuleResult& result : results)
        all.insert(all.end(), result.findings.begin(), result.findings.end());
    std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
        const Severity ofA = severityOf(a), ofB = severityOf(b);
        if (ofA != ofB)
            return ofA > ofB;
        return a.shareOf != b.shareOf ? a.shareOf < b.shareOf : a.expected().hi > b.expected().hi;
    });
    return grouped(all);
}

bool isFurtherChange(const Finding& part, const std::vector<Finding>& findings)
{
    const auto leader =
        std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.rule == part.partOf; });
    return part.isPart() && leader != findings.end() && !part.knob.text.empty() &&
           (part.knob.switchName != leader->knob.switchName || part.knob.text != leader->knob.text);
}

} // namespace apertune::advice
