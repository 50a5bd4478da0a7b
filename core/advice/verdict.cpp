// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/verdict.h"

#include "core/advice/rule_parts.h"
#include "core/advice/trace_queries.h"
#include "core/analysis/lost_kernels.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace apertune::advice {

using analysis::IdleCause;

namespace {

constexpr double kNamed = 0.15;
constexpr double kNamedTogether = 0.25;
constexpr double kNamedAmong = 0.1;
constexpr double kTraffic = 0.6;
constexpr double kArithmetic = 0.7;
constexpr double kMostUnrecorded = 0.4;
constexpr double kFusedReported = 0.1;
constexpr std::size_t kFewest = 10;
constexpr std::int64_t kManyFunctions = 5; ///< recorded functions of a script for each kernel

constexpr std::array kOverheads = {Cause::launch,          Cause::host,       Cause::transfer,  Cause::communication,
                                   Cause::synchronization, Cause::firstCalls, Cause::allocation};

VerdictKind kindOf(Cause cause)
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
    case Cause::firstCalls:
        return VerdictKind::warmingUp;
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
        if (kindOf(static_cast<Cause>(i)) == kind && static_cast<Cause>(i) != Cause::other)
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

trace::TimeRange longestGap(const Facts& facts, std::initializer_list<IdleCause> causes)
{
    trace::TimeRange longest;
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

trace::TimeRange longestWork(const Facts& facts, bool (*fits)(analysis::OpClass))
{
    trace::TimeRange longest;
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
        trace::TimeRange longest;
        for (const analysis::TransferRow& row : facts.transfers.rows)
            if (row.crossesLink() && row.longest.length() > longest.length())
                longest = row.longest;
        return evidence(facts,
                        rows::copies(facts, {trace::CopyDirection::hostToDevice, trace::CopyDirection::deviceToHost}),
                        longest);
    }
    case Cause::synchronization:
        return evidence(facts, rows::waits(facts), longestGap(facts, {IdleCause::synchronization}));
    case Cause::firstCalls:
        return evidence(facts, rows::firstCalls(facts), longestGap(facts, {IdleCause::firstCall}));
    case Cause::allocation:
        return evidence(facts, facts.onDevice ? rows::allocationCalls(facts) : workOf(isAllocation),
                        facts.onDevice ? longestGap(facts, {IdleCause::allocation}) : longestWork(facts, isAllocation));
    case Cause::other:
        break;
    }
    // Queues of a device appear as gaps. The rest of this cause is work whose name does not show its kind.
    if (isMostlyIdle(facts))
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
    // The findings about this cause know more than the general advice below, so their changes come first.
    const auto fromRules = [&](std::initializer_list<const char*> ids) {
        for (const Finding& f : found)
            if (std::find(ids.begin(), ids.end(), f.rule) != ids.end())
                add(f.knob);
    };
    // Without a finding of this cause general advice would be a guess. Only memory and compute go on: recorded types
    // back theirs.
    const bool backed = isBacked(cause, found);
    if (!backed && cause != Cause::memory && cause != Cause::compute)
        return knobs;
    switch (cause) {
    case Cause::launch:
        fromRules({"tiny-kernels", "enqueue-bound"});
        add(fewerLaunches(facts));
        if (!launchesFromCompiledCode(facts))
            add(switchOn(facts, {"aoti", "onednn_graph", "freeze"},
                         base::message<reasons::kFuseOperatorsOrRaiseThe>()));
        break;
    case Cause::host:
        add(hostKnob(facts));
        break;
    case Cause::transfer:
        if (mostlyPageable(facts)) // pageable copies can neither overlap nor shrink until they are pinned
            fromRules({"pageable-copies"});
        for (const char* const rule : {"host-round-trip", "pageable-copies", "no-overlap", "upload-bound",
                                       "download-bound", "repeated-uploads", "needless-copies"})
            fromRules({rule});
        add(advise(base::message<reasons::kCopyFromPinnedMemoryOn>()));
        break;
    case Cause::communication:
        fromRules({"exposed-communication"});
        break;
    case Cause::synchronization:
        fromRules({"waits-in-iteration", "blocking-copies"});
        add(advise(base::message<reasons::kWaitOnceAtTheEnd>()));
        break;
    case Cause::firstCalls:
        fromRules({"first-calls"});
        break;
    case Cause::allocation:
        fromRules({"allocation-in-loop"});
        add(advise(base::message<reasons::kAllocateBeforeTheLoopAnd>()));
        break;
    case Cause::memory:
        fromRules({"unfused-attention", "layout-conversions", "type-conversions", "unfused-batchnorm",
                   "unfused-elementwise", "device-copies"});
        if (!facts.onDevice)
            fromRules({"needless-copies"});
        if (backed)
            add(facts.onDevice ? switchOn(facts, {"aoti", "optimize_for_inference", "freeze"},
                                          base::message<reasons::kFuseWhatFollowsEachOther>())
                               : switchOn(facts, {"onednn_graph", "aoti", "optimize_for_inference"},
                                          base::message<reasons::kFuseWhatFollowsEachOther>()));
        if (canMove16(facts))
            add(advise(base::message<reasons::kUseA16BitPrecision>()));
        break;
    case Cause::compute:
        fromRules({"float-layers", "wide-arithmetic", "slow-convolutions", "unaligned-products", "unaligned-channels",
                   "idle-cores", "underfilled-device", "unfused-batchnorm"});
        if (tf32Helps(facts))
            add(switchOn(facts, {"tf32"}, base::message<reasons::kUseTheDeviceSFasterArithmetic>()));
        if (backed && !facts.onDevice)
            add(switchOn(facts, {"optimize_for_inference", "aoti"}, base::message<reasons::kUseTheLibrarySOwn>()));
        if (canCompute16(facts))
            add(advise(use16Bits(facts)));
        break;
    case Cause::other:
        break;
    }
    return knobs;
}

