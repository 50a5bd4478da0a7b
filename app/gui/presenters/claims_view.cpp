// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/claims_view.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/effects_view.h"
#include "app/gui/presenters/model_view.h"
#include "app/gui/presenters/translate.h"
#include "core/claims/claims_report.h"
#include "core/model/usable_interval.h"
#include "core/runs/claim_measuring.h"
#include "core/text/format.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <QStringList>

#include <algorithm>

namespace apertune::gui {

using claims::ClaimCheck;
using claims::ClaimFigure;
using claims::ClaimState;
using claims::FigureCheck;
using controls::FactList;
using controls::Tone;
using tables::TextTableModel;

namespace {

Tone claimTone(ClaimState state)
{
    switch (state) {
    case ClaimState::agrees:
        return Tone::good;
    case ClaimState::disagrees:
        return Tone::bad;
    case ClaimState::cannotTell:
    case ClaimState::partlyMeasured:
        return Tone::text;
    case ClaimState::notMeasured:
        return Tone::secondary;
    case ClaimState::cannotMeasure:
        break;
    }
    return Tone::tertiary;
}

QString claimIcon(ClaimState state)
{
    switch (state) {
    case ClaimState::agrees:
        return QStringLiteral("check");
    case ClaimState::disagrees:
        return QStringLiteral("close");
    case ClaimState::cannotTell:
        return QStringLiteral("unsure");
    case ClaimState::partlyMeasured:
        return QStringLiteral("more");
    case ClaimState::notMeasured:
        return QStringLiteral("clock");
    case ClaimState::cannotMeasure:
        break;
    }
    return QStringLiteral("skipped");
}

QString quantityWord(const ClaimFigure& figure)
{
    return fromCore(claims::claimQuantityText(figure.quantity));
}

QString claimedWord(const ClaimFigure& figure)
{
    const auto end = [&figure](double value) { return theme::toQt(claims::claimEndText(figure.quantity, value)); };
    if (figure.low && figure.high)
        return *figure.low == *figure.high ? end(*figure.low)
                                           : QObject::tr("%1 to %2").arg(end(*figure.low), end(*figure.high));
    return figure.low    ? QObject::tr("at least %1").arg(end(*figure.low))
           : figure.high ? QObject::tr("at most %1").arg(end(*figure.high))
                         : QString();
}

/// A value that is not exact. `text` is the form of report, of numbers and units alone where the interval is usable.
QString intervalWord(const ClaimFigure& figure, const model::Interval& value, const std::string& text)
{
    const auto end = [&figure](double number) { return theme::toQt(claims::claimEndText(figure.quantity, number)); };
    if (value.confidence <= 0)
        return QObject::tr("no interval");
    return model::isTooWide(value) ? QObject::tr("%1 to %2").arg(end(value.lo), end(value.hi)) : theme::toQt(text);
}

QString measuredWord(const FigureCheck& check)
{
    if (!claims::isMeasured(check.state))
        return theme::kAbsent;
    const std::string text = claims::claimMeasuredText(check);
    return check.counted ? theme::toQt(text) : intervalWord(*check.figure, check.measured, text);
}

QString pairWord(const FigureCheck& check, const claims::ClaimPair& pair)
{
    const std::string text = claims::claimPairText(check, pair);
    const bool isExact = check.counted || check.figure->quantity == claims::ClaimQuantity::tensors;
    return isExact ? theme::toQt(text) : intervalWord(*check.figure, pair.value, text);
}

bool passes(const ClaimCheck& check, const ClaimFilter& filter)
{
    return (!filter.state || check.state == *filter.state) &&
           (filter.topic.empty() || check.claim->topic == filter.topic);
}

bool needsMeasuring(ClaimState state)
{
    return state == ClaimState::notMeasured || state == ClaimState::cannotTell;
}

/// The figure that decides the state of a claim.
const FigureCheck& decisive(const ClaimCheck& check)
{
    const ClaimState wanted = check.state == ClaimState::partlyMeasured ? ClaimState::agrees : check.state;
    return *std::find_if(check.figures.begin(), check.figures.end(),
                         [wanted](const FigureCheck& figure) { return figure.state == wanted; });
}

/// The text of the decisive figure, and how many figures there are besides.
QString withOthers(const QString& text, const ClaimCheck& check)
{
    const auto others = static_cast<int>(check.figures.size()) - 1;
    return text.isEmpty() || text == theme::kAbsent || others == 0
               ? text
               : QObject::tr("%1 and %2 more").arg(text).arg(others);
}

QString conditionWord(const FigureCheck& check)
{
    const claims::ClaimConditions& where = check.figure->where;
    QStringList parts;
    const auto list = [](const auto& values, const auto& word) {
        QStringList words;
        for (const auto& value : values)
            words << word(value);
        return words.join(QStringLiteral(", "));
    };
    if (!check.figure->fromModel.empty())
        parts << theme::toQt(claims::claimChangeText(check));
    else if (const claims::ClaimChange* const change = claims::claimChangeOf(check))
        parts << QObject::tr("%1 %2 → %3")
                     .arg(settingWord(change->setting), theme::toQt(change->from), theme::toQt(change->to));
    if (!where.models.empty())
        parts << QObject::tr("models: %1").arg(list(where.models, [](const std::string& source) {
            return theme::toQt(source);
        }));
    if (!where.tasks.empty())
        parts << QObject::tr("tasks: %1").arg(list(where.tasks, taskWord));
    if (where.precision)
        parts << theme::toQt(std::string(model::toString(*where.precision)));
    if (where.level)
        parts << theme::toQt(std::string(model::toString(*where.level)));
    if (where.batch)
        parts << QObject::tr("batch %1").arg(*where.batch);
    if (!where.engine.empty())
        parts << theme::toQt(where.engine);
    // A device's name says more than its kind.
    if (!where.deviceName.empty())
        parts << theme::toQt(where.deviceName);
    else if (where.kind)
        parts << (*where.kind == model::DeviceKind::cpu ? QObject::tr("on a processor") : QObject::tr("on a GPU"));
    if (where.twoThreadsPerCore)
        parts << QObject::tr("two threads a core");
    return parts.isEmpty() ? QObject::tr("any model and device") : parts.join(QStringLiteral(" · "));
}

} // namespace

QString claimStateWord(ClaimState state)
{
    return fromCore(claims::claimStateText(state));
}

std::vector<TextTableModel::Column> claimColumns()
{
    return {{QObject::tr("Claim"), false, QObject::tr("Statement of the guide")},
            {QObject::tr("Claimed"), true,
             QObject::tr("The range that the guide states, or all that rounds to its number")},
            {QObject::tr("Measured here"), true,
             QObject::tr("The mean over the measurements of this workspace, with its 95 % interval")},
            {QObject::tr("Verdict"), false,
             QObject::tr("Whether the measured interval meets the claimed range: \"cannot tell\" when the interval is "
                         "too wide or holds no effect as well.")},
            {QObject::tr("Topic")},
            {QObject::tr("Source"), false, QObject::tr("The guide and its section"), true}};
}

std::vector<TextTableModel::Row> claimRows(const ClaimsView& view, const ClaimFilter& filter)
{
    std::vector<TextTableModel::Row> rows;
    for (std::size_t i = 0; i < view.checks.size(); ++i) {
        const ClaimCheck& check = view.checks[i];
        const claims::Claim& claim = *check.claim;
        if (!passes(check, filter))
            continue;
        const FigureCheck& figure = decisive(check);
        const bool isBarred = figure.figure->barrier != claims::ClaimBarrier::none;
        const QString source = QStringLiteral("%1 · %2").arg(fromCore(claim.guide), fromCore(claim.section));
        TextTableModel::Row row;
        // 0 stands for no row.
        row.key = static_cast<qint64>(i) + 1;
        row.cells = {{fromCore(claim.says)},
                     // Sorting needs the number beside the text.
                     {isBarred ? theme::kAbsent : withOthers(claimedWord(*figure.figure), check),
                      figure.figure->low ? QVariant(*figure.figure->low) : QVariant(),
                      isBarred ? Tone::tertiary : Tone::text},
                     {withOthers(measuredWord(figure), check),
                      claims::isMeasured(figure.state) && figure.state != ClaimState::cannotTell
                          ? QVariant(figure.measured.value)
                          : QVariant(),
                      claims::isMeasured(figure.state) ? Tone::text : Tone::tertiary},
                     {claimStateWord(check.state), {}, claimTone(check.state), claimIcon(check.state)},
                     {fromCore(claim.topic)},
                     {source}};
        row.toolTip = QStringLiteral("%1\n%2").arg(fromCore(claim.says), source);
        rows.push_back(std::move(row));
    }
    return rows;
}

claims::ClaimPlan plannedClaims(const ClaimsView& view, const ClaimFilter& filter)
{
    std::vector<ClaimCheck> chosen;
    for (const ClaimCheck& check : view.checks)
        if (passes(check, filter))
            chosen.push_back(check);
    return claims::planClaims(chosen, view.devices, {});
}

QString claimCountsText(const ClaimsView& view)
{
    const auto counts = claims::countStates(view.checks);
    std::size_t measured = counts.at(ClaimState::partlyMeasured);
    for (const ClaimState state : {ClaimState::agrees, ClaimState::disagrees, ClaimState::cannotTell})
        measured += counts.at(state);
    return QObject::tr("%1 claims of guides: %2 measured here, %3 not measured yet, %4 cannot be measured here")
        .arg(view.checks.size())
        .arg(measured)
        .arg(counts.at(ClaimState::notMeasured))
        .arg(counts.at(ClaimState::cannotMeasure));
}

QString claimCommand(const ClaimCheck& check, const std::filesystem::path& file)
{
    const bool isMissing = std::any_of(check.figures.begin(), check.figures.end(),
                                       [](const FigureCheck& figure) { return needsMeasuring(figure.state); });
    return claimsCommand({.claim = check.claim->id, .measure = isMissing}, file);
}

std::vector<FactList::Fact> claimFacts(const ClaimCheck& check)
{
    const claims::Claim& claim = *check.claim;
    std::vector<FactList::Fact> facts{
        {QObject::tr("The guide says"), fromCore(claim.says)},
        {QObject::tr("Source"), QStringLiteral("%1 · %2").arg(fromCore(claim.guide), fromCore(claim.section))}};
    bool isMissing = false;
    for (const FigureCheck& figure : check.figures) {
        // A figure that nothing can measure has a reason and no range.
        if (figure.figure->barrier == claims::ClaimBarrier::none) {
            const QString claimed = claimedWord(*figure.figure);
            const QString state = claimStateWord(figure.state);
            facts.push_back({quantityWord(*figure.figure),
                             claims::isMeasured(figure.state)
                                 ? QObject::tr("claimed %1 · here %2 · %3").arg(claimed, measuredWord(figure), state)
                                 : QObject::tr("claimed %1 · %2").arg(claimed, state),
                             {},
                             claimTone(figure.state),
                             claimIcon(figure.state)});
            facts.push_back({QObject::tr("Condition"), conditionWord(figure)});
        }
        if (!figure.reason.empty())
            facts.push_back({QObject::tr("Reason"), theme::fromCore(figure.reason)});
        isMissing = isMissing || needsMeasuring(figure.state);
    }
    if (isMissing)
        facts.push_back(
            {QObject::tr("Next step"), QObject::tr("The command below measures this claim; the button above "
                                                   "measures everything that is missing.")});
    return facts;
}

std::vector<TextTableModel::Column> claimPairColumns()
{
    return {{QObject::tr("Figure")},
            {QObject::tr("Model"), false, {}, true},
            {QObject::tr("From"), false, {}, true},
            {QObject::tr("To"), false, {}, true},
            {QObject::tr("Measured"), true, QObject::tr("The value of this measurement, with its 95 % interval")}};
}

std::vector<TextTableModel::Row> claimPairRows(const ClaimCheck& check)
{
    std::vector<TextTableModel::Row> rows;
    for (const FigureCheck& figure : check.figures)
        for (const claims::ClaimPair& pair : figure.pairs) {
            const auto named = [](model::TrialId trial, const std::string& name) {
                return trial ? QStringLiteral("t%1  %2").arg(trial.value).arg(theme::toQt(name)) : theme::toQt(name);
            };
            TextTableModel::Row row;
            row.key = pair.to.value;
            row.cells = {{quantityWord(*figure.figure)},
                         {theme::toQt(pair.model)},
                         {named(pair.from, pair.fromName)},
                         {named(pair.to, pair.toName)},
                         {pairWord(figure, pair), QVariant(pair.value.value)}};
            rows.push_back(std::move(row));
        }
    return rows;
}

model::StudyId studyOfPair(const ClaimCheck& check, model::TrialId trial)
{
    for (const FigureCheck& figure : check.figures)
        for (const claims::ClaimPair& pair : figure.pairs)
            if (pair.to == trial)
                return pair.study;
    return {};
}

std::vector<TextTableModel::Column> claimPlanColumns()
{
    return {{QObject::tr("Model"), false, {}, true},
            {QObject::tr("Device")},
            {QObject::tr("Measurement")},
            {QObject::tr("Configurations"), true},
            {QObject::tr("For the claims"), false, {}, true}};
}

std::vector<TextTableModel::Row> claimPlanRows(const claims::ClaimPlan& plan)
{
    std::vector<TextTableModel::Row> rows;
    const auto add = [&rows](const std::string& subject, const std::string& device, const QString& measured,
                             std::size_t configurations, const std::vector<std::string>& claims) {
        QStringList ids;
        for (const std::string& id : claims)
            ids << theme::toQt(id);
        TextTableModel::Row row;
        row.key = static_cast<qint64>(rows.size()) + 1;
        row.cells = {{theme::toQt(subject)},
                     {theme::toQt(device)},
                     {measured},
                     // A row without configurations has an empty cell, which sorts last.
                     configurations > 0 ? TextTableModel::Cell{theme::count(static_cast<qint64>(configurations)),
                                                               QVariant(static_cast<qint64>(configurations))}
                                        : TextTableModel::Cell{},
                     {ids.join(QStringLiteral(", "))}};
        rows.push_back(std::move(row));
    };
    for (const std::string& source : plan.imports)
        add(source, {}, QObject::tr("its layers"), 0, {});
    for (const claims::ClaimStudy& study : plan.studies)
        add(study.model, study.space.devices.front(), QObject::tr("a study"), study.configurations(), study.claims);
    for (const claims::ClaimPipeline& pipeline : plan.pipelines)
        add(pipeline.model, pipeline.device, QObject::tr("from image to answer"), 0, pipeline.claims);
    for (const std::string& device : plan.ceilings)
        add({}, device, QObject::tr("copy rates"), 0, {});
    return rows;
}

base::Nanoseconds claimBudget(const claims::ClaimPlan& plan, base::Nanoseconds each)
{
    return {each.count * static_cast<std::int64_t>(plan.studies.size())};
}

QString claimPlanText(const claims::ClaimPlan& plan, base::Nanoseconds budget)
{
    std::size_t configurations = 0;
    for (const claims::ClaimStudy& study : plan.studies)
        configurations += study.configurations();
    const base::Nanoseconds pipelines{runs::kClaimPipelineTime.count *
                                      static_cast<std::int64_t>(plan.pipelines.size())};
    return QObject::tr("%1 with %2: up to %3 of measuring, and the time for importing and converting models.")
        .arg(theme::counted(static_cast<qint64>(plan.studies.size()), QObject::tr("study"), QObject::tr("studies")),
             theme::counted(static_cast<qint64>(configurations), QObject::tr("configuration"),
                            QObject::tr("configurations")),
             theme::duration(base::Nanoseconds{budget.count + pipelines.count}));
}

} // namespace apertune::gui
