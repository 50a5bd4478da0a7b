// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/difference.h"

#include "core/analysis/iteration_mean.h"
#include "core/analysis/layer_difference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace apertune::analysis {

namespace {

/// Fewer places of equal work give no interval worth a statement.
constexpr std::size_t kFewestPlaces = 8;
constexpr double kLeastEqual = 0.2; ///< share of the work that must be equal
constexpr double kAgreement = 0.2;  ///< widest interval of the ratio of equal work, as a share of it
/// Work shorter than this (ns) says more about the clock of the recorder than about the machine.
constexpr double kShortWork = 2000;

/// The rounding error of sums of whole nanoseconds that were divided among iterations (ns).
constexpr double kRounding = 0.5;
/// Most works of both sides that are shown as a replacement of all of them by all of them.
constexpr std::size_t kMostReplaced = 12;

class Comparison
{
public:
    Comparison(const ComparedTrace& a, const ComparedTrace& b)
        : m_a(workSequence(a.index, a.forest, a.iterations, m_numbers)),
          m_b(workSequence(b.index, b.forest, b.iterations, m_numbers))
    {
        // Both sides are divided by their samples, so that different batches compare.
        scale(m_a, a.samples);
        scale(m_b, b.samples);
        m_samplesA = a.samples;
        m_samplesB = b.samples;
    }

    TraceDifference result()
    {
        // Work is matched by its place in the iteration first, and then summed by what it is.
        const std::vector<Places> places = matched();
        for (const Places& each : places)
            addWork(each);
        TraceDifference difference;
        difference.layers = differenceLayers(m_a, m_samplesA, m_b, m_samplesB, places);
        for (auto& [key, part] : m_parts)
            difference.parts.push_back(finish(part));
        addIdle(difference.parts);
        std::stable_sort(difference.parts.begin(), difference.parts.end(), [](const auto& x, const auto& y) {
            return std::abs(x.change.value) > std::abs(y.change.value);
        });
        difference.a = sideOf(m_a, m_samplesA);
        difference.b = sideOf(m_b, m_samplesB);
        difference.change = changeOf(meanOf(m_a.lengths), meanOf(m_b.lengths));
        double all = 0;
        for (const PlacedWork& work : m_a.works)
            all += work.key.time;
        // A side without work has nothing to match.
        difference.matchedShare = all > 0 ? m_matched / all : 0;
        difference.sameWorkRatio = equalWorkRatio(all);
        return difference;
    }

private:
    /// A part while places are added to it.
    struct Growing
    {
        DifferencePart part;
        Times a, b;
        std::map<OpClass, double> classes; ///< time of both sides
        std::set<std::string> origins;
    };

    static void scale(WorkSequence& sequence, double samples)
    {
        const auto divide = [samples](Times& times) {
            for (double& t : times)
                t /= samples;
        };
        divide(sequence.lengths);
        divide(sequence.outside);
        for (Times& cause : sequence.idle)
            divide(cause);
        for (Times& gap : sequence.gaps)
            divide(gap);
        for (PlacedWork& work : sequence.works) {
            // The mean time weighs the alignment.
            divide(work.times);
            work.key.time = meanOf(work.times).value;
        }
    }

    /// Divides both sequences into places that belong together.
    std::vector<Places> matched()
    {
        const auto keys = [](const WorkSequence& sequence) {
            std::vector<WorkKey> all;
            for (const PlacedWork& work : sequence.works)
                all.push_back(work.key);
            return all;
        };
        const std::vector<AlignedPair> pairs = align(keys(m_a), keys(m_b));
        const Moved moved = movedProducts(pairs);
        std::vector<Places> result;
        std::size_t i = 0;
        std::size_t j = 0;
        const auto until = [&](std::size_t endA, std::size_t endB) {
            Places between;
            const std::size_t from = i;
            for (; i < endA; ++i)
                if (moved.ofA.count(i) == 0)
                    // Works between two pairs are the ones without a partner.
                    between.a.push_back(i);
            for (; j < endB; ++j)
                if (moved.ofB.count(j) == 0)
                    between.b.push_back(j);
            addUnmatched(between, result);
            // Products that moved are added where they stand in A.
            for (auto pair = moved.ofA.lower_bound(from); pair != moved.ofA.end() && pair->first < endA; ++pair)
                addPair(pair->first, pair->second, result);
        };
        for (const AlignedPair& pair : pairs) {
            until(pair.a, pair.b);
            i = pair.a + 1;
            j = pair.b + 1;
            addPair(pair.a, pair.b, result);
        }
        until(m_a.works.size(), m_b.works.size());
        return result;
    }

