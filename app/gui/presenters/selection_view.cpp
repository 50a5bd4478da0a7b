// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/selection_view.h"

#include "app/gui/presenters/translate.h"
#include "widgets/theme/core_text.h"
#include "widgets/theme/format.h"
#include "widgets/trace_views/trace_labels.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace apertune::gui {

using controls::FactList;
using trace_views::timeWord;

namespace {

double share(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

QString lossLine(const trace::Loss& loss)
{
    const QString reason = theme::fromCore(loss.reason);
    return loss.count > 0 ? tr("%1 (%2 events)").arg(reason, theme::count(loss.count)) : reason;
}

QString copied(std::int64_t bytes, std::int64_t time)
{
    if (time <= 0 || bytes <= 0)
        return bytes > 0 ? theme::bytes({bytes}) : timeWord(time);
    return tr("%1, %2").arg(theme::bytes({bytes}), trace_views::rateWord(bytes, time));
}

} // namespace

std::vector<FactList::Fact> selectionFacts(const timeline::RangeStatistics& s, bool isFilter)
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
    facts.push_back({tr("Events"), theme::count(s.events),
                     tr("All events that begin in the range. Samples of counters and of memory are apart: they are "
                        "drawn as curves.")});
    if (s.deviceWork == 0) {
        qint64 operators = 0;
        for (const timeline::NameStatistics& name : s.names)
            operators += name.kind == trace::EventKind::operatorCall ? name.count : 0;
        if (operators > 0)
            facts.push_back({tr("Operators"), theme::count(operators), tr("Calls of operators, nested ones as well.")});
        facts.push_back({tr("Names"), theme::count(static_cast<qint64>(s.names.size())),
                         tr("Number of different operators, calls and ranges.")});
    }
    if (s.toDevice > 0 || s.toDeviceTime > 0)
        facts.push_back({tr("Copied to GPU"), copied(s.toDevice, s.toDeviceTime),
                         tr("Bytes from host to device, and their rate while they ran.")});
    if (s.fromDevice > 0 || s.fromDeviceTime > 0)
        facts.push_back({tr("Copied from GPU"), copied(s.fromDevice, s.fromDeviceTime),
                         tr("Bytes from device to host, and their rate while they ran.")});
    return facts;
}

std::vector<FactList::Fact> areaFacts(const timeline::RangeStatistics& s)
{
    std::vector<FactList::Fact> facts{
        {tr("Selected"), timeWord(s.range.length()), tr("Wall time of the range.")},
        {tr("Events"), theme::count(s.events), tr("Events of these tracks that begin in the range.")}};
    if (s.names.empty())
        return facts;
    std::int64_t total = 0;
    std::int64_t shortest = s.names.front().shortest;
    std::int64_t longest = 0;
    for (const timeline::NameStatistics& name : s.names) {
        total += name.total;
        shortest = std::min(shortest, name.shortest);
        longest = std::max(longest, name.longest);
    }
    facts.push_back(
        {tr("Time in sum"), timeWord(total), tr("Their durations added up; nested calls count in their caller too.")});
    facts.push_back({tr("Mean"), timeWord(total / std::max<std::int64_t>(s.events, 1))});
    facts.push_back({tr("Shortest"), timeWord(shortest)});
    facts.push_back({tr("Longest"), timeWord(longest)});
    if (s.deviceWork > 0)
        facts.push_back(
            {tr("Busy"),
             tr("%1   %2").arg(timeWord(s.deviceBusy), theme::percent(share(s.deviceBusy, s.range.length()), 3)),
             tr("Time in which something runs on one of these tracks; what overlaps counts once.")});
    return facts;
}

QString traceFacts(const timeline::Timeline& timeline)
{
    const trace::Trace& trace = timeline.trace();
    QStringList facts;
    if (!timeline.iterations().empty())
        facts << theme::counted(static_cast<qint64>(timeline.iterations().size()), tr("iteration"), tr("iterations"));
    facts << theme::counted(static_cast<qint64>(trace.eventCount()), tr("event"), tr("events"))
          << timeWord(timeline.extent().length());
    // Only devices with work are counted, because a recording may list all devices of the machine.
    std::map<QString, int> devices;
    for (const timeline::TimelineGroup& group : timeline.groups())
        if (const trace::DeviceProperties* device =
                group.type == timeline::GroupType::device ? trace.device(group.id) : nullptr;
            device && !device->name.empty())
            ++devices[theme::toQt(device->name)];
    for (const auto& [name, count] : devices)
        facts << (count > 1 ? tr("%1 × %2").arg(count).arg(name) : name);
    if (!trace.source.empty())
        facts << tr("recorded by %1")
                     .arg(QStringLiteral("%1 %2")
                              .arg(theme::toQt(trace.source), theme::toQt(trace.recorderVersion))
                              .trimmed());
    if (trace.cost) {
        const model::Interval& ratio = trace.cost->ratio;
        const QString more = theme::percent(std::abs(ratio.value - 1));
        const QString range =
            ratio.confidence > 0
                ? QLatin1Char(' ') + theme::bounds({0, ratio.lo - 1, ratio.hi - 1, ratio.confidence}, 100, 2)
                : QString();
        if (ratio.confidence > 0 && ratio.lo < 1 && ratio.hi > 1)
            facts << tr("recording cost within %1 %").arg(range.trimmed());
        else
            facts << (ratio.value < 1 ? tr("recording cost −%1%2") : tr("recording cost %1%2")).arg(more, range);
    }
    return facts.join(QStringLiteral(" · "));
}

QString lossText(const trace::Trace& trace)
{
    std::vector<trace::Loss> losses = trace.losses;
    std::erase_if(losses, [](const trace::Loss& loss) { return loss.severity == trace::LossSeverity::notice; });
    std::stable_sort(losses.begin(), losses.end(),
                     [](const trace::Loss& a, const trace::Loss& b) { return a.severity > b.severity; });
    QStringList lines;
    for (const trace::Loss& loss : losses)
        lines << lossLine(loss);
    return lines.join(QLatin1Char('\n'));
}

QStringList noticesOf(const trace::Trace& trace)
{
    QStringList lines;
    for (const trace::Loss& loss : trace.losses)
        if (loss.severity == trace::LossSeverity::notice)
            lines << lossLine(loss);
    return lines;
}

QString filterText(trace::TimeRange range)
{
    return tr("%1 from %2").arg(timeWord(range.length()), timeWord(range.start));
}

} // namespace apertune::gui
