// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/effects.h"

#include "core/base/text.h"
#include "core/metrics/metrics.h"
#include "core/report/documents.h"
#include "core/report/format.h"
#include "core/report/text_table.h"
#include "core/stats/processes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace apertune::report {

using base::Json;
using model::Trial;

namespace {

constexpr double kNormal = 1.959964; ///< half the width of a 95 % interval in standard errors

/// A setting with its values in two configurations that differ in it alone.
struct Change
{
    std::string setting;
    std::string from;
    std::string to;
};

/// The order in which the values of a setting are tried; the smaller one comes before.
bool isBefore(const Trial& a, const Trial& b)
{
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

    /// The one setting in which two trials differ; nullopt when they differ in none or in several.
    std::optional<Change> onlyChange(const Trial& a, const Trial& b) const
    {
        const model::Config& from = a.config;
        const model::Config& to = b.config;
        std::vector<Change> changes;
        const auto add = [&changes](const std::string& setting, const auto& before, const auto& after,
                                    const auto& text) {
            if (before != after)
                changes.push_back({setting, text(before), text(after)});
        };
        const auto plain = [](const std::string& text) { return text; };
        const auto number = [](int n) { return std::to_string(n); };
        add("engine", from.backend, to.backend, plain);
        add("level", from.level, to.level, [](model::OptLevel l) { return std::string(model::toString(l)); });
        add("precision", from.precision, to.precision,
            [](model::Precision p) { return std::string(model::toString(p)); });
        add("batch", from.batch, to.batch, number);
        add("threads", from.threads, to.threads, number);
        if (changes.size() > 1 || from.quantization != to.quantization)
            return std::nullopt;
        for (const std::string& name : differingSwitches(a, b))
            changes.push_back({name, from.isOn(name) ? "on" : "off", to.isOn(name) ? "on" : "off"});
        return changes.size() == 1 ? std::optional(changes.front()) : std::nullopt;
    }

private:
    /// The switches that were set in one of the trials beside the level's own.
    std::set<std::string> differingSwitches(const Trial& a, const Trial& b) const
    {
        const auto marks = [this](const Trial& trial) {
            const std::vector<std::string> all =
                model::switchMarks(trial.config, deviceType(m_snapshot, trial), m_common.of(trial));
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

/// The geometric mean over the pairs of a quantity after the change over that before; nullopt where a pair lacks it.
template <typename Quantity>
std::optional<double> meanRatio(const std::vector<EffectPair>& pairs, Quantity quantity)
{
    double sum = 0;
    for (const EffectPair& pair : pairs) {
        const std::optional<double> before = quantity(*pair.from);
        const std::optional<double> after = quantity(*pair.to);
        if (!before || !after || *before <= 0 || *after <= 0)
            return std::nullopt;
        sum += std::log(*after / *before);
    }
    return std::exp(sum / static_cast<double>(pairs.size()));
}

bool dependsOnOthers(const std::vector<EffectPair>& pairs)
{
    double highestLow = 0;
    double lowestHigh = INFINITY;
    for (const EffectPair& pair : pairs) {
        const model::Interval& ratio = pair.effect.ratio;
        if (ratio.confidence <= 0)
            continue;
        highestLow = std::max(highestLow, ratio.lo);
        lowestHigh = std::min(lowestHigh, ratio.hi);
    }
    return highestLow > lowestHigh;
}

void summarize(SettingEffect& effect, const model::StudySnapshot& snapshot)
{
    std::stable_sort(effect.pairs.begin(), effect.pairs.end(), [](const EffectPair& x, const EffectPair& y) {
        return x.effect.ratio.value > y.effect.ratio.value;
    });
    effect.speedup = meanSpeedup(effect.pairs);
    effect.counted = static_cast<std::size_t>(std::count_if(
        effect.pairs.begin(), effect.pairs.end(), [](const EffectPair& p) { return p.effect.ratio.confidence > 0; }));
    effect.depends = dependsOnOthers(effect.pairs);
    const auto reading = [&snapshot](std::string_view key) {
        const metrics::Metric& metric = metrics::find(key);
        return [&snapshot, &metric](const Trial& trial) {
            return metric.read(trial.measurement, deviceType(snapshot, trial)).value;
        };
    };
    effect.memory = meanRatio(effect.pairs, reading("memory_peak"));
    effect.energy = meanRatio(effect.pairs, [](const Trial& trial) {
        std::optional<double> energy =
            trial.measurement.conditions.gpu ? trial.measurement.conditions.gpu->energyPerPass() : std::nullopt;
        return energy ? std::optional(*energy / trial.config.batch) : std::nullopt;
    });
    const auto cosine = reading("cosine");
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

/// "1.9× at O2 fp32 b1, 0.8× at O0 fp32 b8", of an effect that depends on the other settings.
std::string whereText(const SettingEffect& effect, const ConfigurationNames& names)
{
    if (!effect.depends)
        return {};
    const auto at = [&names](const EffectPair& pair) {
        return base::formatSignificant(pair.effect.ratio.value, 3) + "× from " + names.shortName(*pair.from);
    };
    return at(effect.pairs.front()) + ", " + at(effect.pairs.back());
}

Json numberOrNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

} // namespace

model::Interval meanSpeedup(const std::vector<EffectPair>& pairs)
{
    std::vector<double> values;
    std::vector<double> variances;
    double plain = 0;
    for (const EffectPair& pair : pairs) {
        const model::Interval& ratio = pair.effect.ratio;
        plain += std::log(ratio.value) / static_cast<double>(pairs.size());
        if (ratio.confidence <= 0 || ratio.lo <= 0)
            continue;
        const double error = std::log(ratio.hi / ratio.lo) / 2 / kNormal;
        values.push_back(std::log(ratio.value));
        variances.push_back(std::max(error * error, 1e-12));
    }
    if (values.empty())
        return {std::exp(plain), std::exp(plain), std::exp(plain), 0};
    if (values.size() == 1) {
        const double half = std::sqrt(variances.front()) * kNormal;
        return {std::exp(values.front()), std::exp(values.front() - half), std::exp(values.front() + half), 0.95};
    }
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
    const auto freedom = static_cast<double>(values.size() - 1);
    const double between = std::max(0.0, (squares - freedom) / (weights - weightSquares / weights));
    const auto [mean, allWeights] = weighted(between);
    double spread = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        spread += (values[i] - mean) * (values[i] - mean) / (variances[i] + between);
    const double half =
        stats::studentQuantile(0.025, values.size() - 1) * std::sqrt(std::max(spread / freedom, 1.0) / allWeights);
    return {std::exp(mean), std::exp(mean - half), std::exp(mean + half), 0.95};
}

std::vector<SettingEffect> settingEffects(const model::StudySnapshot& snapshot)
{
    const StudySettings settings(snapshot);
    std::vector<const Trial*> measured;
    for (const Trial& trial : snapshot.trials)
        if (trial.state == model::TrialState::ok)
            measured.push_back(&trial);
    std::stable_sort(measured.begin(), measured.end(), [](const Trial* a, const Trial* b) { return isBefore(*a, *b); });
    stats::CompareOptions options;
    options.noiseFloor = snapshot.noiseFloor();

    using Key = std::tuple<std::string, std::string, std::string, std::string>;
    std::map<Key, SettingEffect> effects;
    for (std::size_t j = 0; j < measured.size(); ++j) {
        const Trial& to = *measured[j];
        std::set<std::string> begun; // settings with a pair that ends here: the first value is the reference
        for (std::size_t i = 0; i < measured.size(); ++i) {
            const Trial& from = *measured[i];
            if (i == j || from.device != to.device)
                continue;
            const std::optional<Change> change = settings.onlyChange(from, to);
            const bool isSwitch = change && (change->to == "on" || change->to == "off");
            // A switch has no order of its own, so the pair that turns it on is taken.
            if (!change || (isSwitch ? change->to != "on" || !tookEffect(to, change->setting) : i > j) ||
                !begun.insert(change->setting).second)
                continue;
            const auto effect = stats::compareTrials({from}, {to}, true, options);
            if (!effect || effect->ratio.value <= 0)
                continue;
            SettingEffect& all = effects[{to.device, change->setting, change->from, change->to}];
            all.setting = change->setting;
            all.from = change->from;
            all.to = change->to;
            all.device = to.device;
            all.pairs.push_back({&from, &to, *effect});
        }
    }
    std::vector<SettingEffect> sorted;
    for (auto& [key, effect] : effects) {
        summarize(effect, snapshot);
        sorted.push_back(std::move(effect));
    }
    const auto rank = [](const SettingEffect& effect) {
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
        for (const EffectPair& pair : effect.pairs)
            pairs.push_back({{"from", toText(pair.from->id)},
                             {"to", toText(pair.to->id)},
                             {"speedup", intervalJson("value", pair.effect.ratio)},
                             {"verdict", stats::toString(pair.effect.verdict)},
                             {"paired", pair.effect.paired}});
        list.push_back({{"setting", effect.setting},
                        {"from", effect.from},
                        {"to", effect.to},
                        {"device", effect.device},
                        {"speedup", intervalJson("value", effect.speedup)},
                        {"pairs_with_interval", effect.counted},
                        {"depends", effect.depends},
                        {"memory", numberOrNull(effect.memory)},
                        {"energy", numberOrNull(effect.energy)},
                        {"cosine", numberOrNull(effect.cosine)},
                        {"pairs", std::move(pairs)}});
    }
    return {{"schema", "apertune.effects/1"}, {"study", toText(snapshot.study.id)}, {"effects", std::move(list)}};
}

std::string effectsText(const model::StudySnapshot& snapshot, const std::vector<SettingEffect>& effects, int width)
{
    if (effects.empty())
        return "No two measured configurations of the study differ in one setting alone.\n";
    const ConfigurationNames names(snapshot);
    const bool energy = std::any_of(effects.begin(), effects.end(), [](const auto& e) { return e.energy.has_value(); });
    std::vector<TextTable::Column> columns{{"Setting"},
                                           {"Change"},
                                           {"Speed-up", Align::right},
                                           {"Pairs", Align::right},
                                           {"Memory", Align::right},
                                           {"Lowest cosine", Align::right},
                                           {"Depends on the rest", Align::left, true}};
    if (energy)
        columns.insert(columns.begin() + 5, {"Energy", Align::right});
    if (names.severalDevices())
        columns.insert(columns.begin(), {"Device"});
    TextTable table(std::move(columns));
    for (const SettingEffect& effect : effects) {
        std::vector<std::string> cells{effect.setting,
                                       effect.from + " → " + effect.to,
                                       formatRatio(effect.speedup),
                                       pairsText(effect),
                                       ratioOr(effect.memory),
                                       effect.cosine ? base::formatSignificant(*effect.cosine, 6) : "–",
                                       whereText(effect, names)};
        if (energy)
            cells.insert(cells.begin() + 5, ratioOr(effect.energy));
        if (names.severalDevices())
            cells.insert(cells.begin(), effect.device);
        table.addRow(std::move(cells));
    }
    return table.render(width) +
           wrap("Each line compares configurations that differ in that setting alone, from the first value that was "
                "measured; a level, a precision and an engine bring their own switches. The speed-up is in samples a "
                "second, the mean over the pairs that have an interval, taken against the reference that had turns "
                "beside both where there is one; a larger batch may answer later all the same. Memory (peak of the "
                "process, or of a GPU) and energy are after over before.",
                width, 0) +
           "\n";
}

} // namespace apertune::report
