// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apertune::model {

struct ModelRef;
struct Quality;

/// Quantities that a study can optimize. Stored by value: never renumber.
enum class Objective { throughput = 0, latency = 1, memory = 2, energy = 3 };

std::string_view toString(Objective objective);
/// Whether trials that took turns can be compared in it. Memory and energy are not refined by turns.
inline bool isTime(Objective objective)
{
    return objective == Objective::throughput || objective == Objective::latency;
}
std::optional<Objective> objectiveFromString(std::string_view text);

/// Percentiles of latency that trials report and a goal can bound.
inline constexpr std::array<int, 4> kBoundPercentiles{50, 90, 95, 99};

/// An objective with bounds. Bounds apply to measured values. A trial outside the bounds stays visible but is never
/// recommended.
struct Goal
{
    Objective objective = Objective::throughput;   ///< objective of the recommendation
    std::optional<base::Nanoseconds> maxLatency{}; ///< median latency of one forward pass
    std::optional<base::Bytes> maxMemory{};        ///< peak of the device (GPU) or the process (CPU)
    double minQuality = 0.99;                      ///< cosine similarity to the O0 fp32 outputs, 0…1
    /// Upper bounds for percentiles (kBoundPercentiles) of the latency of single passes. A trial with too few timed
    /// passes for a percentile (Measurement::p99Ns …) does not meet its bound.
    std::map<int, base::Nanoseconds> maxPercentiles{};
    /// Further objectives, in order, none twice. The best trial of each is searched for and reported beside the
    /// recommendation, and the Pareto front is over all of them (search::paretoFront).
    std::vector<Objective> also{};
    /// Bounds of Quality::maxRel and Quality::maxAbs. A cosine does not see the scale of an output: a constant factor
    /// leaves it at 1. nullopt: no bound; studies that do not name maxRelError get defaultMaxRelError().
    std::optional<double> maxRelError{};
    std::optional<double> maxAbsError{};
    std::optional<double> maxEnergy{}; ///< energy of a sample in joules (metric "energy")
    std::optional<base::Nanoseconds>
        maxFirst{}; ///< time from the model's files to the first answer (stats::firstAnswerNs)
};

/// Returns the bound of the relative error for a model, by its task type:
///  - 0.3 for "classification" and "segmentation", where the order of the values decides;
///  - nullopt for "detection", where a box that one side lacks is an error of 1; the cosine counts such boxes;
///  - 0.2 for other models, whose values are the answer.
/// nullopt as well when all outputs are integers: the difference of two labels has no size.
std::optional<double> defaultMaxRelError(const ModelRef& model);

/// Returns whether outputs of that quality are within the bounds of the goal for the cosine and the errors. A NaN in a
/// figure is beyond its bound.
bool keepsQuality(const Goal& goal, const Quality& quality);

/// Returns the objectives as setObjectives() reads them: "throughput" or, with further ones, "throughput,memory".
std::string objectivesText(const Goal& goal);

/// Returns the names of Goal::also, as documents list them.
std::vector<std::string> alsoNames(const Goal& goal);

/// Returns whether it is the main objective or a further one.
bool asksFor(const Goal& goal, Objective objective);

/// Returns whether the goal optimizes or bounds the energy, which not every machine reports.
bool needsEnergy(const Goal& goal);

/// The second axis of a plot of trade-offs, whose first axis is throughput: memory when the goal asks for memory and
/// not for latency, else latency. `line` is whether the Pareto front is a line in that plot, because there is no third
/// objective.
struct TradeoffAxis
{
    Objective objective = Objective::latency;
    bool line = true;
};
TradeoffAxis tradeoffAxis(const Goal& goal);

/// Returns one goal for each objective, with the same bounds; the main objective comes first. Never empty.
std::vector<Goal> singleObjectiveGoals(const Goal& goal);

/// Returns the upper bound of the median: the smallest bound of the latency or one of its percentiles, which are not
/// below the median. nullopt when there is none.
std::optional<base::Nanoseconds> medianBound(const Goal& goal);

/// Sets the objectives from a list: "latency", "throughput,memory". `name` is the option or field in the message.
/// Failures: invalidArgument (an unknown or a repeated objective).
base::Status setObjectives(Goal& goal, const std::string& name, const std::string& text);

/// Each sets a bound from a user's text, on the command line and in the window: a time ("20ms"), the time of a
/// percentile ("p99=25ms") or both ("20ms,p99=25ms"); a size; a share above 0. `name` is the option or field in the
/// message. A bound of 0 is refused, because no trial keeps a time or size of 0, and every trial has a quality of 0.
/// Failures: invalidArgument.
base::Status setMaxLatency(Goal& goal, const std::string& name, const std::string& text);
base::Status setMaxMemory(Goal& goal, const std::string& name, const std::string& text);
base::Status setMinQuality(Goal& goal, const std::string& name, const std::string& text);
/// Sets the bound of the energy of a sample: "0.5J", "20mJ". Failures: invalidArgument.
base::Status setMaxEnergy(Goal& goal, const std::string& name, const std::string& text);
/// Sets the bound of the time to the first answer: "500ms". Failures: invalidArgument.
base::Status setMaxFirst(Goal& goal, const std::string& name, const std::string& text);
/// Each sets the bound of an error: a share ("0.2", "20%") and a number. 0 asks for equal outputs.
/// Failures: invalidArgument.
base::Status setMaxRelError(Goal& goal, const std::string& name, const std::string& text);
base::Status setMaxAbsError(Goal& goal, const std::string& name, const std::string& text);

} // namespace apertune::model
