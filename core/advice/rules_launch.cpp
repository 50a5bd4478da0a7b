// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rule_parts.h"
#include "core/advice/trace_queries.h"

#include "core/base/text.h"

#include <algorithm>
#include <set>

namespace apertune::advice {

using analysis::Gap;
using analysis::IdleCause;

namespace {

double idleShare(const Facts& facts, IdleCause cause)
{
    return facts.share(facts.use.idleBy[static_cast<std::size_t>(cause)]);
}

/// The longest gap whose main cause is `cause`.
analysis::Interval longestGap(const Facts& facts, IdleCause cause)
{
    analysis::Interval longest;
    for (const Gap& gap : facts.use.gaps)
        if (gap.main() == cause && gap.time.length() > longest.length())
            longest = gap.time;
    return longest;
}

IdleCause mainIdleCause(const Facts& facts)
{
    const auto& parts = facts.use.idleBy;
    return static_cast<IdleCause>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

std::string causeText(const Facts& facts, IdleCause cause)
{
    switch (cause) {
    case IdleCause::hostWait:
        return "the host was busy with something else" + hostBusyText(facts);
    case IdleCause::launchGap:
        return "the host could not launch fast enough";
    case IdleCause::synchronization:
        return "the host had waited for the device and had to feed it again";
    case IdleCause::copyWait:
        return "the host was in copy calls";
    case IdleCause::allocation:
        return "the host allocated or released memory";
    case IdleCause::deviceQueue:
        return "work was queued and held back on the device";
    case IdleCause::unknown:
        break;
    }
    return "the cause was not recorded";
}

Knob knobFor(const Facts& facts, IdleCause cause)
{
    switch (cause) {
    case IdleCause::launchGap:
        return switchOn(facts, {"cuda_graph", "aoti", "freeze"}, "Launch the work as one graph, or in fewer kernels.");
    case IdleCause::hostWait:
        return hostKnob(facts);
    case IdleCause::synchronization:
        return {"", true, "Wait once at the end of a pass, not within it."};
    case IdleCause::copyWait:
        return {"", true, "Copy asynchronously from pinned memory on a stream of its own."};
    case IdleCause::allocation:
        return switchOn(facts, {"cuda_graph"}, "Allocate before the loop and use the same buffers again.");
    default:
        return {"", true, "Look at the gap in the timeline."};
    }
}

} // namespace

namespace {

/// R7 on a CPU: the thread runs no operator for as long as names a verdict.
RuleResult hostPauses(const Facts& facts)
{
    const double share = facts.share(Cause::host);
    if (share < kNamedOnHost)
        return quiet();
    Finding f;
    f.text = "The thread runs no operator for " + percent(share) + " " + wholeName(facts) + " (" +
             often(facts, facts.host.pauseCount) + " pauses of over " + timeText(kShortPause) + ", the longest takes " +
             timeText(facts.host.longestPause.length()) + "): it waits, sleeps or runs code that reports no operators.";
    f.share = share;
    f.gain = {0.3 * share, share};
    f.evidence = evidence(facts, rows::gaps(facts, kShortPause), facts.host.longestPause);
    f.knob = {
        "", true,
        "Record with stacks (with_stack), or mark parts of the program with ranges, to see what runs there; move it "
        "out of the loop or to another thread."};
    f.verification = verifyBy("the change", "The pauses must go.");
    return fired(std::move(f), Cause::host);
}

} // namespace

// R1: busy share of the device < 80 %; below 50 % it is what matters most.
RuleResult r1HostBound(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    const double busy = facts.use.busyShare();
    if (busy >= 0.8)
        return quiet();
    const double idle = 1 - busy;
    const IdleCause cause = mainIdleCause(facts);
    Finding f;
    f.text = "The device works " + percent(busy) + " " + wholeName(facts) + " and idles " + percent(idle) +
             (busy < 0.5 ? ", longer than it works" : "") + "; above all, " + causeText(facts, cause) + ": " +
             percent(idleShare(facts, cause)) + ".";
    f.share = idle;
    const double reachable = idle - idleShare(facts, IdleCause::deviceQueue) - idleShare(facts, IdleCause::unknown);
    f.gain = {0.3 * reachable, reachable};
    f.evidence = evidence(facts, rows::gaps(facts, 0), longestGap(facts, cause));
    f.knob = knobFor(facts, cause);
    f.verification =
        verifyBy(f.knob.switchName.empty() ? "the change" : f.knob.switchName, "The busy share must rise.");
    return fired(std::move(f), causeOf(cause));
}

// R2: the host needs more than 0.8 of the time to enqueue a pass that the device needs to run it, and the device waits
// for launches.
RuleResult r2EnqueueBound(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    if (facts.index.calls.empty())
        return unknown(kNoCalls);
    std::vector<std::int64_t> enqueue = analysis::enqueueTimes(facts.index, facts.device, facts.calls);
    if (enqueue.empty())
        return quiet();
    const auto host = static_cast<double>(analysis::median(enqueue));
    const double device = static_cast<double>(facts.use.busy) / static_cast<double>(facts.steady.size());
    const double pass = static_cast<double>(facts.window.length()) / static_cast<double>(facts.steady.size());
    const double idle = idleShare(facts, IdleCause::launchGap);
    if (device <= 0 || host <= 0.8 * device || idle <= 0)
        return quiet();
    const double saved = std::clamp((host - device) / pass, 0.0, idle);
    Finding f;
    f.text =
        "The host needs " + timeText(host) + " to enqueue what the device runs in " + timeText(device) + " (" +
        aUnit(facts) + ")" +
        (host < device ? ": a host that is nearly as slow as the device leaves it without work here and there." : ".");
    f.share = idle;
    f.gain = {0.5 * saved, idle};
    f.evidence = evidence(facts, rows::launches(facts), longestGap(facts, IdleCause::launchGap));
    f.knob =
        switchOn(facts, {"cuda_graph", "aoti", "freeze"}, "Capture the work as a graph: one call launches all of it.");
    f.verification = verifyBy(f.knob.switchName.empty() ? "fewer launches" : f.knob.switchName);
    return fired(std::move(f), Cause::launch);
}

// R3: more than 30 % of the launches are kernels shorter than their own launch call, or than 10 µs, and the time lost
// to launching is above 5 %. On a CPU: operators of a few microseconds whose calling costs as much as they do.
RuleResult r3TinyKernels(const Facts& facts)
{
    Finding f;
    if (!facts.onDevice) {
        const double lost = facts.share(Cause::launch);
        if (lost < 0.15)
            return quiet();
        std::int64_t calls = 0;
        for (const std::int64_t n : facts.host.calls)
            calls += n;
        f.text = "Calling operators and passing from one to the next takes " + percent(lost) + " " + wholeName(facts) +
                 " (" + often(facts, calls) + ").";
        f.share = lost;
        f.gain = {0.3 * lost, 0.9 * lost};
        f.evidence = evidence(facts, rows::operators(facts), facts.steady.front());
        // Freezing alone leaves nearly as many calls; TorchScript's executor fuses nothing on a CPU without LLVM.
        f.knob = switchOn(facts, {"aoti", "onednn_graph"}, "Run fewer, larger operators; raise the batch.");
        f.verification = verifyBy(f.knob.switchName.empty() ? "a larger batch" : f.knob.switchName);
        return fired(std::move(f), Cause::launch);
    }
    const analysis::LaunchStatistics& s = facts.launches;
    const double lost = idleShare(facts, IdleCause::launchGap);
    if (s.computing == 0 || static_cast<double>(s.small) <= 0.3 * static_cast<double>(s.computing) || lost <= 0.05)
        return quiet();
    f.text = std::to_string(s.small) + " of " + base::counted(s.computing, "kernel") +
             (s.small == s.shorterThanCall ? " are shorter than the call that launches them"
              : s.small == s.tiny          ? " are shorter than 10 µs"
                                           : " are shorter than the call that launches them, or than 10 µs") +
             " (" + often(facts, s.small) + (s.call.p50 ? "; median call " + timeText(*s.call.p50) : std::string()) +
             ")" + "; the device waits for launches " + percent(lost) + " " + wholeName(facts) + ".";
    f.share = lost;
    f.gain = {0.5 * lost, lost};
    Rows tiny = rows::kernels(facts);
    tiny.shorterThan = std::max(analysis::kTinyKernel, s.call.p50.value_or(0));
    f.evidence = evidence(facts, tiny, longestGap(facts, IdleCause::launchGap));
    f.knob = switchOn(facts, {"cuda_graph", "aoti", "freeze"}, "Launch them as one graph, or fuse them.");
    f.verification =
        verifyBy(f.knob.switchName.empty() ? "fewer launches" : f.knob.switchName, "The number of launches must fall.");
    return fired(std::move(f), Cause::launch);
}

// R7: gaps longer than max(50 µs, 5 × the median gap) add up to more than 10 % of the window.
RuleResult r7Gaps(const Facts& facts)
{
    if (!facts.onDevice)
        return hostPauses(facts);
    if (facts.use.gaps.empty())
        return quiet();
    std::vector<std::int64_t> lengths;
    for (const Gap& gap : facts.use.gaps)
        lengths.push_back(gap.time.length());
    const std::int64_t limit = std::max<std::int64_t>(50'000, 5 * analysis::median(lengths));
    std::int64_t total = 0;
    std::int64_t count = 0;
    std::array<std::int64_t, analysis::kIdleCauses> parts{};
    analysis::Interval longest;
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
    if (share <= 0.1)
        return quiet();
    const auto cause = static_cast<IdleCause>(std::max_element(parts.begin(), parts.end()) - parts.begin());
    Finding f;
    f.text = base::counted(count, "gap") + " longer than " + timeText(limit) + (count == 1 ? " takes " : " take ") +
             percent(share) + " " + wholeName(facts) + "; above all, " + causeText(facts, cause) + ".";
    f.share = share;
    f.gain = {0.3 * share, share};
    f.evidence = evidence(facts, rows::gaps(facts, limit), longest);
    f.knob = knobFor(facts, cause);
    f.verification = verifyBy(f.knob.switchName.empty() ? "the change" : f.knob.switchName, "The gaps must go.");
    return fired(std::move(f), causeOf(cause));
}

// R31: the launches of kernels that compute, weighted by time, do not fill the device once (waves < 1). Communication
// fills a few multiprocessors by design, and its time is that of the slowest device: no larger batch changes that.
RuleResult r31Underfilled(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    if (facts.sums.computingTime <= 0)
        return quiet();
    const double kernels = facts.share(facts.use.computing());
    if (kernels < 0.2)
        return quiet();
    if (facts.sums.knownWaves < 0.5)
        return unknown("Grid sizes or the device's limits are not in the trace. Record kernels with a recorder that "
                       "tells both.");
    // Long kernels with many waves must not hide short ones that leave the device empty.
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
    if (facts.sums.meanWaves >= 1)
        return quiet();
    const double share = kernels * empty / static_cast<double>(facts.sums.computingTime);
    Finding f;
    f.text = "Weighted by time, the kernels that compute fill the device " +
             base::formatSignificant(facts.sums.meanWaves, 2) + " times: " + percent(share) + " " + wholeName(facts) +
             " goes to multiprocessors without work.";
    f.share = kernels;
    f.gain = {0, share};
    f.confidence = Confidence::estimate;
    const trace::EventColumns& of = facts.trace.series[worst.series].events;
    f.evidence =
        evidence(facts, rows::work(facts, [&](std::uint32_t name, analysis::OpClass) { return small.contains(name); }),
                 small.empty() ? facts.window : analysis::Interval{of.start[worst.index], of.end(worst.index)});
    f.knob = {"", true, "Raise the batch, or run two to four streams."};
    f.verification = verifyBy("a larger batch, per sample");
    return fired(std::move(f), Cause::compute);
}

} // namespace apertune::advice
