// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/compare.h"

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/model/imported.h"
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

constexpr const char* kDevice = "device";
constexpr const char* kBackend = "backend";
constexpr const char* kThreads = "threads"; ///< absent on a GPU

/// The settings of one side by name, in the order of their first use.
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
        // The order of A comes first, then what B alone has.
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
        if (d.type.isCpu()) {
            s.set(d.id + " cores", std::to_string(d.cores));
            s.set(d.id + " instruction sets", base::join(d.isa, " "));
        } else {
            s.set(d.id + " driver", d.driver);
        }
        if (d.type.isNvidiaGpu())
            s.set(d.id + " compute capability", std::to_string(d.computeMajor) + "." + std::to_string(d.computeMinor));
        if (d.maxClockMhz > 0)
            s.set(d.id + " top clock", std::to_string(d.maxClockMhz) + " MHz");
    }
    for (const auto& [name, value] : e.settings)
        s.set(name, value);
    // A load that no core notices is noise and not a difference.
    s.set("load average", e.loadAverage < 0.5 ? "below 0.5" : base::formatSignificant(e.loadAverage, 2));
    return s;
}

/// Returns the values of a list of numbers or names, as they were planned: "1, 2, 4".
template <typename T, typename Text>
std::string valuesOf(const std::vector<T>& values, Text text)
{
    std::vector<std::string> words;
    for (const T& value : values)
        if (std::string word = text(value); std::find(words.begin(), words.end(), word) == words.end())
            words.push_back(std::move(word));
    return base::join(words);
}

/// The search space and the goal of a study. Names that Comparison::configuration uses, too, mean the same.
Settings askedOf(const model::StudySnapshot& snapshot)
{
    const model::Study& study = snapshot.study;
    const auto axis = [&snapshot](auto value, auto text) {
        std::vector<decltype(value(snapshot.trials.front()))> values;
        for (const model::Trial& trial : snapshot.trials)
            values.push_back(value(trial));
        // Values are sorted, because the order of trials differs between studies.
        std::sort(values.begin(), values.end());
        return valuesOf(values, text);
    };
    const auto name = [](const std::string& text) { return text; };
    const auto number = [](int value) { return value > 0 ? std::to_string(value) : std::string("default"); };
    Settings s;
    s.set(kDevice,
          axis([&snapshot](const model::Trial& t) { return std::string(toString(deviceType(snapshot, t))); }, name));
    s.set(kBackend, axis([](const model::Trial& t) { return t.config.backend; }, name));
    s.set("level", axis([](const model::Trial& t) { return t.config.level; },
                        [](model::OptLevel level) { return std::string(model::toString(level)); }));
    s.set("precision", axis([](const model::Trial& t) { return t.config.precision; },
                            [](model::Precision precision) { return std::string(model::toString(precision)); }));
    s.set("batch", axis([](const model::Trial& t) { return t.config.batch; }, number));
    s.set(kThreads, axis([](const model::Trial& t) { return t.config.threads; }, number));
    for (const auto& [switchName, values] : study.space.switches)
        s.set("switch " + switchName, valuesOf(values, [](bool on) { return std::string(on ? "on" : "off"); }));
    s.set("goal", model::objectivesText(study.goal));
    s.set("bounds", boundsText(study.goal));
    s.set("budget", study.budget.count == 0 ? std::string("unlimited")
                                            : base::formatDuration(study.budget) +
                                                  (study.budgetKind == model::BudgetKind::wall ? "" : " of measuring"));
    s.set("interval wanted", "±" + base::formatPercent(study.target));
    return s;
}