    /// Products that the two sides run in another order.
    struct Moved
    {
        std::map<std::size_t, std::size_t> ofA; ///< place in A, and its counterpart in B
        std::set<std::size_t> ofB;
    };

    /// Of a host's products without a counterpart in the order of the iteration, those with inputs of the same shapes
    /// are counterparts: engines begin the branches of a model in different orders.
    Moved movedProducts(const std::vector<AlignedPair>& pairs) const
    {
        Moved moved;
        // On a host, operators may run in another order; on a device the order is that of the streams.
        if (m_a.onDevice || m_b.onDevice)
            return moved;
        std::set<std::size_t> pairedA, pairedB;
        for (const AlignedPair& pair : pairs) {
            pairedA.insert(pair.a);
            pairedB.insert(pair.b);
        }
        const auto isFree = [](const WorkSequence& side, const std::set<std::size_t>& paired, std::size_t place) {
            const WorkKey& key = side.works[place].key;
            return paired.count(place) == 0 && isArithmetic(key.opClass) && key.shape != 0;
        };
        for (std::size_t a = 0; a < m_a.works.size(); ++a)
            for (std::size_t b = 0; isFree(m_a, pairedA, a) && b < m_b.works.size(); ++b)
                // The same shape and class make it the same product.
                if (isFree(m_b, pairedB, b) && m_a.works[a].key.shape == m_b.works[b].key.shape &&
                    m_a.works[a].key.opClass == m_b.works[b].key.opClass) {
                    moved.ofA.emplace(a, b);
                    moved.ofB.insert(b);
                    pairedA.insert(a);
                    pairedB.insert(b);
                }
        return moved;
    }

    void addPair(std::size_t a, std::size_t b, std::vector<Places>& result)
    {
        const bool same = m_a.works[a].shortName == m_b.works[b].shortName;
        m_matched += m_a.works[a].key.time;
        result.push_back({same ? DifferenceKind::sameWork : DifferenceKind::replaced, {a}, {b}});
        if (same)
            addRatio(m_a.works[a], m_b.works[b]);
    }

    /// Adds the works between two matched pairs. Works that only one side has are divided by names, because they have
    /// no counterpart. Many works on both sides are divided by their classes, because their pairs are unknown.
    void addUnmatched(const Places& between, std::vector<Places>& result) const
    {
        const auto isUnrecorded = [](const WorkSequence& side) {
            return [&side](std::size_t place) { return side.works[place].unrecorded; };
        };
        const bool recorded = std::none_of(between.a.begin(), between.a.end(), isUnrecorded(m_a)) &&
                              std::none_of(between.b.begin(), between.b.end(), isUnrecorded(m_b));
        if (recorded && !between.a.empty() && !between.b.empty() &&
            between.a.size() + between.b.size() <= kMostReplaced) {
            result.push_back({DifferenceKind::replaced, between.a, between.b});
            return;
        }
        const bool oneSided = between.a.empty() || between.b.empty();
        std::map<std::string, Places> groups;
        const auto group = [&](const PlacedWork& work) -> Places& {
            return groups[work.unrecorded ? work.shortName + "\nitself"
                          : oneSided      ? work.shortName
                                          : std::string(toString(work.key.opClass))];
        };
        for (const std::size_t place : between.a)
            group(m_a.works[place]).a.push_back(place);
        for (const std::size_t place : between.b)
            group(m_b.works[place]).b.push_back(place);
        for (auto& [name, places] : groups) {
            if (!oneSided && (places.a.empty() || places.b.empty())) {
                addUnmatched(places, result);
                continue;
            }
            places.kind = places.b.empty()   ? DifferenceKind::removed
                          : places.a.empty() ? DifferenceKind::added
                                             : DifferenceKind::replaced;
            result.push_back(places);
        }
    }

    void addRatio(const PlacedWork& a, const PlacedWork& b)
    {
        if (a.key.name != b.key.name || a.key.shape != b.key.shape || a.key.origin != b.key.origin || a.count == 0 ||
            b.count == 0)
            return;
        if (std::min(a.key.time, b.key.time) >= kShortWork)
            m_equal.emplace_back(a.key.time, b.key.time);
    }

    /// The time of equal work of B over that of A, with the interval of a ratio of sums over its places (Cochran,
    /// "Sampling Techniques", 3rd ed., 6.3). Nothing when the places are few or disagree, or hold little of the work.
    std::optional<model::Interval> equalWorkRatio(double allWork) const
    {
        double sumA = 0, sumB = 0, squares = 0;
        for (const auto& [a, b] : m_equal) {
            sumA += a;
            sumB += b;
        }
        if (m_equal.size() < kFewestPlaces || sumA < kLeastEqual * allWork)
            return std::nullopt;
        const double ratio = sumB / sumA;
        for (const auto& [a, b] : m_equal)
            squares += (b - ratio * a) * (b - ratio * a);
        const auto n = static_cast<double>(m_equal.size());
        const model::Interval interval = around(ratio, squares * n / (n - 1) / (sumA * sumA), n - 1);
        return interval.hi - interval.lo <= kAgreement * ratio ? std::optional(interval) : std::nullopt;
    }

