// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules_launch.h"

#include "core/advice/rule_parts.h"
#include "core/advice/trace_queries.h"
#include "core/analysis/first_calls.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace apertune::advice {

using analysis::Gap;
using analysis::IdleCause;

namespace {

/// The longest gap whose main cause is `cause`.
trace::TimeRange longestGap(const Facts& facts, IdleCause cause)
{
    trace::TimeRange longest;
    for (const Gap& gap : facts.use.gaps)
        if (gap.main() == cause && gap.time.length() > longest.length())
            longest = gap.time;
    return longest;
}

using IdleTimes = std::array<std::int64_t, analysis::kIdleCauses>;

/// Returns parts of the idle time with what Facts::causes charges to the waits within iterations moved there.
IdleTimes withoutWaits(const Facts& facts, IdleTimes parts)
{
    const auto move = [&](IdleCause from, Cause kept) {
        std::int64_t& part = parts[static_cast<std::size_t>(from)];
        const std::int64_t all = facts.use.idleBy[static_cast<std::size_t>(from)];
        if (all <= 0)
            return;
        const double share =
            static_cast<double>(facts.causes[static_cast<std::size_t>(kept)]) / static_cast<double>(all);
        const auto left = static_cast<std::int64_t>(share * static_cast<double>(part));
        parts[static_cast<std::size_t>(IdleCause::synchronization)] += part - left;
        part = left;
    };
    move(IdleCause::launchGap, Cause::launch);
    move(IdleCause::hostWait, Cause::host);
    return parts;
}

IdleCause mainOf(const IdleTimes& parts)
{
    return static_cast<IdleCause>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

base::Message causeText(const Facts& facts, IdleCause cause)
{
    switch (cause) {
    case IdleCause::hostWait:
        return withActivities(facts, reasons::kBecauseHostWasBusy, reasons::kBecauseHostWasBusyIn);
    case IdleCause::launchGap:
        return launchesFromCompiledCode(facts) ? base::message<reasons::kBecauseCompiledCodeLaunches>()
                                               : base::message<reasons::kBecauseTheHostCouldNotLaunch>();
    case IdleCause::synchronization:
        return base::message<reasons::kBecauseTheHostHadWaitedFor>();
    case IdleCause::copyWait:
        return base::message<reasons::kBecauseTheHostWasInCopy>();
    case IdleCause::allocation:
        return base::message<reasons::kBecauseTheHostAllocatedOrReleased>();
    case IdleCause::firstCall:
        return base::message<reasons::kBecauseOfFirstCalls>();
    case IdleCause::deviceQueue:
        return base::message<reasons::kBecauseWorkWasQueuedAndHeld>();
    case IdleCause::unknown:
        break;
    }
    return base::message<reasons::kBecauseTheCauseWasNotRecorded>();
}

Knob knobFor(const Facts& facts, IdleCause cause)
{
    switch (cause) {
    case IdleCause::launchGap:
        return fewerLaunches(facts);
    case IdleCause::hostWait:
        return hostKnob(facts);
    case IdleCause::synchronization:
        return advise(base::message<reasons::kWaitOnceAtTheEnd>());
    case IdleCause::copyWait:
        return advise(base::message<reasons::kCopyAsynchronouslyFromPinnedMemory>());
    case IdleCause::allocation:
        return switchOn(facts, {"cuda_graph"}, base::message<reasons::kAllocateBeforeTheLoopAnd>());
    case IdleCause::firstCall:
        return advise(base::message<reasons::kRunAFewPassesFirst>());
    default:
        return advise(base::message<reasons::kLookAtTheGapIn>());
    }
}

} // namespace

namespace {

/// long-gaps on a CPU: the pauses of the thread are as long as it takes to name a verdict.
RuleResult hostPauses(const Facts& facts)
{
    const double share = facts.share(Cause::host);
    if (share < facts.limit(Threshold::longGapsPauses))
        return quiet();
    Finding f;
    const base::Message often = occurrences(facts, facts.host.pauseCount);
    const std::string longest = timeText(facts.host.longestPause.length());
    const base::Message activities = hostActivities(facts);
    f.text = activities.empty() ? base::message<reasons::kHostPauses>(shareMessage(facts, share), often,
                                                                      timeText(kShortPause), longest)
                                : base::message<reasons::kHostPausesIn>(shareMessage(facts, share), activities, often,
                                                                        timeText(kShortPause), longest);
    f.share = share;
    f.gain = {0.3 * share, share};
    f.evidence = evidence(facts, rows::gaps(facts, kShortPause), facts.host.longestPause);
    f.knob = hostKnob(facts);
    f.verification = verifyBy(base::message<reasons::kByTheChange>(), base::message<reasons::kThePausesMustGo>());
    return fired(std::move(f), Cause::host);
}

} // namespace

// device-idle: the device is busy for less than 80 % of the time. Below 50 % the text says that this matters most.
RuleResult hostBoundRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    const double busy = facts.use.busyShare();
    if (busy >= facts.limit(Threshold::deviceIdleBusy))
        return quiet();
    const double idle = 1 - busy;
    const IdleTimes times = withoutWaits(facts, facts.use.idleBy);
    const IdleCause cause = mainOf(times);
    const double ofCause = facts.share(times[static_cast<std::size_t>(cause)]);
    Finding f;
    f.text = busy < 0.5 ? base::message<reasons::kDeviceIdlesMostly>(shareMessage(facts, busy), base::Share{idle},
                                                                     causeText(facts, cause), base::Share{ofCause})
                        : base::message<reasons::kDeviceIdles>(shareMessage(facts, busy), base::Share{idle},
                                                               causeText(facts, cause), base::Share{ofCause});
    f.share = idle;
    // The change can gain the time of the cause that it removes; the others have findings of their own. Nobody
    // can shorten queues of the device or causes that were not recorded.
    const bool inReach = cause != IdleCause::deviceQueue && cause != IdleCause::unknown;
    const double reachable = inReach ? ofCause : 0;
    f.gain = {0.3 * reachable, reachable};
    const trace::TimeRange longest = longestGap(facts, cause);
    f.evidence = evidence(facts, rows::gaps(facts, 0),
                          longest.length() > 0 ? longest : longestGap(facts, mainOf(facts.use.idleBy)));
    f.knob = knobFor(facts, cause);
    f.verification = verifyBy(namedOr(f.knob.switchName, base::message<reasons::kByTheChange>()),
                              base::message<reasons::kTheBusyShareMustRise>());
    return fired(std::move(f), causeOf(cause));
}

