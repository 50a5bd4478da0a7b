// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rule_parts.h"

#include "core/advice/reasons.h"
#include "core/base/text.h"
#include "core/model/switch_conflict.h"
#include "core/trace/recorder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace apertune::advice {

std::string_view toString(Confidence confidence)
{
    constexpr std::array<std::string_view, 3> kWords = {"counter", "trace", "estimate"};
    return kWords[static_cast<std::size_t>(confidence)];
}

std::string_view toString(ShareOf shareOf)
{
    constexpr std::array<std::string_view, 3> kWords = {"time", "memory", "trust"};
    return kWords[static_cast<std::size_t>(shareOf)];
}

std::string_view toString(Severity severity)
{
    constexpr std::array<std::string_view, 3> kWords = {"low", "medium", "high"};
    return kWords[static_cast<std::size_t>(severity)];
}

Severity severityOf(const Finding& finding)
{
    constexpr double kHigh = 0.20;
    constexpr double kMedium = 0.05;
    double weight = finding.confidence == Confidence::estimate ? finding.share / 2 : finding.share;
    if (finding.correction)
        weight *= std::min(1.0, finding.correction->factor);
    if (weight < kMedium)
        return Severity::low;
    return weight < kHigh || finding.shareOf == ShareOf::trust ? Severity::medium : Severity::high;
}

std::string_view toString(RuleState state)
{
    constexpr std::array<std::string_view, 3> kWords = {"fired", "quiet", "unknown"};
    return kWords[static_cast<std::size_t>(state)];
}

std::string percent(double share)
{
    return base::formatSignificant(share * 100, share < 0.1 ? 2 : 3) + " %";
}

std::string timeText(std::int64_t ns)
{
    return timeText(static_cast<double>(ns));
}

std::string timeText(double ns)
{
    if (ns < 1e3)
        return base::formatSignificant(ns, 3) + " ns";
    if (ns < 1e6)
        return base::formatSignificant(ns / 1e3, 3) + " µs";
    if (ns < 1e9)
        return base::formatSignificant(ns / 1e6, 3) + " ms";
    return base::formatSignificant(ns / 1e9, 3) + " s";
}

base::Message occurrences(const Facts& facts, std::int64_t count)
{
    if (!facts.byIteration())
        return facts.chosen ? base::message<reasons::kInTheRange>(count)
                            : base::message<reasons::kInTheRecording>(count);
    const double each = facts.perIteration(count);
    const std::string shown =
        each == std::floor(each) ? std::to_string(static_cast<std::int64_t>(each)) : base::formatSignificant(each, 3);
    return facts.iterations.marked() ? base::message<reasons::kAnIteration>(shown)
                                     : base::message<reasons::kASection>(shown);
}

base::Message unitMessage(const Facts& facts)
{
    return facts.iterations.marked() ? base::message<reasons::kOneIteration>() : base::message<reasons::kOneSection>();
}

base::Message shareMessage(const Facts& facts, double share)
{
    const base::Share value{share};
    if (facts.chosen)
        return base::message<reasons::kShareOfRange>(value);
    if (!facts.iterations.found())
        return base::message<reasons::kShareOfRecording>(value);
    return facts.iterations.marked() ? base::message<reasons::kShareOfIteration>(value)
                                     : base::message<reasons::kShareOfSection>(value);
}

double idleShare(const Facts& facts, analysis::IdleCause cause)
{
    return facts.share(facts.use.idleBy[static_cast<std::size_t>(cause)]);
}

CallSum sumCalls(const Facts& facts, std::initializer_list<analysis::CallKind> kinds)
{
    CallSum sum;
    const trace::TimeRange window = facts.callWindow();
    for (const analysis::HostCall& call : facts.index.calls) {
        if (std::find(kinds.begin(), kinds.end(), call.kind) == kinds.end() || !window.contains(call.time.start))
            continue;
        ++sum.count;
        sum.time += call.time.length();
        if (call.time.length() > sum.longest.length())
            sum.longest = call.time;
    }
    return sum;
}

