// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/work_sequence.h"

#include "core/analysis/kernel_name.h"
#include "core/analysis/transfers.h"
#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>

namespace apertune::analysis {

namespace {

constexpr std::size_t at(std::int32_t i)
{
    return static_cast<std::size_t>(i);
}

/// A work of an iteration and the time that belongs to it alone.
struct Piece
{
    std::int64_t start = 0;
    std::int64_t time = 0;
    std::int32_t number = kNone; ///< index into TraceIndex::work or OperatorForest::nodes
};

/// Whether an operator only surrounds the ones that do something: a module, a graph, a pass.
bool isWrapper(const TraceIndex& index, const OperatorForest& forest, std::int32_t node)
{
    const OperatorNode& n = forest.nodes[at(node)];
    return n.last > node && index.operatorClass(n.name) == OpClass::other;
}

/// Compilers number what they write: "triton_poi_fused_add_relu_12". The number says nothing in another trace.
std::string withoutNumber(std::string name)
{
    if (name.find("fused_") == std::string::npos && !name.starts_with("triton_"))
        return name;
    const std::size_t last = name.find_last_not_of("0123456789");
    if (last != std::string::npos && last > 0 && last + 1 < name.size() && name[last] == '_')
        name.resize(last);
    return name;
}

/// Copies of a magnitude differ in size by less than 16 times.
std::uint32_t magnitude(std::int64_t bytes)
{
    return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(bytes))) / 4;
}

class SequenceReader
{
public:
    SequenceReader(const TraceIndex& index, const OperatorForest& forest, const Iterations& iterations,
                   TextNumbers& numbers)
        : m_index(index), m_forest(forest), m_numbers(numbers)
    {
        m_sequence.source = iterations.source;
        chooseDevice();
        if (iterations.found())
            for (std::size_t i = iterations.steady; i < iterations.all.size() && m_steps.size() < kMostIterations; ++i)
                m_steps.push_back(iterations.all[i]);
        // Without iterations, the recording is one step, so that two recordings can still be compared.
        if (m_steps.empty())
            m_steps.push_back(wholeRecording());
    }

    WorkSequence read()
    {
        for (const TimeRange& step : m_steps)
            m_sequence.lengths.push_back(static_cast<double>(step.length()));
        // What is left of a step after all its work and idle time is outside of both.
        m_sequence.outside = m_sequence.lengths;
        if (m_sequence.onDevice)
            readDevice();
        else
            readHost();
        return std::move(m_sequence);
    }

private:
    void chooseDevice()
    {
        // One device is compared: the busiest, because the work of several runs at the same time.
        std::vector<std::int64_t> times(m_index.devices.size());
        for (const Work& w : m_index.work)
            times[w.device] += w.time.length();
        m_sequence.onDevice = !times.empty();
        if (m_sequence.onDevice)
            m_sequence.device =
                m_index.devices[static_cast<std::size_t>(std::max_element(times.begin(), times.end()) - times.begin())];
    }

    TimeRange wholeRecording() const
    {
        if (m_sequence.onDevice)
            return m_index.workSpan(m_sequence.device);
        const auto [first, end] = m_forest.busiestThread();
        TimeRange span;
        for (std::int32_t i = first; i < end; ++i) {
            const TimeRange time = m_forest.nodes[at(i)].time;
            span = i == first ? time : TimeRange{span.start, std::max(span.end, time.end)};
        }
        return span;
    }

    TimeRange window() const { return {m_steps.front().start, m_steps.back().end}; }

    /// The iteration in which something starts; the number of iterations when it starts in none.
    std::size_t stepOf(std::int64_t start) const
    {
        const auto after = std::upper_bound(m_steps.begin(), m_steps.end(), start,
                                            [](std::int64_t t, const TimeRange& step) { return t < step.start; });
        if (after == m_steps.begin() || !(after - 1)->contains(start))
            return m_steps.size();
        // Work belongs to the step in which it begins, even if it ends in the next one.
        return static_cast<std::size_t>(after - m_steps.begin()) - 1;
    }

