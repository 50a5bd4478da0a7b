// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/goal.h"

#include "core/base/text.h"
#include "core/model/errors.h"
#include "core/model/measurement.h"
#include "core/model/model_ref.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

namespace apertune::model {

using base::Error;
using base::ErrorCode;

namespace {

constexpr std::array kObjectives{Objective::throughput, Objective::latency, Objective::memory, Objective::energy};

/// Takes a bound over, but refuses 0, which no trial could keep.
template <typename Unit>
base::Status takeAboveZero(const std::string& name, base::Result<Unit> bound, const char* example,
                           std::optional<Unit>& into)
{
    if (!bound)
        return bound.error();
    if (bound->count <= 0)
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kBoundOfZero>(name),
                     {},
                     base::message<errors::kWriteBound>(example)};
    into = *bound;
    return {};
}

template <typename Objectives>
std::vector<std::string> names(const Objectives& objectives)
{
    std::vector<std::string> words;
    for (const Objective objective : objectives)
        words.emplace_back(toString(objective));
    return words;
}

} // namespace

std::string_view toString(Objective objective)
{
    switch (objective) {
    case Objective::throughput:
        return "throughput";
    case Objective::latency:
        return "latency";
    case Objective::memory:
        return "memory";
    case Objective::energy:
        return "energy";
    }
    return "throughput";
}

std::optional<Objective> objectiveFromString(std::string_view text)
{
    for (const Objective o : kObjectives)
        if (toString(o) == text)
            return o;
    return std::nullopt;
}

std::vector<std::string> alsoNames(const Goal& goal)
{
    return names(goal.also);
}

std::string objectivesText(const Goal& goal)
{
    std::vector<Objective> all{goal.objective};
    all.insert(all.end(), goal.also.begin(), goal.also.end());
    return base::join(names(all), ",");
}

bool asksFor(const Goal& goal, Objective objective)
{
    return goal.objective == objective || std::count(goal.also.begin(), goal.also.end(), objective) > 0;
}

bool needsEnergy(const Goal& goal)
{
    return goal.maxEnergy || asksFor(goal, Objective::energy);
}

TradeoffAxis tradeoffAxis(const Goal& goal)
{
    // With one objective, throughput is shown against latency, which is its default.
    if (goal.also.empty())
        return {};
    const bool memory = asksFor(goal, Objective::memory) && !asksFor(goal, Objective::latency);
    return {memory ? Objective::memory : Objective::latency,
            goal.also.size() == 1 && asksFor(goal, Objective::throughput)};
}

std::vector<Goal> singleObjectiveGoals(const Goal& goal)
{
    std::vector<Goal> goals{goal};
    goals.front().also.clear();
    for (const Objective objective : goal.also) {
        goals.push_back(goals.front());
        goals.back().objective = objective;
    }
    return goals;
}

base::Status setObjectives(Goal& goal, const std::string& name, const std::string& text)
{
    std::vector<Objective> objectives;
    for (const std::string& word : base::splitList(text)) {
        const auto objective = objectiveFromString(base::lower(word));
        const std::vector<std::string> known = names(kObjectives);
        if (!objective) {
            const std::string near = base::closestMatch(word, known);
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kNoObjective>(name, word),
                         {},
                         base::sentencesOf(
                             {base::didYouMean(near), base::message<errors::kWriteObjectives>(base::join(known))})};
        }
        if (std::find(objectives.begin(), objectives.end(), *objective) != objectives.end())
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kObjectiveTwice>(name, word),
                         {},
                         base::message<errors::kNameOnce>()};
        objectives.push_back(*objective);
    }
    if (objectives.empty())
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoObjectiveNamed>(name),
                     {},
                     base::message<errors::kWriteLatency>()};
    goal.objective = objectives.front();
    goal.also.assign(objectives.begin() + 1, objectives.end());
    return {};
}

std::optional<base::Nanoseconds> medianBound(const Goal& goal)
{
    std::optional<base::Nanoseconds> bound = goal.maxLatency;
    for (const auto& [percent, most] : goal.maxPercentiles)
        // The median lies below each percentile, so the smallest bound of a percentile bounds it too.
        bound = std::min(bound.value_or(most), most);
    return bound;
}

