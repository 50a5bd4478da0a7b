// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/difference_view.h"

#include "app/gui/presenters/command_lines.h"
#include "app/gui/presenters/translate.h"
#include "core/comparison/difference_words.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"

#include <cmath>

namespace apertune::gui {

using analysis::DifferenceKind;
using analysis::DifferencePart;
using analysis::DifferenceStep;
using analysis::HostGap;
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

QString gapWord(HostGap gap)
{
    switch (gap) {
    case HostGap::before:
        return tr("before the first operator");
    case HostGap::between:
        return tr("between operators");
    case HostGap::after:
        break;
    }
    return tr("after the last operator");
}

QString idleWord(const std::optional<IdleCause>& cause, const std::optional<HostGap>& gap, const TraceDifference& d)
{
    if (gap)
        return gapWord(*gap);
    if (!cause)
        // On a CPU there is no idle device; the rest of an iteration lies outside of its operators.
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
    if (step.machine)
        return tr("equal work: clock, threads or load");
    if (step.unrecorded)
        return tr("work that is not recorded");
    if (step.kind == DifferenceKind::idle)
        return idleWord(step.cause, step.gap, d);
    return tr("%1: %2").arg(workWord(step.opClass), differenceWord(step.kind));
}

QString partWord(const DifferencePart& part, const TraceDifference& d)
{
    const QString a = theme::toQt(comparison::worksText(part.a));
    const QString b = theme::toQt(comparison::worksText(part.b));
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
    return idleWord(part.cause, part.gap, d);
}

/// Less is better: the time that B saves is good.
Tone changeTone(const model::Interval& change)
{
    if (change.confidence <= 0 || (change.lo <= 0 && change.hi >= 0))
        return Tone::secondary;
    return change.value < 0 ? Tone::good : Tone::bad;
}

TextTableModel::Cell changeCell(const model::Interval& change, const comparison::DifferenceUnit& unit, double largest)
{
    TextTableModel::Cell cell{theme::toQt(comparison::changeText(change, unit)), QVariant(change.value),
                              changeTone(change)};
    cell.share = largest > 0 ? std::abs(change.value) / largest : -1;
    cell.order = QVariant(-std::abs(change.value));
    return cell;
}

TextTableModel::Cell timeCell(const model::Interval& time, const comparison::DifferenceUnit& unit)
{
    return {theme::toQt(comparison::timeText(time, unit)), QVariant(time.value),
            time.value == 0 ? Tone::tertiary : Tone::text};
}

/// The command line that lists the events of a row: those of B or, where it has none, of A. Empty for files.
QString evidenceCommand(const std::string& a, const std::string& b, const std::filesystem::path& file)
{
    const std::string& sql = b.empty() ? a : b;
    return sql.empty() ? QString() : queryCommand(sql, file);
}

plots::Waterfall waterfallOf(const comparison::NamedDifference& named)
{
    const TraceDifference& d = named.difference;
    const comparison::DifferenceUnit unit(d);
    plots::Waterfall waterfall;
    const QString unitName = QString::fromUtf8(unit.name);
    waterfall.unit =
        named.perSample() ? tr("Time of a sample, %1").arg(unitName) : tr("Time of an iteration, %1").arg(unitName);
    waterfall.from = QStringLiteral("A");
    waterfall.to = QStringLiteral("B");
    waterfall.fromText = theme::toQt(comparison::timeText(d.a.time, unit));
    waterfall.toText = theme::toQt(comparison::timeText(d.b.time, unit));
    waterfall.start = d.a.time.value * unit.scale;
    // The parts of a difference are in nanoseconds; the unit scales all figures of the view alike.
    waterfall.end = d.b.time.value * unit.scale;
    for (const DifferenceStep& step : analysis::differenceSteps(d)) {
        const QString change = theme::toQt(comparison::changeText(step.change, unit));
        waterfall.steps.push_back(
            {stepWord(step, d), change, change.section(QLatin1Char(' '), 0, 0), step.change.value * unit.scale});
    }
    return waterfall;
}

/// The columns that parts and layers begin with.
std::vector<TextTableModel::Column> timeColumns(const comparison::NamedDifference& named)
{
    const QString unitName = QString::fromUtf8(comparison::DifferenceUnit(named.difference).name);
    const bool perSample = named.perSample();
    return {{tr("Change, %1").arg(unitName),
             true,
             perSample
                 ? tr("Time of a sample in B minus that in A, with its 95 % interval. What B saves is below zero. "
                      "All changes add up to the difference.")
                 : tr("Time of an iteration in B minus that in A, with its 95 % interval. What B saves is below "
                      "zero. All changes add up to the difference."),
             false,
             {tr("Change (ns)")}},
            {tr("A, %1").arg(unitName),
             true,
             perSample ? tr("Time of a sample in A") : tr("Time of an iteration in A"),
             false,
             {tr("A (ns)")}},
            {tr("B, %1").arg(unitName),
             true,
             perSample ? tr("Time of a sample in B") : tr("Time of an iteration in B"),
             false,
             {tr("B (ns)")}}};
}

void addParts(DifferenceView& view, const comparison::NamedDifference& named, const std::filesystem::path& file)
{
    const TraceDifference& d = named.difference;
    const comparison::DifferenceUnit unit(d);
    view.partColumns = timeColumns(named);
    view.partColumns.push_back({tr("Kind")});
    view.partColumns.push_back(
        {tr("Operator"), false, tr("The operator that the work belongs to, where it is one"), true});
    view.partColumns.push_back({tr("Work of an iteration"), false,
                                tr("Short names with the number of calls. Where work was replaced: before → after."),
                                true});
    // Parts are sorted by the size of their change, so the first one scales the bars.
    const double largest = d.parts.empty() ? 0 : std::abs(d.parts.front().change.value);
    for (const DifferencePart& part : d.parts) {
        TextTableModel::Row row;
        row.key = static_cast<qint64>(view.parts.size()) + 1;
        row.cells = {changeCell(part.change, unit, largest),
                     timeCell(part.timeA, unit),
                     timeCell(part.timeB, unit),
                     {differenceWord(part.kind), QVariant(), Tone::secondary},
                     {part.origin.empty() ? theme::kAbsent : theme::toQt(part.origin), QVariant(), Tone::secondary},
                     {partWord(part, d)}};
        row.toolTip = partWord(part, d);
        row.command = evidenceCommand(comparison::partQuery(named.a, part, part.a, d.a),
                                      comparison::partQuery(named.b, part, part.b, d.b), file);
        view.parts.push_back(std::move(row));
    }
}

void addLayers(DifferenceView& view, const comparison::NamedDifference& named, const std::filesystem::path& file)
{
    const comparison::DifferenceUnit unit(named.difference);
    view.layerColumns = timeColumns(named);
    view.layerColumns.push_back(
        {tr("Layer"), true, tr("Position of its product in an iteration, or its module in the program")});
    view.layerColumns.push_back({tr("Inputs"), false, tr("Shapes of the first two inputs of its product"), true});
    view.layerColumns.push_back(
        {tr("Work from its product to the next one"), false,
         tr("A layer begins with a matrix product, convolution or attention that both sides have."), true});
    const std::vector<analysis::DifferenceLayer> layers = comparison::largestLayers(named.difference);
    const double largest = layers.empty() ? 0 : std::abs(layers.front().change.value);
    for (const analysis::DifferenceLayer& layer : layers) {
        TextTableModel::Row row;
        row.key = static_cast<qint64>(view.layers.size()) + 1;
        const QString work = theme::toQt(comparison::layerText(layer));
        row.cells = {changeCell(layer.change, unit, largest),
                     timeCell(layer.timeA, unit),
                     timeCell(layer.timeB, unit),
                     {layer.module.empty() ? theme::count(layer.position) : theme::toQt(layer.module),
                      QVariant::fromValue<qint64>(layer.position)},
                     {layer.shapes.empty() ? theme::kAbsent : theme::toQt(layer.shapes), QVariant(), Tone::secondary},
                     {work}};
        row.toolTip = work;
        row.command =
            evidenceCommand(comparison::workQuery(named.a, layer.a), comparison::workQuery(named.b, layer.b), file);
        view.layers.push_back(std::move(row));
    }
}

TextTableModel::Cell bytesCell(double bytes)
{
    return {theme::bytes({std::llround(bytes)}), QVariant(bytes), bytes == 0 ? Tone::tertiary : Tone::text};
}

TextTableModel::Row allocationRow(const QString& name, const analysis::AllocatedAmount& a,
                                  const analysis::AllocatedAmount& b)
{
    const auto countCell = [](double count) {
        return TextTableModel::Cell{theme::toQt(comparison::countText(count)), QVariant(count)};
    };
    TextTableModel::Row row;
    row.cells = {{name}, countCell(a.count), countCell(b.count), bytesCell(a.bytes), bytesCell(b.bytes)};
    return row;
}

void addAllocations(DifferenceView& view, const analysis::AllocationDifference& allocations)
{
    view.allocationColumns = {{tr("Operator"), false, tr("The outermost operator around the allocation"), true},
                              {tr("A"), true, tr("Allocations of an iteration in A")},
                              {tr("B"), true, tr("Allocations of an iteration in B")},
                              {tr("A bytes"), true, tr("Bytes that an iteration allocates in A")},
                              {tr("B bytes"), true, tr("Bytes that an iteration allocates in B")}};
    if (!allocations.recorded())
        return;
    view.peaks = tr("Peak of the tensors: A %1, B %2")
                     .arg(theme::bytes({allocations.a.peak}), theme::bytes({allocations.b.peak}));
    view.allocations.push_back(allocationRow(tr("all"), allocations.a.amount, allocations.b.amount));
    for (const analysis::AllocationChange& change : allocations.changes())
        view.allocations.push_back(allocationRow(
            change.owner.empty() ? tr("outside of operators") : theme::toQt(change.owner), change.a, change.b));
    for (std::size_t i = 0; i < view.allocations.size(); ++i)
        view.allocations[i].key = static_cast<qint64>(i) + 1;
}

/// The steps to B and to all other sides, a column for each.
void addSides(DifferenceView& view, comparison::Differences differences, const std::filesystem::path& file)
{
    const comparison::DifferenceUnit unit(differences.front().difference);
    const auto timeRow = [&](const QString& name, const auto& cell) {
        TextTableModel::Row row;
        row.cells.push_back({name});
        for (const comparison::NamedDifference& named : differences)
            row.cells.push_back(cell(named.difference));
        return row;
    };
    view.sideColumns = {{tr("Step from A, %1").arg(QString::fromUtf8(unit.name))}};
    // The command names traces of the workspace, so all of them have to be stored there.
    bool stored = differences.front().a.id > 0;
    QStringList names{theme::toQt(differences.front().a.name)};
    for (std::size_t i = 0; i < differences.size(); ++i) {
        const comparison::TraceName& name = differences[i].b;
        view.sideColumns.push_back(
            // B, C and so on.
            {QString(QChar(static_cast<char16_t>(u'B' + i))), true, theme::toQt(name.name + "  " + name.title)});
        names << theme::toQt(name.name);
        stored = stored && name.id > 0;
    }
    view.sides.push_back(
        timeRow(QStringLiteral("A"), [&](const TraceDifference& d) { return timeCell(d.a.time, unit); }));
    for (const comparison::CommonStep& step : comparison::commonSteps(differences)) {
        TextTableModel::Row row;
        row.cells.push_back({stepWord(step.step, *step.difference)});
        for (const auto& change : step.changes)
            row.cells.push_back(change ? changeCell(*change, unit, 0)
                                       : TextTableModel::Cell{theme::kAbsent, QVariant(), Tone::tertiary});
        view.sides.push_back(std::move(row));
    }
    view.sides.push_back(timeRow(tr("iteration"), [&](const TraceDifference& d) { return timeCell(d.b.time, unit); }));
    for (std::size_t i = 0; i < view.sides.size(); ++i)
        view.sides[i].key = static_cast<qint64>(i) + 1;
    view.command = stored ? compareCommand(names, file) : QString();
}

} // namespace

