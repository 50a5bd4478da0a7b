// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/analysis/iterations.h"

#include "core/trace/named_ranges.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

namespace apertune::trace::analysis {

namespace {

constexpr std::size_t kLongestSequence = 200'000;
constexpr double kEvenDistances = 0.1; ///< from the median one
constexpr double kEvenShare = 0.8;
constexpr std::size_t kRunsThatAgree = 6;
constexpr std::size_t kExactRuns = 3; ///< of one piece of work that comes once in each iteration
constexpr double kCoveredByPeriods = 0.6;

/// What the search for a period sees of a piece of work.
struct Item
{
    std::uint32_t name = 0;
    Interval time;
};

Interval spanOfWork(const TraceIndex& index, const OperatorForest& forest)
{
    Interval span{INT64_MAX, INT64_MIN};
    const auto extend = [&span](Interval i) {
        span.start = std::min(span.start, i.start);
        span.end = std::max(span.end, i.end);
    };
    for (const Work& w : index.work)
        extend(w.time);
    if (index.work.empty())
        for (const OperatorNode& n : forest.nodes)
            extend(n.time);
    return span.end > span.start ? span : Interval{};
}

std::vector<Interval> timesOf(const std::vector<NamedRange>& ranges)
{
    std::vector<Interval> times;
    for (const NamedRange& range : ranges)
        times.push_back({range.time.begin, range.time.end});
    return times;
}

/// A range around nothing (a step that the program skipped, one cut off by the end of the recording) is no iteration.
void dropEmpty(const TraceIndex& index, const OperatorForest& forest, std::vector<Interval>& list)
{
    std::vector<Interval> pieces;
    for (const Work& w : index.work)
        pieces.push_back(w.time);
    for (const HostCall& call : index.calls)
        if (call.work != kNone)
            pieces.push_back(call.time);
    if (index.work.empty())
        for (const OperatorNode& n : forest.nodes)
            if (!index.text(n.name).starts_with("ProfilerStep#"))
                pieces.push_back(n.time);
    const Intervals busy = unite(std::move(pieces));
    std::vector<Interval> kept;
    std::copy_if(list.begin(), list.end(), std::back_inserter(kept),
                 [&](const Interval& i) { return coveredLength(busy, i) > 0; });
    if (kept.size() >= 2) // else nothing is recorded of the work: compiled code reports no operators
        list = std::move(kept);
}

/// Iterations lie end to end, so that what happens between two ranges belongs to the one before.
void closeGaps(std::vector<Interval>& list)
{
    for (std::size_t i = 0; i + 1 < list.size(); ++i)
        list[i].end = list[i + 1].start;
}

std::vector<Item> sequence(const TraceIndex& index, const OperatorForest& forest)
{
    std::vector<Item> items;
    if (!index.work.empty()) {
        std::vector<std::int64_t> busy(index.devices.size());
        for (const Work& w : index.work)
            busy[w.device] += w.time.length();
        const auto device = std::max_element(busy.begin(), busy.end()) - busy.begin();
        for (const Work& w : index.work) {
            if (w.device == device && items.size() < kLongestSequence)
                items.push_back({w.name, w.time});
        }
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

/// Positions of a run of names that comes back at even distances.
struct Anchor
{
    std::vector<std::uint32_t> positions;
    std::uint32_t distance = 0; ///< the median one
    bool exact = false;         ///< five times or more, and all distances but for a piece or two the same
};

std::vector<Anchor> evenAnchors(const std::vector<Item>& items)
{
    constexpr std::size_t kRun = 3;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> runs;
    for (std::size_t i = 0; i + kRun <= items.size(); ++i) {
        std::uint64_t hash = 1469598103934665603ull;
        for (std::size_t k = 0; k < kRun; ++k)
            hash = (hash ^ items[i + k].name) * 1099511628211ull;
        runs[hash].push_back(static_cast<std::uint32_t>(i));
    }
    std::vector<Anchor> anchors;
    std::vector<std::uint32_t> distances;
    for (auto& [hash, positions] : runs) {
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
        if (typical < 2 || static_cast<double>(even) < kEvenShare * static_cast<double>(distances.size()) ||
            positions.back() - positions.front() + typical < kCoveredByPeriods * static_cast<double>(items.size()))
            continue;
        const bool exact =
            distances.size() >= 4 && std::all_of(distances.begin(), distances.end(), [=](std::uint32_t d) {
                return std::abs(static_cast<double>(d) - typical) <= std::max(1.0, 0.02 * typical);
            });
        anchors.push_back({std::move(positions), typical, exact});
    }
    return anchors;
}

Iterations byPeriod(const TraceIndex& index, const OperatorForest& forest)
{
    Iterations result;
    const std::vector<Item> items = sequence(index, forest);
    if (const auto [first, end] = forest.busiestThread(); index.work.empty() && items.size() >= 3 && first < end) {
        // One operator around each pass (TorchScript's "forward").
        const bool same =
            std::all_of(items.begin(), items.end(), [&](const Item& i) { return i.name == items[0].name; });
        if (same && forest.nodes[static_cast<std::size_t>(first)].last > first) {
            result.source = IterationSource::period;
            result.name = std::string(index.text(items[0].name));
            for (const Item& item : items)
                result.all.push_back(item.time);
            closeGaps(result.all);
            return result;
        }
    }
    std::vector<Anchor> anchors = evenAnchors(items);
    std::sort(anchors.begin(), anchors.end(), [](const Anchor& a, const Anchor& b) {
        return a.distance != b.distance ? a.distance > b.distance : a.positions.front() < b.positions.front();
    });
    // From the longest distance down: the first that enough runs share (within 5 %). One odd piece of work makes three
    // runs of its own wherever it falls, and may by chance fall evenly: then it falls in every second or third
    // iteration, at a multiple of a distance that many more runs have.
    struct Group
    {
        std::size_t first = 0;
        std::size_t end = 0;
        std::uint32_t distance = 0;
        std::size_t exact = 0;
        std::size_t runs() const { return end - first; }
    };
    std::vector<Group> groups;
    for (std::size_t a = 0; a < anchors.size(); a = groups.back().end) {
        std::size_t next = a + 1;
        while (next < anchors.size() && anchors[next].distance >= 0.95 * anchors[a].distance)
            ++next;
        const auto exact = std::count_if(anchors.begin() + static_cast<std::ptrdiff_t>(a),
                                         anchors.begin() + static_cast<std::ptrdiff_t>(next),
                                         [](const Anchor& anchor) { return anchor.exact; });
        groups.push_back({a, next, anchors[(a + next) / 2].distance, static_cast<std::size_t>(exact)});
    }
    const auto isMultiple = [&groups](const Group& g) {
        return std::any_of(groups.begin(), groups.end(), [&g](const Group& shorter) {
            const double times = static_cast<double>(g.distance) / shorter.distance;
            return times > 1.5 && shorter.runs() >= 3 * g.runs() && std::abs(times - std::round(times)) < 0.1;
        });
    };
    std::size_t most = 0;
    for (const Group& g : groups)
        most = std::max(most, g.runs());
    const auto chosen = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
        const bool agreed = g.runs() >= std::min<std::size_t>(kRunsThatAgree, g.distance) && 4 * g.runs() >= most;
        return (agreed || g.exact >= kExactRuns) && !isMultiple(g);
    });
    if (chosen == groups.end())
        return result;
    const std::size_t first = chosen->first;
    const std::size_t end = chosen->end;
    // Some runs are missing here and there, and some come once too often; the middle one is in every iteration, once.
    std::vector<std::size_t> counts;
    for (std::size_t a = first; a < end; ++a)
        counts.push_back(anchors[a].positions.size());
    const auto usual = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
    std::nth_element(counts.begin(), usual, counts.end());

    const auto pauseBefore = [&items](std::uint32_t i) -> std::int64_t {
        return i == 0 ? 0 : std::max<std::int64_t>(0, items[i].time.start - items[i - 1].time.end);
    };
    const Anchor* best = nullptr;
    std::int64_t longest = -1;
    for (std::size_t a = first; a < end; ++a) {
        // One more is the whole first or last iteration, where others run over its edge.
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
    result.source = IterationSource::period;
    result.name = std::string(index.text(items[best->positions.front()].name));
    for (const std::uint32_t position : best->positions)
        result.all.push_back({items[position].time.start, items[position].time.start});
    closeGaps(result.all);
    // The last one ends with its last item, as many as the period has, or with the sequence.
    const std::size_t last = std::min(items.size(), best->positions.back() + static_cast<std::size_t>(best->distance));
    for (std::size_t i = best->positions.back(); i < last; ++i)
        result.all.back().end = std::max(result.all.back().end, items[i].time.end);
    // A tail that was cut off is no iteration.
    if (static_cast<double>(items.size() - best->positions.back()) < 0.9 * best->distance)
        result.all.pop_back();
    return result;
}

void markWarmUp(Iterations& iterations)
{
    std::vector<Interval>& all = iterations.all;
    if (all.size() < 3)
        return;
    std::vector<std::int64_t> lengths;
    for (const Interval i : all)
        lengths.push_back(i.length());
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    const double limit = 1.5 * static_cast<double>(*middle);
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
    case IterationSource::period:
        return "period";
    case IterationSource::none:
        break;
    }
    return "none";
}

Iterations findIterations(const TraceIndex& index, const OperatorForest& forest)
{
    Iterations result;
    const Interval span = spanOfWork(index, forest);
    const NamedRanges ranges = namedRanges(index.trace);
    if (const auto steps = ranges.find("ProfilerStep"); steps != ranges.end() && steps->second.size() >= 2) {
        result.source = IterationSource::profilerStep;
        result.name = "ProfilerStep";
        result.all = timesOf(steps->second);
        closeGaps(result.all);
        dropEmpty(index, forest, result.all);
    }
    if (!result.found()) {
        result = {};
        std::int64_t longest = 0;
        for (const auto& [name, named] : ranges) {
            if (named.size() < 3)
                continue;
            const std::vector<Interval> list = timesOf(named);
            const Interval covered = intersection({list.front().start, list.back().end}, span);
            std::int64_t total = 0;
            for (const Interval i : list)
                total += i.length();
            // A range around a small part of each iteration repeats as well, and perhaps not in every one.
            if (2 * covered.length() < span.length() || 2 * total < covered.length() || total <= longest)
                continue;
            longest = total;
            result.source = IterationSource::range;
            result.name = name;
            result.all = list;
        }
        closeGaps(result.all);
        dropEmpty(index, forest, result.all);
        if (!result.found())
            result = byPeriod(index, forest);
    }
    if (!result.found())
        return {};
    markWarmUp(result);
    return result;
}

std::vector<IterationUse> iterationStrip(const TraceIndex& index, const OperatorForest& forest,
                                         const Iterations& iterations)
{
    std::vector<Interval> busy;
    std::vector<Interval> kernels;
    std::vector<std::int64_t> starts;
    for (const Work& w : index.work) {
        busy.push_back(w.time);
        starts.push_back(w.time.start);
        if (w.kind != EventKind::copy)
            kernels.push_back(w.time);
    }
    if (index.work.empty())
        for (const OperatorNode& n : forest.nodes) {
            starts.push_back(n.time.start);
            if (n.parent == kNone)
                busy.push_back(n.time);
        }
    std::sort(starts.begin(), starts.end());
    const Intervals all = unite(std::move(busy));
    const Intervals copies = index.work.empty() ? Intervals{} : subtract(all, unite(std::move(kernels)));
    std::vector<IterationUse> strip;
    for (const Interval i : iterations.all) {
        const auto from = std::lower_bound(starts.begin(), starts.end(), i.start);
        const auto to = std::lower_bound(from, starts.end(), i.end);
        strip.push_back({i, coveredLength(all, i), coveredLength(copies, i), to - from});
    }
    return strip;
}

} // namespace apertune::trace::analysis