/// Says why the verdict has the name of a cause that is not the largest part. Empty when it is the largest.
base::Message whyNotTheLargest(const Facts& facts, const Verdict& v, Cause cause)
{
    const CauseShare& largest = v.parts.front();
    if (largest.cause == cause || largest.share <= facts.share(cause))
        return {};
    switch (largest.cause) {
    case Cause::compute:
    case Cause::memory:
        if (cause == Cause::memory || cause == Cause::compute)
            break;
        return base::message<reasons::kNamedAsOverhead>();
    case Cause::other:
        return base::message<reasons::kLargerNotRecorded>();
    default:
        if (facts.onDevice)
            return {};
        break;
    }
    return base::message<reasons::kLargerUsualOnCpu>(base::Share{kNamedOnHost});
}

/// Says which code runs without reporting operators and what limits it, or what has to be recorded to find out.
base::Message fusedText(const Facts& facts)
{
    const FusedWork& fused = facts.fused;
    constexpr std::size_t kMostListed = 3;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(kMostListed, fused.groups.size()); ++i)
        if (facts.share(fused.groups[i].time) >= 0.01)
            names.push_back(std::string(facts.index.text(fused.groups[i].name)) + " " +
                            percent(facts.share(fused.groups[i].time)));
    const std::string list = base::join(names, ", ") + (fused.groups.size() > names.size() ? ", …" : "");
    base::Message code = names.empty() ? base::message<reasons::kFusedCode>()
                         : fused.groups.size() == 1
                             ? base::message<reasons::kFusedCodeGroup>(list)
                             : base::message<reasons::kFusedCodeGroups>(fused.groups.size(), list);
    if (facts.host.unrecorded > fused.time / 2)
        code = base::message<reasons::kFusedCodeUnnamed>(std::move(code));
    const base::Message share = shareMessage(facts, facts.share(fused.time));
    const std::string rate = base::formatSignificant(fused.achieved * 1e-9, 3) + " GFLOP/s";
    const base::Share efficiency{fused.efficiency};
    switch (fused.bound) {
    case analysis::Bound::compute:
        return base::message<reasons::kFusedCompute>(share, code, rate, efficiency);
    case analysis::Bound::memory:
        return base::message<reasons::kFusedMemory>(share, code, efficiency);
    case analysis::Bound::latency:
        return base::message<reasons::kFusedLatency>(share, code, rate);
    case analysis::Bound::unknown:
        break;
    }
    if (facts.context.passFlops <= 0)
        return base::message<reasons::kFusedUncounted>(share, code);
    return facts.context.ceilings.complete() ? base::message<reasons::kFusedUnknown>(share, code)
                                             : base::message<reasons::kFusedNoCeilings>(share, code);
}

