// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/recommendation.h"

#include "core/model/imported.h"
#include "core/model/left_out.h"
#include "core/model/usable_interval.h"
#include "core/report/reasons.h"
#include "core/stats/compare.h"
#include "core/stats/summarize.h"
#include "core/text/format.h"

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
base::Message ineligibleMessage(const model::StudySnapshot& snapshot, const model::Trial* chosen)
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
    const base::Message nan =
        notNumbers == 1 ? base::message<reasons::kOneGivesNan>() : base::message<reasons::kManyGiveNan>(notNumbers);
    const base::Message unknown = notCompared == 1 ? base::message<reasons::kOneNotCompared>()
                                                   : base::message<reasons::kManyNotCompared>(notCompared);
    if (notNumbers > 0 && notCompared > 0)
        return base::message<reasons::kBothIneligible>(nan, unknown);
    if (notNumbers > 0)
        return nan;
    return notCompared > 0 ? unknown : base::Message{};
}

/// An option with a number of minutes as its value.
std::string minutesOption(const char* option, base::Nanoseconds time)
{
    return std::string(" ") + option + " " + std::to_string(time.count / base::fromSeconds(60).count) + "m";
}

std::string budgetOption()
{
    return minutesOption("--budget", model::kMoreBudget);
}

std::string quietOption()
{
    return minutesOption("--when-quiet", model::kQuietWait);
}

/// The command that measures on, with further options.
std::string resumeCommand(const model::StudySnapshot& snapshot, const std::string& options = {})
{
    return "apertune tune --resume " + text::toText(snapshot.study.id) + options +
           text::storeOption(snapshot.workspace);
}

bool isInterrupted(const model::StudySnapshot& snapshot)
{
    return snapshot.study.state == model::StudyState::interrupted;
}

/// Whether other programs kept a candidate of the shortlist waiting.
bool isShortlistDisturbed(const model::StudySnapshot& snapshot)
{
    return std::any_of(snapshot.shortlist.begin(), snapshot.shortlist.end(),
                       [&](const model::Recommendation& candidate) {
                           const model::Trial* trial = snapshot.find(candidate.trial);
                           return trial && stats::wasKeptWaiting(trial->measurement);
                       });
}

/// The class of the machine that measured a candidate of the shortlist.
std::string machineOf(const model::StudySnapshot& snapshot, const model::Recommendation& candidate)
{
    return model::machineOf(snapshot.study, *snapshot.find(candidate.trial));
}

/// Whether machines of several classes measured the candidates of the shortlist.
bool isShortlistOfSeveralMachines(const model::StudySnapshot& snapshot)
{
    return std::any_of(snapshot.shortlist.begin(), snapshot.shortlist.end(),
                       [&](const model::Recommendation& candidate) {
                           return machineOf(snapshot, candidate) != machineOf(snapshot, snapshot.shortlist.front());
                       });
}

/// Says why nothing is recommended although trials that may be were measured.
base::Message shortlistMessage(const model::StudySnapshot& snapshot)
{
    if (snapshot.study.state == model::StudyState::running)
        return base::message<reasons::kShortlistRunning>();
    const bool disturbed = isShortlistDisturbed(snapshot);
    const base::Message cause = isInterrupted(snapshot) ? base::message<reasons::kBecauseInterrupted>()
                                : lacksTime(snapshot)   ? base::message<reasons::kBecauseBudgetSpent>()
                                : disturbed             ? base::message<reasons::kBecauseBusy>()
                                                        : base::message<reasons::kBecauseNotConfirmed>();
    const std::string command = confirmCommand(snapshot);
    if (measuredConfigurations(snapshot) < 2)
        return base::message<reasons::kOnlyOneMeasured>(cause, snapshot.trials.size(),
                                                        isInterrupted(snapshot)
                                                            ? base::message<reasons::kGoesOn>(command)
                                                            : base::message<reasons::kMeasureLonger>(command));
    base::Message remedy = isInterrupted(snapshot) ? base::message<reasons::kGoesOnAndConfirmsThem>(command)
                           : disturbed             ? base::message<reasons::kWaitsAndConfirmsThem>(command)
                                                   : base::message<reasons::kConfirmsThem>(command);
    return isShortlistOfSeveralMachines(snapshot) ? base::message<reasons::kSeveralMachines>(std::move(remedy))
                                                  : base::message<reasons::kShortlist>(cause, std::move(remedy));
}

