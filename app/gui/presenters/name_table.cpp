// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/name_table.h"

#include "app/gui/presenters/translate.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"
#include "widgets/trace_views/trace_colors.h"
#include "widgets/trace_views/trace_labels.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace apertune::gui {

using analysis::KernelRow;
using tables::TextTableModel;
using trace_views::timeWord;
using Cell = TextTableModel::Cell;

namespace {

Cell nanosecondsCell(std::int64_t ns)
{
    return {timeWord(ns), QVariant(static_cast<qlonglong>(ns))};
}

Cell absentCell()
{
    return {theme::kAbsent, QVariant(), controls::Tone::secondary};
}

/// "80 × 2": the dimensions without trailing ones. Sorted by their product.
Cell extentCell(const std::array<std::uint32_t, 3>& size)
{
    if (size[0] == 0)
        // The size was not recorded.
        return absentCell();
    QString text = QString::number(size[0]);
    if (size[1] > 1 || size[2] > 1)
        text += QStringLiteral(" × %1").arg(size[1]);
    if (size[2] > 1)
        text += QStringLiteral(" × %1").arg(size[2]);
    Cell cell{text, text};
    // Sorted by the number of blocks or threads, not by the text.
    cell.order = static_cast<double>(size[0]) * size[1] * size[2];
    return cell;
}

Cell shareCell(double share)
{
    return {theme::percent(share, share < 0.1 ? 2 : 3), QVariant(share * 100)};
}

Cell estimateCell(double share)
{
    return share < 0 ? absentCell() : shareCell(share);
}

Cell tensorCell(std::optional<bool> tensorCores)
{
    if (!tensorCores)
        return absentCell();
    const QString word = *tensorCores ? tr("yes") : tr("no");
    Cell cell{word, word, *tensorCores ? controls::Tone::text : controls::Tone::secondary};
    cell.order = *tensorCores ? 1 : 0;
    return cell;
}

/// Joins the rows of one name on all devices: the launch that took most time, with estimates weighted by time.
struct Launches
{
    const KernelRow* most = nullptr;
    std::int64_t shapes = 0;
    double occupancy = 0;
    double occupancyTime = 0;
    double fill = 0;
    double fillTime = 0;

    void add(const KernelRow& row)
    {
        if (!most || row.time.total > most->time.total)
            most = &row;
        shapes = std::max(shapes, row.shapes);
        // A kernel that is shorter than the clock's step still counts a little, so that no weight is 0.
        const double time = static_cast<double>(std::max<std::int64_t>(row.time.total, 1));
        if (row.occupancy >= 0) {
            occupancy += row.occupancy * time;
            occupancyTime += time;
        }
        if (row.smFill >= 0) {
            fill += row.smFill * time;
            fillTime += time;
        }
    }
};

void addLaunchCells(const Launches* launches, TextTableModel::Row& row)
{
    if (!launches || !launches->most) {
        row.cells.insert(row.cells.end(), 5, Cell{});
        return;
    }
    const KernelRow& most = *launches->most;
    row.cells.push_back(estimateCell(launches->occupancyTime > 0 ? launches->occupancy / launches->occupancyTime : -1));
    row.cells.push_back(estimateCell(launches->fillTime > 0 ? launches->fill / launches->fillTime : -1));
    row.cells.push_back(tensorCell(most.tensorCores));
    row.cells.push_back(extentCell(most.launch.grid));
    row.cells.push_back(extentCell(most.launch.block));
    if (launches->shapes > 1)
        row.toolTip += QLatin1Char('\n') +
                       tr("Launched in %1 shapes; grid and block are those that took most time.").arg(launches->shapes);
    if (most.launch.registersPerThread > 0)
        row.toolTip += QLatin1Char('\n') + tr("%1 registers a thread").arg(most.launch.registersPerThread);
}

} // namespace

