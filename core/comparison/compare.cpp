// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/compare.h"

#include "core/base/escape.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/comparison/reasons.h"
#include "core/model/imported.h"
#include "core/sentences/sentences.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace apertune::comparison {

using base::foreignText;
using base::Json;
using base::message;
using base::Message;
using sentences::sentence;

namespace {

constexpr double kIndifference = stats::CompareOptions{}.indifference;

constexpr const char* kDevice = "device";
constexpr const char* kBackend = "backend";
constexpr const char* kThreads = "threads"; ///< absent on a GPU
constexpr const char* kMachine = "machine"; ///< absent for the machine of the study's environment
constexpr const char* kCalibration = "calibration";
constexpr const char* kFloatLayers = "layers in float";

/// The title of a setting of a configuration. The names of switches are the same in every language.
Message settingTitle(const std::string& name)
{
    static constexpr std::array<std::pair<std::string_view, const base::MessageKind*>, 9> kTitles{
        {{kDevice, &reasons::kSettingDevice},
         {kBackend, &reasons::kSettingBackend},
         {"level", &reasons::kSettingLevel},
         {"precision", &reasons::kSettingPrecision},
         {"batch", &reasons::kSettingBatch},
         {kThreads, &reasons::kSettingThreads},
         {kMachine, &reasons::kSettingMachine},
         {kCalibration, &reasons::kSettingCalibration},
         {kFloatLayers, &reasons::kSettingFloatLayers}}};
    const auto found =
        std::find_if(kTitles.begin(), kTitles.end(), [&name](const auto& title) { return title.first == name; });
    return found == kTitles.end() ? foreignText(name) : message(*found->second);
}

Message onOrOff(bool on)
{
    return message(on ? reasons::kSwitchOn : reasons::kSwitchOff);
}

/// The settings of one side, in the order of their first use. Two settings are one when their titles are equal.
class Settings
{
public:
    void set(Message title, Message value)
    {
        for (auto& [known, old] : m_settings)
            if (known == title) {
                old = std::move(value);
                return;
            }
        m_settings.emplace_back(std::move(title), std::move(value));
    }
    void set(const base::MessageKind& title, std::string value) { set(message(title), foreignText(std::move(value))); }