    void readDevice()
    {
        std::vector<std::vector<Piece>> steps(m_steps.size());
        TimeRanges taken; // times of the kinds that come first
        const auto isCopy = [](const Work& w) { return w.kind == trace::EventKind::copy; };
        const auto isFill = [](const Work& w) { return w.kind == trace::EventKind::memset; };
        // Time that kernels cover is theirs; copies and fills count only where no kernel ran. So the times of a step
        // add up to its length.
        addPieces([&](const Work& w) { return !isCopy(w) && !isFill(w); }, taken, steps);
        addPieces(isCopy, taken, steps);
        addPieces(isFill, taken, steps);
        const std::vector<std::uint32_t> streams = streamOrder();
        const auto placeOf = [&](const Piece& piece) {
            return std::pair(streams[m_index.work[at(piece.number)].ref.series], piece.number);
        };
        for (std::vector<Piece>& pieces : steps)
            std::sort(pieces.begin(), pieces.end(),
                      [&placeOf](const Piece& a, const Piece& b) { return placeOf(a) < placeOf(b); });
        placeAll(steps, [this](std::int32_t number) { return ofDevice(m_index.work[at(number)], number); });
        readIdle();
    }

    /// The place of the stream of each series among all streams, by the time of their work.
    std::vector<std::uint32_t> streamOrder() const
    {
        // Streams have other numbers in each recording, so they are numbered by their time.
        const trace::Trace& trace = m_index.trace;
        std::map<std::uint32_t, std::int64_t> times; // negative, so that the longest comes first
        for (const Work& w : m_index.work)
            times[trace.series[w.ref.series].track.value] -= w.time.length();
        std::vector<std::pair<std::int64_t, std::uint32_t>> sorted;
        for (const auto& [track, time] : times)
            sorted.emplace_back(time, track);
        std::sort(sorted.begin(), sorted.end());
        std::map<std::uint32_t, std::uint32_t> order;
        for (const auto& [time, track] : sorted)
            order.emplace(track, static_cast<std::uint32_t>(order.size()));
        std::vector<std::uint32_t> result(trace.series.size());
        for (std::size_t s = 0; s < trace.series.size(); ++s)
            if (const auto found = order.find(trace.series[s].track.value); found != order.end())
                result[s] = found->second;
        return result;
    }

    /// Adds the works that `belongs` selects, each with the time in which none of `taken` and none of those that began
    /// before it runs. Adds their times to `taken`.
    template <typename Belongs>
    void addPieces(Belongs belongs, TimeRanges& taken, std::vector<std::vector<Piece>>& steps)
    {
        const std::int32_t wanted = m_index.deviceIndex(m_sequence.device);
        const TimeRange all = window();
        std::vector<TimeRange> times;
        std::int64_t covered = all.start;
        for (std::size_t i = 0; i < m_index.work.size(); ++i) {
            const Work& w = m_index.work[i];
            if (w.device != wanted || !belongs(w) || w.time.end < all.start || w.time.start >= all.end)
                continue;
            times.push_back(intersection(w.time, all));
            // Work that overlaps earlier work of its kind counts only from where that ended.
            const TimeRange own{std::max(w.time.start, covered), std::max(std::min(w.time.end, all.end), covered)};
            covered = own.end;
            if (const std::size_t step = stepOf(w.time.start); step < steps.size())
                steps[step].push_back(
                    {w.time.start, own.length() - coveredLength(taken, own), static_cast<std::int32_t>(i)});
        }
        times.insert(times.end(), taken.begin(), taken.end());
        taken = unite(std::move(times));
    }

    void readIdle()
    {
        for (std::vector<double>& cause : m_sequence.idle)
            cause.assign(m_steps.size(), 0);
        const DeviceUse use = deviceUse(m_index, m_forest, m_sequence.device, window());
        for (const Gap& gap : use.gaps) {
            auto step = std::lower_bound(m_steps.begin(), m_steps.end(), gap.time.start,
                                         [](const TimeRange& s, std::int64_t t) { return s.end <= t; });
            // A gap may lie across the border of two steps; each gets its share.
            for (; step != m_steps.end() && step->start < gap.time.end; ++step) {
                const double share = static_cast<double>(intersection(gap.time, *step).length()) /
                                     static_cast<double>(gap.time.length());
                const auto number = static_cast<std::size_t>(step - m_steps.begin());
                for (std::size_t cause = 0; cause < kIdleCauses; ++cause) {
                    const double time = share * static_cast<double>(gap.parts[cause]);
                    m_sequence.idle[cause][number] += time;
                    m_sequence.outside[number] -= time;
                }
            }
        }
    }

