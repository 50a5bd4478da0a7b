// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules_transfer.h"

#include "core/advice/rule_parts.h"
#include "core/advice/trace_queries.h"
#include "core/analysis/collectives.h"
#include "core/analysis/kernel_name.h"
#include "core/base/text.h"

#include <algorithm>
#include <map>

namespace apertune::advice {

using analysis::CallKind;
using analysis::IdleCause;
using analysis::TransferRow;
using trace::CopyDirection;

namespace {

/// The operator that causes the largest part of the copies' time; empty when the recording does not tell it.
std::string_view mainOrigin(const Facts& facts, CopyDirection direction)
{
    std::map<std::uint32_t, std::int64_t> time;
    for (const TransferRow& row : facts.transfers.rows)
        if (row.direction == direction)
            time[row.origin] += row.time;
    const auto most =
        std::max_element(time.begin(), time.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == time.end() || most->first == 0 ? std::string_view{} : facts.index.text(most->first);
}

/// Adds the main origin to a description of copies: "3 an iteration, mostly from aten::copy_".
base::Message withOrigin(const Facts& facts, CopyDirection direction, base::Message copies)
{
    const std::string_view origin = mainOrigin(facts, direction);
    return origin.empty() ? std::move(copies) : base::message<reasons::kMostlyFrom>(std::move(copies), origin);
}

const std::vector<CopyDirection> kLink{CopyDirection::hostToDevice, CopyDirection::deviceToHost};

trace::TimeRange longestOf(const Facts& facts, const std::vector<CopyDirection>& directions)
{
    trace::TimeRange longest;
    for (const TransferRow& row : facts.transfers.rows)
        if (std::find(directions.begin(), directions.end(), row.direction) != directions.end() &&
            row.longest.length() > longest.length())
            longest = row.longest;
    return longest;
}

/// upload-bound and download-bound: copies in one direction take as long as the kernels, or more than `threshold` of
/// the window without being hidden.
RuleResult linkBound(const Facts& facts, CopyDirection direction, const base::MessageKind& what, const Knob& knob,
                     double least, Threshold threshold)
{
    if (!facts.onDevice)
        return quiet();
    const std::int64_t time = facts.transfers.time(direction);
    const double exposed = facts.share(facts.transfers.exposed(direction));
    // Copies that take as long as the kernels are looked at even when they are hidden.
    const bool asLong = time >= facts.use.kernels && time > 0;
    if (exposed <= facts.limit(threshold) && !asLong)
        return quiet(); // hidden copies that are as long fall below the noise floor later
    const std::int64_t bytes = facts.transfers.bytes(direction);
    Finding f;
    const base::Bytes each{bytes / static_cast<std::int64_t>(facts.steady.size())};
    base::Message often = occurrences(facts, facts.transfers.count(direction));
    if (bytes > 0)
        often = facts.iterations.found() ? base::message<reasons::kCopiesWithBytesEach>(std::move(often), each)
                                         : base::message<reasons::kCopiesWithBytes>(std::move(often), each);
    f.text = {std::string(what.id),
              {{"share", std::vector{shareMessage(facts, facts.share(time))}},
               {"exposed", base::Share{exposed}},
               {"often", std::vector{withOrigin(facts, direction, std::move(often))}}}};
    f.share = exposed;
    f.gain = {least * exposed, exposed};
    f.evidence = evidence(facts, rows::copies(facts, {direction}), longestOf(facts, {direction}));
    f.knob = knob;
    f.verification =
        verifyBy(base::message<reasons::kByTheChange>(), base::message<reasons::kTheBytesCopiedMustFall>());
    return fired(std::move(f), Cause::transfer);
}

} // namespace

// pageable-copies: copies between host and device from or to pageable memory take 1 % or more without being hidden.
RuleResult pageableCopiesRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    std::int64_t bytes = 0, time = 0, exposed = 0, count = 0, unknownTime = 0;
    trace::TimeRange longest;
    for (const TransferRow& row : facts.transfers.rows) {
        if (!row.crossesLink())
            continue;
        // A recorder that does not record the kind of memory leaves the rule open.
        if (row.source == trace::MemoryKind::unknown && row.target == trace::MemoryKind::unknown)
            unknownTime += row.exposed;
        if (!row.touchesPageable())
            continue;
        bytes += row.bytes;
        time += row.time;
        exposed += row.exposed;
        count += row.count;
        if (row.longest.length() > longest.length())
            longest = row.longest;
    }
    if (count == 0 && facts.share(unknownTime) >= facts.limit(Threshold::pageableCopiesShare))
        return unknown(base::message<reasons::kTheRecorderDoesNotTell>());
    const double share = facts.share(exposed);
    if (share < facts.limit(Threshold::pageableCopiesShare))
        return quiet();
    const analysis::Ceilings& c = facts.context.ceilings;
    Finding f;
    f.share = share;
    if (bytes > 0 && c.pinnedBandwidth > 0) {
        // Pinned memory would copy the same bytes at the measured rate.
        const double saved = static_cast<double>(time) - static_cast<double>(bytes) / c.pinnedBandwidth * 1e9;
        const double part = std::max(0.0, saved) / static_cast<double>(std::max<std::int64_t>(1, time));
        f.gain = {0.5 * part * share, part * share};
    } else {
        f.gain = {0.2 * share, 0.6 * share};
        f.confidence = Confidence::estimate; // the gain is a guess, because the link's rates were not measured
    }
    const std::string speed =
        time > 0 ? base::formatSignificant(static_cast<double>(bytes) / static_cast<double>(time), 3) : std::string();
    const base::Message exposedShare = shareMessage(facts, share);
    if (bytes <= 0 || time <= 0)
        f.text = count == 1 ? base::message<reasons::kOnePageableCopy>(exposedShare)
                            : base::message<reasons::kPageableCopies>(count, exposedShare);
    else
        f.text = count == 1 ? base::message<reasons::kOnePageableCopyAtRate>(speed, exposedShare)
                            : base::message<reasons::kPageableCopiesAtRate>(count, speed, exposedShare);
    Rows pageable = rows::copies(facts, kLink);
    pageable.pageable = true;
    f.evidence = evidence(facts, pageable, longest);
    f.knob = advise(base::message<reasons::kCopyFromPinnedHostMemory>());
    f.verification =
        verifyBy(base::message<reasons::kByPinnedBuffers>(), base::message<reasons::kTheAchievedGbSMust>());
    return fired(std::move(f), Cause::transfer);
}

// blocking-copies: cudaMemcpy and cudaMemset block, and the host or the device waits for 1 % or more.
RuleResult blockingCopiesRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    if (facts.index.calls.empty())
        return unknown(base::message<reasons::kTheRuntimeSCallsAre>());
    const auto [count, time, longest] = sumCalls(facts, {CallKind::blockingCopy, CallKind::blockingFill});
    // The device loses the unhidden part of these copies and the pauses around them. The rest of the call is hidden.
    std::int64_t blocking = 0;
    for (const analysis::Work& w : facts.index.work)
        if (w.kind == trace::EventKind::copy && w.call != analysis::kNone && facts.window.contains(w.time.start) &&
            facts.index.calls[static_cast<std::size_t>(w.call)].kind == CallKind::blockingCopy)
            blocking += w.time.length();
    // Only the part that the device waited for can be gained.
    const double lost = facts.share(std::min(facts.use.exposedCopies, blocking)) +
                        idleShare(facts, IdleCause::copyWait) + idleShare(facts, IdleCause::synchronization);
    const double share = std::min(facts.share(time), lost);
    if (count == 0 || share < facts.limit(Threshold::blockingCopiesShare))
        return quiet();
    Finding f;
    f.text = count == 1 ? base::message<reasons::kOneBlockingCopy>(shareMessage(facts, facts.share(time)),
                                                                   occurrences(facts, count))
                        : base::message<reasons::kBlockingCopies>(count, shareMessage(facts, facts.share(time)),
                                                                  occurrences(facts, count));
    f.share = share;
    f.gain = {0.2 * share, share};
    f.evidence = evidence(facts, rows::calls(facts, {"Memcpy", "Memset"}, {"Async"}), longest);
    f.knob = advise(base::message<reasons::kUseTheAsynchronousVariantOn>());
    f.verification = verifyBy(base::message<reasons::kByAsynchronousCopies>());
    return fired(std::move(f), Cause::transfer);
}