DifferenceView makeDifferenceView(const comparison::NamedDifference& named, const std::filesystem::path& file)
{
    DifferenceView view;
    const auto sentences = comparison::differenceSentences(named);
    // The first sentence is the answer; the others qualify it.
    view.headline = theme::fromCore(sentences.front());
    for (std::size_t i = 1; i < sentences.size(); ++i)
        view.remarks << theme::fromCore(sentences[i]);
    view.waterfall = waterfallOf(named);
    addParts(view, named, file);
    addLayers(view, named, file);
    addAllocations(view, named.difference.allocations);
    if (named.flame && !named.flame->tree.empty())
        view.flame = named.flame;
    if (named.a.id > 0 && named.b.id > 0)
        view.command = compareCommand({theme::toQt(named.a.name), theme::toQt(named.b.name)}, file);
    return view;
}

base::Result<std::shared_ptr<const DifferenceView>> compareForView(const DifferenceInput& a, const DifferenceInput& b,
                                                                   const std::vector<DifferenceInput>& others,
                                                                   const std::filesystem::path& file)
{
    std::vector<DifferenceInput> sides{b};
    sides.insert(sides.end(), others.begin(), others.end());
    std::vector<comparison::NamedDifference> differences;
    for (const DifferenceInput& side : sides) {
        auto named = comparison::compareTraces(a.name, a.batch, side.name, side.batch);
        if (!named)
            return named.error();
        differences.push_back(std::move(*named));
    }
    DifferenceView view = makeDifferenceView(differences.front(), file);
    if (!others.empty())
        addSides(view, differences, file);
    return std::make_shared<const DifferenceView>(std::move(view));
}

} // namespace apertune::gui
