// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/difference_view.h"

#include "app/gui/presenters/translate.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <cmath>

namespace apertune::gui {

using analysis::DifferenceKind;
using analysis::DifferencePart;
using analysis::DifferenceStep;
using analysis::IdleCause;
using analysis::OpClass;
using analysis::TraceDifference;
using controls::Tone;
using tables::TextTableModel;

namespace {

QString differenceWord(DifferenceKind kind)
{
    switch (kind) {
    case DifferenceKind::sameWork:
        return tr("same work");
    case DifferenceKind::replaced:
        return tr("replaced");
    case DifferenceKind::removed:
        return tr("removed");
    case DifferenceKind::added:
        return tr("added");
    case DifferenceKind::idle:
        break;
    }
    return tr("idle");
}

QString idleWord(const std::optional<IdleCause>& cause, const TraceDifference& d)
{
    if (!cause)
        return d.a.onDevice && d.b.onDevice ? tr("work across the borders of iterations") : tr("outside the operators");
    switch (*cause) {
    case IdleCause::hostWait:
        return tr("idle: the host is busy with something else");
    case IdleCause::launchGap:
        return tr("idle: launches");
    case IdleCause::synchronization:
        return tr("idle: the host waited for the device");
    case IdleCause::copyWait:
        return tr("idle: waits for a copy");
    case IdleCause::allocation:
        return tr("idle: memory is allocated");
    case IdleCause::deviceQueue:
        return tr("idle: the device held its work back");
    case IdleCause::firstCall:
        return tr("idle: first calls");
    case IdleCause::unknown:
        break;
    }
    return tr("idle: cause not recorded");
}

QString workWord(OpClass opClass)
{
    switch (opClass) {
    case OpClass::matrixProduct:
        return tr("matrix products");
    case OpClass::convolution:
        return tr("convolutions");
    case OpClass::attention:
        return tr("attention");
    case OpClass::elementwise:
        return tr("elementwise work");
    case OpClass::normalization:
        return tr("normalization");
    case OpClass::reduction:
        return tr("reductions");
    case OpClass::pooling:
        return tr("pooling");
    case OpClass::layout:
        return tr("layout conversions");
    case OpClass::cast:
        return tr("type conversions");
    case OpClass::copy:
        return tr("copies");
    case OpClass::fill:
        return tr("fills");
    case OpClass::indexing:
        return tr("indexing");
    case OpClass::allocation:
        return tr("allocations");
    case OpClass::view:
        return tr("views");
    case OpClass::optimizer:
        return tr("optimizer");
    case OpClass::communication:
        return tr("communication");
    case OpClass::other:
        break;
    }
    return tr("other work");
}

QString stepWord(const DifferenceStep& step, const TraceDifference& d)
{
    if (step.unrecorded)
        return tr("work that is not recorded");
    if (step.kind == DifferenceKind::idle)
        return idleWord(step.cause, d);
    return tr("%1: %2").arg(workWord(step.opClass), differenceWord(step.kind));
}

QString partWord(const DifferencePart& part, const TraceDifference& d)
{
    const QString a = theme::toQt(report::worksText(part.a));
    const QString b = theme::toQt(report::worksText(part.b));
    if (part.unrecorded)
        return tr("inside %1: no operator recorded").arg(a.isEmpty() ? b : a);
    switch (part.kind) {
    case DifferenceKind::sameWork:
    case DifferenceKind::added:
        return b;
    case DifferenceKind::removed:
        return a;
    case DifferenceKind::replaced:
        return tr("%1 → %2").arg(a, b);
    case DifferenceKind::idle:
        break;
    }
    return idleWord(part.cause, d);
}

/// Less is better: the time that B saves is good.
Tone changeTone(const model::Interval& change)
{
    if (change.confidence <= 0 || (change.lo <= 0 && change.hi >= 0))
        return Tone::secondary;
    return change.value < 0 ? Tone::good : Tone::bad;
}

TextTableModel::Cell changeCell(const model::Interval& change, const report::DifferenceUnit& unit, double largest)
{
    TextTableModel::Cell cell{theme::toQt(report::changeText(change, unit)), QVariant(change.value),
                              changeTone(change)};
    cell.share = largest > 0 ? std::abs(change.value) / largest : -1;
    cell.order = QVariant(-std::abs(change.value));
    return cell;
}

TextTableModel::Cell timeCell(const model::Interval& time, const report::DifferenceUnit& unit)
{
    return {theme::toQt(report::timeText(time, unit)), QVariant(time.value),
            time.value == 0 ? Tone::tertiary : Tone::text};
}

} // namespace

DifferenceView makeDifferenceView(const report::NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    const report::DifferenceUnit unit(d);
    const QString unitName = QString::fromUtf8(unit.name);
    DifferenceView view;
    const auto sentences = report::differenceSentences(named);
    view.headline = theme::fromCore(sentences.front());
    for (std::size_t i = 1; i < sentences.size(); ++i)
        view.remarks << theme::fromCore(sentences[i]);
    const QString per = named.perSample() ? tr("of a sample") : tr("of an iteration");
    const QString change = tr("Change, %1").arg(unitName);
    const QString changeTip = tr("Time %1 in B minus that in A, with its 95 % interval. What B saves is below zero. "
                                 "All changes add up to the "
                                 "difference.")
                                  .arg(per);
    view.stepColumns = {{tr("Step")}, {change, true, changeTip, false, {tr("Change (ns)")}}};
    const std::vector<DifferenceStep> steps = analysis::differenceSteps(d);
    const double largestStep = steps.empty() ? 0 : std::abs(steps.front().change.value);
    for (const DifferenceStep& step : steps)
        view.steps.push_back({{{stepWord(step, d)}, changeCell(step.change, unit, largestStep)},
                              static_cast<qint64>(view.steps.size()) + 1});
    view.partColumns = {{change, true, changeTip, false, {tr("Change (ns)")}},
                        {tr("A, %1").arg(unitName), true, tr("Time %1 in A").arg(per), false, {tr("A (ns)")}},
                        {tr("B, %1").arg(unitName), true, tr("Time %1 in B").arg(per), false, {tr("B (ns)")}},
                        {tr("Kind")},
                        {tr("Operator"), false, tr("The operator that the work belongs to, where it is one"), true},
                        {tr("Work of an iteration"), false,
                         tr("Short names with the number of calls. Where work was replaced: before → after."), true}};
    const double largestPart = d.parts.empty() ? 0 : std::abs(d.parts.front().change.value);
    for (const DifferencePart& part : d.parts) {
        TextTableModel::Row row;
        row.key = static_cast<qint64>(view.parts.size()) + 1;
        row.cells = {changeCell(part.change, unit, largestPart),
                     timeCell(part.timeA, unit),
                     timeCell(part.timeB, unit),
                     {differenceWord(part.kind), QVariant(), Tone::secondary},
                     {part.origin.empty() ? theme::kAbsent : theme::toQt(part.origin), QVariant(), Tone::secondary},
                     {partWord(part, d)}};
        row.toolTip = partWord(part, d);
        view.parts.push_back(std::move(row));
    }
    if (named.a.id > 0 && named.b.id > 0)
        view.command =
            QStringLiteral("apertune compare %1 %2").arg(theme::toQt(named.a.name), theme::toQt(named.b.name));
    return view;
}

base::Result<std::shared_ptr<const DifferenceView>> compareForView(const report::TraceName& a, double batchA,
                                                                   const report::TraceName& b, double batchB)
{
    const auto named = report::compareTraces(a, batchA, b, batchB);
    if (!named)
        return named.error();
    return std::make_shared<const DifferenceView>(makeDifferenceView(*named));
}

} // namespace apertune::gui