/// The reasons why no verdict is possible; empty when one is.
std::vector<base::Message> missingEvidence(const Facts& facts)
{
    std::vector<base::Message> needs;
    // Lost kernels come first: without them every other number is wrong.
    const auto [launched, lost, captured] = analysis::lostKernels(facts.index);
    if (2 * lost > launched) {
        needs.push_back(lost != launched ? base::message<reasons::kKernelsPartlyLost>(launched, launched - lost)
                        : launched == 1  ? base::message<reasons::kOneKernelLost>()
                                         : base::message<reasons::kKernelsLost>(launched));
        if (facts.index.hasKind(trace::EventKind::profilerRange))
            needs.push_back(base::message<reasons::kCounterPass>());
        return needs;
    }
    const std::size_t work = facts.onDevice ? facts.index.work.size() : facts.forest.nodes.size();
    if (captured > 0 && facts.index.work.size() < kFewest) {
        needs.push_back(base::message<reasons::kOnlyACapture>(captured));
        return needs;
    }
    if (work == 0) {
        needs.push_back(base::message<reasons::kNoWork>());
        return needs;
    }
    if (work < kFewest || facts.window.length() <= 0) {
        needs.push_back(work == 1 ? base::message<reasons::kOnePiece>() : base::message<reasons::kFewPieces>(work));
        return needs;
    }
    for (const trace::Loss& loss : facts.trace.losses)
        if (loss.severity == trace::LossSeverity::error &&
            (trace::isDeviceWork(loss.kind) || loss.kind == trace::EventKind::operatorCall))
            needs.push_back(base::message<reasons::kRecordsMissing>(loss.reason));
    if (!needs.empty())
        return needs;
    if (facts.onDevice) {
        const double unrecorded = facts.share(facts.use.idleBy[static_cast<std::size_t>(IdleCause::unknown)]);
        if (unrecorded > kMostUnrecorded)
            needs.push_back(base::message<reasons::kIdleUnrecorded>(base::Share{unrecorded}));
    }
    // A single range of the program may be the whole program, where allocations at the start are normal.
    const bool once = !facts.iterations.found() ||
                      (facts.iterations.source == analysis::IterationSource::range && facts.iterations.all.size() == 1);
    if (facts.onDevice && once && facts.share(Cause::allocation) >= kNamed)
        needs.push_back(base::message<reasons::kNothingRepeats>(shareMessage(facts, facts.share(Cause::allocation))));
    if (!needs.empty() || facts.share(Cause::other) <= kMostUnrecorded)
        return needs;
    const std::int64_t queued = facts.onDevice ? facts.use.idleBy[static_cast<std::size_t>(IdleCause::deviceQueue)] : 0;
    const std::int64_t other = facts.causes[static_cast<std::size_t>(Cause::other)];
    if (!facts.onDevice && 2 * facts.fused.time > other)
        needs.push_back(fusedText(facts));
    else if (2 * queued > other)
        needs.push_back(base::message<reasons::kHeldBack>(shareMessage(facts, facts.share(queued))));
    else
        needs.push_back(base::message<reasons::kUnknownSort>(shareMessage(facts, facts.share(Cause::other))));
    return needs;
}

