// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/model/setting.h"
#include "core/model/study.h"
#include "core/stats/compare.h"

#include <optional>
#include <string>
#include <vector>

namespace apertune::comparison {

/// Two measured configurations of a study that differ in one setting alone.
struct EffectPair
{
    const model::Trial* from = nullptr;
    const model::Trial* to = nullptr;
    stats::Effect effect; ///< time of a sample of `from` over that of `to`; above 1: the change makes it faster
    /// Energy of a sample of `to` over that of `from`; absent where one is unknown.
    std::optional<model::Interval> energy{};
    /// Time to the first answer of `to` over that of `from`, of cold starts where both have some, else of warm ones;
    /// absent where one has none.
    std::optional<model::Interval> start{};
};

/// The effect of a setting, over all pairs of a study on one device.
struct SettingEffect
{
    model::Setting setting;
    std::string from; ///< value before, as Setting::valueIn() writes it
    std::string to;
    std::string device;              ///< id
    std::vector<EffectPair> pairs{}; ///< not empty; the largest speed-up first
    std::size_t counted = 0;         ///< pairs with an interval; the others are left out of the mean
    /// Mean over the pairs; without confidence when no pair has an interval.
    model::Interval speedup{};
    /// Whether the effect depends on the other settings: the intervals of two pairs do not meet.
    bool depends = false;
    bool energyDepends = false;              ///< whether the effect on energy depends on the other settings
    std::optional<double> memory{};          ///< peak memory after over before, the geometric mean over the pairs
    std::optional<model::Interval> energy{}; ///< energy after over before, the mean over the pairs that have it
    std::optional<model::Interval> start{};  ///< time to the first answer after over before, the mean over the pairs
    std::optional<double> cosine{};          ///< lowest agreement with the fp32 outputs after the change
};

/// Returns the mean speed-up of pairs, from one or several studies; without confidence when no pair has an interval.
/// REQUIRES: there are pairs.
model::Interval meanSpeedup(const std::vector<EffectPair>& pairs);

/// Returns the effect of every setting that the study varied, the largest first.
///
/// - A pair is two measured trials of one device that differ in one setting: in the engine, the level (with its
///   switches), the precision, the batch, the threads, or a switch beside the level's own.
/// - A pair begins at the first value that the study measured for the other settings: engine "libtorch", the lowest
///   level, fp32, the smallest batch, the fewest threads, the switch off.
/// - A switch that the engine reports as not in effect makes no pair.
/// - The mean of several pairs (meanSpeedup()) is that of a random-effects model, which holds the spread between the
///   pairs beside the uncertainty of each (DerSimonian & Laird, Controlled Clinical Trials 7, 1986), on logarithms. Its
///   interval is that of Hartung & Knapp (Statistics in Medicine 20, 2001), never narrower than without their factor.
///   Two or three pairs leave that interval one or two degrees of freedom, so it is cut to the range that the intervals
///   of the pairs cover together.
/// - The ratio of two energies, or of two starts, has the interval of independent figures: the relative half-widths are
///   added as squares, on logarithms.
///
/// REQUIRES: the snapshot outlives the result.
std::vector<SettingEffect> settingEffects(const model::StudySnapshot& snapshot);

/// Returns "apertune.effects/1".
base::Json effectsDocument(const model::StudySnapshot& snapshot, const std::vector<SettingEffect>& effects);

/// The effects as texts: one row each, for every table of them.
struct EffectsTable
{
    struct Column
    {
        std::string title;
        bool numeric = false;
    };
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
};

/// Returns the table. Columns of energy and of the first answer are there where a pair knows them. The last column
/// names where an effect is largest and smallest that depends on the other settings.
EffectsTable effectsTable(const model::StudySnapshot& snapshot, const std::vector<SettingEffect>& effects);

/// Returns what the columns mean, for below the table.
std::string effectsExplanation();

/// Returns a table for people. An effect that depends on the other settings names where it is largest and smallest.
std::string effectsText(const model::StudySnapshot& snapshot, const std::vector<SettingEffect>& effects, int width);

} // namespace apertune::comparison
