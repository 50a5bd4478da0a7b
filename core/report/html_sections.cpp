// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/report/break_even.h"
#include "core/report/compare.h"
#include "core/report/evaluation_report.h"
#include "core/report/format.h"
#include "core/report/html_parts.h"
#include "core/report/recommendation.h"

#include <algorithm>
#include <map>

namespace apertune::report {

namespace {

std::string card(const std::string& title, const std::string& value, const std::string& unit, const std::string& note)
{
    return "<div class=\"card\"><h3>" + escaped(title) + "</h3><p class=\"value\">" + escaped(value) + " <small>" +
           escaped(unit) + "</small></p><p class=\"note\">" + escaped(note) + "</p></div>\n";
}

std::string ratioCard(const std::string& title, const model::Interval& ratio, const std::string& over)
{
    if (!(ratio.confidence > 0))
        return card(title, "cannot tell", "", over);
    return card(title, base::formatSignificant(ratio.value, 3), "×",
                "[" + base::formatSignificant(ratio.lo, 3) + ", " + base::formatSignificant(ratio.hi, 3) + "] " + over);
}

std::string row(const std::string& name, const std::string& value)
{
    return value.empty() ? std::string() : "<tr><th>" + escaped(name) + "</th><td>" + escaped(value) + "</td></tr>\n";
}

/// Returns O0 fp32 with the same device, threads and batch, of the engine that was planned first. The speed-ups of the
/// table refer to it.
const model::Trial* baselineOf(const model::StudySnapshot& snapshot, const model::Trial& trial)
{
    for (const model::Trial& other : snapshot.trials) {
        const model::Config& c = other.config;
        if (other.state == model::TrialState::ok && other.device == trial.device && c.level == model::OptLevel::o0 &&
            c.precision == model::Precision::fp32 && c.batch == trial.config.batch && c.threads == trial.config.threads)
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
    const auto effect = stats::compareTrials({*baseline}, {trial});
    return effect ? formatRatio(effect->ratio) : "–";
}

std::string metricCell(const metrics::Metric& metric, const metrics::Reading& reading)
{
    const std::string text = escaped(metricText(metric, reading));
    return reading.nonFinite > 0 ? "<span class=\"bad\">" + text + "</span>" : text;
}

std::string measuredRow(const model::StudySnapshot& snapshot, const ConfigurationNames& names,
                        const model::Trial& trial)
{
    const model::Measurement& m = trial.measurement;
    const bool best = snapshot.recommended && snapshot.recommended->trial == trial.id;
    std::string flags;
    for (const std::string& flag : model::toStrings(m.flags))
        flags += "<span class=\"flag\">" + escaped(flag) + "</span> ";
    const auto cell = [](const std::string& text) { return "<td class=\"n\">" + text + "</td>"; };
    std::string numbers;
    for (const metrics::Metric& metric : metrics::all())
        if (metric.isColumn)
            numbers += cell(metricCell(metric, metric.read(m, deviceType(snapshot, trial))));
    return std::string("<tr") + (best ? " class=\"best\"" : "") + "><td>" + (best ? "★ " : "") + toText(trial.id) +
           "</td>" + (names.severalEngines() ? "<td>" + escaped(trial.config.backend) + "</td>" : "") + "<td>" +
           escaped(names.besideEngine(trial)) + "</td>" + numbers + cell(speedupText(snapshot, trial)) +
           cell(std::to_string(m.blocks.size())) + "<td>" + flags + "</td></tr>\n";
}

/// Returns the table of compile times, and of the passes after which they are saved again.
std::string compilingTable(const model::StudySnapshot& snapshot, const ConfigurationNames& names)
{
    std::string rows;
    for (const model::Trial& trial : snapshot.trials)
        if (const std::string text = breakEvenText(snapshot, trial); !text.empty())
            rows += "<tr><td>" + toText(trial.id) + "</td><td>" + escaped(names.shortName(trial)) +
                    "</td><td class=\"n\">" + base::formatDuration(*trial.measurement.compile) + "</td><td>" +
                    escaped(text) + "</td></tr>\n";
    if (rows.empty())
        return {};
    return "<h3>Compiled or converted once</h3>\n<div class=\"wide\"><table class=\"trials\"><thead><tr><th>Trial</th>"
           "<th>Configuration</th><th class=\"n\">Took</th><th>Break-even</th></tr></thead><tbody>\n" +
           rows + "</tbody></table></div>\n";
}

} // namespace

std::string keyFigures(const model::StudySnapshot& snapshot)
{
    const model::Trial* trial = snapshot.recommended ? snapshot.find(snapshot.recommended->trial) : nullptr;
    if (!trial)
        return {};
    const model::Measurement& m = trial->measurement;
    const ConfigurationNames names(snapshot);
    const std::size_t n = m.blocks.size();
    std::string out = "<section class=\"cards\">\n";
    const bool unconfirmed = !unconfirmedText(snapshot, *snapshot.recommended).empty();
    out += card(unconfirmed ? "Recommended, unconfirmed" : "Recommended", names.shortName(*trial), "",
                "trial " + toText(trial->id) + " on " + trial->device);
    out += card("Throughput", formatGrouped(m.throughput.value, decimalsFor(m.throughput.value, 0)), "samples/s",
                formatCertainty(m.throughput, n));
    out += card("Latency of a pass",
                formatGrouped(m.latencyNs.value * kMsPerNs, decimalsFor(m.latencyNs.value * kMsPerNs, 0)), "ms",
                formatCertainty(m.latencyNs, n));
    if (const model::Trial* against = snapshot.find(snapshot.recommended->against); against && against != trial)
        out += ratioCard("Gain", snapshot.recommended->speedup, "over " + names.shortName(*against));
    if (const auto& next = snapshot.recommended->runnerUp)
        if (const model::Trial* other = snapshot.find(next->over); other && next->over != snapshot.recommended->against)
            out += ratioCard("Lead", next->ratio, "over the runner-up " + names.shortName(*other));
    if (m.quality)
        out += card("Agreement", metricText(metrics::find("cosine"), metrics::find("cosine").read(m, {})), "cosine",
                    "to the O0 fp32 outputs");
    if (const auto peak = metrics::memoryPeak(m.memory, deviceType(snapshot, *trial)))
        out += card("Peak memory", base::formatBytes(*peak), "",
                    deviceType(snapshot, *trial).hasOwnMemory() ? "of the device" : "of the process");
    return out + "</section>\n";
}

std::string trialTable(const model::StudySnapshot& snapshot)
{
    const ConfigurationNames names(snapshot);
    std::string rows;
    for (const model::Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok)
            rows += measuredRow(snapshot, names, trial);
    if (rows.empty())
        return {};
    std::string numbers;
    for (const metrics::Metric& metric : metrics::all())
        if (metric.isColumn)
            numbers += "<th class=\"n\">" + escaped(metrics::heading(metric)) + "</th>";
    return std::string("<div class=\"wide\"><table class=\"trials\"><thead><tr><th>Trial</th>") +
           (names.severalEngines() ? "<th>Engine</th>" : "") + "<th>Configuration</th>" + numbers +
           "<th class=\"n\">Faster than O0 fp32</th><th class=\"n\">n</th><th>Flags</th></tr></thead><tbody>\n" + rows +
           "</tbody></table></div>\n" + compilingTable(snapshot, names);
}

std::string accuracyTable(const model::StudySnapshot& snapshot,
                          const std::vector<std::pair<model::TrialId, model::Accuracy>>& judged)
{
    const ConfigurationNames names(snapshot);
    std::string rows;
    for (const auto& [id, accuracy] : judged) {
        const model::Trial* trial = snapshot.find(id);
        if (!trial)
            continue;
        for (const model::Accuracy::Metric& metric : accuracy.metrics)
            rows += "<tr><td>" + toText(id) + "</td><td>" + escaped(names.longName(*trial)) + "</td><td>" +
                    escaped(picturesText(accuracy)) + "</td><td>" + escaped(metricTitle(metric.name)) +
                    "</td><td class=\"n\">" + shareText(metric.measured) + "</td><td class=\"n\">" +
                    shareText(metric.imported) + "</td><td class=\"n\">" + shareText(metric.change) + "</td></tr>\n";
    }
    if (rows.empty())
        return {};
    return "<div class=\"wide\"><table "
           "class=\"trials\"><thead><tr><th>Trial</th><th>Configuration</th><th>Pictures</th>"
           "<th>Metric</th><th class=\"n\">This trial</th><th class=\"n\">As imported</th><th class=\"n\">Change</th>"
           "</tr></thead><tbody>\n" +
           rows + "</tbody></table></div>\n";
}

std::string unmeasuredList(const model::StudySnapshot& snapshot)
{
    const ConfigurationNames names(snapshot);
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;
    for (const model::Trial& trial : snapshot.trials) {
        if (trial.state == model::TrialState::ok)
            continue;
        const std::string title = std::string(model::isFinal(trial.state) ? model::toString(trial.state) : "waiting") +
                                  ", " + reasonText(trial);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == title; });
        if (group == groups.end())
            group = groups.insert(groups.end(), {title, {}});
        group->second.push_back(toText(trial.id) + " " + names.shortName(trial));
    }
    std::string out;
    for (const auto& [title, cells] : groups)
        out += "<dt>" + escaped(title) + "</dt><dd>" + escaped(base::join(cells, " · ")) + "</dd>\n";
    return out.empty() ? out : "<dl>\n" + out + "</dl>\n";
}

