// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/alignment.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace apertune::analysis {

namespace {

/// The value of a pair in an alignment, by Likeness. Two weak pairs are not worth as much as one certain one.
constexpr std::array<std::int32_t, 6> kWorth{0, 16, 24, 28, 36, 48};
constexpr std::int32_t kSameShape = 6;

std::int32_t worthOf(const WorkKey& a, const WorkKey& b)
{
    const Likeness found = likeness(a, b);
    std::int32_t worth = kWorth[static_cast<std::size_t>(found)];
    if (worth == 0)
        return 0;
    if (a.shape != 0 && a.shape == b.shape)
        worth += kSameShape;
    // Other code for the same work seldom takes ten times as long.
    constexpr double kSimilar = 3;
    constexpr double kFar = 10;
    const double ratio = std::max(a.time, b.time) / std::max(std::min(a.time, b.time), 1.0);
    // Times within the factor of three are no evidence against the pair.
    return ratio <= kSimilar ? worth : ratio <= kFar ? worth - 3 : worth - 8;
}

using Keys = std::span<const WorkKey>;

/// A pair of parts of both sequences.
struct Stretch
{
    std::size_t a = 0, b = 0; ///< first works
    std::size_t lengthA = 0, lengthB = 0;
};

void alignStretch(Keys a, Keys b, const Stretch& at, std::vector<AlignedPair>& pairs)
{
    // Dynamic programming over the two sequences (Needleman and Wunsch), with gaps that cost nothing.
    enum Step : std::uint8_t { kSkipA, kSkipB, kPair };
    const std::size_t rows = at.lengthA;
    const std::size_t columns = at.lengthB;
    // best[j] is the worth of the best alignment of the works from i and from j on. Going backwards yields the pairs in
    // their order afterwards.
    std::vector<std::int32_t> best(columns + 1, 0);
    std::vector<std::uint8_t> steps(rows * columns);
    for (std::size_t i = rows; i-- > 0;) {
        std::int32_t diagonal = 0;
        for (std::size_t j = columns; j-- > 0;) {
            const std::int32_t below = best[j];
            const std::int32_t right = best[j + 1];
            const std::int32_t worth = worthOf(a[at.a + i], b[at.b + j]);
            std::uint8_t step = below >= right ? kSkipA : kSkipB;
            std::int32_t value = std::max(below, right);
            // A pair is taken on a tie, so that equal works are matched.
            if (worth > 0 && diagonal + worth >= value) {
                step = kPair;
                value = diagonal + worth;
            }
            diagonal = below;
            best[j] = value;
            steps[i * columns + j] = step;
        }
    }
    // The steps are followed from the beginning, since the table was filled backwards.
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
        switch (steps[i * columns + j]) {
        case kPair:
            pairs.push_back({at.a + i, at.b + j, likeness(a[at.a + i], b[at.b + j])});
            ++i;
            ++j;
            break;
        case kSkipA:
            ++i;
            break;
        default:
            ++j;
        }
    }
}

/// The places of names that occur once in each sequence, in an order that both share (the longest such selection).
std::vector<AlignedPair> landmarks(Keys a, Keys b)
{
    struct Places
    {
        std::size_t inA = 0, inB = 0; ///< how often
        std::size_t a = 0, b = 0;
    };
    // Names that are unique on both sides are safe anchors, as in patience diff.
    std::unordered_map<std::uint32_t, Places> places;
    for (std::size_t i = 0; i < a.size(); ++i) {
        Places& p = places[a[i].name];
        ++p.inA;
        p.a = i;
    }
    for (std::size_t j = 0; j < b.size(); ++j) {
        Places& p = places[b[j].name];
        ++p.inB;
        p.b = j;
    }
    std::vector<AlignedPair> once;
    for (const auto& [name, p] : places)
        // The order of the places in a must be kept in b, so the longest rising chain remains.
        if (name != 0 && p.inA == 1 && p.inB == 1)
            once.push_back({p.a, p.b, Likeness::sameName});
    std::sort(once.begin(), once.end(), [](const auto& x, const auto& y) { return x.a < y.a; });

    // The longest increasing subsequence of the places in b: ends[k] is the last element of the one of length k + 1.
    std::vector<std::size_t> ends;
    std::vector<std::size_t> before(once.size(), once.size());
    for (std::size_t i = 0; i < once.size(); ++i) {
        const auto slot = std::lower_bound(ends.begin(), ends.end(), once[i].b,
                                           [&](std::size_t e, std::size_t place) { return once[e].b < place; });
        if (slot != ends.begin())
            before[i] = *(slot - 1);
        if (slot == ends.end())
            ends.push_back(i);
        else
            *slot = i;
    }
    std::vector<AlignedPair> chain;
    for (std::size_t i = ends.empty() ? once.size() : ends.back(); i < once.size(); i = before[i])
        chain.push_back(once[i]);
    std::reverse(chain.begin(), chain.end());
    return chain;
}

