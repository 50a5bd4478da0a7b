// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/presenters/trace_report.h"

#include "app/gui/presenters/translate.h"
#include "core/advice/event_query.h"
#include "core/stats/block_stats.h"
#include "widgets/theme/format.h"
#include "widgets/theme/theme.h"
#include "widgets/trace_views/trace_colors.h"
#include "widgets/trace_views/trace_labels.h"

#include <algorithm>
#include <cmath>

namespace apertune::gui {

using advice::Cause;
using advice::VerdictKind;
using analysis::WorkClass;
using controls::Figure;

namespace {

/// The number and the unit of "3.583 ms" as separate texts, as cards need them.
void setTime(Figure& figure, std::int64_t nanoseconds)
{
    const QStringList parts = trace_views::timeWord(nanoseconds).split(QLatin1Char(' '));
    figure.value = parts.value(0);
    figure.unit = parts.value(1);
}

void setShare(Figure& figure, double share)
{
    figure.value = theme::number(share * 100, 3);
    figure.unit = QStringLiteral("%");
}

Figure copiesFigure(const advice::Facts& facts)
{
    Figure figure;
    figure.caption = tr("Exposed copies");
    setShare(figure, facts.share(facts.use.exposedCopies));
    figure.detail = facts.use.overlap() == 0  ? tr("none of them overlapped")
                    : facts.use.overlap() > 0 ? tr("%1 overlapped").arg(theme::percent(facts.use.overlap(), 3))
                                              : tr("nothing to overlap");
    figure.definition = tr(
        "Share of the steady iterations (of the range, where one is chosen) in which copies run and no kernel does.");
    return figure;
}

/// The figure in place of copies for a trace without a device: the peak of the tensors.
Figure tensorsFigure(const advice::Facts& facts)
{
    Figure figure;
    figure.caption = tr("Tensors at the peak");
    figure.definition = tr("The most memory that tensors on the host held at once, as far as it was recorded.");
    const auto host = std::find_if(facts.memory.begin(), facts.memory.end(), [](const analysis::MemoryUse& use) {
        return use.device < 0 && use.kind == trace::EventKind::tensorMemory && use.peak > 0;
    });
    if (host == facts.memory.end()) {
        figure.value = QStringLiteral("–");
        figure.detail = tr("no allocations recorded");
        return figure;
    }
    const QString peak = theme::bytes({host->peak});
    figure.value = peak.section(QLatin1Char(' '), 0, 0);
    figure.unit = peak.section(QLatin1Char(' '), 1);
    figure.detail = theme::counted(host->allocations, tr("allocation"), tr("allocations"));
    return figure;
}

/// ", [1.60, 1.71] s": the distribution-free interval of the median; empty when there are too few values.
QString spreadOf(const model::Interval& interval)
{
    if (interval.confidence <= 0)
        return {};
    const double scale = interval.value >= 1e9 ? 1e-9 : interval.value >= 1e6 ? 1e-6 : 1e-3;
    return QStringLiteral(", %1 %2").arg(theme::bounds(interval, scale, 3), scale == 1e-9   ? QStringLiteral("s")
                                                                            : scale == 1e-6 ? QStringLiteral("ms")
                                                                                            : QStringLiteral("µs"));
}

/// A count: 763, or 12.4 where passes differ.
QString countWord(double each)
{
    return each == std::floor(each) ? theme::count(static_cast<qint64>(each))
                                    : theme::number(each, each >= 1000 ? 4 : 3);
}

} // namespace

TraceReport::TraceReport(trace::TracePtr from, advice::Context context)
    : trace(std::move(from)), facts(*trace, std::move(context)), findingReport(advice::reportFindings(facts)),
      kernels(analysis::kernelTable(facts.index, analysis::kAlways))
{
}

TraceReport::TraceReport(const TraceReport& whole, trace::TimeRange range)
    : trace(whole.trace), facts(whole.facts, range), findingReport(advice::reportFindings(facts)),
      kernels(facts.kernels)
{
}

TraceReportPtr makeTraceReport(trace::TracePtr trace, advice::Context context)
{
    return std::make_shared<const TraceReport>(std::move(trace), std::move(context));
}

TraceReportPtr makeTraceReport(const TraceReport& whole, trace::TimeRange range)
{
    return std::make_shared<const TraceReport>(whole, range);
}

std::string eventQuery(const timeline::Timeline& timeline, timeline::EventRef event, std::int64_t traceId)
{
    const timeline::TimelineRow& row = timeline.rows()[event.row];
    return advice::eventQuery(row.kind, row.track, timeline.rangeOf(event).start, std::string(timeline.nameOf(event)),
                              traceId);
}

std::vector<timeline::Iteration> iterationsOf(const TraceReport& report)
{
    std::vector<timeline::Iteration> iterations;
    const std::vector<trace::TimeRange>& all = report.facts.iterations.all;
    for (std::size_t i = 0; i < all.size(); ++i)
        iterations.push_back({all[i], "#" + std::to_string(i + 1)});
    return iterations;
}

QString causeWord(Cause cause)
{
    switch (cause) {
    case Cause::compute:
        return tr("Arithmetic");
    case Cause::memory:
        return tr("Memory traffic");
    case Cause::launch:
        return tr("Launch overhead");
    case Cause::host:
        return tr("Host elsewhere");
    case Cause::transfer:
        return tr("Copies");
    case Cause::communication:
        return tr("Communication");
    case Cause::synchronization:
        return tr("Waiting");
    case Cause::firstCalls:
        return tr("First calls");
    case Cause::allocation:
        return tr("Allocation");
    case Cause::other:
        break;
    }
    return tr("Other");
}

QString causeDefinition(Cause cause)
{
    switch (cause) {
    case Cause::compute:
        return tr("Convolutions, matrix products, attention: the work itself.");
    case Cause::memory:
        return tr("Work that moves bytes rather than computes: elementwise, "
                  "normalization, layout, copies on the device.");
    case Cause::launch:
        return tr("The device waits until the next piece of work reaches it, or "
                  "one operator hands over to the next.");
    case Cause::host:
        return tr("The host does something else while the device has nothing to do.");
    case Cause::transfer:
        return tr("Copies between host and device that no other work hides.");
    case Cause::communication:
        return tr("Collectives between devices (NCCL, RCCL) that no computation hides: they send, or wait for another "
                  "rank.");
    case Cause::synchronization:
        return tr("The device ran dry because the host had waited for it.");
    case Cause::firstCalls:
        return tr("The device waits while the host loads modules or compiles kernels, once at their first call.");
    case Cause::allocation:
        return tr("The allocator of the driver or of the system.");
    case Cause::other:
        break;
    }
    return tr("Work of unknown kind, queues of the device, causes that were not "
              "recorded.");
}

QColor causeColor(Cause cause)
{
    switch (cause) {
    case Cause::compute:
        return trace_views::classColor(WorkClass::matrix);
    case Cause::memory:
        return trace_views::classColor(WorkClass::elementwise);
    case Cause::launch:
        return trace_views::classColor(WorkClass::convolution);
    case Cause::host:
        return trace_views::classColor(WorkClass::reduction);
    case Cause::transfer:
        return trace_views::classColor(WorkClass::copy);
    case Cause::communication:
        return trace_views::classColor(WorkClass::communication);
    case Cause::synchronization:
        return trace_views::classColor(WorkClass::wait);
    case Cause::firstCalls:
        return trace_views::classColor(WorkClass::normalization);
    case Cause::allocation:
        return trace_views::classColor(WorkClass::attention);
    case Cause::other:
        break;
    }
    return trace_views::classColor(WorkClass::call);
}

QString verdictWord(VerdictKind kind)
{
    switch (kind) {
    case VerdictKind::abstained:
        return tr("Not enough evidence");
    case VerdictKind::balanced:
        return tr("Balanced");
    case VerdictKind::launchBound:
        return tr("Launch-bound");
    case VerdictKind::hostBound:
        return tr("Host-bound");
    case VerdictKind::transferBound:
        return tr("Transfer-bound");
    case VerdictKind::synchronizationBound:
        return tr("Synchronization-bound");
    case VerdictKind::memoryBound:
        return tr("Memory-bound");
    case VerdictKind::computeBound:
        return tr("Compute-bound");
    case VerdictKind::allocationBound:
        return tr("Allocation-bound");
    case VerdictKind::communicationBound:
        return tr("Communication-bound");
    case VerdictKind::warmingUp:
        return tr("Warming up");
    }
    return {};
}

std::vector<Figure> reportFigures(const TraceReport& report)
{
    const advice::Facts& facts = report.facts;
    if (facts.window.length() <= 0)
        return {}; // shares of nothing would mislead
    std::vector<Figure> figures(4);

    Figure& iteration = figures[0];
    const bool passes = facts.byIteration();
    const bool marked = facts.iterations.marked();
    iteration.caption = passes         ? (marked ? tr("Iteration") : tr("Repeated section"))
                        : facts.chosen ? tr("Range")
                                       : tr("Work");
    std::vector<double> samples;
    for (const trace::TimeRange& pass : facts.steady)
        samples.push_back(static_cast<double>(pass.length()));
    const model::Interval time = samples.empty() ? model::Interval{} : stats::medianInterval(samples);
    setTime(iteration, samples.empty() ? facts.window.length() : std::llround(time.value));
    iteration.detail = passes ? (facts.chosen ? tr("median of %1 in the range") : tr("median of %1 steady"))
                                        .arg(static_cast<qint64>(facts.steady.size())) +
                                    spreadOf(time)
                       : facts.chosen ? tr("no whole iteration in it")
                                      : tr("no iterations found");
    iteration.definition =
        (marked || !passes
             ? tr("Wall time of one pass of the program's loop while it was recorded: recording adds to it.")
             : tr("Wall time of a section of the work that repeats. No iteration is marked in the "
                  "recording: it may be a layer, a loop or a whole pass.")) +
        QLatin1Char(' ') + tr("Those at the beginning that take more than 1.5 × the median are left out.");

    Figure& busy = figures[1];
    busy.caption = facts.onDevice ? tr("GPU busy") : tr("In operators");
    const std::int64_t pauses = facts.host.pauses;
    const double share =
        facts.onDevice ? facts.use.busyShare() : 1 - facts.share(std::min(pauses, facts.window.length()));
    setShare(busy, share);
    const QString idle = passes ? tr("idle %1 of each") : tr("idle %1");
    busy.detail = facts.onDevice ? idle.arg(trace_views::timeWord(std::llround(facts.perIteration(facts.use.idle))))
                                 : tr("busiest thread");
    busy.definition = facts.onDevice
                          ? tr("Share of the steady iterations (of the range, where one is chosen) in which at least "
                               "one kernel, copy or fill runs.")
                          : tr("Share of the steady iterations (of the range, where one is chosen) in which the "
                               "busiest host thread runs an operator.");

    figures[2] = facts.onDevice ? copiesFigure(facts) : tensorsFigure(facts);

    Figure& work = figures[3];
    if (facts.onDevice) {
        work.caption = !passes ? tr("Kernels") : marked ? tr("Kernels an iteration") : tr("Kernels a section");
        work.value = countWord(facts.perIteration(facts.sums.count));
        work.detail = facts.sums.count > 0
                          ? tr("%1 on average").arg(trace_views::timeWord(facts.sums.time / facts.sums.count))
                          : QString();
        work.definition = tr("Kernels that begin in one iteration (section, recording), on the device with most kernel "
                             "time, and how long one runs.");
    } else {
        std::int64_t calls = 0;
        for (const std::int64_t n : facts.host.calls)
            calls += n;
        work.caption = !passes ? tr("Operators") : marked ? tr("Operators an iteration") : tr("Operators a section");
        work.value = countWord(facts.perIteration(calls));
        work.definition = tr("Calls of operators in one iteration (section, recording) on the busiest host thread.");
    }
    return figures;
}

QString wholeWord(const advice::Facts& facts)
{
    if (facts.chosen)
        return tr("the range");
    if (!facts.iterations.found())
        return tr("the recording");
    return facts.iterations.marked() ? tr("the iteration") : tr("the repeated section");
}

QString concernText(const advice::Finding& finding, const advice::Facts& facts)
{
    const QString share = theme::percent(finding.share, 2);
    switch (finding.shareOf) {
    case advice::ShareOf::memory:
        return tr("concerns %1 of the memory").arg(share);
    case advice::ShareOf::trust:
        return tr("%1 from steady").arg(share);
    case advice::ShareOf::time:
        break;
    }
    return tr("concerns %1 of %2").arg(share, wholeWord(facts));
}

QString gainText(const advice::Finding& finding, const advice::Facts& facts)
{
    const advice::Gain& gain = finding.gain;
    if (gain.hi <= 0)
        return {};
    const auto whole = [](double share) { return theme::number(share * 100, share < 0.095 ? 2 : 3); };
    if (gain.lo <= 0 || gain.hi - gain.lo < 0.002)
        return finding.shareOf == advice::ShareOf::memory
                   ? tr("would free up to %1 % of the memory").arg(whole(gain.hi))
                   : tr("would save up to %1 % of %2").arg(whole(gain.hi), wholeWord(facts));
    return tr("would save %1 to %2 % of %3").arg(whole(gain.lo), whole(gain.hi), wholeWord(facts));
}

SeverityStyle severityStyle(advice::Severity severity)
{
    switch (severity) {
    case advice::Severity::high:
        return {tr("High"), theme::Shape::triangle, controls::Tone::bad};
    case advice::Severity::medium:
        return {tr("Medium"), theme::Shape::diamond, controls::Tone::warn};
    case advice::Severity::low:
        break;
    }
    return {tr("Low"), theme::Shape::circle, controls::Tone::secondary};
}

QString severityDefinition()
{
    return tr("Severity: high from 20 % of the time (or of the memory), medium from 5 %, low below. An "
              "estimate counts half; a cause that only makes the numbers less sure is medium at most.");
}

QString confidenceText(advice::Confidence confidence)
{
    switch (confidence) {
    case advice::Confidence::counter:
        return tr("rests on hardware counters");
    case advice::Confidence::trace:
        return tr("rests on times and counts of the trace");
    case advice::Confidence::estimate:
        break;
    }
    return tr("rests on an estimate");
}

} // namespace apertune::gui