base::Status setMaxLatency(Goal& goal, const std::string& name, const std::string& text)
{
    auto parts = base::splitList(text);
    if (parts.empty())
        parts.push_back(text);
    for (const std::string& part : parts) {
        const auto equals = part.find('=');
        const std::string time = part.substr(equals == std::string::npos ? 0 : equals + 1);
        std::optional<base::Nanoseconds> bound;
        if (auto taken = takeAboveZero(name, base::parseDuration(name, time), "20ms or p99=25ms", bound); !taken)
            return taken;
        if (equals == std::string::npos) {
            goal.maxLatency = bound;
            continue;
        }
        const auto* const percentile = std::find_if(kBoundPercentiles.begin(), kBoundPercentiles.end(), [&](int p) {
            return part.substr(0, equals) == "p" + std::to_string(p);
        });
        if (percentile == kBoundPercentiles.end())
            return Error{ErrorCode::invalidArgument,
                         base::message<errors::kNoTrialPercentile>(name, part.substr(0, equals)),
                         {},
                         base::message<errors::kWritePercentile>()};
        goal.maxPercentiles[*percentile] = *bound;
    }
    return {};
}

base::Status setMaxMemory(Goal& goal, const std::string& name, const std::string& text)
{
    return takeAboveZero(name, base::parseBytes(name, text), "4GiB", goal.maxMemory);
}

base::Status setMaxFirst(Goal& goal, const std::string& name, const std::string& text)
{
    return takeAboveZero(name, base::parseDuration(name, text), "500ms", goal.maxFirst);
}

base::Status setMaxEnergy(Goal& goal, const std::string& name, const std::string& text)
{
    double value = 0;
    // from_chars reads a number without the locale, whose decimal point may be a comma.
    const char* const last = text.data() + text.size();
    const auto [end, code] = std::from_chars(text.data(), last, value);
    const std::string unit = base::lower(std::string(end, last));
    const double scale = unit == "j" ? 1 : unit == "mj" ? 1e-3 : unit == "uj" ? 1e-6 : 0;
    if (code != std::errc() || scale == 0 || !std::isfinite(value))
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoEnergyBound>(name, text),
                     {},
                     base::message<errors::kWriteBound>("500mJ")};
    // Written so that a value that is no number is refused.
    if (!(value > 0))
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kBoundOfZero>(name),
                     {},
                     base::message<errors::kWriteBound>("500mJ")};
    goal.maxEnergy = value * scale;
    return {};
}

base::Status setMinQuality(Goal& goal, const std::string& name, const std::string& text)
{
    const auto bound = base::parseShare(name, text);
    if (!bound)
        return bound.error();
    if (!(*bound > 0))
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kBoundOfZero>(name),
                     {},
                     base::message<errors::kWriteQuality>()};
    goal.minQuality = *bound;
    return {};
}

namespace {

/// Reads a number from 0 on; with "%" behind it a hundredth of it.
base::Status setError(const std::string& name, const std::string& text, bool isShare, std::optional<double>& bound)
{
    double value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, code] = std::from_chars(text.data(), last, value);
    const bool percent = isShare && std::string_view(end, static_cast<std::size_t>(last - end)) == "%";
    if (code != std::errc() || (end != last && !percent) || !(value >= 0))
        return Error{ErrorCode::invalidArgument,
                     base::message<errors::kNoErrorBound>(name, text),
                     {},
                     base::message<errors::kWriteErrorBound>()};
    bound = percent ? value / 100 : value;
    return {};
}

} // namespace

base::Status setMaxRelError(Goal& goal, const std::string& name, const std::string& text)
{
    return setError(name, text, true, goal.maxRelError);
}

base::Status setMaxAbsError(Goal& goal, const std::string& name, const std::string& text)
{
    return setError(name, text, false, goal.maxAbsError);
}

std::optional<double> defaultMaxRelError(const ModelRef& model)
{
    const bool integers = !model.outputs.empty() &&
                          std::none_of(model.outputs.begin(), model.outputs.end(), [](const TensorSpec& output) {
                              return output.dtype.find("float") != std::string::npos;
                          });
    // Boxes have no relative error of use, and integers are equal or not.
    if (model.taskType == TaskType::detection || integers)
        return std::nullopt;
    return model.taskType == TaskType::classification || model.taskType == TaskType::segmentation ? 0.3 : 0.2;
}

bool keepsQuality(const Goal& goal, const Quality& quality)
{
    // The comparisons are written so that a NaN fails them.
    return quality.cosine >= goal.minQuality && (!goal.maxRelError || quality.maxRel <= *goal.maxRelError) &&
           (!goal.maxAbsError || quality.maxAbs <= *goal.maxAbsError);
}

} // namespace apertune::model
