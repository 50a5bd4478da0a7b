// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

#include <map>
#include <optional>
#include <set>

namespace apertune::search {

/// Search for the memory edge of a configuration group: the largest batch whose peak of memory is within a limit. A
/// value with an ask-and-tell interface, without clock or files.
///
///   1. Batches double from 1 on, until one does not fit or is predicted not to.
///   2. Between the largest batch that fits and the smallest that does not, the next batch is where the line through
///      two measured peaks meets the limit. Without peaks, and after three lines that did not halve the gap, it is the
///      middle.
///   3. The search ends when the two are neighbours, and the later does not fit by measurement or by the latest line.
///
/// A batch is predicted not to fit when the line through the peak of the largest batch and that of one at most half as
/// large is more than 3 % above the limit there, and the gentlest line that rounding of the peaks allows (MemoryLine)
/// is above it, too. It is not tried while this holds.
class BatchEdge
{
public:
    enum class Answer {
        fits,        ///< it ran; tell() compares its peak with the limit
        outOfMemory, ///< it ran out of memory
        unknown      ///< it cannot run for another reason, or may not be tried
    };

    /// Without `limit` only running out of memory ends the search.
    explicit BatchEdge(std::optional<base::Bytes> limit) : m_limit(limit) {}

    /// The next batch to measure; nullopt when the edge is known, and when batches cannot grow any more.
    std::optional<int> next() const;
    /// Tells what came of a batch, in any order, also of batches that next() did not ask for.
    /// REQUIRES: batch ≥ 1.
    void tell(int batch, Answer answer, std::optional<base::Bytes> peak = {});

    /// Whether no batch was found beyond the limit so far, by measurement or by prediction.
    bool isDoubling() const { return !beyond(); }
    int edge() const { return m_fitting.empty() ? 0 : m_fitting.rbegin()->first; } ///< largest that fits; 0: none does
    /// Smallest batch that does not fit or is predicted not to; nullopt while there is none.
    std::optional<int> beyond() const;
    /// The peak that the line predicts for a batch; nullopt with fewer than two peaks.
    std::optional<base::Bytes> predicted(int batch) const;

private:
    bool isBeyondByLine(int batch) const;
    /// Sets m_predictedBeyond where a line says so for twice the edge.
    void predictBeyond();
    /// Where the line meets the limit; nullopt where there is no line or it does not rise.
    std::optional<double> meetsLimit() const;

    const std::optional<base::Bytes> m_limit;
    std::map<int, std::optional<base::Bytes>> m_fitting; ///< peaks of the batches that fit
    std::optional<int> m_tooLarge{};                     ///< smallest batch that was measured not to fit
    std::optional<base::Bytes> m_peakTooLarge{}; ///< peak of batch m_tooLarge; nullopt when it ran out of memory
    std::optional<int> m_predictedBeyond{};      ///< smallest batch that a line predicted not to fit
    std::set<int> m_unknown{};                   ///< batches with that answer
    int m_slowSteps = 0;                         ///< steps in a row that did not halve the gap
};

} // namespace apertune::search
