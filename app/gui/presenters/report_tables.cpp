// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/report_tables.h"

#include "app/gui/presenters/trace_charts.h"
#include "app/gui/presenters/translate.h"
#include "core/trace/recorder.h"
#include "widgets/theme/format.h"
#include "widgets/trace_views/trace_labels.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace apertune::gui {

using controls::Tone;
using tables::TextTableModel;
using trace_views::timeWord;

namespace {

constexpr std::size_t kMostOwners = 40;
constexpr std::size_t kMostOperatorRows = 4000;

TextTableModel::Cell emptyCell()
{
    return {theme::kAbsent, QVariant(), Tone::secondary};
}

TextTableModel::Cell timeCell(std::int64_t ns)
{
    return {timeWord(ns), QVariant(static_cast<qlonglong>(ns)), ns == 0 ? Tone::tertiary : Tone::text};
}

TextTableModel::Cell countCell(std::int64_t n)
{
    return {theme::count(n), QVariant(static_cast<qlonglong>(n))};
}

TextTableModel::Cell bytesCell(std::int64_t n)
{
    return {theme::bytes({n}), QVariant(static_cast<qlonglong>(n))};
}

TextTableModel::Cell shareBarCell(double share)
{
    return {theme::percent(share, share < 0.1 ? 2 : 3), QVariant(share * 100), Tone::text, {}, std::min(share, 1.0)};
}

/// Writes "[[8, 64, 7, 7], [64, 64, 3, 3], [64], []]" as "8×64×7×7, 64×64×3×3": the input and the weights. Their sizes
/// distinguish calls with the same name.
QString shapesText(const QString& shapes)
{
    // The first two tensors are the input and the weights, which tell a convolution or a product apart.
    constexpr qsizetype kShown = 2;
    static const QRegularExpression kSeparators(QStringLiteral("\\]\\s*,\\s*\\["));
    QStringList tensors;
    for (const QString& part : shapes.split(kSeparators)) {
        QString sizes = part;
        sizes.remove(QLatin1Char('[')).remove(QLatin1Char(']'));
        if (sizes.contains(QLatin1Char(',')) && tensors.size() < kShown)
            tensors << sizes.trimmed().replace(QRegularExpression(QStringLiteral("\\s*,\\s*")), QStringLiteral("×"));
    }
    return tensors.join(QStringLiteral(", "));
}

std::optional<trace::TimeRange> target(trace::TimeRange range)
{
    return range.empty() ? std::nullopt : std::optional(range);
}

} // namespace

