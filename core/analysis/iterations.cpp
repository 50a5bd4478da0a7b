// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/iterations.h"

#include "core/analysis/named_ranges.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>

namespace apertune::analysis {

namespace {

// The limits that iterations.h documents.
constexpr std::size_t kLongestSequence = 200'000;
constexpr double kEvenDistances = 0.1; ///< largest deviation from the median, as a share of it
constexpr double kEvenShare = 0.8;
constexpr std::size_t kRunsThatAgree = 6;
constexpr std::size_t kExactRuns = 3; ///< one piece of work that occurs once in each iteration makes three exact runs
constexpr double kCoveredByPeriods = 0.6;
constexpr double kMostOfTheWork = 0.8; ///< share of the work in iterations

/// One piece of work in the search for a period.
struct Item
{
    std::uint32_t name = 0;
    TimeRange time;
};

TimeRange spanOfWork(const TraceIndex& index, const OperatorForest& forest)
{
    if (!index.work.empty())
        return index.workSpan();
    TimeRange span{INT64_MAX, INT64_MIN};
    for (const OperatorNode& n : forest.nodes)
        span = {std::min(span.start, n.time.start), std::max(span.end, n.time.end)};
    return span.end > span.start ? span : TimeRange{};
}

/// Ranges that may be the iterations.
struct Candidate
{
    std::string name;
    std::vector<TimeRange> times; ///< sorted by start, disjoint
    std::vector<std::uint32_t> names;
    std::int64_t total() const
    {
        std::int64_t sum = 0;
        for (const TimeRange i : times)
            sum += i.length();
        return sum;
    }
    /// Returns the range from the start of the first to the end of the last.
    TimeRange span() const { return {times.front().start, times.back().end}; }
};

Candidate candidateOf(std::string name, const std::vector<NamedRange>& ranges)
{
    Candidate candidate{std::move(name), {}, {}};
    for (const NamedRange& range : ranges) {
        candidate.times.push_back(range.time);
        candidate.names.push_back(range.name);
    }
    std::sort(candidate.names.begin(), candidate.names.end());
    candidate.names.erase(std::unique(candidate.names.begin(), candidate.names.end()), candidate.names.end());
    return candidate;
}

/// Replaces every number by "#", so that a server's "step[DECODE bs=32]" and "step[DECODE bs=31]" are alike.
std::string withoutNumbers(std::string_view name)
{
    std::string text;
    for (const char c : name) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit || text.empty() || text.back() != '#')
            text += digit ? '#' : c;
    }
    return text;
}

/// Returns false for names that frameworks generate and for parts of a model, because both repeat within an iteration.
bool canBeAnIteration(std::string_view name)
{
    for (const std::string_view prefix :
         {"## Call CompiledFxGraph", "Torch-Compiled Region", "TorchDynamo", "CUDAGraphNode", "Optimizer.",
          "enumerate(DataLoader)", "DistributedDataParallel.", "FullyShardedDataParallel.",
          "FSDP::", "nccl:", "rccl:", "gloo:", "c10d::", "autograd::", "aten::", "PyTorch Profiler", "ProfilerStep"})
        if (name.starts_with(prefix))
            return false;
    const std::string lower = base::lower(name);
    return lower.find("layer") == std::string::npos && lower.find("block") == std::string::npos;
}

/// Returns the ranges that the program named. Names that differ only in numbers form one candidate when their ranges do
/// not overlap.
std::vector<Candidate> candidates(const NamedRanges& ranges)
{
    NamedRanges alike;
    for (const auto& [name, list] : ranges)
        // Names that differ in their numbers alone are one candidate: "step 1", "step 2".
        if (!list.empty() && canBeAnIteration(name)) {
            std::vector<NamedRange>& group = alike[withoutNumbers(name)];
            group.insert(group.end(), list.begin(), list.end());
        }
    std::vector<Candidate> all;
    for (auto& [name, list] : alike) {
        std::sort(list.begin(), list.end(),
                  [](const NamedRange& a, const NamedRange& b) { return a.time.start < b.time.start; });
        // Nested ranges of one name cannot be iterations.
        const bool overlap = std::adjacent_find(list.begin(), list.end(), [](const NamedRange& a, const NamedRange& b) {
                                 return a.time.end > b.time.start;
                             }) != list.end();
        if (!overlap)
            all.push_back(candidateOf(name, list));
    }
    for (const auto& [name, list] : ranges) // in a group that overlaps, each name becomes its own candidate
        // Ranges of one exact name may be iterations where the group of alike names is none.
        if (!list.empty() && canBeAnIteration(name) &&
            std::none_of(all.begin(), all.end(),
                         [plain = withoutNumbers(name)](const Candidate& c) { return c.name == plain; }))
            all.push_back(candidateOf(name, list));
    return all;
}

