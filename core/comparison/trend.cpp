// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/trend.h"

#include "core/base/csv.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/comparison/trial_flags.h"
#include "core/model/experiment.h"
#include "core/model/interval_json.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace apertune::comparison {

using base::Json;

namespace {

/// A measured trial of a history with its study.
struct Entry
{
    const model::StudySnapshot* snapshot = nullptr;
    const model::Trial* trial = nullptr;
};

const std::string& whenOf(const Entry& entry)
{
    return entry.trial->finishedUtc.empty() ? entry.snapshot->study.createdUtc : entry.trial->finishedUtc;
}

double othersLoadOf(const model::Conditions& conditions)
{
    const double available =
        static_cast<double>(conditions.span.count) * static_cast<double>(std::max(0, conditions.processors));
    // The clocks of processes and processors tick apart, so an idle machine may seem to have a little less than none.
    return available > 0
               ? std::max(0.0, static_cast<double>(conditions.others.count + conditions.steal.count) / available)
               : 0;
}

TrendPoint pointOf(const Entry& entry)
{
    const model::Environment& environment = entry.snapshot->study.environment;
    const model::Trial& trial = *entry.trial;
    TrendPoint point{trial.id,
                     trial.study,
                     whenOf(entry),
                     trial.measurement.latencyNs,
                     trial.measurement.blocks.size(),
                     othersLoadOf(trial.measurement.conditions),
                     wasDisturbed(trial),
                     hasFlag(trial, model::TrialFlag::throttled),
                     {}};
    if (const std::string* version = model::engineVersion(environment, trial.config.backend))
        point.versions.emplace_back(trial.config.backend, *version);
    if (const model::Device* device = entry.snapshot->device(trial.device); device && !device->driver.empty())
        point.versions.emplace_back("driver", device->driver);
    point.versions.insert(point.versions.end(),
                          {{"kernel", environment.kernel}, {"os", environment.os}, {"apertune", environment.apertune}});
    std::erase_if(point.versions, [](const auto& version) { return version.second.empty(); });
    return point;
}

/// What differs between the environments of two trials of a configuration and can change its time.
std::vector<Difference> changedBetween(const Entry& before, const Entry& after)
{
    std::vector<Difference> changed = environmentDifferences(before.snapshot->study, after.snapshot->study);
    const std::string engine = "engine " + after.trial->config.backend;
    // Only the trial's own device and engine can have changed its time.
    std::vector<std::string> otherDevices;
    for (const Entry* entry : {&before, &after})
        for (const model::Device& device : entry->snapshot->study.environment.devices)
            if (device.id != entry->trial->device)
                otherDevices.push_back(device.id);
    std::erase_if(changed, [&](const Difference& d) {
        const bool ofOther = std::any_of(otherDevices.begin(), otherDevices.end(), [&d](const std::string& id) {
            return d.name == id || d.name.starts_with(id + " ");
        });
        // The load of each trial is shown beside it.
        return ofOther || d.name == "model" || d.name == "load average" ||
               (d.name.starts_with("engine ") && d.name != engine);
    });
    // The points of a trend call the version of the engine by its name alone.
    for (Difference& d : changed)
        if (d.name == engine)
            d.title = base::foreignText(d.name = after.trial->config.backend);
    return changed;
}

/// Whether a trial says enough about the level: nothing disturbed it, and its uncertainty is known.
bool makesSteps(const TrendPoint& point)
{
    return !point.busy && !point.throttled && point.latencyNs.confidence > 0;
}

void addSteps(Trend& trend, const std::vector<Entry>& entries)
{
    std::vector<stats::HistoryValue> history;
    std::vector<std::size_t> places; // positions of the values in `entries`
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!makesSteps(trend.points[i]))
            continue;
        const model::Interval& latency = trend.points[i].latencyNs;
        history.push_back({latency.value, latency.relativeHalfWidth()});
        places.push_back(i);
    }
    const stats::ChangePoints found = stats::findSteps(history, trend.noiseFloor);
    const auto stepOf = [&](const stats::HistoryStep& step) {
        const Entry& before = entries[places[step.at - 1]];
        const Entry& after = entries[places[step.at]];
        return TrendStep{before.trial->id, after.trial->id, step.ratio, step.p, changedBetween(before, after)};
    };
    for (const stats::HistoryStep& step : found.steps)
        trend.steps.push_back(stepOf(step));
    if (found.newest)
        trend.newest = stepOf(*found.newest);
    trend.spread = found.spread;
}