RuleResult uploadBoundRule(const Facts& facts)
{
    constexpr double kConvolves = 0.05; // share of the computing; from here on the inputs are taken for images
    const bool images =
        facts.workShare(analysis::OpClass::convolution) > kConvolves * facts.share(facts.use.computing());
    return linkBound(
        facts, CopyDirection::hostToDevice, reasons::kCopiesToDevice,
        advise(images ? base::message<reasons::kSend8BitPixelsAnd>() : base::message<reasons::kSendFewerBytesAnd>()),
        0.5, Threshold::uploadBoundShare);
}

RuleResult downloadBoundRule(const Facts& facts)
{
    return linkBound(facts, CopyDirection::deviceToHost, reasons::kCopiesToHost,
                     advise(base::message<reasons::kReduceOnTheDeviceArg>()), 0.3, Threshold::downloadBoundShare);
}

// host-round-trip: within an iteration, a copy to the host is followed by one of as many bytes back to the device.
RuleResult roundTripsRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    const auto& trips = facts.transfers.roundTrips;
    if (trips.empty())
        return quiet();
    if (!facts.iterations.found())
        return quiet(); // without iterations any output would form a pair with any later input
    std::int64_t time = 0;
    trace::TimeRange longest;
    std::vector<trace::TimeRange> away;
    for (const analysis::RoundTrip& trip : trips) {
        const trace::TimeRange there = facts.index.work[static_cast<std::size_t>(trip.toHost)].time;
        const trace::TimeRange back = facts.index.work[static_cast<std::size_t>(trip.toDevice)].time;
        time += there.length() + back.length();
        away.push_back({there.start, back.end});
        if (back.end - there.start > longest.length())
            longest = {there.start, back.end};
    }
    // The device also waits while the stage runs elsewhere, and until the host has launched the next work.
    const analysis::TimeRanges awayTimes = analysis::unite(std::move(away));
    std::int64_t wait = 0;
    for (const analysis::Gap& gap : facts.use.gaps) {
        const auto at = std::lower_bound(awayTimes.begin(), awayTimes.end(), gap.time.start,
                                         [](const trace::TimeRange& i, std::int64_t start) { return i.end < start; });
        if (at != awayTimes.end() && at->start <= gap.time.end)
            // Between the two copies the host runs the stage, whatever it is seen doing there.
            wait += std::max(gap.parts[static_cast<std::size_t>(IdleCause::copyWait)] +
                                 gap.parts[static_cast<std::size_t>(IdleCause::synchronization)],
                             analysis::coveredLength(awayTimes, gap.time));
    }
    Finding f;
    f.share = std::min(1.0, facts.share(time + wait));
    f.text = base::message<reasons::kRoundTrip>(base::Bytes{trips.front().bytes},
                                                occurrences(facts, static_cast<std::int64_t>(trips.size())),
                                                shareMessage(facts, facts.share(time)));
    f.gain = {0.5 * facts.share(time), f.share};
    Rows pairs = rows::copies(facts, kLink);
    for (const analysis::RoundTrip& trip : trips)
        if (std::find(pairs.sizes.begin(), pairs.sizes.end(), trip.bytes) == pairs.sizes.end())
            pairs.sizes.push_back(trip.bytes);
    f.evidence = evidence(facts, pairs, longest);
    f.knob = advise(base::message<reasons::kKeepThatStageOnThe>());
    f.verification =
        verifyBy(base::message<reasons::kByTheStageOnTheDevice>(), base::message<reasons::kThePairMustBeGone>());
    return fired(std::move(f), Cause::transfer);
}