// enqueue-bound: the host needs more than 0.8 times as long to enqueue a pass as the device needs to run it, and the
// device waits for launches.
RuleResult enqueueBoundRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    if (facts.index.calls.empty())
        return unknown(base::message<reasons::kTheRuntimeSCallsAre>());
    std::vector<std::int64_t> enqueue = analysis::enqueueTimes(facts.index, facts.device, facts.calls);
    if (enqueue.empty())
        return quiet();
    const auto host = static_cast<double>(analysis::median(enqueue));
    const double device = static_cast<double>(facts.use.busy) / static_cast<double>(facts.steady.size());
    const double pass = static_cast<double>(facts.window.length()) / static_cast<double>(facts.steady.size());
    const double idle = idleShare(facts, IdleCause::launchGap);
    if (device <= 0 || host <= facts.limit(Threshold::enqueueBoundRatio) * device || idle <= 0)
        return quiet();
    const double saved = std::clamp((host - device) / pass, 0.0, idle);
    Finding f;
    f.text = host < device
                 ? base::message<reasons::kEnqueuingNearlyAsSlow>(timeText(host), timeText(device), unitMessage(facts))
                 : base::message<reasons::kEnqueuingSlower>(timeText(host), timeText(device), unitMessage(facts));
    f.share = idle;
    f.gain = {0.5 * saved, idle};
    f.evidence = evidence(facts, rows::launches(facts), longestGap(facts, IdleCause::launchGap));
    f.knob = fewerLaunches(facts);
    f.verification = verifyBy(namedOr(f.knob.switchName, base::message<reasons::kByFewerLaunches>()));
    return fired(std::move(f), Cause::launch);
}