    void readHost()
    {
        std::vector<std::vector<Piece>> steps(m_steps.size());
        std::unordered_map<std::int32_t, std::pair<std::size_t, std::size_t>> wrappers; // place of their own time
        const auto [first, end] = m_forest.busiestThread();
        for (std::int32_t i = first; i < end;) {
            const OperatorNode& node = m_forest.nodes[at(i)];
            const bool wraps = isWrapper(m_index, m_forest, i);
            const std::int64_t time = wraps ? node.selfTime : node.time.length();
            // A view or an allocation is no work: it belongs to what it was made for, which may not be recorded.
            const OpClass opClass = m_index.operatorClass(node.name);
            const bool helps = !wraps && (opClass == OpClass::view || opClass == OpClass::allocation);
            if (helps) {
                if (const auto around = wrappers.find(node.parent); around != wrappers.end())
                    steps[around->second.first][around->second.second].time += time;
            } else if (const std::size_t step = stepOf(node.time.start); step < steps.size()) {
                if (wraps)
                    wrappers.emplace(i, std::pair(step, steps[step].size()));
                steps[step].push_back({node.time.start, time, i});
            }
            // The operators inside of an operator are a part of it. Only a wrapper is looked into.
            i = wraps ? i + 1 : node.last + 1;
        }
        if (first < end)
            addUnrecorded(m_forest.nodes[at(first)].track, steps);
        placeAll(steps, [this](std::int32_t number) { return ofHost(number); });
        readGaps(steps);
    }

    /// Adds the gaps between the pieces of each iteration in which the thread allocates tensors.
    void addUnrecorded(trace::TrackId track, std::vector<std::vector<Piece>>& steps) const
    {
        const std::vector<std::int64_t> allocations = allocationsOf(track);
        for (std::size_t step = 0; step < steps.size(); ++step) {
            std::vector<Piece> pieces;
            std::int64_t covered = m_steps[step].start;
            // Time without an operator in which memory was allocated was work that nobody recorded.
            const auto addGap = [&](std::int64_t until) {
                const auto next = std::lower_bound(allocations.begin(), allocations.end(), covered);
                if (next != allocations.end() && *next < until)
                    pieces.push_back({covered, until - covered, kNone});
            };
            for (const Piece& piece : steps[step]) {
                addGap(piece.start);
                pieces.push_back(piece);
                covered = std::max(covered, m_forest.nodes[at(piece.number)].time.end);
            }
            addGap(m_steps[step].end);
            steps[step] = std::move(pieces);
        }
    }

    /// Returns the times at which a thread allocates tensors of the host.
    std::vector<std::int64_t> allocationsOf(trace::TrackId track) const
    {
        std::vector<std::int64_t> times;
        for (const trace::Series& series : m_index.trace.series) {
            const trace::EventColumns& e = series.events;
            if (series.kind != trace::EventKind::tensorMemory || series.track.value != track.value)
                continue;
            for (std::size_t i = 0; i < e.size(); ++i)
                if (trace::valueAt(e.value, i) > 0)
                    times.push_back(e.start[i]);
        }
        std::sort(times.begin(), times.end());
        return times;
    }

    /// Divides the time of a host outside of operators by its place in the iteration.
    void readGaps(const std::vector<std::vector<Piece>>& steps)
    {
        for (std::vector<double>& gap : m_sequence.gaps)
            gap.assign(m_steps.size(), 0);
        for (std::size_t step = 0; step < steps.size(); ++step) {
            if (steps[step].empty())
                continue;
            std::int64_t first = m_steps[step].end;
            std::int64_t last = m_steps[step].start;
            for (const Piece& piece : steps[step]) {
                first = std::min(first, piece.start);
                last = std::max(last, piece.number == kNone ? piece.start + piece.time
                                                            : m_forest.nodes[at(piece.number)].time.end);
            }
            double& outside = m_sequence.outside[step];
            const auto before = static_cast<double>(first - m_steps[step].start);
            const auto after = static_cast<double>(std::max<std::int64_t>(m_steps[step].end - last, 0));
            m_sequence.gaps[static_cast<std::size_t>(HostGap::before)][step] = before;
            m_sequence.gaps[static_cast<std::size_t>(HostGap::after)][step] = after;
            // The rest of the time outside of operators lies between them.
            m_sequence.gaps[static_cast<std::size_t>(HostGap::between)][step] = outside - before - after;
            outside = 0;
        }
    }

