// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweeps/sweep_of.h"

#include "core/base/number_text.h"
#include "core/model/precision.h"
#include "core/search/defaults.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace apertune::sweeps {

using Form = SweepEntry::Form;

namespace {

/// A number with the largest unit in which it is whole.
template <std::size_t size>
std::string inUnits(std::int64_t count, const std::array<std::pair<std::int64_t, const char*>, size>& units)
{
    for (const auto& [scale, unit] : units)
        if (count % scale == 0)
            return std::to_string(count / scale) + unit;
    return std::to_string(count);
}

std::string timeText(base::Nanoseconds time)
{
    static constexpr std::array<std::pair<std::int64_t, const char*>, 5> kUnits{
        {{60'000'000'000, "m"}, {1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}, {1, "ns"}}};
    return time.count == 0 ? "0" : inUnits(time.count, kUnits);
}

std::string sizeText(base::Bytes bytes)
{
    static constexpr std::array<std::pair<std::int64_t, const char*>, 4> kUnits{
        {{std::int64_t{1} << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "B"}}};
    return inUnits(bytes.count, kUnits);
}

/// A share in per cent, unless only the share itself reads back as the same number.
std::string shareText(double share)
{
    constexpr double kDecimals = 1e6;
    const double percent = std::round(100 * share * kDecimals) / kDecimals;
    return percent / 100 == share ? base::roundTripText(percent) + "%" : base::roundTripText(share);
}

class Entries
{
public:
    void text(const char* key, std::string value) { m_entries.push_back({key, Form::text, {std::move(value)}}); }
    void flag(const char* key, bool value)
    {
        if (value)
            m_entries.push_back({key, Form::flag, {"true"}});
    }
    /// Adds a list unless it is empty.
    template <typename Values, typename Text>
    void list(const char* key, const Values& values, Text textOf)
    {
        std::vector<std::string> texts;
        for (const auto& value : values)
            texts.push_back(textOf(value));
        add(key, Form::list, std::move(texts));
    }
    void add(const char* key, Form form, std::vector<std::string> texts)
    {
        if (!texts.empty())
            m_entries.push_back({key, form, std::move(texts)});
    }
    std::vector<SweepEntry> take() { return std::move(m_entries); }

private:
    std::vector<SweepEntry> m_entries;
};

std::string sameText(const std::string& text)
{
    return text;
}

std::string countText(int count)
{
    return std::to_string(count);
}

void addSpace(const model::SearchSpace& space, Entries& entries)
{
    entries.list("levels", space.levels, [](auto level) { return std::string(model::toString(level)); });
    entries.list("precisions", space.precisions, [](auto value) { return std::string(model::toString(value)); });
    entries.list("batches", space.batches, [](int batch) {
        return batch == model::SearchSpace::kAutoBatch ? std::string("auto") : countText(batch);
    });
    if (space.memoryShare)
        entries.text("memory-share", shareText(*space.memoryShare));
    std::vector<std::string> switches;
    for (const auto& [name, values] : space.switches) {
        std::string text = name + "=";
        for (const bool on : values)
            text += on ? "on," : "off,";
        text.pop_back();
        switches.push_back(std::move(text));
    }
    entries.add(kSwitchKey, Form::map, std::move(switches));
    entries.flag("emulated", space.emulated);
    if (space.search)
        entries.text("search", std::string(toString(*space.search)));
}

void addGoal(const Sweep& sweep, Entries& entries)
{
    const model::Goal& goal = sweep.goal;
    const model::Goal usual;
    if (goal.objective != usual.objective || !goal.also.empty()) {
        std::vector<std::string> objectives{std::string(toString(goal.objective))};
        for (const model::Objective objective : goal.also)
            objectives.emplace_back(toString(objective));
        entries.add("goal", Form::list, std::move(objectives));
    }
    std::vector<std::string> bounds;
    if (goal.maxLatency)
        bounds.push_back(timeText(*goal.maxLatency));
    for (const auto& [percent, most] : goal.maxPercentiles)
        bounds.push_back("p" + std::to_string(percent) + "=" + timeText(most));
    entries.add("max-latency", Form::list, std::move(bounds));
    if (goal.maxMemory)
        entries.text("max-memory", sizeText(*goal.maxMemory));
    if (goal.maxEnergy)
        entries.text("max-energy", base::roundTripText(*goal.maxEnergy) + "J");
    if (goal.maxFirst)
        entries.text("max-first", timeText(*goal.maxFirst));
    entries.text(sweep.budgetKind == model::BudgetKind::wall ? "budget" : "measuring-budget", timeText(sweep.budget));
    if (sweep.target != model::kDefaultTarget)
        entries.text("target", shareText(sweep.target));
}

void addQuality(const Sweep& sweep, Entries& entries)
{
    const model::Goal& goal = sweep.goal;
    if (goal.minQuality != model::Goal{}.minQuality)
        entries.text("min-quality", base::roundTripText(goal.minQuality));
    if (goal.maxRelError)
        entries.text("max-rel-error", base::roundTripText(*goal.maxRelError));
    if (goal.maxAbsError)
        entries.text("max-abs-error", base::roundTripText(*goal.maxAbsError));
    const model::SearchSpace& space = sweep.space;
    if (!space.calibration.empty())
        entries.text("calibration", space.calibration);
    if (space.calibrationSamples != model::SearchSpace{}.calibrationSamples)
        entries.text("calibration-samples", countText(space.calibrationSamples));
}

} // namespace

std::vector<SweepEntry> sweepOf(const Sweep& sweep)
{
    const model::SearchSpace& space = sweep.space;
    Entries entries;
    entries.text(kModelKey, sweep.model);
    addSpace(space, entries);
    addGoal(sweep, entries);
    addQuality(sweep, entries);
    if (space.backends != search::defaultBackends(space))
        entries.list("backends", space.backends, sameText);
    entries.list("devices", space.devices, sameText);
    entries.list("threads", space.threads, countText);
    entries.flag("spread", space.spread);
    return entries.take();
}

std::string portableName(const model::ModelRef& model)
{
    for (const std::string_view kind : {"torchvision:", "timm:"})
        if (model.source.starts_with(kind) && !model.weights.starts_with("file "))
            return model.source;
    return model.name;
}

} // namespace apertune::sweeps
