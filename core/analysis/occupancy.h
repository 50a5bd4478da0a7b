// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <string_view>

namespace apertune::analysis {

/// The part of a device that a launch can use, estimated from its shape alone, without counters. A negative value is
/// unknown: the recorder did not report the device's limits or the grid.
struct OccupancyEstimate
{
    /// The blocks that fit on a multiprocessor at once, the smallest of these limits:
    ///   threads:   ⌊maxThreadsPerMultiprocessor / (block threads, whole warps)⌋
    ///   registers: ⌊registersPerMultiprocessor / (warps × 32 × registers a thread, in units of 256 a warp)⌋
    ///   shared:    ⌊sharedBytesPerMultiprocessor / (static + dynamic + 1 KiB of the system from 8.0 on)⌋
    ///   blocks:    32 (16 on 7.5 and 8.6 – 8.7, 24 on 8.9)
    int blocksPerMultiprocessor = -1;
    std::string_view limiter; ///< "threads", "registers", "shared memory", "blocks"
    /// blocksPerMultiprocessor × warps per block / warps per multiprocessor, 0..1. The launch allows this much.
    double theoretical = -1;
    /// min(warps of the grid / (multiprocessors × warps each), theoretical), 0..1. It also counts the size of the grid.
    double achieved = -1;
    /// min(blocks / multiprocessors, 1): the share of multiprocessors that get any block, 0..1.
    double smFill = -1;
    /// blocks / (multiprocessors × blocksPerMultiprocessor). Below 1 the launch does not fill the device once.
    double waves = -1;
};

OccupancyEstimate estimateOccupancy(const trace::KernelDetail& launch, const trace::DeviceProperties* device);

} // namespace apertune::analysis
