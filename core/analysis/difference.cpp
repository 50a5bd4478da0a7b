// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/difference.h"

#include "core/stats/processes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace apertune::analysis {

namespace {

constexpr double kConfidence = 0.95;
/// Fewer places of equal work give no interval worth a statement.
constexpr std::size_t kFewestPlaces = 8;
constexpr double kLeastEqual = 0.2; ///< share of the work that must be equal
constexpr double kAgreement = 0.2;  ///< widest interval of the ratio of equal work, as a share of it
/// Work shorter than this (ns) says more about the clock of the recorder than about the machine.
constexpr double kShortWork = 2000;

/// What is left of sums of whole nanoseconds that were divided among iterations (ns).
constexpr double kRounding = 0.5;
/// Most works of both sides that are shown as a replacement of all of them by all of them.
constexpr std::size_t kMostReplaced = 12;

/// A sample's mean and the square of the mean's standard error.
struct Mean
{
    double value = 0;
    double squaredError = 0;
    std::size_t samples = 0;
};

Mean meanOf(std::span<const double> values)
{
    Mean mean{0, 0, values.size()};
    for (const double v : values)
        mean.value += v;
    mean.value /= static_cast<double>(std::max<std::size_t>(values.size(), 1));
    if (values.size() < 2)
        return mean;
    double squares = 0;
    for (const double v : values)
        squares += (v - mean.value) * (v - mean.value);
    const auto n = static_cast<double>(values.size());
    mean.squaredError = squares / (n - 1) / n;
    return mean;
}

model::Interval around(double value, double squaredError, double freedom)
{
    // Student's distribution is wider for fewer degrees of freedom, so rounding down is the safe side.
    const double half =
        std::sqrt(squaredError) *
        stats::studentQuantile((1 - kConfidence) / 2, std::max<std::size_t>(static_cast<std::size_t>(freedom), 1));
    return {value, value - half, value + half, kConfidence};
}

/// The interval of a time, which is never below zero.
model::Interval intervalOf(const Mean& mean)
{
    if (mean.samples < 2)
        return {mean.value, mean.value, mean.value, 0};
    model::Interval interval = around(mean.value, mean.squaredError, static_cast<double>(mean.samples - 1));
    interval.lo = std::max(interval.lo, std::min(0.0, interval.value));
    return interval;
}

/// b − a with Welch's interval. A part that one side does not have is 0 there in each iteration.
model::Interval changeOf(const Mean& a, const Mean& b)
{
    const double value = b.value - a.value;
    if (a.samples < 2 || b.samples < 2)
        return {value, value, value, 0};
    const double sum = a.squaredError + b.squaredError;
    if (sum <= 0)
        return {value, value, value, kConfidence};
    const double freedom = sum * sum /
                           (a.squaredError * a.squaredError / static_cast<double>(a.samples - 1) +
                            b.squaredError * b.squaredError / static_cast<double>(b.samples - 1));
    return around(value, sum, freedom);
}

/// The times of a side's iterations, in ns of a sample.
using Times = std::vector<double>;

void add(Times& sum, const Times& more)
{
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += more[i];
}

/// Places of both sides that make up one part, before parts with the same names are merged.
struct Places
{
    DifferenceKind kind = DifferenceKind::sameWork;
    std::vector<std::size_t> a;
    std::vector<std::size_t> b;
};

class Comparison
{
public:
    Comparison(const ComparedTrace& a, const ComparedTrace& b)
        : m_a(workSequence(a.index, a.forest, a.iterations, m_numbers)),
          m_b(workSequence(b.index, b.forest, b.iterations, m_numbers))
    {
        scale(m_a, a.samples);
        scale(m_b, b.samples);
        m_samplesA = a.samples;
        m_samplesB = b.samples;
    }

