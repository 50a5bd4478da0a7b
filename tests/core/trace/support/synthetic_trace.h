// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>

namespace apertune::testing {

/// An inference loop as a profiler would see it, made by rule from a seed: steps, operators with nested calls, launches
/// and their kernels on one device, transfers, loader threads, tensor memory, power and clock.
struct LoopOptions
{
    int iterations = 8;
    int layers = 24;
    std::uint32_t seed = 1;
};
trace::TracePtr makeLoopTrace(const LoopOptions& options = {});

/// `events` kernels on `tracks` streams, the first of which holds most of them. With `bursts` nine tenths of the
/// events happen in a hundredth of the time.
trace::TracePtr makeLargeTrace(std::size_t events, int tracks, bool bursts = false);

} // namespace apertune::testing
