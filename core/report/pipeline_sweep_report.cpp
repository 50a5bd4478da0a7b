// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/pipeline_sweep_report.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/model/interval_json.h"
#include "core/report/pipeline_report.h"
#include "core/sentences/sentences.h"
#include "core/stats/block_stats.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace apertune::report {

using base::Json;
using workload::PipelineContender;
using workload::PipelineGoal;
using workload::PipelineSetting;
using workload::PipelineSweep;

namespace {

using Trials = std::vector<PipelineSweepTrial>;

int threadsOf(const PipelineSetting& setting, const Trials& trials)
{
    return setting.threads > 0 ? setting.threads : trials[setting.trial].threads;
}

int imagesAPass(const PipelineSetting& setting, const Trials& trials)
{
    return setting.plan.queueBatch > 0 ? setting.plan.queueBatch : trials[setting.trial].batch;
}

/// The settings in words, each with the function that writes it. Only those that vary in a sweep are shown.
std::vector<std::string> wordsOf(const PipelineSetting& s, const Trials& trials)
{
    const workload::PipelinePlan& plan = s.plan;
    return {text::toText(trials[s.trial].id) + " " + trials[s.trial].name,
            base::counted(threadsOf(s, trials), "thread"),
            base::counted(plan.decodeThreads, "decoding thread"),
            plan.prefetch == 0 ? "stages take turns" : base::counted(plan.prefetch, "batch ahead", "batches ahead"),
            base::counted(imagesAPass(s, trials), "image") + " a pass",
            plan.queueWait ? "waits " + base::formatDuration(*plan.queueWait) : std::string("waits for a full pass"),
            plan.normalize == workload::Place::device ? "values made on the device" : "values made on the host",
            std::string(toString(plan.memory)) + " memory",
            std::string(toString(plan.suppression)) + " suppression"};
}

/// What differs between the settings of a sweep, in words: "2 threads, 1 decoding thread".
class SettingNames
{
public:
    SettingNames(const PipelineSweep& sweep, const Trials& trials) : m_trials(trials)
    {
        const std::vector<std::string> first = wordsOf(sweep.contenders.front().setting, trials);
        m_varies.resize(first.size(), false);
        for (const PipelineContender& contender : sweep.contenders) {
            const std::vector<std::string> words = wordsOf(contender.setting, trials);
            for (std::size_t i = 0; i < words.size(); ++i)
                m_varies[i] = m_varies[i] || words[i] != first[i];
        }
    }

    std::string of(const PipelineContender& contender) const
    {
        const std::vector<std::string> words = wordsOf(contender.setting, m_trials);
        std::vector<std::string> shown;
        for (std::size_t i = 0; i < words.size(); ++i)
            if (m_varies[i])
                shown.push_back(words[i]);
        return shown.empty() ? words.front() : base::join(shown);
    }

private:
    const Trials& m_trials;
    std::vector<bool> m_varies;
};

/// The turns that say most: the confirmation's, else the screening's.
const std::vector<double>& turnsOf(const PipelineContender& contender)
{
    return contender.confirmation.empty() ? contender.screening : contender.confirmation;
}

/// The figure of the goal: images per second, or milliseconds.
model::Interval figureOf(const PipelineContender& contender, PipelineGoal goal)
{
    const model::Interval cost = stats::medianInterval(turnsOf(contender));
    if (goal == PipelineGoal::latency)
        return {cost.value * base::kMsPerNs, cost.lo * base::kMsPerNs, cost.hi * base::kMsPerNs, cost.confidence};
    return {1e9 / cost.value, 1e9 / cost.hi, 1e9 / cost.lo, cost.confidence};
}

const char* unitOf(PipelineGoal goal)
{
    return goal == PipelineGoal::rate ? "images/s" : "ms from image to answer";
}

std::string stateOf(const PipelineContender& contender)
{
    if (!contender.reason.empty())
        return contender.reason.kind == model::ReasonKind::budget ? "left_out" : "failed";
    return contender.confirmation.empty() ? "screened" : "confirmed";
}

/// The reasons of settings that were not measured, each with how many have it.
std::string reasonsText(const PipelineSweep& sweep)
{
    std::map<std::string, std::size_t> counts;
    for (const PipelineContender& contender : sweep.contenders)
        if (!contender.reason.empty())
            ++counts[sentences::sentence(contender.reason.message)];
    std::string text;
    for (const auto& [reason, count] : counts)
        text += "  " + base::counted(static_cast<std::int64_t>(count), "setting") + ": " + reason + "\n";
    return text.empty() ? text : "Not measured\n" + text + "\n";
}

std::string answerText(const PipelineSweep& sweep, const SettingNames& names, const Trials& trials)
{
    const std::vector<PipelineContender>& all = sweep.contenders;
    const std::string better = sweep.goal == PipelineGoal::rate ? "as many images as" : "as short a latency as";
    if (!sweep.recommended)
        return all.size() < 2 ||
                       std::all_of(all.begin() + 1, all.end(), [](const auto& c) { return c.screening.empty(); })
                   ? "No recommendation: no other setting was measured. Give it more time with --budget."
                   : "No recommendation: the budget ended before the best settings had " +
                         std::to_string(stats::kIntervalSamples) + " turns each. Give it more time with --budget.";
    const PipelineContender& chosen = all[*sweep.recommended];
    std::string text;
    if (*sweep.recommended > 0) {
        text = "✔ " + text::formatPlusMinus(figureOf(chosen, sweep.goal)) + " " + unitOf(sweep.goal) + ": " +
               names.of(chosen) + ", " + text::formatRatio(*chosen.ratio) + " " + better + " " + names.of(all[0]) + ".";
    } else {
        text = "✔ " + text::formatPlusMinus(figureOf(chosen, sweep.goal)) + " " + unitOf(sweep.goal) + ": " +
               names.of(chosen) + ". Nothing here is surely better.";
        if (const auto nearest = sweep.nearest())
            text += " The nearest is " + names.of(all[*nearest]) + ": " + text::formatRatio(*all[*nearest].ratio) + ".";
    }
    return text + " " + sentences::sentence(boundMessage(*chosen.run)) +
           "\n\nRun it again with: " + pipelineCommand(chosen.setting, trials);
}

} // namespace