    TraceDifference result()
    {
        for (const Places& places : matched())
            addWork(places);
        TraceDifference difference;
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
        for (PlacedWork& work : sequence.works) {
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
        std::vector<Places> result;
        std::size_t i = 0;
        std::size_t j = 0;
        const auto until = [&](std::size_t endA, std::size_t endB) {
            Places between;
            for (; i < endA; ++i)
                between.a.push_back(i);
            for (; j < endB; ++j)
                between.b.push_back(j);
            addUnmatched(between, result);
        };
        for (const AlignedPair& pair : align(keys(m_a), keys(m_b))) {
            until(pair.a, pair.b);
            i = pair.a + 1;
            j = pair.b + 1;
            const bool same = m_a.works[pair.a].shortName == m_b.works[pair.b].shortName;
            m_matched += m_a.works[pair.a].key.time;
            result.push_back({same ? DifferenceKind::sameWork : DifferenceKind::replaced, {pair.a}, {pair.b}});
            if (same)
                addRatio(m_a.works[pair.a], m_b.works[pair.b]);
        }
        until(m_a.works.size(), m_b.works.size());
        return result;
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
            auto known =
                std::find_if(names.begin(), names.end(), [&](const NamedWork& n) { return n.name == work.shortName; });
            if (known == names.end())
                known = names.insert(names.end(), {work.shortName, work.key.opClass, 0, {}, work.kind});
            known->recorded.insert(work.name);
            known->count += static_cast<double>(work.count) / static_cast<double>(side.lengths.size()) /
                            (&side == &m_a ? m_samplesA : m_samplesB);
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
        const auto addPart = [&](const Times& a, const Times& b, std::optional<IdleCause> cause) {
            const auto isRounding = [](double t) { return std::abs(t) < kRounding; };
            if (std::all_of(a.begin(), a.end(), isRounding) && std::all_of(b.begin(), b.end(), isRounding))
                return;
            DifferencePart part;
            part.kind = DifferenceKind::idle;
            part.cause = cause;
            setTimes(part, a, b);
            parts.push_back(std::move(part));
        };
        for (std::size_t cause = 0; cause < kIdleCauses; ++cause)
            addPart(m_a.idle[cause], m_b.idle[cause], static_cast<IdleCause>(cause));
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
            if (work.unrecorded)
                side.unrecorded += work.key.time;
            else
                side.works += static_cast<double>(work.count);
        }
        side.works /= static_cast<double>(sequence.lengths.size()) * samples;
        if (!side.onDevice)
            side.unrecorded += meanOf(sequence.outside).value;
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

std::string_view toString(DifferenceKind kind)
{
    switch (kind) {
    case DifferenceKind::sameWork:
        return "same_work";
    case DifferenceKind::replaced:
        return "replaced";
    case DifferenceKind::removed:
        return "removed";
    case DifferenceKind::added:
        return "added";
    case DifferenceKind::idle:
        break;
    }
    return "idle";
}

TraceDifference compareTraces(const ComparedTrace& a, const ComparedTrace& b)
{
    return Comparison(a, b).result();
}

model::Interval sumOfIndependent(const model::Interval& a, const model::Interval& b)
{
    const double value = a.value + b.value;
    return {value, value - std::hypot(a.value - a.lo, b.value - b.lo),
            value + std::hypot(a.hi - a.value, b.hi - b.value), std::min(a.confidence, b.confidence)};
}

std::vector<DifferenceStep> differenceSteps(const TraceDifference& difference)
{
    std::vector<DifferenceStep> steps;
    for (const DifferencePart& part : difference.parts) {
        const auto found = std::find_if(steps.begin(), steps.end(), [&part](const DifferenceStep& step) {
            return step.unrecorded == part.unrecorded &&
                   (part.unrecorded ||
                    (step.kind == part.kind && step.cause == part.cause && step.opClass == part.opClass));
        });
        if (found != steps.end())
            found->change = sumOfIndependent(found->change, part.change);
        else
            steps.push_back({part.kind, part.opClass, part.cause, part.unrecorded, part.change});
    }
    std::stable_sort(steps.begin(), steps.end(), [](const DifferenceStep& x, const DifferenceStep& y) {
        return std::abs(x.change.value) > std::abs(y.change.value);
    });
    return steps;
}

} // namespace apertune::analysis
