// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/what_if.h"

#include "core/advice/errors.h"
#include "core/advice/rule_parts.h"
#include "core/advice/what_if_plan.h"
#include "core/advice/what_if_simulation.h"
#include "core/analysis/changed_trace.h"
#include "core/analysis/lost_kernels.h"
#include "core/stats/block_stats.h"

#include <algorithm>
#include <utility>

namespace apertune::advice {

using base::Error;
using base::ErrorCode;
using trace::TimeRange;

namespace {

void addCorrection(const Facts& facts, ChangeEffect& effect)
{
    const RuleRecord* record = facts.context.record ? facts.context.record->find(effect.subject) : nullptr;
    if (record && effect.saved > 0)
        effect.correction = {corrected(effect.band, *record), record->factor, record->bias.value, record->experiments};
}

/// The switch that removes what the changes remove; an empty knob when none does.
Knob knobOf(const Facts& facts, const Change& change)
{
    const bool removesNorms = change.kind == ChangeKind::operators && change.factor == 0 && change.occurrence == 0 &&
                              change.pattern.find("batch_norm") != std::string::npos;
    if (removesNorms && !facts.training)
        return switchOn(facts, {"freeze"}, {});
    return {};
}

} // namespace

model::Interval WhatIfReport::after(const ChangeEffect& effect) const
{
    const Gain& gain = effect.correction ? effect.correction->gain : effect.band;
    const double saved = effect.correction ? (gain.lo + gain.hi) / 2 : effect.saved;
    return {before.value * (1 - saved), before.value * (1 - gain.hi), before.value * (1 - gain.lo),
            effect.bandKnown ? before.confidence : 0};
}

Finding findingOf(const ChangeEffect& effect)
{
    Finding finding;
    finding.rule = effect.subject;
    finding.gain = effect.band;
    finding.share = std::clamp(effect.saved, 0.0, 1.0);
    finding.knob = effect.knob;
    return finding;
}

base::Result<WhatIfReport> whatIf(const Facts& facts, const std::vector<Change>& changes)
{
    if (facts.steady.empty() || facts.window.length() == 0 || (facts.onDevice && !facts.replay))
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNotReplayable>(),
                     {},
                     base::message<errors::kRecordWithCalls>()};
    WhatIfReport report;
    report.verdict = reportFindings(facts).verdict;
    if (analysis::lostKernels(facts.index).areMost())
        return Error{ErrorCode::unsupported,
                     base::message<errors::kNothingToReplay>(report.verdict.sentence),
                     {},
                     base::message<errors::kRecordWithCalls>()};
    const Planner planner(facts);
    const Simulator simulator(facts, planner);
    Plan all;
    for (const Change& change : changes) {
        ChangeEffect& effect = report.effects.emplace_back();
        const auto plan = planner.plan(change, effect);
        if (!plan)
            return plan.error();
        if (effect.knob.switchName.empty() && effect.knob.threads == 0)
            effect.knob = knobOf(facts, change);
        // Events are counted over all iterations, and stated for one.
        effect.events /= static_cast<double>(std::max<std::size_t>(1, facts.steady.size()));
        simulator.predict(*plan, effect);
        addCorrection(facts, effect);
        all.add(*plan);
    }
    if (changes.size() == 1) {
        report.together = report.effects.front();
    } else {
        report.together.subject = "what-if together";
        simulator.predict(all, report.together);
        addCorrection(facts, report.together);
    }
    report.replayError = simulator.replayError();
    report.iterations = static_cast<std::int64_t>(facts.steady.size());
    std::vector<double> lengths;
    for (const TimeRange& iteration : facts.steady)
        lengths.push_back(static_cast<double>(iteration.length()));
    report.bare = facts.trace.cost.has_value();
    report.before = report.bare ? facts.trace.cost->bareNs : stats::medianInterval(lengths);
    report.verdict = reportFindings(facts).verdict;
    // The verdict is asked again on the changed trace, so that it names the next limit.
    const trace::Trace changed = analysis::changedTrace(facts.index, simulator.simulate(all), simulator.span());
    report.verdictAfter = reportFindings(Facts(changed, facts.context)).verdict;
    return report;
}

} // namespace apertune::advice