// needless-copies: there are more copies than inputs and outputs. On a CPU: copies that only move values (clone, copy_,
// cat) take more than 5 %.
RuleResult extraCopiesRule(const Facts& facts)
{
    Finding f;
    if (!facts.onDevice) {
        const std::int64_t count = facts.host.count(analysis::OpClass::copy);
        const double share = facts.share(facts.host.of(analysis::OpClass::copy));
        if (share <= facts.limit(Threshold::needlessCopiesShare))
            return quiet();
        f.text = base::message<reasons::kTensorCopies>(shareMessage(facts, share), occurrences(facts, count));
        f.share = share;
        f.gain = {0.3 * share, share};
        f.evidence = evidence(
            facts, rows::work(facts, [](std::uint32_t, analysis::OpClass c) { return c == analysis::OpClass::copy; }),
            facts.steady.front());
        f.knob = switchOn(facts, {"aoti", "freeze"}, base::message<reasons::kDropClonesWriteResultsIn>());
        f.verification =
            verifyBy(base::message<reasons::kByRemovingTheCopies>(), base::message<reasons::kTheNumberOfCopiesMust>());
        return fired(std::move(f), Cause::memory);
    }
    if (!facts.iterations.found())
        return quiet();
    const double up = facts.perIteration(facts.transfers.count(CopyDirection::hostToDevice)) - facts.context.inputs;
    const double down = facts.perIteration(facts.transfers.count(CopyDirection::deviceToHost)) - facts.context.outputs;
    const double excess = std::max(0.0, up) + std::max(0.0, down);
    if (excess < facts.limit(Threshold::needlessCopiesCount))
        return quiet();
    const auto lostIn = [&](CopyDirection d, double extra, int needed) {
        const double all = extra + needed;
        return extra > 0 ? facts.share(facts.transfers.exposed(d)) * extra / all : 0.0;
    };
    const double share = lostIn(CopyDirection::hostToDevice, up, facts.context.inputs) +
                         lostIn(CopyDirection::deviceToHost, down, facts.context.outputs);
    const CopyDirection more = up >= down ? CopyDirection::hostToDevice : CopyDirection::deviceToHost;
    const std::string copies = base::formatSignificant(excess, 3);
    const bool marked = facts.iterations.marked();
    if (facts.context.config)
        f.text = marked
                     ? base::message<reasons::kIterationCopiesMore>(copies, facts.context.inputs, facts.context.outputs)
                     : base::message<reasons::kSectionCopiesMore>(copies, facts.context.inputs, facts.context.outputs);
    else // nobody knows the model of a recording
        f.text = marked ? base::message<reasons::kIterationCopiesMoreThanOneEach>(copies)
                        : base::message<reasons::kSectionCopiesMoreThanOneEach>(copies);
    if (const std::string_view origin = mainOrigin(facts, more); !origin.empty())
        f.text = base::sentencesOf({std::move(f.text), base::message<reasons::kMainOriginOfCopies>(origin)});
    f.share = share;
    f.gain = {0.3 * share, share};
    f.confidence = facts.context.config ? Confidence::trace : Confidence::estimate;
    f.evidence = evidence(facts, rows::copies(facts, {more}), longestOf(facts, {more}));
    f.knob = advise(base::message<reasons::kKeepOnTheDeviceWhat>());
    f.verification = verifyBy(base::message<reasons::kByRemovingTheExtraCopies>(),
                              base::message<reasons::kTheLedgerMustShowInputs>());
    return fired(std::move(f), Cause::transfer);
}