/// Whether a ratio has an interval that allows a conclusion.
bool isTold(const model::Interval& ratio)
{
    return ratio.confidence > 0 && !model::isTooWide(ratio);
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

base::Message unconfirmedMessage(const model::StudySnapshot& snapshot, const model::Recommendation& recommended)
{
    const model::Trial* trial = snapshot.find(recommended.trial);
    if (!trial || isConfirmed(snapshot, recommended) || measuredConfigurations(snapshot) < 2)
        return {};
    if (snapshot.study.state == model::StudyState::running)
        return base::message<reasons::kConfirmedAtTheEnd>();
    const model::Trial* against = snapshot.find(recommended.against);
    const text::ConfigurationNames names(snapshot);
    return base::message<reasons::kUnconfirmed>(
        against ? names.longMessage(*against) : base::message<reasons::kAnotherTrial>(),
        isInterrupted(snapshot) ? base::message<reasons::kGoesOnAndConfirms>(resumeCommand(snapshot))
                                : base::message<reasons::kConfirms>(resumeCommand(snapshot, budgetOption())));
}

base::Message underLoadMessage(const model::StudySnapshot& snapshot, const model::Recommendation& recommended)
{
    const model::Trial* trial = snapshot.find(recommended.trial);
    const model::Trial* against = snapshot.find(recommended.against);
    if (!trial || !against || snapshot.study.state == model::StudyState::running ||
        !isConfirmed(snapshot, recommended) ||
        !(stats::wasKeptWaiting(trial->measurement) || stats::wasKeptWaiting(against->measurement)))
        return {};
    return base::message<reasons::kMeasuredUnderLoad>(resumeCommand(snapshot, quietOption()));
}

base::Message unknownGainMessage(const model::StudySnapshot& snapshot, const model::Recommendation& recommended)
{
    constexpr std::size_t kFewBlocks = 10; // A trial that had its time has at least that many.
    const model::Trial* trial = snapshot.find(recommended.trial);
    const model::Trial* against = snapshot.find(recommended.against);
    if (!trial || !against || trial == against || isTold(recommended.speedup))
        return {};
    const std::size_t blocks = std::min(trial->measurement.blocks.size(), against->measurement.blocks.size());
    const bool busy = stats::wasKeptWaiting(trial->measurement) || stats::wasKeptWaiting(against->measurement);
    base::Message cause = busy                  ? base::message<reasons::kBecauseBusy>()
                          : blocks < kFewBlocks ? base::message<reasons::kBecauseFewBlocks>(blocks)
                                                : base::message<reasons::kBecauseTimesVary>();
    base::Message other = text::ConfigurationNames(snapshot).longMessage(*against);
    const bool running = snapshot.study.state == model::StudyState::running;
    if (running || !unconfirmedMessage(snapshot, recommended).empty() ||
        !underLoadMessage(snapshot, recommended).empty())
        return base::message<reasons::kGainUnknown>(std::move(other), std::move(cause));
    return base::message<reasons::kGainUnknownSoDo>(std::move(other), std::move(cause),
                                                    base::message<reasons::kSweepAgain>());
}

bool canBeSurer(const model::StudySnapshot& snapshot)
{
    if (!snapshot.recommended)
        return !snapshot.shortlist.empty() || (lacksIntervals(snapshot) && !model::isImported(snapshot.study));
    return !unconfirmedMessage(snapshot, *snapshot.recommended).empty() ||
           !underLoadMessage(snapshot, *snapshot.recommended).empty();
}

Answer answerOf(const model::StudySnapshot& snapshot)
{
    const model::Trial* trial = snapshot.recommended ? snapshot.find(snapshot.recommended->trial) : nullptr;
    if (!trial)
        return snapshot.shortlist.empty() ? Answer::nothing : Answer::shortlist;
    const model::TrialId against = snapshot.recommended->against;
    return trial->config.isReference() && (!against || against == trial->id) ? Answer::asLoaded : Answer::better;
}

bool lacksTime(const model::StudySnapshot& snapshot)
{
    return std::any_of(snapshot.trials.begin(), snapshot.trials.end(), model::isLeftOutForTime);
}

bool lacksIntervals(const model::StudySnapshot& snapshot)
{
    return measuredConfigurations(snapshot) > 0 && measuredConfigurations(snapshot, true) == 0;
}

base::Message noRecommendationMessage(const model::StudySnapshot& snapshot)
{
    if (model::isImported(snapshot.study))
        return base::message<reasons::kImportedNotRanked>();
    const base::Message others = ineligibleMessage(snapshot, nullptr);
    const std::size_t measured = measuredConfigurations(snapshot);
    if (measured == 0)
        return others.empty() ? base::message<reasons::kNoneMeasured>(snapshot.trials.size())
                              : base::message<reasons::kNoneMeasuredIneligible>(snapshot.trials.size(), others);
    // Bounds are not to blame where no configuration could be compared with them.
    if (lacksIntervals(snapshot)) {
        const base::Message remedy =
            isInterrupted(snapshot) ? base::message<reasons::kGoesOn>(resumeCommand(snapshot))
            : measured > 1 || lacksTime(snapshot)
                ? base::message<reasons::kMeasureLonger>(resumeCommand(snapshot, budgetOption()))
                : base::message<reasons::kSweepAgain>();
        return others.empty() ? base::message<reasons::kTooBrief>(measured, remedy)
                              : base::message<reasons::kTooBriefIneligible>(measured, others, remedy);
    }
    if (!snapshot.shortlist.empty())
        return shortlistMessage(snapshot);
    const base::Message bounds = text::boundsMessage(snapshot.study.goal);
    if (measuredConfigurations(snapshot, true) < measured)
        return others.empty() ? base::message<reasons::kNoneHasAndKeeps>(measured, bounds)
                              : base::message<reasons::kNoneHasAndKeepsIneligible>(measured, bounds, others);
    return others.empty() ? base::message<reasons::kNoneKeeps>(measured, bounds)
                          : base::message<reasons::kNoneKeepsIneligible>(measured, bounds, others);
}

std::string confirmCommand(const model::StudySnapshot& snapshot)
{
    if (snapshot.shortlist.empty() || snapshot.study.state == model::StudyState::running)
        return {};
    // An interrupted study has a budget of its own for what is left.
    if (isInterrupted(snapshot))
        return resumeCommand(snapshot);
    return resumeCommand(snapshot, budgetOption() + (isShortlistDisturbed(snapshot) ? quietOption() : std::string()));
}

std::vector<base::Message> shortlistMessages(const model::StudySnapshot& snapshot)
{
    const text::ConfigurationNames names(snapshot);
    const bool severalMachines = isShortlistOfSeveralMachines(snapshot);
    std::vector<base::Message> messages;
    for (const model::Recommendation& candidate : snapshot.shortlist) {
        const model::Trial& trial = *snapshot.find(candidate.trial);
        const model::Trial* against = snapshot.find(candidate.against);
        base::Message name = names.longMessage(trial);
        if (!against)
            messages.push_back(trial.config.isReference() ? base::message<reasons::kCandidateAsLoaded>(std::move(name))
                                                          : base::message<reasons::kCandidateAlone>(std::move(name)));
        else if (isTold(candidate.speedup))
            messages.push_back(base::message<reasons::kCandidate>(std::move(name), text::formatRatio(candidate.speedup),
                                                                  names.longMessage(*against)));
        else
            messages.push_back(base::message<reasons::kCandidateUnknown>(std::move(name), names.longMessage(*against)));
        if (severalMachines)
            messages.back() =
                base::message<reasons::kCandidateOfMachine>(std::move(messages.back()), machineOf(snapshot, candidate));
    }
    return messages;
}

base::Message asLoadedMessage(const model::StudySnapshot& snapshot)
{
    const base::Message others = ineligibleMessage(snapshot, snapshot.find(snapshot.recommended->trial));
    // The only measured configuration is the model as loaded itself, so there was nothing to compare it with.
    if (measuredConfigurations(snapshot) < 2)
        return others.empty() ? base::message<reasons::kNothingElse>()
                              : base::message<reasons::kNothingElseIneligible>(others);
    return others.empty() ? base::message<reasons::kNothingBetter>() : base::message<reasons::kAsLoaded>(others);
}

base::Message runnerUpMessage(const model::StudySnapshot& snapshot)
{
    const auto& runnerUp = snapshot.recommended->runnerUp;
    const model::Trial* next = runnerUp ? snapshot.find(runnerUp->over) : nullptr;
    if (!next || next->id == snapshot.recommended->against)
        return {};
    const base::Message name = text::ConfigurationNames(snapshot).longMessage(*next);
    const std::string ratio = text::formatRatio(runnerUp->ratio);
    if (namesWinner(runnerUp->verdict))
        return base::message<reasons::kRunnerUp>(name, text::toText(next->id), ratio);
    // Times of different moments, which may differ by the load alone.
    if (isTold(runnerUp->ratio) && (runnerUp->ratio.lo > 1 || runnerUp->ratio.hi < 1))
        return base::message<reasons::kRunnerUpUnconfirmed>(name, text::toText(next->id), ratio);
    return isTold(runnerUp->ratio) ? base::message<reasons::kRunnerUpTied>(name, text::toText(next->id), ratio)
                                   : base::message<reasons::kRunnerUpUnknown>(name, text::toText(next->id));
}

} // namespace apertune::report
