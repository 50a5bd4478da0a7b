// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/batch_edge.h"

#include "core/search/memory_line.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace apertune::search {

namespace {

constexpr double kLineSlack = 1.03; ///< prediction over the limit up to which a batch is still tried
constexpr int kSlowStepsMost = 3;   ///< steps by the line that do not halve the gap, after which the middle is taken
constexpr int kLargestDoubled = std::numeric_limits<int>::max() / 2;

/// The line through the largest batch with a peak and the largest that is at most half of it: peaks of neighbours
/// differ by chance as much as by a sample. nullopt with fewer than two.
std::optional<MemoryLine> lineThrough(const std::map<int, std::optional<base::Bytes>>& fitting)
{
    const auto hasPeak = [](const auto& entry) { return entry.second.has_value(); };
    const auto last = std::find_if(fitting.rbegin(), fitting.rend(), hasPeak);
    if (last == fitting.rend())
        return std::nullopt;
    const auto before = std::find_if(std::next(last), fitting.rend(), [&](const auto& entry) {
        return hasPeak(entry) && entry.first <= last->first / 2;
    });
    if (before == fitting.rend())
        return std::nullopt;
    return MemoryLine(before->first, static_cast<double>(before->second->count), last->first,
                      static_cast<double>(last->second->count));
}

} // namespace

std::optional<base::Bytes> BatchEdge::predicted(int batch) const
{
    const auto line = lineThrough(m_fitting);
    return line ? std::optional(line->bytes(batch)) : std::nullopt;
}

bool BatchEdge::isBeyondByLine(int batch) const
{
    const auto line = lineThrough(m_fitting);
    if (!line || !m_limit)
        return false;
    const auto limit = static_cast<double>(m_limit->count);
    // Both must say so: the line may be off by rounding of the peaks, and its gentlest form alone would try too much.
    return line->at(batch) > kLineSlack * limit && line->atLeast(batch) > limit;
}

std::optional<double> BatchEdge::meetsLimit() const
{
    if (m_fitting.empty() || !m_limit)
        return std::nullopt;
    const auto line = lineThrough(m_fitting);
    const auto limit = static_cast<double>(m_limit->count);
    const auto& [low, peak] = *m_fitting.rbegin();
    // Between two measured points the line interpolates, which is better than to extrapolate.
    if (m_tooLarge && m_peakTooLarge && peak && *m_peakTooLarge > *peak) {
        const MemoryLine between(low, static_cast<double>(peak->count), *m_tooLarge,
                                 static_cast<double>(m_peakTooLarge->count));
        return low + (limit - between.at(low)) / (between.at(low + 1) - between.at(low));
    }
    if (!line)
        return std::nullopt;
    const double perSample = line->at(low + 1) - line->at(low);
    // A line that does not rise meets no limit.
    return perSample > 0 ? std::optional(low + (limit - line->at(low)) / perSample) : std::nullopt;
}

std::optional<int> BatchEdge::beyond() const
{
    if (!m_tooLarge || !m_predictedBeyond)
        return m_tooLarge ? m_tooLarge : m_predictedBeyond;
    return std::min(*m_tooLarge, *m_predictedBeyond);
}

void BatchEdge::predictBeyond()
{
    const int low = edge();
    if (m_predictedBeyond && *m_predictedBeyond <= low) // It fits after all.
        m_predictedBeyond.reset();
    // Doubling asks for twice the edge next, so only that batch has to be predicted.
    if (m_predictedBeyond || low == 0 || low > kLargestDoubled || !isBeyondByLine(2 * low))
        return;
    int within = low;
    int predicted = 2 * low;
    // The smallest batch that the line excludes is found by bisection, as lines rise.
    while (predicted - within > 1) {
        const int middle = within + (predicted - within) / 2;
        (isBeyondByLine(middle) ? predicted : within) = middle;
    }
    m_predictedBeyond = predicted;
}

std::optional<int> BatchEdge::next() const
{
    const int low = edge();
    const auto high = beyond();
    if (!high) {
        // A batch of unknown answer, such as one that the model refuses, does not end the doubling; two in a row do.
        int batch = low == 0 ? 1 : low;
        for (int skipped = 0; skipped < 2 && batch <= kLargestDoubled; ++skipped) {
            batch = low == 0 && skipped == 0 ? 1 : 2 * batch;
            if (!m_unknown.contains(batch))
                return batch;
        }
        return std::nullopt;
    }
    if (*high - low <= 1) {
        // A batch that an earlier line excluded is tried when a later and better line allows it.
        const bool doubtful = high != m_tooLarge && !isBeyondByLine(*high) && !m_unknown.contains(*high);
        return doubtful ? high : std::nullopt;
    }
    const int middle = low + (*high - low) / 2;
    const auto meets = m_slowSteps < kSlowStepsMost ? meetsLimit() : std::nullopt;
    // The batch lies strictly between the known ones, or the search would ask for one that is measured already.
    int batch = meets ? static_cast<int>(std::clamp(std::floor(*meets), low + 1.0, *high - 1.0)) : middle;
    // A batch that cannot run is stepped over towards the smaller ones.
    while (batch > low && m_unknown.contains(batch))
        --batch;
    return batch > low ? std::optional(batch) : std::nullopt;
}

void BatchEdge::tell(int batch, Answer answer, std::optional<base::Bytes> peak)
{
    const int lowBefore = edge();
    const auto highBefore = beyond();
    if (answer == Answer::unknown) {
        m_unknown.insert(batch);
        return;
    }
    const bool tooLarge = answer == Answer::outOfMemory || (m_limit && peak && *peak > *m_limit);
    if (tooLarge && (!m_tooLarge || batch < *m_tooLarge)) {
        m_tooLarge = batch;
        // A peak that was measured helps to interpolate; a run that ran out of memory has none.
        m_peakTooLarge = answer == Answer::fits ? peak : std::nullopt;
    } else if (!tooLarge) {
        m_fitting[batch] = peak;
    }
    // A batch that once fitted but lies beyond one that did not is no evidence any more.
    std::erase_if(m_fitting, [&](const auto& entry) { return m_tooLarge && entry.first >= *m_tooLarge; });
    predictBeyond();
    if (const auto high = beyond(); highBefore && high)
        // A gap that did not halve counts against the line.
        m_slowSteps = 2 * (*high - edge()) > *highBefore - lowBefore ? m_slowSteps + 1 : 0;
}

} // namespace apertune::search
