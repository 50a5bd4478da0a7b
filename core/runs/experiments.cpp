// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/experiments.h"

#include "core/advice/rules.h"
#include "core/runs/trace_context.h"
#include "core/runs/track_record.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <utility>

namespace apertune::runs {

using model::Experiment;

namespace {

/// The trace and the rule that a verification's study was begun with.
struct Begun
{
    store::TraceId trace{};
    std::string rule;
};

std::optional<Begun> begunAs(std::string_view commandLine)
{
    // Older versions called the verb differently.
    for (const std::string_view verb : {"apertune trace verify tr", "apertune trace prove tr"}) {
        if (!commandLine.starts_with(verb))
            continue;
        const std::string_view rest = commandLine.substr(verb.size());
        Begun begun;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), begun.trace.value);
        const auto at = static_cast<std::size_t>(end - rest.data());
        // The command line ends with the rule, so a text without one is another command.
        if (error != std::errc{} || at + 1 >= rest.size() || rest[at] != ' ')
            return std::nullopt;
        begun.rule = advice::ruleId(std::string(rest.substr(at + 1)));
        return begun;
    }
    return std::nullopt;
}

std::string changeOf(const advice::Knob& knob)
{
    return knob.threads > 0 ? "threads=" + std::to_string(knob.threads)
                            : knob.switchName + (knob.value ? "=on" : "=off");
}

/// The share of all processors' time that other processes took while the two trials ran.
double othersLoad(const model::StudySnapshot& snapshot, const Verification& verification)
{
    double most = 0;
    for (const model::TrialId id : {verification.before, verification.after}) {
        const model::Trial* trial = snapshot.find(id);
        if (!trial)
            continue;
        const model::Conditions& c = trial->measurement.conditions;
        if (c.processors > 0 && c.span.count > 0)
            // The share is of all processors: one busy process of many is a small load.
            most = std::max(most,
                            static_cast<double>(c.others.count) / (static_cast<double>(c.span.count) * c.processors));
    }
    return std::min(1.0, most);
}

/// The finding of a rule in a stored trace; nullopt when the trace is gone or the rule finds nothing.
std::optional<advice::Finding> findAgain(const store::Store& store, const Begun& begun)
{
    const auto summary = store.traceSummary(begun.trace);
    if (!summary)
        return std::nullopt;
    const auto trace = store.trace(begun.trace);
    if (!trace)
        return std::nullopt;
    // The rules are run again, because the finding itself was never stored.
    const advice::Facts facts(**trace, contextOf(store, *summary));
    for (const advice::RuleResult& result : advice::evaluateRules(facts))
        if (result.rule == begun.rule && !result.findings.empty())
            return result.findings.front();
    return std::nullopt;
}

base::Result<std::optional<Experiment>> missingExperiment(const store::Store& store, model::StudyId id,
                                                          const Begun& begun)
{
    const auto snapshot = store::loadSnapshot(store, id);
    if (!snapshot)
        return snapshot.error();
    if (snapshot->trials.empty())
        return std::optional<Experiment>{};
    advice::Finding finding;
    finding.rule = begun.rule;
    std::optional<model::Config> traced;
    if (const auto found = findAgain(store, begun); found && canApply(found->knob)) {
        // The trial may have been deleted since, and then the effect cannot be computed.
        finding = *found;
        if (const auto summary = store.traceSummary(begun.trace); summary && summary->trial)
            if (const auto trial = store.trial(*summary->trial))
                traced = trial->config;
    }
    if (traced)
        return std::optional(experimentOf(*snapshot, finding, verificationOf(*snapshot, *traced, finding)));
    // Without the finding its prediction is unknown, and the verification counts as not run.
    finding.gain = {};
    Verification unknown;
    unknown.outcome = model::VerificationOutcome::notRun;
    return std::optional(experimentOf(*snapshot, finding, unknown));
}

} // namespace

Experiment experimentOf(const model::StudySnapshot& snapshot, const advice::Finding& finding,
                        const Verification& verification)
{
    Experiment experiment;
    experiment.study = snapshot.study.uuid;
    experiment.subject = finding.rule;
    experiment.change = canApply(finding.knob) ? changeOf(finding.knob) : std::string();
    if (!snapshot.trials.empty())
        experiment.at = circumstancesOf(snapshot.study, snapshot.trials.front());
    experiment.model = snapshot.study.model.name;
    experiment.othersLoad = othersLoad(snapshot, verification);
    experiment.predictedLo = finding.gain.lo;
    experiment.predictedHi = finding.gain.hi;
    experiment.saved = verification.saved;
    experiment.outcome = verification.outcome;
    experiment.createdUtc = snapshot.study.createdUtc;
    return experiment;
}

base::Result<std::vector<Experiment>> missingExperiments(const store::Store& store)
{
    const auto kept = store.experiments();
    if (!kept)
        return kept.error();
    std::set<std::string> known;
    for (const Experiment& experiment : *kept)
        known.insert(experiment.study);
    const auto studies = store.studies();
    if (!studies)
        return studies.error();
    std::vector<Experiment> missing;
    // Oldest first, so that the experiments are in the order in which they were made.
    for (auto summary = studies->rbegin(); summary != studies->rend(); ++summary) {
        if (summary->purpose != model::StudyPurpose::verification || summary->state != model::StudyState::finished ||
            known.contains(summary->uuid))
            continue;
        const auto study = store.study(summary->id);
        if (!study)
            return study.error();
        const auto begun = begunAs(study->commandLine);
        if (!begun)
            continue;
        auto experiment = missingExperiment(store, summary->id, *begun);
        if (!experiment)
            return experiment.error();
        if (*experiment)
            missing.push_back(std::move(**experiment));
    }
    return missing;
}

} // namespace apertune::runs