/// Measures the work in ranges. Device work counts at its launch or, without recorded launches, when it runs. Without a
/// device, operators count.
class WorkMeter
{
public:
    WorkMeter(const TraceIndex& index, const OperatorForest& forest)
    {
        // Work that is linked to its launch can be counted by the host's range that launched it.
        m_joined = std::any_of(index.work.begin(), index.work.end(), [](const Work& w) { return w.call != kNone; });
        if (m_joined) {
            for (const Work& w : index.work)
                if (w.call != kNone)
                    m_pieces.push_back({index.calls[static_cast<std::size_t>(w.call)].time.start, w.time.length()});
            std::sort(m_pieces.begin(), m_pieces.end());
            std::int64_t sum = 0;
            // Sums up to each launch make the work in a range one difference.
            for (auto& [start, time] : m_pieces)
                time = sum += time;
            return;
        }
        std::vector<TimeRange> busy;
        for (const Work& w : index.work)
            busy.push_back(w.time);
        // Without device work, operators are the work; the marks of the profiler are none.
        if (index.work.empty())
            for (const OperatorNode& n : forest.nodes)
                if (!index.text(n.name).starts_with("ProfilerStep#"))
                    busy.push_back(n.time);
        m_busy = unite(std::move(busy));
    }

    /// Returns the ns of work that was launched in `range`, or that ran in it.
    std::int64_t in(TimeRange range) const
    {
        if (!m_joined)
            return coveredLength(m_busy, range);
        const auto before = [this](std::int64_t time) {
            const auto at = std::partition_point(m_pieces.begin(), m_pieces.end(),
                                                 [time](const auto& piece) { return piece.first < time; });
            return at == m_pieces.begin() ? 0 : std::prev(at)->second;
        };
        return range.length() > 0 ? before(range.end) - before(range.start) : 0;
    }
    std::int64_t in(const std::vector<TimeRange>& ranges) const
    {
        std::int64_t sum = 0;
        for (const TimeRange range : ranges)
            sum += in(range);
        return sum;
    }
    std::int64_t all() const { return m_joined ? m_pieces.back().second : totalLength(m_busy); }
    bool byLaunch() const { return m_joined; }

private:
    bool m_joined = false;
    /// Start of each launch, and the prefix sum of ns up to and including its work.
    std::vector<std::pair<std::int64_t, std::int64_t>> m_pieces;
    TimeRanges m_busy;
};

/// Drops ranges without work, such as a skipped step, or one that the end of the recording cut off.
void dropEmpty(const WorkMeter& meter, std::vector<TimeRange>& list)
{
    std::vector<TimeRange> kept;
    std::copy_if(list.begin(), list.end(), std::back_inserter(kept), [&](TimeRange i) { return meter.in(i) > 0; });
    if (!kept.empty()) // otherwise the work was not recorded: compiled code reports no operators
        list = std::move(kept);
}

/// Makes iterations adjacent. The time between two ranges belongs to the first one.
void closeGaps(std::vector<TimeRange>& list)
{
    for (std::size_t i = 0; i + 1 < list.size(); ++i)
        list[i].end = list[i + 1].start;
}

/// Returns the stream with the longest work, whose order is that of the program. Communication does not count, because
/// its kernels wait.
trace::TrackId mainStream(const TraceIndex& index)
{
    std::unordered_map<std::uint32_t, std::int64_t> time;
    for (const Work& w : index.work)
        // Collectives have a stream of their own, which says nothing about iterations.
        if (w.isKernel() && index.kernelClass(w.name) != OpClass::communication)
            time[index.trace.series[w.ref.series].track.value] += w.time.length();
    std::pair<std::int64_t, std::uint32_t> most{-1, 0};
    for (const auto& [track, sum] : time)
        if (sum > most.first || (sum == most.first && track < most.second))
            most = {sum, track};
    return trace::TrackId{most.second};
}