// tiny-kernels: more than 30 % of the computing kernels are shorter than their own launch call or than 10 µs, and more
// than 5 % of the time is lost to launching. On a CPU: calling operators takes 15 % or more.
RuleResult tinyKernelsRule(const Facts& facts)
{
    Finding f;
    if (!facts.onDevice) {
        const double lost = facts.share(Cause::launch);
        if (lost < facts.limit(Threshold::tinyKernelsCalls))
            return quiet();
        std::int64_t calls = 0;
        for (const std::int64_t n : facts.host.calls)
            calls += n;
        f.text = base::message<reasons::kOperatorCalls>(shareMessage(facts, lost), occurrences(facts, calls));
        f.share = lost;
        f.gain = {0.3 * lost, 0.9 * lost};
        f.evidence = evidence(facts, rows::operators(facts), facts.steady.front());
        // `freeze` alone leaves nearly as many calls, and TorchScript fuses nothing on a CPU without LLVM.
        f.knob = switchOn(facts, {"aoti", "onednn_graph"}, base::message<reasons::kRunFewerLargerOperatorsRaise>());
        f.verification = verifyBy(namedOr(f.knob.switchName, base::message<reasons::kByALargerBatch>()));
        return fired(std::move(f), Cause::launch);
    }
    const analysis::LaunchStatistics& s = facts.launches;
    const double lost = idleShare(facts, IdleCause::launchGap);
    if (s.computing == 0 ||
        static_cast<double>(s.small) <= facts.limit(Threshold::tinyKernelsPart) * static_cast<double>(s.computing) ||
        lost <= facts.limit(Threshold::tinyKernelsGaps))
        return quiet();
    const base::Message how = s.small == s.shorterThanCall ? base::message<reasons::kShorterThanCall>()
                              : s.small == s.tiny          ? base::message<reasons::kShorterThan10Us>()
                                                           : base::message<reasons::kShorterThanCallOr10Us>();
    const base::Message kernels = plural(s.computing, reasons::kOneKernel, reasons::kKernels);
    const base::Message often = occurrences(facts, s.small);
    f.text = s.call.p50 ? base::message<reasons::kTinyKernelsAndCall>(s.small, kernels, how, often,
                                                                      timeText(*s.call.p50), shareMessage(facts, lost))
                        : base::message<reasons::kTinyKernels>(s.small, kernels, how, often, shareMessage(facts, lost));
    f.share = lost;
    f.gain = {0.5 * lost, lost};
    Rows tiny = rows::kernels(facts);
    tiny.shorterThan = std::max(analysis::kTinyKernel, s.call.p50.value_or(0));
    f.evidence = evidence(facts, tiny, longestGap(facts, IdleCause::launchGap));
    f.knob = fewerLaunches(facts);
    f.verification = verifyBy(namedOr(f.knob.switchName, base::message<reasons::kByFewerLaunches>()),
                              base::message<reasons::kTheNumberOfLaunchesMust>());
    return fired(std::move(f), Cause::launch);
}

// long-gaps: gaps longer than max(50 µs, 5 × the median gap) take more than 10 % of the window.
RuleResult gapsRule(const Facts& facts)
{
    if (!facts.onDevice)
        return hostPauses(facts);
    if (facts.use.gaps.empty())
        return quiet();
    std::vector<std::int64_t> lengths;
    for (const Gap& gap : facts.use.gaps)
        lengths.push_back(gap.time.length());
    const std::int64_t limit = std::max(
        std::llround(facts.limit(Threshold::longGapsLength) * 1e3),
        std::llround(facts.limit(Threshold::longGapsMultiple) * static_cast<double>(analysis::median(lengths))));
    std::int64_t total = 0;
    std::int64_t count = 0;
    IdleTimes parts{};
    trace::TimeRange longest;
    for (const Gap& gap : facts.use.gaps) {
        if (gap.time.length() <= limit)
            continue;
        total += gap.time.length();
        ++count;
        for (std::size_t i = 0; i < parts.size(); ++i)
            parts[i] += gap.parts[i];
        if (gap.time.length() > longest.length())
            longest = gap.time;
    }
    const double share = facts.share(total);
    if (share <= facts.limit(Threshold::longGapsShare))
        return quiet();
    const IdleCause cause = mainOf(withoutWaits(facts, parts));
    Finding f;
    f.text = count == 1 ? base::message<reasons::kOneLongGap>(timeText(limit), shareMessage(facts, share),
                                                              causeText(facts, cause))
                        : base::message<reasons::kLongGaps>(count, timeText(limit), shareMessage(facts, share),
                                                            causeText(facts, cause));
    f.share = share;
    f.gain = {0.3 * share, share};
    f.evidence = evidence(facts, rows::gaps(facts, limit), longest);
    f.knob = knobFor(facts, cause);
    f.verification = verifyBy(namedOr(f.knob.switchName, base::message<reasons::kByTheChange>()),
                              base::message<reasons::kTheGapsMustGo>());
    return fired(std::move(f), causeOf(cause));
}

