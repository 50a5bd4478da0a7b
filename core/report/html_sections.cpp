// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html_sections.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/comparison/break_even.h"
#include "core/comparison/compare.h"
#include "core/comparison/effects.h"
#include "core/report/evaluation_report.h"
#include "core/report/recommendation.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace apertune::report {

namespace {

using base::Json;

Json card(const std::string& title, const std::string& value, const std::string& unit, const std::string& note)
{
    return {{"title", title}, {"value", value}, {"unit", unit}, {"note", note}};
}

Json ratioCard(const std::string& title, const model::Interval& ratio, const std::string& over)
{
    const std::string text = text::formatRatio(ratio);
    const std::string_view sign = "×";
    const auto at = text.find(sign);
    // "cannot tell" has no number that could stand large.
    if (at == std::string::npos)
        return card(title, text, "", over);
    return card(title, text.substr(0, at), std::string(sign), text.substr(at + sign.size() + 1) + " " + over);
}

/// Null when there is nothing in the list.
Json listed(const char* name, Json list)
{
    return list.empty() ? Json() : Json{{name, std::move(list)}};
}

/// Returns O0 fp32 with the same device, machine class, threads and batch, of the engine that was planned first. The
/// speed-ups of the table refer to it.
const model::Trial* baselineOf(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    for (const model::Trial& other : snapshot.trials) {
        const model::Config& c = other.config;
        if (other.state == model::TrialState::ok && other.device == trial.device &&
            other.measurement.conditions.machine == trial.measurement.conditions.machine &&
            c.level == model::OptLevel::o0 && c.precision == model::Precision::fp32 && c.batch == trial.config.batch &&
            c.threads == trial.config.threads)
            return &other;
    }
    return nullptr;
}

std::string speedupText(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    const model::Trial* baseline = baselineOf(snapshot, trial);
    if (!baseline)
        return "–";
    if (baseline == &trial)
        return "baseline";
    const auto effect = stats::effectBetween({*baseline}, {trial});
    return effect ? text::formatRatio(stats::withNoiseFloor(*effect, snapshot.noiseFloor())) : "–";
}

Json measuredRow(const model::StudySnapshot& snapshot, const text::ConfigurationNames& names,
                 const std::vector<const metrics::Metric*>& columns, const model::Trial& trial)
{
    const model::Measurement& m = trial.measurement;
    const std::string& otherMachine = m.conditions.machine;
    Json numbers = Json::array();
    for (const metrics::Metric* metric : columns) {
        const metrics::Reading reading = metric->read(m, text::deviceType(snapshot, trial));
        numbers.push_back({{"text", text::metricText(*metric, reading)}, {"bad", reading.nonFinite > 0}});
    }
    return {{"best", snapshot.recommended && snapshot.recommended->trial == trial.id},
            {"trial", text::toText(trial.id)},
            {"engine", trial.config.backend},
            {"configuration", names.besideEngine(trial) + (otherMachine.empty() ? "" : " on " + otherMachine)},
            {"numbers", std::move(numbers)},
            {"speedup", speedupText(snapshot, trial)},
            {"blocks", m.blocks.size()},
            {"flags", model::toStrings(m.flags)}};
}

/// Returns the table of compile times, and of the passes after which they are saved again.
Json compiledValues(const model::StudySnapshot& snapshot, const text::ConfigurationNames& names)
{
    Json rows = Json::array();
    for (const model::Trial& trial : snapshot.trials)
        if (const std::string text = sentences::sentence(comparison::breakEvenMessage(snapshot, trial)); !text.empty())
            rows.push_back({{"trial", text::toText(trial.id)},
                            {"configuration", names.shortName(trial)},
                            {"took", base::formatDuration(*trial.measurement.compile)},
                            {"breakEven", text}});
    return listed("list", std::move(rows));
}

std::string deviceText(const model::Device& d)
{
    std::string text = d.name + ", " + base::formatBytes(d.memory);
    if (d.type.isCpu())
        text += ", " + std::to_string(d.cores) + " cores, " + std::to_string(d.threads) + " threads" +
                (d.isa.empty() ? std::string() : ", " + base::join(d.isa, " "));
    else if (d.type.isNvidiaGpu())
        text += ", compute capability " + std::to_string(d.computeMajor) + "." + std::to_string(d.computeMinor) +
                ", driver " + d.driver;
    else if (!d.driver.empty())
        text += ", driver " + d.driver;
    return text;
}

} // namespace