/// Extends iterations of host ranges by the device work that was launched in them; see findIterations(). `firstEnd` is
/// the end of the first range before the gaps between them were closed.
std::vector<TimeRange> withTheirDeviceWork(const TraceIndex& index, const std::vector<TimeRange>& calls,
                                           std::int64_t firstEnd)
{
    struct Launched
    {
        std::int64_t first = INT64_MAX;  ///< start of the first work
        std::int64_t onMain = INT64_MAX; ///< start of the first work on the main stream
        std::int64_t end = INT64_MIN;    ///< end of all work
    };
    const trace::TrackId stream = mainStream(index);
    const auto isOnMain = [&](const Work& w) { return index.trace.series[w.ref.series].track == stream; };
    std::vector<Launched> launched(calls.size());
    for (const Work& w : index.work) {
        if (w.call == kNone)
            continue;
        const std::int64_t call = index.calls[static_cast<std::size_t>(w.call)].time.start;
        // The range that begins last before the call is the only one that can hold it.
        const auto after =
            std::partition_point(calls.begin(), calls.end(), [call](TimeRange i) { return i.start <= call; });
        if (after == calls.begin() || !std::prev(after)->contains(call))
            continue;
        Launched& by = launched[static_cast<std::size_t>(std::prev(after) - calls.begin())];
        by.first = std::min(by.first, w.time.start);
        by.end = std::max(by.end, w.time.end);
        if (isOnMain(w))
            by.onMain = std::min(by.onMain, w.time.start);
    }
    std::vector<TimeRange> all;
    std::size_t piece = 0;
    std::int64_t reached = INT64_MIN; ///< end of the main stream's work before the first work of a range
    for (std::size_t i = 0; i < calls.size(); ++i) {
        std::int64_t start = calls[i].start;
        const Launched& by = launched[i];
        if (by.onMain != INT64_MAX) {
            for (; piece < index.work.size() && index.work[piece].time.start < by.onMain; ++piece)
                if (isOnMain(index.work[piece]))
                    reached = std::max(reached, index.work[piece].time.end);
            // An iteration begins on the device when the main stream is done with the one before.
            start = std::max(start, std::min(reached, by.onMain));
        }
        // Only the recording's first range can follow unrecorded work.
        const bool unseenBefore = i == 0 && index.work.front().time.start >= by.first;
        if (unseenBefore && by.first != INT64_MAX && by.first > firstEnd)
            start = by.first;
        if (i > 0) {
            start = std::max(start, all.back().start);
            const bool adjacent = calls[i - 1].end == calls[i].start;
            all.back().end =
                // Adjacent ranges leave no gap between their device work.
                adjacent ? start : std::min(start, std::max({all.back().start, calls[i - 1].end, launched[i - 1].end}));
        }
        all.push_back({start, start});
    }
    all.back().end = std::max({all.back().start, calls.back().end, launched.back().end});
    return all;
}

/// Makes iterations from ranges, which are host ranges (`hostRanges`) or were recorded by a device.
Iterations byRanges(const TraceIndex& index, const WorkMeter& meter, IterationSource source, Candidate ranges,
                    bool hostRanges)
{
    Iterations result;
    result.source = source;
    result.name = std::move(ranges.name);
    result.names = std::move(ranges.names);
    if (result.names.size() == 1 && source == IterationSource::range)
        result.name = index.text(result.names.front());
    result.calls = std::move(ranges.times);
    const std::vector<TimeRange> own = result.calls;
    closeGaps(result.calls);
    dropEmpty(meter, result.calls);
    const auto first =
        std::find_if(own.begin(), own.end(), [&](TimeRange i) { return i.start == result.calls.front().start; });
    result.all = hostRanges && meter.byLaunch() ? withTheirDeviceWork(index, result.calls, first->end) : result.calls;
    return result;
}

