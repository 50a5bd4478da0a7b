// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/rules_pace.h"

#include "core/advice/rule_parts.h"
#include "core/advice/trace_queries.h"
#include "core/base/text.h"
#include "core/stats/block_stats.h"
#include "core/stats/detect.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace apertune::advice {

namespace {

/// The events that mark the iterations.
Rows iterationRows(const Facts& facts)
{
    const analysis::Iterations& found = facts.iterations;
    // Iterations without a name were found by their period, and the first kernel marks them.
    if (found.names.empty()) {
        Rows first = rows::everything(facts);
        first.names.emplace(1, found.name);
        return first;
    }
    const bool onHost = facts.index.hasKind(trace::EventKind::range);
    Rows ranges{{onHost ? trace::EventKind::range : trace::EventKind::deviceRange},
                onHost ? facts.callWindow() : facts.window};
    ranges.names.emplace();
    for (const std::uint32_t name : found.names)
        ranges.names->emplace_back(facts.index.text(name));
    if (found.source == analysis::IterationSource::profilerStep)
        ranges.kinds.push_back(trace::EventKind::operatorCall); // older recorders write ranges as operators
    return ranges;
}

} // namespace

// not-steady: the iterations drift. Either there is a trend (Mann-Kendall, p ≤ 0.01), or the first and the last third
// differ by more than 2 % beyond their uncertainty. A plain 2 % between halves would call noise a drift.
RuleResult notSteadyRule(const Facts& facts)
{
    constexpr std::size_t kMost = 500;
    const auto fewest = static_cast<std::size_t>(facts.limit(Threshold::notSteadyIterations));
    if (!facts.iterations.found() || facts.steady.size() < fewest)
        return quiet();
    std::vector<double> times;
    // The tests compare all pairs, so long recordings are thinned out.
    const std::size_t step = (facts.steady.size() + kMost - 1) / kMost;
    for (std::size_t i = 0; i < facts.steady.size(); i += step)
        times.push_back(static_cast<double>(facts.steady[i].length()));
    if (!stats::trend(times, facts.context.noiseFloor).found &&
        !stats::drifted(times, facts.limit(Threshold::notSteadyDrift)))
        return quiet();
    // The medians of both halves give the size of the drift.
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    const double a = stats::median(std::vector<double>(times.begin(), middle));
    const double b = stats::median(std::vector<double>(middle, times.end()));
    const double drift = a > 0 ? b / a - 1 : 0;
    Finding f;
    f.text = facts.iterations.marked()
                 ? (drift < 0 ? base::message<reasons::kIterationsGetFaster>(base::Share{std::abs(drift)})
                              : base::message<reasons::kIterationsGetSlower>(base::Share{std::abs(drift)}))
                 : (drift < 0 ? base::message<reasons::kRepeatedSectionsGetFaster>(base::Share{std::abs(drift)})
                              : base::message<reasons::kRepeatedSectionsGetSlower>(base::Share{std::abs(drift)}));
    f.shareOf = ShareOf::trust;
    f.share = std::min(1.0, std::abs(drift));
    f.evidence = evidence(facts, iterationRows(facts), facts.window);
    f.knob = advise(base::message<reasons::kWarmUpLongerBeforeTracing>());
    f.verification = base::message<reasons::kTraceAgainAfterALonger>();
    return fired(std::move(f));
}

