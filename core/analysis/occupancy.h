// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <string_view>

namespace apertune::analysis {

/// What a launch leaves of a device unused, estimated from its shape alone, no counter needed. Negative: cannot be said
/// because the recorder does not tell the device's limits or the grid.
struct OccupancyEstimate
{
    /// Blocks that fit on a multiprocessor at once, the smallest of
    ///   threads:   ⌊maxThreadsPerMultiprocessor / (block threads, whole warps)⌋
    ///   registers: ⌊registersPerMultiprocessor / (warps × 32 × registers a thread, in units of 256 a warp)⌋
    ///   shared:    ⌊sharedBytesPerMultiprocessor / (static + dynamic + 1 KiB of the system from 8.0 on)⌋
    ///   blocks:    32 (16 on 7.5 and 8.6 – 8.7, 24 on 8.9)
    int blocksPerMultiprocessor = -1;
    std::string_view limiter; ///< "threads", "registers", "shared memory", "blocks"
    /// blocksPerMultiprocessor × warps a block / warps a multiprocessor: what the launch allows, 0..1.
    double theoretical = -1;
    /// min(warps of the grid / (multiprocessors × warps each), theoretical): with the grid's size, 0..1.
    double achieved = -1;
    /// min(blocks / multiprocessors, 1): the share of multiprocessors that get any block.
    double smFill = -1;
    /// blocks / (multiprocessors × blocksPerMultiprocessor): below 1 the device is not filled once.
    double waves = -1;
};

OccupancyEstimate estimateOccupancy(const trace::KernelDetail& launch, const trace::DeviceProperties* device);

} // namespace apertune::analysis
