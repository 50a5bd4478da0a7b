// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comparison/effects.h"

#include "core/base/json_optional.h"
#include "core/base/text.h"
#include "core/metrics/metrics.h"
#include "core/model/interval_json.h"
#include "core/stats/energy.h"
#include "core/stats/processes.h"
#include "core/stats/starts.h"
#include "core/text/format.h"
#include "core/text/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace apertune::comparison {

using base::Json;
using model::Setting;
using model::Trial;

namespace {

constexpr double kNormal = 1.959964; ///< half the width of a 95 % interval in standard errors

/// A setting with its values in two configurations that differ in it alone.
struct Change
{
    Setting setting;
    std::string from;
    std::string to;
};

/// The order in which the values of a setting are tried; the smaller one comes before.
bool isBefore(const Trial& a, const Trial& b)
{
    // The engine that every machine has is the reference of the others.
    const auto key = [](const Trial& t) {
        return std::tuple(t.config.backend != "libtorch", t.config.backend, t.config.level, t.config.precision,
                          t.config.batch, t.config.threads);
    };
    return key(a) < key(b);
}

class StudySettings
{
public:
    explicit StudySettings(const model::StudySnapshot& snapshot) : m_snapshot(snapshot), m_common(snapshot) {}

    /// The one setting in which two trials differ; nullopt when they differ in none or in several, and for trials of
    /// machines of different classes.
    std::optional<Change> onlyChange(const Trial& a, const Trial& b) const
    {
        if (a.measurement.conditions.machine != b.measurement.conditions.machine)
            return std::nullopt;
        const model::Config& from = a.config;
        const model::Config& to = b.config;
        std::vector<Change> changes;
        for (const Setting::Kind axis : Setting::kAxes) {
            const Setting setting(axis);
            std::string before = setting.valueIn(from), after = setting.valueIn(to);
            if (before == after)
                continue;
            // Two changes at once do not show which of them had the effect.
            if (!changes.empty())
                return std::nullopt;
            changes.push_back({setting, std::move(before), std::move(after)});
        }
        // Only quantized trials have parameters of a quantization, so those belong to the precision.
        if (from.precision == to.precision && from.quantization != to.quantization)
            return std::nullopt;
        for (const std::string& name : differingSwitches(a, b))
            changes.push_back({Setting::fromName(name), from.isOn(name) ? "on" : "off", to.isOn(name) ? "on" : "off"});
        return changes.size() == 1 ? std::optional(changes.front()) : std::nullopt;
    }

private:
    /// The switches that were set in one of the trials beside the level's own.
    std::set<std::string> differingSwitches(const Trial& a, const Trial& b) const
    {
        // Marks leave out the switches that all trials have in common.
        const auto marks = [this](const Trial& trial) {
            const std::vector<std::string> all =
                model::switchMarks(trial.config, text::deviceType(m_snapshot, trial), m_common.of(trial));
            return std::set<std::string>(all.begin(), all.end());
        };
        const std::set<std::string> before = marks(a);
        const std::set<std::string> after = marks(b);
        std::set<std::string> names;
        for (const std::string& mark : before)
            if (!after.contains(mark))
                names.insert(nameOf(mark));
        for (const std::string& mark : after)
            if (!before.contains(mark))
                names.insert(nameOf(mark));
        return names;
    }

    /// Marks begin with "+" or "−".
    static std::string nameOf(const std::string& mark)
    {
        return mark.substr(mark.starts_with('+') ? 1 : std::string("−").size());
    }

