// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/trial_sheet.h"

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/comparison/break_even.h"
#include "core/model/imported.h"
#include "core/model/setting.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <array>
#include <cmath>

namespace apertune::report {

namespace {

constexpr int kLabel = 14;

class Sheet
{
public:
    explicit Sheet(int width) : m_width(width) {}

    void line(const std::string& label, const std::string& value)
    {
        const std::string blanks(static_cast<std::size_t>(std::max(1, kLabel - text::displayWidth(label))), ' ');
        m_text += "  " + text::wrap(label + blanks + value, m_width > 2 ? m_width - 2 : 0, kLabel + 2) + '\n';
    }
    void title(const std::string& text) { m_text += text + '\n'; }
    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
    int m_width;
};

/// Returns the phrase of a metric with its placeholders filled in.
std::string phraseOf(const metrics::Metric& metric, const metrics::Reading& reading, base::RateUnit rate)
{
    std::vector<std::pair<std::string, std::string>> values{
        {"{}", text::metricText(metric, reading)},
        {"{n}", std::to_string(reading.samples)},
        {"{unit}", std::string(metrics::unitText(metric.unit, rate))}};
    if (reading.interval)
        values.emplace_back("{certainty}", text::formatCertainty(*reading.interval, reading.samples));
    std::string text(metric.phrase);
    for (const auto& [placeholder, value] : values)
        if (const auto at = text.find(placeholder); at != std::string::npos)
            text.replace(at, placeholder.size(), value);
    return text;
}

/// Returns whose energy it is and what it covers: ", by the processor packages over 1878 passes in 12.3 s".
std::string energySource(const model::Energy& energy)
{
    const model::EnergyStretch total = energy.total();
    const char* const source = energy.source == model::EnergySource::packages     ? "the processor packages"
                               : energy.source == model::EnergySource::gpuCounter ? "the GPU's counter"
                                                                                  : "readings of the GPU's power";
    return std::string(", by ") + source + " over " + base::counted(total.passes, "pass", "passes") + " in " +
           base::formatDuration(total.time);
}

/// Completes a line of the sheet. `text` holds its metrics and is empty when none of them was measured.
std::string completed(metrics::FactGroup group, std::string text, const model::Measurement& m)
{
    switch (group) {
    case metrics::FactGroup::percentiles:
        text += text.empty() ? "none" : " ms";
        // Another tool may tell percentiles without its passes.
        if (!m.p99Ns && !m.iterations.empty())
            text += "; " + base::counted(static_cast<std::int64_t>(m.iterations.size()), "pass", "passes") +
                    (m.iterations.size() == 1 ? " supports" : " support") + " no higher one";
        return text;
    case metrics::FactGroup::energy:
        return text.empty() ? text : text + energySource(*m.conditions.energy);
    case metrics::FactGroup::memory:
        return text.empty() ? "not measured" : text;
    case metrics::FactGroup::quality:
        return text.empty() ? "not compared"
                            : text + " (" + base::counted(m.quality->samples, "sample") + " against O0 fp32)";
    default:
        return text;
    }
}

/// The lines of the sheet, from top to bottom.
constexpr std::array<std::pair<metrics::FactGroup, const char*>, 8> kLines{{
    {metrics::FactGroup::latency, "Latency"},
    {metrics::FactGroup::throughput, "Throughput"},
    {metrics::FactGroup::percentiles, "Percentiles"},
    {metrics::FactGroup::deviceTime, "Device time"},
    {metrics::FactGroup::energy, "Energy"},
    {metrics::FactGroup::start, "Start"},
    {metrics::FactGroup::memory, "Memory"},
    {metrics::FactGroup::quality, "Quality"},
}};

/// Returns the disturbances of the machine during the measurement; empty when there were none.
std::string conditionsText(const model::Measurement& m)
{
    const model::Conditions& c = m.conditions;
    // Trials of older versions have no conditions.
    if (c.processors == 0)
        return {};
    std::vector<std::string> parts;
    const auto percent = [](double share) { return base::formatSignificant(share * 100, 2) + " %"; };
    const auto taken = static_cast<std::int64_t>(m.blocks.size()) + c.discarded;
    const std::string of = " of " + base::counted(taken, "block");
    if (c.contended > 0)
        parts.push_back(std::to_string(c.contended) + of + " kept waiting");
    if (c.throttled > 0)
        parts.push_back(std::to_string(c.throttled) + of + " at a lower clock");
    if (c.discarded > 0)
        parts.push_back(std::to_string(c.discarded) + " measured again");
    const auto span = static_cast<double>(c.span.count);
    // Below a twentieth of a processor, others are the noise of any system.
    if (span > 0 && static_cast<double>(c.others.count) > 0.05 * span)
        parts.push_back("others had " + base::formatSignificant(static_cast<double>(c.others.count) / span, 2) +
                        " processors");
    if (span > 0 && c.steal.count > 0)
        parts.push_back(percent(static_cast<double>(c.steal.count) / span / c.processors) + " stolen");
    // A change within its own uncertainty is no drift.
    if (c.driftReading && std::abs(c.driftReading->change - 1) > c.driftReading->uncertainty)
        parts.push_back("drift reading at " + percent(c.driftReading->change) + " of its first time");
    return parts.empty() ? "quiet" : base::join(parts);
}

/// Returns what the driver reported of the GPU during the measurement; empty when it reported nothing.
std::string gpuText(const model::Measurement& m)
{
    if (!m.conditions.gpu)
        return {};
    const model::GpuConditions& gpu = *m.conditions.gpu;
    std::vector<std::string> parts;
    if (gpu.clockHigh > 0)
        parts.push_back((gpu.clockLow < gpu.clockHigh ? std::to_string(gpu.clockLow) + " – " : std::string()) +
                        std::to_string(gpu.clockHigh) + " MHz");
    if (gpu.powerCap > 0)
        parts.push_back("power cap " + base::formatSignificant(static_cast<double>(gpu.powerCap) * base::kMilli, 3) +
                        " W");
    const auto share = [&](base::Nanoseconds time) {
        const auto whole = static_cast<double>(m.conditions.wall.count);
        return base::formatSignificant(std::min(1.0, static_cast<double>(time.count) / whole) * 100, 2) + " %";
    };
    if (gpu.cappedTime.count > 0 && m.conditions.wall.count > 0)
        parts.push_back("slowed by the power cap for " + share(gpu.cappedTime) + " of the time");
    if (gpu.heatTime.count > 0 && m.conditions.wall.count > 0)
        parts.push_back("slowed by heat or the power supply for " + share(gpu.heatTime) + " of the time");
    if (gpu.otherProcesses > 0)
        parts.push_back("shared with " + std::to_string(gpu.otherProcesses) +
                        (gpu.otherProcesses == 1 ? " other process" : " other processes") + " (" +
                        base::formatBytes(gpu.otherMemory) + ")");
    if (gpu.otherLoad > model::GpuUse::kIdleLoad)
        parts.push_back("others kept it busy for " + std::to_string(gpu.otherLoad) + " % of the time before");
    return base::join(parts);
}

void addMeasurement(Sheet& sheet, const model::Measurement& m, model::DeviceType device, base::RateUnit rate)
{
    for (const auto& [group, label] : kLines) {
        std::vector<std::string> parts;
        for (const metrics::Metric& metric : metrics::all()) {
            if (metric.group != group || metric.phrase.empty())
                continue;
            if (const metrics::Reading reading = metric.read(m, device); reading.value)
                parts.push_back(phraseOf(metric, reading, rate));
        }
        if (const std::string text = completed(group, base::join(parts), m); !text.empty())
            sheet.line(label, text);
    }
    if (const std::string text = conditionsText(m); !text.empty())
        sheet.line("Machine", text);
    if (const std::string text = gpuText(m); !text.empty())
        sheet.line("GPU", text);
    if (const auto& layers = m.conditions.sandbox)
        sheet.line("Sandbox", layers->empty() ? "none" : base::join(*layers));
    if (!m.flags.empty())
        sheet.line("Flags", base::join(model::toStrings(m.flags)));
    if (model::isDoubtful(m))
        sheet.line("Doubtful", "values of the file contradict each other or could not be read; see its remarks");
    if (const std::string text = sentences::sentence(text::modesMessage(m)); !text.empty())
        sheet.line("Two modes", text);
}

/// What the file of another tool told about a trial.
text::TextTable factsTable(const model::Trial& trial)
{
    text::TextTable table({{"  The file states"}, {"", text::TextTable::Align::left, true}});
    constexpr int kWidest = 200; // a command can be longer than any page
    for (const model::Applied& fact : trial.measurement.applied)
        table.addRow({"  " + fact.name, text::elide(base::printableLine(fact.evidence), kWidest)});
    return table;
}

text::TextTable switchesTable(const model::Trial& trial)
{
    text::TextTable table(
        {{"  Switch"}, {"Asked"}, {"In effect"}, {"How it is known", text::TextTable::Align::left, true}});
    for (const model::Applied& a : trial.measurement.applied) {
        std::string state(model::toString(a.state));
        if (a.state == model::AppliedState::requestedNotInEffect)
            state = "NOT IN EFFECT";
        else if (a.state == model::AppliedState::notApplicable)
            state = "–";
        const std::string asked = a.name == model::Applied::kCalibration
                                      ? std::string("–")
                                      : model::Setting::fromName(a.name).valueIn(trial.config);
        table.addRow({"  " + a.name, asked, state, a.evidence});
    }
    return table;
}

} // namespace

std::string trialSheet(const model::StudySnapshot& snapshot, const model::Trial& trial, int width)
{
    Sheet sheet(width);
    const text::ConfigurationNames names(snapshot);
    const bool best = snapshot.recommended && snapshot.recommended->trial == trial.id;
    sheet.title(text::toText(trial.id) + "  " + names.longName(trial) + "  (" + snapshot.study.model.name + ", study " +
                text::toText(snapshot.study.id) + ")" + (best ? "  ✔ recommended" : ""));
    const model::Device* device = snapshot.deviceOf(trial);
    const std::string& otherMachine = trial.measurement.conditions.machine;
    sheet.line("Device", trial.device + (device                 ? "  " + device->name
                                         : otherMachine.empty() ? std::string()
                                                                : "  on " + otherMachine));
    if (trial.config.threads > 0)
        sheet.line("Threads", std::to_string(trial.config.threads));
    if (const auto& made = trial.config.quantization; made && !made->floatLayers.empty())
        sheet.line("In float", std::to_string(made->floatLayers.size()) + ": " + base::join(made->floatLayers));
    sheet.line("State", std::string(model::toString(trial.state)) +
                            (trial.state == model::TrialState::ok ? std::string() : ", " + text::reasonText(trial)));
    if (trial.state == model::TrialState::ok)
        addMeasurement(sheet, trial.measurement, text::deviceType(snapshot, trial), snapshot.study.model.rateUnit());
    if (const std::string text = sentences::sentence(comparison::breakEvenMessage(snapshot, trial)); !text.empty())
        sheet.line("Compiling", text);
    const std::string remedy = sentences::sentence(text::remedyMessage(trial.reason.kind));
    // Older workspaces have the remedy as the detail.
    for (const std::string& text : {remedy, trial.reason.detail == remedy ? std::string() : trial.reason.detail})
        if (!text.empty())
            sheet.title("\n" + text);

    if (trial.state == model::TrialState::ok && !trial.measurement.applied.empty())
        sheet.title("\n" +
                    (model::isImported(snapshot.study) ? factsTable(trial) : switchesTable(trial)).render(width));
    return sheet.take();
}

} // namespace apertune::report