/// Aligns a stretch in equal parts, as many as make each small enough.
void alignInParts(Keys a, Keys b, const Stretch& whole, std::size_t mostCells, std::vector<AlignedPair>& pairs)
{
    // Cutting both stretches into equal parts bounds the memory of the table.
    std::size_t parts = 1;
    while ((whole.lengthA / parts + 1) * (whole.lengthB / parts + 1) > mostCells &&
           parts < std::min(whole.lengthA, whole.lengthB))
        ++parts;
    for (std::size_t p = 0; p < parts; ++p) {
        const std::size_t fromA = whole.lengthA * p / parts;
        const std::size_t fromB = whole.lengthB * p / parts;
        alignStretch(a, b,
                     {whole.a + fromA, whole.b + fromB, whole.lengthA * (p + 1) / parts - fromA,
                      whole.lengthB * (p + 1) / parts - fromB},
                     pairs);
    }
}

} // namespace

Likeness likeness(const WorkKey& a, const WorkKey& b)
{
    const bool origin = a.origin != 0 && a.origin == b.origin;
    if (a.name != 0 && a.name == b.name)
        return origin ? Likeness::sameNameAndOrigin : Likeness::sameName;
    // Nothing but the place of such work is known: kUnrecordedWork.
    const auto isAnonymous = [](const WorkKey& key) { return key.shortName == 0 && key.shape != 0; };
    if (isAnonymous(a) != isAnonymous(b))
        return isArithmetic(isAnonymous(a) ? b.opClass : a.opClass) ? Likeness::sameProduct : Likeness::none;
    const bool fill = a.opClass == OpClass::fill || b.opClass == OpClass::fill;
    // Operators that help others, such as fills, differ in number between engines.
    const bool helps = isArithmetic(a.opClass) != isArithmetic(b.opClass) || (fill && a.opClass != b.opClass);
    if (origin && !helps)
        return Likeness::sameOrigin;
    if (a.shortName != 0 && a.shortName == b.shortName)
        return Likeness::sameShortName;
    return a.opClass == b.opClass && isArithmetic(a.opClass) ? Likeness::sameProduct : Likeness::none;
}

std::vector<AlignedPair> align(Keys a, Keys b, std::size_t mostCells)
{
    const auto size = [](Keys keys) {
        double time = 0;
        // The time decides between sequences of equal length.
        for (const WorkKey& key : keys)
            time += key.time;
        return std::pair(keys.size(), time);
    };
    std::vector<AlignedPair> pairs;
    if (size(b) < size(a)) {
        // The result must not depend on which side was named first.
        pairs = align(b, a, mostCells);
        for (AlignedPair& pair : pairs)
            std::swap(pair.a, pair.b);
        return pairs;
    }
    // Short sequences are aligned exactly; only long ones are cut at landmarks.
    if (b.empty() || a.size() <= mostCells / b.size()) {
        alignStretch(a, b, {0, 0, a.size(), b.size()}, pairs);
        return pairs;
    }
    Stretch next;
    for (AlignedPair mark : landmarks(a, b)) {
        next.lengthA = mark.a - next.a;
        next.lengthB = mark.b - next.b;
        alignInParts(a, b, next, mostCells, pairs);
        mark.likeness = likeness(a[mark.a], b[mark.b]);
        pairs.push_back(mark);
        next = {mark.a + 1, mark.b + 1};
    }
    next.lengthA = a.size() - next.a;
    next.lengthB = b.size() - next.b;
    alignInParts(a, b, next, mostCells, pairs);
    return pairs;
}

} // namespace apertune::analysis
