// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/trial_flag.h"

#include "core/base/enum_words.h"

namespace apertune::model {

namespace {

constexpr base::EnumWords<TrialFlag, 15> kFlagWords{{
    {TrialFlag::notConverged, "not_converged"},
    {TrialFlag::contended, "contended"},
    {TrialFlag::neverSteady, "never_steady"},
    {TrialFlag::bimodal, "bimodal"},
    {TrialFlag::drift, "drift"},
    {TrialFlag::machineDrift, "machine_drift"},
    {TrialFlag::throttled, "throttled"},
    {TrialFlag::sharedGpu, "shared_gpu"},
    {TrialFlag::qualityUnavailable, "quality_unavailable"},
    {TrialFlag::belowQualityBound, "below_quality_bound"},
    {TrialFlag::precisionNotInEffect, "precision_not_in_effect"},
    {TrialFlag::confirmed, "confirmed"},
    {TrialFlag::unreadableTimes, "unreadable_times"},
    {TrialFlag::unreadableFlags, "unreadable_flags"},
    {TrialFlag::unreadableConditions, "unreadable_conditions"},
}};

} // namespace

std::string_view toString(TrialFlag flag)
{
    return base::wordOf(kFlagWords, flag);
}

std::optional<TrialFlag> trialFlagFromString(std::string_view text)
{
    return base::valueOf(kFlagWords, text);
}

std::vector<std::string> toStrings(const std::vector<TrialFlag>& flags)
{
    std::vector<std::string> words;
    for (const TrialFlag flag : flags)
        words.emplace_back(toString(flag));
    return words;
}

std::vector<TrialFlag> trialFlagsFromStrings(const std::vector<std::string>& words)
{
    std::vector<TrialFlag> flags;
    for (const std::string& word : words)
        if (const auto flag = trialFlagFromString(word))
            flags.push_back(*flag);
    return flags;
}

bool isUnreadable(TrialFlag flag)
{
    return flag == TrialFlag::unreadableTimes || flag == TrialFlag::unreadableFlags ||
           flag == TrialFlag::unreadableConditions;
}

} // namespace apertune::model