// device-copies: copies from the device's memory to the device's memory take more than 5 % while no kernel runs.
RuleResult deviceCopiesRule(const Facts& facts)
{
    constexpr CopyDirection kWithin = CopyDirection::deviceToDevice;
    if (!facts.onDevice)
        return quiet();
    std::int64_t exposed = 0, count = 0;
    for (const TransferRow& row : facts.transfers.rows)
        if (row.direction == kWithin && row.device == facts.device) {
            exposed += row.exposed;
            count += row.count;
        }
    const double share = facts.share(exposed);
    if (share <= facts.limit(Threshold::deviceCopiesShare))
        return quiet();
    Finding f;
    f.text = base::message<reasons::kDeviceCopies>(shareMessage(facts, share),
                                                   withOrigin(facts, kWithin, occurrences(facts, count)));
    f.share = share;
    f.gain = gainOf(facts, share, {0.3, 1}, Launches::go, [&](std::int32_t number) {
        const analysis::Work& w = facts.index.work[static_cast<std::size_t>(number)];
        return w.kind == trace::EventKind::copy && facts.index.copy(w).direction == kWithin;
    });
    f.confidence = Confidence::estimate; // a recording does not show which copies the results need
    f.evidence = evidence(facts, rows::copies(facts, {kWithin}), longestOf(facts, {kWithin}));
    f.knob = switchOn(facts, {"aoti", "freeze"}, base::message<reasons::kDropClonesWriteResultsIn>());
    f.verification =
        verifyBy(base::message<reasons::kByRemovingTheCopies>(), base::message<reasons::kTheNumberOfCopiesMust>());
    return fired(std::move(f), Cause::memory);
}