std::string arrowText(const Difference& d)
{
    const auto shown = [](const base::Message& value) {
        const std::string text = sentences::sentence(value);
        return text.empty() ? std::string("–") : text;
    };
    return d.name + " " + shown(d.a) + " → " + shown(d.b);
}

std::string changesText(const std::vector<Difference>& changed)
{
    std::vector<std::string> texts;
    for (const Difference& d : changed)
        texts.push_back(arrowText(d));
    return base::join(texts);
}

std::string signedPercent(double share)
{
    return (share < 0 ? "−" : "+") + base::formatSignificant(std::abs(share) * 100, 2) + " %";
}

/// Returns "+12 % [+9.1 %, +15 %]" for a ratio of times.
std::string ratioText(const model::Interval& ratio)
{
    return signedPercent(ratio.value - 1) + " [" + signedPercent(ratio.lo - 1) + ", " + signedPercent(ratio.hi - 1) +
           "]";
}

/// A line of a plot: the interval and the value between the least and the largest end of all trials.
std::string plotLine(const model::Interval& latency, double least, double most)
{
    constexpr int kColumns = 24;
    // Equal trials have no range, so all of them stand in the first column.
    const auto column = [&](double value) {
        return most > least
                   ? std::clamp(static_cast<int>((value - least) / (most - least) * (kColumns - 1)), 0, kColumns - 1)
                   : 0;
    };
    std::string line;
    for (int i = 0; i < kColumns; ++i)
        line += i == column(latency.value) ? "●" : i >= column(latency.lo) && i <= column(latency.hi) ? "─" : " ";
    return line;
}

const TrendPoint& pointAt(const Trend& trend, model::TrialId trial)
{
    return *std::find_if(trend.points.begin(), trend.points.end(),
                         [trial](const TrendPoint& point) { return point.trial == trial; });
}

std::string causeText(const TrendStep& step)
{
    if (step.changed.empty())
        return "Nothing that is recorded changed.";
    return step.changed.size() == 1 ? "The only recorded change: " + changesText(step.changed) + "."
                                    : "Changed together: " + changesText(step.changed) + ".";
}

std::string stepText(const Trend& trend, const TrendStep& step)
{
    return "Step at " + text::toText(step.after) + " (" + pointAt(trend, step.after).when +
           "): " + ratioText(step.ratio) + " of the time, " + (step.ratio.value > 1 ? "slower" : "faster") + " than " +
           text::toText(step.before) + " and the trials of its level. " + causeText(step);
}

std::string newestText(const TrendStep& step)
{
    return "The newest trial " + text::toText(step.after) + " alone differs: " + ratioText(step.ratio) +
           " of the time. One trial is no step; sweep again before you trust it. " + causeText(step);
}

Json stepJson(const TrendStep& step)
{
    Json changed = Json::array();
    for (const Difference& d : step.changed)
        changed.push_back(
            {{"name", d.name}, {"before", sentences::sentence(d.a)}, {"after", sentences::sentence(d.b)}});
    Json json{{"before", text::toText(step.before)}, {"after", text::toText(step.after)}};
    json.update(model::intervalJson("ratio", step.ratio));
    json.update({{"p", step.p}, {"changed", changed}});
    return json;
}

} // namespace

bool Trend::holds(model::TrialId trial) const
{
    return std::any_of(points.begin(), points.end(), [trial](const TrendPoint& point) { return point.trial == trial; });
}

const TrendStep* Trend::newestStep() const
{
    return newest ? &*newest : steps.empty() ? nullptr : &steps.back();
}

