// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/distribution.h"
#include "core/analysis/occupancy.h"
#include "core/analysis/trace_index.h"

#include <optional>
#include <vector>

namespace apertune::analysis {

/// All calls of one kernel on one device (graphs launched as a whole count as kernels).
struct KernelRow
{
    std::uint32_t name = 0; ///< StringId
    std::int64_t device = 0;
    Distribution time; ///< ns; total is Σ durations, as HolisticTraceAnalysis counts it: overlaps count twice
    double share = 0;  ///< of Σ durations of all kernels of the device
    OpClass opClass = OpClass::other;
    std::optional<bool> tensorCores; ///< nothing where the name does not tell
    trace::KernelDetail launch;      ///< the shape that most of its time went to
    std::int64_t shapes = 0;         ///< different grids and blocks
    double occupancy = -1; ///< OccupancyEstimate::achieved (or the recorder's own), weighted by time; -1 unknown
    double smFill = -1;    ///< weighted by time; -1 unknown
    double waves = -1;     ///< weighted by time; -1 unknown
    EventRef longest;      ///< the outlier to jump to
};

/// The kernels that start in `window`, by total time. n log n in the number of names, linear in events.
std::vector<KernelRow> kernelTable(const TraceIndex& index, Interval window);

/// Sums over the kernels of a device in a window.
struct KernelSums
{
    std::int64_t count = 0;
    std::int64_t time = 0;           ///< Σ durations
    std::int64_t arithmeticTime = 0; ///< of isArithmetic classes
    std::int64_t trafficTime = 0;    ///< of isTraffic classes
    /// Of the kernels that compute: all but communication, which fills a few multiprocessors by design and waits.
    std::int64_t computingTime = 0;
    double meanWaves = -1; ///< weighted by time, over kernels that compute and whose waves are known
    double smFill = -1;    ///< likewise
    double knownWaves = 0; ///< share of computingTime for which waves are known
    /// Time by OpClass.
    std::vector<std::int64_t> byClass;
};
KernelSums sumKernels(const std::vector<KernelRow>& table, std::int64_t device);

} // namespace apertune::analysis
