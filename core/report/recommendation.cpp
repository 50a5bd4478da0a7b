// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/recommendation.h"

#include "core/report/format.h"
#include "core/stats/compare.h"

#include <algorithm>

namespace apertune::report {

namespace {

bool endedWell(const model::Trial& trial)
{
    return trial.state == model::TrialState::ok;
}

std::size_t measuredConfigurations(const model::StudySnapshot& snapshot, bool withInterval = false)
{
    return static_cast<std::size_t>(
        std::count_if(snapshot.trials.begin(), snapshot.trials.end(), [&](const model::Trial& trial) {
            return endedWell(trial) && (!withInterval || trial.measurement.latencyNs.confidence > 0);
        }));
}

/// Says why configurations other than `chosen` cannot be recommended, whatever their speed. Empty when there is no such
/// reason.
std::string ineligibleText(const model::StudySnapshot& snapshot, const model::Trial* chosen)
{
    std::size_t notNumbers = 0;
    std::size_t notCompared = 0;
    for (const model::Trial& trial : snapshot.trials) {
        const bool measured = endedWell(trial) && &trial != chosen;
        const auto& quality = trial.measurement.quality;
        notNumbers +=
            trial.reason.kind == model::ReasonKind::notANumber || (measured && quality && quality->nanCount > 0);
        notCompared += measured && !quality;
    }
    std::string text;
    if (notNumbers > 0)
        text += "; " + std::to_string(notNumbers) + (notNumbers == 1 ? " gives" : " give") + " NaN or infinite values";
    if (notCompared > 0)
        text += "; the outputs of " + std::to_string(notCompared) +
                (notCompared == 1 ? " other could" : " others could") + " not be compared with those of O0 fp32";
    return text;
}

bool namesWinner(model::Verdict verdict)
{
    return verdict == model::Verdict::faster || verdict == model::Verdict::slower;
}

} // namespace

bool isConfirmed(const model::StudySnapshot& snapshot, const model::Recommendation& recommended)
{
    const model::Trial* trial = snapshot.find(recommended.trial);
    if (!trial)
        return false;
    if (const model::Trial* against = snapshot.find(recommended.against))
        return stats::wereInterleaved(*trial, *against);
    return std::any_of(snapshot.trials.begin(), snapshot.trials.end(),
                       [&](const model::Trial& other) { return stats::wereInterleaved(*trial, other); });
}

std::string unconfirmedText(const model::StudySnapshot& snapshot, const model::Recommendation& recommended)
{
    const model::Trial* trial = snapshot.find(recommended.trial);
    if (!trial || isConfirmed(snapshot, recommended) || measuredConfigurations(snapshot) < 2)
        return {};
    if (snapshot.study.state == model::StudyState::running)
        return "Unconfirmed: the best trials are measured again, in turns, at the end of the study.";
    const model::Trial* against = snapshot.find(recommended.against);
    const ConfigurationNames names(snapshot);
    const std::string resume = "`apertune tune --resume " + toText(snapshot.study.id);
    const std::string what = "Unconfirmed: it was not measured in turns with " +
                             (against ? names.longName(*against) : std::string("another trial")) +
                             ", so other load on the machine may make the difference. ";
    if (snapshot.study.state == model::StudyState::interrupted)
        return what + resume + "` goes on and confirms it.";
    return what + resume + " --budget 2m` confirms it.";
}

Answer answerOf(const model::StudySnapshot& snapshot)
{
    const model::Trial* trial = snapshot.recommended ? snapshot.find(snapshot.recommended->trial) : nullptr;
    if (!trial)
        return Answer::nothing;
    const auto& switches = trial->config.switches;
    const bool asLoaded =
        trial->config.level == model::OptLevel::o0 && trial->config.precision == model::Precision::fp32 &&
        std::none_of(switches.begin(), switches.end(), [](const auto& entry) { return entry.second; });
    const model::TrialId against = snapshot.recommended->against;
    return asLoaded && (!against || against == trial->id) ? Answer::asLoaded : Answer::better;
}

bool lacksIntervals(const model::StudySnapshot& snapshot)
{
    return measuredConfigurations(snapshot) > 0 && measuredConfigurations(snapshot, true) == 0;
}

std::string noRecommendationSentence(const model::StudySnapshot& snapshot)
{
    const std::size_t measured = measuredConfigurations(snapshot);
    if (measured == 0)
        return "No recommendation: none of the " + std::to_string(snapshot.trials.size()) +
               " configurations could be measured" + ineligibleText(snapshot, nullptr) + ".";
    const std::size_t known = measuredConfigurations(snapshot, true);
    const std::string none = "No recommendation: none of the " + std::to_string(measured) + " measured configurations ";
    if (lacksIntervals(snapshot)) {
        const std::string resume = "`apertune tune --resume " + toText(snapshot.study.id);
        return none + "has enough passes for an interval" + ineligibleText(snapshot, nullptr) + ". " +
               (snapshot.study.state == model::StudyState::interrupted ? resume + "` goes on."
                : measured > 1                                         ? "Measure longer: " + resume + " --budget 2m`."
                                                                       : "Sweep again with a longer --budget.");
    }
    return none + (known < measured ? "has an interval and keeps" : "keeps") + " to the goal (" +
           boundsText(snapshot.study.goal) + ")" + ineligibleText(snapshot, nullptr) + ".";
}

std::string asLoadedText(const model::StudySnapshot& snapshot)
{
    const std::string ineligible = ineligibleText(snapshot, snapshot.find(snapshot.recommended->trial));
    if (measuredConfigurations(snapshot) < 2)
        return "the model as loaded: nothing else was measured, so what optimizing gains is not known" + ineligible;
    return "the model as loaded" + (ineligible.empty() ? ": nothing measured is surely better" : ineligible);
}

std::string runnerUpSentence(const model::StudySnapshot& snapshot)
{
    const auto& runnerUp = snapshot.recommended->runnerUp;
    const model::Trial* next = runnerUp ? snapshot.find(runnerUp->over) : nullptr;
    if (!next || next->id == snapshot.recommended->against)
        return {};
    const ConfigurationNames names(snapshot);
    const std::string name = names.longName(*next) + " (" + toText(next->id) + ")";
    if (namesWinner(runnerUp->verdict))
        return "Runner-up: " + name + "; it is " + formatRatio(runnerUp->ratio) + " that.";
    return "It cannot be told from the runner-up " + name +
           (runnerUp->ratio.confidence > 0 ? ": " + formatRatio(runnerUp->ratio) : std::string()) + ".";
}

} // namespace apertune::report