    /// Adds the works in `places` of a side to its names, and their times to `times`.
    void addSide(const WorkSequence& side, const std::vector<std::size_t>& places, std::vector<NamedWork>& names,
                 Times& times, Growing& growing)
    {
        times.resize(side.lengths.size());
        for (const std::size_t place : places) {
            const PlacedWork& work = side.works[place];
            add(times, work.times);
            growing.classes[work.key.opClass] += work.key.time;
            growing.origins.insert(work.origin);
            growing.part.unrecorded = work.unrecorded;
            addName(names, work, side.lengths.size(), &side == &m_a ? m_samplesA : m_samplesB);
        }
    }

    /// The names on both sides and the kind: places with equal keys are one part. How many works of a name stand in a
    /// place matters only where they are replaced.
    std::string keyOf(const Places& places) const
    {
        const bool counts = places.kind == DifferenceKind::replaced;
        const auto names = [counts](const WorkSequence& side, const std::vector<std::size_t>& of) {
            std::map<std::string, int> works;
            for (const std::size_t place : of)
                ++works[side.works[place].shortName];
            std::string text;
            for (const auto& [name, count] : works)
                text += name + '\n' + (counts ? std::to_string(count) : std::string()) + '\n';
            return text;
        };
        const bool unrecorded = !places.a.empty()   ? m_a.works[places.a.front()].unrecorded
                                : !places.b.empty() ? m_b.works[places.b.front()].unrecorded
                                                    : false;
        return std::string(toString(places.kind)) + (unrecorded ? "\nitself\n" : "\n") + names(m_a, places.a) + '\f' +
               names(m_b, places.b);
    }

    void addWork(const Places& places)
    {
        Growing& growing = m_parts[keyOf(places)];
        growing.part.kind = places.kind;
        addSide(m_a, places.a, growing.part.a, growing.a, growing);
        addSide(m_b, places.b, growing.part.b, growing.b, growing);
        growing.part.places += places.kind == DifferenceKind::replaced
                                   ? 1
                                   : static_cast<std::int64_t>(std::max(places.a.size(), places.b.size()));
    }

    DifferencePart finish(Growing& growing) const
    {
        DifferencePart& part = growing.part;
        if (growing.origins.size() == 1)
            part.origin = *growing.origins.begin();
        double most = -1;
        for (const auto& [opClass, time] : growing.classes)
            if (time > most) {
                most = time;
                part.opClass = opClass;
            }
        setTimes(part, growing.a, growing.b);
        return std::move(part);
    }

    void setTimes(DifferencePart& part, Times a, Times b) const
    {
        a.resize(m_a.lengths.size());
        b.resize(m_b.lengths.size());
        const Mean meanA = meanOf(a);
        const Mean meanB = meanOf(b);
        part.timeA = intervalOf(meanA);
        part.timeB = intervalOf(meanB);
        part.change = changeOf(meanA, meanB);
    }

    void addIdle(std::vector<DifferencePart>& parts) const
    {
        const auto addPart = [&](const Times& a, const Times& b, std::optional<IdleCause> cause,
                                 std::optional<HostGap> gap = std::nullopt) {
            const auto isRounding = [](double t) { return std::abs(t) < kRounding; };
            if (std::all_of(a.begin(), a.end(), isRounding) && std::all_of(b.begin(), b.end(), isRounding))
                return;
            DifferencePart part;
            part.kind = DifferenceKind::idle;
            part.cause = cause;
            part.gap = gap;
            setTimes(part, a, b);
            parts.push_back(std::move(part));
        };
        for (std::size_t cause = 0; cause < kIdleCauses; ++cause)
            addPart(m_a.idle[cause], m_b.idle[cause], static_cast<IdleCause>(cause));
        for (std::size_t gap = 0; gap < kHostGaps; ++gap)
            addPart(m_a.gaps[gap], m_b.gaps[gap], std::nullopt, static_cast<HostGap>(gap));
        addPart(m_a.outside, m_b.outside, std::nullopt);
    }