// repeated-uploads: the same bytes are sent again in every iteration. A trace holds neither contents nor host
// addresses. So a size counts as repeated when it comes beside the inputs in three iterations or more and is missing in
// at most one of ten.
RuleResult repeatedUploadsRule(const Facts& facts)
{
    const auto fewest = static_cast<std::size_t>(facts.limit(Threshold::repeatedUploadsIterations));
    if (!facts.onDevice || !facts.iterations.found() || facts.steady.size() < fewest)
        return quiet();
    std::vector<std::int32_t> returning;
    for (const analysis::RoundTrip& trip : facts.transfers.roundTrips)
        returning.push_back(trip.toDevice);
    std::map<std::int64_t, std::vector<trace::TimeRange>> bySize;
    for (std::size_t i = 0; i < facts.index.work.size(); ++i) {
        const analysis::Work& w = facts.index.work[i];
        if (w.kind == trace::EventKind::copy && w.bytes > 0 && facts.window.contains(w.time.start) &&
            facts.index.copy(w).direction == CopyDirection::hostToDevice &&
            !std::binary_search(returning.begin(), returning.end(), static_cast<std::int32_t>(i)))
            bySize[w.bytes].push_back(w.time);
    }
    // Sizes that come at least once in nearly every iteration. Up to `inputs` of them are the inputs.
    std::vector<std::pair<std::int64_t, const std::vector<trace::TimeRange>*>> repeated;
    for (const auto& [size, copies] : bySize) {
        std::size_t iterationsWith = 0;
        std::size_t at = 0;
        for (const trace::TimeRange iteration : facts.steady) {
            while (at < copies.size() && copies[at].start < iteration.start)
                ++at;
            iterationsWith += at < copies.size() && copies[at].start < iteration.end ? 1 : 0;
        }
        // Unmarked iterations are found by their kernels, so at both ends of the recording the copies of one iteration
        // may lie outside.
        const bool guessed = facts.iterations.source == analysis::IterationSource::period;
        const std::size_t missing = facts.steady.size() - iterationsWith;
        if (iterationsWith >= fewest && (10 * missing <= facts.steady.size() || (guessed && missing <= 2)))
            repeated.emplace_back(size, &copies);
    }
    if (static_cast<int>(repeated.size()) <= facts.context.inputs)
        return quiet();
    // It is unknown which sizes are the inputs. The most expensive ones are taken for them, which claims the least.
    std::sort(repeated.begin(), repeated.end(), [](const auto& a, const auto& b) {
        std::int64_t timeA = 0, timeB = 0;
        for (const auto& i : *a.second)
            timeA += i.length();
        for (const auto& i : *b.second)
            timeB += i.length();
        return timeA > timeB;
    });
    std::int64_t time = 0;
    Rows again = rows::copies(facts, {CopyDirection::hostToDevice});
    for (std::size_t i = static_cast<std::size_t>(facts.context.inputs); i < repeated.size(); ++i) {
        again.sizes.push_back(repeated[i].first);
        for (const trace::TimeRange copy : *repeated[i].second)
            time += copy.length();
    }
    const std::int64_t all = facts.transfers.time(CopyDirection::hostToDevice);
    const double hidden =
        all > 0 ? static_cast<double>(facts.transfers.exposed(CopyDirection::hostToDevice)) / static_cast<double>(all)
                : 0;
    const double share = facts.share(time) * hidden;
    Finding f;
    f.text = facts.iterations.marked()
                 ? base::message<reasons::kUploadsInEveryIteration>(
                       plural(static_cast<std::int64_t>(repeated.size()) - facts.context.inputs, reasons::kOneCopy,
                              reasons::kCopies),
                       base::Bytes{repeated[static_cast<std::size_t>(facts.context.inputs)].first})
                 : base::message<reasons::kUploadsInEverySection>(
                       plural(static_cast<std::int64_t>(repeated.size()) - facts.context.inputs, reasons::kOneCopy,
                              reasons::kCopies),
                       base::Bytes{repeated[static_cast<std::size_t>(facts.context.inputs)].first});
    f.share = share;
    f.gain = {0, share};
    f.confidence = Confidence::estimate;
    f.evidence = evidence(facts, again, repeated[static_cast<std::size_t>(facts.context.inputs)].second->front());
    f.knob = advise(base::message<reasons::kSendConstantsOnceAndKeep>());
    f.verification = verifyBy(base::message<reasons::kByConstantsKeptOnTheDevice>(),
                              base::message<reasons::kTheBytesCopiedMustFallAgain>());
    return fired(std::move(f), Cause::transfer);
}