/// Returns the ranges of a program that are its iterations; nullopt when none are.
std::optional<Candidate> chosenRanges(const NamedRanges& ranges, const WorkMeter& meter, TimeRange span)
{
    // A range that is more than three times as long as another one with as much work is the program itself.
    constexpr std::int64_t kProgram = 3;
    const auto length = [span](const Candidate& c) {
        return std::max(c.times.back().end, span.end) - c.times.front().start;
    };
    std::optional<Candidate> repeated;
    std::vector<Candidate> few;
    for (Candidate& c : candidates(ranges)) {
        const auto held = static_cast<double>(meter.in(c.times));
        const auto between = static_cast<double>(meter.in(c.span()));
        const auto all = static_cast<double>(meter.all());
        if (c.times.size() >= 3) {
            // A range around a small part of each iteration repeats as well, so the candidate has to hold most of the
            // work.
            const TimeRange covered = intersection(c.span(), span);
            const bool most = meter.byLaunch()
                                  ? held >= kMostOfTheWork * between && 2 * between >= all
                                  : 2 * covered.length() >= span.length() && 2 * c.total() >= covered.length();
            if (most && (!repeated || c.total() > repeated->total()))
                // Of several candidates, the one that covers most of the time is the outermost.
                repeated = std::move(c);
        } else if (all > 0 && held >= kMostOfTheWork * all) {
            few.push_back(std::move(c));
        }
    }
    if (repeated || few.empty())
        return repeated;
    std::sort(few.begin(), few.end(), [&](const Candidate& a, const Candidate& b) { return length(a) < length(b); });
    const auto within = std::partition_point(
        few.begin(), few.end(), [&](const Candidate& c) { return length(c) <= kProgram * length(few.front()); });
    return *std::prev(within);
}

/// Returns iterations that end with an optimizer's step or begin with the next batch; nullopt with fewer than two
/// markers.
std::optional<Candidate> betweenMarkers(const NamedRanges& ranges, TimeRange span)
{
    // An optimizer's step ends an iteration, and a data loader's call begins one.
    for (const std::string_view prefix : {"Optimizer.step#", "enumerate(DataLoader)#"}) {
        const std::vector<NamedRange>* markers = nullptr; // with several optimizers, the one with the fewest steps
        std::string name;
        for (auto named = ranges.lower_bound(prefix); named != ranges.end() && named->first.starts_with(prefix);
             ++named)
            // One marker alone divides nothing.
            if (named->second.size() >= 2 && (!markers || named->second.size() < markers->size())) {
                markers = &named->second;
                name = named->first;
            }
        if (!markers)
            continue;
        Candidate candidate = candidateOf(name, *markers);
        const bool ends = prefix.starts_with("Optimizer");
        std::int64_t begin = std::min(span.start, candidate.times.front().start);
        for (TimeRange& i : candidate.times) {
            const TimeRange marker = i;
            i = ends ? TimeRange{begin, marker.end} : TimeRange{marker.start, marker.end};
            begin = marker.end;
        }
        if (!ends) {
            closeGaps(candidate.times);
            candidate.times.back().end = std::max(candidate.times.back().end, span.end);
        }
        const TimeRange covered = intersection(candidate.span(), span);
        if (2 * covered.length() >= span.length())
            return candidate;
    }
    return {};
}

std::vector<Item> sequence(const TraceIndex& index, const OperatorForest& forest)
{
    std::vector<Item> items;
    if (!index.work.empty()) {
        std::vector<std::int64_t> busy(index.devices.size());
        // Only the busiest device is looked at, because others repeat its iterations.
        for (const Work& w : index.work)
            busy[w.device] += w.time.length();
        const auto device = std::max_element(busy.begin(), busy.end()) - busy.begin();
        for (const Work& w : index.work)
            if (w.device == device && items.size() < kLongestSequence)
                items.push_back({w.name, w.time});
        return items;
    }
    const auto [first, end] = forest.busiestThread();
    for (std::int32_t i = first; i < end && items.size() < kLongestSequence; ++i) {
        const OperatorNode& node = forest.nodes[static_cast<std::size_t>(i)];
        if (node.parent == kNone)
            items.push_back({node.name, node.time});
    }
    // A model that runs as a few operators hides its sequence below them.
    if (items.size() < 3) {
        items.clear();
        for (std::int32_t i = first; i < end && items.size() < kLongestSequence; ++i)
            items.push_back(
                {forest.nodes[static_cast<std::size_t>(i)].name, forest.nodes[static_cast<std::size_t>(i)].time});
    }
    return items;
}