std::vector<Trend> trendsOf(std::span<const model::StudySnapshot> studies)
{
    using Key = std::tuple<std::string, std::string, std::string>;
    std::map<Key, std::vector<Entry>> groups;
    for (const model::StudySnapshot& snapshot : studies)
        for (const model::Trial& trial : snapshot.trials) {
            const model::Device* device = snapshot.deviceOf(trial);
            if (!device || trial.state != model::TrialState::ok || !(trial.measurement.latencyNs.value > 0))
                continue;
            // A model that was imported again with other contents is another model, whatever its name.
            groups[{snapshot.study.model.contentHash, model::machineClass(*device),
                    model::configHash(trial.config, trial.device)}]
                .push_back({&snapshot, &trial});
        }
    std::vector<Trend> trends;
    for (auto& [key, entries] : groups) {
        // Times are whole seconds, within which the ids keep the order.
        std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return std::tuple(whenOf(a), a.trial->id.value) < std::tuple(whenOf(b), b.trial->id.value);
        });
        const Entry& newest = entries.back();
        Trend& trend = trends.emplace_back();
        trend.model = newest.snapshot->study.model.name;
        trend.device = newest.trial->device;
        trend.machine = std::get<1>(key);
        trend.label = text::ConfigurationNames(*newest.snapshot).shortName(*newest.trial);
        for (const Entry& entry : entries) {
            trend.points.push_back(pointOf(entry));
            // The noisiest study decides: a step exceeds what each of them could show.
            trend.noiseFloor = std::max(trend.noiseFloor, entry.snapshot->noiseFloor());
        }
        addSteps(trend, entries);
    }
    std::stable_sort(trends.begin(), trends.end(),
                     [](const Trend& a, const Trend& b) { return a.points.back().when > b.points.back().when; });
    return trends;
}

Json trendDocument(const Trend& trend)
{
    Json points = Json::array();
    for (const TrendPoint& point : trend.points) {
        Json versions = Json::object();
        for (const auto& [name, version] : point.versions)
            versions[name] = version;
        Json json{{"trial", text::toText(point.trial)}, {"study", text::toText(point.study)}, {"when", point.when}};
        json.update({{"latency_ms", model::intervalJson("value", point.latencyNs, base::kMsPerNs)},
                     {"samples", point.samples},
                     {"others_load", point.othersLoad},
                     {"busy", point.busy},
                     {"throttled", point.throttled},
                     {"versions", versions}});
        points.push_back(std::move(json));
    }
    Json steps = Json::array();
    for (const TrendStep& step : trend.steps)
        steps.push_back(stepJson(step));
    return {{"schema", "apertune.trend/1"},
            {"model", trend.model},
            {"device", trend.device},
            {"machine", trend.machine},
            {"configuration", trend.label},
            {"noise_floor", trend.noiseFloor > 0 ? Json(trend.noiseFloor) : Json()},
            {"spread", trend.spread > 0 ? Json(trend.spread) : Json()},
            {"points", points},
            {"steps", steps},
            {"newest", trend.newest ? stepJson(*trend.newest) : Json()}};
}

std::string trendCsv(const Trend& trend)
{
    std::string text =
        "trial,study,when_utc,latency_ms,latency_lo_ms,latency_hi_ms,samples,others_load,busy,throttled,step,"
        "versions\n";
    for (const TrendPoint& point : trend.points) {
        const bool known = point.latencyNs.confidence > 0;
        std::vector<std::string> versions;
        for (const auto& [name, version] : point.versions)
            versions.push_back(name + " " + version);
        const bool isStep = std::any_of(trend.steps.begin(), trend.steps.end(),
                                        [&point](const TrendStep& step) { return step.after == point.trial; });
        base::CsvLine line;
        line.text(text::toText(point.trial)).text(text::toText(point.study)).text(point.when);
        line.number(point.latencyNs.value * base::kMsPerNs);
        line.number(known ? std::optional(point.latencyNs.lo * base::kMsPerNs) : std::nullopt);
        line.number(known ? std::optional(point.latencyNs.hi * base::kMsPerNs) : std::nullopt);
        line.count(static_cast<std::int64_t>(point.samples)).number(point.othersLoad);
        line.count(point.busy ? 1 : 0)
            .count(point.throttled ? 1 : 0)
            .count(isStep ? 1 : 0)
            .text(base::join(versions, "; "));
        text += line.take();
    }
    return text;
}

