// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/verdict.h"

#include "core/advice/rule_parts.h"
#include "core/advice/trace_queries.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace apertune::advice {

using analysis::CallKind;
using analysis::IdleCause;

namespace {

constexpr double kNamed = 0.15;
constexpr double kNamedTogether = 0.25;
constexpr double kNamedAmong = 0.1;
constexpr double kTraffic = 0.6;
constexpr double kArithmetic = 0.7;
constexpr double kUntold = 0.4;
constexpr double kFusedTold = 0.1;
constexpr std::size_t kFewest = 10;

constexpr std::array kOverheads = {Cause::launch,          Cause::host,      Cause::transfer, Cause::communication,
                                   Cause::synchronization, Cause::allocation};

VerdictKind wordOf(Cause cause)
{
    switch (cause) {
    case Cause::compute:
        return VerdictKind::computeBound;
    case Cause::memory:
        return VerdictKind::memoryBound;
    case Cause::launch:
        return VerdictKind::launchBound;
    case Cause::host:
        return VerdictKind::hostBound;
    case Cause::transfer:
        return VerdictKind::transferBound;
    case Cause::communication:
        return VerdictKind::communicationBound;
    case Cause::synchronization:
        return VerdictKind::synchronizationBound;
    case Cause::allocation:
        return VerdictKind::allocationBound;
    case Cause::other:
        break;
    }
    return VerdictKind::balanced;
}

Cause causeOf(VerdictKind kind)
{
    for (std::size_t i = 0; i < kCauses; ++i)
        if (wordOf(static_cast<Cause>(i)) == kind && static_cast<Cause>(i) != Cause::other)
            return static_cast<Cause>(i);
    return Cause::other;
}

bool mostlyPageable(const Facts& facts)
{
    std::int64_t all = 0, pageable = 0;
    for (const analysis::TransferRow& row : facts.transfers.rows) {
        all += row.crossesLink() ? row.bytes : 0;
        pageable += row.crossesLink() && row.touchesPageable() ? row.bytes : 0;
    }
    return 2 * pageable > all;
}

std::string phrase(const Facts& facts, Cause cause)
{
    switch (cause) {
    case Cause::compute:
        return "arithmetic (convolutions, matrix products)";
    case Cause::memory:
        return facts.onDevice ? "moving data within the device" : "moving data through memory";
    case Cause::launch:
        return facts.onDevice ? "waiting for launches" : "calling operators rather than running them";
    case Cause::host:
        return facts.onDevice ? "waiting for a host that does something else" + hostBusyText(facts)
                              : "outside of any operator";
    case Cause::transfer:
        return "copies between host and device that nothing hides";
    case Cause::communication:
        return "collectives that no computation hides (sending, or waiting for another rank: one rank cannot tell)";
    case Cause::synchronization:
        return "running dry because the host waited";
    case Cause::allocation:
        return facts.onDevice ? "waiting for allocations" : "allocating and clearing memory";
    case Cause::other:
        break;
    }
    return "work of unknown sort";
}

analysis::Interval longestGap(const Facts& facts, std::initializer_list<IdleCause> causes)
{
    analysis::Interval longest;
    for (const analysis::Gap& gap : facts.use.gaps)
        if (std::find(causes.begin(), causes.end(), gap.main()) != causes.end() && gap.time.length() > longest.length())
            longest = gap.time;
    return longest;
}

bool isCommunication(analysis::OpClass c)
{
    return c == analysis::OpClass::communication;
}

bool isAllocation(analysis::OpClass c)
{
    return c == analysis::OpClass::allocation || c == analysis::OpClass::fill;
}

bool isUnknown(analysis::OpClass c)
{
    return c == analysis::OpClass::other;
}

analysis::Interval longestWork(const Facts& facts, bool (*fits)(analysis::OpClass))
{
    analysis::Interval longest;
    if (facts.onDevice) {
        for (const analysis::Work& w : facts.index.work)
            if (w.isKernel() && facts.window.contains(w.time.start) && fits(facts.index.kernelClass(w.name)) &&
                w.time.length() > longest.length())
                longest = w.time;
    } else {
        std::int64_t most = 0;
        for (std::size_t i = 0; i < facts.forest.nodes.size(); ++i) {
            const analysis::OperatorNode& n = facts.forest.nodes[i];
            if (facts.window.contains(n.time.start) && fits(facts.index.operatorClass(n.name)) &&
                facts.interrupted.of(i) == 0 && n.selfTime > most) {
                most = n.selfTime;
                longest = n.time;
            }
        }
    }
    return longest;
}

Evidence evidenceOf(const Facts& facts, Cause cause)
{
    using analysis::OpClass;
    const auto workOf = [&facts](bool (*fits)(OpClass)) {
        return rows::work(facts, [fits](std::uint32_t, OpClass c) { return fits(c); });
    };
    switch (cause) {
    case Cause::compute:
        return evidence(facts, workOf(analysis::isArithmetic), longestWork(facts, analysis::isArithmetic));
    case Cause::memory:
        return evidence(facts, workOf(analysis::isTraffic), longestWork(facts, analysis::isTraffic));
    case Cause::launch:
        return evidence(facts, facts.onDevice ? rows::launches(facts) : rows::operators(facts),
                        longestGap(facts, {IdleCause::launchGap}));
    case Cause::host:
        return evidence(facts, rows::gaps(facts, facts.onDevice ? analysis::kLongPause : kShortPause),
                        longestGap(facts, {IdleCause::hostWait}));
    case Cause::communication:
        return evidence(facts, workOf(isCommunication), longestWork(facts, isCommunication));
    case Cause::transfer: {
        analysis::Interval longest;
        for (const analysis::TransferRow& row : facts.transfers.rows)
            if (row.crossesLink() && row.longest.length() > longest.length())
                longest = row.longest;
        return evidence(facts,
                        rows::copies(facts, {trace::CopyDirection::hostToDevice, trace::CopyDirection::deviceToHost}),
                        longest);
    }
    case Cause::synchronization:
        return evidence(facts, rows::waits(facts), longestGap(facts, {IdleCause::synchronization}));
    case Cause::allocation:
        return evidence(facts, facts.onDevice ? rows::allocationCalls(facts) : workOf(isAllocation),
                        facts.onDevice ? longestGap(facts, {IdleCause::allocation}) : longestWork(facts, isAllocation));
    case Cause::other:
        break;
    }
    // Queues of a device are gaps; what is left is work whose name tells nothing.
    const auto idle = [&facts](IdleCause c) { return facts.use.idleBy[static_cast<std::size_t>(c)]; };
    const std::int64_t gaps = facts.onDevice ? idle(IdleCause::deviceQueue) + idle(IdleCause::unknown) : 0;
    if (2 * gaps > facts.causes[static_cast<std::size_t>(Cause::other)])
        return evidence(facts, rows::gaps(facts, 0), longestGap(facts, {IdleCause::unknown, IdleCause::deviceQueue}));
    return evidence(facts, workOf(isUnknown), longestWork(facts, isUnknown));
}

bool isBacked(Cause cause, const std::vector<Finding>& found)
{
    return std::any_of(found.begin(), found.end(), [cause](const Finding& f) { return f.cause == cause; });
}

std::vector<Knob> knobsFor(const Facts& facts, Cause cause, const std::vector<Finding>& found)
{
    std::vector<Knob> knobs;
    const auto add = [&knobs](Knob knob) {
        const bool known = std::any_of(knobs.begin(), knobs.end(), [&](const Knob& k) {
            return k.switchName == knob.switchName && (!k.switchName.empty() || k.text == knob.text);
        });
        if (!known && knobs.size() < 2)
            knobs.push_back(std::move(knob));
    };
    // What a rule found out about the very cause comes first.
    const auto fromRules = [&](std::initializer_list<const char*> ids) {
        for (const Finding& f : found)
            if (std::find(ids.begin(), ids.end(), f.rule) != ids.end())
                add(f.knob);
    };
    // Without a finding of its kind, general advice would be a guess; what recorded types tell is none.
    const bool backed = isBacked(cause, found);
    if (!backed && cause != Cause::memory && cause != Cause::compute)
        return knobs;
    switch (cause) {
    case Cause::launch:
        fromRules({"R3", "R2"});
        add(switchOn(facts, {"cuda_graph", "aoti", "freeze"}, "Launch the work as one graph, or in fewer pieces."));
        add(switchOn(facts, {"aoti", "onednn_graph", "freeze"}, "Fuse operators, or raise the batch."));
        break;
    case Cause::host:
        add(hostKnob(facts));
        break;
    case Cause::transfer:
        if (mostlyPageable(facts)) // nothing can hide or shrink them before they are pinned
            fromRules({"R4"});
        for (const char* const rule : {"R10", "R4", "R13", "R8", "R9", "R12", "R11"})
            fromRules({rule});
        add({"", true, "Copy from pinned memory on a stream of its own, and only what is needed."});
        break;
    case Cause::communication:
        fromRules({"R14"});
        break;
    case Cause::synchronization:
        fromRules({"R6", "R5"});
        add({"", true, "Wait once at the end of a pass, not within it."});
        break;
    case Cause::allocation:
        fromRules({"R28"});
        add({"", true, "Allocate before the loop and use the same buffers again."});
        break;
    case Cause::memory:
        fromRules({"R16", "R17", "R18", "R19"});
        if (!facts.onDevice)
            fromRules({"R11"});
        if (backed)
            add(facts.onDevice
                    ? switchOn(facts, {"aoti", "optimize_for_inference", "freeze"}, "Fuse what follows each other.")
                    : switchOn(facts, {"onednn_graph", "aoti", "optimize_for_inference"},
                               "Fuse what follows each other."));
        if (canMove16(facts))
            add({"", true, "Use a 16-bit precision: half the bytes."});
        break;
    case Cause::compute:
        fromRules({"R20", "R44", "R31", "R18"});
        if (tf32Helps(facts))
            add(switchOn(facts, {"tf32"}, "Use the device's faster arithmetic."));
        if (backed && !facts.onDevice)
            add(switchOn(facts, {"optimize_for_inference", "aoti"}, "Use the library's own weight layouts."));
        if (canCompute16(facts))
            add({"", true, "Use a lower precision (bf16, fp16) or a smaller input."});
        break;
    case Cause::other:
        break;
    }
    return knobs;
}

/// Why a cause names the verdict that is not the largest part; empty where it is.
std::string whyNotTheLargest(const Facts& facts, const Verdict& v, Cause cause)
{
    const CauseShare& largest = v.parts.front();
    if (largest.cause == cause || largest.share <= facts.share(cause))
        return {};
    switch (largest.cause) {
    case Cause::compute:
    case Cause::memory:
        if (cause == Cause::memory || cause == Cause::compute)
            break;
        return " It is named although it is not the largest part, because it is overhead: the larger part is the work "
               "itself.";
    case Cause::other:
        return " The larger part is of a sort that was not recorded, so it names nothing.";
    default:
        if (facts.onDevice)
            return {};
        break;
    }
    return " The larger part is usual for a CPU up to " + percent(kNamedOnHost) + ", so it names nothing.";
}

/// What runs without reporting operators, what it was found to be bound by, or what would tell.
std::string fusedText(const Facts& facts)
{
    const FusedWork& fused = facts.fused;
    std::string text = percent(facts.share(fused.time)) + " " + wholeName(facts) +
                       " runs in fused or compiled code that reports no operators";
    constexpr std::size_t kTold = 3;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(kTold, fused.groups.size()); ++i)
        if (facts.share(fused.groups[i].time) >= 0.01)
            names.push_back(std::string(facts.index.text(fused.groups[i].name)) + " " +
                            percent(facts.share(fused.groups[i].time)));
    if (!names.empty())
        text += " (" + base::counted(static_cast<std::int64_t>(fused.groups.size()), "group") + ": " +
                base::join(names, ", ") + (fused.groups.size() > names.size() ? ", …)" : ")");
    if (facts.host.silent > fused.time / 2)
        text += ", most of it without a name";
    const auto rate = [](double perSecond) { return base::formatSignificant(perSecond * 1e-9, 3) + " GFLOP/s"; };
    switch (fused.bound) {
    case analysis::Bound::compute:
        return text + ": the model's arithmetic in it runs at " + rate(fused.achieved) + ", " +
               percent(fused.efficiency) + " of what the machine's matrix products reach.";
    case analysis::Bound::memory:
        return text + ": reading the model's weights alone takes " + percent(fused.efficiency) +
               " of the machine's copy rate.";
    case analysis::Bound::latency:
        return text + ": the model's arithmetic in it runs at " + rate(fused.achieved) +
               ", far below what the machine reaches in products and copies. Trace the same model without fusion (O0) "
               "to see what it is made of.";
    case analysis::Bound::unknown:
        break;
    }
    text += ": trace the same model without fusion (O0) to see what it is made of";
    if (facts.context.passFlops <= 0)
        text += ", or a trial whose model's arithmetic is counted";
    else if (!facts.context.ceilings.complete())
        text += ", or measure the machine's ceilings (apertune ceilings) to tell arithmetic from traffic";
    return text + ".";
}

