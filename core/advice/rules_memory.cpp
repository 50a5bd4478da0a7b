// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rule_parts.h"
#include "core/advice/trace_queries.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace apertune::advice {

using analysis::CallKind;
using analysis::OpClass;

namespace {

RuleResult deviceAllocation(const Facts& facts)
{
    if (facts.index.calls.empty())
        return unknown(kNoCalls);
    const auto [count, time, longest] = sumCalls(facts, {CallKind::allocate, CallKind::release});
    const double lost = facts.share(Cause::allocation);
    // Before a loop every program allocates; without iterations there is no telling.
    if (!facts.iterations.found() || count == 0 || 100 * count < static_cast<std::int64_t>(facts.steady.size()) ||
        lost <= 0)
        return quiet();
    Finding f;
    f.text = base::counted(count, "call allocates or releases", "calls allocate or release") +
             " device or pinned memory in the steady loop (" + often(facts, count) + "); they take the host " +
             percent(facts.share(time)) + " and leave the device idle " + percent(lost) + " " + wholeName(facts) + ".";
    f.share = lost;
    f.gain = {0.7 * lost, lost};
    f.evidence = evidence(facts, rows::allocationCalls(facts), longest);
    f.knob = switchOn(facts, {"cuda_graph"},
                      "Allocate before the loop, keep the caching allocator on, and drop empty_cache.");
    f.verification = verifyBy("buffers that stay", "The count must be 0.");
    return fired(std::move(f), Cause::allocation);
}

RuleResult hostAllocation(const Facts& facts)
{
    const double share = facts.share(Cause::allocation);
    if (share <= 0.05)
        return quiet();
    const analysis::AllocationLoad load =
        analysis::allocationLoad(facts.trace, trace::EventKind::tensorMemory, -1, facts.window);
    const std::int64_t calls = facts.host.count(OpClass::allocation) + facts.host.count(OpClass::fill);
    Finding f;
    f.text = "Allocating and clearing fresh memory takes " + percent(share) + " " + wholeName(facts) + " (" +
             often(facts, calls) + ")";
    if (load.count > 0)
        f.text += "; " + base::formatBytes({load.bytes / static_cast<std::int64_t>(facts.steady.size())}) +
                  " are allocated " + (facts.iterations.found() ? aUnit(facts) : "in all") +
                  (load.largeCount > 0 ? ", " + base::counted(load.largeCount, "block") +
                                             " of 32 MiB or more, which the system maps afresh each time"
                                       : std::string());
    f.text += ".";
    f.share = share;
    f.gain = {0.5 * share, share};
    analysis::Interval longest;
    for (const analysis::OperatorNode& n : facts.forest.nodes) {
        const OpClass c = facts.index.operatorClass(n.name);
        if ((c == OpClass::allocation || c == OpClass::fill) && facts.window.contains(n.time.start) &&
            n.time.length() > longest.length())
            longest = n.time;
    }
    f.evidence = evidence(
        facts,
        rows::work(facts, [](std::uint32_t, OpClass c) { return c == OpClass::allocation || c == OpClass::fill; }),
        longest);
    f.knob = switchOn(facts, {"aoti"}, "Allocate scratch tensors once, outside of the pass.");
    f.verification =
        verifyBy(f.knob.switchName.empty() ? "buffers that stay" : f.knob.switchName, "The bytes allocated must fall.");
    return fired(std::move(f), Cause::allocation);
}

} // namespace

// R28: the driver allocates in the steady loop, at least once in 100 iterations; on a CPU, fresh memory takes > 5 %.
RuleResult r28Allocation(const Facts& facts)
{
    return facts.onDevice ? deviceAllocation(facts) : hostAllocation(facts);
}