ReportTable transferTable(const TraceReport& report)
{
    const advice::Facts& facts = report.facts;
    ReportTable table;
    table.empty = tr("No copies between host and device were recorded. On a CPU "
                     "there are none; on a GPU, record with copies switched on.");
    table.columns = {
        {tr("Direction")},
        {tr("Memory"), false, tr("Pageable host memory is copied through a buffer of the driver.")},
        {tr("From operator"), false, {}, true},
        {tr("Copies"), true},
        {tr("Bytes"), true},
        {tr("Time"), true, {}, false, {tr("Time (ns)")}},
        {tr("Exposed"), true, tr("Time in which no kernel of the device ran."), false, {tr("Exposed (ns)")}},
        {tr("Share"), true, tr("Exposed time over the steady iterations."), false, {tr("Share (%)")}},
        {tr("Rate"), true, tr("Bytes over time while it ran."), false, {tr("Rate (B/s)")}},
        {tr("Host time"), true, tr("Time that the host spent in the calls."), false, {tr("Host time (ns)")}}};
    std::int64_t bytes = 0;
    std::int64_t exposed = 0;
    for (const analysis::TransferRow& row : facts.transfers.rows) {
        bytes += row.bytes;
        exposed += row.exposed;
        TextTableModel::Row line;
        line.key = static_cast<qint64>(table.rows.size()) + 1;
        const QString memory =
            tr("%1 → %2").arg(fromCore(analysis::toString(row.source)), fromCore(analysis::toString(row.target)));
        line.cells = {{fromCore(analysis::toString(row.direction))},
                      {memory, QVariant(), row.touchesPageable() ? Tone::warn : Tone::secondary,
                       row.touchesPageable() ? QStringLiteral("warning") : QString()},
                      {row.origin != 0 ? trace_views::shortName(report.trace->strings[row.origin]) : theme::kAbsent},
                      countCell(row.count),
                      row.bytes > 0 ? bytesCell(row.bytes) : emptyCell(),
                      timeCell(row.time),
                      timeCell(row.exposed),
                      shareBarCell(facts.share(row.exposed)),
                      row.bandwidth() > 0
                          ? TextTableModel::Cell{trace_views::rateWord(row.bytes, row.time), row.bandwidth()}
                          : emptyCell(),
                      // Recordings without calls of the runtime have no host time.
                      row.callTime > 0 ? timeCell(row.callTime) : emptyCell()};
        line.toolTip = tr("Double-click to see the longest one in the timeline.");
        table.rows.push_back(std::move(line));
        table.targets.push_back(target(row.longest));
    }
    if (!table.rows.empty()) {
        table.summary = (facts.chosen ? tr("%1 copied in the range, %2 of the time exposed.")
                                      : tr("%1 copied in the steady iterations, %2 of the time exposed."))
                            .arg(theme::bytes({bytes}), theme::percent(facts.share(exposed), 2));
        if (!facts.transfers.roundTrips.empty())
            table.summary +=
                QLatin1Char(' ') +
                tr("%1 pairs of equal size went to the host and back.").arg(facts.transfers.roundTrips.size());
    }
    return table;
}

ReportTable memoryTable(const TraceReport& report)
{
    ReportTable table;
    table.empty = trace::recorderOf(report.trace->source) == trace::Recorder::apertune
                      ? tr("No allocations were recorded. LibTorch reports those of its tensors unless memory was "
                           "switched off (--no-memory); other engines report none.")
                      : tr("No allocations were recorded. Record with memory switched "
                           "on (profile_memory=True, or apertune trace record).");
    table.columns = {{tr("Place")},
                     {tr("Held by, at the peak"), false, {}, true},
                     {tr("Blocks"), true},
                     {tr("Bytes"), true},
                     {tr("Of the peak"), true, {}, false, {tr("Of the peak (%)")}}};
    QStringList lines;
    for (const analysis::MemoryUse& use : report.facts.memory) {
        // A device without any allocation has no peak that could have owners.
        if (use.peak <= 0)
            continue;
        const QString place = memoryPlace(use);
        lines << tr("%1: peak %2 at %3, %4 allocations of %5 in sum.")
                     .arg(place, theme::bytes({use.peak}), timeWord(use.peakTime), theme::count(use.allocations),
                          theme::bytes({use.allocatedBytes}));
        for (std::size_t i = 0; i < std::min(use.owners.size(), kMostOwners); ++i) {
            const analysis::MemoryOwner& owner = use.owners[i];
            TextTableModel::Row line;
            line.key = static_cast<qint64>(table.rows.size()) + 1;
            const double share = static_cast<double>(owner.bytes) / static_cast<double>(use.peak);
            line.cells = {{place},
                          {owner.name.empty() ? tr("no operator") : theme::toQt(owner.name)},
                          countCell(owner.blocks),
                          bytesCell(owner.bytes),
                          shareBarCell(share)};
            line.toolTip = tr("Double-click to see the peak in the timeline.");
            table.rows.push_back(std::move(line));
            // A peak is a moment. A two-hundredth of the range, and at least a microsecond, makes it visible in the
            // timeline.
            const std::int64_t around = std::max<std::int64_t>(report.facts.window.length() / 200, 1000);
            table.targets.push_back(trace::TimeRange{use.peakTime - around, use.peakTime + around});
        }
    }
    std::vector<std::int64_t> devices;
    for (const analysis::MemoryUse& use : report.facts.memory)
        if (use.kind == trace::EventKind::tensorMemory && use.device >= 0)
            devices.push_back(use.device);
    for (const std::int64_t device : devices)
        if (const double ratio = analysis::fragmentation(report.facts.memory, device); ratio >= 1)
            lines << tr("GPU %1: at the peak of its tensors %2 of what the driver reserved lies idle: fragments, and "
                        "what the allocator keeps for later.")
                         .arg(device)
                         .arg(theme::percent(1 - 1 / ratio, 2));
    table.summary = lines.join(QLatin1Char('\n'));
    const auto drawn = [](const analysis::MemoryUse& use) { return !use.curve.empty(); };
    if (std::any_of(report.facts.memory.begin(), report.facts.memory.end(), drawn)) {
        table.emptyTitle = tr("Who held it is not known");
        table.empty = table.summary + QLatin1Char('\n') +
                      tr("The recording gives no addresses of blocks, so that a release cannot be joined with its "
                         "allocation. A newer PyTorch writes them, and so does apertune trace record.");
    }
    return table;
}