/// The configuration of one side. Switches that do not exist for the engine or device type of the other side are left
/// out, because they belong to that difference.
Settings configurationOf(const model::Trial& trial, const model::Trial& other)
{
    // Switches of other engines mean nothing on this one and would all appear as differences.
    const bool sameSwitches = trial.config.backend == other.config.backend &&
                              model::typeOfDevice(trial.device) == model::typeOfDevice(other.device);
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

/// Whether a trial of such a study has a time. Other tools may tell a time without its blocks.
bool isMeasured(const model::Study& study, const model::Trial& trial)
{
    return trial.state == model::TrialState::ok && (model::isImported(study) || !trial.measurement.blocks.empty());
}

std::string pairName(const std::string& a, const std::string& b)
{
    return a == b ? a : a + " → " + b;
}

/// The ratio, and for values without intervals their quotient.
std::string ratioText(const MatchedConfiguration& configuration)
{
    if (!configuration.byValue)
        return formatRatio(configuration.ratio);
    constexpr int kDecimals = 2;
    return formatGrouped(configuration.ratio.value, kDecimals) + "× (values)";
}

/// Whether times of two studies are of one kind: measured by Apertune, or by one version of another tool.
bool ranksWith(const model::Study& a, const model::Study& b)
{
    return model::isImported(a) == model::isImported(b) &&
           (!model::isImported(a) || a.environment.engines == b.environment.engines);
}

MatchedConfiguration matched(const model::Trial& a, const model::Trial& b, std::string label)
{
    return {&a, &b, std::move(label), {}, stats::Verdict::cannotTell, 1, 0, false, 0, 1, false};
}

/// Computes all verdicts together, because noise floor and correction need all configurations.
void judge(Comparison& comparison, const model::StudySnapshot& a, const model::StudySnapshot& b,
           std::optional<double> given)
{
    comparison.imported = model::isImported(a.study) || model::isImported(b.study);
    std::vector<const model::Trial*> trials;
    // The largest floor that the trials or the studies show, unless the caller names one.
    for (const MatchedConfiguration& configuration : comparison.configurations)
        trials.insert(trials.end(), {configuration.a, configuration.b});
    comparison.noise = stats::noiseFloorWithin(trials);
    comparison.noise.effect = given.value_or(std::max({comparison.noise.effect, a.noiseFloor(), b.noiseFloor()}));
    stats::CompareOptions options;
    options.noiseFloor = comparison.noise.effect;
    std::vector<stats::Effect> effects;
    for (const MatchedConfiguration& configuration : comparison.configurations)
        effects.push_back(
            stats::compareTrials({*configuration.a}, {*configuration.b}, true, options).value_or(stats::Effect{}));
    // Many comparisons at once find differences by chance, so their probabilities are corrected together.
    stats::correctForMany(effects);
    for (std::size_t i = 0; i < effects.size(); ++i) {
        MatchedConfiguration& configuration = comparison.configurations[i];
        configuration.ratio = effects[i].ratio;
        configuration.verdict = effects[i].verdict;
        configuration.p = effects[i].p;
        if (!ranksWith(a.study, b.study)) {
            // What another tool timed, and where, may differ in anything.
            configuration.verdict = stats::Verdict::cannotTell;
            configuration.ratio.confidence = 0;
            configuration.p = 1;
        }
        configuration.byValue = comparison.imported && !(configuration.ratio.confidence > 0);
        if (configuration.byValue) {
            const double ratio = shownTime(*configuration.a, true).value / shownTime(*configuration.b, true).value;
            configuration.ratio = {ratio, ratio, ratio, 0};
        }
        configuration.samples = effects[i].samples;
        configuration.paired = effects[i].paired;
        configuration.processes = effects[i].processes;
        configuration.machine = effects[i].machine;
    }
}

/// A trial of a study with its settings by name. A switch that is off is absent, as in studies that are older than the
/// switch.
struct Configuration
{
    const model::Trial* trial;
    std::map<std::string, std::string> settings{};
    std::string key{}; ///< identifies matching configurations
    bool used = false;
};

std::vector<Configuration> configurationsOf(const model::StudySnapshot& snapshot)
{
    std::vector<Configuration> configurations;
    for (const model::Trial& trial : snapshot.trials) {
        const model::Config& config = trial.config;
        Configuration configuration{&trial};
        configuration.settings = {{kDevice, std::string(model::toString(deviceType(snapshot, trial)))},
                                  {kBackend, config.backend},
                                  {"level", std::string(model::toString(config.level))},
                                  {"precision", std::string(model::toString(config.precision))},
                                  {"batch", std::to_string(config.batch)}};
        if (config.threads > 0)
            configuration.settings[kThreads] = std::to_string(config.threads);
        if (const auto& made = config.quantization) {
            configuration.settings["calibration"] =
                base::counted(made->samples, "sample") + (made->images.empty() ? std::string() : " of " + made->images);
            if (!made->floatLayers.empty())
                configuration.settings["layers in float"] = base::join(made->floatLayers);
        }
        for (const auto& [name, on] : config.switches)
            if (on)
                configuration.settings[name] = "on";
        configurations.push_back(std::move(configuration));
    }
    return configurations;
}

/// Keeps only switches that were set beside the level's own and that the other study has, too. The rest shows how
/// another device type or engine implements the same level.
void keepSetSwitches(std::vector<Configuration>& configurations, const model::StudySnapshot& own,
                     const model::StudySnapshot& other)
{
    std::set<std::string> known;
    for (const model::Trial& trial : other.trials)
        for (const auto& [name, on] : trial.config.switches)
            known.insert(name);
    const model::CommonSwitches common(own);
    for (Configuration& configuration : configurations) {
        const model::Config& config = configuration.trial->config;
        const std::vector<std::string> marks =
            model::switchMarks(config, deviceType(own, *configuration.trial), common.of(*configuration.trial));
        for (const auto& [name, on] : config.switches) {
            configuration.settings.erase(name);
            if (known.contains(name) && std::count(marks.begin(), marks.end(), (on ? "+" : "−") + name) > 0)
                configuration.settings[name] = on ? "on" : "off";
        }
    }
}

std::string settingOf(const Configuration& configuration, const std::string& name)
{
    const auto it = configuration.settings.find(name);
    return it == configuration.settings.end() ? std::string() : it->second;
}

/// The settings in which `a` and `b` differ, by name.
std::vector<Difference> differencesOf(const Configuration& a, const Configuration& b)
{
    std::vector<Difference> differences;
    auto left = a.settings.begin();
    auto right = b.settings.begin();
    while (left != a.settings.end() || right != b.settings.end()) {
        if (right == b.settings.end() || (left != a.settings.end() && left->first < right->first)) {
            differences.push_back({left->first, left->second, {}});
            ++left;
        } else if (left == a.settings.end() || right->first < left->first) {
            differences.push_back({right->first, {}, right->second});
            ++right;
        } else {
            if (left->second != right->second)
                differences.push_back({left->first, left->second, right->second});
            ++left;
            ++right;
        }
    }
    return differences;
}

/// The value that a setting has in all configurations; nullopt when there are several. Threads only count where they
/// exist.
std::optional<std::string> onlyValue(const std::vector<Configuration>& configurations, const std::string& name)
{
    std::set<std::string> values;
    for (const Configuration& configuration : configurations)
        if (name != kThreads || configuration.settings.contains(name))
            values.insert(settingOf(configuration, name));
    return values.size() > 1 ? std::nullopt : std::optional(values.empty() ? std::string() : *values.begin());
}

/// The settings in which all configurations of one side differ from all configurations of the other.
std::vector<Difference> wholeDifferences(const std::vector<Configuration>& a, const std::vector<Configuration>& b)
{
    if (a.empty() || b.empty())
        return {};
    std::set<std::string> names;
    for (const auto* configurations : {&a, &b})
        for (const Configuration& configuration : *configurations)
            for (const auto& [name, value] : configuration.settings)
                names.insert(name);
    std::vector<Difference> whole;
    for (const std::string& name : names)
        if (const auto left = onlyValue(a, name), right = onlyValue(b, name); left && right && *left != *right)
            whole.push_back({name, *left, *right});
    return whole;
}

bool differIn(const std::vector<Difference>& differences, const std::string& name)
{
    return std::any_of(differences.begin(), differences.end(), [&](const Difference& d) { return d.name == name; });
}

std::string againstText(const Difference& difference)
{
    const auto shown = [](const std::string& value) { return value.empty() ? std::string("–") : value; };
    return difference.name + ": " + shown(difference.a) + " against " + shown(difference.b);
}

std::string againstText(const std::vector<Difference>& differences)
{
    std::vector<std::string> texts;
    for (const Difference& difference : differences)
        texts.push_back(againstText(difference));
    return base::join(texts);
}

void setKeys(std::vector<Configuration>& configurations, const std::vector<Difference>& whole)
{
    for (Configuration& configuration : configurations) {
        configuration.key.clear();
        for (const auto& [name, value] : configuration.settings)
            if (!differIn(whole, name))
                configuration.key += name + '=' + value + '\n';
    }
}

/// Says why a measured configuration has no measured partner on the other side. `side` is the name of that side.
std::string whyUnmatched(const Configuration& configuration, const std::vector<Configuration>& others,
                         const model::Study& study, const std::vector<Difference>& whole, const std::string& side)
{
    std::optional<std::vector<Difference>> nearest;
    bool taken = false;
    for (const Configuration& other : others) {
        if (other.key == configuration.key && !isMeasured(study, *other.trial))
            return "Not measured in " + side + ": " + reasonText(*other.trial);
        taken = taken || other.key == configuration.key;
        std::vector<Difference> differences = differencesOf(configuration, other);
        std::erase_if(differences, [&](const Difference& d) { return differIn(whole, d.name); });
        if (!nearest || differences.size() < nearest->size())
            nearest = std::move(differences);
    }
    if (taken)
        return "Its like in " + side + " is matched with another configuration.";
    return nearest ? "The nearest configuration of " + side + " differs in " + againstText(*nearest) + "."
                   : side + " has no configuration.";
}

/// Lists configurations without a partner, one line per reason.
std::string unmatchedText(const std::string& title, const std::vector<UnmatchedConfiguration>& configurations,
                          int width)
{
    constexpr int kIndent = 13;
    // Grouped in the order of the first occurrence, because most configurations share their reason.
    std::vector<std::pair<std::string, std::vector<std::string>>> byReason;
    for (const UnmatchedConfiguration& configuration : configurations) {
        auto group = std::find_if(byReason.begin(), byReason.end(),
                                  [&](const auto& g) { return g.first == configuration.reason; });
        if (group == byReason.end())
            group = byReason.insert(byReason.end(), {configuration.reason, {}});
        group->second.push_back(configuration.label);
    }
    std::string out;
    for (const auto& [reason, labels] : byReason)
        out += "\n  " + title + ": " + wrapPieces(labels, " · ", width > kIndent ? width - kIndent : 0, kIndent) +
               "\n    " + wrap(base::printableLine(reason), width > 4 ? width - 4 : 0, 4) + '\n';
    return out;
}

Json unmatchedJson(const std::vector<UnmatchedConfiguration>& configurations)
{
    Json list = Json::array();
    for (const UnmatchedConfiguration& configuration : configurations)
        list.push_back({{"label", configuration.label}, {"reason", configuration.reason}});
    return list;
}

Json labelsJson(const std::vector<UnmatchedConfiguration>& configurations)
{
    Json list = Json::array();
    for (const UnmatchedConfiguration& configuration : configurations)
        list.push_back(configuration.label);
    return list;
}

/// The text for a side without any matched configuration.
std::string measuredText(const std::vector<UnmatchedConfiguration>& unmatched)
{
    return unmatched.empty() ? std::string("none was measured")
                             : base::counted(static_cast<std::int64_t>(unmatched.size()), "other configuration");
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

} // namespace

std::vector<Difference> environmentDifferences(const model::Study& a, const model::Study& b)
{
    return Settings::differences(environmentOf(a), environmentOf(b));
}

Comparison compareStudies(const model::StudySnapshot& a, const model::StudySnapshot& b,
                          std::optional<double> noiseFloor)
{
    Comparison comparison;
    comparison.environment = environmentDifferences(a.study, b.study);
    comparison.ofStudies = true;
    std::vector<Configuration> left = configurationsOf(a);
    std::vector<Configuration> right = configurationsOf(b);
    std::vector<Difference>& whole = comparison.configuration;
    whole = wholeDifferences(left, right);
    if (differIn(whole, kDevice) || differIn(whole, kBackend)) {
        // On another device or engine a switch can be a default there, so only switches that both know are compared.
        keepSetSwitches(left, a, b);
        keepSetSwitches(right, b, a);
        whole = wholeDifferences(left, right);
    }
    comparison.studies = Settings::differences(askedOf(a), askedOf(b));
    // What both studies differ in as a whole is said once.
    std::erase_if(comparison.studies, [&whole](const Difference& d) { return differIn(whole, d.name); });
    setKeys(left, whole);
    setKeys(right, whole);
    const ConfigurationNames namesA(a);
    const ConfigurationNames namesB(b);
    for (Configuration& configuration : left) {
        if (!isMeasured(a.study, *configuration.trial))
            continue;
        const std::string nameA = namesA.shortName(*configuration.trial);
        const auto partner = std::find_if(right.begin(), right.end(), [&](const Configuration& other) {
            // A partner is used once, so that two trials of A are not compared with one of B.
            return !other.used && other.key == configuration.key && isMeasured(b.study, *other.trial);
        });
        if (partner == right.end()) {
            comparison.onlyInA.push_back({nameA, whyUnmatched(configuration, right, b.study, whole, "B")});
            for (const Configuration& other : right)
                if (other.key == configuration.key && other.trial->state == model::TrialState::failed)
                    comparison.lost.push_back({nameA, other.trial->reason.text});
            continue;
        }
        configuration.used = partner->used = true;
        comparison.configurations.push_back(
            matched(*configuration.trial, *partner->trial, pairName(nameA, namesB.shortName(*partner->trial))));
    }
    for (const Configuration& configuration : right)
        if (isMeasured(b.study, *configuration.trial) && !configuration.used)
            comparison.onlyInB.push_back(
                {namesB.shortName(*configuration.trial), whyUnmatched(configuration, left, a.study, whole, "A")});
    judge(comparison, a, b, noiseFloor);
    return comparison;
}

Comparison compareTrials(const model::StudySnapshot& studyA, const model::Trial& a, const model::StudySnapshot& studyB,
                         const model::Trial& b, std::optional<double> noiseFloor)
{
    Comparison comparison;
    comparison.environment = environmentDifferences(studyA.study, studyB.study);
    comparison.configuration = Settings::differences(configurationOf(a, b), configurationOf(b, a));
    const std::string nameA = ConfigurationNames(studyA).shortName(a);
    const std::string nameB = ConfigurationNames(studyB).shortName(b);
    const bool hasA = isMeasured(studyA.study, a);
    const bool hasB = isMeasured(studyB.study, b);
    if (hasA && hasB) {
        comparison.configurations.push_back(matched(a, b, pairName(nameA, nameB)));
    } else {
        if (hasA)
            comparison.onlyInA.push_back({nameA, reasonText(b)});
        if (hasB)
            comparison.onlyInB.push_back({nameB, reasonText(a)});
        else if (hasA && b.state == model::TrialState::failed && comparison.configuration.empty())
            comparison.lost.push_back({nameA, b.reason.text});
    }
    judge(comparison, studyA, studyB, noiseFloor);
    return comparison;
}

bool showsTimePerSample(const Comparison& comparison)
{
    return std::any_of(comparison.configurations.begin(), comparison.configurations.end(),
                       [](const MatchedConfiguration& configuration) {
                           return configuration.a->config.batch != configuration.b->config.batch;
                       });
}

model::Interval shownTime(const model::Trial& trial, bool perSample)
{
    model::Interval time = trial.measurement.latencyNs;
    for (double* end : {&time.value, &time.lo, &time.hi})
        *end /= perSample ? std::max(1, trial.config.batch) : 1;
    return time;
}

std::string importedSentence(const Comparison& comparison)
{
    if (!comparison.imported || comparison.configurations.empty())
        return {};
    const bool byValue = std::any_of(comparison.configurations.begin(), comparison.configurations.end(),
                                     [](const MatchedConfiguration& configuration) { return configuration.byValue; });
    return std::string("Another tool measured these times, and not in turns: a change of the machine between them "
                       "counts as a difference.") +
           (byValue ? " Times without an interval are compared by their values alone, which gives no verdict." : "");
}

std::string machineSentence(const Comparison& comparison)
{
    std::size_t changed = 0;
    double slower = 1;
    double faster = 1;
    for (const MatchedConfiguration& configuration : comparison.configurations) {
        changed += configuration.machine != 1;
        slower = std::max(slower, configuration.machine);
        faster = std::max(faster, 1 / configuration.machine);
    }
    if (changed == 0)
        return {};
    std::vector<std::string> ways;
    for (const auto& [times, word] : {std::pair{slower, "slower"}, {faster, "faster"}})
        if (times > 1)
            ways.push_back("up to " + base::formatSignificant(times, 3) + " times " + word);
    return "The machine itself was " + base::join(ways, " and ") + " when B was measured (by what ran beside " +
           std::to_string(changed) + " of " +
           base::counted(static_cast<std::int64_t>(comparison.configurations.size()), "configuration") +
           "): the ratios are without that.";
}

Gate checkGate(const Comparison& comparison, double tolerance)
{
    Gate gate{tolerance, comparison.configurations.empty() ? GateResult::cannotTell : GateResult::passed};
    // A configuration that ran before and fails now is worse than any slow-down.
    if (!comparison.lost.empty()) {
        gate.result = GateResult::failed;
        return gate;
    }
    // The ratio is A / B, and B may take at most (1 + tolerance) times as long as A.
    const double limit = 1 / (1 + tolerance);
    const bool judgesAll = comparison.noise.effect <= tolerance;
    std::vector<stats::Effect> beyond;
    for (const MatchedConfiguration& configuration : comparison.configurations) {
        const model::Interval& ratio = configuration.ratio;
        // Identical code can differ by the noise floor, so both a slow-down and a pass have to be clear of it. The
        // floor is one of single processes and shrinks for means over several (stats::effectOf).
        const double floor =
            judgesAll ? 0
                      : comparison.noise.effect /
                            std::sqrt(static_cast<double>(std::max<std::size_t>(1, configuration.processes)));
        if (!(ratio.confidence > 0) || ratio.lo < limit * (1 + floor))
            gate.result = judgesAll ? GateResult::cannotTell : GateResult::refused;
        // The gate asks another question than the table, so it needs its own probabilities.
        stats::CompareOptions options;
        options.indifference = 1 - std::min(limit, 1 / (1 + floor));
        options.pairing = configuration.paired ? stats::Pairing::paired : stats::Pairing::independent;
        beyond.push_back(stats::effectOf(ratio, configuration.samples, options, configuration.processes));
    }
    stats::correctForMany(beyond);
    if (std::any_of(beyond.begin(), beyond.end(),
                    [](const stats::Effect& e) { return e.verdict == stats::Verdict::slower; }))
        gate.result = GateResult::failed;
    return gate;
}

namespace {

/// A ratio without an interval is no number, so it becomes null, except the quotient of values of another tool.
Json ratioOrNull(const model::Interval& ratio, bool byValue)
{
    const auto end = [&](double value) { return ratio.confidence > 0 ? Json(value) : Json(nullptr); };
    return {{"value", byValue ? Json(ratio.value) : end(ratio.value)},
            {"lo", end(ratio.lo)},
            {"hi", end(ratio.hi)},
            {"confidence", ratio.confidence}};
}

} // namespace

Json comparisonDocument(const Comparison& comparison, const std::string& nameA, const std::string& nameB,
                        const std::optional<Gate>& gate)
{
    Json configurations = Json::array();
    for (const MatchedConfiguration& configuration : comparison.configurations)
        configurations.push_back({{"label", configuration.label},
                                  {"a", toText(configuration.a->id)},
                                  {"b", toText(configuration.b->id)},
                                  {"ratio", ratioOrNull(configuration.ratio, configuration.byValue)},
                                  {"verdict", stats::toString(configuration.verdict)},
                                  {"p", configuration.p},
                                  {"paired", configuration.paired},
                                  {"machine", configuration.machine}});
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
            {"studies", differencesJson(comparison.studies)},
            {"cells", configurations},
            {"only_in_a", labelsJson(comparison.onlyInA)},
            {"only_in_b", labelsJson(comparison.onlyInB)},
            {"unmatched", {{"a", unmatchedJson(comparison.onlyInA)}, {"b", unmatchedJson(comparison.onlyInB)}}},
            {"lost", unmatchedJson(comparison.lost)},
            {"noise_floor", {{"effect", comparison.noise.effect}, {"comparisons", comparison.noise.comparisons}}},
            {"gate", gateJson}};
}