/// Why nothing can be said; empty when something can.
std::vector<std::string> missing(const Facts& facts)
{
    std::vector<std::string> needs;
    std::int64_t launched = 0;
    std::int64_t lost = 0;
    for (const analysis::HostCall& call : facts.index.calls) {
        if (call.kind != CallKind::launch && call.kind != CallKind::graphLaunch)
            continue;
        ++launched;
        lost += call.work == analysis::kNone ? 1 : 0;
    }
    if (launched > 0 && 2 * lost > launched) {
        needs.push_back(base::counted(launched, "kernel was", "kernels were") + " launched and " +
                        (lost == launched ? "none" : std::to_string(launched - lost)) +
                        " recorded: record kernels and copies (activity tracing) in the same run.");
        if (facts.index.hasKind(trace::EventKind::profilerRange))
            needs.push_back("This is a pass for hardware counters, which runs each kernel on its own; its times say "
                            "nothing about the program. Trace the program in a run without counters.");
        return needs;
    }
    const std::size_t work = facts.onDevice ? facts.index.work.size() : facts.forest.nodes.size();
    if (work == 0) {
        needs.push_back("There is neither device work nor an operator in the trace: record kernels, copies and the "
                        "runtime's calls, or the framework's operators.");
        return needs;
    }
    if (work < kFewest || facts.window.length() <= 0) {
        needs.push_back((work == 1 ? "There is only " : "There are only ") +
                        base::counted(static_cast<std::int64_t>(work), "piece") +
                        " of work: record ten iterations or more.");
        return needs;
    }
    for (const trace::Loss& loss : facts.trace.losses)
        if (loss.severity == trace::Severity::error &&
            (trace::isDeviceWork(loss.kind) || loss.kind == trace::EventKind::operatorCall))
            needs.push_back("Records are missing (" + loss.reason +
                            "): trace again with larger buffers or fewer "
                            "iterations.");
    if (!needs.empty())
        return needs;
    if (facts.onDevice) {
        const double untold = facts.share(facts.use.idleBy[static_cast<std::size_t>(IdleCause::unknown)]);
        if (untold > kUntold)
            needs.push_back("The device idles " + percent(untold) +
                            " and the calls that ended the idle times were "
                            "not recorded: record the runtime's calls.");
    }
    // One range of the program may be the whole program.
    const bool once = !facts.iterations.found() ||
                      (facts.iterations.source == analysis::IterationSource::range && facts.iterations.all.size() == 1);
    if (facts.onDevice && once && facts.share(Cause::allocation) >= kNamed)
        needs.push_back("Nothing repeats and " + percent(facts.share(Cause::allocation)) + " " + wholeName(facts) +
                        " is allocation, as at the start of any program: record ten passes after a warm-up.");
    if (!needs.empty() || facts.share(Cause::other) <= kUntold)
        return needs;
    const std::int64_t queued = facts.onDevice ? facts.use.idleBy[static_cast<std::size_t>(IdleCause::deviceQueue)] : 0;
    const std::int64_t other = facts.causes[static_cast<std::size_t>(Cause::other)];
    if (!facts.onDevice && 2 * facts.fused.time > other)
        needs.push_back(fusedText(facts));
    else if (2 * queued > other)
        needs.push_back(
            "The device idles " + percent(facts.share(queued)) + " " + wholeName(facts) +
            " although work was launched, and what held it back was not recorded: record all streams and "
            "processes of the device and the waits of its streams, from before the work that it waits for.");
    else
        needs.push_back(percent(facts.share(Cause::other)) + " " + wholeName(facts) +
                        " is work whose sort its name does not tell: record operators with their shapes.");
    return needs;
}