std::vector<TextTableModel::Column> nameColumns()
{
    return {
        {tr("Name"), false,
         tr("The name of a kernel has the work of its template in angle brackets. The tool tip has the whole name."),
         true},
        {tr("Where")},
        {tr("Class")},
        {tr("Calls"), true, tr("Events of this name that begin in the range.")},
        {tr("Total"),
         true,
         tr("Their durations added up; nested calls count in their caller too."),
         false,
         {tr("Total (ns)")}},
        {tr("Share"),
         true,
         tr("The share of device work refers to the work of all devices in the range, added up. The share of a host "
            "call is the part of the range in which at least one call of this name runs, on whatever thread. Callers "
            "include the calls below them, so the shares of the host do not add up to 100 %."),
         false,
         {tr("Share (%)")}},
        {tr("Mean"), true, {}, false, {tr("Mean (ns)")}},
        {tr("Median"), true, tr("Half of the calls take no longer (p50)."), false, {tr("Median (ns)")}},
        {tr("p99"), true, tr("99 % of the calls are at most this long; it needs 299 calls."), false, {tr("p99 (ns)")}},
        {tr("Occup."),
         true,
         tr("Occupancy, estimated from the launch: warps that its grid brings, of those that the device can hold; "
            "weighted by time."),
         false,
         {tr("Occupancy, estimated (%)")}},
        {tr("SM fill"),
         true,
         tr("Share of the multiprocessors that get any block, estimated from the grid; weighted by time."),
         false,
         {tr("SM fill, estimated (%)")}},
        {tr("Tensor"), true, tr("Whether its name shows that it multiplies in tensor (matrix) cores.")},
        {tr("Grid"), true, tr("Blocks of the launch that most of its time went to.")},
        {tr("Block"), true, tr("Threads of each block of that launch.")},
        {tr("Longest"), true, tr("Double-click a row to see it in the timeline."), false, {tr("Longest (ns)")}}};
}

