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

/// Quantities that a study can optimize. Stored by value: never renumber.
enum class Objective { throughput = 0, latency = 1, memory = 2 };

std::string_view toString(Objective objective);
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
    /// Further objectives, in order, none twice: what is best in each is searched for as well and told beside the
    /// recommendation, and the front is what no other trial dominates in all of them (search::paretoFront).
    std::vector<Objective> also{};
};

/// "throughput" or, with further ones, "throughput,memory": as setObjectives reads them.
std::string objectivesText(const Goal& goal);

/// The names of Goal::also, as documents list them.
std::vector<std::string> alsoNames(const Goal& goal);

/// Returns whether it is the main objective or a further one.
bool asksFor(const Goal& goal, Objective objective);

/// What a picture of the goal's trade-offs shows throughput against: memory where that is asked for and latency is
/// not, else latency. `line`: whether the front is one in that picture, no third objective being there.
struct TradeoffAxis
{
    Objective across = Objective::latency;
    bool line = true;
};
TradeoffAxis tradeoffAxis(const Goal& goal);

/// All objectives of a goal as goals of one, with its bounds: the main one first. Never empty.
std::vector<Goal> goalsOfOne(const Goal& goal);

/// What the median must keep for the goal to be kept, percentiles not being below it: the smallest bound of latency.
std::optional<base::Nanoseconds> medianBound(const Goal& goal);

/// A list of objectives: "latency", "throughput,memory". Failures: invalidArgument for an unknown or a repeated one.
base::Status setObjectives(Goal& goal, const std::string& name, const std::string& text);

/// Bounds as people write them, on the command line and in the window alike: a time ("20ms"), the time of a percentile
/// ("p99=25ms") or both ("20ms,p99=25ms"); a size; a share above 0. `name` is the option's or the field's and begins
/// the sentence of a failure (invalidArgument). A bound of 0 is refused: nothing keeps it, and everything has an
/// agreement of 0.
base::Status setMaxLatency(Goal& goal, const std::string& name, const std::string& text);
base::Status setMaxMemory(Goal& goal, const std::string& name, const std::string& text);
base::Status setMinQuality(Goal& goal, const std::string& name, const std::string& text);

} // namespace apertune::model
