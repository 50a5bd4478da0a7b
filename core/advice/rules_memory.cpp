// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules_memory.h"

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
        return unknown(base::message<reasons::kTheRuntimeSCallsAre>());
    const auto [count, time, longest] = sumCalls(facts, {CallKind::allocate, CallKind::release});
    const double lost = facts.share(Cause::allocation);
    // Every program allocates before its loop. Without iterations the two look the same.
    if (!facts.iterations.found() || count == 0 ||
        facts.perIteration(count) < facts.limit(Threshold::allocationsPerIteration) || lost <= 0)
        return quiet();
    Finding f;
    f.text = count == 1 ? base::message<reasons::kOneDeviceAllocation>(
                              occurrences(facts, count), base::Share{facts.share(time)}, shareMessage(facts, lost))
                        : base::message<reasons::kDeviceAllocations>(count, occurrences(facts, count),
                                                                     base::Share{facts.share(time)},
                                                                     shareMessage(facts, lost));
    f.share = lost;
    f.gain = {0.7 * lost, lost};
    f.evidence = evidence(facts, rows::allocationCalls(facts), longest);
    f.knob = switchOn(facts, {"cuda_graph"}, base::message<reasons::kAllocateBeforeTheLoopKeep>());
    f.verification = verifyBy(base::message<reasons::kByBuffersThatStay>(), base::message<reasons::kTheCountMustBe0>());
    return fired(std::move(f), Cause::allocation);
}

RuleResult hostAllocation(const Facts& facts)
{
    const double share = facts.share(Cause::allocation);
    if (share <= facts.limit(Threshold::allocationShare))
        return quiet();
    const analysis::AllocationLoad load =
        analysis::allocationLoad(facts.trace, trace::EventKind::tensorMemory, -1, facts.window);
    const std::int64_t calls = facts.host.count(OpClass::allocation) + facts.host.count(OpClass::fill);
    Finding f;
    const base::Bytes each{load.count > 0 ? load.bytes / static_cast<std::int64_t>(facts.steady.size()) : 0};
    const base::Message amount = !facts.iterations.found()   ? base::message<reasons::kBytesInAll>(each)
                                 : facts.iterations.marked() ? base::message<reasons::kBytesAnIteration>(each)
                                                             : base::message<reasons::kBytesASection>(each);
    const base::Message often = occurrences(facts, calls);
    f.text = load.count == 0 ? base::message<reasons::kHostAllocation>(shareMessage(facts, share), often)
             : load.largeCount == 0
                 ? base::message<reasons::kHostAllocationBytes>(shareMessage(facts, share), often, amount)
                 : base::message<reasons::kHostAllocationBlocks>(
                       shareMessage(facts, share), often, amount,
                       plural(load.largeCount, reasons::kOneBlock, reasons::kBlocks));
    f.share = share;
    f.gain = {0.5 * share, share};
    trace::TimeRange longest;
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
    f.knob = switchOn(facts, {"keep_memory", "aoti"}, base::message<reasons::kAllocateScratchTensorsOnceOutside>());
    f.verification = verifyBy(namedOr(f.knob.switchName, base::message<reasons::kByBuffersThatStay>()),
                              base::message<reasons::kTheBytesAllocatedMustFall>());
    return fired(std::move(f), Cause::allocation);
}

} // namespace

// allocation-in-loop: the driver allocates at least once in 100 steady iterations. On a CPU: fresh memory takes more
// than 5 %.
RuleResult allocationRule(const Facts& facts)
{
    return facts.onDevice ? deviceAllocation(facts) : hostAllocation(facts);
}