    static std::vector<Difference> differences(const Settings& a, const Settings& b)
    {
        std::vector<Difference> result;
        const auto add = [&result](const Message& title, const Message& left, const Message& right) {
            if (left != right)
                result.push_back({sentence(title), title, left, right});
        };
        for (const auto& [title, value] : a.m_settings) {
            const Message* other = b.find(title);
            add(title, value, other ? *other : Message());
        }
        // The order of A comes first, then what B alone has.
        for (const auto& [title, value] : b.m_settings)
            if (!a.find(title))
                add(title, {}, value);
        return result;
    }

private:
    const Message* find(const Message& title) const
    {
        for (const auto& [known, value] : m_settings)
            if (known == title)
                return &value;
        return nullptr;
    }
    std::vector<std::pair<Message, Message>> m_settings; ///< title and value
};

Settings environmentOf(const model::Study& study)
{
    const model::Environment& e = study.environment;
    Settings s;
    s.set(reasons::kSettingModel, study.model.name);
    s.set(reasons::kSettingModelContent, study.model.contentHash.substr(0, 12));
    s.set(reasons::kSettingHost, e.host);
    s.set(reasons::kSettingOs, e.os);
    s.set(reasons::kSettingKernel, e.kernel);
    s.set(foreignText("apertune"), foreignText(e.apertune));
    for (const auto& [name, version] : e.engines)
        s.set(message<reasons::kSettingEngine>(name), foreignText(version));
    for (const model::Device& d : e.devices) {
        s.set(foreignText(d.id), foreignText(d.name));
        s.set(message<reasons::kSettingMemory>(d.id), foreignText(base::formatBytes(d.memory)));
        if (d.type.isCpu()) {
            s.set(message<reasons::kSettingCores>(d.id), foreignText(std::to_string(d.cores)));
            s.set(message<reasons::kSettingInstructionSets>(d.id), foreignText(base::join(d.isa, " ")));
        } else {
            s.set(message<reasons::kSettingDriver>(d.id), foreignText(d.driver));
        }
        if (d.type.isNvidiaGpu())
            s.set(message<reasons::kSettingCapability>(d.id),
                  foreignText(std::to_string(d.computeMajor) + "." + std::to_string(d.computeMinor)));
        if (d.maxClockMhz > 0)
            s.set(message<reasons::kSettingTopClock>(d.id), foreignText(std::to_string(d.maxClockMhz) + " MHz"));
    }
    for (const auto& [name, value] : e.settings)
        s.set(foreignText(name), foreignText(value));
    // A load that no core notices is noise and not a difference.
    s.set(message(reasons::kSettingLoad), e.loadAverage < 0.5 ? message(reasons::kLoadBelowHalf)
                                                              : foreignText(base::formatSignificant(e.loadAverage, 2)));
    return s;
}

/// Returns the values of a list of numbers or names, as they were planned: "1, 2, 4".
template <typename T, typename Text>
Message valuesOf(const std::vector<T>& values, Text text)
{
    std::vector<Message> words;
    for (const T& value : values)
        if (Message word = text(value); std::find(words.begin(), words.end(), word) == words.end())
            words.push_back(std::move(word));
    return text::listMessage(std::move(words));
}

/// "throughput,memory"
Message goalOf(const model::Goal& goal)
{
    const auto named = [](model::Objective objective) {
        switch (objective) {
        case model::Objective::latency:
            return message(reasons::kGoalLatency);
        case model::Objective::memory:
            return message(reasons::kGoalMemory);
        case model::Objective::energy:
            return message(reasons::kGoalEnergy);
        case model::Objective::throughput:
            break;
        }
        return message(reasons::kGoalThroughput);
    };
    Message text = named(goal.objective);
    for (const model::Objective objective : goal.also)
        text = message<reasons::kGoals>(std::move(text), named(objective));
    return text;
}

/// "30.0 s", "30.0 s of measuring"
Message budgetOf(const model::Study& study)
{
    if (study.budget.count == 0)
        return message(reasons::kBudgetUnlimited);
    return study.budgetKind == model::BudgetKind::wall ? message<reasons::kBudgetWall>(study.budget)
                                                       : message<reasons::kBudgetMeasuring>(study.budget);
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
    const auto name = [](const std::string& text) { return foreignText(text); };
    const auto number = [](int value) {
        return value > 0 ? foreignText(std::to_string(value)) : message(reasons::kDefaultValue);
    };
    Settings s;
    s.set(settingTitle(kDevice),
          axis([&snapshot](const model::Trial& t) { return std::string(toString(text::deviceType(snapshot, t))); },
               name));
    s.set(settingTitle(kBackend), axis([](const model::Trial& t) { return t.config.backend; }, name));
    s.set(settingTitle("level"),
          axis([](const model::Trial& t) { return t.config.level; },
               [](model::OptLevel level) { return foreignText(std::string(model::toString(level))); }));
    s.set(settingTitle("precision"),
          axis([](const model::Trial& t) { return t.config.precision; },
               [](model::Precision precision) { return foreignText(std::string(model::toString(precision))); }));
    s.set(settingTitle("batch"), axis([](const model::Trial& t) { return t.config.batch; }, number));
    s.set(settingTitle(kThreads), axis([](const model::Trial& t) { return t.config.threads; }, number));
    for (const auto& [switchName, values] : study.space.switches)
        s.set(message<reasons::kSettingSwitch>(switchName), valuesOf(values, onOrOff));
    s.set(message(reasons::kSettingGoal), goalOf(study.goal));
    s.set(message(reasons::kSettingBounds), text::boundsMessage(study.goal));
    s.set(message(reasons::kSettingBudget), budgetOf(study));
    s.set(reasons::kSettingTarget, "±" + base::formatPercent(study.target));
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
    const auto set = [&s](const std::string& name, std::string value) {
        s.set(settingTitle(name), foreignText(std::move(value)));
    };
    set(kDevice, trial.device);
    set(kBackend, trial.config.backend);
    set("level", std::string(model::toString(trial.config.level)));
    set("precision", std::string(model::toString(trial.config.precision)));
    set("batch", std::to_string(trial.config.batch));
    set(kThreads, trial.config.threads > 0 ? std::to_string(trial.config.threads) : std::string());
    set(kMachine, trial.measurement.conditions.machine);
    for (const auto& [name, on] : trial.config.switches)
        if (sameSwitches || other.config.switches.contains(name))
            s.set(settingTitle(name), onOrOff(on));
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
        return text::formatRatio(configuration.ratio);
    constexpr int kDecimals = 2;
    return text::formatGrouped(configuration.ratio.value, kDecimals) + "× (values)";
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
void setVerdicts(Comparison& comparison, const model::StudySnapshot& a, const model::StudySnapshot& b,
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
            stats::effectBetween({*configuration.a}, {*configuration.b}, true, options).value_or(stats::Effect{}));
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
    std::map<std::string, Message> settings{};
    std::string key{}; ///< identifies matching configurations
    bool used = false;
};

std::vector<Configuration> configurationsOf(const model::StudySnapshot& snapshot)
{
    std::vector<Configuration> configurations;
    for (const model::Trial& trial : snapshot.trials) {
        const model::Config& config = trial.config;
        Configuration configuration{&trial};
        const auto set = [&configuration](const char* name, std::string value) {
            configuration.settings[name] = foreignText(std::move(value));
        };
        set(kDevice, std::string(model::toString(text::deviceType(snapshot, trial))));
        set(kBackend, config.backend);
        set("level", std::string(model::toString(config.level)));
        set("precision", std::string(model::toString(config.precision)));
        set("batch", std::to_string(config.batch));
        if (config.threads > 0)
            set(kThreads, std::to_string(config.threads));
        if (const std::string& machine = trial.measurement.conditions.machine; !machine.empty())
            set(kMachine, machine);
        if (const auto& made = config.quantization) {
            Message samples =
                made->samples == 1 ? message(reasons::kOneSample) : message<reasons::kManySamples>(made->samples);
            configuration.settings[kCalibration] = made->images.empty()
                                                       ? std::move(samples)
                                                       : message<reasons::kSamplesOf>(std::move(samples), made->images);
            if (!made->floatLayers.empty())
                set(kFloatLayers, base::join(made->floatLayers));
        }
        for (const auto& [name, on] : config.switches)
            if (on)
                configuration.settings[name] = onOrOff(true);
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
            model::switchMarks(config, text::deviceType(own, *configuration.trial), common.of(*configuration.trial));
        for (const auto& [name, on] : config.switches) {
            configuration.settings.erase(name);
            if (known.contains(name) && std::count(marks.begin(), marks.end(), (on ? "+" : "−") + name) > 0)
                configuration.settings[name] = onOrOff(on);
        }
    }
}

Message settingOf(const Configuration& configuration, const std::string& name)
{
    const auto it = configuration.settings.find(name);
    return it == configuration.settings.end() ? Message() : it->second;
}

/// The settings in which `a` and `b` differ, by name.
std::vector<Difference> differencesOf(const Configuration& a, const Configuration& b)
{
    std::vector<Difference> differences;
    auto left = a.settings.begin();
    auto right = b.settings.begin();
    while (left != a.settings.end() || right != b.settings.end()) {
        if (right == b.settings.end() || (left != a.settings.end() && left->first < right->first)) {
            differences.push_back({left->first, settingTitle(left->first), left->second, {}});
            ++left;
        } else if (left == a.settings.end() || right->first < left->first) {
            differences.push_back({right->first, settingTitle(right->first), {}, right->second});
            ++right;
        } else {
            if (left->second != right->second)
                differences.push_back({left->first, settingTitle(left->first), left->second, right->second});
            ++left;
            ++right;
        }
    }
    return differences;
}

/// The value that a setting has in all configurations; nullopt when there are several. Threads only count where they
/// exist.
std::optional<Message> onlyValue(const std::vector<Configuration>& configurations, const std::string& name)
{
    std::optional<Message> value;
    for (const Configuration& configuration : configurations) {
        if (name == kThreads && !configuration.settings.contains(name))
            continue;
        const Message own = settingOf(configuration, name);
        if (value && *value != own)
            return std::nullopt;
        value = own;
    }
    return value.value_or(Message());
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
            whole.push_back({name, settingTitle(name), *left, *right});
    return whole;
}

bool differIn(const std::vector<Difference>& differences, const std::string& name)
{
    return std::any_of(differences.begin(), differences.end(), [&](const Difference& d) { return d.name == name; });
}

/// "threads: 1 against 2, level: O1 against O2"
Message againstMessage(const std::vector<Difference>& differences)
{
    const auto shown = [](const Message& value) { return value.empty() ? foreignText("–") : value; };
    std::vector<Message> all;
    for (const Difference& d : differences)
        all.push_back(message<reasons::kSettingAgainst>(d.title, shown(d.a), shown(d.b)));
    return text::listMessage(std::move(all));
}

void setKeys(std::vector<Configuration>& configurations, const std::vector<Difference>& whole)
{
    for (Configuration& configuration : configurations) {
        configuration.key.clear();
        for (const auto& [name, value] : configuration.settings)
            if (!differIn(whole, name))
                configuration.key += name + '=' + sentence(value) + '\n';
    }
}

/// Says why a measured configuration has no measured partner on the other side. `side` is the name of that side.
Message whyUnmatched(const Configuration& configuration, const std::vector<Configuration>& others,
                     const model::Study& study, const std::vector<Difference>& whole, const std::string& side)
{
    std::optional<std::vector<Difference>> nearest;
    bool taken = false;
    for (const Configuration& other : others) {
        if (other.key == configuration.key && !isMeasured(study, *other.trial))
            return message<reasons::kNotMeasuredIn>(side, text::reasonMessage(*other.trial));
        taken = taken || other.key == configuration.key;
        std::vector<Difference> differences = differencesOf(configuration, other);
        std::erase_if(differences, [&](const Difference& d) { return differIn(whole, d.name); });
        if (!nearest || differences.size() < nearest->size())
            nearest = std::move(differences);
    }
    if (taken)
        return message<reasons::kMatchedOtherwise>(side);
    return nearest ? message<reasons::kNearestDiffers>(side, againstMessage(*nearest))
                   : message<reasons::kNoConfigurationIn>(side);
}

/// Lists configurations without a partner, one line per reason.
std::string unmatchedText(const std::string& title, const std::vector<UnmatchedConfiguration>& configurations,
                          int width)
{
    constexpr int kIndent = 13;
    // Grouped in the order of the first occurrence, because most configurations share their reason.
    std::vector<std::pair<Message, std::vector<std::string>>> byReason;
    for (const UnmatchedConfiguration& configuration : configurations) {
        auto group = std::find_if(byReason.begin(), byReason.end(),
                                  [&](const auto& g) { return g.first == configuration.reason; });
        if (group == byReason.end())
            group = byReason.insert(byReason.end(), {configuration.reason, {}});
        group->second.push_back(configuration.label);
    }
    std::string out;
    for (const auto& [reason, labels] : byReason)
        out += "\n  " + title + ": " + text::wrapPieces(labels, " · ", width > kIndent ? width - kIndent : 0, kIndent) +
               "\n    " + text::wrap(base::printableLine(sentence(reason)), width > 4 ? width - 4 : 0, 4) + '\n';
    return out;
}

Json unmatchedJson(const std::vector<UnmatchedConfiguration>& configurations)
{
    Json list = Json::array();
    for (const UnmatchedConfiguration& configuration : configurations)
        list.push_back({{"label", configuration.label}, {"reason", sentence(configuration.reason)}});
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
        list.push_back({{"name", d.name}, {"a", sentence(d.a)}, {"b", sentence(d.b)}});
    return list;
}

std::string differencesTable(const std::string& title, const std::vector<Difference>& differences, int width)
{
    if (differences.empty())
        return {};
    text::TextTable table(
        {{"  " + title}, {"A", text::TextTable::Align::left, true}, {"B", text::TextTable::Align::left, true}});
    const auto shown = [](const std::string& value) { return value.empty() ? std::string("–") : value; };
    for (const Difference& d : differences)
        table.addRow({"  " + d.name, shown(sentence(d.a)), shown(sentence(d.b))});
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
    const text::ConfigurationNames namesA(a);
    const text::ConfigurationNames namesB(b);
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
                    comparison.lost.push_back({nameA, other.trial->reason.message});
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
    setVerdicts(comparison, a, b, noiseFloor);
    return comparison;
}

Comparison compareTrials(const model::StudySnapshot& studyA, const model::Trial& a, const model::StudySnapshot& studyB,
                         const model::Trial& b, std::optional<double> noiseFloor)
{
    Comparison comparison;
    comparison.environment = environmentDifferences(studyA.study, studyB.study);
    comparison.configuration = Settings::differences(configurationOf(a, b), configurationOf(b, a));
    const std::string nameA = text::ConfigurationNames(studyA).shortName(a);
    const std::string nameB = text::ConfigurationNames(studyB).shortName(b);
    const bool hasA = isMeasured(studyA.study, a);
    const bool hasB = isMeasured(studyB.study, b);
    if (hasA && hasB) {
        comparison.configurations.push_back(matched(a, b, pairName(nameA, nameB)));
    } else {
        if (hasA)
            comparison.onlyInA.push_back({nameA, text::reasonMessage(b)});
        if (hasB)
            comparison.onlyInB.push_back({nameB, text::reasonMessage(a)});
        else if (hasA && b.state == model::TrialState::failed && comparison.configuration.empty())
            comparison.lost.push_back({nameA, b.reason.message});
    }
    setVerdicts(comparison, studyA, studyB, noiseFloor);
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

Message importedMessage(const Comparison& comparison)
{
    if (!comparison.imported || comparison.configurations.empty())
        return {};
    const bool byValue = std::any_of(comparison.configurations.begin(), comparison.configurations.end(),
                                     [](const MatchedConfiguration& configuration) { return configuration.byValue; });
    return message(byValue ? reasons::kImportedTimesByValue : reasons::kImportedTimes);
}

Message machineMessage(const Comparison& comparison)
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
    const auto times = [](double ratio) { return base::formatSignificant(ratio, 3); };
    const std::size_t all = comparison.configurations.size();
    const Message of = all == 1 ? message(reasons::kOneConfiguration) : message<reasons::kManyConfigurations>(all);
    if (slower > 1 && faster > 1)
        return message<reasons::kMachineBoth>(times(slower), times(faster), changed, of);
    return slower > 1 ? message<reasons::kMachineSlower>(times(slower), changed, of)
                      : message<reasons::kMachineFaster>(times(faster), changed, of);
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
    const bool canDecideAll = comparison.noise.effect <= tolerance;
    std::vector<stats::Effect> beyond;
    for (const MatchedConfiguration& configuration : comparison.configurations) {
        const model::Interval& ratio = configuration.ratio;
        // Identical code can differ by the noise floor, so both a slow-down and a pass have to be clear of it. The
        // floor is one of single processes and shrinks for means over several (stats::effectOf).
        const double floor =
            canDecideAll ? 0
                         : comparison.noise.effect /
                               std::sqrt(static_cast<double>(std::max<std::size_t>(1, configuration.processes)));
        if (!(ratio.confidence > 0) || ratio.lo < limit * (1 + floor))
            gate.result = canDecideAll ? GateResult::cannotTell : GateResult::refused;
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
                                  {"a", text::toText(configuration.a->id)},
                                  {"b", text::toText(configuration.b->id)},
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
              text::wrap("The studies differ as a whole in " + sentence(againstMessage(comparison.configuration)) +
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
        text::TextTable table({{"  Configuration", text::Align::left, true},
                               {"A " + unit, text::Align::right},
                               {"B " + unit, text::Align::right},
                               {"Time A/B", text::Align::left},
                               {"Verdict", text::Align::left}});
        for (const MatchedConfiguration& configuration : comparison.configurations)
            table.addRow({"  " + configuration.label,
                          text::formatPlusMinus(shownTime(*configuration.a, perSample), base::kMsPerNs),
                          text::formatPlusMinus(shownTime(*configuration.b, perSample), base::kMsPerNs),
                          ratioText(configuration), verdictText(configuration.verdict)});
        out += table.render(width);
        for (const Message& note : {importedMessage(comparison), machineMessage(comparison)})
            if (!note.empty())
                out += "  " + text::wrap(sentence(note), width > 2 ? width - 2 : 0, 2) + '\n';
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

} // namespace apertune::comparison