Json cardValues(const model::StudySnapshot& snapshot)
{
    const model::Trial* trial = snapshot.recommended ? snapshot.find(snapshot.recommended->trial) : nullptr;
    if (!trial)
        return {};
    const model::Measurement& m = trial->measurement;
    const text::ConfigurationNames names(snapshot);
    const std::size_t n = m.blocks.size();
    Json cards = Json::array();
    // A reader who sees the cards alone has to know what the number is worth.
    const bool confirmed = unconfirmedMessage(snapshot, *snapshot.recommended).empty();
    cards.push_back(card(confirmed ? "Recommended" : "Recommended, unconfirmed", names.shortName(*trial), "",
                         "trial " + text::toText(trial->id) + " on " + trial->device));
    cards.push_back(
        card("Throughput", text::formatGrouped(m.throughput.value, text::decimalsFor(m.throughput.value, 0)),
             std::string(base::toString(snapshot.study.model.rateUnit())), text::formatCertainty(m.throughput, n)));
    cards.push_back(card("Latency of a pass",
                         text::formatGrouped(m.latencyNs.value * base::kMsPerNs,
                                             text::decimalsFor(m.latencyNs.value * base::kMsPerNs, 0)),
                         "ms", text::formatCertainty(m.latencyNs, n)));
    if (const model::Trial* against = snapshot.find(snapshot.recommended->against); against && against != trial)
        cards.push_back(ratioCard("Gain", snapshot.recommended->speedup, "over " + names.shortName(*against)));
    if (const auto& next = snapshot.recommended->runnerUp)
        // A runner-up that is the baseline has the card above.
        if (const model::Trial* other = snapshot.find(next->over); other && next->over != snapshot.recommended->against)
            cards.push_back(ratioCard("Lead", next->ratio, "over the runner-up " + names.shortName(*other)));
    if (m.quality)
        cards.push_back(card("Agreement",
                             text::metricText(metrics::find("cosine"), metrics::find("cosine").read(m, {})), "cosine",
                             "to the O0 fp32 outputs"));
    if (const auto peak = metrics::memoryPeak(m.memory, text::deviceType(snapshot, *trial)))
        cards.push_back(card("Peak memory", base::formatBytes(*peak), "",
                             text::deviceType(snapshot, *trial).hasOwnMemory() ? "of the device" : "of the process"));
    return listed("list", std::move(cards));
}

Json trialValues(const model::StudySnapshot& snapshot)
{
    const text::ConfigurationNames names(snapshot);
    const std::vector<const metrics::Metric*> known = metrics::columnsOf(snapshot.trials);
    Json rows = Json::array();
    for (const model::Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok)
            rows.push_back(measuredRow(snapshot, names, known, trial));
    if (rows.empty())
        return {};
    Json columns = Json::array();
    for (const metrics::Metric* metric : known)
        columns.push_back(metrics::heading(*metric, snapshot.study.model.rateUnit()));
    return {{"severalEngines", names.severalEngines()},
            {"columns", std::move(columns)},
            {"trials", std::move(rows)},
            {"compiled", compiledValues(snapshot, names)}};
}

Json effectsValues(const model::StudySnapshot& snapshot)
{
    const comparison::EffectsTable table = comparison::effectsTable(snapshot, comparison::settingEffects(snapshot));
    if (table.rows.empty())
        return {};
    Json columns = Json::array();
    for (const comparison::EffectsTable::Column& column : table.columns)
        columns.push_back({{"title", column.title}, {"numeric", column.numeric}});
    Json rows = Json::array();
    for (const std::vector<std::string>& row : table.rows) {
        Json cells = Json::array();
        for (std::size_t i = 0; i < row.size(); ++i)
            cells.push_back({{"text", row[i]}, {"numeric", table.columns[i].numeric}});
        rows.push_back({{"cells", std::move(cells)}});
    }
    return {
        {"columns", std::move(columns)}, {"rows", std::move(rows)}, {"explanation", comparison::effectsExplanation()}};
}