ReportTable rooflineTable(const TraceReport& report)
{
    const advice::Facts& facts = report.facts;
    ReportTable table;
    table.empty = tr("No shapes of operators were recorded, or none whose cost follows from them. Record with shapes "
                     "(record_shapes=True, or apertune trace record).");
    table.columns = {
        {tr("Operator and shapes"), false, tr("The operator with its arguments: inputs, weights and so on."), true},
        {tr("Time"),
         true,
         tr("Time of all its calls with these shapes in the steady iterations (in the range, where one is chosen)."),
         false,
         {tr("Time (ns)")}},
        {tr("GFLOP/s"), true, tr("Arithmetic that the shapes ask for, over the time.")},
        {tr("FLOP/B"), true, tr("Intensity: arithmetic over the least traffic of its operands.")},
        {tr("GB/s"), true, tr("The least traffic over the time.")}};
    // On a narrow window these leave first.
    table.expendable = {4, 3}; // traffic, then intensity, which the plot shows, too
    const analysis::Ceilings& roof = facts.context.ceilings;
    if (roof.complete()) {
        table.columns.push_back(
            {tr("Of roof"), true, tr("Share of the nearer ceiling that is reached."), false, {tr("Of roof (%)")}});
        table.columns.push_back({tr("Bound by")});
    }
    for (const analysis::RooflineRow& row : facts.roofline) {
        TextTableModel::Row line;
        line.key = static_cast<qint64>(table.rows.size()) + 1;
        const auto figure = [&](double value) {
            return value > 0 ? TextTableModel::Cell{theme::number(value, 3), value} : emptyCell();
        };
        line.cells = {{QStringLiteral("%1  %2").arg(trace_views::shortName(report.trace->strings[row.name]),
                                                    shapesText(theme::toQt(report.trace->strings[row.shapes])))},
                      timeCell(row.time),
                      figure(row.achieved / 1e9),
                      figure(row.cost.intensity()),
                      figure(row.bandwidth / 1e9)};
        if (roof.complete()) {
            line.cells.push_back(row.efficiency < 0 ? emptyCell() : shareBarCell(row.efficiency));
            // A share above 1 means that a ceiling or the cost is wrong, so it is marked instead of cut.
            if (row.aboveRoof()) {
                line.cells.back().tone = Tone::warn;
                line.cells.back().iconName = QStringLiteral("warning");
            }
            line.cells.push_back({fromCore(analysis::toString(row.bound)), QVariant(), Tone::secondary});
        }
        line.toolTip = tr("%1 of %2")
                           .arg(theme::counted(row.calls, tr("call"), tr("calls")),
                                theme::toQt(report.trace->strings[row.shapes]));
        if (row.aboveRoof())
            line.toolTip += QLatin1Char('\n') + aboveRoofText();
        table.rows.push_back(std::move(line));
        table.targets.emplace_back();
    }
    if (!table.rows.empty())
        table.summary =
            roof.complete()
                ? tr("Ceilings: %1 TFLOP/s and %2 GB/s, %3. They meet at %4 FLOP a byte.")
                      .arg(theme::number(roof.flops / 1e12, 3), theme::number(roof.memoryBandwidth / 1e9, 3),
                           theme::toQt(roof.source), theme::number(roof.ridge(), 3))
                : tr("Rates from shapes and times; without ceilings there is no share of them.");
    if (!table.rows.empty())
        table.summary += QLatin1Char(' ') + (facts.chosen          ? tr("Times are of the chosen range.")
                                             : facts.byIteration() ? tr("Times are of the steady iterations.")
                                                                   : tr("Times are of the whole recording."));
    const auto above = std::count_if(facts.roofline.begin(), facts.roofline.end(),
                                     [](const analysis::RooflineRow& row) { return row.aboveRoof(); });
    if (above > 0)
        table.summary += QLatin1Char(' ') + tr("%1. %2").arg(theme::counted(above, tr("row lies above its ceiling"),
                                                                            tr("rows lie above their ceilings")),
                                                             aboveRoofText());
    return table;
}

