// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/effects_view.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/compare_view.h"
#include "core/model/usable_interval.h"
#include "core/text/format.h"
#include "widgets/theme/format.h"

#include <algorithm>
#include <cmath>

namespace apertune::gui {

using controls::Tone;
using tables::TextTableModel;

namespace {

QString timesWord(double ratio)
{
    return theme::number(ratio, 3) + QStringLiteral("×");
}

/// A ratio with its interval. `good`: values above 1 are better (1), below 1 are (-1).
TextTableModel::Cell ratioCell(const std::optional<model::Interval>& ratio, int good)
{
    if (!ratio)
        return {theme::kAbsent, {}, Tone::tertiary};
    // Such a ratio is not shown as a number (text::formatRatio()).
    if (ratio->confidence <= 0 || model::isTooWide(*ratio))
        return {QObject::tr("cannot tell"), {}, Tone::tertiary};
    const bool above = ratio->lo > 1;
    const bool below = ratio->hi < 1;
    const Tone tone = !above && !below ? Tone::text : above == (good > 0) ? Tone::good : Tone::bad;
    return {QStringLiteral("%1 %2").arg(timesWord(ratio->value), theme::bounds(*ratio, 1, 3)), QVariant(ratio->value),
            tone};
}

/// Where an effect is largest and smallest; empty where it does not depend on the other settings.
QString whereWord(const comparison::SettingEffect& effect, const text::ConfigurationNames& names)
{
    if (!effect.depends)
        return {};
    const auto at = [&names](const comparison::EffectPair& pair) {
        return QObject::tr("%1 from %2")
            .arg(timesWord(pair.effect.ratio.value), theme::toQt(names.shortName(*pair.from)));
    };
    return QObject::tr("%1; %2").arg(at(effect.pairs.front()), at(effect.pairs.back()));
}

TextTableModel::Row effectRow(const comparison::SettingEffect& effect, const text::ConfigurationNames& names,
                              qint64 key)
{
    const auto all = static_cast<qint64>(effect.pairs.size());
    const auto counted = static_cast<qint64>(effect.counted);
    TextTableModel::Row row;
    row.key = key;
    row.cells = {{theme::toQt(effect.device)},
                 {settingWord(effect.setting)},
                 {QStringLiteral("%1 → %2").arg(theme::toQt(effect.from), theme::toQt(effect.to))},
                 ratioCell(effect.speedup, 1),
                 {counted == all ? theme::count(all) : QObject::tr("%1 of %2").arg(counted).arg(all), QVariant(all)},
                 effect.memory ? TextTableModel::Cell{timesWord(*effect.memory), QVariant(*effect.memory)}
                               : TextTableModel::Cell{theme::kAbsent, {}, Tone::tertiary},
                 ratioCell(effect.energy, -1),
                 ratioCell(effect.start, -1),
                 effect.cosine ? TextTableModel::Cell{QString::number(*effect.cosine, 'f', 6), QVariant(*effect.cosine)}
                               : TextTableModel::Cell{theme::kAbsent, {}, Tone::tertiary},
                 {whereWord(effect, names)}};
    return row;
}

} // namespace

QString settingWord(const model::Setting& setting)
{
    using Kind = model::Setting::Kind;
    switch (setting.kind()) {
    case Kind::engine:
        return QObject::tr("engine");
    case Kind::level:
        return QObject::tr("level");
    case Kind::precision:
        return QObject::tr("precision");
    case Kind::batch:
        return QObject::tr("batch");
    case Kind::threads:
        return QObject::tr("threads");
    case Kind::toggle:
        break;
    }
    return theme::toQt(setting.name());
}

std::vector<TextTableModel::Column> effectColumns()
{
    return {
        {QObject::tr("Device")},
        {QObject::tr("Setting"), false, QObject::tr("Engine, level, precision, batch, threads, or a switch")},
        {QObject::tr("Change"), false, QObject::tr("From the first value that the study measured to another one")},
        {QObject::tr("Speed-up"), true,
         QObject::tr("Samples a second after the change over before: the mean over the pairs of configurations that "
                     "differ in this setting alone, with its 95 % interval. A level, a precision and an engine bring "
                     "their own switches.")},
        {QObject::tr("Pairs"), true, QObject::tr("Pairs of configurations, and how many of them have an interval")},
        {QObject::tr("Memory"), true, QObject::tr("Peak of memory after over before, the geometric mean")},
        {QObject::tr("Energy"), true, QObject::tr("Energy of a sample after over before; below 1 it needs less")},
        {QObject::tr("First answer"), true,
         QObject::tr("Time from the model's files to the first answer in a fresh process, after over before")},
        {QObject::tr("Lowest cosine"), true, QObject::tr("Lowest agreement with the O0 fp32 outputs after the change")},
        {QObject::tr("Depends on the rest"), false,
         QObject::tr("The intervals of two pairs do not meet, so the effect depends on the other settings: where it is "
                     "largest and where it is smallest")}};
}

std::shared_ptr<const EffectsView> makeEffectsView(std::shared_ptr<const model::StudySnapshot> snapshot,
                                                   const std::filesystem::path& file)
{
    auto view = std::make_shared<EffectsView>();
    view->effects = comparison::settingEffects(*snapshot);
    const text::ConfigurationNames names(*snapshot);
    view->severalDevices = names.severalDevices();
    for (const comparison::SettingEffect& effect : view->effects) {
        view->knowsEnergy = view->knowsEnergy || effect.energy;
        view->knowsStart = view->knowsStart || effect.start;
        view->rows.push_back(effectRow(effect, names, static_cast<qint64>(view->rows.size()) + 1));
    }
    view->command = effectsCommand(snapshot->study.id, file);
    view->snapshot = std::move(snapshot);
    return view;
}

std::vector<TextTableModel::Column> effectPairColumns()
{
    return {
        {QObject::tr("From"), false, {}, true},
        {QObject::tr("To"), false, {}, true},
        {QObject::tr("Speed-up"), true, QObject::tr("Time of a sample before over after, with its interval")},
        {QObject::tr("Verdict"), false, QObject::tr("Conclusion from the interval, within ±1 % or the noise floor")},
        {QObject::tr("Energy"), true, QObject::tr("Energy of a sample after over before")},
        {QObject::tr("First answer"), true, QObject::tr("Time to the first answer after over before")}};
}

std::vector<TextTableModel::Row> effectPairRows(const EffectsView& view, std::size_t effect)
{
    const text::ConfigurationNames names(*view.snapshot);
    std::vector<TextTableModel::Row> rows;
    for (const comparison::EffectPair& pair : view.effects[effect].pairs) {
        TextTableModel::Row row;
        row.key = pair.to->id.value;
        const auto named = [&names](const model::Trial& trial) {
            return QStringLiteral("t%1  %2").arg(trial.id.value).arg(theme::toQt(names.shortName(trial)));
        };
        row.cells = {
            {named(*pair.from)},
            {named(*pair.to)},
            ratioCell(pair.effect.ratio, 1),
            {verdictWord(pair.effect.verdict), {}, verdictTone(pair.effect.verdict), verdictIcon(pair.effect.verdict)},
            ratioCell(pair.energy, -1),
            ratioCell(pair.start, -1)};
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace apertune::gui
