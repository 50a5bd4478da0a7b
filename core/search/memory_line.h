// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/units.h"

namespace apertune::search {

/// Peak memory as a straight line over the batch, through two measured points. Batches are counts, peaks are bytes.
class MemoryLine
{
public:
    /// REQUIRES: batchA < batchB.
    MemoryLine(double batchA, double peakA, double batchB, double peakB)
        : m_slope((peakB - peakA) / (batchB - batchA)), m_steepest(m_slope + kRounding * peakB / (batchB - batchA)),
          m_batch(batchB), m_peak(peakB)
    {
    }
    double at(double batch) const { return m_peak + m_slope * (batch - m_batch); } ///< predicted bytes
    /// Bounds for batches beyond batchB: the steepest and the gentlest line that rounding of the peaks allows.
    double atMost(double batch) const { return m_peak + m_steepest * (batch - m_batch); }
    double atLeast(double batch) const { return m_peak + (2 * m_slope - m_steepest) * (batch - m_batch); }
    base::Bytes bytes(double batch) const { return {static_cast<std::int64_t>(at(batch))}; }

private:
    static constexpr double kRounding = 0.04; ///< each of the two peaks may be off by 2 % of the larger one
    double m_slope;
    double m_steepest;
    double m_batch;
    double m_peak;
};

} // namespace apertune::search