// no-overlap: copies and kernels take more than 15 % each, and less than 10 % of the shorter one is hidden.
RuleResult noOverlapRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    const double least = facts.limit(Threshold::noOverlapShare);
    const double kernels = facts.share(facts.use.kernels);
    std::int64_t link = 0;
    for (const TransferRow& row : facts.transfers.rows)
        link += row.crossesLink() ? row.time : 0;
    const double copies = facts.share(std::min(link, facts.use.copies));
    if (copies <= least || kernels <= least || facts.use.overlap() >= facts.limit(Threshold::noOverlapHidden))
        return quiet();
    const double possible = std::min(facts.share(facts.use.exposedCopies), kernels);
    Finding f;
    f.text = base::message<reasons::kNoOverlap>(base::Share{copies}, base::Share{kernels},
                                                base::Share{std::max(0.0, facts.use.overlap())});
    f.share = possible;
    f.gain = {0.5 * possible, possible};
    f.evidence = evidence(facts, rows::copies(facts, kLink), longestOf(facts, kLink));
    f.knob = advise(base::message<reasons::kPrefetchTheNextInputOn>());
    f.verification =
        verifyBy(base::message<reasons::kByPrefetchOfOneAndOf>(), base::message<reasons::kTheOverlapMustRise>());
    return fired(std::move(f), Cause::transfer);
}

namespace {

/// The time of smaller messages is mostly the start of the collective: nccl-tests reach half of a link's rate at some
/// MiB.
constexpr std::int64_t kSmallMessage = 1 << 20;

/// The advice for a collective operation, by the sizes of its messages or else by its kind.
base::Message communicationRemedy(const Facts& facts, const std::vector<analysis::CollectiveRow>& collectives,
                                  std::string_view kernel)
{
    std::int64_t all = 0, small = 0;
    for (const analysis::CollectiveRow& row : collectives) {
        all += row.call.bytes > 0 ? row.time : 0;
        small += row.call.bytes > 0 && row.call.bytes < kSmallMessage ? row.time : 0;
    }
    if (2 * small > all)
        return base::message<reasons::kJoinSmallMessages>(
            base::Share{static_cast<double>(small) / static_cast<double>(all)}, base::Bytes{kSmallMessage});
    // NCCL's generic kernel serves many collectives; the ranges around it name the one.
    std::string names = base::lower(kernel);
    for (std::size_t i = 1; i < facts.trace.strings.size(); ++i)
        if (const std::string_view name = facts.trace.strings[i];
            name.starts_with("nccl:") || name.starts_with("rccl:"))
            names += " " + base::lower(name);
    const auto contains = [&names](std::initializer_list<std::string_view> words) {
        return std::any_of(words.begin(), words.end(),
                           [&names](std::string_view word) { return names.find(word) != std::string::npos; });
    };
    if (contains({"alltoall", "all_to_all", "sendrecv"}))
        return base::message<reasons::kStartTheExchangeOfThe>();
    if (contains({"reducescatter", "reduce_scatter", "allgather", "all_gather"}) && facts.training)
        return base::message<reasons::kPrefetchShardsWhileTheLayer>();
    if (facts.training)
        return base::message<reasons::kLetGradientsLeaveWhileThe>();
    return base::message<reasons::kSplitAModelOverFewer>();
}

} // namespace