std::string notInEffectList(const model::StudySnapshot& snapshot)
{
    const ConfigurationNames names(snapshot);
    std::string out;
    for (const model::Trial& trial : snapshot.trials)
        for (const model::Applied& applied : trial.measurement.applied)
            if (trial.state == model::TrialState::ok && applied.state == model::AppliedState::requestedNotInEffect)
                out += "<dt>" + escaped(toText(trial.id) + " " + names.shortName(trial) + ": " + applied.name) +
                       "</dt><dd>" + escaped(applied.evidence) + "</dd>\n";
    return out.empty() ? out : "<dl>\n" + out + "</dl>\n";
}

std::string environmentTable(const model::StudySnapshot& snapshot)
{
    const model::Study& study = snapshot.study;
    const model::Environment& e = study.environment;
    std::string out = "<table class=\"facts\"><tbody>\n";
    out += row("Model", study.model.name + " (" + study.model.source + ")");
    out += row("Weights", study.model.weights);
    out += row("Parameters", base::formatSignificant(static_cast<double>(study.model.parameters) * 1e-6, 3) + " M (" +
                                 base::formatBytes(study.model.parameterBytes) + ")");
    out += row("Content", study.model.contentHash);
    out += row("Host", e.host);
    out += row("System", e.os + ", kernel " + e.kernel);
    for (const model::Device& d : e.devices) {
        std::string text = d.name + ", " + base::formatBytes(d.memory);
        if (d.type.isCpu())
            text += ", " + std::to_string(d.cores) + " cores, " + std::to_string(d.threads) + " threads" +
                    (d.isa.empty() ? std::string() : ", " + base::join(d.isa, " "));
        else if (d.type.isNvidiaGpu())
            text += ", compute capability " + std::to_string(d.computeMajor) + "." + std::to_string(d.computeMinor) +
                    ", driver " + d.driver;
        else if (!d.driver.empty())
            text += ", driver " + d.driver;
        out += row(d.id, text);
    }
    out += row("Apertune", e.apertune);
    for (const auto& [name, version] : e.engines)
        out += row(name, version);
    for (const auto& [name, value] : e.settings)
        out += row(name, value);
    out += row("Load at the start", base::formatSignificant(e.loadAverage, 2));
    out += row("Started", study.createdUtc);
    out += row("Finished", study.finishedUtc);
    return out + "</tbody></table>\n";
}