/// The positions of a run of names that recurs at even distances.
struct Anchor
{
    std::vector<std::uint32_t> positions;
    std::uint32_t distance = 0; ///< median distance
    /// True when it occurs at least five times and its distances are all equal, apart from a piece or two.
    bool exact = false;
};

std::vector<Anchor> evenAnchors(const std::vector<Item>& items)
{
    // Runs of three names are rarer than single ones, so they mark a place in the iteration.
    constexpr std::size_t kRun = 3;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> runs;
    for (std::size_t i = 0; i + kRun <= items.size(); ++i) {
        std::uint64_t hash = 1469598103934665603ull; // FNV-1a
        for (std::size_t k = 0; k < kRun; ++k)
            hash = (hash ^ items[i + k].name) * 1099511628211ull;
        runs[hash].push_back(static_cast<std::uint32_t>(i));
    }
    std::vector<Anchor> anchors;
    std::vector<std::uint32_t> distances;
    for (auto& [hash, positions] : runs) {
        // Three occurrences are the fewest that can be evenly spaced.
        if (positions.size() < 3)
            continue;
        distances.clear();
        for (std::size_t i = 1; i < positions.size(); ++i)
            distances.push_back(positions[i] - positions[i - 1]);
        const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
        std::nth_element(distances.begin(), middle, distances.end());
        const std::uint32_t typical = *middle;
        const auto even = std::count_if(distances.begin(), distances.end(), [typical](std::uint32_t d) {
            return std::abs(static_cast<double>(d) - typical) <= kEvenDistances * typical;
        });
        // An anchor has to occur at even distances over most of the sequence.
        if (typical < 2 || static_cast<double>(even) < kEvenShare * static_cast<double>(distances.size()) ||
            positions.back() - positions.front() + typical < kCoveredByPeriods * static_cast<double>(items.size()))
            continue;
        // Exact distances are a stronger sign than typical ones.
        const bool exact =
            distances.size() >= 4 && std::all_of(distances.begin(), distances.end(), [=](std::uint32_t d) {
                return std::abs(static_cast<double>(d) - typical) <= std::max(1.0, 0.02 * typical);
            });
        anchors.push_back({std::move(positions), typical, exact});
    }
    return anchors;
}

/// Returns the outermost operators when they are passes: TorchScript wraps each pass in one operator, "forward".
std::optional<Iterations> outermostPasses(const TraceIndex& index, const OperatorForest& forest,
                                          const std::vector<Item>& items)
{
    const auto [first, end] = forest.busiestThread();
    if (!index.work.empty() || items.size() < 3 || first >= end)
        return std::nullopt;
    const bool same = std::all_of(items.begin(), items.end(), [&](const Item& i) { return i.name == items[0].name; });
    if (!same || forest.nodes[static_cast<std::size_t>(first)].last <= first)
        return std::nullopt;
    Iterations result;
    result.source = IterationSource::outermost;
    result.name = std::string(index.text(items[0].name));
    for (const Item& item : items)
        result.all.push_back(item.time);
    closeGaps(result.all);
    return result;
}

/// Consecutive anchors whose distances agree within 5 %.
struct AnchorGroup
{
    std::size_t first = 0;
    std::size_t end = 0;
    std::uint32_t distance = 0;
    std::size_t exact = 0;
    std::size_t runs() const { return end - first; }
};

/// REQUIRES: the longest distance comes first.
std::vector<AnchorGroup> anchorGroups(const std::vector<Anchor>& anchors)
{
    std::vector<AnchorGroup> groups;
    for (std::size_t a = 0; a < anchors.size(); a = groups.back().end) {
        std::size_t next = a + 1;
        // Anchors of one period have about the same distance.
        while (next < anchors.size() && anchors[next].distance >= 0.95 * anchors[a].distance)
            ++next;
        const auto exact = std::count_if(anchors.begin() + static_cast<std::ptrdiff_t>(a),
                                         anchors.begin() + static_cast<std::ptrdiff_t>(next),
                                         [](const Anchor& anchor) { return anchor.exact; });
        groups.push_back({a, next, anchors[(a + next) / 2].distance, static_cast<std::size_t>(exact)});
    }
    return groups;
}