ReportTable operatorTable(const TraceReport& report)
{
    const advice::Facts& facts = report.facts;
    ReportTable table;
    table.isTree = true;
    table.empty = tr("No operators were recorded. Record with the host's "
                     "activities switched on.");
    table.columns = {
        {facts.onDevice ? tr("Operator below its caller, kernel below its operator") : tr("Operator, below its caller"),
         false,
         {},
         true},
        {tr("Calls"), true},
        {tr("Host time"), true, tr("With what it calls."), false, {tr("Host time (ns)")}},
        {tr("Share"), true, tr("Host time over the steady iterations."), false, {tr("Share (%)")}},
        {tr("Self"), true, tr("Host time without what it calls."), false, {tr("Self (ns)")}}};
    if (facts.onDevice) {
        table.columns.push_back({tr("Device time"),
                                 true,
                                 tr("Time of the device work that it and the calls below it caused."),
                                 false,
                                 {tr("Device time (ns)")}});
        table.columns.push_back({tr("Device work"), true, tr("Kernels, copies and fills.")});
    }
    const auto window = static_cast<double>(std::max<std::int64_t>(1, facts.window.length()));
    const std::vector<analysis::OperatorSummary> all = analysis::summarizeTree(facts.index, facts.forest, facts.window);
    for (const analysis::OperatorSummary& node : all) {
        // The list is ordered by cost, so the end of a long one is worth least.
        if (table.rows.size() == kMostOperatorRows)
            break;
        TextTableModel::Row line;
        line.key = static_cast<qint64>(table.rows.size()) + 1;
        // En spaces, because a table draws leading blanks as narrow as in prose.
        const QString indent(node.depth * 3, QChar(0x2002));
        if (node.kind != trace::EventKind::operatorCall && facts.onDevice) { // work that the operator launched
            const std::string_view full = facts.index.text(node.name);
            const TextTableModel::Cell none{};
            line.cells = {{indent + QStringLiteral("→ ") + trace_views::displayName(node.kind, full), QVariant(),
                           Tone::secondary},
                          countCell(node.calls),
                          none,
                          none,
                          none,
                          timeCell(node.deviceTime),
                          none};
            // Names of templates can fill the screen.
            line.toolTip = theme::toQt(full.substr(0, 500));
            table.rows.push_back(std::move(line));
            table.targets.emplace_back();
            continue;
        }
        line.cells = {
            {indent + theme::toQt(facts.index.text(node.name))},
            countCell(node.calls),
            timeCell(node.hostTime),
            shareBarCell(static_cast<double>(node.hostTime) / window), // wall time as recorded, with interruptions
            timeCell(node.selfTime)};
        if (facts.onDevice) {
            line.cells.push_back(timeCell(node.deviceTime));
            line.cells.push_back(countCell(node.work));
        }
        table.rows.push_back(std::move(line));
        table.targets.emplace_back();
    }
    if (!table.rows.empty())
        table.summary = facts.chosen ? tr("All calls that begin in the range, merged by their path of callers; the "
                                          "most expensive first.")
                                     : tr("All calls of the steady iterations, merged by their path of callers; the "
                                          "most expensive first.");
    return table;
}

} // namespace apertune::gui
