// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/number_format.h"
#include "core/analysis/operator_forest.h"

#include <array>
#include <cstdint>
#include <vector>

namespace apertune::analysis {

/// Time of work by the number format that it computes in.
struct FormatTimes
{
    std::array<std::int64_t, 9> time{}; ///< ns by NumberFormat

    std::int64_t of(NumberFormat format) const { return time[static_cast<std::size_t>(format)]; }
    std::int64_t all() const;
    /// ns in formats stored in 32 bits or more. tf32 counts, because its operands are stored in 32 bits.
    std::int64_t wide() const { return of(NumberFormat::fp64) + of(NumberFormat::fp32) + of(NumberFormat::tf32); }
    /// Returns whether at least half of the time is known to be in numbers of 32 bits or more.
    bool isMostlyWide() const { return all() > 0 && 2 * wide() >= all(); }
    /// Returns whether the format of more than half of the time is unknown.
    bool isMostlyUnknown() const { return 2 * of(NumberFormat::unknown) > all(); }
};

/// The number formats of the work in a window.
struct Precision
{
    FormatTimes arithmetic; ///< products, convolutions, attention
    FormatTimes traffic;    ///< element-wise work, normalisation and so on
    /// StringIds of the arithmetic work in fp32 outside of tensor cores, and in fp64, ascending.
    std::vector<std::uint32_t> fp32Names;
    std::vector<std::uint32_t> fp64Names;
};

/// Returns the formats of the kernels of a device that start in the window, from their names or else from the input
/// types of the operator that launched them. Without a device (-1) it returns those of the operators of the busiest
/// host thread, by self time. An operator without types has those of the nearest one around it. Linear.
Precision precisionOf(const TraceIndex& index, const OperatorForest& forest, std::int64_t device, TimeRange window);

} // namespace apertune::analysis