namespace {

/// The activities that fill the pauses of the host, as many as hostActivities() names.
std::span<const analysis::HostBusy> hostPlaces(const Facts& facts)
{
    constexpr std::size_t kMostNamed = 3;
    const std::vector<analysis::HostBusy>& busy = facts.onDevice ? facts.use.hostBusy : facts.host.busy;
    const std::int64_t waited = facts.causes[static_cast<std::size_t>(Cause::host)];
    constexpr std::int64_t kTenth = 10; // a place with less of that time explains nothing
    std::int64_t named = 0;
    // The list is sorted, so the first place that is too small ends it.
    for (std::size_t i = 0; i < std::min(kMostNamed, busy.size()) && kTenth * busy[i].time >= waited; ++i) {
        named += busy[i].time;
        // Half of the waiting is enough to say where it comes from.
        if (2 * named >= waited)
            return {busy.data(), i + 1};
    }
    return {};
}

bool loadsData(const Facts& facts, const analysis::HostBusy& place)
{
    const auto names = [&facts](std::uint32_t name) {
        return base::lower(facts.index.text(name)).find("dataloader") != std::string::npos;
    };
    return names(place.name) || names(place.caller);
}

} // namespace

base::Message hostActivities(const Facts& facts)
{
    const std::span<const analysis::HostBusy> places = hostPlaces(facts);
    const std::int64_t waited = facts.causes[static_cast<std::size_t>(Cause::host)];
    base::Message activities;
    // From the last place to the first, because a list takes the list behind its first entry as its rest.
    for (std::size_t i = places.size(); i-- > 0;) {
        const analysis::HostBusy& place = places[i];
        base::Message name = base::foreignText(std::string(facts.index.text(place.name)));
        if (place.caller != 0)
            name = base::message<reasons::kCalledBy>(std::move(name), facts.index.text(place.caller));
        const double share = facts.share(std::min(place.time, waited));
        // The first entry says what the shares of all are of.
        base::Message activity = i == 0 ? base::message<reasons::kActivity>(std::move(name), shareMessage(facts, share))
                                        : base::message<reasons::kActivity>(std::move(name), base::Share{share});
        activities = activities.empty() ? std::move(activity)
                                        : base::message<base::kList>(std::move(activity), std::move(activities));
    }
    return activities;
}

base::Message withActivities(const Facts& facts, const base::MessageKind& plain, const base::MessageKind& in)
{
    base::Message activities = hostActivities(facts);
    if (activities.empty())
        return {std::string(plain.id)};
    return {std::string(in.id), {{"activities", std::vector{std::move(activities)}}}};
}

Knob hostKnob(const Facts& facts)
{
    const std::span<const analysis::HostBusy> places = hostPlaces(facts);
    if (!places.empty() && loadsData(facts, places.front()))
        return advise(base::message<reasons::kLoadInMoreWorkerProcesses>());
    if (facts.onDevice)
        return advise(base::message<reasons::kMoveWhatTheHostDoes>());
    return advise(places.empty() ? base::message<reasons::kRecordWithStacksWithStackOr>()
                                 : base::message<reasons::kMoveItOutOfTheLoop>());
}

RuleResult quiet()
{
    return {};
}

RuleResult unknown(base::Message reason)
{
    RuleResult result;
    result.state = RuleState::unknown;
    result.reason = std::move(reason);
    return result;
}

Cause causeOf(analysis::IdleCause cause)
{
    using analysis::IdleCause;
    switch (cause) {
    case IdleCause::hostWait:
        return Cause::host;
    case IdleCause::launchGap:
        return Cause::launch;
    case IdleCause::synchronization:
        return Cause::synchronization;
    case IdleCause::copyWait:
        return Cause::transfer;
    case IdleCause::allocation:
        return Cause::allocation;
    case IdleCause::firstCall:
        return Cause::firstCalls;
    case IdleCause::deviceQueue:
    case IdleCause::unknown:
        break;
    }
    return Cause::other;
}

namespace {

/// The host's time for launching a piece of work: its call, or its part of the operator around that.
std::int64_t launchTime(const Facts& facts, std::int32_t number)
{
    const analysis::Work& w = facts.index.work[static_cast<std::size_t>(number)];
    if (w.call == analysis::kNone)
        return 0;
    const analysis::HostCall& call = facts.index.calls[static_cast<std::size_t>(w.call)];
    if (call.kind == analysis::CallKind::graphLaunch)
        return 0; // the graph is launched for the rest of its work
    const std::int32_t node = facts.forest.ofWork(number);
    if (node == analysis::kNone)
        return call.time.length();
    const analysis::OperatorNode& op = facts.forest.nodes[static_cast<std::size_t>(node)];
    // An operator with several launches gives each an equal part of its own time.
    return std::max(call.time.length(), op.selfTime / std::max(1, op.ownWork));
}

} // namespace