std::string comparisonTable(const Comparison& comparison, int width)
{
    std::string out;
    if (comparison.ofStudies && !comparison.configuration.empty())
        out = "  " +
              wrap("The studies differ as a whole in " + againstText(comparison.configuration) +
                       ". Configurations are matched by everything else.",
                   width > 2 ? width - 2 : 0, 2) +
              "\n\n";
    out += differencesTable("Tried and asked", comparison.studies, width);
    out += differencesTable("Environment", comparison.environment, width);
    if (!comparison.ofStudies)
        out += differencesTable("Configuration", comparison.configuration, width);
    if (!comparison.configurations.empty()) {
        const bool perSample = showsTimePerSample(comparison);
        const std::string unit = perSample ? "ms/sample" : "ms/pass";
        TextTable table({{"  Configuration", Align::left, true},
                         {"A " + unit, Align::right},
                         {"B " + unit, Align::right},
                         {"Time A/B", Align::left},
                         {"Verdict", Align::left}});
        for (const MatchedConfiguration& configuration : comparison.configurations)
            table.addRow({"  " + configuration.label, formatPlusMinus(shownTime(*configuration.a, perSample), kMsPerNs),
                          formatPlusMinus(shownTime(*configuration.b, perSample), kMsPerNs), ratioText(configuration),
                          verdictText(configuration.verdict)});
        out += table.render(width);
        for (const std::string& sentence : {importedSentence(comparison), machineSentence(comparison)})
            if (!sentence.empty())
                out += "  " + wrap(sentence, width > 2 ? width - 2 : 0, 2) + '\n';
        if (comparison.noise.effect > kIndifference)
            out += "  No effect below ± " + base::formatSignificant(comparison.noise.effect * 100, 2) +
                   " % is named: these runs differ by as much from themselves.\n";
    } else {
        out += "No configuration was measured on both sides: of A " + measuredText(comparison.onlyInA) + ", of B " +
               measuredText(comparison.onlyInB) + ".\n";
    }
    return out + unmatchedText("Only in A", comparison.onlyInA, width) +
           unmatchedText("Only in B", comparison.onlyInB, width);
}

} // namespace apertune::report