std::string trendText(const Trend& trend, int width)
{
    double least = trend.points.front().latencyNs.value;
    double most = least;
    for (const TrendPoint& point : trend.points) {
        least = std::min(least, point.latencyNs.lo);
        most = std::max(most, point.latencyNs.hi);
    }
    text::TextTable table({{"Trial"},
                           {"When"},
                           {"Latency ms", text::Align::right},
                           {"n", text::Align::right, false, 1},
                           {"Others", text::Align::right, false, 3},
                           {base::formatSignificant(least * base::kMsPerNs, 3) + " … " +
                                base::formatSignificant(most * base::kMsPerNs, 3) + " ms",
                            text::Align::left, false, 2},
                           {"Versions that changed", text::Align::left, true}});
    const TrendPoint* before = nullptr;
    for (const TrendPoint& point : trend.points) {
        std::vector<std::string> versions;
        for (const auto& version : point.versions)
            if (!before ||
                std::find(before->versions.begin(), before->versions.end(), version) == before->versions.end())
                versions.push_back(version.first + " " + version.second);
        table.addRow({text::toText(point.trial), point.when, text::formatPlusMinus(point.latencyNs, base::kMsPerNs),
                      std::to_string(point.samples),
                      base::formatPercent(point.othersLoad) + (point.busy        ? " busy"
                                                               : point.throttled ? " slow clock"
                                                                                 : ""),
                      plotLine(point.latencyNs, least, most), base::join(versions)});
        before = &point;
    }
    std::string text = trend.model + ", " + trend.label + " on " + trend.device + " (" + trend.machine + ")\n\n" +
                       table.render(width) + "\n";
    for (const TrendStep& step : trend.steps)
        text += text::wrap(stepText(trend, step), width, 0) + "\n";
    if (trend.newest)
        text += text::wrap(newestText(*trend.newest), width, 0) + "\n";
    if (trend.steps.empty() && !trend.newest)
        text += "No step found.\n";
    const auto count = [&trend](auto holds) {
        return static_cast<std::size_t>(std::count_if(trend.points.begin(), trend.points.end(), holds));
    };
    const std::size_t usable = count(makesSteps);
    if (const std::size_t busy = count([](const TrendPoint& point) { return point.busy; }); busy > 0)
        text += "Busy trials (" + std::to_string(busy) + ") make no step: other programs disturbed them.\n";
    if (const std::size_t slow = count([](const TrendPoint& point) { return !point.busy && point.throttled; });
        slow > 0)
        text += "Trials at a slow clock (" + std::to_string(slow) + ") make no step: the clock was held down.\n";
    if (const std::size_t unsure = count([](const TrendPoint& point) { return !(point.latencyNs.confidence > 0); });
        unsure > 0)
        text +=
            "Trials without an interval (" + std::to_string(unsure) + ") make no step: they have too few samples.\n";
    if (usable < 2 * stats::kStepValues)
        text +=
            text::wrap("A step needs at least " + std::to_string(stats::kStepValues) +
                           " undisturbed trials with an interval on each side. `apertune compare` tells the difference "
                           "of two trials.",
                       width, 0) +
            "\n";
    else if (trend.spread > 0)
        text += "The trials spread by " + base::formatSignificant(trend.spread * 100, 2) + " % around their level.\n";
    return text;
}

std::string trendsText(std::span<const Trend> trends, int width)
{
    text::TextTable table({{"Model", text::Align::left, true},
                           {"Configuration", text::Align::left, true},
                           {"Device", text::Align::left, false, 3},
                           {"Trials", text::Align::right, false, 1},
                           {"Newest", text::Align::left, false, 2},
                           {"Latency ms", text::Align::right},
                           {"Steps", text::Align::right},
                           {"Newest step", text::Align::left, true}});
    for (const Trend& trend : trends) {
        const TrendPoint& newest = trend.points.back();
        const TrendStep* step = trend.newestStep();
        table.addRow({trend.model, trend.label, trend.device, std::to_string(trend.points.size()),
                      text::toText(newest.trial), text::formatPlusMinus(newest.latencyNs, base::kMsPerNs),
                      std::to_string(trend.steps.size()),
                      step ? text::toText(step->after) + " " + signedPercent(step->ratio.value - 1) +
                                 (trend.newest ? " (one trial)" : "") +
                                 (step->changed.empty() ? std::string() : ": " + changesText(step->changed))
                           : std::string()});
    }
    return table.render(width);
}

} // namespace apertune::comparison