namespace {

/// Ns of an iteration that other programs took from the busiest thread of a CPU.
std::int64_t interruptionIn(const Facts& facts, trace::TimeRange iteration)
{
    const auto [first, end] = facts.forest.busiestThread();
    std::int64_t time = 0;
    for (std::int32_t i = first; i < end && facts.interrupted.time > 0; ++i) {
        const auto node = static_cast<std::size_t>(i);
        if (iteration.contains(facts.forest.nodes[node].time.start))
            time += facts.interrupted.of(node) + facts.interrupted.before(node);
    }
    return time;
}

/// The name of a cause of time in these findings. What the host does otherwise is of the whole recording, so it is left
/// out.
base::Message plainPhraseOf(const Facts& facts, Cause cause)
{
    if (cause != Cause::host)
        return phraseOf(facts, cause);
    return facts.onDevice ? base::message<reasons::kPartHostDevice>() : base::message<reasons::kPartHost>();
}

/// The activity on which the slowest iteration spends more time than a usual one.
struct Slowness
{
    enum class Kind { interrupted, pause, cause, unknown } kind = Kind::unknown;
    Cause cause = Cause::other;
    std::int64_t time = 0; ///< ns of it
};

Slowness slownessOf(const Facts& facts, trace::TimeRange slowest, trace::TimeRange usual)
{
    const std::int64_t more = slowest.length() - usual.length();
    // At least half of the excess must be explained.
    if (const std::int64_t taken = interruptionIn(facts, slowest); 2 * taken >= more)
        return {Slowness::Kind::interrupted, Cause::other, taken};
    const Facts slow(facts, slowest), plain(facts, usual);
    Slowness found;
    // The cause that grew most between the usual and the slowest iteration is named.
    for (std::size_t c = 0; c < kCauses; ++c)
        if (const std::int64_t added = slow.causes[c] - plain.causes[c]; added > found.time)
            found = {Slowness::Kind::cause, static_cast<Cause>(c), added};
    if (2 * found.time < more || found.cause == Cause::other)
        return {};
    // A thread that lost its processor between two operators looks like one that does something else.
    if (!facts.onDevice && found.cause == Cause::host)
        return {Slowness::Kind::pause, Cause::other, found.time};
    return found;
}

} // namespace

// slow-iterations: a few of 20 iterations or more take over 1.5 times the median. When more than a quarter do, they are
// another kind of iteration, and no exceptions.
RuleResult slowIterationsRule(const Facts& facts)
{
    constexpr std::size_t kExceptions = 4; // one of so many at most
    const auto fewest = static_cast<std::size_t>(facts.limit(Threshold::slowIterationsIterations));
    if (!facts.iterations.marked() || facts.steady.size() < fewest)
        return quiet();
    std::vector<std::int64_t> lengths;
    for (const trace::TimeRange& iteration : facts.steady)
        lengths.push_back(iteration.length());
    const std::int64_t median = analysis::median(lengths);
    const double limit = facts.limit(Threshold::slowIterationsRatio) * static_cast<double>(median);
    std::size_t count = 0;
    std::int64_t excess = 0;
    for (const std::int64_t length : lengths)
        if (static_cast<double>(length) > limit) {
            ++count;
            excess += length - median;
        }
    // Iterations that are often slow are no exceptions.
    if (count == 0 || count * kExceptions > lengths.size())
        return quiet();
    const auto byLength = [](const trace::TimeRange& a, const trace::TimeRange& b) { return a.length() < b.length(); };
    const trace::TimeRange slowest = *std::max_element(facts.steady.begin(), facts.steady.end(), byLength);
    // The iteration nearest to the median is the usual one.
    const trace::TimeRange usual =
        *std::min_element(facts.steady.begin(), facts.steady.end(), [median](const auto& a, const auto& b) {
            return std::abs(a.length() - median) < std::abs(b.length() - median);
        });
    const Slowness why = slownessOf(facts, slowest, usual);
    const base::Message reason =
        why.kind == Slowness::Kind::interrupted ? base::message<reasons::kSlowestInterrupted>(timeText(why.time))
        : why.kind == Slowness::Kind::pause     ? base::message<reasons::kSlowestPauses>(timeText(why.time))
        : why.kind == Slowness::Kind::cause
            ? base::message<reasons::kSlowestSpends>(timeText(why.time), plainPhraseOf(facts, why.cause))
            : base::message<reasons::kSlowestUnknown>();
    Finding f;
    f.text = base::message<reasons::kSlowIterations>(
        static_cast<std::int64_t>(count), static_cast<std::int64_t>(lengths.size()),
        base::formatSignificant(facts.limit(Threshold::slowIterationsRatio), 3), timeText(median),
        timeText(slowest.length()), reason);
    f.share = facts.share(excess);
    const bool maybeTaken = why.kind == Slowness::Kind::interrupted || why.kind == Slowness::Kind::pause;
    // An interruption concerns the recording and not the program, so it has no gain.
    if (maybeTaken)
        f.shareOf = ShareOf::trust;
    else
        f.gain = {0, f.share};
    f.evidence = evidence(facts, iterationRows(facts), slowest);
    f.knob = advise(maybeTaken ? base::message<reasons::kRecordOnAQuietMachine>()
                               : base::message<reasons::kLookAtTheSlowest>());
    f.verification = base::message<reasons::kNoIterationMayStandOut>();
    return fired(std::move(f), why.cause);
}