std::vector<TextTableModel::Row> nameRows(const timeline::Timeline& timeline,
                                          const timeline::RangeStatistics& statistics,
                                          const std::vector<KernelRow>& kernels)
{
    // The strip of iterations shows these ranges. Each has a name of its own, so they would only push the others down.
    std::set<std::string_view> iterations;
    for (const timeline::Iteration& iteration : timeline.iterations())
        iterations.insert(iteration.label);
    std::unordered_map<std::uint32_t, Launches> launches;
    for (const KernelRow& kernel : kernels)
        launches[kernel.name].add(kernel);
    std::int64_t deviceSum = 0;
    for (const timeline::NameStatistics& s : statistics.names)
        // Work of several devices runs at the same time, so shares refer to its sum and not to the range.
        deviceSum += trace::isDeviceWork(s.kind) ? s.total : 0;
    std::vector<TextTableModel::Row> rows;
    rows.reserve(statistics.names.size());
    for (std::size_t i = 0; i < statistics.names.size(); ++i) {
        const timeline::NameStatistics& s = statistics.names[i];
        const std::string_view full = timeline.trace().text(s.name);
        const bool device = trace::isDeviceWork(s.kind);
        if (!device && iterations.contains(full))
            continue;
        const std::int64_t whole = device ? deviceSum : statistics.range.length();
        const double part = whole > 0 ? static_cast<double>(device ? s.total : s.busy) / static_cast<double>(whole) : 0;
        TextTableModel::Row row;
        row.key = static_cast<qint64>(i) + 1;
        row.toolTip = theme::toQt(std::string_view(full).substr(0, 2000)) + QLatin1Char('\n') +
                      trace_views::classWord(s.workClass);
        row.cells = {{trace_views::displayName(s.kind, full),
                      QVariant(),
                      controls::Tone::text,
                      {},
                      -1,
                      trace_views::classColor(s.workClass)},
                     {trace_views::kindWord(s.kind), QVariant(), controls::Tone::secondary},
                     {trace_views::classWord(s.workClass), QVariant(), controls::Tone::secondary},
                     {theme::count(s.count), QVariant(static_cast<qlonglong>(s.count))},
                     nanosecondsCell(s.total),
                     shareCell(part),
                     nanosecondsCell(static_cast<std::int64_t>(s.mean())),
                     nanosecondsCell(s.median),
                     s.p99 ? nanosecondsCell(*s.p99) : absentCell()};
        row.cells[static_cast<std::size_t>(NameColumn::share)].share = part;
        const bool kernel = s.kind == trace::EventKind::kernel || s.kind == trace::EventKind::graphLaunch;
        // Grids and occupancy belong to kernels only.
        const auto known = kernel ? launches.find(s.name.value) : launches.end();
        addLaunchCells(known == launches.end() ? nullptr : &known->second, row);
        row.cells.push_back(nanosecondsCell(s.longest));
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<TextTableModel::Column> shortNameColumns()
{
    std::vector<TextTableModel::Column> all = nameColumns();
    const auto column = [&all](NameColumn which) { return all[static_cast<std::size_t>(which)]; };
    return {{tr("Name"), false, tr("Double-click a row to see its longest event."), true},
            column(NameColumn::share),
            column(NameColumn::total),
            {tr("Count"), true, column(NameColumn::calls).toolTip},
            column(NameColumn::mean),
            {tr("Shortest"), true, {}, false, {tr("Shortest (ns)")}},
            column(NameColumn::longest)};
}

std::vector<TextTableModel::Row> shortNameRows(const timeline::Timeline& timeline,
                                               const timeline::RangeStatistics& statistics)
{
    std::vector<TextTableModel::Row> rows = nameRows(timeline, statistics);
    for (TextTableModel::Row& row : rows) {
        const auto cell = [&row](NameColumn which) { return row.cells[static_cast<std::size_t>(which)]; };
        row.cells = {
            cell(NameColumn::name),   cell(NameColumn::share),
            cell(NameColumn::total),  cell(NameColumn::calls),
            cell(NameColumn::mean),   nanosecondsCell(statistics.names[static_cast<std::size_t>(row.key - 1)].shortest),
            cell(NameColumn::longest)};
    }
    return rows;
}

std::vector<TextTableModel::Column> counterColumns()
{
    // Memory and counters are in one table, each in its own unit.
    const auto raw = [](const QString& title) { return QStringList(tr("%1 (memory: bytes)").arg(title)); };
    return {{tr("Counter"), false, tr("Samples, and what memory was held."), true},
            {tr("Min"), true, tr("The least in the range, the value that holds at its begin included."), false,
             raw(tr("Min"))},
            {tr("Mean"), true, tr("Weighted by how long each value holds."), false, raw(tr("Mean"))},
            {tr("Max"), true, tr("The most in the range, the value that holds at its begin included."), false,
             raw(tr("Max"))},
            {tr("Last"), true, tr("At the end of the range."), false, raw(tr("Last"))},
            {tr("Growth"),
             true,
             tr("Growth of memory: the bytes held at the end of the range less those at its begin."),
             false,
             {tr("Growth (bytes)")}}};
}

std::vector<TextTableModel::Row> counterRows(const timeline::Timeline& timeline,
                                             const timeline::RangeStatistics& statistics)
{
    std::vector<TextTableModel::Row> rows;
    for (const timeline::RowCounter& counter : statistics.counters) {
        const timeline::TimelineRow& row = timeline.rows()[counter.row];
        const analysis::CounterStatistics& s = counter.statistics;
        const auto cell = [&](double value) {
            return Cell{trace_views::curveValue(timeline, row, value), QVariant(value)};
        };
        TextTableModel::Row line;
        line.key = static_cast<qint64>(rows.size()) + 1;
        line.cells = {
            {trace_views::rowLabel(timeline, counter.row)}, cell(s.least), cell(s.mean), cell(s.most), cell(s.last)};
        Cell growth;
        if (trace_views::isBytes(timeline, row)) {
            growth = cell(s.growth());
            if (s.growth() > 0)
                growth.text.prepend(QLatin1Char('+'));
        }
        line.cells.push_back(std::move(growth));
        line.toolTip = line.cells.front().text + QLatin1Char('\n') +
                       theme::counted(s.samples, tr("sample in the range"), tr("samples in the range"));
        rows.push_back(std::move(line));
    }
    return rows;
}

} // namespace apertune::gui