std::vector<std::string> wouldHelp(const Facts& facts)
{
    std::vector<std::string> hints;
    const double interrupted = facts.window.length() > 0 ? static_cast<double>(facts.interrupted.time) /
                                                               static_cast<double>(facts.window.length())
                                                         : 0;
    if (interrupted >= facts.context.noiseFloor)
        hints.push_back("Trace on a quieter machine: other work interrupted " +
                        base::counted(facts.interrupted.calls, "call") + ", for " + percent(interrupted) +
                        " of the recording. They took over three times as long as in the other iterations; what is "
                        "over their usual time is in no share.");
    constexpr const char* kMark = "Mark passes with ranges (record_function, NVTX) or with the profiler's step().";
    if (!facts.iterations.found())
        hints.push_back(std::string("No iteration was recognised; shares are of the whole recording. Trace ten or more "
                                    "passes. ") +
                        kMark);
    else if (!facts.iterations.marked())
        hints.push_back("No iteration is marked in the recording. Shares are of a section of the work that repeats " +
                        std::to_string(facts.iterations.all.size()) +
                        " times; it may be a layer, a loop or a whole pass. " + kMark);
    else if (facts.iterations.all.size() == 1)
        hints.push_back("One iteration was recorded: nothing tells how much iterations vary. Record ten or more.");
    if (!facts.context.ceilings.complete())
        hints.push_back("The machine's ceilings are not known: arithmetic and traffic are told apart by name.");
    else if (facts.roofline.empty())
        hints.push_back("No input shapes were recorded: arithmetic and traffic are told apart by name.");
    return hints;
}

} // namespace