/// Returns the group whose distance is the period, if any: the longest distance that enough runs have.
std::optional<AnchorGroup> groupOfPeriod(const std::vector<AnchorGroup>& groups)
{
    // A single odd piece of work makes three runs of its own and may happen to fall evenly. It then falls into every
    // second or third iteration, so its distance is a multiple of one that many more runs have.
    const auto isMultiple = [&groups](const AnchorGroup& g) {
        return std::any_of(groups.begin(), groups.end(), [&g](const AnchorGroup& shorter) {
            const double times = static_cast<double>(g.distance) / shorter.distance;
            return times > 1.5 && shorter.runs() >= 3 * g.runs() && std::abs(times - std::round(times)) < 0.1;
        });
    };
    std::size_t most = 0;
    for (const AnchorGroup& g : groups)
        most = std::max(most, g.runs());
    // Groups are sorted by falling distance, so the longest period that enough runs agree on is taken.
    const auto chosen = std::find_if(groups.begin(), groups.end(), [&](const AnchorGroup& g) {
        const bool agreed = g.runs() >= std::min<std::size_t>(kRunsThatAgree, g.distance) && 4 * g.runs() >= most;
        return (agreed || g.exact >= kExactRuns) && !isMultiple(g);
    });
    return chosen == groups.end() ? std::nullopt : std::optional(*chosen);
}

/// Returns the run of the group that begins iterations: of those that are once in every iteration, the one with the
/// longest median pause before it.
const Anchor& anchorOfIterations(const std::vector<Item>& items, const std::vector<Anchor>& anchors,
                                 const AnchorGroup& group)
{
    // Some runs are missing in places and others occur once too often. A run with the median count is once in every
    // iteration.
    std::vector<std::size_t> counts;
    for (std::size_t a = group.first; a < group.end; ++a)
        counts.push_back(anchors[a].positions.size());
    const auto usual = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
    std::nth_element(counts.begin(), usual, counts.end());

    const auto pauseBefore = [&items](std::uint32_t i) -> std::int64_t {
        return i == 0 ? 0 : std::max<std::int64_t>(0, items[i].time.start - items[i - 1].time.end);
    };
    // The longest pause is the most likely border between two iterations.
    const Anchor* best = nullptr;
    std::int64_t longest = -1;
    for (std::size_t a = group.first; a < group.end; ++a) {
        // One more occurrence is the whole first or last iteration, where the other runs cross its edge.
        const std::size_t count = anchors[a].positions.size();
        if (count != *usual && !(count == *usual + 1 && anchors[a].exact))
            continue;
        std::vector<std::int64_t> pauses;
        for (const std::uint32_t position : anchors[a].positions)
            pauses.push_back(pauseBefore(position));
        const auto middle = pauses.begin() + static_cast<std::ptrdiff_t>(pauses.size() / 2);
        std::nth_element(pauses.begin(), middle, pauses.end());
        if (*middle > longest || (*middle == longest && anchors[a].positions.front() < best->positions.front())) {
            longest = *middle;
            best = &anchors[a];
        }
    }
    return *best; // the run with the median count is never left out
}

Iterations byPeriod(const TraceIndex& index, const OperatorForest& forest)
{
    const std::vector<Item> items = sequence(index, forest);
    // Equal outermost operators are the passes themselves.
    if (std::optional<Iterations> passes = outermostPasses(index, forest, items))
        return std::move(*passes);
    std::vector<Anchor> anchors = evenAnchors(items);
    std::sort(anchors.begin(), anchors.end(), [](const Anchor& a, const Anchor& b) {
        return a.distance != b.distance ? a.distance > b.distance : a.positions.front() < b.positions.front();
    });
    Iterations result;
    const std::optional<AnchorGroup> group = groupOfPeriod(anchorGroups(anchors));
    if (!group)
        return result;
    const Anchor& best = anchorOfIterations(items, anchors, *group);
    result.source = IterationSource::period;
    result.name = std::string(index.text(items[best.positions.front()].name));
    for (const std::uint32_t position : best.positions)
        result.all.push_back({items[position].time.start, items[position].time.start});
    closeGaps(result.all);
    // The last section ends after as many items as the period has, or with the sequence.
    const std::size_t last = std::min(items.size(), best.positions.back() + static_cast<std::size_t>(best.distance));
    for (std::size_t i = best.positions.back(); i < last; ++i)
        result.all.back().end = std::max(result.all.back().end, items[i].time.end);
    // A section that the end of the recording cut off does not count.
    if (static_cast<double>(items.size() - best.positions.back()) < 0.9 * best.distance)
        result.all.pop_back();
    return result;
}