Json accuracyValues(const model::StudySnapshot& snapshot,
                    const std::vector<std::pair<model::TrialId, model::Accuracy>>& accuracies)
{
    const text::ConfigurationNames names(snapshot);
    Json rows = Json::array();
    for (const auto& [id, accuracy] : accuracies) {
        const model::Trial* trial = snapshot.find(id);
        if (!trial)
            continue;
        for (const model::Accuracy::Metric& metric : accuracy.metrics)
            rows.push_back({{"trial", text::toText(id)},
                            {"configuration", names.longName(*trial)},
                            {"images", sentences::sentence(imagesMessage(accuracy))},
                            {"metric", sentences::sentence(metricMessage(metric.name))},
                            {"measured", sentences::sentence(shareMessage(metric.measured))},
                            {"imported", sentences::sentence(shareMessage(metric.imported))},
                            {"change", sentences::sentence(shareMessage(metric.change))}});
    }
    return listed("list", std::move(rows));
}

Json unmeasuredValues(const model::StudySnapshot& snapshot)
{
    const text::ConfigurationNames names(snapshot);
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;
    for (const model::Trial& trial : snapshot.trials) {
        if (trial.state == model::TrialState::ok)
            continue;
        // One reason often stands for many trials, so it is written once.
        const std::string title = std::string(model::isFinal(trial.state) ? model::toString(trial.state) : "waiting") +
                                  ", " + text::reasonText(trial);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == title; });
        if (group == groups.end())
            group = groups.insert(groups.end(), {title, {}});
        group->second.push_back(text::toText(trial.id) + " " + names.shortName(trial));
    }
    Json entries = Json::array();
    for (const auto& [title, cells] : groups)
        entries.push_back({{"term", title}, {"definition", base::join(cells, " · ")}});
    return listed("entries", std::move(entries));
}

Json notInEffectValues(const model::StudySnapshot& snapshot)
{
    const text::ConfigurationNames names(snapshot);
    Json entries = Json::array();
    for (const model::Trial& trial : snapshot.trials)
        for (const model::Applied& applied : trial.measurement.applied)
            if (trial.state == model::TrialState::ok && applied.state == model::AppliedState::requestedNotInEffect)
                entries.push_back(
                    {{"term", text::toText(trial.id) + " " + names.shortName(trial) + ": " + applied.name},
                     {"definition", applied.evidence}});
    return listed("entries", std::move(entries));
}

Json environmentValues(const model::StudySnapshot& snapshot)
{
    const model::Study& study = snapshot.study;
    const model::Environment& e = study.environment;
    Json rows = Json::array();
    const auto add = [&rows](const std::string& name, const std::string& value) {
        if (!value.empty())
            rows.push_back({{"name", name}, {"value", value}});
    };
    add("Model", study.model.name + " (" + study.model.source + ")");
    add("Weights", study.model.weights);
    add("Parameters", base::formatSignificant(static_cast<double>(study.model.parameters) * 1e-6, 3) + " M (" +
                          base::formatBytes(study.model.parameterBytes) + ")");
    add("Content", study.model.contentHash);
    add("Host", e.host);
    add("System", e.os + ", kernel " + e.kernel);
    for (const model::Device& d : e.devices)
        add(d.id, deviceText(d));
    add("Apertune", e.apertune);
    for (const auto& [name, version] : e.engines)
        add(name, version);
    for (const auto& [name, value] : e.settings)
        add(name, value);
    add("Load at the start", base::formatSignificant(e.loadAverage, 2));
    add("Started", study.createdUtc);
    add("Finished", study.finishedUtc);
    return rows;
}

Json methodValues(const model::StudySnapshot& snapshot)
{
    const model::Goal& goal = snapshot.study.goal;
    Json definitions = Json::array();
    for (const metrics::Metric* metric : metrics::columnsOf(snapshot.trials))
        definitions.push_back({{"term", metric->title}, {"definition", metric->definition}});
    return {{"metrics", std::move(definitions)},
            {"objective", model::toString(goal.objective)},
            {"objectives", goal.also.empty() ? Json() : Json(model::objectivesText(goal))},
            {"bounds", text::boundsText(goal)}};
}

} // namespace apertune::report