namespace {

/// The times in which the GPU's telemetry says that heat or a limit of power holds the clock down.
struct HeldClock
{
    analysis::TimeRanges times;
    std::set<std::string> reasons;
    trace::TimeRange longest;
};

bool isLimit(std::string_view reason)
{
    for (const char* const word : {"power cap", "slowdown", "heat", "power brake"})
        if (reason.find(word) != std::string_view::npos)
            return true;
    return false;
}

HeldClock heldClock(const Facts& facts)
{
    HeldClock held;
    for (const trace::Series& series : facts.trace.series) {
        const trace::Track& track = facts.trace.tracks[series.track.value];
        if (series.kind != trace::EventKind::deviceRange || track.label != "clock held by" ||
            track.device != facts.device)
            // Idle clocks are no limit: only reasons that hold a working device back count.
            continue;
        for (std::size_t i = 0; i < series.events.size(); ++i) {
            const std::string_view reason = facts.trace.nameOf(series, i);
            const trace::TimeRange time =
                analysis::intersection({series.events.start[i], series.events.end(i)}, facts.window);
            if (!isLimit(reason) || time.length() <= 0)
                continue;
            held.times.push_back(time);
            held.reasons.emplace(reason);
            if (time.length() > held.longest.length())
                held.longest = time;
        }
    }
    held.times = analysis::unite(std::move(held.times));
    return held;
}

/// The mean of the SM clock's readings in `times`, and the highest in the recording, in MHz; 0: unknown.
std::pair<double, double> clocks(const Facts& facts, const analysis::TimeRanges& times)
{
    double sum = 0, count = 0, highest = 0;
    for (const trace::Series& series : facts.trace.series) {
        const trace::Track& track = facts.trace.tracks[series.track.value];
        if (series.kind != trace::EventKind::counter || track.label != "SM clock" || track.device != facts.device)
            continue;
        for (std::size_t i = 0; i < series.events.size(); ++i) {
            const auto value = static_cast<double>(trace::valueAt(series.events.value, i));
            highest = std::max(highest, value);
            const std::int64_t at = series.events.start[i];
            if (analysis::coveredLength(times, {at, at + 1}) > 0) {
                sum += value;
                ++count;
            }
        }
    }
    return {count > 0 ? sum / count : 0, highest};
}

} // namespace

// held-clock: heat or a limit of power holds the GPU's clock down for 5 % or more. A clock within 5 % of the highest
// lost nothing.
RuleResult heldClockRule(const Facts& facts)
{
    constexpr double kLowered = 0.95;
    if (!facts.onDevice)
        return quiet();
    const HeldClock held = heldClock(facts);
    const double share = facts.share(analysis::coveredLength(held.times, facts.window));
    if (held.reasons.empty() || share < facts.limit(Threshold::heldClockShare))
        return quiet();
    const auto [mean, highest] = clocks(facts, held.times);
    // A reason without a lower clock changes nothing.
    if (mean > kLowered * highest)
        return quiet();
    const std::string causes = base::join(std::vector<std::string>(held.reasons.begin(), held.reasons.end()));
    Finding f;
    f.text = mean > 0 ? base::message<reasons::kHeldClockAt>(causes, shareMessage(facts, share),
                                                             base::formatSignificant(mean, 4),
                                                             base::formatSignificant(highest, 4))
                      : base::message<reasons::kHeldClock>(causes, shareMessage(facts, share));
    f.shareOf = ShareOf::trust;
    f.share = share;
    Rows states{{trace::EventKind::deviceRange}, {facts.trace.begin().count, facts.window.end}};
    states.device = facts.device;
    states.names.emplace(held.reasons.begin(), held.reasons.end());
    f.evidence = evidence(facts, states, held.longest);
    f.knob = advise(base::message<reasons::kCoolOrRaiseTheLimit>());
    f.verification = base::message<reasons::kMeasureAtAFreeClock>();
    return fired(std::move(f));
}

} // namespace apertune::advice