void markWarmUp(Iterations& iterations)
{
    std::vector<TimeRange>& all = iterations.all;
    if (all.size() < 3)
        return;
    std::vector<std::int64_t> lengths;
    for (const TimeRange i : all)
        lengths.push_back(i.length());
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    // An iteration of more than one and a half times the median is still warming up.
    const double limit = 1.5 * static_cast<double>(*middle);
    // Half of the iterations stay, so that a recording that only gets faster is not empty.
    while (iterations.steady < all.size() / 2 && static_cast<double>(all[iterations.steady].length()) > limit)
        ++iterations.steady;
}

} // namespace

std::string_view toString(IterationSource source)
{
    switch (source) {
    case IterationSource::profilerStep:
        return "profiler_step";
    case IterationSource::range:
        return "range";
    case IterationSource::stepMarker:
        return "step_marker";
    case IterationSource::outermost:
        return "outermost_operator";
    case IterationSource::period:
        return "period";
    case IterationSource::none:
        break;
    }
    return "none";
}

namespace {

Iterations byMarks(const TraceIndex& index, const OperatorForest& forest)
{
    const TimeRange span = spanOfWork(index, forest);
    const WorkMeter meter(index, forest);
    const NamedRanges host = namedRanges(index.trace);
    const NamedRanges device = deviceRanges(index.trace);
    // The profiler's own steps are the surest mark.
    for (const NamedRanges* ranges : {&host, &device})
        if (const auto steps = ranges->find("ProfilerStep"); steps != ranges->end() && !steps->second.empty())
            return byRanges(index, meter, IterationSource::profilerStep, candidateOf("ProfilerStep", steps->second),
                            ranges == &host);
    if (span.length() == 0)
        return {};
    for (const NamedRanges* ranges : {&host, &device})
        if (std::optional<Candidate> chosen = chosenRanges(*ranges, meter, span))
            return byRanges(index, meter, IterationSource::range, std::move(*chosen), ranges == &host);
    if (std::optional<Candidate> chosen = betweenMarkers(host, span))
        return byRanges(index, meter, IterationSource::stepMarker, std::move(*chosen), true);
    return {};
}

} // namespace

Iterations findIterations(const TraceIndex& index, const OperatorForest& forest)
{
    Iterations result = byMarks(index, forest);
    if (!result.found()) {
        result = byPeriod(index, forest);
        // One section is no repetition.
        if (result.all.size() < 2)
            return {};
        result.calls = result.all;
    }
    markWarmUp(result);
    return result;
}

std::vector<IterationUse> iterationStrip(const TraceIndex& index, const OperatorForest& forest,
                                         const Iterations& iterations)
{
    std::vector<TimeRange> busy;
    std::vector<TimeRange> kernels;
    std::vector<TimeRange> moving;
    std::vector<std::int64_t> starts;
    for (const Work& w : index.work) {
        busy.push_back(w.time);
        starts.push_back(w.time.start);
        if (w.isKernel())
            kernels.push_back(w.time);
        else if (w.kind == trace::EventKind::copy)
            moving.push_back(w.time);
    }
    if (index.work.empty())
        for (const OperatorNode& n : forest.nodes) {
            starts.push_back(n.time.start);
            if (n.parent == kNone)
                busy.push_back(n.time);
        }
    std::sort(starts.begin(), starts.end());
    const TimeRanges all = unite(std::move(busy));
    // A copy beside a kernel does not lengthen an iteration.
    const TimeRanges copies = subtract(unite(std::move(moving)), unite(std::move(kernels)));
    std::vector<IterationUse> strip;
    for (const TimeRange i : iterations.all) {
        const auto from = std::lower_bound(starts.begin(), starts.end(), i.start);
        const auto to = std::lower_bound(from, starts.end(), i.end);
        strip.push_back({i, coveredLength(all, i), coveredLength(copies, i), to - from});
    }
    return strip;
}

} // namespace apertune::analysis