    const model::StudySnapshot& m_snapshot;
    model::CommonSwitches m_common;
};

/// The mean of the logarithms of a random-effects model, as a ratio.
/// REQUIRES: `ratios` is not empty.
model::Interval meanOf(const std::vector<model::Interval>& ratios)
{
    std::vector<double> values;
    std::vector<double> variances;
    double plain = 0;
    double lowest = INFINITY, highest = 0; // the range that the intervals cover together
    for (const model::Interval& ratio : ratios) {
        plain += std::log(ratio.value) / static_cast<double>(ratios.size());
        // A pair without an interval has no weight in the mean.
        if (ratio.confidence <= 0 || ratio.lo <= 0)
            continue;
        // The interval is symmetric in the logarithm, so its half-width gives the standard error.
        const double error = std::log(ratio.hi / ratio.lo) / 2 / kNormal;
        values.push_back(std::log(ratio.value));
        // An error of 0 would give infinite weight.
        variances.push_back(std::max(error * error, 1e-12));
        lowest = std::min(lowest, ratio.lo);
        highest = std::max(highest, ratio.hi);
    }
    if (values.empty())
        return {std::exp(plain), std::exp(plain), std::exp(plain), 0};
    if (values.size() == 1) {
        const double half = std::sqrt(variances.front()) * kNormal;
        return {std::exp(values.front()), std::exp(values.front() - half), std::exp(values.front() + half), 0.95};
    }
    // Random effects (DerSimonian and Laird): the variance between pairs is added to each pair's own.
    const auto weighted = [&](double between) {
        double weights = 0, sum = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            weights += 1 / (variances[i] + between);
            sum += values[i] / (variances[i] + between);
        }
        return std::pair(sum / weights, weights);
    };
    const auto [fixed, weights] = weighted(0);
    double squares = 0, weightSquares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        squares += (values[i] - fixed) * (values[i] - fixed) / variances[i];
        weightSquares += 1 / variances[i] / variances[i];
    }
    // Cochran's Q less its degrees of freedom shows the spread beyond the pairs' own errors.
    const auto freedom = static_cast<double>(values.size() - 1);
    const double between = std::max(0.0, (squares - freedom) / (weights - weightSquares / weights));
    const auto [mean, allWeights] = weighted(between);
    double spread = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        spread += (values[i] - mean) * (values[i] - mean) / (variances[i] + between);
    // The modified interval of Hartung and Knapp with Student's quantile holds for few pairs, where the normal one is
    // too narrow.
    const double half =
        stats::studentQuantile(0.025, values.size() - 1) * std::sqrt(std::max(spread / freedom, 1.0) / allWeights);
    model::Interval interval{std::exp(mean), std::exp(mean - half), std::exp(mean + half), 0.95};
    constexpr std::size_t kFewPairs = 3;
    // With very few pairs the quantile is so large that the interval would exceed all of its parts.
    if (values.size() <= kFewPairs) {
        interval.lo = std::max(interval.lo, lowest);
        interval.hi = std::min(interval.hi, highest);
    }
    return interval;
}

/// The geometric mean over the pairs of a quantity after the change over that before; nullopt where a pair lacks it.
template <typename Quantity>
std::optional<double> meanRatio(const std::vector<EffectPair>& pairs, Quantity quantity)
{
    double sum = 0;
    for (const EffectPair& pair : pairs) {
        const std::optional<double> before = quantity(*pair.from);
        const std::optional<double> after = quantity(*pair.to);
        // A pair without both values leaves the mean unknown.
        if (!before || !after || *before <= 0 || *after <= 0)
            return std::nullopt;
        sum += std::log(*after / *before);
    }
    return std::exp(sum / static_cast<double>(pairs.size()));
}

/// Whether the intervals of two ratios do not meet.
bool dependsOnOthers(const std::vector<model::Interval>& ratios)
{
    double highestLow = 0;
    double lowestHigh = INFINITY;
    for (const model::Interval& ratio : ratios) {
        if (ratio.confidence <= 0)
            continue;
        highestLow = std::max(highestLow, ratio.lo);
        lowestHigh = std::min(lowestHigh, ratio.hi);
    }
    // Two intervals that do not overlap cannot have the same effect.
    return highestLow > lowestHigh;
}

/// The ratio of two independent figures.
std::optional<model::Interval> ratioOf(const std::optional<model::Interval>& after,
                                       const std::optional<model::Interval>& before)
{
    if (!after || !before || !(after->value > 0) || !(before->value > 0))
        return std::nullopt;
    const double value = after->value / before->value;
    if (after->confidence <= 0 || before->confidence <= 0 || after->lo <= 0 || before->lo <= 0)
        return model::Interval{value, value, value, 0};
    // The errors of independent figures add as squares, in the logarithm.
    const double half = std::hypot(std::log(after->hi / after->lo) / 2, std::log(before->hi / before->lo) / 2);
    return model::Interval{value, value * std::exp(-half), value * std::exp(half), 0.95};
}

