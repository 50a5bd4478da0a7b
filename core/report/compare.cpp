// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/compare.h"

#include "core/base/text.h"
#include "core/report/format.h"
#include "core/report/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

namespace apertune::report {

using base::Json;

namespace {

constexpr double kIndifference = stats::CompareOptions{}.indifference;

/// Settings by name, in the order in which they are shown.
class Settings
{
public:
    void set(const std::string& name, std::string value)
    {
        if (!m_values.contains(name))
            m_order.push_back(name);
        m_values[name] = std::move(value);
    }

    static std::vector<Difference> differences(const Settings& a, const Settings& b)
    {
        std::vector<std::string> names = a.m_order;
        for (const std::string& name : b.m_order)
            if (!a.m_values.contains(name))
                names.push_back(name);
        std::vector<Difference> result;
        for (const std::string& name : names)
            if (Difference d{name, a.value(name), b.value(name)}; d.a != d.b)
                result.push_back(std::move(d));
        return result;
    }

private:
    std::string value(const std::string& name) const
    {
        const auto it = m_values.find(name);
        return it == m_values.end() ? std::string() : it->second;
    }
    std::vector<std::string> m_order;
    std::map<std::string, std::string> m_values;
};

Settings environmentOf(const model::Study& study)
{
    const model::Environment& e = study.environment;
    Settings s;
    s.set("model", study.model.name);
    s.set("model content", study.model.contentHash.substr(0, 12));
    s.set("host", e.host);
    s.set("os", e.os);
    s.set("kernel", e.kernel);
    s.set("apertune", e.apertune);
    for (const auto& [name, version] : e.engines)
        s.set("engine " + name, version);
    for (const model::Device& d : e.devices) {
        s.set(d.id, d.name);
        s.set(d.id + " memory", base::formatBytes(d.memory));
        if (d.kind == model::DeviceKind::cpu) {
            s.set(d.id + " cores", std::to_string(d.cores));
            s.set(d.id + " instruction sets", base::join(d.isa, " "));
        } else {
            s.set(d.id + " driver", d.driver);
            s.set(d.id + " compute capability", std::to_string(d.computeMajor) + "." + std::to_string(d.computeMinor));
        }
        if (d.maxClockMhz > 0)
            s.set(d.id + " top clock", std::to_string(d.maxClockMhz) + " MHz");
    }
    for (const auto& [name, value] : e.settings)
        s.set(name, value);
    // A load that no core notices is noise, not a difference.
    s.set("load average", e.loadAverage < 0.5 ? "below 0.5" : base::formatSignificant(e.loadAverage, 2));
    return s;
}

/// The configuration of one side. Switches that the engine or the kind of device of the other has not at all are left
/// out: they are part of that difference.
Settings configurationOf(const model::Trial& trial, const model::Trial& other)
{
    const bool sameSwitches = trial.config.backend == other.config.backend &&
                              model::kindOfDevice(trial.device) == model::kindOfDevice(other.device);
    Settings s;
    s.set("device", trial.device);
    s.set("backend", trial.config.backend);
    s.set("level", std::string(model::toString(trial.config.level)));
    s.set("precision", std::string(model::toString(trial.config.precision)));
    s.set("batch", std::to_string(trial.config.batch));
    s.set("threads", trial.config.threads > 0 ? std::to_string(trial.config.threads) : std::string());
    for (const auto& [name, on] : trial.config.switches)
        if (sameSwitches || other.config.switches.contains(name))
            s.set(name, on ? "on" : "off");
    return s;
}

bool isMeasured(const model::Trial& trial)
{
    return trial.state == model::TrialState::ok && !trial.measurement.blocks.empty();
}

MatchedCell matched(const model::Trial& a, const model::Trial& b, std::string label)
{
    return {&a, &b, std::move(label), {}, stats::Verdict::cannotTell, 1, 0, false, 0, 1};
}

/// Judges all cells at once: the noise floor and the correction need them together.
void judge(Comparison& comparison, const model::StudySnapshot& a, const model::StudySnapshot& b,
           std::optional<double> given)
{
    std::vector<const model::Trial*> trials;
    for (const MatchedCell& cell : comparison.cells)
        trials.insert(trials.end(), {cell.a, cell.b});
    comparison.noise = stats::noiseFloorWithin(trials);
    comparison.noise.effect = given.value_or(std::max({comparison.noise.effect, a.noiseFloor(), b.noiseFloor()}));
    stats::CompareOptions options;
    options.noiseFloor = comparison.noise.effect;
    std::vector<stats::Effect> effects;
    for (const MatchedCell& cell : comparison.cells)
        effects.push_back(stats::compareTrials({*cell.a}, {*cell.b}, true, options).value_or(stats::Effect{}));
    stats::correctForMany(effects);
    for (std::size_t i = 0; i < effects.size(); ++i) {
        MatchedCell& cell = comparison.cells[i];
        cell.ratio = effects[i].ratio;
        cell.verdict = effects[i].verdict;
        cell.p = effects[i].p;
        cell.samples = effects[i].samples;
        cell.paired = effects[i].paired;
        cell.processes = effects[i].processes;
        cell.machine = effects[i].machine;
    }
}

bool hasThreadAxis(const model::StudySnapshot& snapshot)
{
    std::map<std::string, std::set<int>> threads;
    for (const model::Trial& trial : snapshot.trials)
        threads[trial.device].insert(trial.config.threads);
    return std::any_of(threads.begin(), threads.end(), [](const auto& entry) { return entry.second.size() > 1; });
}

struct Comparable
{
    const model::Trial* trial;
    model::DeviceKind kind;
    bool used = false;
};

std::vector<Comparable> measuredTrials(const model::StudySnapshot& snapshot)
{
    std::vector<Comparable> result;
    for (const model::Trial& trial : snapshot.trials)
        if (isMeasured(trial))
            result.push_back({&trial, deviceKind(snapshot, trial)});
    return result;
}

std::string verdictText(stats::Verdict verdict)
{
    switch (verdict) {
    case stats::Verdict::faster:
        return "B is faster";
    case stats::Verdict::slower:
        return "B is slower";
    case stats::Verdict::same:
        return "the same";
    case stats::Verdict::cannotTell:
        break;
    }
    return "cannot tell";
}

Json differencesJson(const std::vector<Difference>& differences)
{
    Json list = Json::array();
    for (const Difference& d : differences)
        list.push_back({{"name", d.name}, {"a", d.a}, {"b", d.b}});
    return list;
}

std::string differencesTable(const std::string& title, const std::vector<Difference>& differences, int width)
{
    if (differences.empty())
        return {};
    TextTable table({{"  " + title}, {"A", TextTable::Align::left, true}, {"B", TextTable::Align::left, true}});
    for (const Difference& d : differences)
        table.addRow({"  " + d.name, d.a.empty() ? "–" : d.a, d.b.empty() ? "–" : d.b});
    return table.render(width) + '\n';
}

std::string latencyText(const model::Trial& trial)
{
    return formatPlusMinus(trial.measurement.latencyNs, 1e-6);
}

} // namespace

Comparison compareStudies(const model::StudySnapshot& a, const model::StudySnapshot& b,
                          std::optional<double> noiseFloor)
{
    Comparison comparison;
    comparison.environment = Settings::differences(environmentOf(a.study), environmentOf(b.study));
    const bool threadsCount = hasThreadAxis(a) || hasThreadAxis(b);
    const auto sameCell = [threadsCount](const model::Trial& one, const model::Trial& other) {
        model::Config config = one.config;
        if (!threadsCount)
            config.threads = other.config.threads;
        return config == other.config;
    };
    const CellNames namesA(a);
    const CellNames namesB(b);
    std::vector<Comparable> right = measuredTrials(b);
    for (const Comparable& left : measuredTrials(a)) {
        const auto partner = std::find_if(right.begin(), right.end(), [&](const Comparable& r) {
            return !r.used && r.kind == left.kind && sameCell(*r.trial, *left.trial);
        });
        if (partner == right.end()) {
            comparison.onlyInA.push_back(namesA.shortName(*left.trial));
            for (const model::Trial& trial : b.trials)
                if (trial.state == model::TrialState::failed && deviceKind(b, trial) == left.kind &&
                    sameCell(trial, *left.trial))
                    comparison.lost.push_back({comparison.onlyInA.back(), trial.reason.text});
            continue;
        }
        partner->used = true;
        comparison.cells.push_back(matched(*left.trial, *partner->trial, namesA.shortName(*left.trial)));
    }
    for (const Comparable& r : right)
        if (!r.used)
            comparison.onlyInB.push_back(namesB.shortName(*r.trial));
    judge(comparison, a, b, noiseFloor);
    return comparison;
}

Comparison compareTrials(const model::StudySnapshot& studyA, const model::Trial& a, const model::StudySnapshot& studyB,
                         const model::Trial& b, std::optional<double> noiseFloor)
{
    Comparison comparison;
    comparison.environment = Settings::differences(environmentOf(studyA.study), environmentOf(studyB.study));
    comparison.configuration = Settings::differences(configurationOf(a, b), configurationOf(b, a));
    const std::string nameA = CellNames(studyA).shortName(a);
    const std::string nameB = CellNames(studyB).shortName(b);
    if (isMeasured(a) && isMeasured(b)) {
        comparison.cells.push_back(matched(a, b, nameA == nameB ? nameA : nameA + " → " + nameB));
    } else {
        if (isMeasured(a))
            comparison.onlyInA.push_back(nameA);
        if (isMeasured(b))
            comparison.onlyInB.push_back(nameB);
        else if (isMeasured(a) && b.state == model::TrialState::failed && comparison.configuration.empty())
            comparison.lost.push_back({nameA, b.reason.text});
    }
    judge(comparison, studyA, studyB, noiseFloor);
    return comparison;
}

std::string machineSentence(const Comparison& comparison)
{
    std::size_t changed = 0;
    double slower = 1;
    double faster = 1;
    for (const MatchedCell& cell : comparison.cells) {
        changed += cell.machine != 1;
        slower = std::max(slower, cell.machine);
        faster = std::max(faster, 1 / cell.machine);
    }
    if (changed == 0)
        return {};
    std::vector<std::string> ways;
    for (const auto& [times, word] : {std::pair{slower, "slower"}, {faster, "faster"}})
        if (times > 1)
            ways.push_back("up to " + base::formatSignificant(times, 3) + " times " + word);
    return "The machine itself was " + base::join(ways, " and ") + " when B was measured (the sentinel's time beside " +
           std::to_string(changed) + " of " +
           base::counted(static_cast<std::int64_t>(comparison.cells.size()), "cell") +
           "): the ratios are without that.";
}

Gate checkGate(const Comparison& comparison, double tolerance)
{
    Gate gate{tolerance, comparison.cells.empty() ? GateResult::cannotTell : GateResult::passed};
    if (!comparison.lost.empty()) {
        gate.result = GateResult::failed;
        return gate;
    }
    // ratio is A/B: B may take at most (1 + tolerance) times as long as A.
    const double limit = 1 / (1 + tolerance);
    const bool judgesAll = comparison.noise.effect <= tolerance;
    std::vector<stats::Effect> beyond;
    for (const MatchedCell& cell : comparison.cells) {
        const model::Interval& ratio = cell.ratio;
        // Identical code can differ by the noise floor, so a slowdown and a pass must both be clear of it. It is one of
        // single processes, and shrinks for means over several (stats::effectOf).
        const double floor = judgesAll ? 0
                                       : comparison.noise.effect /
                                             std::sqrt(static_cast<double>(std::max<std::size_t>(1, cell.processes)));
        if (!(ratio.confidence > 0) || ratio.lo < limit * (1 + floor))
            gate.result = judgesAll ? GateResult::cannotTell : GateResult::refused;
        // The gate asks another question than the table, so it has its own probabilities.
        stats::CompareOptions options;
        options.indifference = 1 - std::min(limit, 1 / (1 + floor));
        options.pairing = cell.paired ? stats::Pairing::paired : stats::Pairing::independent;
        beyond.push_back(stats::effectOf(ratio, cell.samples, options, cell.processes));
    }
    stats::correctForMany(beyond);
    if (std::any_of(beyond.begin(), beyond.end(),
                    [](const stats::Effect& e) { return e.verdict == stats::Verdict::slower; }))
        gate.result = GateResult::failed;
    return gate;
}

Json comparisonDocument(const Comparison& comparison, const std::string& nameA, const std::string& nameB,
                        const std::optional<Gate>& gate)
{
    Json cells = Json::array();
    for (const MatchedCell& cell : comparison.cells)
        cells.push_back({{"label", cell.label},
                         {"a", toText(cell.a->id)},
                         {"b", toText(cell.b->id)},
                         {"ratio",
                          {{"value", cell.ratio.value},
                           {"lo", cell.ratio.lo},
                           {"hi", cell.ratio.hi},
                           {"confidence", cell.ratio.confidence}}},
                         {"verdict", stats::toString(cell.verdict)},
                         {"p", cell.p},
                         {"paired", cell.paired},
                         {"machine", cell.machine}});
    Json lost = Json::array();
    for (const LostCell& cell : comparison.lost)
        lost.push_back({{"label", cell.label}, {"reason", cell.reason}});
    Json gateJson = nullptr;
    if (gate)
        gateJson = {{"tolerance", gate->tolerance},
                    {"result", gate->result == GateResult::passed    ? "passed"
                               : gate->result == GateResult::failed  ? "failed"
                               : gate->result == GateResult::refused ? "refused"
                                                                     : "cannot_tell"}};
    return {{"schema", "apertune.comparison/1"},
            {"a", nameA},
            {"b", nameB},
            {"environment", differencesJson(comparison.environment)},
            {"configuration", differencesJson(comparison.configuration)},
            {"cells", cells},
            {"only_in_a", comparison.onlyInA},
            {"only_in_b", comparison.onlyInB},
            {"lost", std::move(lost)},
            {"noise_floor", {{"effect", comparison.noise.effect}, {"comparisons", comparison.noise.comparisons}}},
            {"gate", gateJson}};
}

std::string comparisonTable(const Comparison& comparison, int width)
{
    std::string out = differencesTable("Environment", comparison.environment, width);
    out += differencesTable("Configuration", comparison.configuration, width);
    if (!comparison.cells.empty()) {
        TextTable table({{"  Cell", Align::left, true},
                         {"A ms", Align::right},
                         {"B ms", Align::right},
                         {"Time A/B", Align::left},
                         {"Verdict", Align::left}});
        for (const MatchedCell& cell : comparison.cells)
            table.addRow({"  " + cell.label, latencyText(*cell.a), latencyText(*cell.b), formatRatio(cell.ratio),
                          verdictText(cell.verdict)});
        out += table.render(width);
        if (const std::string machine = machineSentence(comparison); !machine.empty())
            out += "  " + wrap(machine, width > 2 ? width - 2 : 0, 2) + '\n';
        if (comparison.noise.effect > kIndifference)
            out += "  No effect below ± " + base::formatSignificant(comparison.noise.effect * 100, 2) +
                   " % is named: these runs differ by as much from themselves.\n";
    } else {
        out += "No cell was measured on both sides.\n";
    }
    for (const auto& [title, list] : {std::pair{"Only in A", &comparison.onlyInA}, {"Only in B", &comparison.onlyInB}})
        if (!list->empty())
            out +=
                std::string("\n  ") + title + ": " + wrapPieces(*list, " · ", width > 13 ? width - 13 : 0, 13) + '\n';
    return out;
}

} // namespace apertune::report