Gain gainOf(const Facts& facts, double share, Gain saved, Launches launches,
            const std::function<bool(std::int32_t)>& fits)
{
    if (!facts.replay)
        return {saved.lo * share, saved.hi * share};
    const auto gained = [&](double part, bool host) {
        return 1 - facts.replay->ratio([&](std::int32_t number) {
            analysis::WorkChange change;
            if (!fits(number))
                return change;
            change.device = 1 - part;
            if (host)
                change.host = std::llround(part * static_cast<double>(launchTime(facts, number)));
            return change;
        });
    };
    // The host gains only where the launch itself goes.
    const double most = gained(saved.hi, launches == Launches::go);
    // The two may cross where the gain is hidden behind other work.
    return {std::min(gained(saved.lo, false), most), most};
}

Gain gainOf(const Facts& facts, double share, Gain saved, Launches launches, analysis::OpClass opClass)
{
    return gainOf(facts, share, saved, launches, [&](std::int32_t number) {
        const analysis::Work& w = facts.index.work[static_cast<std::size_t>(number)];
        return w.isKernel() && facts.index.kernelClass(w.name) == opClass;
    });
}

RuleResult fired(Finding finding, Cause cause)
{
    RuleResult result;
    finding.cause = cause;
    result.state = RuleState::fired;
    finding.share = std::clamp(finding.share, 0.0, 1.0);
    finding.gain.hi = std::clamp(finding.gain.hi, 0.0, finding.share);
    finding.gain.lo = std::clamp(finding.gain.lo, 0.0, finding.gain.hi);
    result.findings.push_back(std::move(finding));
    return result;
}

base::Message verifyBy(base::Message change, base::Message also)
{
    if (also.empty())
        return base::message<reasons::kMeasureWithAndWithout>(std::move(change));
    return base::message<reasons::kMeasureWithAndWithoutAnd>(std::move(change), std::move(also));
}

base::Message namedOr(const std::string& switchName, base::Message otherwise)
{
    return switchName.empty() ? std::move(otherwise) : base::foreignText(switchName);
}

base::Message plural(std::int64_t number, const base::MessageKind& one, const base::MessageKind& many)
{
    if (number == 1)
        return {std::string(one.id)};
    return {std::string(many.id), {{"count", number}}};
}

Knob advise(base::Message message)
{
    return {"", true, std::move(message)};
}

bool knowsSwitch(const Facts& facts, const std::string& name)
{
    // Recordings of other tools than PyTorch have no switches.
    if (!facts.context.config && trace::recorderOf(facts.trace.source) == trace::Recorder::chrome)
        return false;
    const model::SwitchInfo* info = model::findSwitch(name);
    return info && info->knownOn(facts.onDevice ? model::DeviceType::nvidiaGpu() : model::DeviceType::cpu()) &&
           (!facts.context.config || facts.context.config->switches.contains(name));
}

namespace {

bool requestsWide(const Facts& facts)
{
    return !facts.context.config || facts.context.config->precision == model::Precision::fp32 ||
           facts.context.config->precision == model::Precision::tf32;
}

} // namespace

namespace {

constexpr int kWarpOfNvidia = 32;

/// True when the recording says that the device is an NVIDIA GPU without TF32 and bf16.
bool isBeforeAmpere(const Facts& facts)
{
    constexpr int kAmpere = 8;
    const trace::DeviceProperties* device = facts.trace.device(facts.device);
    return facts.onDevice && device && device->warpSize == kWarpOfNvidia && device->computeMajor > 0 &&
           device->computeMajor < kAmpere;
}

} // namespace

base::Message use16Bits(const Facts& facts)
{
    return isBeforeAmpere(facts) ? base::message<reasons::kUseFp16>() : base::message<reasons::kUseBf16OrFp16Where>();
}

bool tf32Helps(const Facts& facts)
{
    if (!facts.onDevice || !requestsWide(facts) || facts.isOn("tf32"))
        return false;
    const trace::DeviceProperties* device = facts.trace.device(facts.device);
    if (device && (device->warpSize != kWarpOfNvidia || isBeforeAmpere(facts)))
        return false;
    constexpr std::int64_t kFifth = 5;
    const analysis::FormatTimes& times = facts.precision.arithmetic;
    return times.all() > 0 && kFifth * times.of(analysis::NumberFormat::fp32) >= times.all();
}

bool canCompute16(const Facts& facts)
{
    return requestsWide(facts) && facts.precision.arithmetic.isMostlyWide();
}

