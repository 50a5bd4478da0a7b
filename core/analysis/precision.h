// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/number_format.h"
#include "core/analysis/operator_forest.h"

#include <array>
#include <cstdint>
#include <vector>

namespace apertune::analysis {

/// Time of some work by the format that it computes in.
struct FormatTimes
{
    std::array<std::int64_t, 9> time{}; ///< ns by NumberFormat

    std::int64_t of(NumberFormat format) const { return time[static_cast<std::size_t>(format)]; }
    std::int64_t all() const;
    /// In numbers of 32 bits or more; tf32 counts, for its operands are stored in 32.
    std::int64_t wide() const { return of(NumberFormat::fp64) + of(NumberFormat::fp32) + of(NumberFormat::tf32); }
    /// At least half of the time is known to be in numbers of 32 bits or more.
    bool isMostlyWide() const { return all() > 0 && 2 * wide() >= all(); }
    /// The format of more than half of the time was not recorded.
    bool isMostlyUnknown() const { return 2 * of(NumberFormat::unknown) > all(); }
};

/// What the work of a window computes in.
struct Precision
{
    FormatTimes arithmetic; ///< products, convolutions, attention
    FormatTimes traffic;    ///< element-wise work, normalisation and so on
    /// StringIds of the arithmetic work in fp32 outside of tensor cores, and in fp64, ascending.
    std::vector<std::uint32_t> fp32Names;
    std::vector<std::uint32_t> fp64Names;
};

/// Of the kernels of a device that start in the window, by their names or else by the types of the operator that
/// launched them; without a device (-1) of the operators of the busiest host thread, by their self time. An operator
/// without types of its own has those of the nearest one around it. Linear.
Precision precisionOf(const TraceIndex& index, const OperatorForest& forest, std::int64_t device, Interval window);

} // namespace apertune::analysis