std::optional<model::Interval> startRatio(const Trial& from, const Trial& to)
{
    // A cold start is what a user waits for. Where the page cache could not be emptied, there are only warm ones.
    for (const stats::StartKind kind : {stats::StartKind::cold, stats::StartKind::warm}) {
        const auto before = stats::startsOf(from.measurement, kind);
        const auto after = stats::startsOf(to.measurement, kind);
        if (before && after)
            return ratioOf(after->ns, before->ns);
    }
    return std::nullopt;
}

template <typename Member>
std::vector<model::Interval> ratiosOf(const std::vector<EffectPair>& pairs, Member member)
{
    std::vector<model::Interval> ratios;
    for (const EffectPair& pair : pairs)
        if (const std::optional<model::Interval> ratio = member(pair))
            ratios.push_back(*ratio);
    return ratios;
}

std::optional<model::Interval> meanOrNone(const std::vector<model::Interval>& ratios)
{
    return ratios.empty() ? std::nullopt : std::optional(meanOf(ratios));
}

void summarize(SettingEffect& effect, const model::StudySnapshot& snapshot)
{
    // The largest effect stands first, as whereText() expects.
    std::stable_sort(effect.pairs.begin(), effect.pairs.end(), [](const EffectPair& x, const EffectPair& y) {
        return x.effect.ratio.value > y.effect.ratio.value;
    });
    const auto speedups = ratiosOf(effect.pairs, [](const EffectPair& p) { return std::optional(p.effect.ratio); });
    effect.speedup = meanOf(speedups);
    effect.counted = static_cast<std::size_t>(
        // Only pairs with an interval are counted.
        std::count_if(speedups.begin(), speedups.end(), [](const model::Interval& r) { return r.confidence > 0; }));
    effect.depends = dependsOnOthers(speedups);
    const auto energies = ratiosOf(effect.pairs, [](const EffectPair& p) { return p.energy; });
    effect.energy = meanOrNone(energies);
    effect.energyDepends = dependsOnOthers(energies);
    effect.start = meanOrNone(ratiosOf(effect.pairs, [](const EffectPair& p) { return p.start; }));
    const auto reading = [&snapshot](std::string_view key) {
        const metrics::Metric& metric = metrics::find(key);
        return [&snapshot, &metric](const Trial& trial) {
            return metric.read(trial.measurement, text::deviceType(snapshot, trial)).value;
        };
    };
    effect.memory = meanRatio(effect.pairs, reading("memory_peak"));
    const auto cosine = reading("cosine");
    // The lowest cosine is the one to worry about.
    for (const EffectPair& pair : effect.pairs)
        if (const std::optional<double> value = cosine(*pair.to))
            effect.cosine = std::min(effect.cosine.value_or(*value), *value);
}

/// False where the engine reports that the switch had no effect.
bool tookEffect(const Trial& trial, const std::string& name)
{
    const auto& applied = trial.measurement.applied;
    return std::none_of(applied.begin(), applied.end(), [&name](const model::Applied& a) {
        return a.name == name && a.state != model::AppliedState::on;
    });
}

std::string pairsText(const SettingEffect& effect)
{
    const std::string all = std::to_string(effect.pairs.size());
    return effect.counted == effect.pairs.size() ? all : std::to_string(effect.counted) + " of " + all;
}

std::string ratioOr(const std::optional<double>& ratio)
{
    return ratio ? base::formatSignificant(*ratio, 3) + "×" : "–";
}

/// "1.9× from O2 fp32 b1, 0.8× from O0 fp32 b8; energy 0.5× from …", of an effect that depends on the other settings.
std::string whereText(const SettingEffect& effect, const text::ConfigurationNames& names)
{
    std::vector<std::string> parts;
    const auto at = [&names](double ratio, const EffectPair& pair) {
        return base::formatSignificant(ratio, 3) + "× from " + names.shortName(*pair.from);
    };
    if (effect.depends) {
        // Pairs are sorted by their ratio.
        const EffectPair& least = effect.pairs.back();
        const EffectPair& most = effect.pairs.front();
        parts.push_back(at(most.effect.ratio.value, most) + ", " + at(least.effect.ratio.value, least));
    }
    if (effect.energyDepends) {
        const auto key = [](const EffectPair& pair) { return pair.energy ? pair.energy->value : NAN; };
        const EffectPair* least = nullptr;
        const EffectPair* most = nullptr;
        for (const EffectPair& pair : effect.pairs) {
            if (!pair.energy || pair.energy->confidence <= 0)
                continue;
            least = !least || key(pair) < key(*least) ? &pair : least;
            most = !most || key(pair) > key(*most) ? &pair : most;
        }
        parts.push_back("energy " + at(key(*least), *least) + ", " + at(key(*most), *most));
    }
    return base::join(parts, "; ");
}