    static DifferenceSide sideOf(const WorkSequence& sequence, double samples)
    {
        DifferenceSide side;
        side.onDevice = sequence.onDevice;
        side.device = sequence.device;
        side.source = sequence.source;
        side.iterations = sequence.lengths.size();
        side.time = intervalOf(meanOf(sequence.lengths));
        for (const PlacedWork& work : sequence.works) {
            if (work.unrecorded || work.shortName == kUnrecordedWork)
                side.unrecorded += work.key.time;
            else
                side.works += static_cast<double>(work.count);
        }
        side.works /= static_cast<double>(sequence.lengths.size()) * samples;
        if (!side.onDevice) {
            side.unrecorded += meanOf(sequence.outside).value;
            for (const Times& gap : sequence.gaps)
                side.unrecorded += meanOf(gap).value;
        }
        return side;
    }

    TextNumbers m_numbers;
    WorkSequence m_a;
    WorkSequence m_b;
    double m_samplesA = 1, m_samplesB = 1;
    std::map<std::string, Growing> m_parts;
    std::vector<std::pair<double, double>> m_equal; ///< ns of equal work in A and B, by place
    double m_matched = 0;                           ///< time of works of A that stand in a pair
};

} // namespace

TraceDifference compareTraces(const ComparedTrace& a, const ComparedTrace& b)
{
    TraceDifference difference = Comparison(a, b).result();
    if (difference.a.onDevice == difference.b.onDevice) {
        const auto use = [](const ComparedTrace& trace, const DifferenceSide& side) {
            return allocationUse(trace.index, trace.forest, trace.iterations, side.onDevice ? side.device : -1,
                                 trace.samples);
        };
        difference.allocations = {use(a, difference.a), use(b, difference.b)};
    }
    return difference;
}

double TraceDifference::residual() const
{
    const auto isNamed = [](const NamedWork& work) { return work.name != kUnrecordedWork; };
    double sum = 0;
    for (const DifferencePart& part : parts)
        if (part.unrecorded ||
            (part.kind != DifferenceKind::idle && std::none_of(part.a.begin(), part.a.end(), isNamed) &&
             std::none_of(part.b.begin(), part.b.end(), isNamed)) ||
            (part.kind == DifferenceKind::idle && !part.gap && (!part.cause || *part.cause == IdleCause::unknown)))
            sum += part.change.value;
    return sum;
}

bool machineDiffers(const TraceDifference& difference)
{
    const std::optional<model::Interval>& ratio = difference.sameWorkRatio;
    return ratio && (ratio->lo > 1 + kEqualMachines || ratio->hi < 1 - kEqualMachines);
}

model::Interval sumOfIndependent(const model::Interval& a, const model::Interval& b)
{
    const double value = a.value + b.value;
    return {value, value - std::hypot(a.value - a.lo, b.value - b.lo),
            value + std::hypot(a.hi - a.value, b.hi - b.value), std::min(a.confidence, b.confidence)};
}

std::vector<DifferenceStep> differenceSteps(const TraceDifference& difference)
{
    const bool apart = machineDiffers(difference);
    const model::Interval ratio = difference.sameWorkRatio.value_or(model::Interval{1, 1, 1, 0});
    double workOfB = 0; // ns that the speed of the machine acts on
    std::vector<DifferenceStep> steps;
    for (const DifferencePart& part : difference.parts) {
        model::Interval change = part.change;
        if (apart && part.kind != DifferenceKind::idle && !part.unrecorded) {
            const double faster = part.timeB.value * (1 - 1 / ratio.value);
            change = {change.value - faster, change.lo - faster, change.hi - faster, change.confidence};
            workOfB += part.timeB.value;
        }
        const auto found = std::find_if(steps.begin(), steps.end(), [&part](const DifferenceStep& step) {
            return step.unrecorded == part.unrecorded &&
                   (part.unrecorded || (step.kind == part.kind && step.cause == part.cause && step.gap == part.gap &&
                                        step.opClass == part.opClass));
        });
        if (found != steps.end())
            found->change = sumOfIndependent(found->change, change);
        else
            steps.push_back({part.kind, part.opClass, part.cause, part.gap, part.unrecorded, false, change});
    }
    if (apart) {
        const auto of = [&](double r) { return workOfB * (1 - 1 / r); };
        steps.push_back({DifferenceKind::sameWork,
                         OpClass::other,
                         std::nullopt,
                         std::nullopt,
                         false,
                         true,
                         {of(ratio.value), of(ratio.lo), of(ratio.hi), ratio.confidence}});
    }
    std::stable_sort(steps.begin(), steps.end(), [](const DifferenceStep& x, const DifferenceStep& y) {
        return std::abs(x.change.value) > std::abs(y.change.value);
    });
    return steps;
}

} // namespace apertune::analysis
