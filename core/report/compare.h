// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/study.h"
#include "core/stats/compare.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::report {

/// A line of "what differs": a setting with its value on both sides ("" = absent).
struct Difference
{
    std::string name;
    std::string a;
    std::string b;
};

/// The same configuration on both sides.
struct MatchedConfiguration
{
    const model::Trial* a = nullptr;
    const model::Trial* b = nullptr;
    std::string label;
    model::Interval ratio;                               ///< a / b of time per sample; > 1: b is faster
    stats::Verdict verdict = stats::Verdict::cannotTell; ///< corrected for all configurations (stats::correctForMany)
    double p = 1;
    std::size_t samples = 0;   ///< blocks of the side that has fewer
    bool paired = false;       ///< the sides were measured in turns
    std::size_t processes = 0; ///< stats::Effect::processes
    double machine = 1;        ///< stats::Effect::machine, part of the ratio
};

/// A configuration that was measured on one side and has no measured partner on the other.
struct UnmatchedConfiguration
{
    std::string label;
    std::string reason; ///< what the nearest configuration differs in, or why the other side did not measure it
};

struct Comparison
{
    std::vector<Difference> environment;
    bool ofStudies = false; ///< else of two trials
    /// Two trials: their settings that differ. Two studies: settings that have one value in all configurations of A and
    /// another one in all configurations of B; matched configurations differ in them.
    std::vector<Difference> configuration;
    std::vector<MatchedConfiguration> configurations; ///< configurations measured on both sides
    std::vector<UnmatchedConfiguration> onlyInA;
    std::vector<UnmatchedConfiguration> onlyInB;
    std::vector<UnmatchedConfiguration>
        lost;                ///< configurations that A measured, and B tried and could not; they are in onlyInA, too
    stats::NoiseFloor noise; ///< smallest effect that the runs themselves can show; no smaller one is named
};

/// Two studies, configuration by configuration. Configurations match when the kind of device and all settings are
/// equal, except for what the whole studies differ in (Comparison::configuration): all configurations with 1 thread
/// against all with 2, CPU against GPU. Where the devices or the engines are such a difference, switches count only as
/// far as they were set beside the level's own and exist on both sides. Every measured configuration without a partner
/// is listed with the reason. `noiseFloor`: from A/A runs; without it the larger of the snapshots' certificates and
/// what the two halves of the trials' own samples show (stats::noiseFloorWithin). The result points into the snapshots:
/// keep them alive.
Comparison compareStudies(const model::StudySnapshot& a, const model::StudySnapshot& b,
                          std::optional<double> noiseFloor = {});

/// Two trials, whatever their configurations.
Comparison compareTrials(const model::StudySnapshot& studyA, const model::Trial& a, const model::StudySnapshot& studyB,
                         const model::Trial& b, std::optional<double> noiseFloor = {});

/// Whether the times of a comparison are shown per sample and not per pass: where some configuration has another batch
/// on each side, its passes are different work, and the quotient of their times is not the ratio.
bool showsTimePerSample(const Comparison& comparison);

/// The time that such a comparison shows of a trial: of a pass, or of one of its samples. Nanoseconds.
model::Interval shownTime(const model::Trial& trial, bool perSample);

/// How far the machine itself had changed between the sides, by the drift reading measured beside both, and that the
/// ratios are without it; "" when it had not.
std::string machineSentence(const Comparison& comparison);

/// How a comparison stands against a tolerated slow-down (0.03: B may take up to 3 % longer than A). Runs of identical
/// code differ by up to the noise floor, so no difference below it is judged:
///  - `failed`: some configuration is surely slower than the larger of the tolerance and the noise floor, after Holm's
///    correction over all configurations, or was lost;
///  - `passed`: no interval reaches beyond the tolerance; where the noise floor is larger, every interval stays clear
///    of the tolerance by the noise floor;
///  - `refused`: neither, and the noise floor is larger than the tolerance;
///  - `cannotTell`: otherwise, and when nothing was matched.
enum class GateResult { passed, failed, cannotTell, refused };
struct Gate
{
    double tolerance = 0;
    GateResult result = GateResult::cannotTell;
};
Gate checkGate(const Comparison& comparison, double tolerance);

/// "apertune.comparison/1", see schema.md. `nameA`, `nameB`: what the user called the two sides.
base::Json comparisonDocument(const Comparison& comparison, const std::string& nameA = {},
                              const std::string& nameB = {}, const std::optional<Gate>& gate = {});

/// For people: what differs, the configurations with effect, interval and verdict, what has no partner.
std::string comparisonTable(const Comparison& comparison, int width = 0);

} // namespace apertune::report