// first-calls: the device waits for 5 % or more while the host prepares code at its first use, or captures graphs.
RuleResult firstCallsRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    const double share = facts.share(Cause::firstCalls);
    if (share < facts.limit(Threshold::firstCallsShare))
        return quiet();
    analysis::TimeRanges waits; // gaps with a first call in them
    for (const Gap& gap : facts.use.gaps)
        if (gap.parts[static_cast<std::size_t>(IdleCause::firstCall)] > 0)
            waits.push_back(gap.time);
    struct First
    {
        const analysis::HostCall* call = nullptr;
        trace::TimeRange time;
    };
    First longest;
    std::int64_t count = 0;
    for (const analysis::HostCall& call : facts.index.calls) {
        if (!call.first && call.kind != analysis::CallKind::beginCapture)
            continue;
        // A capture counts as a whole, so the calls within it do not.
        const trace::TimeRange time = facts.index.capture(call).value_or(call.time);
        if (call.captured || time.length() < analysis::kLongLaunch || analysis::coveredLength(waits, time) == 0)
            continue;
        ++count;
        if (!longest.call || time.length() > longest.time.length())
            longest = {&call, time};
    }
    if (!longest.call)
        return quiet();
    const bool isCapture = longest.call->kind == analysis::CallKind::beginCapture;
    const std::uint32_t what = longest.call->work == analysis::kNone
                                   ? longest.call->name
                                   : facts.index.work[static_cast<std::size_t>(longest.call->work)].name;
    Finding f;
    const base::Message calls = plural(count, reasons::kOneFirstCall, reasons::kSeveralFirstCalls);
    f.text =
        isCapture
            ? base::message<reasons::kCaptures>(shareMessage(facts, share), calls, timeText(longest.time.length()))
            : base::message<reasons::kFirstCalls>(calls, shareMessage(facts, share), timeText(longest.time.length()),
                                                  analysis::shortName(facts.index.text(what)));
    f.share = share;
    f.gain = {0.8 * share, share};
    f.confidence = longest.call->work == analysis::kNone ? Confidence::trace : Confidence::estimate;
    f.evidence = evidence(facts, isCapture ? rows::captures(facts) : rows::firstCalls(facts), longest.time);
    f.knob =
        advise(isCapture ? base::message<reasons::kRecordReplays>() : base::message<reasons::kRunAFewPassesFirst>());
    f.verification = base::message<reasons::kRecordAgainWithoutFirstCalls>();
    return fired(std::move(f), Cause::firstCalls);
}

// underfilled-device: the computing kernels, weighted by time, fill less than half of the device, or have less than one
// wave in the mean. Communication is left out: it fills a few multiprocessors by design and takes as long as the
// slowest device, so no larger batch changes it.
RuleResult underfilledRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    if (facts.sums.computingTime <= 0)
        return quiet();
    const double kernels = facts.share(facts.use.computing());
    if (kernels < facts.limit(Threshold::underfilledKernels))
        return quiet();
    if (facts.sums.knownWaves < 0.5)
        return unknown(base::message<reasons::kGridSizesOrTheDevice>());
    // The sum runs over the kernels below one wave alone. Long kernels with many waves must not hide them.
    double empty = 0;
    std::set<std::uint32_t> small;
    analysis::EventRef worst;
    std::int64_t longest = 0;
    for (const analysis::KernelRow& row : facts.kernels) {
        if (row.device != facts.device || row.opClass == analysis::OpClass::communication || row.waves < 0 ||
            row.waves >= 1)
            continue;
        empty += static_cast<double>(row.time.total) * (1 - row.waves);
        small.insert(row.name);
        if (row.time.longest > longest) {
            longest = row.time.longest;
            worst = row.longest;
        }
    }
    const double unused = empty / static_cast<double>(facts.sums.computingTime);
    if (facts.sums.meanWaves >= 1 && unused < facts.limit(Threshold::underfilledEmpty))
        return quiet();
    const double share = kernels * unused;
    Finding f;
    f.text = base::message<reasons::kUnderfilled>(base::Share{1 - unused}, shareMessage(facts, share));
    f.share = kernels;
    f.gain = {0, share};
    f.confidence = Confidence::estimate;
    const trace::EventColumns& of = facts.trace.series[worst.series].events;
    f.evidence =
        evidence(facts, rows::work(facts, [&](std::uint32_t name, analysis::OpClass) { return small.contains(name); }),
                 small.empty() ? facts.window : trace::TimeRange{of.start[worst.index], of.end(worst.index)});
    f.knob = advise(base::message<reasons::kRaiseTheBatchOrRun>());
    f.verification = verifyBy(base::message<reasons::kByALargerBatchPerSample>());
    return fired(std::move(f), Cause::compute);
}

} // namespace apertune::advice