// R29: the peak is above 90 % of the device's memory, or 1.3 times as much is reserved as used at the peak (and the
// difference is at least 256 MiB).
RuleResult r29MemoryLimit(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    const analysis::MemoryUse* largest = nullptr;
    for (const analysis::MemoryUse& use : facts.memory)
        if (use.device == facts.device && (!largest || use.peak > largest->peak))
            largest = &use;
    if (!largest)
        return unknown("Allocations are not in the trace. Record memory events to see peak, owners and fragmentation.");
    const trace::DeviceProperties* device = facts.trace.device(facts.device);
    const std::int64_t total = device ? device->totalMemory : 0;
    const double used = total > 0 ? static_cast<double>(largest->peak) / static_cast<double>(total) : 0;
    const double fragmented = analysis::fragmentation(facts.memory, facts.device);
    const analysis::MemoryUse* tensors = nullptr;
    for (const analysis::MemoryUse& use : facts.memory)
        if (use.device == facts.device && use.kind == trace::EventKind::tensorMemory)
            tensors = &use;
    const double wasted = tensors && fragmented > 1 ? (fragmented - 1) * static_cast<double>(tensors->peak) : 0;
    constexpr double kWorthIt = 256.0 * 1024 * 1024;
    const bool near = used > 0.9;
    const bool loose = fragmented > 1.3 && wasted >= kWorthIt;
    if (!near && !loose)
        return quiet();
    Finding f;
    f.text =
        near ? "The peak of " + base::formatBytes({largest->peak}) + " is " + percent(used) + " of the device's memory"
             : "At the peak " + base::formatSignificant(fragmented, 3) + " times as much is reserved as used, " +
                   base::formatBytes({static_cast<std::int64_t>(wasted)}) + " for nothing";
    const std::vector<analysis::MemoryOwner>& owners = (tensors ? tensors : largest)->owners;
    if (!owners.empty() && !owners.front().name.empty())
        f.text += "; " + owners.front().name + " holds " + base::formatBytes({owners.front().bytes}) + " of it";
    f.text += ".";
    f.stake = Stake::memory;
    f.share = near ? used : wasted / std::max(1.0, static_cast<double>(total));
    f.gain = {0, near ? 0 : f.share}; // a smaller batch leaves as much free as a person wants
    // Reserved bytes that the framework told are no events of the driver.
    Rows events{{largest->allocations > 0 ? largest->kind : trace::EventKind::tensorMemory},
                {facts.trace.begin().count, facts.trace.end().count + 1}};
    events.device = facts.device;
    const std::int64_t around = std::max<std::int64_t>(1, facts.window.length() / 50);
    f.evidence = evidence(
        facts, events, analysis::intersection({largest->peakTime - around, largest->peakTime + around}, events.window));
    f.knob = near ? Knob{"", true, "Lower the batch, or slice the largest layer."}
                  : Knob{"", true, "Allocate in fewer sizes (expandable segments), or warm up with the largest input."};
    f.verification = "Measure the peak again.";
    return fired(std::move(f));
}

// R44: fewer threads than the processor has cores while operators that scale with threads take most of the time.
RuleResult r44Threads(const Facts& facts)
{
    if (facts.onDevice)
        return quiet();
    const double scalable = facts.share(Cause::compute) + facts.share(Cause::memory);
    if (scalable < 0.3)
        return quiet();
    const bool configured = facts.context.config && facts.context.config->threads > 0;
    if (!facts.context.device || facts.context.device->cores <= 0 || (!configured && !facts.processorsBusy))
        return unknown("How many threads ran on how many cores is not in the trace. Trace a trial of the workspace.");
    // What was asked for, or else what the process kept busy: half a processor more than n threads is not theirs.
    const int threads =
        configured ? facts.context.config->threads : std::max(1, static_cast<int>(std::lround(*facts.processorsBusy)));
    const int cores = facts.context.device->cores;
    if (threads >= cores || (facts.processorsBusy && *facts.processorsBusy > threads + 0.5))
        return quiet();
    const double saved = scalable * (1 - static_cast<double>(threads) / cores);
    Finding f;
    f.text = base::counted(threads, "thread works", "threads work") + " on a processor with " + std::to_string(cores) +
             " cores; operators that threads share take " + percent(scalable) + " " + wholeName(facts) + ".";
    if (facts.processorsBusy)
        f.text += " The process kept " + base::formatSignificant(*facts.processorsBusy, 2) + " of them busy.";
    f.confidence = configured ? Confidence::trace : Confidence::estimate;
    f.share = scalable;
    f.gain = {0.4 * saved, saved};
    f.evidence = evidence(facts, rows::operators(facts), facts.steady.front());
    f.knob = {"", true, "Use " + std::to_string(cores) + " threads (--threads " + std::to_string(cores) + ").",
              configured ? cores : 0};
    f.verification = verifyBy("threads " + std::to_string(threads) + " and " + std::to_string(cores));
    return fired(std::move(f), Cause::compute);
}

} // namespace apertune::advice