/// Adds a ratio to an object: "energy", "energy_lo", "energy_hi"; null where it is unknown.
void addRatio(Json& object, const std::string& name, const std::optional<model::Interval>& ratio)
{
    const bool known = ratio && ratio->confidence > 0;
    object[name] = ratio ? Json(ratio->value) : Json(nullptr);
    object[name + "_lo"] = known ? Json(ratio->lo) : Json(nullptr);
    object[name + "_hi"] = known ? Json(ratio->hi) : Json(nullptr);
}

} // namespace

model::Interval meanSpeedup(const std::vector<EffectPair>& pairs)
{
    return meanOf(ratiosOf(pairs, [](const EffectPair& pair) { return std::optional(pair.effect.ratio); }));
}

std::vector<SettingEffect> settingEffects(const model::StudySnapshot& snapshot)
{
    // The common switches are known only when all trials are.
    const StudySettings settings(snapshot);
    std::vector<const Trial*> measured;
    for (const Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok)
            measured.push_back(&trial);
    // In planned order, so that the change goes from the simpler to the stronger value.
    std::stable_sort(measured.begin(), measured.end(), [](const Trial* a, const Trial* b) { return isBefore(*a, *b); });
    stats::CompareOptions options;
    options.noiseFloor = snapshot.noiseFloor();

    using Key = std::tuple<std::string, Setting, std::string, std::string>;
    std::map<Key, SettingEffect> effects;
    for (std::size_t j = 0; j < measured.size(); ++j) {
        const Trial& to = *measured[j];
        std::set<Setting> begun; // settings with a pair that ends here: the first value is the reference
        for (std::size_t i = 0; i < measured.size(); ++i) {
            const Trial& from = *measured[i];
            if (i == j || from.device != to.device)
                continue;
            const std::optional<Change> change = settings.onlyChange(from, to);
            const bool isSwitch = change && change->setting.kind() == Setting::Kind::toggle;
            // A switch has no order of its own, so the pair that turns it on is taken.
            if (!change || (isSwitch ? change->to != "on" || !tookEffect(to, change->setting.name()) : i > j) ||
                !begun.insert(change->setting).second)
                continue;
            // Time by the sample compares batches.
            const auto effect = stats::effectBetween({from}, {to}, true, options);
            if (!effect || effect->ratio.value <= 0)
                continue;
            SettingEffect& all = effects
                                     .try_emplace({to.device, change->setting, change->from, change->to},
                                                  SettingEffect{change->setting, change->from, change->to, to.device})
                                     .first->second;
            all.pairs.push_back({&from, &to, *effect,
                                 ratioOf(stats::energyOfSample(to.measurement.conditions),
                                         stats::energyOfSample(from.measurement.conditions)),
                                 startRatio(from, to)});
        }
    }
    std::vector<SettingEffect> sorted;
    for (auto& [key, effect] : effects) {
        summarize(effect, snapshot);
        sorted.push_back(std::move(effect));
    }
    const auto rank = [](const SettingEffect& effect) {
        // Effects with an interval come first, then the largest change in either direction.
        return std::pair(effect.counted > 0, std::abs(std::log(effect.speedup.value)));
    };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&rank](const SettingEffect& x, const SettingEffect& y) { return rank(x) > rank(y); });
    return sorted;
}