std::vector<base::Message> furtherNeeds(const Facts& facts)
{
    std::vector<base::Message> hints;
    const double interrupted = facts.window.length() > 0 ? static_cast<double>(facts.interrupted.time) /
                                                               static_cast<double>(facts.window.length())
                                                         : 0;
    const base::Share share{interrupted};
    if (interrupted >= facts.context.noiseFloor)
        hints.push_back(facts.interrupted.times == 1
                            ? base::message<reasons::kOneInterruption>(share)
                            : base::message<reasons::kInterruptions>(facts.interrupted.times, share));
    if (const std::int64_t functions = facts.recordedFunctions();
        functions > kManyFunctions * facts.launches.kernels &&
        facts.share(Cause::launch) + facts.share(Cause::host) >= kNamedAmong)
        hints.push_back(base::message<reasons::kFunctionsRecorded>(functions));
    if (facts.onDevice && facts.index.devices.size() > 1)
        hints.push_back(base::message<reasons::kOneOfSeveralDevices>(facts.device, facts.index.devices.size()));
    if (facts.heldBack > 0)
        hints.push_back(base::message<reasons::kHeldByEarlierWork>(timeText(facts.heldBack)));
    const analysis::LaunchStatistics& launches = facts.launches;
    if (const double unlaunched = facts.share(launches.withoutCallTime);
        launches.withoutCall < launches.kernels && unlaunched >= facts.context.noiseFloor)
        hints.push_back(base::message<reasons::kLaunchesNotRecorded>(
            plural(launches.withoutCall, reasons::kOneKernel, reasons::kKernels), shareMessage(facts, unlaunched)));
    if (!facts.iterations.found())
        hints.push_back(base::message<reasons::kNoIteration>());
    else if (!facts.iterations.marked())
        hints.push_back(base::message<reasons::kUnmarkedIterations>(facts.iterations.all.size()));
    else if (facts.iterations.all.size() == 1)
        hints.push_back(base::message<reasons::kSingleIteration>());
    if (!facts.context.ceilings.complete())
        hints.push_back(base::message<reasons::kNoCeilings>());
    else if (facts.context.ceilings.fromDataSheet && !facts.roofline.empty())
        hints.push_back(base::message<reasons::kDataSheetCeilings>(facts.context.ceilings.source));
    else if (facts.roofline.empty())
        hints.push_back(base::message<reasons::kNoShapes>());
    return hints;
}

} // namespace

std::string_view toString(VerdictKind kind)
{
    constexpr std::array<std::string_view, 11> kWords = {
        "abstained",           "balanced",       "launch-bound",
        "host-bound",          "transfer-bound", "synchronization-bound",
        "memory-bound",        "compute-bound",  "allocation-bound",
        "communication-bound", "warming-up"};
    return kWords[static_cast<std::size_t>(kind)];
}

namespace {

base::Message named(VerdictKind kind)
{
    switch (kind) {
    case VerdictKind::launchBound:
        return base::message<reasons::kLaunchBound>();
    case VerdictKind::hostBound:
        return base::message<reasons::kHostBound>();
    case VerdictKind::transferBound:
        return base::message<reasons::kTransferBound>();
    case VerdictKind::synchronizationBound:
        return base::message<reasons::kSynchronizationBound>();
    case VerdictKind::memoryBound:
        return base::message<reasons::kMemoryBound>();
    case VerdictKind::computeBound:
        return base::message<reasons::kComputeBound>();
    case VerdictKind::allocationBound:
        return base::message<reasons::kAllocationBound>();
    case VerdictKind::communicationBound:
        return base::message<reasons::kCommunicationBound>();
    case VerdictKind::warmingUp:
        return base::message<reasons::kWarmingUp>();
    case VerdictKind::abstained:
    case VerdictKind::balanced:
        break;
    }
    return {};
}

} // namespace