std::string methodText(const model::StudySnapshot& snapshot)
{
    const model::Goal& goal = snapshot.study.goal;
    const std::string bounds = boundsText(goal);
    std::string definitions;
    for (const metrics::Metric& metric : metrics::all())
        if (metric.isColumn)
            definitions += "<dt>" + escaped(metric.title) + "</dt><dd>" + escaped(metric.definition) + "</dd>\n";
    return "<dl class=\"method\">\n"
           "<dt>Configuration</dt><dd>One configuration (level, precision, batch, threads, switches) on one device. "
           "Configurations that "
           "share everything but the batch run in a process of their own, started fresh; a crash, hang or lack of "
           "memory is a result with its reason.</dd>\n" +
           definitions +
           "<dt>± and [ , ]</dt><dd>A distribution-free 95 % interval of the median from order statistics; ± is half "
           "its width, [ , ] its ends where it is wider than ±20 %. With fewer than six blocks there is none: ± "
           "?.</dd>\n"
           "<dt>n</dt><dd>Number of timing blocks. They begin when two groups of five passes differ by less than "
           "2 %.</dd>\n"
           "<dt>Faster than O0 fp32</dt><dd>Median time a sample of O0 fp32 at the same batch, device and threads, "
           "over "
           "that of the configuration; its 95 % interval comes from a moving-block bootstrap of 2,000 resamples.</dd>\n"
           "<dt>Levels</dt><dd>O0: as loaded. O1: frozen, folded, fused for inference. O2: frozen, oneDNN Graph on a "
           "CPU, "
           "channels-last in 16 bit. O3: compiled ahead of time by AOTInductor, as a CUDA graph on a GPU. +name and "
           "−name: a switch set apart from its level.</dd>\n"
           "<dt>Recommended</dt><dd>The best " +
           escaped(model::toString(goal.objective)) +
           (goal.also.empty() ? std::string() : " (of " + escaped(model::objectivesText(goal)) + ")") +
           " among configurations that keep to the goal (" + escaped(bounds) +
           "); of configurations whose intervals overlap, the simpler one.</dd>\n"
           "</dl>\n";
}

} // namespace apertune::report