    /// Sets what the detail of an operator says of a work. Returns the shapes of its inputs as they were recorded.
    std::string describe(PlacedWork& work, const OperatorNode& node) const
    {
        const trace::OperatorDetail& detail = m_index.trace.details.operators[node.detail];
        work.module = m_index.text(detail.module.value);
        std::string shapes(m_index.text(detail.inputShapes.value));
        work.shapes = leadingShapes(shapes);
        return shapes;
    }

    PlacedWork ofHost(std::int32_t number)
    {
        if (number == kNone) {
            PlacedWork unrecorded;
            unrecorded.kind = trace::EventKind::operatorCall;
            unrecorded.shortName = kUnrecordedWork;
            unrecorded.key.name = unrecorded.key.shape = m_numbers.of("\nunrecorded");
            return unrecorded;
        }
        const OperatorNode& node = m_forest.nodes[at(number)];
        PlacedWork work;
        work.name = node.name;
        work.kind = trace::EventKind::operatorCall;
        work.unrecorded = isWrapper(m_index, m_forest, number);
        work.origin = m_index.text(node.name);
        work.shortName = withoutNumber(work.origin);
        if (work.unrecorded) {
            work.key.name = m_numbers.of(work.origin + "\nitself");
            return work;
        }
        const std::string shapes = describe(work, node);
        work.key = {m_numbers.of(work.origin), m_numbers.of(work.shortName), m_numbers.of(work.origin + '\n' + shapes),
                    m_numbers.of(work.shapes), m_index.operatorClass(node.name)};
        return work;
    }

    PlacedWork ofDevice(const Work& w, std::int32_t number)
    {
        PlacedWork work;
        std::string name(m_index.text(w.name));
        std::string shape = std::to_string(w.bytes);
        if (w.kind == trace::EventKind::copy) {
            const std::string copy = "copy, " + std::string(toString(m_index.copy(w).direction));
            work.shortName = w.bytes > 0 ? copy + ", " + base::formatBytes({w.bytes}) : copy;
            name = copy + '\n' + std::to_string(magnitude(w.bytes));
        } else {
            work.shortName = withoutNumber(kernelName(name));
            const trace::KernelDetail& launch = m_index.launch(w);
            if (w.isKernel())
                for (const auto& sizes : {launch.grid, launch.block})
                    for (const std::uint32_t size : sizes)
                        shape += ' ' + std::to_string(size);
        }
        std::string origin;
        if (const std::int32_t node = m_forest.ofWork(number); node != kNone) {
            const OperatorNode& unit = m_forest.nodes[at(outermostUnit(m_index, m_forest, node))];
            work.origin = m_index.text(unit.name);
            origin = work.origin + '\n' + describe(work, unit);
        }
        const OpClass opClass = w.kind == trace::EventKind::copy     ? OpClass::copy
                                : w.kind == trace::EventKind::memset ? OpClass::fill
                                                                     : m_index.kernelClass(w.name);
        work.key = {m_numbers.of(name), m_numbers.of(work.shortName), m_numbers.of(origin), m_numbers.of(shape),
                    opClass};
        work.name = w.name;
        work.kind = w.kind;
        return work;
    }