// memory-limit: the peak is above 90 % of the device's memory, or 1.3 times as much is reserved as used at the peak
// (and the difference is at least 256 MiB).
RuleResult memoryLimitRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    const analysis::MemoryUse* largest = nullptr;
    for (const analysis::MemoryUse& use : facts.memory)
        if (use.device == facts.device && (!largest || use.peak > largest->peak))
            largest = &use;
    if (!largest)
        return unknown(base::message<reasons::kAllocationsAreNotInThe>());
    const trace::DeviceProperties* device = facts.trace.device(facts.device);
    const std::int64_t total = device ? device->totalMemory : 0;
    const double used = total > 0 ? static_cast<double>(largest->peak) / static_cast<double>(total) : 0;
    const double fragmented = analysis::fragmentation(facts.memory, facts.device);
    const analysis::MemoryUse* tensors = nullptr;
    for (const analysis::MemoryUse& use : facts.memory)
        if (use.device == facts.device && use.kind == trace::EventKind::tensorMemory)
            tensors = &use;
    const double wasted = tensors && fragmented > 1 ? (fragmented - 1) * static_cast<double>(tensors->peak) : 0;
    const double leastWaste = facts.limit(Threshold::memoryUnused) * 1024 * 1024;
    const bool near = used > facts.limit(Threshold::memoryUsed);
    const bool wasteful = fragmented > facts.limit(Threshold::memoryReserved) && wasted >= leastWaste;
    if (!near && !wasteful)
        return quiet();
    Finding f;
    const std::vector<analysis::MemoryOwner>& owners = (tensors ? tensors : largest)->owners;
    const analysis::MemoryOwner* const owner =
        !owners.empty() && !owners.front().name.empty() ? &owners.front() : nullptr;
    const base::Bytes peak{largest->peak};
    const base::Bytes unused{static_cast<std::int64_t>(wasted)};
    const std::string times = base::formatSignificant(fragmented, 3);
    if (near)
        f.text = owner ? base::message<reasons::kPeakNearLimitHeld>(peak, base::Share{used}, owner->name,
                                                                    base::Bytes{owner->bytes})
                       : base::message<reasons::kPeakNearLimit>(peak, base::Share{used});
    else
        f.text =
            owner ? base::message<reasons::kMemoryReservedHeld>(times, unused, owner->name, base::Bytes{owner->bytes})
                  : base::message<reasons::kMemoryReserved>(times, unused);
    f.shareOf = ShareOf::memory;
    f.share = near ? used : wasted / std::max(1.0, static_cast<double>(total));
    f.gain = {0, near ? 0 : f.share}; // the gain of a smaller batch depends on how much memory the user wants to free
    // Totals of reserved bytes that the framework reported are no events of the driver, so the query asks for tensors
    // instead.
    Rows events{{largest->allocations > 0 ? largest->kind : trace::EventKind::tensorMemory},
                {facts.trace.begin().count, facts.trace.end().count + 1}};
    events.device = facts.device;
    const std::int64_t around = std::max<std::int64_t>(1, facts.window.length() / 50);
    f.evidence = evidence(
        facts, events, analysis::intersection({largest->peakTime - around, largest->peakTime + around}, events.window));
    f.knob = near ? advise(base::message<reasons::kLowerTheBatchOrSlice>())
                  : advise(base::message<reasons::kAllocateInFewerSizesExpandable>());
    f.verification = base::message<reasons::kMeasureThePeakAgain>();
    return fired(std::move(f));
}

// idle-cores: fewer threads than the processor has cores, while operators that scale with threads take most of the
// time.
RuleResult threadsRule(const Facts& facts)
{
    if (facts.onDevice)
        return quiet();
    const double scalable = facts.share(Cause::compute) + facts.share(Cause::memory);
    if (scalable < facts.limit(Threshold::idleCoresShare))
        return quiet();
    const bool configured = facts.context.config && facts.context.config->threads > 0;
    if (!facts.context.device || facts.context.device->cores <= 0 || (!configured && !facts.processorsBusy))
        return unknown(base::message<reasons::kHowManyThreadsRanOn>());
    // The number of threads is the configured one, otherwise the number of busy processors.
    const int threads =
        configured ? facts.context.config->threads : std::max(1, static_cast<int>(std::lround(*facts.processorsBusy)));
    const int cores = facts.context.device->cores;
    if (threads >= cores || (facts.processorsBusy && *facts.processorsBusy > threads + 0.5))
        return quiet();
    const double saved = scalable * (1 - static_cast<double>(threads) / cores);
    Finding f;
    const base::Message work =
        threads == 1 ? base::message<reasons::kOneThreadWorks>(cores, shareMessage(facts, scalable))
                     : base::message<reasons::kThreadsWork>(threads, cores, shareMessage(facts, scalable));
    const base::Message busy =
        facts.processorsBusy
            ? base::message<reasons::kProcessorsBusy>(base::formatSignificant(*facts.processorsBusy, 2))
            : base::Message{};
    f.text = base::sentencesOf({work, busy});
    // Where something else took the processor, more threads may find no free core.
    const bool taken = facts.interrupted.time > facts.context.noiseFloor * static_cast<double>(facts.window.length());
    f.confidence = configured && !taken ? Confidence::trace : Confidence::estimate;
    f.share = scalable;
    f.gain = {taken ? 0 : 0.4 * saved, saved};
    f.evidence = evidence(facts, rows::operators(facts), facts.steady.front());
    f.knob = advise(base::message<reasons::kUseThreads>(cores));
    f.knob.threads = configured ? cores : 0;
    f.verification = verifyBy(base::message<reasons::kThreadsAnd>(threads, cores));
    return fired(std::move(f), Cause::compute);
}

} // namespace apertune::advice
