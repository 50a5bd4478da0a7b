// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

/// A remark about a measurement. Documents and SQL have the word of toString(); the numbers are never stored.
enum class TrialFlag : std::uint8_t {
    notConverged, ///< the interval is wider than asked for
    contended,    ///< other programs took processor time from the blocks
    neverSteady,  ///< the warm-up never became steady
    bimodal,      ///< the blocks fall into two groups
    drift,        ///< the first and the last blocks differ
    machineDrift, ///< the machine had another speed than when the study began
    throttled,    ///< the clock was throttled
    sharedGpu,    ///< another process used the GPU
    qualityUnavailable,
    belowQualityBound,
    precisionNotInEffect,
    confirmed, ///< measured again, interleaved with its baseline
    unreadableTimes,
    unreadableFlags,
    unreadableConditions,
};

/// "not_converged", "contended", "never_steady", "bimodal", "drift", "machine_drift", "throttled",
/// "shared_gpu", "quality_unavailable", "below_quality_bound", "precision_not_in_effect", "confirmed",
/// "unreadable_times", "unreadable_flags", "unreadable_conditions".
std::string_view toString(TrialFlag flag);

/// Returns nullopt for a word that toString() never returns.
std::optional<TrialFlag> trialFlagFromString(std::string_view text);

std::vector<std::string> toStrings(const std::vector<TrialFlag>& flags);

/// Returns the flags of the words. Words of newer versions, which this one does not know, are left out.
std::vector<TrialFlag> trialFlagsFromStrings(const std::vector<std::string>& words);

/// Returns whether the flag says that a part of the measurement could not be read from the workspace.
bool isUnreadable(TrialFlag flag);

} // namespace apertune::model
