// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/selection_view.h"

#include "app/gui/presenters/translate.h"
#include "widgets/theme/format.h"
#include "widgets/timeline/timeline_words.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <set>

namespace apertune::gui {

using controls::FactList;
using tables::TextTableModel;
using timeline::timeWord;

namespace {

constexpr qsizetype kLongName = 28;

double share(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

QString copied(std::int64_t bytes, std::int64_t time)
{
    if (time <= 0 || bytes <= 0)
        return bytes > 0 ? theme::bytes({bytes}) : timeWord(time);
    return tr("%1, %2 GB/s")
        .arg(theme::bytes({bytes}), theme::number(static_cast<double>(bytes) / static_cast<double>(time), 3));
}

TextTableModel::Cell timeCell(std::int64_t ns)
{
    return {timeWord(ns), QVariant(static_cast<qlonglong>(ns))};
}

} // namespace

std::vector<FactList::Fact> selectionFacts(const trace::RangeStatistics& s, bool isFilter)
{
    std::vector<FactList::Fact> facts;
    facts.push_back({isFilter ? tr("Selected") : tr("Whole trace"), timeWord(s.range.length()),
                     tr("Wall time of the range. Drag in the timeline to select one.")});
    if (s.deviceWork > 0) {
        facts.push_back(
            {tr("GPU busy"),
             tr("%1   %2").arg(timeWord(s.deviceBusy), theme::percent(share(s.deviceBusy, s.range.length()), 3)),
             tr("Time in which at least one kernel, copy or fill runs on some device; what overlaps counts once.")});
        facts.push_back({tr("Work in sum"), timeWord(s.deviceTotal),
                         tr("All device work added up. More than the busy time: streams ran side by side.")});
        facts.push_back({tr("Largest gap"), s.largestGap.empty() ? tr("none") : timeWord(s.largestGap.length()),
                         tr("The longest time in the range in which no device works.")});
        facts.push_back({tr("Device work"), theme::count(s.deviceWork),
                         tr("Kernels, copies, fills and graphs that begin in the range.")});
    }
    facts.push_back({tr("Events"), theme::count(s.events), tr("All events that begin in the range, counters apart.")});
    if (s.toDevice > 0 || s.toDeviceTime > 0)
        facts.push_back({tr("Copied to GPU"), copied(s.toDevice, s.toDeviceTime),
                         tr("Bytes from host to device, and their rate while they ran.")});
    if (s.fromDevice > 0 || s.fromDeviceTime > 0)
        facts.push_back({tr("Copied from GPU"), copied(s.fromDevice, s.fromDeviceTime),
                         tr("Bytes from device to host, and their rate while they ran.")});
    return facts;
}

std::vector<TextTableModel::Column> nameColumns()
{
    return {{tr("Name")},
            {tr("Class")},
            {tr("Where")},
            {tr("Calls"), true, tr("Events of this name that begin in the range.")},
            {tr("Total"), true, tr("Their durations added up; what nests counts in the caller as well.")},
            {tr("Share"), true, tr("Total over the wall time of the range.")},
            {tr("Mean"), true},
            {tr("Longest"), true, tr("Double-click a row to see it in the timeline.")}};
}

std::vector<TextTableModel::Row> nameRows(const trace::Timeline& timeline, const trace::RangeStatistics& statistics)
{
    // The strip of iterations shows these; each has a name of its own and would only push down what did the work.
    std::set<std::string_view> iterations;
    for (const trace::Iteration& iteration : timeline.iterations())
        iterations.insert(iteration.label);
    std::vector<TextTableModel::Row> rows;
    rows.reserve(statistics.names.size());
    for (std::size_t i = 0; i < statistics.names.size(); ++i) {
        const trace::NameStatistics& s = statistics.names[i];
        const std::string_view full = timeline.trace().text(s.name);
        if (!trace::isDeviceWork(s.kind) && iterations.contains(full))
            continue;
        const double part = share(s.total, statistics.range.length());
        TextTableModel::Row row;
        row.key = static_cast<qint64>(i) + 1;
        row.toolTip = QString::fromUtf8(full.data(), static_cast<qsizetype>(std::min<std::size_t>(full.size(), 500)));
        QString name = timeline::shortName(full);
        if (name.size() > kLongName) // both ends tell: what it does, and in which variant
            name = name.left(kLongName - 11) + QChar(0x2026) + name.right(10);
        row.cells = {{name},
                     {timeline::classWord(s.workClass), QVariant(), controls::Tone::secondary},
                     {timeline::kindWord(s.kind), QVariant(), controls::Tone::secondary},
                     {theme::count(s.count), QVariant(static_cast<qlonglong>(s.count))},
                     timeCell(s.total),
                     {theme::percent(part, 3), QVariant(part), controls::Tone::text, {}, std::min(part, 1.0)},
                     timeCell(static_cast<std::int64_t>(s.mean())),
                     timeCell(s.longest)};
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<TextTableModel::Column> shortNameColumns()
{
    return {{tr("Share"), true, tr("Total over the wall time of the range.")},
            {tr("Total"), true, tr("Durations added up; what nests counts in the caller as well.")},
            {tr("Calls"), true, tr("Events of this name that begin in the range.")},
            {tr("Name"), false, tr("Double-click a row to see its longest event.")}};
}

std::vector<TextTableModel::Row> shortNameRows(const trace::Timeline& timeline,
                                               const trace::RangeStatistics& statistics)
{
    std::vector<TextTableModel::Row> rows = nameRows(timeline, statistics);
    for (TextTableModel::Row& row : rows)
        row.cells = {row.cells[5], row.cells[4], row.cells[3], row.cells[0]};
    return rows;
}

QString traceFacts(const trace::Timeline& timeline)
{
    const trace::Trace& trace = timeline.trace();
    QStringList facts;
    if (!timeline.iterations().empty())
        facts << theme::counted(static_cast<qint64>(timeline.iterations().size()), tr("iteration"), tr("iterations"));
    facts << tr("%1 events").arg(theme::count(static_cast<qint64>(trace.eventCount())))
          << timeWord(timeline.extent().length());
    if (!trace.devices.empty() && !trace.devices.front().name.empty())
        facts << theme::toQt(trace.devices.front().name);
    if (!trace.source.empty())
        facts << tr("recorded by %1")
                     .arg(QStringLiteral("%1 %2")
                              .arg(theme::toQt(trace.source), theme::toQt(trace.recorderVersion))
                              .trimmed());
    if (trace.cost) {
        const model::Interval& ratio = trace.cost->ratio;
        const QString more = theme::percent(std::abs(ratio.value - 1));
        const QString range = ratio.confidence > 0
                                  ? QLatin1Char(' ') + theme::bounds({0, ratio.lo - 1, ratio.hi - 1, 0}, 100, 2)
                                  : QString();
        facts << (ratio.value < 1 ? tr("recording cost −%1%2") : tr("recording cost %1%2")).arg(more, range);
    }
    return facts.join(QStringLiteral(" · "));
}

QString lossText(const trace::Trace& trace)
{
    std::vector<trace::Loss> losses = trace.losses;
    std::erase_if(losses, [](const trace::Loss& loss) { return loss.severity == trace::Severity::notice; });
    std::stable_sort(losses.begin(), losses.end(),
                     [](const trace::Loss& a, const trace::Loss& b) { return a.severity > b.severity; });
    QStringList lines;
    for (const trace::Loss& loss : losses) {
        const QString reason = theme::toQt(loss.reason);
        lines << (loss.count > 0 ? tr("%1 (%2 events)").arg(reason, theme::count(loss.count)) : reason);
    }
    return lines.join(QLatin1Char('\n'));
}

QString filterText(trace::TimeRange range)
{
    return tr("%1 from %2").arg(timeWord(range.length()), timeWord(range.begin));
}

} // namespace apertune::gui
