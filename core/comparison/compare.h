// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/message.h"
#include "core/model/study.h"
#include "core/stats/compare.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::comparison {

/// A setting that differs, with its value on both sides (an empty message: absent).
struct Difference
{
    std::string name;    ///< the English of `title`, which documents have
    base::Message title; ///< "batch", "cpu memory", or the name of a switch
    base::Message a;
    base::Message b;
};

/// A configuration that was measured on both sides.
struct MatchedConfiguration
{
    const model::Trial* a = nullptr;
    const model::Trial* b = nullptr;
    std::string label;
    model::Interval ratio; ///< a / b of the time per sample; above 1, b is faster
    /// After the correction for all configurations (stats::correctForMany).
    stats::Verdict verdict = stats::Verdict::cannotTell;
    double p = 1;
    std::size_t samples = 0;   ///< blocks of the side with fewer blocks
    bool paired = false;       ///< true when the two sides were measured interleaved
    std::size_t processes = 0; ///< stats::Effect::processes
    double machine = 1;        ///< stats::Effect::machine, part of the ratio
    /// True when another tool told at least one of the times and no interval is known: `ratio` is the quotient of the
    /// values, without a verdict.
    bool byValue = false;
};

/// A configuration that was measured on one side and has no measured partner on the other.
struct UnmatchedConfiguration
{
    std::string label;
    /// The settings in which the nearest configuration differs, or the reason why the other side did not measure it.
    base::Message reason;
};

/// The result of a comparison. It points into the snapshots.
struct Comparison
{
    std::vector<Difference> environment;
    /// Two studies: what they tried and asked for differently, except what `configuration` has: the values of each
    /// axis, goal, bounds and budget.
    std::vector<Difference> studies;
    bool ofStudies = false; ///< true: of two studies; false: of two trials
    bool imported = false;  ///< another tool measured one of the sides
    /// Two trials: the settings that differ. Two studies: the settings with one value in all configurations of A and
    /// another one in all configurations of B. Matched configurations differ in these settings.
    std::vector<Difference> configuration;
    std::vector<MatchedConfiguration> configurations; ///< configurations measured on both sides
    std::vector<UnmatchedConfiguration> onlyInA;
    std::vector<UnmatchedConfiguration> onlyInB;
    /// Configurations that A measured and that B tried without success. `onlyInA` has them, too.
    std::vector<UnmatchedConfiguration> lost;
    stats::NoiseFloor noise; ///< the smallest effect that the runs can show; no smaller effect gets a verdict
};

/// Returns what differs between the environments and models of two studies, in the order of their settings.
std::vector<Difference> environmentDifferences(const model::Study& a, const model::Study& b);

/// Compares two studies, configuration by configuration.
///
/// - Configurations match when the kind of device and all settings are equal, except for the settings in which the
///   whole studies differ (Comparison::configuration): for example all with 1 thread against all with 2, or CPU against
///   GPU.
/// - When the studies differ in device or engine, a switch counts only if it was set beside its level's own and exists
///   on both sides.
/// - Every measured configuration without a partner is listed with the reason.
///
/// `noiseFloor` comes from A/A runs. Without it, the floor is the largest of the snapshots' noise certificates and of
/// what the halves of the trials' own samples show (stats::noiseFloorWithin).
/// REQUIRES: the snapshots outlive the result.
Comparison compareStudies(const model::StudySnapshot& a, const model::StudySnapshot& b,
                          std::optional<double> noiseFloor = {});

/// Compares two trials, whatever their configurations are.
/// REQUIRES: the snapshots outlive the result.
Comparison compareTrials(const model::StudySnapshot& studyA, const model::Trial& a, const model::StudySnapshot& studyB,
                         const model::Trial& b, std::optional<double> noiseFloor = {});

/// Returns whether times are shown per sample instead of per pass. This is the case when a configuration has another
/// batch on each side: its passes are different work, so the quotient of their times is not the ratio.
bool showsTimePerSample(const Comparison& comparison);

/// Returns the time of a trial that such a comparison shows, in nanoseconds: per pass or per sample.
model::Interval shownTime(const model::Trial& trial, bool perSample);

/// Says that another tool measured the times, and what its ratios lack. Empty when Apertune measured them all.
base::Message importedMessage(const Comparison& comparison);

/// Says how much the machine itself changed between the sides, according to the drift readings beside both, and that
/// the ratios do not include it. Empty when it did not change.
base::Message machineMessage(const Comparison& comparison);

/// The result of a comparison against a tolerated slow-down (0.03: B may take up to 3 % longer than A). Runs of
/// identical code differ by up to the noise floor, so smaller differences decide nothing.
///
/// - `failed`: a configuration is surely slower than the larger of tolerance and noise floor (after Holm's correction
///   over all configurations), or was lost.
/// - `passed`: no interval reaches beyond the tolerance. When the noise floor is larger, every interval stays clear of
///   the tolerance by the noise floor.
/// - `refused`: neither, and the noise floor is larger than the tolerance.
/// - `cannotTell`: neither, or nothing was matched.
enum class GateResult { passed, failed, cannotTell, refused };
struct Gate
{
    double tolerance = 0;
    GateResult result = GateResult::cannotTell;
};
Gate checkGate(const Comparison& comparison, double tolerance);

/// Returns "apertune.comparison/1" (schema.md). `nameA` and `nameB` are the user's names for the two sides.
base::Json comparisonDocument(const Comparison& comparison, const std::string& nameA = {},
                              const std::string& nameB = {}, const std::optional<Gate>& gate = {});

/// Returns a text for people: the differences, the configurations with effect, interval and verdict, and those without
/// a partner.
std::string comparisonTable(const Comparison& comparison, int width = 0);

} // namespace apertune::comparison