std::string pipelineCommand(const PipelineSetting& setting, const Trials& trials)
{
    const workload::PipelinePlan& plan = setting.plan;
    const workload::PipelinePlan usual;
    std::string line = "apertune pipeline " + text::toText(trials[setting.trial].id);
    const auto add = [&line](bool differs, const char* option, const std::string& value) {
        if (differs)
            line += std::string(" ") + option + " " + value;
    };
    add(setting.threads > 0, "--threads", std::to_string(setting.threads));
    add(plan.decodeThreads != usual.decodeThreads, "--decode-threads", std::to_string(plan.decodeThreads));
    add(plan.prefetch != usual.prefetch, "--prefetch", std::to_string(plan.prefetch));
    add(plan.queueBatch != usual.queueBatch, "--queue-batch", std::to_string(plan.queueBatch));
    add(plan.queueWait.has_value(), "--queue-wait",
        plan.queueWait ? std::to_string(plan.queueWait->count) + "ns" : std::string());
    add(plan.rate != usual.rate, "--rate", base::formatSignificant(plan.rate, 6));
    add(plan.normalize != usual.normalize, "--normalize", std::string(toString(plan.normalize)));
    add(plan.memory != usual.memory, "--memory", std::string(toString(plan.memory)));
    add(plan.suppression != usual.suppression, "--nms", std::string(toString(plan.suppression)));
    return line;
}

std::string pipelineSweepText(const PipelineSweep& sweep, const Trials& trials, int width)
{
    const SettingNames names(sweep, trials);
    text::TextTable table({{""},
                           {"Setting", text::TextTable::Align::left, true},
                           {sweep.goal == PipelineGoal::rate ? "images/s" : "ms", text::TextTable::Align::right},
                           {"Against the first", text::TextTable::Align::right},
                           {"Turns", text::TextTable::Align::right, false, 1},
                           {"Bound by", text::TextTable::Align::left, false, 2}});
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < sweep.contenders.size(); ++i)
        if (!turnsOf(sweep.contenders[i]).empty())
            order.push_back(i);
    const auto key = [&](std::size_t i) {
        const PipelineContender& contender = sweep.contenders[i];
        // Confirmed settings first: the others were not compared.
        return std::pair(contender.confirmation.empty(), stats::median(turnsOf(contender)));
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (const std::size_t i : order) {
        const PipelineContender& contender = sweep.contenders[i];
        const workload::PipelineSummary& s = contender.run->summary;
        table.addRow({sweep.recommended == i ? "✔" : "", names.of(contender),
                      text::formatPlusMinus(figureOf(contender, sweep.goal)),
                      i == 0            ? "1"
                      : contender.ratio ? text::formatRatio(*contender.ratio)
                                        : "not compared",
                      std::to_string(turnsOf(contender).size()),
                      s.starved ? "nothing" : sentences::sentence(stageMessage(s.bound))});
    }
    return table.render(width) + "\n" + reasonsText(sweep) + answerText(sweep, names, trials) + "\n";
}

Json pipelineSweepJson(const PipelineSweep& sweep, const Trials& trials)
{
    Json contenders = Json::array();
    for (const PipelineContender& contender : sweep.contenders) {
        const auto inMs = [](const std::vector<double>& turns) {
            Json list = Json::array();
            for (const double ns : turns)
                list.push_back(ns * base::kMsPerNs);
            return list;
        };
        contenders.push_back(
            {{"trial", text::toText(trials[contender.setting.trial].id)},
             {"setting", toJson(contender.setting)},
             {"state", stateOf(contender)},
             {"reason", contender.reason.empty() ? Json(nullptr) : Json(sentences::sentence(contender.reason.message))},
             {"screening_ms", inMs(contender.screening)},
             {"confirmation_ms", inMs(contender.confirmation)},
             {"ratio", contender.ratio ? model::fullIntervalJson(*contender.ratio, 1) : Json(nullptr)},
             {"verdict", contender.ratio ? Json(stats::toString(contender.verdict)) : Json(nullptr)},
             {"run", contender.run ? toJson(*contender.run) : Json(nullptr)},
             {"command", pipelineCommand(contender.setting, trials)}});
    }
    return {{"goal", toString(sweep.goal)},
            {"wall_s", sweep.wall.seconds()},
            {"contenders", std::move(contenders)},
            {"recommended", sweep.recommended ? Json(*sweep.recommended) : Json(nullptr)}};
}

} // namespace apertune::report