// exposed-communication: collectives run for 5 % or more while nothing computes.
RuleResult communicationRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    const double share = facts.share(Cause::communication);
    if (share < facts.limit(Threshold::communicationShare))
        return quiet();
    const analysis::KernelRow* most = nullptr;
    std::int64_t count = 0;
    for (const analysis::KernelRow& row : facts.kernels) {
        if (row.device != facts.device || row.opClass != analysis::OpClass::communication)
            continue;
        count += row.time.count;
        if (!most)
            most = &row;
    }
    if (!most)
        return quiet(); // all of it began before the window
    const double hidden = 1 - static_cast<double>(facts.use.exposedCommunication) /
                                  static_cast<double>(std::max<std::int64_t>(1, facts.use.communication));
    std::vector<analysis::CollectiveRow> collectives =
        analysis::collectiveTable(facts.index, facts.forest, facts.window);
    std::erase_if(collectives, [&](const analysis::CollectiveRow& row) { return row.device != facts.device; });
    Finding f;
    if (!collectives.empty() && collectives.front().busBandwidth() > 0) {
        const analysis::CollectiveRow& first = collectives.front();
        f.text = base::message<reasons::kCollectivesMoving>(
            shareMessage(facts, share), occurrences(facts, count), first.call.name, base::Bytes{first.call.bytes},
            first.call.ranks, base::formatSignificant(first.busBandwidth() * 1e-9, 3), base::Share{hidden});
    } else {
        f.text = base::message<reasons::kCollectives>(shareMessage(facts, share), occurrences(facts, count),
                                                      analysis::kernelName(facts.index.text(most->name)),
                                                      base::Share{hidden});
    }
    f.share = share;
    f.gain = {0, share};
    f.confidence = Confidence::estimate; // the recording does not show how much of it is waiting
    const trace::EventColumns& of = facts.trace.series[most->longest.series].events;
    f.evidence = evidence(
        facts,
        rows::work(facts, [](std::uint32_t, analysis::OpClass c) { return c == analysis::OpClass::communication; }),
        {of.start[most->longest.index], of.end(most->longest.index)});
    f.knob = advise(
        base::message<reasons::kRecordAllRanks>(communicationRemedy(facts, collectives, facts.index.text(most->name))));
    f.verification =
        verifyBy(base::message<reasons::kByTheChangeOnAllRanks>(), base::message<reasons::kTheTimeOfCollectivesWith>());
    return fired(std::move(f), Cause::communication);
}

// waits-in-iteration: the host waits within an iteration and launches a kernel of the same iteration afterwards. It
// fires when this happens once in each iteration, or when it costs 1 ms and 2 %.
RuleResult hiddenWaitsRule(const Facts& facts)
{
    if (!facts.onDevice)
        return quiet();
    if (facts.index.calls.empty())
        return unknown(base::message<reasons::kTheRuntimeSCallsAre>());
    const HiddenWaits& hidden = facts.hiddenWaits;
    if (!hidden.found())
        return quiet();
    const auto [waits, readings] = std::pair{hidden.waits, hidden.readings};
    const double dry = facts.share(hidden.idle);
    const double lost = facts.share(hidden.cost());
    constexpr double kNearlyEach = 0.9; // the recording may miss one at either end
    const bool inEach = facts.byIteration() && facts.perIteration(std::max(waits, readings)) >= kNearlyEach;
    const bool costly = lost >= facts.limit(Threshold::waitsShare) &&
                        static_cast<double>(hidden.cost()) >= facts.limit(Threshold::waitsTime) * 1e3;
    if (lost < facts.context.noiseFloor || (!inEach && !costly))
        return quiet();
    const base::Message ahead = hidden.saved > hidden.idle
                                    ? base::message<reasons::kHostCouldRunAhead>(shareMessage(facts, lost))
                                    : base::Message{};
    const base::Message what =
        readings > 0 ? base::message<reasons::kHostWaitsAndReads>(
                           occurrences(facts, waits), occurrences(facts, readings), shareMessage(facts, dry))
                     : base::message<reasons::kHostWaits>(occurrences(facts, waits), shareMessage(facts, dry));
    Finding f;
    f.text = base::sentencesOf({what, ahead});
    f.share = lost;
    f.gain = {0.5 * lost, lost};
    Rows numbers = rows::copies(facts, {CopyDirection::deviceToHost});
    numbers.mostBytes = kNumberBytes;
    f.evidence = evidence(facts, readings > waits ? numbers : rows::waits(facts), hidden.longest);
    f.knob = advise(base::message<reasons::kWaitOnceAtTheEndKeep>());
    f.verification =
        verifyBy(base::message<reasons::kByRemovingTheWaits>(), base::message<reasons::kTheirNumberMustFall>());
    return fired(std::move(f), Cause::synchronization);
}

} // namespace apertune::advice