Verdict verdictOf(const Facts& facts, const std::vector<Finding>& found)
{
    Verdict v;
    for (std::size_t i = 0; i < kCauses; ++i) {
        const auto cause = static_cast<Cause>(i);
        if (facts.causes[i] <= 0)
            continue;
        v.parts.push_back({cause, facts.causes[i], facts.share(cause), evidenceOf(facts, cause)});
        if (trace::TimeRange& range = v.parts.back().evidence.range; range.length() == 0)
            range = facts.steady.front(); // no case of it stands out
    }
    std::stable_sort(v.parts.begin(), v.parts.end(),
                     [](const CauseShare& a, const CauseShare& b) { return a.time > b.time; });
    v.needs = missingEvidence(facts);
    if (!v.needs.empty()) {
        v.parts.clear();
        v.sentence = base::message<reasons::kCannotTell>(v.needs);
        return v;
    }

    // On a CPU the host is the device. Pauses and dispatch are part of running a model up to kNamedOnHost.
    const auto counts = [&facts](Cause cause) {
        const bool ordinary = !facts.onDevice && (cause == Cause::host || cause == Cause::launch);
        return !ordinary || facts.share(cause) >= kNamedOnHost;
    };
    // The comparison starts with an overhead that counts on a CPU, too.
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
    const double classified = arithmetic + traffic;
    if (facts.share(largest) >= kNamed || (together >= kNamedTogether && facts.share(largest) >= kNamedAmong))
        v.kind = kindOf(largest);
    else if (classified > 0 && traffic >= kTraffic * classified)
        v.kind = VerdictKind::memoryBound;
    else if (classified > 0 && arithmetic >= kArithmetic * classified)
        v.kind = VerdictKind::computeBound;
    else
        v.kind = VerdictKind::balanced;
    // Only names show what is arithmetic and what is traffic. Only ceilings and shapes turn that estimate into a
    // measurement.
    const bool byName =
        v.kind == VerdictKind::memoryBound || v.kind == VerdictKind::computeBound || v.kind == VerdictKind::balanced;
    v.confidence =
        byName && (!facts.context.ceilings.complete() || facts.context.ceilings.fromDataSheet || facts.roofline.empty())
            ? Confidence::estimate
            : Confidence::trace;
    v.needs = furtherNeeds(facts);
    const analysis::FormatTimes& formats =
        v.kind == VerdictKind::memoryBound ? facts.precision.traffic : facts.precision.arithmetic;
    if ((v.kind == VerdictKind::memoryBound || v.kind == VerdictKind::computeBound) && formats.isMostlyUnknown()) {
        const base::Share unknown{static_cast<double>(formats.of(analysis::NumberFormat::unknown)) /
                                  static_cast<double>(formats.all())};
        v.needs.push_back(v.kind == VerdictKind::memoryBound ? base::message<reasons::kTrafficFormat>(unknown)
                                                             : base::message<reasons::kArithmeticFormat>(unknown));
    }
    if (!facts.onDevice && facts.share(facts.fused.time) >= kFusedReported) {
        v.needs.insert(v.needs.begin(), fusedText(facts));
        v.confidence = Confidence::estimate;
    }

    const auto part = [&](Cause cause) {
        return base::message<reasons::kPart>(base::Share{facts.share(cause)}, phraseOf(facts, cause));
    };
    if (v.kind == VerdictKind::balanced) {
        v.sentence = facts.onDevice
                         ? base::message<reasons::kBalancedDevice>(part(Cause::compute), part(Cause::memory))
                         : base::message<reasons::kBalancedThread>(part(Cause::compute), part(Cause::memory));
        return v;
    }
    const Cause cause = causeOf(v.kind);
    base::Message another;
    for (const CauseShare& other : v.parts)
        if (other.cause != cause && other.share >= 0.05) {
            another = part(other.cause);
            break;
        }
    std::vector<base::Message> messages;
    if (another.empty())
        messages.push_back(facts.onDevice ? base::message<reasons::kBoundDevice>(named(v.kind), part(cause))
                                          : base::message<reasons::kBoundThread>(named(v.kind), part(cause)));
    else
        messages.push_back(facts.onDevice
                               ? base::message<reasons::kBoundDeviceAnd>(named(v.kind), part(cause), another)
                               : base::message<reasons::kBoundThreadAnd>(named(v.kind), part(cause), another));
    if (base::Message why = whyNotTheLargest(facts, v, cause); !why.empty())
        messages.push_back(std::move(why));
    v.knobs = knobsFor(facts, cause, found);
    if (!isBacked(cause, found))
        messages.push_back(v.knobs.empty() ? base::message<reasons::kNothingToActOn>()
                                           : base::message<reasons::kFormatsAlone>());
    v.sentence = base::sentencesOf(std::move(messages));
    return v;
}

FindingReport reportFindings(const Facts& facts)
{
    FindingReport report;
    report.rules = evaluateRules(facts);
    report.findings = findings(report.rules);
    report.verdict = verdictOf(facts, report.findings);
    // Findings about parts would mislead when the whole has no verdict.
    if (report.verdict.kind == VerdictKind::abstained)
        report.findings.clear();
    return report;
}

std::vector<UnevaluatedRules> unevaluatedRules(const FindingReport& findingReport)
{
    std::vector<UnevaluatedRules> all;
    for (const RuleResult& rule : findingReport.rules) {
        if (rule.state != RuleState::unknown || findingReport.verdict.kind == VerdictKind::abstained)
            continue;
        auto same =
            std::find_if(all.begin(), all.end(), [&](const UnevaluatedRules& u) { return u.need == rule.reason; });
        if (same == all.end())
            same = all.insert(all.end(), UnevaluatedRules{rule.reason});
        same->rules.push_back(&rule);
    }
    return all;
}

} // namespace apertune::advice