Json effectsDocument(const model::StudySnapshot& snapshot, const std::vector<SettingEffect>& effects)
{
    Json list = Json::array();
    for (const SettingEffect& effect : effects) {
        Json pairs = Json::array();
        for (const EffectPair& pair : effect.pairs) {
            Json entry{{"from", text::toText(pair.from->id)},
                       {"to", text::toText(pair.to->id)},
                       {"speedup", model::intervalJson("value", pair.effect.ratio)},
                       {"verdict", stats::toString(pair.effect.verdict)},
                       {"paired", pair.effect.paired}};
            addRatio(entry, "energy", pair.energy);
            addRatio(entry, "first_answer", pair.start);
            pairs.push_back(std::move(entry));
        }
        Json entry({{"setting", effect.setting.name()},
                    {"from", effect.from},
                    {"to", effect.to},
                    {"device", effect.device},
                    {"speedup", model::intervalJson("value", effect.speedup)},
                    {"pairs_with_interval", effect.counted},
                    {"depends", effect.depends},
                    {"memory", base::orNull(effect.memory)},
                    {"energy_depends", effect.energyDepends},
                    {"cosine", base::orNull(effect.cosine)},
                    {"pairs", std::move(pairs)}});
        addRatio(entry, "energy", effect.energy);
        addRatio(entry, "first_answer", effect.start);
        list.push_back(std::move(entry));
    }
    return {{"schema", "apertune.effects/1"}, {"study", text::toText(snapshot.study.id)}, {"effects", std::move(list)}};
}

EffectsTable effectsTable(const model::StudySnapshot& snapshot, const std::vector<SettingEffect>& effects)
{
    const text::ConfigurationNames names(snapshot);
    // A column is shown when any effect has a value for it.
    const auto any = [&effects](auto member) {
        return std::any_of(effects.begin(), effects.end(), [&](const auto& e) { return (e.*member).has_value(); });
    };
    const bool energy = any(&SettingEffect::energy);
    const bool start = any(&SettingEffect::start);
    EffectsTable table;
    if (names.severalDevices())
        table.columns.push_back({"Device", false});
    for (const char* title : {"Setting", "Change"})
        table.columns.push_back({title, false});
    for (const char* title : {"Speed-up", "Pairs", "Memory"})
        table.columns.push_back({title, true});
    if (energy)
        table.columns.push_back({"Energy", true});
    if (start)
        table.columns.push_back({"First answer", true});
    table.columns.push_back({"Lowest cosine", true});
    table.columns.push_back({"Depends on the rest", false});
    for (const SettingEffect& effect : effects) {
        std::vector<std::string> cells;
        if (names.severalDevices())
            cells.push_back(effect.device);
        cells.insert(cells.end(), {effect.setting.name(), effect.from + " → " + effect.to,
                                   text::formatRatio(effect.speedup), pairsText(effect), ratioOr(effect.memory)});
        if (energy)
            cells.push_back(effect.energy ? text::formatRatio(*effect.energy) : "–");
        if (start)
            cells.push_back(effect.start ? text::formatRatio(*effect.start) : "–");
        cells.push_back(effect.cosine ? base::formatSignificant(*effect.cosine, 6) : "–");
        cells.push_back(whereText(effect, names));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string effectsExplanation()
{
    return "Each line compares configurations that differ in that setting alone, from the first value that was "
           "measured; a level, a precision and an engine bring their own switches. The speed-up is in samples a "
           "second, the mean over the pairs that have an interval, taken against the reference that had turns "
           "beside both where there is one; a larger batch may answer later all the same. Memory (peak of the "
           "process, or of a GPU), energy of a sample and time to the first answer in a fresh process are after over "
           "before.";
}

std::string effectsText(const model::StudySnapshot& snapshot, const std::vector<SettingEffect>& effects, int width)
{
    if (effects.empty())
        return "No two measured configurations of the study differ in one setting alone.\n";
    const EffectsTable shown = effectsTable(snapshot, effects);
    std::vector<text::TextTable::Column> columns;
    for (const EffectsTable::Column& column : shown.columns)
        columns.push_back({column.title, column.numeric ? text::Align::right : text::Align::left});
    columns.back().elastic = true;
    text::TextTable table(std::move(columns));
    for (const std::vector<std::string>& row : shown.rows)
        table.addRow(row);
    return table.render(width) + text::wrap(effectsExplanation(), width, 0) + "\n";
}

} // namespace apertune::comparison
