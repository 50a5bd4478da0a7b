// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/distribution.h"
#include "core/analysis/occupancy.h"
#include "core/analysis/trace_index.h"

#include <optional>
#include <vector>

namespace apertune::analysis {

/// All calls of one kernel on one device. A graph that is launched as a whole counts as a kernel.
struct KernelRow
{
    std::uint32_t name = 0; ///< StringId
    std::int64_t device = 0;
    Distribution time; ///< ns; total is Σ durations as in HolisticTraceAnalysis, so overlaps count twice
    double share = 0;  ///< share of Σ durations of all kernels of the device
    OpClass opClass = OpClass::other;
    std::optional<bool> tensorCores; ///< nullopt when the name does not show it
    trace::KernelDetail launch;      ///< the launch shape with the largest share of its time
    std::int64_t shapes = 0;         ///< number of different grids and blocks
    double occupancy = -1; ///< OccupancyEstimate::achieved or the recorder's own value, weighted by time; -1: unknown
    double smFill = -1;    ///< weighted by time; -1: unknown
    double waves = -1;     ///< weighted by time; -1: unknown
    EventRef longest;      ///< the longest call
};

/// The kernels that start in `window`, by total time. n log n in the number of names, linear in events.
std::vector<KernelRow> kernelTable(const TraceIndex& index, TimeRange window);

/// Sums over the kernels of a device in a window.
struct KernelSums
{
    std::int64_t count = 0;
    std::int64_t time = 0;           ///< Σ durations
    std::int64_t arithmeticTime = 0; ///< Σ durations of isArithmetic classes
    std::int64_t trafficTime = 0;    ///< Σ durations of isTraffic classes
    /// Σ durations of all kernels except communication, which fills a few multiprocessors by design and waits.
    std::int64_t computingTime = 0;
    double meanWaves = -1; ///< weighted by time over the computing kernels with known waves; -1: unknown
    double smFill = -1;    ///< weighted in the same way; -1: unknown
    double knownWaves = 0; ///< share of computingTime with known waves
    /// Time by OpClass.
    std::vector<std::int64_t> byClass;
};
KernelSums sumKernels(const std::vector<KernelRow>& table, std::int64_t device);

} // namespace apertune::analysis