bool canMove16(const Facts& facts)
{
    return requestsWide(facts) && facts.precision.traffic.isMostlyWide();
}

bool launchesFromCompiledCode(const Facts& facts)
{
    const std::int64_t launching = facts.use.idleBy[static_cast<std::size_t>(analysis::IdleCause::launchGap)];
    return 2 * facts.use.inCompiledCode > launching;
}

Knob fewerLaunches(const Facts& facts)
{
    if (facts.isOn("cuda_graph") || 2 * facts.launches.ofGraphs > facts.launches.kernels)
        return advise(base::message<reasons::kQueueTheNextPass>());
    if (launchesFromCompiledCode(facts))
        return switchOn(facts, {"cuda_graph"}, base::message<reasons::kReplayCompiledCodeAsGraphs>());
    return switchOn(facts, {"cuda_graph", "aoti", "freeze"}, base::message<reasons::kLaunchTheWorkAsOneGraph>());
}

Knob switchOn(const Facts& facts, std::initializer_list<const char*> names, const base::Message& message)
{
    for (const char* const name : names) {
        if (!knowsSwitch(facts, name) || facts.isOn(name))
            continue;
        model::SwitchMap then = facts.context.config ? facts.context.config->switches : model::SwitchMap{};
        then[name] = true;
        // A switch that conflicts with others of the configuration cannot be tried alone.
        if (!facts.context.config || model::switchConflict(then).empty())
            return {name, true, message};
    }
    return advise(message);
}

bool isMostlyIdle(const Facts& facts)
{
    const auto idle = [&facts](analysis::IdleCause c) { return facts.use.idleBy[static_cast<std::size_t>(c)]; };
    const std::int64_t gaps =
        facts.onDevice ? idle(analysis::IdleCause::deviceQueue) + idle(analysis::IdleCause::unknown) : 0;
    return 2 * gaps > facts.causes[static_cast<std::size_t>(Cause::other)];
}

base::Message phraseOf(const Facts& facts, Cause cause)
{
    switch (cause) {
    case Cause::compute:
        return base::message<reasons::kPartCompute>();
    case Cause::memory:
        return facts.onDevice ? base::message<reasons::kPartMemoryDevice>() : base::message<reasons::kPartMemory>();
    case Cause::launch:
        return facts.onDevice ? base::message<reasons::kPartLaunchDevice>() : base::message<reasons::kPartLaunch>();
    case Cause::host:
        return facts.onDevice ? withActivities(facts, reasons::kPartHostDevice, reasons::kPartHostDeviceIn)
                              : withActivities(facts, reasons::kPartHost, reasons::kPartHostIn);
    case Cause::transfer:
        return base::message<reasons::kPartTransfer>();
    case Cause::communication:
        return base::message<reasons::kPartCommunication>();
    case Cause::synchronization:
        return base::message<reasons::kPartSynchronization>();
    case Cause::firstCalls:
        return base::message<reasons::kPartFirstCalls>();
    case Cause::allocation:
        return facts.onDevice ? base::message<reasons::kPartAllocationDevice>()
                              : base::message<reasons::kPartAllocation>();
    case Cause::other:
        break;
    }
    return isMostlyIdle(facts) ? base::message<reasons::kPartIdleUnknown>() : base::message<reasons::kPartOther>();
}

OperatorTime timeOfOperators(const Facts& facts, const std::function<bool(std::string_view)>& fits)
{
    const auto [first, end] = facts.onDevice ? std::pair(0, static_cast<std::int32_t>(facts.forest.nodes.size()))
                                             : facts.forest.busiestThread();
    const trace::TimeRange window = facts.callWindow();
    OperatorTime found;
    std::int64_t most = 0;
    for (std::int32_t i = first; i < end; ++i) {
        const analysis::OperatorNode& node = facts.forest.nodes[static_cast<std::size_t>(i)];
        const std::string_view name = facts.index.text(node.name);
        if (!window.contains(node.time.start) || !fits(name))
            continue;
        const std::int64_t time = facts.onDevice ? node.deviceTime : node.time.length();
        found.time += time;
        ++found.count;
        if (!found.longest || time > most) {
            most = time;
            found.longest = &node;
        }
        if (std::find(found.names.begin(), found.names.end(), name) == found.names.end())
            found.names.emplace_back(name);
        i = node.last; // its calls are a part of it
    }
    return found;
}

} // namespace apertune::advice
