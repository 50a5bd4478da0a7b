// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/study.h"

#include "core/base/enum_words.h"
#include "core/base/text.h"
#include "core/model/ceilings.h"
#include "core/model/errors.h"
#include "core/model/experiment.h"

#include <algorithm>
#include <array>
#include <utility>

namespace apertune::model {

std::string_view toString(StudyState state)
{
    switch (state) {
    case StudyState::running:
        return "running";
    case StudyState::finished:
        return "finished";
    case StudyState::interrupted:
        return "interrupted";
    }
    return "interrupted";
}

std::string_view toString(StudyPurpose purpose)
{
    switch (purpose) {
    case StudyPurpose::tuning:
        return "tuning";
    case StudyPurpose::verification:
        return "verification";
    case StudyPurpose::claim:
        return "claim";
    case StudyPurpose::memory:
        return "memory";
    case StudyPurpose::imported:
        return "imported";
    }
    return "tuning";
}

namespace {
constexpr base::EnumWords<InterferenceVerdict, 3> kInterferenceVerdicts{
    {{InterferenceVerdict::undisturbed, "undisturbed"},
     {InterferenceVerdict::disturbed, "disturbed"},
     {InterferenceVerdict::cannotTell, "cannot_tell"}}};
} // namespace

std::string_view toString(InterferenceVerdict verdict)
{
    return base::wordOf(kInterferenceVerdicts, verdict, "cannot_tell");
}

std::optional<InterferenceVerdict> interferenceVerdictFromString(std::string_view text)
{
    return base::valueOf(kInterferenceVerdicts, text);
}

const Trial* StudySnapshot::find(TrialId id) const
{
    return findTrial(trials, id);
}

const Recommendation* StudySnapshot::leading() const
{
    return recommended ? &*recommended : shortlist.empty() ? nullptr : &shortlist.front();
}

const Trial* StudySnapshot::leadingTrial() const
{
    const Recommendation* first = leading();
    return first ? find(first->trial) : nullptr;
}

const Device* StudySnapshot::device(const std::string& id) const
{
    return findDevice(study.environment.devices, id);
}

const Device* StudySnapshot::deviceOf(const Trial& trial) const
{
    return trial.measurement.conditions.machine.empty() ? device(trial.device) : nullptr;
}

double StudySnapshot::noiseFloor() const
{
    double effect = 0;
    for (const NoiseCertificate& certificate : noise)
        effect = std::max(effect, certificate.effect);
    return effect;
}

std::string machineOf(const Study& study, const Trial& trial)
{
    const std::string& other = trial.measurement.conditions.machine;
    return other.empty() ? machineClass(study.environment) : other;
}

std::string machineKey(const Environment& environment, const Device& device)
{
    return environment.host + ": " + ceilingKey(device);
}

namespace {
/// Protocols, the finest first.
constexpr std::array<std::pair<const char*, double>, 3> kProtocols{
    {{"publish", 0.005}, {"normal", kDefaultTarget}, {"quick", 0.02}}};
} // namespace

std::string protocolOf(double target)
{
    // Users type round numbers, so the limits 0.5 % and 1 % belong to the finer protocol.
    constexpr double kRounding = 1e-9;
    for (const auto& [word, finest] : kProtocols)
        if (target <= finest + kRounding)
            return word;
    return kProtocols.back().first;
}

base::Result<double> targetFromText(const std::string& name, const std::string& text)
{
    for (const auto& [word, target] : kProtocols)
        if (base::lower(text) == word)
            return target;
    const auto share = base::parseShare(name, text);
    constexpr double kCoarsest = 0.2; // Whoever writes 0.5 most likely means 0.5 %.
    if (share && *share > kCoarsest && text.find('%') == std::string::npos)
        return base::Error{base::ErrorCode::invalidArgument,
                           base::message<errors::kTargetWithoutUnit>(name, text, base::Share{*share}),
                           {},
                           base::message<errors::kWriteTarget>()};
    if (share && *share > 0)
        return *share;
    return base::Error{base::ErrorCode::invalidArgument,
                       share ? base::message<errors::kTargetOfZero>(name)
                             : base::message<errors::kNoTarget>(name, text),
                       {},
                       base::message<errors::kWriteTarget>()};
}

CommonSwitches::CommonSwitches(const StudySnapshot& snapshot)
{
    for (const Trial& trial : snapshot.trials) {
        const auto [group, first] = m_common.try_emplace(groupOf(trial), trial.config.switches);
        if (!first)
            std::erase_if(group->second, [&trial](const auto& entry) {
                const auto own = trial.config.switches.find(entry.first);
                return own == trial.config.switches.end() || own->second != entry.second;
            });
    }
}

const SwitchMap& CommonSwitches::of(const Trial& trial) const
{
    static const SwitchMap nothing;
    const auto group = m_common.find(groupOf(trial));
    return group == m_common.end() ? nothing : group->second;
}

CommonSwitches::Group CommonSwitches::groupOf(const Trial& trial)
{
    return {trial.config.backend, trial.config.level, trial.config.precision, trial.device};
}

} // namespace apertune::model