std::string_view toString(VerdictKind kind)
{
    constexpr std::array<std::string_view, 10> kWords = {"abstained",        "balanced",
                                                         "launch-bound",     "host-bound",
                                                         "transfer-bound",   "synchronization-bound",
                                                         "memory-bound",     "compute-bound",
                                                         "allocation-bound", "communication-bound"};
    return kWords[static_cast<std::size_t>(kind)];
}

Verdict verdictOf(const Facts& facts, const std::vector<Finding>& found)
{
    Verdict v;
    for (std::size_t i = 0; i < kCauses; ++i) {
        const auto cause = static_cast<Cause>(i);
        if (facts.causes[i] <= 0)
            continue;
        v.parts.push_back({cause, facts.causes[i], facts.share(cause), evidenceOf(facts, cause)});
        if (analysis::Interval& range = v.parts.back().evidence.range; range.length() == 0)
            range = facts.steady.front(); // nothing of it stands out
    }
    std::stable_sort(v.parts.begin(), v.parts.end(),
                     [](const CauseShare& a, const CauseShare& b) { return a.time > b.time; });
    v.needs = missing(facts);
    if (!v.needs.empty()) {
        v.parts.clear();
        v.sentence = "Cannot tell. " + base::join(v.needs, " ");
        return v;
    }

    // On a CPU the host is the device: pauses and passing on are part of running a model, up to a point.
    const auto counts = [&facts](Cause cause) {
        const bool ordinary = !facts.onDevice && (cause == Cause::host || cause == Cause::launch);
        return !ordinary || facts.share(cause) >= kNamedOnHost;
    };
    Cause largest = Cause::allocation;
    double together = 0;
    for (const Cause cause : kOverheads) {
        if (!counts(cause))
            continue;
        together += facts.share(cause);
        if (facts.share(cause) > facts.share(largest))
            largest = cause;
    }
    const double arithmetic = facts.share(Cause::compute);
    const double traffic = facts.share(Cause::memory);
    const double told = arithmetic + traffic;
    if (facts.share(largest) >= kNamed || (together >= kNamedTogether && facts.share(largest) >= kNamedAmong))
        v.kind = wordOf(largest);
    else if (told > 0 && traffic >= kTraffic * told)
        v.kind = VerdictKind::memoryBound;
    else if (told > 0 && arithmetic >= kArithmetic * told)
        v.kind = VerdictKind::computeBound;
    else
        v.kind = VerdictKind::balanced;
    const bool byName =
        v.kind == VerdictKind::memoryBound || v.kind == VerdictKind::computeBound || v.kind == VerdictKind::balanced;
    v.confidence = byName && (!facts.context.ceilings.complete() || facts.roofline.empty()) ? Confidence::estimate
                                                                                            : Confidence::trace;
    v.needs = wouldHelp(facts);
    const analysis::FormatTimes& formats =
        v.kind == VerdictKind::memoryBound ? facts.precision.traffic : facts.precision.arithmetic;
    if ((v.kind == VerdictKind::memoryBound || v.kind == VerdictKind::computeBound) && formats.isMostlyUnknown())
        v.needs.push_back("What " +
                          percent(static_cast<double>(formats.of(analysis::NumberFormat::unknown)) /
                                  static_cast<double>(formats.all())) +
                          (v.kind == VerdictKind::memoryBound ? " of the traffic" : " of the arithmetic") +
                          " computes in is not recorded, so nothing is said of precision: record operators with their "
                          "shapes and types (record_shapes).");
    if (!facts.onDevice && facts.share(facts.fused.time) >= kFusedTold) {
        v.needs.insert(v.needs.begin(), fusedText(facts));
        v.confidence = Confidence::estimate;
    }

    const std::string subject = facts.onDevice ? "the device" : "the thread";
    std::string name(toString(v.kind));
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
    const auto part = [&](Cause cause) { return percent(facts.share(cause)) + " is " + phrase(facts, cause); };
    if (v.kind == VerdictKind::balanced) {
        v.sentence = name + ": of the time of " + subject + ", " + part(Cause::compute) + " and " +
                     part(Cause::memory) +
                     ". Neither rules the other (arithmetic from 70 % of the two on, moving data from 60 %), and no "
                     "overhead is large enough to name.";
        return v;
    }
    const Cause cause = causeOf(v.kind);
    v.sentence = name + ": of the time of " + subject + ", " + part(cause);
    for (const CauseShare& other : v.parts)
        if (other.cause != cause && other.share >= 0.05) {
            v.sentence += "; " + part(other.cause);
            break;
        }
    v.sentence += "." + whyNotTheLargest(facts, v, cause);
    v.knobs = knobsFor(facts, cause, found);
    if (!isBacked(cause, found))
        v.sentence += v.knobs.empty() ? " Nothing to act on was recorded for it: no rule found where it comes from."
                                      : " No rule found where it comes from; what to try follows from the recorded "
                                        "number formats alone.";
    return v;
}

FindingReport reportFindings(const Facts& facts)
{
    FindingReport j;
    j.rules = evaluateRules(facts);
    j.findings = findings(j.rules);
    j.verdict = verdictOf(facts, j.findings);
    // Where nothing can be said of the whole, parts of it would mislead.
    if (j.verdict.kind == VerdictKind::abstained)
        j.findings.clear();
    return j;
}

std::string Untold::names() const
{
    std::string text;
    for (const RuleResult* rule : rules)
        text += (text.empty() ? "" : ", ") + rule->rule + " " + rule->title;
    return text;
}

std::vector<Untold> untoldRules(const FindingReport& findingReport)
{
    std::vector<Untold> all;
    for (const RuleResult& rule : findingReport.rules) {
        if (rule.state != RuleState::unknown || findingReport.verdict.kind == VerdictKind::abstained)
            continue;
        auto same = std::find_if(all.begin(), all.end(), [&](const Untold& u) { return u.need == rule.reason; });
        if (same == all.end())
            same = all.insert(all.end(), Untold{rule.reason, {}});
        same->rules.push_back(&rule);
    }
    return all;
}

} // namespace apertune::advice