    /// Puts the pieces of each iteration into their places. `describe` makes a place of the first piece in it.
    template <typename Describe>
    void placeAll(const std::vector<std::vector<Piece>>& steps, Describe describe)
    {
        // The n-th occurrence of a name in one step is the same work as the n-th in another.
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> places; // name, times that it occurred before
        const auto put = [&](std::size_t step) {
            std::unordered_map<std::uint32_t, std::uint32_t> before;
            for (const Piece& piece : steps[step]) {
                const std::uint32_t name = nameOf(piece.number);
                const auto [found, added] = places.try_emplace({name, before[name]++}, m_sequence.works.size());
                if (added) {
                    m_sequence.works.push_back(describe(piece.number));
                    m_sequence.works.back().times.assign(m_steps.size(), 0);
                }
                PlacedWork& work = m_sequence.works[found->second];
                ++work.count;
                work.times[step] += static_cast<double>(piece.time);
                m_sequence.outside[step] -= static_cast<double>(piece.time);
            }
        };
        // The most frequent step comes first and decides the order; rare ones only add what it lacks.
        const std::size_t typical = mostFrequent(steps);
        put(typical);
        for (std::size_t step = 0; step < steps.size(); ++step)
            if (step != typical)
                put(step);
    }

    /// A number that is equal for works of one name, within this trace.
    std::uint32_t nameOf(std::int32_t number) const
    {
        if (!m_sequence.onDevice)
            return number == kNone ? 0 : m_forest.nodes[at(number)].name;
        const Work& w = m_index.work[at(number)];
        // The names of copies differ between recorders, and some give all directions one name.
        constexpr std::uint32_t kCopies = 0x8000'0000;
        return w.kind == trace::EventKind::copy
                   ? kCopies + 64 * static_cast<std::uint32_t>(m_index.copy(w).direction) + magnitude(w.bytes)
                   : w.name;
    }

    /// The first iteration with the sequence of names that most iterations have.
    std::size_t mostFrequent(const std::vector<std::vector<Piece>>& steps) const
    {
        std::map<std::vector<std::uint32_t>, std::pair<std::size_t, std::size_t>> sequences; // first, count
        for (std::size_t step = 0; step < steps.size(); ++step) {
            // Steps are the same when they have the same names in the same order.
            std::vector<std::uint32_t> names;
            for (const Piece& piece : steps[step])
                names.push_back(nameOf(piece.number));
            ++sequences.try_emplace(std::move(names), step, 0).first->second.second;
        }
        std::pair<std::size_t, std::size_t> best{0, 0};
        for (const auto& [names, found] : sequences)
            if (found.second > best.second || (found.second == best.second && found.first < best.first))
                best = found;
        return best.first;
    }

    const TraceIndex& m_index;
    const OperatorForest& m_forest;
    TextNumbers& m_numbers;
    std::vector<TimeRange> m_steps;
    WorkSequence m_sequence;
};

} // namespace

std::string_view toString(HostGap gap)
{
    switch (gap) {
    case HostGap::before:
        return "before_operators";
    case HostGap::between:
        return "between_operators";
    case HostGap::after:
        break;
    }
    return "after_operators";
}

std::int32_t outermostUnit(const TraceIndex& index, const OperatorForest& forest, std::int32_t node)
{
    std::int32_t unit = node;
    for (std::int32_t above = node; above != kNone; above = forest.nodes[at(above)].parent)
        if (!isWrapper(index, forest, above))
            unit = above;
    return unit;
}

std::string leadingShapes(std::string_view recorded)
{
    constexpr std::size_t kLeading = 2;
    std::string shapes;
    std::size_t found = 0;
    std::size_t open = recorded.find('[', 1); // the first bracket surrounds the list of all inputs
    for (; open != std::string_view::npos && found < kLeading; open = recorded.find('[', open + 1)) {
        const std::size_t close = recorded.find(']', open);
        if (close == std::string_view::npos)
            break;
        std::string shape;
        for (const char c : recorded.substr(open + 1, close - open - 1))
            if (c == ',')
                shape += "×";
            else if (c != ' ')
                shape += c;
        if (shape.empty() || shape.find('[') != std::string::npos)
            continue;
        shapes += (shapes.empty() ? "" : ", ") + shape;
        ++found;
    }
    return shapes;
}

std::uint32_t TextNumbers::of(const std::string& text)
{
    return m_numbers.try_emplace(text, static_cast<std::uint32_t>(m_numbers.size())).first->second;
}

WorkSequence workSequence(const TraceIndex& index, const OperatorForest& forest, const Iterations& iterations,
                          TextNumbers& numbers)
{
    return SequenceReader(index, forest, iterations, numbers).read();
}

} // namespace apertune::analysis
